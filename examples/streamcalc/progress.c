#include "progress.h"

#include "text.h"
#include "watch.h"

#include <string.h>
#include <unistd.h>

static const double QUIET_S = 1; /* what is over sooner shows nothing */
static const double RENEW_S = 0.1;

void progress_start(struct progress *progress)
{
    progress->enabled = isatty(STDERR_FILENO) == 1;
    progress->columns = text_terminal_width(STDERR_FILENO);
    progress->shown = 0;
}

void progress_erase(struct progress *progress)
{
    if (progress->shown > 0)
        fprintf(stderr, "\r%*s\r", progress->shown, "");
    progress->shown = 0;
    fflush(stderr);
}

/* What there is to say of playing. */
static void describe_playing(const sc_progress *state, char *text, size_t size)
{
    snprintf(text, size, "%d stream%s, %lld late, least buffer %.2f s", (int)state->streams,
             state->streams == 1 ? "" : "s", (long long)state->late_frames, state->min_buffer_s);
}

static void describe(const sc_progress *state, size_t columns, char *line, size_t size)
{
    char share[16] = "", rate[48] = "", number[40], files[64] = "", detail[SC_PATH_MAX];
    if (state->files_found > 1)
        snprintf(files, sizeof files, "  %lld of %lld files", (long long)state->files_done,
                 (long long)state->files_found);
    if (state->fraction >= 0)
        snprintf(share, sizeof share, "  %.0f %%", state->fraction * 100);
    if (state->bytes_per_s > 0)
        snprintf(rate, sizeof rate, "  %s",
                 text_bytes_per_s(state->bytes_per_s, number, sizeof number));
    size_t used = text_width(state->stage) + strlen(files) + strlen(share) + strlen(rate) +
                  strlen("   9999 s");
    size_t rest = columns > used + 4 ? columns - used : 4;
    if (state->streams > 0)
        describe_playing(state, detail, sizeof detail);
    else
        text_clean_path(state->detail, rest, detail, sizeof detail);
    snprintf(line, size, "%s%s%s%s  %.0f s  %s", state->stage, files, share, rate, state->elapsed_s,
             detail);
}

int progress_update(void *opaque, const sc_progress *state)
{
    struct progress *progress = opaque;
    watch_beat();
    if (!progress->enabled || state->elapsed_s < QUIET_S)
        return 0;
    /* Another call's time begins anew. */
    if (progress->shown > 0 && state->elapsed_s >= progress->drawn_s &&
        state->elapsed_s < progress->drawn_s + RENEW_S)
        return 0;
    progress->drawn_s = state->elapsed_s;
    char line[SC_PATH_MAX + 256];
    /* The last column stays free: some terminals wrap there. */
    size_t columns = (size_t)progress->columns - 1;
    describe(state, columns, line, sizeof line);
    line[text_cut(line, columns)] = '\0';
    int width = (int)text_width(line);
    int rest = progress->shown > width ? progress->shown - width : 0;
    fprintf(stderr, "\r%s%*s", line, rest, "");
    fflush(stderr);
    progress->shown = width;
    return 0;
}
