/* Probes what the fuzzer gives as a file, and checks that the figures of a clip belong together.
   Entry point of libFuzzer; run_corpus.c calls it without one. */
#include <errno.h>
#include <libavutil/mem.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <streamcalc/probe.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "does not hold: %s\n", what);
    abort();
}

static void check_tracks(const sc_clip *clip)
{
    for (size_t i = 0; i < clip->track_count; i++) {
        const sc_track *track = &clip->tracks[i];
        require(track->codec && track->name, "a track has its names");
        require(track->packets >= SC_UNKNOWN && track->bytes >= SC_UNKNOWN, "tracks are counted");
        require(isfinite(track->duration_s), "a track's duration is a number");
        require(track->frame_rate.num >= 0 && track->frame_rate.den >= 0, "rates are positive");
    }
}

static void check_curve(const sc_clip *clip)
{
    const sc_curve *curve = &clip->curve;
    int64_t total = 0;
    for (size_t i = 0; i < clip->trace.count; i++) {
        require(clip->trace.bytes[i] >= 0, "a step of the trace holds bytes");
        total += clip->trace.bytes[i];
    }
    require(curve->count > 0 && curve->count <= SC_WINDOWS_MAX, "there is a curve");
    require(curve->max_bytes[curve->count - 1] == total, "trace and curve add up to the same");
    for (int32_t i = 0; i < curve->count; i++) {
        require(isfinite(curve->mean_bytes[i]) && isfinite(curve->stdev_bytes[i]),
                "windows have a mean");
        require(i == 0 || (curve->window_s[i] > curve->window_s[i - 1] &&
                           curve->max_bytes[i] >= curve->max_bytes[i - 1]),
                "windows ascend");
    }
}

static void check_clip(const sc_clip *clip)
{
    require(clip->path && clip->container, "a clip has its names");
    if (clip->error.status != SC_OK) {
        require(clip->error.message[0] && clip->error.path[0], "an error says what and where");
        return;
    }
    require(clip->duration_s > 0 && isfinite(clip->duration_s), "a clip lasts");
    require(clip->demand_bits_per_s >= 0, "there is a demand");
    require(clip->busiest_60s_bits_per_s >= clip->demand_bits_per_s &&
                clip->peak_1s_bits_per_s >= clip->demand_bits_per_s,
            "peaks are not below the mean");
    for (int i = 1; i < SC_REQUIRED_COUNT; i++)
        require(clip->required[i].bits_per_s <= clip->required[i - 1].bits_per_s,
                "more prefill needs no higher rate");
    check_tracks(clip);
    check_curve(clip);
}

/* The length chooses, so that one corpus does for all. */
static sc_probe_params params_for(size_t size)
{
    return (sc_probe_params){
        .max_bytes = size & 2 ? 16 << 10 : 4 << 20, .max_seconds = 2, .exact = size & 1};
}

/* libavformat asks for gigabytes where a header of some bytes says so: the limits of the probe end
   that, but what the probe itself asks for would not be seen beside it. */
enum { FFMPEG_BYTES_AT_ONCE = 8 << 20 };

/* Pictures are probed as a sequence of two, which are links to the same file in memory. */
enum { PICTURE_FILE = 500 };

static const struct {
    const char magic[5], ending[4];
} pictures[] = {{"SDPX", "dpx"},       {"XPDS", "dpx"},     {"\x76\x2f\x31\x01", "exr"},
                {"II\x2a\0", "tif"},   {"MM\0\x2a", "dng"}, {"\xff\x4f\xff\x51", "j2k"},
                {"\0\0\0\x0c", "jp2"}, {"\x89PNG", "png"},  {"\xff\xd8\xff\xe0", "jpg"},
                {"\0\0\x02\0", "tga"}};

static char picture_folder[] = "/tmp/fuzz_probe.XXXXXX";

static void remove_pictures(void)
{
    char link[64];
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++)
        for (int k = 1; k <= 2; k++) {
            snprintf(link, sizeof link, "%s/%d.%s", picture_folder, k, pictures[i].ending);
            unlink(link);
        }
    rmdir(picture_folder);
}

static void make_pictures(void)
{
    char target[32], link[64];
    require(mkdtemp(picture_folder), "a folder for pictures");
    atexit(remove_pictures);
    snprintf(target, sizeof target, "/proc/self/fd/%d", PICTURE_FILE);
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++)
        for (int k = 1; k <= 2; k++) {
            snprintf(link, sizeof link, "%s/%d.%s", picture_folder, k, pictures[i].ending);
            require(symlink(target, link) == 0 || errno == EEXIST, "a link to a picture");
        }
}

static void name_input(const uint8_t *data, size_t data_size, int file, char *path, size_t size)
{
    static bool made;
    snprintf(path, size, "/proc/self/fd/%d", file);
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++)
        if (data_size >= 4 && memcmp(data, pictures[i].magic, 4) == 0) {
            if (!made)
                make_pictures();
            made = true;
            require(dup2(file, PICTURE_FILE) == PICTURE_FILE, "a second descriptor");
            snprintf(path, size, "%s/%%d.%s", picture_folder, pictures[i].ending);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const sc_probe_params params = params_for(size);
    char path[64];
    const char *paths[] = {path};
    sc_probe *probe = NULL;
    int file = memfd_create("clip", MFD_CLOEXEC);
    require(file >= 0 && write(file, data, size) == (ssize_t)size, "a file in memory");
    name_input(data, size, file, path, sizeof path);
    sc_probe_quiet_ffmpeg();
    av_max_alloc(FFMPEG_BYTES_AT_ONCE);
    sc_status status = sc_probe_many(paths, 1, &params, &probe, NULL);
    require(probe && probe->clip_count == 1, "a clip for every path");
    require(status == probe->clips[0].error.status, "the call fails with its only clip");
    check_clip(&probe->clips[0]);
    sc_probe_free(&probe);
    close(file);
    return 0;
}
