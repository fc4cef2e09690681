#include "play/session.h"

#include "io/noise.h"
#include "io/watchdog.h"
#include "measure/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double USUAL_SECONDS = 20, USUAL_TRIAL_S = 6, MOST_READ_AHEAD_S = 4;
static const double STAGGER_MOST_S = 1;

static const sci_name start_names[] = {{SC_START_STAGGERED, "staggered"},
                                       {SC_START_ALIGNED, "aligned"}};

const char *sc_play_start_name(sc_play_start start)
{
    const char *name = sci_name_of(start_names, SCI_COUNT(start_names), (int)start);
    return name ? name : "staggered";
}

/* ---- parameters ---- */

static int64_t all_streams(const sc_play_params *params)
{
    int64_t all = 0;
    for (size_t i = 0; i < params->item_count; i++)
        all += params->items[i].streams;
    return all;
}

static sc_status refuse(const char *path, const char *what, sc_error *error)
{
    return sci_fail(error, SC_INVALID_ARGUMENT, 0, "play", path, "%s", what);
}

static sc_status check_items(const char *path, const sc_play_params *params, sc_error *error)
{
    if (!params->items || params->item_count == 0)
        return refuse(path, "there is nothing to play: name a clip or a format", error);
    for (size_t i = 0; i < params->item_count; i++) {
        const sc_play_item *item = &params->items[i];
        if (!item->demand || item->demand->bits_per_s <= 0)
            return refuse(path, "a stream to be played has no rate", error);
        if (!sci_frames_are_sound(item->frames))
            return refuse(path, "the frames of a clip must ascend in time and hold bytes", error);
        if (item->frames && item->frames->pattern && !sci_pictures_are_sound(item->frames))
            return refuse(path, "the frames of a sequence need a pattern with one %d, and numbers",
                          error);
        if (item->streams < 0 || item->streams > SCI_PLAY_STREAMS_MAX)
            return refuse(path, "the streams of a format must be 0 to 256", error);
    }
    return SC_OK;
}

static sc_status check(const char *path, const sc_play_params *params, bool search, sc_error *error)
{
    const int64_t streams = all_streams(params);
    if (!(params->seconds >= 1 && params->seconds <= 86400))
        return refuse(path, "seconds must be 1 to 86400", error);
    if (!(params->trial_s >= 1 && params->trial_s <= 86400))
        return refuse(path, "the seconds of a trial must be 1 to 86400", error);
    if (!(params->stall_s >= SCI_STALL_LEAST_S && params->stall_s <= SCI_STALL_MOST_S))
        return refuse(path, "stall_s must be 0.05 to 86400", error);
    if (params->max_streams < 1 || params->max_streams > SCI_PLAY_STREAMS_MAX)
        return refuse(path, "the most streams must be 1 to 256", error);
    if (params->start != SC_START_STAGGERED && params->start != SC_START_ALIGNED)
        return refuse(path, "streams start staggered or aligned", error);
    if (params->cache < SC_CACHE_AUTO || params->cache > SC_CACHE_WARM)
        return refuse(path, "the cache mode is not known", error);
    if (search && params->vary >= params->item_count)
        return refuse(path, "the item to be varied is not there", error);
    if ((streams < 1 && !search) || streams > params->max_streams)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "play", path,
                        "%lld streams cannot be played: 1 to %d can", (long long)streams,
                        (int)params->max_streams);
    return SC_OK;
}

static sc_status resolve(sci_session *session, const sc_play_params *given, bool search,
                         sc_error *error)
{
    sc_play_params *params = &session->params;
    sc_status status = check_items(session->path, given, error);
    if (status != SC_OK)
        return status;
    *params = *given;
    status = sc_player_resolve(&params->player, error);
    if (status == SC_OK)
        status = sci_check_cache(session->path, &params->player, params->cache, error);
    if (status != SC_OK)
        return status;
    if (params->seconds == 0)
        params->seconds = USUAL_SECONDS;
    if (params->trial_s == 0)
        params->trial_s = USUAL_TRIAL_S + fmin(params->player.read_ahead_s, MOST_READ_AHEAD_S);
    if (params->stall_s == 0)
        params->stall_s = SCI_STALL_S;
    if (params->max_streams == 0)
        params->max_streams = SCI_PLAY_STREAMS_MAX;
    return check(session->path, params, search, error);
}

/* ---- one run ---- */

/* How many streams of each item. */
static int32_t count_of(const sci_session *session, size_t item, int32_t varied)
{
    const bool vary = varied != SCI_AS_GIVEN && item == session->params.vary;
    return vary ? varied : session->params.items[item].streams;
}

static int32_t streams_of(const sci_session *session, int32_t varied)
{
    int32_t streams = 0;
    for (size_t i = 0; i < session->params.item_count; i++)
        streams += count_of(session, i, varied);
    return streams;
}

/* 0 where streams are not of one kind. */
static int64_t common_bits_per_s(const sci_session *session, int32_t varied)
{
    const sc_play_item *items = session->params.items;
    int64_t bits_per_s = 0;
    for (size_t i = 0; i < session->params.item_count; i++) {
        if (count_of(session, i, varied) == 0)
            continue;
        if (bits_per_s)
            return 0;
        bits_per_s = items[i].demand->bits_per_s;
    }
    return bits_per_s;
}

/* As far as the way of reading shows. */
static bool was_read_cold(const sci_preparation *prep)
{
    return prep->way.proven && !prep->facts.shown.memory && prep->facts.shown.cache_below != 1;
}

/* Direct reads of a frame are rounded up to sectors. */
static int64_t largest_read(const sc_player *player, const sci_script *script)
{
    const int64_t sector = 4096;
    return player->mode == SC_READ_FRAME
               ? (script->largest_bytes + sector - 1) / sector * sector + sector
               : player->block_bytes;
}

/* What does not fit in any case is told where it is played. */
static int32_t streams_that_fit(const sci_session *session)
{
    const sc_player *player = &session->params.player;
    int64_t largest = 0;
    int32_t streams = session->params.max_streams;
    for (size_t i = 0; i < session->params.item_count; i++) {
        const int64_t bytes = largest_read(player, session->scripts[i]);
        largest = bytes > largest ? bytes : largest;
    }
    while (streams > 1 &&
           !sci_readers_fit(streams, player->in_flight, largest, sci_dataset_align(session->data)))
        streams--;
    return streams;
}

/* Any frame; streams of one sequence are as far apart as they can be, so that none finds what
   another one has read. */
static size_t first_frame(const sci_session *session, size_t item, int32_t number, int32_t count,
                          uint64_t drawn)
{
    const uint64_t frames = session->scripts[item]->count;
    const uint64_t apart = (uint64_t)number * frames / (uint64_t)count;
    return (size_t)(session->pictures[item] ? (drawn % frames + apart) % frames : drawn % frames);
}

static void set_stream(const sci_session *session, size_t item, int32_t number, int32_t count,
                       size_t first, sci_trial_stream *stream)
{
    const sc_play_params *params = &session->params;
    const sc_demand *demand = params->items[item].demand;
    sci_script *script = session->scripts[item];
    const double block_s = (double)params->player.block_bytes * 8 / (double)demand->bits_per_s;
    const double apart_s = params->start == SC_START_ALIGNED
                               ? 0
                               : fmin(STAGGER_MOST_S, block_s) / (double)count;
    *stream = (sci_trial_stream){
        .place = {script, first},
        .buffer_bytes = sc_player_buffer_bytes(&params->player, demand->bits_per_s,
                                               demand->largest_frame_bytes),
        .largest_read_bytes = largest_read(&params->player, script),
        .start_s = apart_s * (double)number};
}

static void set_streams(const sci_session *session, int32_t varied, sci_outcome *outcome)
{
    uint64_t random = sci_noise_state(session->params.seed);
    int32_t number = 0;
    for (size_t i = 0; i < session->params.item_count; i++) {
        const int32_t count = count_of(session, i, varied);
        uint64_t drawn = 0;
        for (int32_t k = 0; k < count; k++, number++) {
            if (k == 0 || !session->pictures[i])
                drawn = sci_noise_next(&random);
            outcome->items[number] = i;
            set_stream(session, i, number, outcome->count, first_frame(session, i, k, count, drawn),
                       &outcome->streams[number]);
        }
    }
}

static bool is_sustained(const sci_session *session, const sci_outcome *outcome, int32_t i)
{
    const double end_s = outcome->streams[i].start_s + session->params.player.preroll_s +
                         outcome->trial.seconds;
    return sci_score_is_sustained(&outcome->scores[i], end_s, session->params.player.read_ahead_s);
}

static void add_up(const sci_session *session, sci_outcome *outcome)
{
    sc_paced_run *trial = &outcome->trial;
    trial->min_buffer_s = INFINITY;
    trial->lead_slope = INFINITY; /* there is one stream at least */
    trial->sustained = trial->failed_reads == 0;
    for (int32_t i = 0; i < outcome->count; i++) {
        const sci_pacer_score *score = &outcome->scores[i];
        trial->frames += score->frames;
        trial->late_frames += score->late_frames;
        trial->worst_lateness_s = fmax(trial->worst_lateness_s, score->worst_lateness_s);
        trial->min_buffer_s = fmin(trial->min_buffer_s, score->least_lead_s);
        trial->lead_slope = fmin(trial->lead_slope, sci_lead_slope(&score->lead));
        trial->sustained = trial->sustained && is_sustained(session, outcome, i);
    }
    if (trial->frames == 0)
        trial->min_buffer_s = 0;
}

/* Regions of the storage's files, or for sequences their own files. */
static bool open_source(const sci_session *session, const sci_outcome *outcome,
                        sci_read_source *source)
{
    sci_pictures_stream streams[SCI_PLAY_STREAMS_MAX];
    sci_read_source regions;
    bool some = false;
    for (int32_t i = 0; i < outcome->count; i++) {
        streams[i] = (sci_pictures_stream){session->pictures[outcome->items[i]],
                                           outcome->streams[i].place.first};
        some = some || streams[i].pictures;
    }
    if (!sci_dataset_lanes(session->data, outcome->count, some ? &regions : source))
        return false;
    return !some || sci_pictures_source(streams, outcome->count, &regions, source);
}

static bool is_cold(const sci_session *session)
{
    bool cold = was_read_cold(session->prep) && sci_dataset_look(session->data).cold;
    for (size_t i = 0; i < session->params.item_count; i++)
        if (session->pictures[i] && sci_pictures_look(session->pictures[i]).opened > 0)
            cold = cold && sci_pictures_look(session->pictures[i]).cold;
    return cold;
}

static sc_status keep_trial(sci_session *session, const sc_paced_run *trial, sc_error *error)
{
    sc_playback *playback = session->playback;
    if (playback->trial_count == session->capacity) {
        const size_t room = session->capacity ? session->capacity * 2 : 16;
        sc_paced_run *grown = sci_arena_alloc(sci_result_arena(playback), room, sizeof *grown);
        if (!grown)
            return sci_fail(error, SC_NO_MEMORY, 0, "play", session->path, "out of memory");
        if (playback->trial_count)
            memcpy(grown, session->trials, playback->trial_count * sizeof *grown);
        playback->trials = session->trials = grown;
        session->capacity = room;
    }
    session->trials[playback->trial_count++] = *trial;
    return SC_OK;
}

sc_status sci_session_play(sci_session *session, int32_t varied, double seconds,
                           sci_outcome *outcome, sc_error *error)
{
    const sc_play_params *params = &session->params;
    *outcome = (sci_outcome){.count = streams_of(session, varied)};
    outcome->trial = (sc_paced_run){.streams = outcome->count,
                                    .bits_per_s = common_bits_per_s(session, varied),
                                    .seconds = seconds};
    set_streams(session, varied, outcome);
    const sci_trial_params wanted = {.path = session->path,
                                     .player = params->player,
                                     .streams = outcome->streams,
                                     .count = outcome->count,
                                     .seconds = seconds,
                                     .stall_s = params->stall_s};
    sci_read_source source;
    sci_trial_outcome ran = {.scores = outcome->scores};
    sc_status status = sci_dataset_drop_guarded(session->data, session->path, params->stall_s,
                                                &session->control, 0, error);
    if (status == SC_OK && !open_source(session, outcome, &source))
        status = sci_fail(error, SC_NO_MEMORY, 0, "play", session->path, "out of memory");
    if (status == SC_OK)
        status = sci_trial_run(&wanted, &source, &session->control, &ran, error);
    if (status != SC_OK)
        return status;
    outcome->trial.failed_reads = sci_faults_count(&ran.faults);
    outcome->trial.jitter = ran.jitter;
    outcome->trial.reads = ran.reads;
    if (outcome->trial.failed_reads > 0)
        sci_error_keep(&session->first_fault, sci_faults_first(&ran.faults));
    add_up(session, outcome);
    outcome->trial.cold = is_cold(session);
    session->playback->cold = session->playback->cold && outcome->trial.cold;
    return keep_trial(session, &outcome->trial, error);
}

/* ---- the result ---- */

sc_status sci_session_report(sci_session *session, const sci_outcome *outcome, sc_error *error)
{
    sci_arena *arena = sci_result_arena(session->playback);
    const size_t count = (size_t)outcome->count;
    sc_play_stream *streams = sci_arena_alloc(arena, count + 1, sizeof *streams);
    if (!streams)
        return sci_fail(error, SC_NO_MEMORY, 0, "play", session->path, "out of memory");
    for (int32_t i = 0; i < outcome->count; i++) {
        const sc_demand *demand = session->params.items[outcome->items[i]].demand;
        const sci_pacer_score *score = &outcome->scores[i];
        streams[i] = (sc_play_stream){
            .format = sci_arena_strdup(arena, demand->name),
            .path = sci_arena_strdup(arena, demand->clip ? demand->clip : ""),
            .frames = score->frames,
            .late_frames = score->late_frames,
            .stalls = score->stalls,
            .worst_lateness_s = score->worst_lateness_s,
            .min_buffer_s = score->frames ? score->least_lead_s : 0,
            .lead_slope = sci_lead_slope(&score->lead),
            .file_a_frame = session->pictures[outcome->items[i]] != NULL,
            .sustained = is_sustained(session, outcome, i)};
        if (!streams[i].format || !streams[i].path)
            return sci_fail(error, SC_NO_MEMORY, 0, "play", session->path, "out of memory");
    }
    session->playback->streams = streams;
    session->playback->stream_count = count;
    session->playback->late_frames = outcome->trial.late_frames;
    session->playback->sustained = outcome->trial.sustained;
    return SC_OK;
}

/* ---- a call ---- */

/* Regions are cut for so many. */
static int32_t readers_for(const sc_play_params *params, bool search)
{
    const int32_t usual = 64, streams = (int32_t)all_streams(params);
    const int32_t wanted = !search ? streams : streams * 2 > usual ? streams * 2 : usual;
    return wanted < params->max_streams ? wanted : params->max_streams;
}

/* Sequences that lie on the storage are read file by file. */
static sc_status open_pictures(sci_session *session, sc_error *error)
{
    sc_status status = SC_OK;
    for (size_t i = 0; i < session->params.item_count && status == SC_OK; i++) {
        const sc_frames *frames = session->params.items[i].frames;
        bool here = false;
        if (!frames || !frames->pattern)
            continue;
        session->pictures[i] = sci_pictures_new(frames);
        if (!session->pictures[i])
            return sci_fail(error, SC_NO_MEMORY, 0, "play", session->path, "out of memory");
        status = sci_pictures_find(session->pictures[i], session->path, session->params.stall_s,
                                   &session->control, &here, error);
        if (status == SC_OK && here)
            sci_pictures_use(session->pictures[i], &session->prep->way);
        else
            sci_pictures_release(&session->pictures[i]);
    }
    return status;
}

static sc_status open_storage(sci_session *session, bool search, sc_error *error)
{
    const sc_play_params *params = &session->params;
    const sci_prepare_params wanted = {.path = session->path,
                                       .player = params->player,
                                       .max_readers = readers_for(params, search),
                                       .cache = params->cache,
                                       .stall_s = params->stall_s};
    session->scripts = calloc(params->item_count, sizeof *session->scripts);
    session->pictures = calloc(params->item_count, sizeof *session->pictures);
    bool memory = session->scripts && session->pictures;
    for (size_t i = 0; memory && i < params->item_count; i++)
        memory = (session->scripts[i] = sci_script_new(params->items[i].demand,
                                                       params->items[i].frames));
    if (!memory)
        return sci_fail(error, SC_NO_MEMORY, 0, "play", session->path, "out of memory");
    sc_status status = sci_prepare(&wanted, &session->control, &session->prep, error);
    if (status == SC_OK)
        status = open_pictures(session, error);
    if (status != SC_OK)
        return status;
    session->data = sci_dataset_new(&session->prep->extents, &session->prep->way);
    session->playback = sci_result_new(sizeof *session->playback);
    if (!session->data || !session->playback)
        return sci_fail(error, SC_NO_MEMORY, 0, "play", session->path, "out of memory");
    session->most_streams = streams_that_fit(session);
    sc_playback *playback = session->playback;
    session->findings.arena = sci_result_arena(playback);
    sc_time_now(playback->made_at);
    playback->path = sci_arena_strdup(sci_result_arena(playback), session->path);
    playback->player = params->player;
    playback->cache_requested = params->cache;
    playback->cache_effective = session->prep->way.mode;
    playback->cold = was_read_cold(session->prep);
    playback->largest_sustained = SC_UNKNOWN;
    return playback->path
               ? SC_OK
               : sci_fail(error, SC_NO_MEMORY, 0, "play", session->path, "out of memory");
}

sc_status sci_session_open(sci_session *session, const char *path, const sc_play_params *params,
                           bool search, sc_error *error)
{
    session->path = path;
    if (!path || !*path || !params)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "play", path,
                        "no path, no parameters or no place for the result");
    sc_status status = resolve(session, params, search, error);
    if (status != SC_OK)
        return status;
    sci_control_start(&session->control, &params->control, "play");
    return open_storage(session, search, error);
}

sc_playback *sci_session_result(sci_session *session, const sc_error *fault)
{
    sc_playback *playback = session->playback;
    if (!playback || playback->trial_count == 0)
        return NULL;
    sci_session_review(session);
    playback->findings = session->findings.items;
    playback->finding_count = session->findings.count;
    playback->error = *fault;
    session->playback = NULL;
    return playback;
}

void sci_session_close(sci_session *session)
{
    for (size_t i = 0; session->scripts && i < session->params.item_count; i++)
        sci_script_release(&session->scripts[i]);
    free(session->scripts);
    for (size_t i = 0; session->pictures && i < session->params.item_count; i++)
        sci_pictures_release(&session->pictures[i]);
    free(session->pictures);
    sci_dataset_release(&session->data);
    sci_preparation_free(&session->prep);
    sci_result_free(&session->playback);
}
