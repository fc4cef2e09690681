#include "core/core.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* Lock-free, so that a signal handler may set it. */
struct sc_cancel {
    atomic_int triggered;
};

static const int64_t PROGRESS_INTERVAL_NS = 50000000;

sc_cancel *sc_cancel_create(void)
{
    return calloc(1, sizeof(sc_cancel));
}

void sc_cancel_trigger(sc_cancel *cancel)
{
    if (cancel)
        atomic_store(&cancel->triggered, 1);
}

bool sc_cancel_triggered(const sc_cancel *cancel)
{
    return cancel && atomic_load(&cancel->triggered);
}

void sc_cancel_free(sc_cancel **cancel)
{
    if (!cancel)
        return;
    free(*cancel);
    *cancel = NULL;
}

void sci_control_start(sci_control *control, const sc_control *user, const char *stage)
{
    *control = (sci_control){.stage = stage, .start_ns = sci_now_ns()};
    if (user)
        control->user = *user;
}

bool sci_control_poll(sci_control *control, const char *detail, double fraction, double bytes_per_s)
{
    if (control->cancelled)
        return true;
    if (sc_cancel_triggered(control->user.cancel))
        return control->cancelled = true;
    if (!control->user.progress)
        return false;
    int64_t now = sci_now_ns();
    if (control->last_ns && now - control->last_ns < PROGRESS_INTERVAL_NS)
        return false;
    control->last_ns = now;
    sc_progress progress = {.stage = control->stage,
                            .detail = detail ? detail : "",
                            .fraction = fraction,
                            .elapsed_s = (double)(now - control->start_ns) / 1e9,
                            .bytes_per_s = bytes_per_s,
                            .files_done = control->files_done,
                            .files_found = control->files_found};
    if (control->fill)
        control->fill(control->fill_opaque, &progress);
    control->cancelled = control->user.progress(control->user.progress_opaque, &progress) != 0;
    return control->cancelled;
}

void sci_log(const sc_control *control, sc_log_level level, const char *format, ...)
{
    char message[SC_TEXT_MAX * 2];
    if (!control || !control->log)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    control->log(control->log_opaque, level, message);
}
