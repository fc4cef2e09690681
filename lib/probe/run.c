#include "probe/run.h"

#include "probe/crew.h"
#include "probe/filename.h"
#include "probe/together.h"

#include <stdlib.h>
#include <string.h>

static const int64_t DEFAULT_MAX_BYTES = 256 << 20, WAIT_NS = 10000000;
static const double DEFAULT_MAX_SECONDS = 60;
enum { DEFAULT_MAX_DEPTH = 16, DEFAULT_MAX_FILES = 100000, DEFAULT_PARALLEL = 8 };

/* How long a run that was asked to stop may take to hand over what it has. */
static const double GRACE_S = 0.4;

struct run {
    const sc_probe_params *params;
    const char *const *paths;
    size_t path_count;
    size_t *clips_of; /* each path */
    sc_probe *probe;
    sci_arena *arena; /* of the probe */
    sci_crew *crew;
    sci_control control; /* the user's */
    int64_t look_ns;     /* when the crew was looked at */
    sci_findings findings;
    sci_work **kept;
    size_t count, capacity;
    size_t good, failed, skipped, empty;
    sc_error first_failure; /* in the order of the result */
    size_t first_path, first_place;
    bool refused; /* the user's callback wants no more clips */
};

/* ---- one clip ---- */

/* Files of a directory that turn out to be none of footage. */
static bool passed_over(struct run *run, const sci_work *work)
{
    bool footage = sci_filename_is_footage(work->clip.path);
    if (work->named || work->sequence || work->clip.error.status == SC_OK)
        return false;
    if (work->clip.size_bytes == 0) {
        run->empty += footage;
        return true;
    }
    run->skipped += !footage;
    return !footage;
}

static bool comes_first(const struct run *run, const sci_work *work)
{
    if (run->first_failure.status == SC_OK || work->path_index != run->first_path)
        return run->first_failure.status == SC_OK || work->path_index < run->first_path;
    return work->place < run->first_place;
}

static void count(struct run *run, const sci_work *work)
{
    run->clips_of[work->path_index]++;
    if (work->clip.error.status == SC_OK) {
        run->good++;
        return;
    }
    run->failed++;
    if (!comes_first(run, work))
        return;
    run->first_failure = work->clip.error;
    run->first_path = work->path_index;
    run->first_place = work->place;
}

static void tell(struct run *run, const sci_work *work)
{
    const sc_probe_params *params = run->params;
    if (params->on_clip && !run->refused)
        run->refused = params->on_clip(params->on_clip_opaque, &work->clip, work->path_index,
                                       work->place) != 0;
}

static sc_status keep(struct run *run, sci_work *work)
{
    if (!sci_grow(&run->kept, run->count, &run->capacity, sizeof(sci_work *))) {
        sci_work_free(&work);
        return SC_NO_MEMORY;
    }
    run->kept[run->count++] = work;
    return SC_OK;
}

static sc_status hand_over(struct run *run, sci_work *work)
{
    tell(run, work);
    if (!run->params->discard)
        return keep(run, work);
    sci_work_free(&work);
    return SC_OK;
}

static sc_status deliver(struct run *run, sci_work *work)
{
    run->control.files_done++;
    if (passed_over(run, work)) {
        sci_work_free(&work);
        return SC_OK;
    }
    count(run, work);
    if (run->params->as_one)
        return keep(run, work);
    return hand_over(run, work);
}

/* ---- all of them ---- */

/* A single file has its own fraction; of many those that are done count. */
static double fraction_of(const struct run *run, const sci_crew_state *state)
{
    if (!state->all_found || state->found < 1)
        return -1;
    return state->found == 1 ? state->fraction
                             : (double)run->control.files_done / (double)state->found;
}

/* True when the user wants to stop. */
static bool look(struct run *run)
{
    sci_crew_state state;
    if (run->refused || sc_cancel_triggered(run->params->control.cancel))
        return true;
    if (sci_now_ns() - run->look_ns < WAIT_NS)
        return false;
    run->look_ns = sci_now_ns();
    sci_crew_watch(run->crew);
    sci_crew_look(run->crew, &state);
    run->control.files_found = state.found;
    return sci_control_poll(&run->control, state.detail, fraction_of(run, &state),
                            state.bytes_per_s);
}

static sc_status collect(struct run *run)
{
    sc_status status = SC_OK;
    while (status == SC_OK && sci_crew_busy(run->crew)) {
        sci_work *work = sci_crew_next(run->crew, WAIT_NS);
        if (work)
            status = deliver(run, work);
        if (status == SC_OK && look(run))
            status = SC_CANCELLED;
    }
    return status;
}

/* What is nearly done may still come in; what waits for storage is named and left. */
static sc_status wind_up(struct run *run, sc_status status, sci_crew_state *state)
{
    int64_t start_ns = sci_now_ns();
    sci_crew_stop(run->crew);
    while (sci_crew_working(run->crew) && sci_seconds_since(start_ns) < GRACE_S) {
        sci_work *work = sci_crew_next(run->crew, WAIT_NS);
        if (work && deliver(run, work) != SC_OK)
            status = SC_NO_MEMORY;
    }
    for (sci_work *work; (work = sci_crew_next(run->crew, 0));)
        if (deliver(run, work) != SC_OK)
            status = SC_NO_MEMORY;
    sci_crew_look(run->crew, state);
    return status;
}

/* ---- the result ---- */

static void note_path(struct run *run, size_t i, sc_status status)
{
    bool directory = sci_crew_take_findings(run->crew, i, &run->findings);
    if (!directory || run->clips_of[i] || status != SC_OK)
        return;
    sci_finding_add(&run->findings, "no-media", SC_SEVERITY_WARNING,
                    "no video or audio files in %s", run->paths[i]);
    if (run->first_failure.status == SC_OK)
        sci_fail(&run->first_failure, SC_NOT_FOUND, 0, "probe.walk", run->paths[i],
                 "no video or audio files in the directory");
}

static void note_counts(struct run *run, const sci_crew_summary *summary, int32_t max_files)
{
    size_t skipped = run->skipped + summary->sidecars;
    if (summary->full)
        sci_finding_add(&run->findings, "too-many-files", SC_SEVERITY_WARNING,
                        "only the first %d files of the directories were taken; max_files "
                        "(--max-files) takes more",
                        max_files);
    if (run->empty)
        sci_finding_add(&run->findings, "empty-files", SC_SEVERITY_WARNING,
                        "%zu %s named as footage but empty (0 bytes): nothing was recorded, or a "
                        "copy failed",
                        run->empty, run->empty == 1 ? "file is" : "files are");
    if (skipped)
        sci_finding_add(&run->findings, "skipped-files", SC_SEVERITY_NOTE,
                        "%zu other %s no video or audio and skipped", skipped,
                        skipped == 1 ? "file is" : "files are");
}

static int in_order(const void *a, const void *b)
{
    const sci_work *x = *(sci_work *const *)a, *y = *(sci_work *const *)b;
    if (x->path_index != y->path_index)
        return x->path_index < y->path_index ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static void drop_kept(struct run *run)
{
    for (size_t i = 0; i < run->count; i++)
        sci_work_free(&run->kept[i]);
    run->count = 0;
}

/* What was kept are parts of one clip: of those that an interruption left there is none. */
static sc_status unite(struct run *run, sc_status status, sci_media_limits limits)
{
    sci_work *whole = NULL;
    if (status != SC_OK || !run->count) {
        drop_kept(run);
        return status;
    }
    qsort(run->kept, run->count, sizeof(sci_work *), in_order);
    status = sci_together(run->kept, run->count, limits, &run->control, &whole);
    if (status != SC_OK)
        return status;
    run->count = 0;
    whole->path_index = whole->place = 0;
    run->good = whole->clip.error.status == SC_OK;
    run->failed = !run->good;
    run->first_failure = whole->clip.error;
    return hand_over(run, whole);
}

/* The clips move into the result with everything that they point to. */
static bool gather(struct run *run)
{
    sc_clip *clips = sci_arena_alloc(run->arena, run->count + 1, sizeof *clips);
    if (!clips)
        return false;
    if (run->count)
        qsort(run->kept, run->count, sizeof(sci_work *), in_order);
    for (size_t i = 0; i < run->count; i++) {
        sci_arena *arena = run->kept[i]->arena;
        clips[i] = run->kept[i]->clip;
        sci_arena_adopt(run->arena, &arena);
    }
    run->probe->clips = clips;
    run->probe->clip_count = run->count;
    run->count = 0;
    return true;
}

static sc_status assemble(struct run *run, sc_status status, const sci_crew_state *stuck,
                          const sci_crew_params *params)
{
    sc_probe *probe = run->probe;
    sci_crew_summary summary;
    sci_crew_summary_of(run->crew, &summary);
    if (status == SC_OK)
        status = summary.status;
    if (run->params->as_one)
        status = unite(run, status, params->limits);
    if (status == SC_CANCELLED)
        sci_fail(&probe->error, status, 0, "probe", stuck->detail, "cancelled after %zu file%s%s",
                 run->good + run->failed, run->good + run->failed == 1 ? "" : "s",
                 *stuck->detail ? "; the storage of this one did not answer" : "");
    if (status == SC_STALLED)
        sci_fail(&probe->error, status, 0, "probe", stuck->detail,
                 "the storage of too many files does not answer; given up");
    if (probe->error.status == SC_OK && run->failed)
        probe->error = run->first_failure;
    for (size_t i = 0; i < run->path_count; i++)
        note_path(run, i, status);
    note_counts(run, &summary, params->max_files);
    if (run->findings.no_memory || !gather(run))
        return SC_NO_MEMORY;
    probe->findings = run->findings.items;
    probe->finding_count = run->findings.count;
    sc_time_now(probe->made_at);
    return status;
}

static sc_status conclude(struct run *run, sc_status status, sc_probe **probe, sc_error *error)
{
    if (status == SC_NO_MEMORY)
        return sci_fail(error, status, 0, "probe", NULL, "out of memory");
    *probe = run->probe;
    run->probe = NULL;
    if (status == SC_OK && run->good)
        return SC_OK;
    const sc_error *failure = status == SC_OK ? &run->first_failure : &(*probe)->error;
    return sci_error_keep(error, failure);
}

/* ---- life ---- */

static sci_crew_params crew_params(const struct run *run)
{
    const sc_probe_params *params = run->params;
    return (sci_crew_params){
        .paths = run->paths,
        .path_count = run->path_count,
        .parallel = params->parallel ? params->parallel : DEFAULT_PARALLEL,
        .max_depth = params->max_depth ? params->max_depth : DEFAULT_MAX_DEPTH,
        .max_files = params->max_files ? params->max_files
                     : params->discard ? INT32_MAX
                                       : DEFAULT_MAX_FILES,
        .limits = {.max_bytes = params->max_bytes ? params->max_bytes : DEFAULT_MAX_BYTES,
                   .max_seconds = params->max_seconds != 0 ? params->max_seconds
                                                           : DEFAULT_MAX_SECONDS,
                   .exact = params->exact,
                   .frames = params->frames,
                   .frame_rate = params->frame_rate},
        .stall_s = params->stall_s,
        .as_one = params->as_one};
}

static bool set_up(struct run *run)
{
    run->clips_of = calloc(run->path_count, sizeof *run->clips_of);
    run->probe = sci_result_new(sizeof *run->probe);
    if (!run->clips_of || !run->probe)
        return false;
    run->arena = sci_result_arena(run->probe);
    run->findings.arena = run->arena;
    return true;
}

static void clean_up(struct run *run)
{
    drop_kept(run);
    free(run->kept);
    free(run->clips_of);
    sci_crew_leave(&run->crew);
    sc_probe_free(&run->probe);
}

static sc_status nothing_done(struct run *run)
{
    sci_fail(&run->probe->error, SC_CANCELLED, 0, "probe", NULL, "cancelled after 0 files");
    sc_time_now(run->probe->made_at);
    return gather(run) ? SC_CANCELLED : SC_NO_MEMORY;
}

static sc_status run_all(struct run *run)
{
    const sci_crew_params params = crew_params(run);
    sci_crew_state stuck;
    sc_status status = SC_OK;
    sci_control_start(&run->control, &run->params->control, "probe");
    /* What is cancelled already opens no file. */
    if (sci_control_poll(&run->control, run->paths[0], -1, -1))
        return nothing_done(run);
    run->crew = sci_crew_start(&params);
    if (!run->crew)
        return SC_NO_MEMORY;
    status = collect(run);
    status = wind_up(run, status, &stuck);
    return assemble(run, status, &stuck, &params);
}

sc_status sci_run(const char *const *paths, size_t path_count, const sc_probe_params *params,
                  sc_probe **probe, sc_error *error)
{
    struct run run = {.params = params, .paths = paths, .path_count = path_count};
    sc_status status = set_up(&run) ? run_all(&run) : SC_NO_MEMORY;
    status = conclude(&run, status, probe, error);
    clean_up(&run);
    return status;
}
