/* Times the probe in this process, as key=value lines.
 *
 *   probe_calls each RUNS FILE...      each file, cold: the probe, then a scan by av_read_frame
 *   probe_calls alone FILE             one probe, cold, and the most memory that the process took
 *   probe_calls many PARALLEL FILE...  all files in one call, cold; 0 is the default
 *   probe_calls show FILE...           opens each file, cold, and finds its streams, as ffprobe does
 *   probe_calls cool FILE...           drops the files from the cache
 * cached counts the pages that did not leave the cache before the run; -1: this kernel cannot tell.
 */
#include "cold.h"

#include <libavformat/avformat.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <streamcalc/probe.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { RUNS_MAX = 99 };

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[count / 2];
}

static int64_t cool(const char *const *paths, size_t count)
{
    int64_t cached = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t pages = make_cold(paths[i]);
        cached = pages < 0 || cached < 0 ? -1 : cached + pages;
    }
    return cached;
}

/* NULL after a failure, which it names. */
static sc_probe *probe(const char *const *paths, size_t count, int32_t parallel, double *seconds)
{
    const sc_probe_params params = {.parallel = parallel};
    sc_probe *result = NULL;
    sc_error error = {0};
    double start = now_s();
    sc_status status = sc_probe_many(paths, count, &params, &result, &error);
    *seconds = now_s() - start;
    if (status == SC_OK)
        return result;
    fprintf(stderr, "probe_calls: %s\n", error.message);
    sc_probe_free(&result);
    return NULL;
}

static int64_t scan(const char *path, double *seconds)
{
    AVFormatContext *format = NULL;
    AVPacket *packet = av_packet_alloc();
    int64_t packets = 0;
    double start = now_s();
    if (packet && avformat_open_input(&format, path, NULL, NULL) == 0) {
        avformat_find_stream_info(format, NULL);
        for (; av_read_frame(format, packet) >= 0; packets++)
            av_packet_unref(packet);
    }
    avformat_close_input(&format);
    av_packet_free(&packet);
    *seconds = now_s() - start;
    return packets;
}

static void show(const char *const *paths, size_t count)
{
    int64_t cached = cool(paths, count);
    double start = now_s();
    for (size_t i = 0; i < count; i++) {
        AVFormatContext *format = NULL;
        if (avformat_open_input(&format, paths[i], NULL, NULL) == 0)
            avformat_find_stream_info(format, NULL);
        avformat_close_input(&format);
    }
    printf("show_s=%.6f cached=%" PRId64 "\n", now_s() - start, cached);
}

static int each(const char *path, int runs)
{
    double probe_s[RUNS_MAX], scan_s[RUNS_MAX];
    int64_t cached = 0, packets = 0;
    for (int i = 0; i < runs; i++) {
        int64_t left = make_cold(path);
        cached = left < 0 || left > cached ? left : cached;
        sc_probe *result = probe(&path, 1, 0, &probe_s[i]);
        if (!result)
            return 1;
        const sc_clip *clip = &result->clips[0];
        if (i == 0)
            printf("size=%" PRId64 " bytes=%" PRId64 " reads=%" PRId64 " source=%s flags=%" PRIu32
                   " mbps=%.3f ",
                   clip->size_bytes, clip->bytes_read, clip->reads, sc_source_name(clip->source),
                   clip->flags, (double)clip->demand_bits_per_s / 1e6);
        sc_probe_free(&result);
    }
    for (int i = 0; i < runs; i++) {
        int64_t left = make_cold(path);
        cached = left < 0 || left > cached ? left : cached;
        packets = scan(path, &scan_s[i]);
    }
    printf("probe_s=%.6f scan_s=%.6f packets=%" PRId64 " cached=%" PRId64 "\n",
           median(probe_s, runs), median(scan_s, runs), packets, cached);
    return 0;
}

static int many(const char *const *paths, size_t count, int32_t parallel)
{
    int64_t bytes = 0, cached = cool(paths, count);
    size_t failed = 0;
    struct rusage usage;
    double seconds;
    sc_probe *result = probe(paths, count, parallel, &seconds);
    if (!result)
        return 1;
    for (size_t i = 0; i < result->clip_count; i++) {
        bytes += result->clips[i].bytes_read;
        failed += result->clips[i].error.status != SC_OK;
    }
    getrusage(RUSAGE_SELF, &usage);
    printf("clips=%zu failed=%zu probe_s=%.6f bytes=%" PRId64 " rss_kib=%ld cached=%" PRId64 "\n",
           result->clip_count, failed, seconds, bytes, usage.ru_maxrss, cached);
    sc_probe_free(&result);
    return failed != 0;
}

int main(int argc, char **argv)
{
    const char *verb = argc > 2 ? argv[1] : "";
    const char *const *rest = (const char *const *)argv + 2;
    int number = atoi(argc > 2 ? argv[2] : "0"), status = 0;
    sc_probe_quiet_ffmpeg();
    if (strcmp(verb, "cool") == 0)
        printf("cached=%" PRId64 "\n", cool(rest, (size_t)argc - 2));
    else if (strcmp(verb, "show") == 0)
        show(rest, (size_t)argc - 2);
    else if (strcmp(verb, "alone") == 0)
        status = many(rest, 1, 1);
    else if (strcmp(verb, "many") == 0 && argc > 3)
        status = many(rest + 1, (size_t)argc - 3, number);
    else if (strcmp(verb, "each") == 0 && argc > 3 && number > 0 && number <= RUNS_MAX)
        for (int i = 3; i < argc && !status; i++)
            status = each(argv[i], number);
    else
        status = 2;
    return status;
}
