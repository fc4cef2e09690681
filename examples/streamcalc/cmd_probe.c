#include "cli.h"
#include "media.h"
#include "output.h"
#include "text.h"

#include <string.h>

static void print_pair(FILE *out, const char *name, double bits_per_s)
{
    char rate[80];
    if (bits_per_s >= 0)
        fprintf(out, "  %-16s %s\n", name, text_rate(bits_per_s, rate, sizeof rate));
}

static const struct {
    sc_clip_flag flag;
    const char *label, *meaning;
} flag_texts[] = {
    {SC_CLIP_TRUNCATED, "cut off", "a part is missing that its header or index promises"},
    {SC_CLIP_GROWING, "growing", "the file grew while it was looked at"},
    {SC_CLIP_PARTIAL_INDEX, "partly indexed", "the index covers a part of the file"},
    {SC_CLIP_NO_INDEX, "no index",
     "none that can be relied on: the file, or its headers, were read"},
    {SC_CLIP_SAMPLED, "sampled", "the figures are carried on from a part of the file"},
    {SC_CLIP_LIMITED, "stopped early", "--max-bytes or --max-seconds was reached"},
    {SC_CLIP_NO_VIDEO, "audio only", "there is no video in the file"},
    {SC_CLIP_VARIABLE_FRAME_RATE, "frame rate", "it varies; the one shown is that of most frames"},
};

static void print_flags(FILE *out, int width, const sc_clip *clip)
{
    for (size_t i = 0; i < COUNT_OF(flag_texts); i++) {
        char label[40];
        snprintf(label, sizeof label, "  %s: ", flag_texts[i].label);
        if (clip->flags & flag_texts[i].flag)
            text_wrap(out, width, label, flag_texts[i].meaning);
    }
}

/* On a line of its own where it does not fit behind the name. */
static void print_track(FILE *out, int width, const sc_track *track)
{
    char name[256], rate[80], frame_rate[32];
    int length;
    text_clean(*track->name ? track->name : track->codec, name, sizeof name);
    length = fprintf(out, "  %-16s %s", sc_track_kind_name(track->kind), *name ? name : "unknown");
    if (track->width > 0)
        length += fprintf(out, " %dx%d", (int)track->width, (int)track->height);
    if (track->frame_rate.den > 0) {
        sc_format_frame_rate(track->frame_rate, frame_rate, sizeof frame_rate);
        length += fprintf(out, " %s", frame_rate);
    }
    if (track->sample_rate_hz > 0)
        length += fprintf(out, ", %g kHz, %d channel%s", track->sample_rate_hz / 1e3,
                          (int)track->channels, track->channels == 1 ? "" : "s");
    if (track->bits_per_s > 0) {
        text_rate((double)track->bits_per_s, rate, sizeof rate);
        const bool fits = length + 3 + (int)strlen(rate) <= width;
        fprintf(out, "%s%s", fits ? "   " : "\n                   ", rate);
    }
    fputs(track->played ? "\n" : "   (not counted)\n", out);
}

/* "level 5.1, progressive, 4:2:0 10 bit". */
static void print_picture(FILE *out, const sc_track *track)
{
    char level[40], chroma[40];
    const char *comma = "";
    if (!*track->level && track->scan == SC_SCAN_UNKNOWN && !*track->chroma && !track->bit_depth)
        return;
    fprintf(out, "  %-16s ", "");
    if (*track->level) {
        fprintf(out, "level %s", text_clean(track->level, level, sizeof level));
        comma = ", ";
    }
    if (track->scan != SC_SCAN_UNKNOWN) {
        fprintf(out, "%s%s", comma, sc_scan_type_name(track->scan));
        comma = ", ";
    }
    if (*track->chroma || track->bit_depth)
        fprintf(out, "%s%s", comma, text_clean(track->chroma, chroma, sizeof chroma));
    if (track->bit_depth)
        fprintf(out, "%s%d bit", *track->chroma ? " " : "", (int)track->bit_depth);
    fputc('\n', out);
}

static void print_published(FILE *out, int width, const sc_track *track)
{
    char label[SC_NAME_MAX], text[2 * SC_NAME_MAX], clean[2 * SC_NAME_MAX];
    const bool apple = strncmp(track->published_source, "Apple ", 6) == 0;
    const sc_format format = {.name = track->name,
                              .width = track->width,
                              .height = track->height,
                              .frame_rate = track->frame_rate,
                              .interlaced = track->scan >= SC_SCAN_TOP_FIRST};
    if (track->published_ratio < 0 || track->published_bits_per_s <= 0)
        return;
    sc_format_label(&format, label, sizeof label);
    snprintf(text, sizeof text, "%.0f %% of %s rate for %s", track->published_ratio * 100,
             apple ? "Apple's published" : "the published", label);
    text_wrap(out, width, "                   ", text_clean(text, clean, sizeof clean));
}

static void print_groups(FILE *out, const sc_clip *clip)
{
    char rate[80];
    if (clip->worst_gop_bits_per_s < 0)
        return;
    fprintf(out, "  %-16s %s", "worst GOP",
            text_rate((double)clip->worst_gop_bits_per_s, rate, sizeof rate));
    if (clip->longest_gop_frames == 1)
        fputs(", every frame is one", out);
    else if (clip->longest_gop_frames > 1)
        fprintf(out, ", up to %lld frames", (long long)clip->longest_gop_frames);
    fputc('\n', out);
}

/* R(B) of the model: a stream never needs less than the mean of its busiest minute. */
static double required_at(const sc_clip *clip, double prefill_s)
{
    for (size_t i = 0; i < SC_REQUIRED_COUNT; i++)
        if (clip->required[i].prefill_s == prefill_s) {
            int64_t required = clip->required[i].bits_per_s, mean = clip->busiest_60s_bits_per_s;
            return (double)(required > mean || required < 0 ? required : mean);
        }
    return -1;
}

static void print_rates(FILE *out, const sc_clip *clip)
{
    print_pair(out, "one stream", (double)clip->demand_bits_per_s);
    if (clip->busiest_60s_bits_per_s != clip->demand_bits_per_s)
        print_pair(out, "busiest minute", (double)clip->busiest_60s_bits_per_s);
    print_pair(out, "busiest second", (double)clip->peak_1s_bits_per_s);
    print_pair(out, "with 1 s buffer", required_at(clip, 1));
}

/* FFmpeg names a demuxer by all that it reads, "mov,mp4,m4a,3gp,3g2,mj2": two of them will do. */
static int container_length(const char *container)
{
    const char *comma = strchr(container, ',');
    const char *second = comma ? strchr(comma + 1, ',') : NULL;
    return (int)(second ? (size_t)(second - container) : strlen(container));
}

static void print_sequence(FILE *out, const sc_sequence *sequence)
{
    if (sequence->files)
        fprintf(out, "  %-16s %lld, numbered %lld to %lld: one file is opened for each\n", "frames",
                (long long)sequence->files, (long long)sequence->first_number,
                (long long)sequence->last_number);
}

static void print_clip(FILE *out, int width, const sc_clip *clip)
{
    char path[3 * SC_PATH_MAX], size[40], duration[40], frame[40];
    struct finding_list findings = {clip->findings, clip->finding_count, {NULL}};
    fprintf(out, "%s\n", text_clean(clip->path, path, sizeof path));
    fprintf(out, "  %-16s %.*s, %s, %s\n", "container", container_length(clip->container),
            clip->container, text_bytes((double)clip->size_bytes, size, sizeof size),
            text_seconds(clip->duration_s, duration, sizeof duration));
    print_sequence(out, &clip->sequence);
    print_rates(out, clip);
    print_groups(out, clip);
    fprintf(out, "  %-16s %s\n", "largest frame",
            text_bytes((double)clip->largest_frame_bytes, frame, sizeof frame));
    fprintf(out, "  %-16s %s, %lld read%s\n", "known from", sc_source_name(clip->source),
            (long long)clip->reads, clip->reads == 1 ? "" : "s");
    for (size_t i = 0; i < clip->track_count; i++) {
        print_track(out, width, &clip->tracks[i]);
        print_picture(out, &clip->tracks[i]);
        print_published(out, width, &clip->tracks[i]);
    }
    for (size_t i = 0; i < clip->part_count; i++)
        fprintf(out, "  %-16s %s\n", i ? "" : "parts",
                text_clean(clip->parts[i], path, sizeof path));
    print_flags(out, width, clip);
    output_findings(out, width, findings);
}

static void print_text(const struct media *media, struct cli *cli)
{
    struct finding_list findings = {media->all.findings, media->all.finding_count, {NULL}};
    bool first = true;
    for (size_t i = 0; i < media->all.clip_count; i++) {
        if (media->all.clips[i].error.status != SC_OK)
            continue;
        fputs(first ? "" : "\n", cli->out);
        print_clip(cli->out, cli->width, &media->all.clips[i]);
        first = false;
    }
    media_print_unread(media, cli->out, cli->width);
    output_findings(cli->out, cli->width, findings);
}

static int probe_whole(struct cli *cli)
{
    struct media media = {0};
    sc_error error = {0};
    int code = EXIT_ANSWERED;
    sc_status status = media_probe(&media, cli, cli->options.operands, cli->options.operand_count,
                                   &error);
    size_t failed = media_complain(&media, cli);
    bool answered = media.all.clip_count > 0;
    if (!answered) {
        code = output_fail(cli, &error);
    } else if (cli->options.json) {
        char *json = NULL;
        sc_error cause = {0};
        sc_status written = sc_probe_to_json(&media.all, &json, &cause);
        code = output_json(cli, written, &json, &cause);
    } else {
        print_text(&media, cli);
    }
    if (answered && status == SC_CANCELLED) {
        output_complain(cli, "", "interrupted: the files that follow were not looked at");
        code = EXIT_INTERRUPTED;
    } else if (failed) {
        code = EXIT_FAILED;
    }
    media_free(&media);
    return code;
}

/* ---- a line a clip ---- */

struct lines {
    struct cli *cli;
    size_t failed;
    sc_error error; /* of writing */
};

static int print_line(void *opaque, const sc_clip *clip, size_t path_index, size_t place)
{
    struct lines *lines = opaque;
    char made_at[SC_TIME_MAX], *json = NULL;
    (void)path_index;
    (void)place;
    sc_time_now(made_at);
    if (sc_clip_to_json(clip, made_at, &json, &lines->error) != SC_OK)
        return 1;
    bool written = output_line(lines->cli, json);
    sc_string_free(&json);
    if (written && clip->error.status != SC_OK) {
        lines->failed++;
        output_complain(lines->cli, clip->path, clip->error.message);
    }
    return !written;
}

static int probe_lines(struct cli *cli)
{
    struct lines lines = {.cli = cli};
    sc_probe_params params = cli_probe_params(cli);
    sc_probe *probe = NULL;
    sc_error error = {0};
    if (cli->options.json) {
        option_fail(&error, SC_INVALID_ARGUMENT, "--json and --ndjson are two forms; give one");
        return output_fail(cli, &error);
    }
    params.on_clip = print_line;
    params.on_clip_opaque = &lines;
    params.discard = true;
    sc_status status = sc_probe_many(cli->options.operands, cli->options.operand_count, &params,
                                     &probe, &error);
    progress_erase(&cli->progress);
    if (probe && !cli->write_errno)
        output_findings(stderr, cli->width,
                        (struct finding_list){probe->findings, probe->finding_count, {NULL}});
    sc_probe_free(&probe);
    if (cli->write_errno)
        return EXIT_FAILED;
    if (lines.error.status != SC_OK)
        return output_fail(cli, &lines.error);
    if (status == SC_CANCELLED)
        output_complain(cli, "", "interrupted: the files that follow were not looked at");
    else if (status != SC_OK && !lines.failed)
        return output_fail(cli, &error);
    return status == SC_CANCELLED ? EXIT_INTERRUPTED : lines.failed ? EXIT_FAILED : EXIT_ANSWERED;
}

int cmd_probe(struct cli *cli)
{
    return cli->options.ndjson ? probe_lines(cli) : probe_whole(cli);
}
