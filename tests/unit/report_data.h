/* Results with seeded random content, and their comparison member by member. Written by hand, not
   from the tables of fields: a member that a table forgot is found here. */
#ifndef REPORT_DATA_H
#define REPORT_DATA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <streamcalc/report.h>

#include "core/core.h"
#include "measure/scrub.h"
#include "test.h"

struct dice {
    uint64_t state;
    sci_arena *arena;
};

static inline uint64_t roll(struct dice *dice, uint64_t below)
{
    dice->state ^= dice->state << 13;
    dice->state ^= dice->state >> 7;
    dice->state ^= dice->state << 17;
    return dice->state % below;
}

static inline int64_t any_count(struct dice *dice)
{
    return roll(dice, 5) == 0 ? SC_UNKNOWN : (int64_t)roll(dice, 1000000000000000000);
}

/* Not rounded to what a person would write: every bit of the mantissa counts. */
static inline double any_real(struct dice *dice)
{
    return (double)roll(dice, UINT64_MAX) / (double)(1 + roll(dice, UINT64_C(1) << 60));
}

static inline double any_time(struct dice *dice)
{
    return roll(dice, 5) == 0 ? -1 : any_real(dice);
}

static inline bool any_bool(struct dice *dice)
{
    return roll(dice, 2);
}

static inline const char *any_text(struct dice *dice)
{
    static const char *const texts[] = {"",
                                        "plain",
                                        "two words",
                                        "quote \" backslash \\ slash /",
                                        "line\nend\ttab\x01\x1F\x7F",
                                        "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x8E\xAC",
                                        "</script>",
                                        "100 %s %n"};
    return texts[roll(dice, SCI_COUNT(texts))];
}

static inline void any_chars(struct dice *dice, char *buffer, size_t size)
{
    sci_copy(buffer, size, any_text(dice));
}

static inline sc_source any_source(struct dice *dice)
{
    return (sc_source)roll(dice, SC_SOURCE_ESTIMATED + 1);
}

static inline sc_rational any_ratio(struct dice *dice)
{
    if (roll(dice, 4) == 0)
        return (sc_rational){0, 0};
    return (sc_rational){1 + (int64_t)roll(dice, 100000), 1 + (int64_t)roll(dice, 2000)};
}

static inline void any_error(struct dice *dice, sc_error *error)
{
    error->status = (sc_status)(-1 - (int)roll(dice, 11));
    error->os_errno = (int)roll(dice, 100);
    any_chars(dice, error->where, sizeof error->where);
    any_chars(dice, error->message, sizeof error->message);
    any_chars(dice, error->path, sizeof error->path);
}

static inline const sc_finding *any_findings(struct dice *dice, size_t *count)
{
    *count = roll(dice, 4);
    sc_finding *findings = *count ? sci_arena_alloc(dice->arena, *count, sizeof *findings) : NULL;
    for (size_t i = 0; i < *count; i++)
        findings[i] = (sc_finding){any_text(dice), (sc_severity)roll(dice, 3), any_text(dice)};
    return findings;
}

static inline sc_player any_player(struct dice *dice)
{
    sc_player player = {.block_bytes = (int64_t)roll(dice, 1 << 30),
                        .in_flight = (int32_t)roll(dice, 257),
                        .read_ahead_s = (double)roll(dice, 3600000) / 1000,
                        .preroll_s = (double)roll(dice, 1000000) / 999983,
                        .mode = (sc_read_mode)roll(dice, 2),
                        .buffer_cap_bytes = (int64_t)roll(dice, 2) * 8388608,
                        .io = (sc_io)roll(dice, 3)};
    any_chars(dice, player.name, sizeof player.name);
    return player;
}

static inline const int64_t *any_bytes(struct dice *dice, size_t count)
{
    int64_t *bytes = count ? sci_arena_alloc(dice->arena, count, sizeof *bytes) : NULL;
    for (size_t i = 0; i < count; i++)
        bytes[i] = (int64_t)roll(dice, 100000000);
    return bytes;
}

static inline void any_windows(struct dice *dice, double *window_s, int32_t count)
{
    double at = 0;
    for (int32_t i = 0; i < count; i++)
        window_s[i] = at += 0.001 + (double)roll(dice, 1000003) / 1000000;
}

/* ---- probe ---- */

static inline sc_track any_track(struct dice *dice)
{
    return (sc_track){.kind = (sc_track_kind)roll(dice, SC_TRACK_PICTURE + 1),
                      .played = any_bool(dice),
                      .codec = any_text(dice),
                      .name = any_text(dice),
                      .level = any_text(dice),
                      .scan = (sc_scan_type)roll(dice, SC_SCAN_INTERLACED + 1),
                      .chroma = any_text(dice),
                      .bit_depth = (int32_t)roll(dice, 17),
                      .width = (int32_t)roll(dice, 2) * 3840,
                      .height = (int32_t)roll(dice, 2) * 2160,
                      .frame_rate = any_ratio(dice),
                      .sample_rate_hz = (int32_t)roll(dice, 2) * 48000,
                      .channels = (int32_t)roll(dice, 17),
                      .packets = any_count(dice),
                      .bytes = any_count(dice),
                      .bits_per_s = any_count(dice),
                      .duration_s = any_time(dice),
                      .source = any_source(dice),
                      .published_bits_per_s = any_count(dice),
                      .published_ratio = any_time(dice),
                      .published_source = any_text(dice)};
}

static inline void any_curve(struct dice *dice, sc_curve *curve)
{
    curve->count = (int32_t)roll(dice, SC_WINDOWS_MAX + 1);
    any_windows(dice, curve->window_s, curve->count);
    for (int32_t i = 0; i < curve->count; i++) {
        curve->max_bytes[i] = (int64_t)roll(dice, 1000000000);
        curve->mean_bytes[i] = any_real(dice);
        curve->stdev_bytes[i] = any_real(dice);
    }
    curve->source = curve->count ? any_source(dice) : SC_SOURCE_NONE;
}

static inline void any_trace(struct dice *dice, sc_trace *trace)
{
    trace->count = roll(dice, 3) ? roll(dice, 100) : roll(dice, 2) * 4096;
    trace->bytes = any_bytes(dice, trace->count);
    trace->step_s = trace->count ? 0.001 + any_real(dice) : 0;
    trace->source = trace->count ? any_source(dice) : SC_SOURCE_NONE;
}

static inline void any_good_clip(struct dice *dice, sc_clip *clip)
{
    clip->container = any_text(dice);
    clip->duration_s = any_time(dice);
    clip->demand_bits_per_s = any_count(dice);
    clip->busiest_60s_bits_per_s = any_count(dice);
    clip->peak_1s_bits_per_s = any_count(dice);
    clip->largest_frame_bytes = any_count(dice);
    clip->worst_gop_bits_per_s = any_count(dice);
    clip->largest_gop_bytes = any_count(dice);
    clip->longest_gop_frames = any_count(dice);
    for (size_t i = 0, count = roll(dice, 2) * SC_REQUIRED_COUNT; i < count; i++)
        clip->required[i] = (sc_required){0.2 + (double)i / 3, any_count(dice)};
    any_curve(dice, &clip->curve);
    any_trace(dice, &clip->trace);
    clip->flags = (uint32_t)roll(dice, 256);
    clip->source = any_source(dice);
    clip->bytes_read = any_count(dice);
    clip->reads = any_count(dice);
    clip->track_count = roll(dice, 4);
    sc_track *tracks = clip->track_count
                           ? sci_arena_alloc(dice->arena, clip->track_count, sizeof *tracks)
                           : NULL;
    for (size_t i = 0; i < clip->track_count; i++)
        tracks[i] = any_track(dice);
    clip->tracks = tracks;
    if (roll(dice, 2))
        clip->sequence = (sc_sequence){1 + (int64_t)roll(dice, 1000), roll(dice, 9),
                                       roll(dice, 999)};
    clip->part_count = roll(dice, 3);
    const char **parts = sci_arena_alloc(dice->arena, clip->part_count + 1, sizeof *parts);
    for (size_t i = 0; i < clip->part_count; i++)
        parts[i] = any_text(dice);
    clip->parts = parts;
}

static inline sc_probe *any_probe(uint64_t seed)
{
    sc_probe *probe = sci_result_new(sizeof *probe);
    struct dice dice = {seed * 2654435761 + 1, sci_result_arena(probe)};
    snprintf(probe->made_at, sizeof probe->made_at, "2026-11-30T20:21:%02dZ", (int)(seed % 60));
    probe->clip_count = roll(&dice, 5);
    if (probe->clip_count && roll(&dice, 3) == 0)
        any_error(&dice, &probe->error);
    sc_clip *clips = probe->clip_count
                         ? sci_arena_alloc(dice.arena, probe->clip_count, sizeof *clips)
                         : NULL;
    for (size_t i = 0; i < probe->clip_count; i++) {
        clips[i].path = any_text(&dice);
        clips[i].size_bytes = any_count(&dice);
        clips[i].findings = any_findings(&dice, &clips[i].finding_count);
        if (roll(&dice, 4) == 0)
            any_error(&dice, &clips[i].error);
        else
            any_good_clip(&dice, &clips[i]);
    }
    probe->clips = clips;
    probe->findings = any_findings(&dice, &probe->finding_count);
    return probe;
}

/* ---- storage ---- */

static inline sc_disk_facts any_disk_facts(struct dice *dice)
{
    return (sc_disk_facts){.name = any_text(dice),
                           .model = any_text(dice),
                           .transport = any_text(dice),
                           .chain = any_text(dice),
                           .bus_bits_per_s = any_count(dice)};
}

static inline sc_route_facts any_route_facts(struct dice *dice)
{
    return (sc_route_facts){.address = any_text(dice),
                            .this_machine = (int32_t)roll(dice, 3) - 1,
                            .interface = any_text(dice),
                            .chain = any_text(dice),
                            .bits_per_s = any_count(dice),
                            .duplex = any_text(dice),
                            .state = any_text(dice),
                            .mtu_bytes = (int32_t)roll(dice, 9002) - 1,
                            .wireless = (int32_t)roll(dice, 3) - 1};
}

static inline void any_facts(struct dice *dice, sc_storage_facts *facts)
{
    *facts = (sc_storage_facts){.mount_point = any_text(dice),
                                .file_system = any_text(dice),
                                .device = any_text(dice),
                                .options = any_text(dice),
                                .read_only = any_bool(dice),
                                .network = any_bool(dice),
                                .memory = any_bool(dice),
                                .fuse = any_bool(dice),
                                .fuse_kind = any_text(dice),
                                .read_ahead_bytes = any_count(dice),
                                .read_request_bytes = any_count(dice),
                                .connections = (int32_t)roll(dice, 18) - 1,
                                .protocol = any_text(dice),
                                .cache_option = any_text(dice),
                                .rotational = (int32_t)roll(dice, 3) - 1,
                                .cache_below = (int32_t)roll(dice, 3) - 1,
                                .disk = any_disk_facts(dice),
                                .server = any_text(dice),
                                .route = any_route_facts(dice),
                                .free_bytes = any_count(dice)};
}

static inline void any_point(struct dice *dice, sc_supply_point *point, int32_t readers)
{
    *point = (sc_supply_point){.readers = readers,
                               .mean_bytes_per_s = (double)roll(dice, 100000000000) / 8,
                               .median_bytes_per_s = any_time(dice),
                               .p05_bytes_per_s = any_time(dice),
                               .latency_p50_s = any_time(dice),
                               .latency_p95_s = any_time(dice),
                               .latency_p99_s = any_time(dice),
                               .latency_p999_s = any_time(dice),
                               .latency_max_s = any_time(dice),
                               .longest_gap_s = any_time(dice),
                               .window_count = (int32_t)roll(dice, SC_WINDOWS_MAX + 1),
                               .series_count = roll(dice, 2) * roll(dice, 300),
                               .cold = any_bool(dice),
                               .samples = any_count(dice),
                               .seconds = any_time(dice)};
    any_windows(dice, point->window_s, point->window_count);
    for (int32_t i = 0; i < point->window_count; i++)
        point->worst_window_bytes[i] = (int64_t)roll(dice, 1000000000);
    point->series_step_s = point->series_count ? 0.02 : 0;
    point->series_bytes = any_bytes(dice, point->series_count);
}

/* What is not in the document is not in the points: windows, series, cold. */
static inline void any_writes(struct dice *dice, sc_storage *storage)
{
    storage->write_point_count = roll(dice, 3);
    sc_supply_point *points = sci_arena_alloc(dice->arena, 4, sizeof *points);
    for (size_t i = 0; i < storage->write_point_count; i++) {
        any_point(dice, &points[i], 1 << i);
        points[i].window_count = 0;
        points[i].series_step_s = 0;
        points[i].series_count = 0;
        points[i].cold = false;
    }
    storage->write_points = points;
    storage->write_synced = storage->write_point_count > 0 && any_bool(dice);
}

static inline sc_jump_times any_jumps(struct dice *dice)
{
    sc_jump_times times = {
        .samples = (int64_t)roll(dice, 3) * 50, .p50_s = -1, .p95_s = -1, .p99_s = -1, .max_s = -1};
    if (times.samples) {
        times.readers = (int32_t)roll(dice, 64);
        times.p50_s = any_time(dice);
        times.p95_s = any_time(dice);
        times.p99_s = any_time(dice);
        times.max_s = any_time(dice);
    }
    return times;
}

static inline sc_paced_reads any_reads(struct dice *dice)
{
    if (any_bool(dice))
        return (sc_paced_reads){0};
    return (sc_paced_reads){.samples = 1 + (int64_t)roll(dice, 10000),
                            .mean_bytes = any_real(dice),
                            .mean_s = any_real(dice),
                            .p50_s = any_real(dice),
                            .p99_s = any_real(dice),
                            .max_s = any_real(dice),
                            .busy = (double)roll(dice, 998) / 997};
}

static inline sc_paced_run any_run(struct dice *dice)
{
    return (sc_paced_run){.streams = 1 + (int32_t)roll(dice, 64),
                          .bits_per_s = (int64_t)roll(dice, 3) * 100000007,
                          .seconds = any_real(dice),
                          .frames = (int64_t)roll(dice, 10000),
                          .late_frames = (int64_t)roll(dice, 3),
                          .failed_reads = (int64_t)roll(dice, 3),
                          .worst_lateness_s = any_real(dice),
                          .min_buffer_s = any_real(dice) - any_real(dice),
                          .lead_slope = -any_real(dice),
                          .reads = any_reads(dice),
                          .jitter = {any_real(dice), any_real(dice), any_real(dice)},
                          .sustained = any_bool(dice),
                          .cold = any_bool(dice)};
}

static inline sc_storage *any_storage(uint64_t seed)
{
    sc_storage *storage = sci_result_new(sizeof *storage);
    struct dice dice = {seed * 2654435761 + 7, sci_result_arena(storage)};
    storage->path = any_text(&dice);
    storage->name = any_text(&dice);
    storage->source = any_source(&dice);
    storage->constant = any_bool(&dice);
    any_facts(&dice, &storage->facts);
    storage->player = any_player(&dice);
    storage->cache_requested = (sc_cache_mode)roll(&dice, 4);
    storage->cache_effective = (sc_cache_mode)roll(&dice, 4);
    storage->cache_proven = any_bool(&dice);
    storage->buffered_bytes_per_s = (double)roll(&dice, 3) * 1e6;
    storage->cache_reason = any_text(&dice);
    storage->point_count = 1 + roll(&dice, 6);
    sc_supply_point *points = sci_arena_alloc(dice.arena, storage->point_count, sizeof *points);
    for (size_t i = 0; i < storage->point_count; i++)
        any_point(&dice, &points[i], 1 << i);
    storage->points = points;
    storage->with_writers = (int32_t)roll(&dice, 5);
    any_writes(&dice, storage);
    storage->scrub = (sc_scrub){(int64_t)roll(&dice, 2) << 20, any_jumps(&dice), any_jumps(&dice),
                                any_jumps(&dice)};
    if (!storage->scrub.read_bytes)
        storage->scrub = sci_scrub_unknown();
    for (uint64_t runs = roll(&dice, 3); runs > 0; runs--) {
        const sc_paced_run run = any_run(&dice);
        assert_int_equal(sc_storage_keep_paced(storage, &run, NULL), SC_OK);
    }
    storage->findings = any_findings(&dice, &storage->finding_count);
    if (roll(&dice, 3) == 0)
        any_error(&dice, &storage->error);
    return storage;
}

/* ---- playback ---- */

static inline sc_play_stream any_play_stream(struct dice *dice)
{
    return (sc_play_stream){.format = any_text(dice),
                            .path = any_text(dice),
                            .frames = (int64_t)roll(dice, 100000),
                            .late_frames = (int64_t)roll(dice, 100),
                            .stalls = (int64_t)roll(dice, 10),
                            .worst_lateness_s = any_real(dice),
                            .min_buffer_s = any_real(dice) - any_real(dice),
                            .lead_slope = -any_real(dice),
                            .file_a_frame = any_bool(dice),
                            .sustained = any_bool(dice)};
}

static inline sc_playback *any_playback(uint64_t seed)
{
    sc_playback *playback = sci_result_new(sizeof *playback);
    struct dice dice = {seed * 2654435761 + 13, sci_result_arena(playback)};
    const size_t streams = roll(&dice, 5), trials = 1 + roll(&dice, 5);
    sc_play_stream *stream = sci_arena_alloc(dice.arena, streams + 1, sizeof *stream);
    sc_paced_run *trial = sci_arena_alloc(dice.arena, trials, sizeof *trial);
    for (size_t i = 0; i < streams; i++)
        stream[i] = any_play_stream(&dice);
    for (size_t i = 0; i < trials; i++)
        trial[i] = any_run(&dice);
    playback->path = any_text(&dice);
    playback->player = any_player(&dice);
    playback->cache_requested = (sc_cache_mode)roll(&dice, 4);
    playback->cache_effective = (sc_cache_mode)roll(&dice, 4);
    playback->cold = any_bool(&dice);
    playback->streams = stream;
    playback->stream_count = streams;
    playback->late_frames = (int64_t)roll(&dice, 100);
    playback->sustained = any_bool(&dice);
    playback->largest_sustained = roll(&dice, 3) ? (int32_t)roll(&dice, 256) : SC_UNKNOWN;
    playback->trials = trial;
    playback->trial_count = trials;
    playback->findings = any_findings(&dice, &playback->finding_count);
    if (roll(&dice, 3) == 0)
        any_error(&dice, &playback->error);
    return playback;
}

/* ---- plan and link ---- */

static inline sc_limit_kind any_limit_kind(struct dice *dice)
{
    return (sc_limit_kind)roll(dice, SC_LIMIT_PLAYED + 1);
}

static inline sc_limit any_limit(struct dice *dice)
{
    return (sc_limit){.kind = any_limit_kind(dice),
                      .resource = any_text(dice),
                      .window_s = any_time(dice),
                      .streams = (int32_t)roll(dice, 1000),
                      .needed_bytes = any_time(dice),
                      .available_bytes = any_time(dice),
                      .needed_bytes_per_s = any_time(dice),
                      .available_bytes_per_s = any_time(dice),
                      .text = any_text(dice)};
}

static inline sc_answer any_answer(struct dice *dice)
{
    return (sc_answer){.format = any_text(dice),
                       .clip = any_text(dice),
                       .found = any_bool(dice),
                       .stream_bits_per_s = (int64_t)roll(dice, 10000000000),
                       .storage = any_text(dice),
                       .link = any_text(dice),
                       .player = any_text(dice),
                       .safe = any_count(dice),
                       .likely = any_count(dice),
                       .expected = any_count(dice),
                       .naive = any_count(dice),
                       .played_sustained = any_count(dice),
                       .played_late = any_count(dice),
                       .at_least = any_bool(dice),
                       .extrapolated = any_bool(dice),
                       .upper_bound = any_bool(dice),
                       .required_met = any_bool(dice),
                       .limit = any_limit(dice),
                       .headroom = roll(dice, 3) ? (double)roll(dice, 1000) / 999 : -1,
                       .refill_s = any_time(dice)};
}

static inline void any_mix(struct dice *dice, sc_mix *mix)
{
    mix->part_count = 1 + roll(dice, 4);
    sc_mix_part *parts = sci_arena_alloc(dice->arena, mix->part_count, sizeof *parts);
    for (size_t i = 0; i < mix->part_count; i++)
        parts[i] = (sc_mix_part){.format = any_text(dice),
                                 .clip = any_text(dice),
                                 .stream_bits_per_s = (int64_t)roll(dice, 10000000000),
                                 .playing = (int64_t)roll(dice, 100),
                                 .more = any_count(dice),
                                 .more_expected = any_count(dice),
                                 .fewer = any_count(dice),
                                 .at_least = any_bool(dice),
                                 .extrapolated = any_bool(dice),
                                 .limit = any_limit(dice)};
    mix->parts = parts;
    mix->streams = (int64_t)roll(dice, 1000);
    mix->safe = (sc_verdict)roll(dice, SC_VERDICT_BREAKS + 1);
    mix->likely = (sc_verdict)roll(dice, SC_VERDICT_BREAKS + 1);
    mix->expected = (sc_verdict)roll(dice, SC_VERDICT_BREAKS + 1);
    mix->played = (sc_verdict)roll(dice, SC_VERDICT_BREAKS + 1);
    mix->extrapolated = any_bool(dice);
    mix->upper_bound = any_bool(dice);
    mix->limit = any_limit(dice);
    mix->shortfall = any_time(dice);
    mix->headroom = roll(dice, 3) ? (double)roll(dice, 1000) / 999 : -1;
    mix->refill_s = any_time(dice);
}

static inline const sc_frontier_pair *any_pairs(struct dice *dice, size_t *count)
{
    *count = roll(dice, 6);
    sc_frontier_pair *pairs = sci_arena_alloc(dice->arena, *count + 1, sizeof *pairs);
    for (size_t i = 0; i < *count; i++)
        pairs[i] = (sc_frontier_pair){.first = (int64_t)roll(dice, 100),
                                      .second = (int64_t)roll(dice, 100),
                                      .at_least = any_bool(dice),
                                      .first_limit = any_limit_kind(dice),
                                      .second_limit = any_limit_kind(dice)};
    return pairs;
}

static inline const sc_frontier *any_frontiers(struct dice *dice, size_t *count)
{
    *count = roll(dice, 4);
    sc_frontier *frontiers = sci_arena_alloc(dice->arena, *count + 1, sizeof *frontiers);
    for (size_t i = 0; i < *count; i++) {
        frontiers[i] = (sc_frontier){.first = any_text(dice), .second = any_text(dice)};
        frontiers[i].safe = any_pairs(dice, &frontiers[i].safe_count);
        frontiers[i].expected = any_pairs(dice, &frontiers[i].expected_count);
    }
    return frontiers;
}

static inline sc_plan *any_plan(uint64_t seed)
{
    sc_plan *plan = sci_result_new(sizeof *plan);
    struct dice dice = {seed * 2654435761 + 11, sci_result_arena(plan)};
    plan->answer_count = roll(&dice, 5);
    if (plan->answer_count && roll(&dice, 3) == 0)
        any_error(&dice, &plan->error);
    sc_answer *answers = plan->answer_count
                             ? sci_arena_alloc(dice.arena, plan->answer_count, sizeof *answers)
                             : NULL;
    for (size_t i = 0; i < plan->answer_count; i++)
        answers[i] = any_answer(&dice);
    plan->answers = answers;
    plan->player = any_player(&dice);
    plan->reserve = (double)roll(&dice, 95) / 100;
    plan->require = (int64_t)roll(&dice, 4);
    plan->holds = any_bool(&dice);
    if (roll(&dice, 3))
        any_mix(&dice, &plan->mix);
    plan->frontiers = any_frontiers(&dice, &plan->frontier_count);
    plan->likely_probability = (double)roll(&dice, 100) / 100;
    plan->law = (sc_supply_law)roll(&dice, SC_LAW_COHERENCY + 1);
    plan->findings = any_findings(&dice, &plan->finding_count);
    return plan;
}

static inline sc_link any_link(uint64_t seed)
{
    struct dice dice = {seed * 2654435761 + 13, NULL};
    sc_link link = {.kind = (sc_link_kind)roll(&dice, 4),
                    .line_bits_per_s = (int64_t)roll(&dice, 100000000000),
                    .payload_bits_per_s = 1 + (int64_t)roll(&dice, 100000000000),
                    .rtt_s = (double)roll(&dice, 1000) / 997,
                    .mtu_bytes = (int32_t)roll(&dice, 65536),
                    .timestamps = any_bool(&dice),
                    .vlan = any_bool(&dice),
                    .ipv6 = any_bool(&dice),
                    .members = (int32_t)roll(&dice, 257),
                    .window_bytes = (int64_t)roll(&dice, 1000000),
                    .protocol_share = (double)roll(&dice, 998) / 997,
                    .origin = any_source(&dice)};
    any_chars(&dice, link.name, sizeof link.name);
    any_chars(&dice, link.source, sizeof link.source);
    any_chars(&dice, link.protocol, sizeof link.protocol);
    link.window_count = (int32_t)roll(&dice, SC_WINDOWS_MAX + 1);
    for (int32_t i = 0; i < link.window_count; i++) {
        link.window_s[i] = (i ? link.window_s[i - 1] : 0) + (1 + (double)roll(&dice, 100)) / 97;
        link.worst_window_bytes[i] = (int64_t)roll(&dice, 1000000000);
    }
    return link;
}

/* ---- comparison ---- */

#define SAME(member)      assert_true(a->member == b->member)
#define SAME_TEXT(member) assert_string_equal(a->member, b->member)
#define SAME_BYTES(member, count)                                                                  \
    do {                                                                                           \
        if (count)                                                                                 \
            assert_memory_equal(a->member, b->member, (count) * sizeof *a->member);                \
    } while (0)

static inline void same_findings(const sc_finding *a, const sc_finding *b, size_t count)
{
    for (; count > 0; count--, a++, b++) {
        SAME_TEXT(code);
        SAME(severity);
        SAME_TEXT(message);
    }
}

static inline void same_error(const sc_error *a, const sc_error *b)
{
    SAME(status);
    SAME(os_errno);
    SAME_TEXT(where);
    SAME_TEXT(message);
    SAME_TEXT(path);
}

static inline void same_player(const sc_player *a, const sc_player *b)
{
    SAME_TEXT(name);
    SAME(block_bytes);
    SAME(in_flight);
    SAME(read_ahead_s);
    SAME(preroll_s);
    SAME(mode);
    SAME(buffer_cap_bytes);
}

static inline void same_track(const sc_track *a, const sc_track *b)
{
    SAME(kind);
    SAME(played);
    SAME_TEXT(codec);
    SAME_TEXT(name);
    SAME_TEXT(level);
    SAME(scan);
    SAME_TEXT(chroma);
    SAME(bit_depth);
    SAME(width);
    SAME(height);
    SAME(frame_rate.num);
    SAME(frame_rate.den);
    SAME(sample_rate_hz);
    SAME(channels);
    SAME(packets);
    SAME(bytes);
    SAME(bits_per_s);
    SAME(duration_s);
    SAME(source);
    SAME(published_bits_per_s);
    SAME(published_ratio);
    SAME_TEXT(published_source);
}

static inline void same_good_clip(const sc_clip *a, const sc_clip *b)
{
    size_t windows = (size_t)a->curve.count;
    SAME_TEXT(container);
    SAME(duration_s);
    SAME(demand_bits_per_s);
    SAME(busiest_60s_bits_per_s);
    SAME(peak_1s_bits_per_s);
    SAME(largest_frame_bytes);
    SAME(worst_gop_bits_per_s);
    SAME(largest_gop_bytes);
    SAME(longest_gop_frames);
    SAME(sequence.files);
    SAME(sequence.first_number);
    SAME(sequence.last_number);
    SAME(part_count);
    for (size_t i = 0; i < a->part_count; i++)
        SAME_TEXT(parts[i]);
    for (size_t i = 0; i < SC_REQUIRED_COUNT; i++) {
        SAME(required[i].prefill_s);
        SAME(required[i].bits_per_s);
    }
    SAME(curve.count);
    SAME(curve.source);
    SAME_BYTES(curve.window_s, windows);
    SAME_BYTES(curve.max_bytes, windows);
    SAME_BYTES(curve.mean_bytes, windows);
    SAME_BYTES(curve.stdev_bytes, windows);
    SAME(trace.step_s);
    SAME(trace.count);
    SAME(trace.source);
    SAME_BYTES(trace.bytes, a->trace.count);
    SAME(flags);
    SAME(source);
    SAME(bytes_read);
    SAME(reads);
    SAME(track_count);
    for (size_t i = 0; i < a->track_count; i++)
        same_track(&a->tracks[i], &b->tracks[i]);
}

static inline void same_clip(const sc_clip *a, const sc_clip *b)
{
    SAME_TEXT(path);
    SAME(size_bytes);
    SAME(finding_count);
    same_findings(a->findings, b->findings, a->finding_count);
    same_error(&a->error, &b->error);
    if (a->error.status == SC_OK)
        same_good_clip(a, b);
}

static inline void same_probe(const sc_probe *a, const sc_probe *b)
{
    SAME_TEXT(made_at);
    SAME(clip_count);
    for (size_t i = 0; i < a->clip_count; i++)
        same_clip(&a->clips[i], &b->clips[i]);
    SAME(finding_count);
    same_findings(a->findings, b->findings, a->finding_count);
    same_error(&a->error, &b->error);
}

static inline void same_facts(const sc_storage_facts *a, const sc_storage_facts *b)
{
    SAME_TEXT(mount_point);
    SAME_TEXT(file_system);
    SAME_TEXT(device);
    SAME_TEXT(options);
    SAME(read_only);
    SAME(network);
    SAME(memory);
    SAME(fuse);
    SAME_TEXT(fuse_kind);
    SAME(read_ahead_bytes);
    SAME(read_request_bytes);
    SAME(connections);
    SAME_TEXT(protocol);
    SAME_TEXT(cache_option);
    SAME(rotational);
    SAME(cache_below);
    SAME_TEXT(disk.name);
    SAME_TEXT(disk.model);
    SAME_TEXT(disk.transport);
    SAME_TEXT(disk.chain);
    SAME(disk.bus_bits_per_s);
    SAME_TEXT(server);
    SAME_TEXT(route.address);
    SAME(route.this_machine);
    SAME_TEXT(route.interface);
    SAME_TEXT(route.chain);
    SAME(route.bits_per_s);
    SAME_TEXT(route.duplex);
    SAME_TEXT(route.state);
    SAME(route.mtu_bytes);
    SAME(route.wireless);
    SAME(free_bytes);
}

static inline void same_jumps(const sc_jump_times *a, const sc_jump_times *b)
{
    SAME(readers);
    SAME(samples);
    SAME(p50_s);
    SAME(p95_s);
    SAME(p99_s);
    SAME(max_s);
}

static inline void same_run(const sc_paced_run *a, const sc_paced_run *b)
{
    SAME(streams);
    SAME(bits_per_s);
    SAME(seconds);
    SAME(frames);
    SAME(late_frames);
    SAME(failed_reads);
    SAME(worst_lateness_s);
    SAME(min_buffer_s);
    SAME(lead_slope);
    SAME(reads.samples);
    SAME(reads.mean_bytes);
    SAME(reads.mean_s);
    SAME(reads.p50_s);
    SAME(reads.p99_s);
    SAME(reads.max_s);
    SAME(reads.busy);
    SAME(jitter.p50_s);
    SAME(jitter.p99_s);
    SAME(jitter.max_s);
    SAME(sustained);
    SAME(cold);
}

static inline void same_point(const sc_supply_point *a, const sc_supply_point *b)
{
    size_t windows = (size_t)a->window_count;
    SAME(readers);
    SAME(mean_bytes_per_s);
    SAME(median_bytes_per_s);
    SAME(p05_bytes_per_s);
    SAME(latency_p50_s);
    SAME(latency_p95_s);
    SAME(latency_p99_s);
    SAME(latency_p999_s);
    SAME(latency_max_s);
    SAME(longest_gap_s);
    SAME(window_count);
    SAME_BYTES(window_s, windows);
    SAME_BYTES(worst_window_bytes, windows);
    SAME(series_step_s);
    SAME(series_count);
    SAME_BYTES(series_bytes, a->series_count);
    SAME(cold);
    SAME(samples);
    SAME(seconds);
}

static inline void same_storage(const sc_storage *a, const sc_storage *b)
{
    SAME_TEXT(made_at);
    SAME_TEXT(path);
    SAME_TEXT(name);
    SAME(source);
    SAME(constant);
    same_facts(&a->facts, &b->facts);
    same_player(&a->player, &b->player);
    SAME(cache_requested);
    SAME(cache_effective);
    SAME(cache_proven);
    SAME_TEXT(cache_reason);
    SAME(point_count);
    for (size_t i = 0; i < a->point_count; i++)
        same_point(&a->points[i], &b->points[i]);
    SAME(with_writers);
    SAME(write_synced);
    SAME(write_point_count);
    for (size_t i = 0; i < a->write_point_count; i++)
        same_point(&a->write_points[i], &b->write_points[i]);
    SAME(paced_count);
    for (size_t i = 0; i < a->paced_count; i++)
        same_run(&a->paced[i], &b->paced[i]);
    SAME(scrub.read_bytes);
    same_jumps(&a->scrub.idle, &b->scrub.idle);
    same_jumps(&a->scrub.loaded, &b->scrub.loaded);
    SAME(finding_count);
    same_findings(a->findings, b->findings, a->finding_count);
    same_error(&a->error, &b->error);
}

static inline void same_play_stream(const sc_play_stream *a, const sc_play_stream *b)
{
    SAME_TEXT(format);
    SAME_TEXT(path);
    SAME(frames);
    SAME(late_frames);
    SAME(stalls);
    SAME(worst_lateness_s);
    SAME(min_buffer_s);
    SAME(lead_slope);
    SAME(file_a_frame);
    SAME(sustained);
}

static inline void same_playback(const sc_playback *a, const sc_playback *b)
{
    SAME_TEXT(made_at);
    SAME_TEXT(path);
    same_player(&a->player, &b->player);
    SAME(cache_requested);
    SAME(cache_effective);
    SAME(cold);
    SAME(stream_count);
    for (size_t i = 0; i < a->stream_count; i++)
        same_play_stream(&a->streams[i], &b->streams[i]);
    SAME(late_frames);
    SAME(sustained);
    SAME(largest_sustained);
    SAME(trial_count);
    for (size_t i = 0; i < a->trial_count; i++)
        same_run(&a->trials[i], &b->trials[i]);
    SAME(finding_count);
    same_findings(a->findings, b->findings, a->finding_count);
    same_error(&a->error, &b->error);
}

static inline void same_limit(const sc_limit *a, const sc_limit *b)
{
    SAME(kind);
    SAME_TEXT(resource);
    SAME(window_s);
    SAME(streams);
    SAME(needed_bytes);
    SAME(available_bytes);
    SAME(needed_bytes_per_s);
    SAME(available_bytes_per_s);
    SAME_TEXT(text);
}

static inline void same_answer(const sc_answer *a, const sc_answer *b)
{
    SAME_TEXT(format);
    SAME_TEXT(clip);
    SAME(found);
    SAME(stream_bits_per_s);
    SAME_TEXT(storage);
    SAME_TEXT(link);
    SAME_TEXT(player);
    SAME(safe);
    SAME(likely);
    SAME(expected);
    SAME(naive);
    SAME(played_sustained);
    SAME(played_late);
    SAME(at_least);
    SAME(extrapolated);
    SAME(upper_bound);
    SAME(required_met);
    same_limit(&a->limit, &b->limit);
    SAME(headroom);
    SAME(refill_s);
}

static inline void same_part(const sc_mix_part *a, const sc_mix_part *b)
{
    SAME_TEXT(format);
    SAME_TEXT(clip);
    SAME(stream_bits_per_s);
    SAME(playing);
    SAME(more);
    SAME(more_expected);
    SAME(fewer);
    SAME(at_least);
    SAME(extrapolated);
    same_limit(&a->limit, &b->limit);
}

static inline void same_mix(const sc_mix *a, const sc_mix *b)
{
    SAME(part_count);
    for (size_t i = 0; i < a->part_count; i++)
        same_part(&a->parts[i], &b->parts[i]);
    if (a->part_count == 0)
        return;
    SAME(streams);
    SAME(safe);
    SAME(likely);
    SAME(expected);
    SAME(played);
    SAME(extrapolated);
    SAME(upper_bound);
    same_limit(&a->limit, &b->limit);
    SAME(shortfall);
    SAME(headroom);
    SAME(refill_s);
}

static inline void same_pairs(const sc_frontier_pair *a, const sc_frontier_pair *b, size_t count)
{
    for (; count > 0; count--, a++, b++) {
        SAME(first);
        SAME(second);
        SAME(at_least);
        SAME(first_limit);
        SAME(second_limit);
    }
}

static inline void same_frontier(const sc_frontier *a, const sc_frontier *b)
{
    SAME_TEXT(first);
    SAME_TEXT(second);
    SAME(safe_count);
    same_pairs(a->safe, b->safe, a->safe_count);
    SAME(expected_count);
    same_pairs(a->expected, b->expected, a->expected_count);
}

static inline void same_plan(const sc_plan *a, const sc_plan *b)
{
    SAME_TEXT(made_at);
    SAME(answer_count);
    for (size_t i = 0; i < a->answer_count; i++)
        same_answer(&a->answers[i], &b->answers[i]);
    same_player(&a->player, &b->player);
    SAME(reserve);
    SAME(require);
    SAME(holds);
    same_mix(&a->mix, &b->mix);
    SAME(frontier_count);
    for (size_t f = 0; f < a->frontier_count; f++)
        same_frontier(&a->frontiers[f], &b->frontiers[f]);
    SAME(likely_probability);
    SAME(law);
    SAME(finding_count);
    same_findings(a->findings, b->findings, a->finding_count);
    same_error(&a->error, &b->error);
}

static inline void same_link(const sc_link *a, const sc_link *b)
{
    SAME_TEXT(name);
    SAME(kind);
    SAME(line_bits_per_s);
    SAME(payload_bits_per_s);
    SAME(rtt_s);
    SAME(mtu_bytes);
    SAME(timestamps);
    SAME(vlan);
    SAME(ipv6);
    SAME(members);
    SAME(window_bytes);
    SAME_TEXT(protocol);
    SAME(protocol_share);
    SAME(window_count);
    SAME_BYTES(window_s, (size_t)a->window_count);
    SAME_BYTES(worst_window_bytes, (size_t)a->window_count);
    SAME(origin);
    SAME_TEXT(source);
}

#endif
