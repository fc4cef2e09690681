#include "playback_text.h"

#include "storage_text.h"
#include "table.h"
#include "text.h"

#include <string.h>

/* ---- the first lines ---- */

static const sc_paced_run *last_trial(const sc_playback *playback)
{
    return &playback->trials[playback->trial_count - 1];
}

/* "4 x ProRes 422 HQ 1920x1080 25, 2 x 168Mb/s": streams of one format stand together. */
static void describe_streams(const sc_playback *playback, char *text, size_t size)
{
    size_t i = 0;
    text[0] = '\0';
    while (i < playback->stream_count) {
        const char *format = playback->streams[i].format;
        const size_t first = i, used = strlen(text);
        while (i < playback->stream_count && strcmp(playback->streams[i].format, format) == 0)
            i++;
        snprintf(text + used, size - used, "%s%zu x %s", used ? ", " : "", i - first, format);
    }
}

static void describe_end(const sc_playback *playback, char *text, size_t size)
{
    const sc_paced_run *trial = last_trial(playback);
    char late[32];
    if (trial->failed_reads > 0)
        snprintf(text, size, "%lld reads failed, %lld of %lld frames late",
                 (long long)trial->failed_reads, (long long)trial->late_frames,
                 (long long)trial->frames);
    else if (trial->late_frames > 0)
        snprintf(text, size, "%lld of %lld frames late, by %s at most",
                 (long long)trial->late_frames, (long long)trial->frames,
                 text_seconds(trial->worst_lateness_s, late, sizeof late));
    else if (!trial->sustained)
        snprintf(text, size, "no frame late in %.0f s, but buffers that shrink", trial->seconds);
    else
        snprintf(text, size, "none of %lld frames late in %.0f s", (long long)trial->frames,
                 trial->seconds);
}

void playback_print_headline(FILE *out, int width, const sc_playback *playback)
{
    char line[2048], streams[1024], end[128], clean[3 * sizeof line];
    describe_streams(playback, streams, sizeof streams);
    describe_end(playback, end, sizeof end);
    if (playback->largest_sustained == 0)
        snprintf(line, sizeof line, "not even one stream was sustained: %s", end);
    else if (playback->largest_sustained > 0)
        snprintf(line, sizeof line, "the most that was sustained: %s: %s", streams, end);
    else
        snprintf(line, sizeof line, "%s: %s: %s",
                 playback->sustained ? "sustained" : "not sustained", streams, end);
    text_wrap(out, width, "", text_clean(line, clean, sizeof clean));
}

void playback_print_how(FILE *out, int width, const sc_playback *playback)
{
    const sc_player *player = &playback->player;
    char line[SC_PATH_MAX + 512], clean[3 * sizeof line], block[32], ahead[32];
    if (player->mode == SC_READ_FRAME)
        snprintf(block, sizeof block, "a frame a read");
    else
        text_bytes((double)player->block_bytes, block, sizeof block);
    snprintf(line, sizeof line, "%s, %s, %s x %d in flight, %s ahead (player %s)", playback->path,
             storage_cache_words(playback->cache_effective, playback->cold,
                                 "through the cache: it may be the cache that was played from"),
             block, (int)player->in_flight, text_seconds(player->read_ahead_s, ahead, sizeof ahead),
             player->name);
    text_wrap(out, width, "read from: ", text_clean(line, clean, sizeof clean));
}

/* Of the last run, which is the one that counts. */
void playback_print_jitter(FILE *out, int width, const sc_playback *playback)
{
    const sc_play_jitter *jitter = &last_trial(playback)->jitter;
    char line[256], middle[32], high[32], most[32];
    snprintf(line, sizeof line, "%s late at the median, p99 %s, at most %s",
             text_seconds(jitter->p50_s, middle, sizeof middle),
             text_seconds(jitter->p99_s, high, sizeof high),
             text_seconds(jitter->max_s, most, sizeof most));
    text_wrap(out, width, "asked for: ", line);
}

/* ---- tables ---- */

static void show_share(int64_t part, int64_t whole, char *cell, size_t size)
{
    snprintf(cell, size, "%lld of %lld", (long long)part, (long long)whole);
}

static void show_late(double late_s, char *cell, size_t size)
{
    text_seconds(late_s > 0 ? late_s : -1, cell, size);
}

static void show_signed_seconds(double seconds, char *cell, size_t size)
{
    char text[32];
    snprintf(cell, size, "%s%s", seconds < 0 ? "-" : "",
             text_seconds(seconds < 0 ? -seconds : seconds, text, sizeof text));
}

/* Of a buffer, in thousandths of its time: +3 ms/s fills, -3 ms/s is empty after a while. */
static void show_slope(double slope, char *cell, size_t size)
{
    snprintf(cell, size, "%+.1f ms/s", slope * 1e3);
}

static void trial_streams(const void *row, char *cell, size_t size)
{
    snprintf(cell, size, "%d", (int)((const sc_paced_run *)row)->streams);
}

static void trial_seconds(const void *row, char *cell, size_t size)
{
    text_seconds(((const sc_paced_run *)row)->seconds, cell, size);
}

static void trial_frames(const void *row, char *cell, size_t size)
{
    const sc_paced_run *trial = row;
    show_share(trial->late_frames, trial->frames, cell, size);
}

static void trial_late(const void *row, char *cell, size_t size)
{
    show_late(((const sc_paced_run *)row)->worst_lateness_s, cell, size);
}

static void trial_buffer(const void *row, char *cell, size_t size)
{
    show_signed_seconds(((const sc_paced_run *)row)->min_buffer_s, cell, size);
}

static void trial_slope(const void *row, char *cell, size_t size)
{
    show_slope(((const sc_paced_run *)row)->lead_slope, cell, size);
}

static void trial_verdict(const void *row, char *cell, size_t size)
{
    const sc_paced_run *trial = row;
    const char *verdict = trial->sustained      ? "sustained"
                          : trial->failed_reads ? "reads failed"
                          : trial->late_frames  ? "fell behind"
                                                : "buffers shrink";
    snprintf(cell, size, "%s", verdict);
}

void playback_print_trials(FILE *out, int width, const sc_playback *playback)
{
    static const table_column columns[] = {
        {.title = "streams", .right = true, .cell = trial_streams, .keep = 3},
        {.title = "time", .right = true, .cell = trial_seconds, .keep = 1},
        {.title = "frames late", .right = true, .cell = trial_frames, .keep = 3},
        {.title = "latest by", .right = true, .cell = trial_late, .keep = 2, .drop_empty = true},
        {.title = "least buffer", .right = true, .cell = trial_buffer, .keep = 2},
        {.title = "buffer", .right = true, .cell = trial_slope, .keep = 1},
        {.title = "", .cell = trial_verdict, .keep = 3}};
    const text_table table = {.columns = columns,
                              .column_count = COUNT_OF(columns),
                              .rows = playback->trials,
                              .row_size = sizeof *playback->trials,
                              .row_count = playback->trial_count};
    table_print(out, &table, width);
}

static void stream_format(const void *row, char *cell, size_t size)
{
    text_clean(((const sc_play_stream *)row)->format, cell, size);
}

static void stream_frames(const void *row, char *cell, size_t size)
{
    const sc_play_stream *stream = row;
    show_share(stream->late_frames, stream->frames, cell, size);
}

static void stream_stalls(const void *row, char *cell, size_t size)
{
    const int64_t stalls = ((const sc_play_stream *)row)->stalls;
    snprintf(cell, size, stalls ? "%lld" : "-", (long long)stalls);
}

static void stream_late(const void *row, char *cell, size_t size)
{
    show_late(((const sc_play_stream *)row)->worst_lateness_s, cell, size);
}

static void stream_buffer(const void *row, char *cell, size_t size)
{
    show_signed_seconds(((const sc_play_stream *)row)->min_buffer_s, cell, size);
}

static void stream_slope(const void *row, char *cell, size_t size)
{
    show_slope(((const sc_play_stream *)row)->lead_slope, cell, size);
}

void playback_print_streams(FILE *out, int width, const sc_playback *playback)
{
    static const table_column columns[] = {
        {.title = "stream", .cell = stream_format, .keep = 3},
        {.title = "frames late", .right = true, .cell = stream_frames, .keep = 3},
        {.title = "stalls", .right = true, .cell = stream_stalls, .keep = 1, .drop_empty = true},
        {.title = "latest by", .right = true, .cell = stream_late, .keep = 2, .drop_empty = true},
        {.title = "least buffer", .right = true, .cell = stream_buffer, .keep = 2},
        {.title = "buffer", .right = true, .cell = stream_slope, .keep = 1}};
    const text_table table = {.columns = columns,
                              .column_count = COUNT_OF(columns),
                              .rows = playback->streams,
                              .row_size = sizeof *playback->streams,
                              .row_count = playback->stream_count};
    table_print(out, &table, width);
}
