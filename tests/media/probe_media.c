/* Probes every file of a folder of real media and compares packets and bytes of each track with an
 * independent reading of the whole file. Exit 77 when there is no such folder.
 *
 * usage: probe_media [-v] [FOLDER]
 */
#include "reading.h"

#include <streamcalc/probe.h>

#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { FILES_MAX = 4096 };

static const char *files[FILES_MAX];
static size_t file_count;
static int failures;

#define CHECK(condition, path, ...)                                                                \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            failures++;                                                                            \
            printf("FAILED %s: ", path);                                                           \
            printf(__VA_ARGS__);                                                                   \
            printf(" (%s)\n", #condition);                                                         \
        }                                                                                          \
    } while (0)

/* ---- what is known of some of the files: from their makers, ffprobe and MediaInfo ---- */

static const struct {
    const char *ending;
    const char *format; /* sc_clip_format(), or a part of the error when there is no clip */
    sc_source source;   /* SC_SOURCE_NONE: an error is expected */
    uint32_t flags;     /* that have to be set */
} expected[] = {
    {"Sequence_1-Apple_ProRes_422_Proxy.mp4", "ProRes 422 Proxy 1920x1080 29.97",
     SC_SOURCE_FILE_INDEX, 0},
    {"Sequence_1-Apple_ProRes_422_LT.mp4", "ProRes 422 LT 1920x1080 29.97", SC_SOURCE_FILE_INDEX,
     0},
    {"Sequence_1-Apple_ProRes_with_Alpha.mp4", "ProRes 4444 1920x1080 29.97", SC_SOURCE_FILE_INDEX,
     0},
    {"apple-prores-422-hq.mov", "ProRes 422 HQ 320x240 25", SC_SOURCE_FILE_INDEX, 0},
    {"prores_zlib.mkv", "ProRes 422 1920x1080 29.97", SC_SOURCE_HEADER_WALK, 0},
    {"Meridian-Apple_ProResProxy-HDR10.mp4", "ProRes 422 Proxy 1280x720 59.94",
     SC_SOURCE_EDIT_UNITS, 0},
    {"dnxhd100_cid1260.mp4", "DNxHD 100 TR+ 1440x1080 29.97", SC_SOURCE_FILE_INDEX, 0},
    {"dnxhr444_cid1270.mp4", "DNxHR 444 1920x839 24", SC_SOURCE_FILE_INDEX, 0},
    {"dnxhr_cid1271_12bit.mp4", "DNxHR HQX 1920x1080 24", SC_SOURCE_FILE_INDEX, 0},
    {"multiple_components.mp4", "DNxHR LB 640x480 23.976", SC_SOURCE_EDIT_UNITS, 0},
    {"cineform_yuv10b_hd.mp4", "CineForm 1920x1080 24", SC_SOURCE_FILE_INDEX, 0},
    {"cfhd_odd.mp4", "CineForm 496x241 14.587", SC_SOURCE_FILE_INDEX, 0},
    {"dv84.mp4", "HEVC Main 10 1920x1080 29.97", SC_SOURCE_FILE_INDEX, 0},
    {"sample_edit_list.mp4", "HEVC Main 10 1920x1080", SC_SOURCE_FILE_INDEX,
     SC_CLIP_VARIABLE_FRAME_RATE},
    {"Sony-00001.mp4", "IMX 50 720x608 25", SC_SOURCE_EDIT_UNITS, 0},
    {"SonyXAVC_LongGOP_green_pixelation_early_Frames.mp4", "XAVC Long GOP 1920x1080 25",
     SC_SOURCE_EDIT_UNITS, SC_CLIP_TRUNCATED},
    {"mp4-with-mov-in24-ver.mp4", "H.264 Main 1280x720 50", SC_SOURCE_FILE_INDEX,
     SC_CLIP_TRUNCATED},
    {"large_stbl_truncated_after_moov.m4b", "AAC 44100 Hz 1 ch", SC_SOURCE_FILE_INDEX,
     SC_CLIP_TRUNCATED | SC_CLIP_NO_VIDEO},
    {"bbb5s_aac_sidx.mp4", "AAC 48000 Hz 2 ch", SC_SOURCE_FILE_INDEX, SC_CLIP_NO_VIDEO},
    {"dv-pal-interlaced.mov", "DV 720x576 25", SC_SOURCE_FILE_INDEX, 0},
    {"xdcam-hd422-720p50.mov", "XDCAM HD422 1280x720", SC_SOURCE_FILE_INDEX, 0},
    {"Owner-iTunes_9.0.3.15.mp4", "AAC 44100 Hz 2 ch", SC_SOURCE_FILE_INDEX, SC_CLIP_NO_VIDEO},
    {"2018-04-12_19_24_49.mov", "the file is empty", SC_SOURCE_NONE, 0},
    {"8bit.00000000.dpx", "a single picture", SC_SOURCE_NONE, 0},
    {"Matroska.mkv", "header is damaged", SC_SOURCE_NONE, 0},
};

/* Demands known exactly, in bits a second: frame bytes of the codec's own tables, and sums of what is
   stored, once each though edit lists repeat it, and compressed as it is. */
static const struct {
    const char *ending;
    int64_t demand_bits_per_s;
} demands[] = {
    {"dnxhd100_cid1260.mp4", 100169910},
    {"dnxhr444_cid1270.mp4", 1429504LL * 8 * 24},
    {"dnxhr_cid1271_12bit.mp4", 917504LL * 8 * 24},
    {"dv-pal-interlaced.mov", 28802560},
    {"mov-3elist.mp4", 28669LL * 8 / 2},
    {"prores_zlib.mkv", (38548 - 5488) * 8LL * 30000 / 1001 / 2},
};

static bool ends_with(const char *path, const char *ending)
{
    size_t a = strlen(path), b = strlen(ending);
    return a >= b && strcmp(path + a - b, ending) == 0;
}

/* ---- against an independent reading ---- */

static bool has_finding(const sc_clip *clip, const char *code)
{
    for (size_t i = 0; i < clip->finding_count; i++)
        if (strcmp(clip->findings[i].code, code) == 0)
            return true;
    return false;
}

/* A reference movie: its media cannot be read from it. */
static bool external(const sc_clip *clip)
{
    return has_finding(clip, "external-media");
}

static int64_t played_bytes(const sc_clip *clip)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < clip->track_count; i++)
        if (clip->tracks[i].played)
            bytes += clip->tracks[i].bytes;
    return bytes;
}

static void compare_tracks(const sc_clip *clip)
{
    const struct reading reading = read_whole_file(clip->path);
    const bool cut = clip->flags & (SC_CLIP_TRUNCATED | SC_CLIP_LIMITED);
    const bool indexed = clip->source == SC_SOURCE_FILE_INDEX ||
                         clip->source == SC_SOURCE_EDIT_UNITS;
    CHECK(reading.read, clip->path, "only the probe could open it");
    for (size_t i = 0; i < clip->track_count && i < reading.tracks; i++) {
        const sc_track *track = &clip->tracks[i];
        /* Sound that lies within the frames of DV has no bytes of its own. */
        if (!track->played || track->bytes < 0)
            continue;
        if (external(clip)) {
            CHECK(reading.packets[i] == 0 && track->packets > 0, clip->path, "track %zu", i);
            continue;
        }
        if (indexed && cut) {
            CHECK(track->bytes >= reading.bytes[i], clip->path, "track %zu", i);
            continue;
        }
        /* Of sound as AES3 a demuxer gives less than lies in the file. */
        const bool aes3 = strcmp(clip->container, "mxf") == 0 && track->kind == SC_TRACK_AUDIO &&
                          strncmp(clip->tracks[0].name, "IMX", 3) == 0;
        const int64_t difference = track->bytes - reading.bytes[i];
        if (cut) {
            /* A demuxer may hand out the part of a frame that is there. */
            CHECK(difference <= 0, clip->path, "track %zu", i);
            continue;
        }
        if (aes3)
            CHECK(difference >= 0, clip->path, "track %zu", i);
        else if (has_finding(clip, "encoded-blocks"))
            CHECK(difference < 0, clip->path, "track %zu", i);
        else if (track->source == SC_SOURCE_ESTIMATED)
            CHECK(llabs(difference) * 200 <= played_bytes(clip), clip->path,
                  "track %zu: estimated %lld bytes, read %lld", i, (long long)track->bytes,
                  (long long)reading.bytes[i]);
        else
            CHECK(difference == 0, clip->path, "track %zu: %lld bytes, read %lld", i,
                  (long long)track->bytes, (long long)reading.bytes[i]);
        /* Sound that was not read is kept in chunks that a reader may join or split. */
        if (track->kind == SC_TRACK_VIDEO || !(indexed || clip->source == SC_SOURCE_HEADER_CLAIM))
            CHECK(track->packets == reading.packets[i], clip->path,
                  "track %zu: %lld packets, read %lld", i, (long long)track->packets,
                  (long long)reading.packets[i]);
    }
}

/* ---- what must hold for every clip ---- */

static void check_figures(const sc_clip *clip)
{
    const sc_curve *curve = &clip->curve;
    int64_t total = 0;
    for (size_t i = 0; i < clip->trace.count; i++)
        total += clip->trace.bytes[i];
    CHECK(clip->duration_s > 0 && isfinite(clip->duration_s), clip->path, "duration");
    CHECK(clip->demand_bits_per_s > 0, clip->path, "demand");
    CHECK(fabs((double)total * 8 / clip->duration_s - (double)clip->demand_bits_per_s) <
              2 + 1e-6 * (double)clip->demand_bits_per_s,
          clip->path, "trace of %lld bytes", (long long)total);
    CHECK(clip->busiest_60s_bits_per_s >= clip->demand_bits_per_s, clip->path, "busiest minute");
    CHECK(clip->peak_1s_bits_per_s >= clip->demand_bits_per_s, clip->path, "busiest second");
    CHECK(curve->count > 0 && curve->max_bytes[curve->count - 1] == total, clip->path, "curve");
    for (int i = 1; i < curve->count; i++)
        CHECK(curve->window_s[i] > curve->window_s[i - 1] &&
                  curve->max_bytes[i] >= curve->max_bytes[i - 1],
              clip->path, "window %d", i);
    for (int i = 1; i < SC_REQUIRED_COUNT; i++)
        CHECK(clip->required[i].bits_per_s <= clip->required[i - 1].bits_per_s, clip->path,
              "prefill %d", i);
    if (clip->source == SC_SOURCE_FILE_INDEX) {
        CHECK(total >= played_bytes(clip), clip->path, "less than its tracks");
        CHECK(clip->bytes_read < clip->size_bytes + 256 * 1024, clip->path, "read too much");
    } else {
        CHECK(total <= clip->size_bytes ||
                  (clip->source == SC_SOURCE_EDIT_UNITS && clip->flags & SC_CLIP_TRUNCATED),
              clip->path, "more than the file");
    }
}

static void check_expected(const sc_clip *clip)
{
    char format[SC_TEXT_MAX] = "";
    sc_clip_format(clip, format, sizeof format);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        if (!ends_with(clip->path, expected[i].ending))
            continue;
        if (expected[i].source == SC_SOURCE_NONE) {
            CHECK(strstr(clip->error.message, expected[i].format), clip->path, "%s",
                  clip->error.message);
            continue;
        }
        CHECK(strstr(format, expected[i].format), clip->path, "%s", format);
        CHECK(clip->source == expected[i].source, clip->path, "%s", sc_source_name(clip->source));
        CHECK((clip->flags & expected[i].flags) == expected[i].flags, clip->path, "flags %x",
              clip->flags);
    }
    for (size_t i = 0; i < sizeof demands / sizeof demands[0]; i++)
        if (ends_with(clip->path, demands[i].ending))
            CHECK(llabs(clip->demand_bits_per_s - demands[i].demand_bits_per_s) <= 1000, clip->path,
                  "demand %lld", (long long)clip->demand_bits_per_s);
}

static void check_error(const sc_clip *clip)
{
    const char *message = clip->error.message;
    CHECK(strlen(message) > 10 && !strchr(message, '\n'), clip->path, "message \"%s\"", message);
    CHECK(strcmp(clip->error.path, clip->path) == 0, clip->path, "path \"%s\"", clip->error.path);
}

/* ---- the folder ---- */

static int collect(const char *path, const struct stat *facts, int type, struct FTW *walk)
{
    (void)facts;
    (void)walk;
    if (type == FTW_F && !ends_with(path, ".md") && file_count < FILES_MAX)
        files[file_count++] = strdup(path);
    return 0;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

struct tally {
    size_t index, scan, sampled, flagged, errors;
    int64_t bytes_read, reads;
};

static bool has_estimates(const sc_clip *clip)
{
    for (size_t i = 0; i < clip->track_count; i++)
        if (clip->tracks[i].source == SC_SOURCE_ESTIMATED)
            return true;
    return false;
}

static void compare_exactly(const char *path)
{
    const sc_probe_params params = {.exact = true};
    sc_probe *probe = NULL;
    sc_probe_many(&path, 1, &params, &probe, NULL);
    CHECK(probe && probe->clip_count == 1 && probe->clips[0].error.status == SC_OK, path, "exact");
    if (probe && probe->clips[0].error.status == SC_OK) {
        CHECK(!has_estimates(&probe->clips[0]), path, "estimates");
        compare_tracks(&probe->clips[0]);
    }
    sc_probe_free(&probe);
}

static void check_clip(const sc_clip *clip, bool verbose, struct tally *tally)
{
    char format[SC_TEXT_MAX];
    sc_clip_format(clip, format, sizeof format);
    if (verbose)
        printf("%s\n  %s %.3f Mb/s %s%s\n", clip->path, format,
               (double)clip->demand_bits_per_s / 1e6, sc_source_name(clip->source),
               clip->error.message);
    check_expected(clip);
    tally->bytes_read += clip->bytes_read;
    tally->reads += clip->reads;
    if (clip->error.status != SC_OK) {
        tally->errors++;
        check_error(clip);
        return;
    }
    tally->index += clip->source == SC_SOURCE_FILE_INDEX;
    tally->scan += clip->source == SC_SOURCE_SCAN;
    tally->sampled += clip->source == SC_SOURCE_SAMPLED;
    tally->flagged += (clip->flags & ~(uint32_t)(SC_CLIP_NO_INDEX | SC_CLIP_NO_VIDEO)) != 0;
    check_figures(clip);
    compare_tracks(clip);
    if (has_estimates(clip))
        compare_exactly(clip->path);
}

static void probe_all(bool verbose)
{
    sc_probe *probe = NULL;
    sc_error error = {0};
    struct tally tally = {0};
    double start = now();
    sc_status status = sc_probe_many(files, file_count, NULL, &probe, &error);
    double seconds = now() - start;
    CHECK(status == SC_OK && probe, "all", "%s", error.message);
    if (!probe)
        return;
    CHECK(probe->clip_count == file_count, "all", "%zu clips", probe->clip_count);
    for (size_t i = 0; i < probe->clip_count; i++)
        check_clip(&probe->clips[i], verbose, &tally);
    printf("%zu files in %.2f s: %zu by index, %zu by scan, %zu sampled, %zu with a flag on their "
           "completeness or rate, %zu with an error; %.1f MB in %lld reads\n",
           file_count, seconds, tally.index, tally.scan, tally.sampled, tally.flagged, tally.errors,
           (double)tally.bytes_read / 1e6, (long long)tally.reads);
    sc_probe_free(&probe);
}

/* A folder of frames of which one is cut off, where it is there. */
static void probe_frames(const char *path)
{
    char *folder = strdup(path);
    sc_probe *probe = NULL;
    char format[SC_TEXT_MAX] = "";
    *strrchr(folder, '/') = '\0';
    const char *const paths[] = {folder};
    sc_status status = sc_probe_many(paths, 1, NULL, &probe, NULL);
    CHECK(status == SC_OK && probe->clip_count == 1, folder, "status %d", status);
    if (status == SC_OK && probe->clip_count == 1) {
        const sc_clip *clip = &probe->clips[0];
        sc_clip_format(clip, format, sizeof format);
        CHECK(ends_with(clip->path, "8bit.%08d.dpx"), folder, "%s", clip->path);
        CHECK(clip->sequence.files == 3 && clip->sequence.last_number == 2, folder, "frames");
        CHECK(strcmp(format, "DPX 8 600x402 24") == 0, folder, "%s", format);
        CHECK(clip->size_bytes == 2 * 725648 + 131072, folder, "%lld bytes",
              (long long)clip->size_bytes);
        CHECK(has_finding(clip, "short-frames"), folder, "findings");
        check_figures(clip);
    }
    sc_probe_free(&probe);
    free(folder);
}

int main(int argc, char **argv)
{
    const char *folder = getenv("STREAMCALC_MEDIA");
    bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    if (argc > 1 + verbose)
        folder = argv[1 + verbose];
    if (!folder || !folder[0])
        folder = MEDIA_DIR;
    if (nftw(folder, collect, 16, FTW_PHYS) != 0 || file_count == 0) {
        printf("skipped: no media in %s; STREAMCALC_MEDIA names the folder\n", folder);
        return 77;
    }
    sc_probe_quiet_ffmpeg();
    probe_all(verbose);
    for (size_t i = 0; i < file_count; i++)
        if (ends_with(files[i], "8bit.00000000.dpx"))
            probe_frames(files[i]);
    for (size_t i = 0; i < file_count; i++)
        free((void *)(uintptr_t)files[i]);
    printf("%d failures\n", failures);
    return failures ? 1 : 0;
}
