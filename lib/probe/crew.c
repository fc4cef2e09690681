#include "probe/crew.h"

#include "io/watchdog.h"
#include "probe/walk.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum {
    QUEUE_PER_THREAD = 4,
    POOL_BYTES = 192 << 20, /* a clip of four million packets, or eight of half a million */
    LEFT_MOST = 128         /* threads left behind before all is given up: each keeps a file open */
};

/* A thread that has used up its time gets this much more to say so. */
static const double GRACE_S = 2;

/* One of the given paths. */
struct root {
    const char *path;
    bool directory;
    size_t places; /* files found in it */
    sci_arena *arena;
    sci_findings findings;
};

/* The state of one thread; it belongs to the thread. All but `crew`, `control` and `share` is guarded
   by the crew's lock. */
struct member {
    sci_crew *crew;
    struct member *next;
    sci_control control;
    sci_share share; /* of the crew's memory; has a lock of its own */
    bool scout;      /* looks for files; the others probe them */
    bool left;       /* behind: nothing that it does counts any more */
    bool working, waiting;
    int64_t start_ns, alive_ns; /* of the present work */
    clockid_t clock;            /* of its processor time */
    int64_t busy_ns;            /* that time at start_ns */
    const char *path;           /* of the present work, as long as it works */
    size_t path_index, place;
    double fraction, bytes_per_s;
    char detail[SC_PATH_MAX]; /* what it waits for, perhaps */
};

struct list {
    sci_work *first, *last;
    size_t count;
};

struct sci_crew {
    sci_crew_params params;
    sci_arena *arena; /* of the roots */
    struct root *roots;
    sc_cancel *stop;
    sci_budget budget;
    pthread_mutex_t lock; /* for all that follows */
    pthread_cond_t work, room, news;
    size_t references;
    struct member *members;
    int scouts, probers, idle;
    size_t left_behind, silent_in_row; /* the second: since something was finished */
    size_t next_root, open_roots;      /* not yet looked at; not yet done with */
    size_t open;                       /* roots and works that are not yet done with */
    struct list queue, done;
    int64_t found;
    size_t taken; /* from directories */
    bool stopping;
    sci_crew_summary summary;
};

/* ---- lists ---- */

static void append(struct list *list, sci_work *work)
{
    work->next = NULL;
    if (list->last)
        list->last->next = work;
    else
        list->first = work;
    list->last = work;
    list->count++;
}

static sci_work *take_first(struct list *list)
{
    sci_work *work = list->first;
    if (!work)
        return NULL;
    list->first = work->next;
    if (!list->first)
        list->last = NULL;
    list->count--;
    work->next = NULL;
    return work;
}

sci_work *sci_work_new(const char *path)
{
    sci_arena *arena = sci_arena_new();
    sci_work *work = arena ? sci_arena_alloc(arena, 1, sizeof *work) : NULL;
    char *copy = work ? sci_arena_strdup(arena, path) : NULL;
    if (!copy) {
        sci_arena_free(&arena);
        return NULL;
    }
    work->arena = arena;
    work->clip = (sc_clip){
        .path = copy, .container = "", .size_bytes = SC_UNKNOWN, .duration_s = -1};
    return work;
}

void sci_work_free(sci_work **work)
{
    if (!*work)
        return;
    sci_arena *arena = (*work)->arena;
    sci_reading_free(&(*work)->reading);
    *work = NULL;
    sci_arena_free(&arena);
}

static void free_list(struct list *list)
{
    for (sci_work *work; (work = take_first(list));)
        sci_work_free(&work);
}

/* ---- life of the crew ---- */

static void crew_free(sci_crew *crew)
{
    for (size_t i = 0; crew->roots && i < crew->params.path_count; i++)
        sci_arena_free(&crew->roots[i].arena);
    free_list(&crew->queue);
    free_list(&crew->done);
    pthread_cond_destroy(&crew->work);
    pthread_cond_destroy(&crew->room);
    pthread_cond_destroy(&crew->news);
    pthread_mutex_destroy(&crew->lock);
    sci_budget_close(&crew->budget);
    sc_cancel_free(&crew->stop);
    sci_arena_free(&crew->arena);
    free(crew);
}

/* With the lock, which is given back. */
static void release(sci_crew *crew)
{
    bool last = --crew->references == 0;
    pthread_mutex_unlock(&crew->lock);
    if (last)
        crew_free(crew);
}

static bool copy_paths(sci_crew *crew, const sci_crew_params *params)
{
    crew->arena = sci_arena_new();
    if (crew->arena)
        crew->roots = sci_arena_alloc(crew->arena, params->path_count, sizeof *crew->roots);
    for (size_t i = 0; crew->roots && i < params->path_count; i++)
        if (!(crew->roots[i].path = sci_arena_strdup(crew->arena, params->paths[i])))
            return false;
    return crew->roots;
}

static sci_crew *crew_new(const sci_crew_params *params)
{
    sci_crew *crew = calloc(1, sizeof *crew);
    pthread_condattr_t attributes;
    if (!crew)
        return NULL;
    crew->params = *params;
    crew->references = 1;
    crew->open = crew->open_roots = params->path_count;
    sci_budget_open(&crew->budget, POOL_BYTES);
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->work, NULL);
    pthread_cond_init(&crew->room, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&crew->news, &attributes);
    pthread_condattr_destroy(&attributes);
    crew->stop = sc_cancel_create();
    if (crew->stop && copy_paths(crew, params))
        return crew;
    crew_free(crew);
    return NULL;
}

/* ---- with the lock ---- */

static void stop_all(sci_crew *crew)
{
    crew->stopping = true;
    sc_cancel_trigger(crew->stop);
    free_list(&crew->queue);
    pthread_cond_broadcast(&crew->work);
    pthread_cond_broadcast(&crew->room);
    pthread_cond_signal(&crew->news);
}

static void give_up(sci_crew *crew, sc_status status)
{
    if (crew->summary.status == SC_OK)
        crew->summary.status = status;
    stop_all(crew);
}

/* One root or work less to wait for. */
static void close_one(sci_crew *crew)
{
    if (--crew->open == 0)
        pthread_cond_broadcast(&crew->work);
    pthread_cond_signal(&crew->news);
}

static void finish(sci_crew *crew, sci_work *work)
{
    append(&crew->done, work);
    close_one(crew);
}

static void close_root(sci_crew *crew)
{
    if (--crew->open_roots == 0)
        pthread_cond_broadcast(&crew->work);
    close_one(crew);
}

static size_t room_in_lists(const sci_crew *crew)
{
    return (size_t)(crew->params.parallel * QUEUE_PER_THREAD);
}

static void set_detail(struct member *member, const char *path)
{
    sci_copy(member->detail, sizeof member->detail, path);
    member->fraction = member->bytes_per_s = -1;
    member->alive_ns = sci_now_ns();
}

static int64_t busy_ns(const struct member *member)
{
    struct timespec time = {0};
    clock_gettime(member->clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void begin(struct member *member, const char *path, size_t path_index, size_t place)
{
    set_detail(member, path);
    member->working = true;
    member->start_ns = member->alive_ns;
    member->busy_ns = busy_ns(member);
    member->path = path;
    member->path_index = path_index;
    member->place = place;
}

static bool has_to_end(const struct member *member)
{
    return member->left || member->crew->stopping;
}

/* ---- a thread ---- */

static int publish(void *opaque, const sc_progress *progress)
{
    struct member *member = opaque;
    pthread_mutex_lock(&member->crew->lock);
    member->alive_ns = sci_now_ns();
    member->fraction = progress->fraction;
    member->bytes_per_s = progress->bytes_per_s;
    bool end = has_to_end(member);
    pthread_mutex_unlock(&member->crew->lock);
    return end;
}

static void start_control(struct member *member)
{
    const sc_control control = {
        .progress = publish, .progress_opaque = member, .cancel = member->crew->stop};
    sci_control_start(&member->control, &control, "probe");
}

static void unlink_member(struct member *member)
{
    struct member **place = &member->crew->members;
    while (*place != member)
        place = &(*place)->next;
    *place = member->next;
    *(member->scout ? &member->crew->scouts : &member->crew->probers) -= 1;
}

/* With the lock, which is given back. */
static void end_thread(struct member *member)
{
    sci_crew *crew = member->crew;
    if (!member->left)
        unlink_member(member);
    pthread_cond_signal(&crew->news);
    free(member);
    release(crew);
}

static void *scout_main(void *argument);
static void *prober_main(void *argument);

/* With the lock. */
static bool start_thread(sci_crew *crew, bool scout)
{
    struct member *member = calloc(1, sizeof *member);
    if (!member)
        return false;
    member->crew = crew;
    member->share.budget = &crew->budget;
    member->scout = scout;
    if (sci_thread_start(scout ? scout_main : prober_main, member) != 0) {
        free(member);
        return false;
    }
    member->next = crew->members;
    crew->members = member;
    *(scout ? &crew->scouts : &crew->probers) += 1;
    crew->references++;
    return true;
}

/* With the lock: threads for what waits, as many as are wanted and can be had. */
static void call_in(sci_crew *crew)
{
    if (crew->stopping)
        return;
    int roots = (int)(crew->params.path_count - crew->next_root < SCI_PARALLEL_MAX
                          ? crew->params.path_count - crew->next_root
                          : SCI_PARALLEL_MAX);
    for (int i = 0; i < roots && crew->scouts < crew->params.parallel; i++)
        if (!start_thread(crew, true))
            break;
    for (size_t i = (size_t)crew->idle;
         i < crew->queue.count && crew->probers < crew->params.parallel; i++)
        if (!start_thread(crew, false))
            break;
    bool lame = (crew->queue.count && !crew->probers) || (roots && !crew->scouts);
    if (lame)
        give_up(crew, SC_NO_MEMORY);
}

/* ---- looking for files ---- */

/* With the lock: wait until there is room; false when there will be none. */
static bool wait_for_room(struct member *member)
{
    sci_crew *crew = member->crew;
    member->waiting = true;
    while (!has_to_end(member) && crew->queue.count >= room_in_lists(crew))
        pthread_cond_wait(&crew->room, &crew->lock);
    member->waiting = false;
    member->alive_ns = sci_now_ns();
    return !has_to_end(member);
}

static sc_status enqueue(struct member *member, sci_work *work)
{
    sci_crew *crew = member->crew;
    sc_status status = SC_CANCELLED;
    pthread_mutex_lock(&crew->lock);
    if (wait_for_room(member)) {
        bool full = !work->named && crew->taken >= (size_t)crew->params.max_files;
        crew->summary.full = crew->summary.full || full;
        status = full ? SC_LIMIT : SC_OK;
    }
    if (status == SC_OK) {
        crew->taken += !work->named;
        crew->found++;
        crew->open++;
        work->path_index = member->path_index;
        work->place = crew->roots[member->path_index].places++;
        append(&crew->queue, work);
        call_in(crew);
        pthread_cond_signal(&crew->work);
    }
    pthread_mutex_unlock(&crew->lock);
    return status;
}

static sc_status offer(struct member *member, const char *path, bool named)
{
    sci_work *work = sci_work_new(path);
    if (!work)
        return SC_NO_MEMORY;
    work->named = named;
    sc_status status = enqueue(member, work);
    if (status != SC_OK)
        sci_work_free(&work);
    return status;
}

static sc_status take_file(void *opaque, const char *path)
{
    return offer(opaque, path, false);
}

static sci_work *sequence_work(const char *directory, const sci_numbered *frames)
{
    sci_work *work = sci_work_new("");
    const sci_sequence *sequence = work ? sci_sequence_copy(directory, frames, work->arena) : NULL;
    const char *path = sequence ? sci_sequence_path(sequence, work->arena) : NULL;
    if (work && !path)
        sci_work_free(&work);
    if (work) {
        work->sequence = sequence;
        work->clip.path = path;
    }
    return work;
}

static sc_status offer_sequence(struct member *member, const char *directory,
                                const sci_numbered *frames, bool named)
{
    sci_work *work = sequence_work(directory, frames);
    if (!work)
        return SC_NO_MEMORY;
    work->named = named;
    sc_status status = enqueue(member, work);
    if (status != SC_OK)
        sci_work_free(&work);
    return status;
}

static sc_status take_sequence(void *opaque, const char *directory, const sci_numbered *frames)
{
    return offer_sequence(opaque, directory, frames, false);
}

static sc_status take_named_sequence(void *opaque, const char *directory,
                                     const sci_numbered *frames)
{
    return offer_sequence(opaque, directory, frames, true);
}

static void enter_directory(void *opaque, const char *path)
{
    struct member *member = opaque;
    pthread_mutex_lock(&member->crew->lock);
    set_detail(member, path);
    pthread_mutex_unlock(&member->crew->lock);
}

/* What could not be searched is named in the place of its files. */
static sc_status offer_failure(struct member *member, const char *path, const sc_error *error)
{
    sci_crew *crew = member->crew;
    sci_work *work = sci_work_new(path);
    if (!work)
        return SC_NO_MEMORY;
    work->named = true;
    work->clip.error = *error;
    pthread_mutex_lock(&crew->lock);
    bool end = has_to_end(member);
    if (!end) {
        work->path_index = member->path_index;
        work->place = crew->roots[member->path_index].places++;
        crew->found++;
        crew->open++;
        finish(crew, work);
    }
    pthread_mutex_unlock(&crew->lock);
    if (end)
        sci_work_free(&work);
    return end ? SC_CANCELLED : SC_OK;
}

static void keep_findings(struct member *member, const sci_walk *walk, sci_arena **arena)
{
    sci_crew *crew = member->crew;
    pthread_mutex_lock(&crew->lock);
    if (!member->left) {
        struct root *root = &crew->roots[member->path_index];
        root->directory = true;
        root->arena = *arena;
        root->findings = *walk->findings;
        crew->summary.sidecars += walk->sidecars;
        *arena = NULL;
    }
    pthread_mutex_unlock(&crew->lock);
    sci_arena_free(arena);
}

static sc_status search(struct member *member, const char *path, bool pattern)
{
    sc_error error = {0};
    sci_arena *arena = sci_arena_new();
    sci_findings findings = {.arena = arena};
    sci_walk walk = {.findings = &findings,
                     .control = &member->control,
                     .max_depth = member->crew->params.max_depth,
                     .enter = enter_directory,
                     .take = take_file,
                     .take_sequence = pattern ? take_named_sequence : take_sequence,
                     .opaque = member};
    if (!arena)
        return SC_NO_MEMORY;
    sc_status status = pattern ? sci_walk_pattern(&walk, path, &error)
                               : sci_walk_directory(&walk, path, &error);
    if (status != SC_OK && status != SC_CANCELLED && status != SC_NO_MEMORY)
        status = offer_failure(member, path, &error);
    if (findings.no_memory)
        status = SC_NO_MEMORY;
    keep_findings(member, &walk, &arena);
    return status;
}

static sc_status look_at(struct member *member, const char *path)
{
    struct stat facts;
    const bool there = stat(path, &facts) == 0, missing = !there && errno == ENOENT;
    if (there && S_ISDIR(facts.st_mode))
        return search(member, path, false);
    if (missing && sci_walk_is_pattern(path))
        return search(member, path, true);
    return offer(member, path, true);
}

static void *scout_main(void *argument)
{
    struct member *member = argument;
    sci_crew *crew = member->crew;
    start_control(member);
    pthread_getcpuclockid(pthread_self(), &member->clock);
    pthread_mutex_lock(&crew->lock);
    while (!has_to_end(member) && crew->next_root < crew->params.path_count) {
        size_t i = crew->next_root++;
        begin(member, crew->roots[i].path, i, 0);
        pthread_mutex_unlock(&crew->lock);
        sc_status status = look_at(member, crew->roots[i].path);
        pthread_mutex_lock(&crew->lock);
        member->working = false;
        if (member->left)
            break;
        close_root(crew);
        if (status == SC_NO_MEMORY)
            give_up(crew, status);
    }
    end_thread(member);
    return NULL;
}

/* ---- probing ---- */

/* With the lock. NULL when there is no more. */
static sci_work *next_work(struct member *member)
{
    sci_crew *crew = member->crew;
    while (!has_to_end(member) && (crew->queue.count || crew->open_roots)) {
        if (crew->queue.count && crew->done.count < room_in_lists(crew)) {
            pthread_cond_signal(&crew->room);
            return take_first(&crew->queue);
        }
        crew->idle++;
        pthread_cond_wait(&crew->work, &crew->lock);
        crew->idle--;
    }
    return NULL;
}

static sc_status read_and_measure(struct member *member, sci_work *work)
{
    const bool as_one = member->crew->params.as_one;
    sci_media_limits limits = member->crew->params.limits;
    limits.share = &member->share;
    sc_status status = work->sequence
                           ? sci_sequence_read(&work->clip, work->sequence, limits,
                                               &member->control, work->arena, &work->reading)
                           : sci_clip_read(&work->clip, work->clip.path, limits, &member->control,
                                           work->arena, &work->reading);
    if (status == SC_OK && !as_one)
        status = sci_clip_measure(&work->clip, &work->reading, work->arena);
    if (!as_one)
        sci_reading_free(&work->reading);
    work->reading.file.share = NULL;
    sci_share_end(&member->share);
    return status;
}

/* With the lock, which is given back meanwhile. */
static void probe(struct member *member, sci_work *work)
{
    sci_crew *crew = member->crew;
    begin(member, work->clip.path, work->path_index, work->place);
    pthread_mutex_unlock(&crew->lock);
    sc_status status = read_and_measure(member, work);
    pthread_mutex_lock(&crew->lock);
    member->working = false;
    bool lost = member->left || status == SC_CANCELLED;
    if (!lost) {
        crew->silent_in_row = 0;
        finish(crew, work);
    } else {
        sci_work_free(&work);
    }
    if (lost && !member->left)
        close_one(crew);
}

static void *prober_main(void *argument)
{
    struct member *member = argument;
    start_control(member);
    pthread_getcpuclockid(pthread_self(), &member->clock);
    pthread_mutex_lock(&member->crew->lock);
    for (sci_work *work; (work = next_work(member));)
        probe(member, work);
    end_thread(member);
    return NULL;
}

/* ---- the caller's side ---- */

sci_crew *sci_crew_start(const sci_crew_params *params)
{
    sci_crew *crew = crew_new(params);
    if (!crew)
        return NULL;
    pthread_mutex_lock(&crew->lock);
    call_in(crew);
    pthread_mutex_unlock(&crew->lock);
    return crew;
}

static void wait_for_news(sci_crew *crew, int64_t wait_ns)
{
    int64_t end_ns = sci_now_ns() + wait_ns;
    const struct timespec end = {end_ns / 1000000000, end_ns % 1000000000};
    pthread_cond_timedwait(&crew->news, &crew->lock, &end);
}

sci_work *sci_crew_next(sci_crew *crew, int64_t wait_ns)
{
    pthread_mutex_lock(&crew->lock);
    bool more = crew->stopping ? crew->members != NULL : crew->open > 0;
    if (!crew->done.count && more)
        wait_for_news(crew, wait_ns);
    sci_work *work = take_first(&crew->done);
    if (work)
        pthread_cond_signal(&crew->work);
    pthread_mutex_unlock(&crew->lock);
    return work;
}

bool sci_crew_busy(sci_crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    bool busy = crew->done.count || (crew->open && !crew->stopping);
    pthread_mutex_unlock(&crew->lock);
    return busy;
}

bool sci_crew_working(sci_crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    bool working = crew->members != NULL;
    pthread_mutex_unlock(&crew->lock);
    return working;
}

void sci_crew_stop(sci_crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    stop_all(crew);
    pthread_mutex_unlock(&crew->lock);
}

void sci_crew_leave(sci_crew **crew_pointer)
{
    sci_crew *crew = *crew_pointer;
    *crew_pointer = NULL;
    if (!crew)
        return;
    pthread_mutex_lock(&crew->lock);
    stop_all(crew);
    for (struct member *member = crew->members; member; member = member->next)
        member->left = true;
    crew->members = NULL;
    release(crew);
}

/* ---- what does not answer ---- */

/* Waits for storage: no sign of life, and most of that time cannot have gone into work. */
static bool is_silent(const struct member *member, double stall_s)
{
    const double silent_s = sci_seconds_since(member->alive_ns);
    return stall_s > 0 && member->working && !member->waiting && silent_s > stall_s &&
           (double)(busy_ns(member) - member->busy_ns) / 1e9 < silent_s / 2;
}

/* Reading polls, and so does working on what was read, which has as many seconds again. */
static bool is_lost(const struct member *member, double limit_s)
{
    double silent_s = sci_seconds_since(member->alive_ns);
    if (limit_s < 0)
        return false;
    double elapsed_s = sci_seconds_since(member->scout ? member->alive_ns : member->start_ns) -
                       (double)sci_share_waited_ns(&member->share) / 1e9;
    return member->working && !member->waiting && silent_s > GRACE_S &&
           elapsed_s > limit_s + GRACE_S;
}

/* A thread that waits for storage uses no processor time. */
static void say_why(const struct member *member, double limit_s, sc_error *error)
{
    double elapsed_s = sci_seconds_since(member->start_ns);
    bool busy = (double)(busy_ns(member) - member->busy_ns) / 1e9 > elapsed_s / 20;
    if (busy)
        sci_fail(error, SC_LIMIT, 0, "probe", member->detail,
                 "still busy with its header after %.3g s, the limit of time, without reading: it "
                 "is damaged, or max_seconds (--max-seconds) has to be raised",
                 limit_s);
    else
        sci_fail(
            error, SC_STALLED, 0, "probe", member->detail,
            "the storage does not answer: nothing came back for %.0f s (limits are max_seconds "
            "and stall_s, --max-seconds and --stall); is the server or disk still there",
            sci_seconds_since(member->alive_ns));
}

static void replace_work(struct member *member, double limit_s)
{
    sci_crew *crew = member->crew;
    sci_work *work = sci_work_new(member->path);
    if (!work) {
        give_up(crew, SC_NO_MEMORY);
        return;
    }
    work->named = true;
    work->path_index = member->path_index;
    work->place = member->place;
    say_why(member, limit_s, &work->clip.error);
    if (member->scout) {
        work->place = crew->roots[member->path_index].places++;
        crew->found++;
        crew->open++;
        close_root(crew);
    }
    finish(crew, work);
}

static void leave_behind(struct member *member, double limit_s)
{
    sci_crew *crew = member->crew;
    replace_work(member, limit_s);
    unlink_member(member);
    sci_share_lose(&member->share);
    member->left = true;
    if (++crew->left_behind > LEFT_MOST || crew->silent_in_row >= (size_t)crew->params.parallel)
        give_up(crew, SC_STALLED);
    call_in(crew);
}

void sci_crew_watch(sci_crew *crew)
{
    const double limit_s = crew->params.limits.max_seconds, stall_s = crew->params.stall_s;
    pthread_mutex_lock(&crew->lock);
    for (struct member *member = crew->members, *next; member && !crew->stopping; member = next) {
        next = member->next;
        const bool silent = is_silent(member, stall_s);
        crew->silent_in_row += silent;
        if (silent || is_lost(member, limit_s))
            leave_behind(member, limit_s);
    }
    pthread_mutex_unlock(&crew->lock);
}

/* ---- how far it is ---- */

static bool is_older(const struct member *member, const struct member *best)
{
    if (!best || member->scout != best->scout)
        return !best || best->scout;
    return member->start_ns < best->start_ns;
}

void sci_crew_look(sci_crew *crew, sci_crew_state *state)
{
    const struct member *oldest = NULL;
    *state = (sci_crew_state){.fraction = -1, .bytes_per_s = -1};
    pthread_mutex_lock(&crew->lock);
    for (const struct member *member = crew->members; member; member = member->next) {
        if (member->working && is_older(member, oldest))
            oldest = member;
        if (member->working && member->bytes_per_s > 0)
            state->bytes_per_s = member->bytes_per_s + fmax(state->bytes_per_s, 0);
    }
    /* Who looks for files is ahead of those that probe them. */
    bool between = crew->queue.first && (!oldest || oldest->scout);
    if (oldest && !between)
        state->fraction = oldest->fraction;
    if (oldest || between)
        sci_copy(state->detail, sizeof state->detail,
                 between ? crew->queue.first->clip.path : oldest->detail);
    state->found = crew->found;
    state->all_found = crew->open_roots == 0;
    pthread_mutex_unlock(&crew->lock);
}

void sci_crew_summary_of(sci_crew *crew, sci_crew_summary *summary)
{
    pthread_mutex_lock(&crew->lock);
    *summary = crew->summary;
    pthread_mutex_unlock(&crew->lock);
}

bool sci_crew_take_findings(sci_crew *crew, size_t path_index, sci_findings *list)
{
    struct root *root = &crew->roots[path_index];
    pthread_mutex_lock(&crew->lock);
    bool directory = root->directory;
    for (size_t i = 0; i < root->findings.count; i++)
        sci_finding_add(list, root->findings.items[i].code, root->findings.items[i].severity, "%s",
                        root->findings.items[i].message);
    root->findings = (sci_findings){0};
    sci_arena_free(&root->arena);
    pthread_mutex_unlock(&crew->lock);
    return directory;
}
