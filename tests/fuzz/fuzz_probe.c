/* Probes what the fuzzer gives as a file, and checks that the figures of a clip belong together.
   Entry point of libFuzzer; run_corpus.c calls it without one. */
#include <libavutil/mem.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <streamcalc/probe.h>
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const sc_probe_params params = params_for(size);
    char path[64];
    const char *paths[] = {path};
    sc_probe *probe = NULL;
    int file = memfd_create("clip", MFD_CLOEXEC);
    require(file >= 0 && write(file, data, size) == (ssize_t)size, "a file in memory");
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
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
