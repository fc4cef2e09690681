/* Prints what sc_measure finds as key=value lines, for the lab tests. measure_tool PATH
   [player=P] [cache=M] [seconds=S] [stall=S] [cancel=S] [max=N] [lowest=RATE] [create=SIZE]
   [write=1] [writers=N] [jumps=0] [stream=RATE]...: also the counts of the planner for such
   streams */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <streamcalc/measure.h>
#include <streamcalc/plan.h>
#include <string.h>
#include <sys/resource.h>

static int cancel_when_due(void *opaque, const sc_progress *progress)
{
    const double *after_s = opaque;
    return progress->elapsed_s > *after_s;
}

struct streams {
    size_t count;
    const char *rates[8];
};

static sc_status add_stream(struct streams *streams, const char *rate)
{
    if (streams->count == sizeof streams->rates / sizeof streams->rates[0])
        return SC_LIMIT;
    streams->rates[streams->count++] = rate;
    return SC_OK;
}

static int set_option(const char *option, sc_measure_params *params, double *cancel_s,
                      struct streams *streams)
{
    const char *value = strchr(option, '=');
    size_t length = value ? (size_t)(value++ - option) : 0;
    sc_error error = {0};
    sc_status status = SC_OK;
    if (length == 6 && strncmp(option, "player", length) == 0)
        status = sc_player_parse(value, &params->player, &error);
    else if (length == 5 && strncmp(option, "cache", length) == 0)
        status = sc_cache_mode_parse(value, &params->cache, &error);
    else if (length == 7 && strncmp(option, "seconds", length) == 0)
        params->seconds = strtod(value, NULL);
    else if (length == 5 && strncmp(option, "stall", length) == 0)
        params->stall_s = strtod(value, NULL);
    else if (length == 6 && strncmp(option, "cancel", length) == 0)
        *cancel_s = strtod(value, NULL);
    else if (length == 3 && strncmp(option, "max", length) == 0)
        params->max_readers = (int32_t)strtol(value, NULL, 10);
    else if (length == 6 && strncmp(option, "lowest", length) == 0)
        status = sc_parse_rate(value, &params->lowest_stream_bits_per_s, &error);
    else if (length == 6 && strncmp(option, "create", length) == 0)
        status = sc_parse_bytes(value, &params->create_bytes, &error);
    else if (length == 5 && strncmp(option, "write", length) == 0)
        params->write = true;
    else if (length == 7 && strncmp(option, "writers", length) == 0)
        params->with_writers = (int32_t)strtol(value, NULL, 10);
    else if (length == 5 && strncmp(option, "jumps", length) == 0)
        params->scrub_bytes = strcmp(value, "0") == 0 ? -1 : 0;
    else if (length == 6 && strncmp(option, "stream", length) == 0)
        status = add_stream(streams, value);
    else
        status = SC_INVALID_ARGUMENT;
    if (status != SC_OK)
        fprintf(stderr, "%s: %s\n", option, error.message);
    return status != SC_OK;
}

static void print_point(const sc_supply_point *point)
{
    printf("point readers=%" PRId32 " mean=%.0f median=%.0f p05=%.0f p50_ms=%.3f p99_ms=%.3f "
           "max_ms=%.3f gap_ms=%.1f samples=%" PRId64 " seconds=%.2f cold=%d windows=",
           point->readers, point->mean_bytes_per_s, point->median_bytes_per_s,
           point->p05_bytes_per_s, point->latency_p50_s * 1e3, point->latency_p99_s * 1e3,
           point->latency_max_s * 1e3, point->longest_gap_s * 1e3, point->samples, point->seconds,
           point->cold);
    for (int32_t i = 0; i < point->window_count; i++)
        printf("%s%g:%" PRId64, i ? "," : "", point->window_s[i], point->worst_window_bytes[i]);
    printf("\n");
}

static void print_writes(const sc_storage *storage)
{
    for (size_t i = 0; i < storage->write_point_count; i++)
        printf("write writers=%" PRId32 " mean=%.0f p99_ms=%.3f samples=%" PRId64
               " seconds=%.2f synced=%d\n",
               storage->write_points[i].readers, storage->write_points[i].mean_bytes_per_s,
               storage->write_points[i].latency_p99_s * 1e3, storage->write_points[i].samples,
               storage->write_points[i].seconds, storage->write_synced);
}

static void print_storage(const sc_storage *storage)
{
    const sc_storage_facts *facts = &storage->facts;
    printf("mount=%s\nfs=%s\ndevice=%s\noptions=%s\nserver=%s\n", facts->mount_point,
           facts->file_system, facts->device, facts->options, facts->server);
    printf("read_only=%d network=%d memory=%d fuse=%d rotational=%d cache_below=%d free=%" PRId64
           "\n",
           facts->read_only, facts->network, facts->memory, facts->fuse, facts->rotational,
           facts->cache_below, facts->free_bytes);
    printf("cache=%s\nproven=%d\nreason=%s\n", sc_cache_mode_name(storage->cache_effective),
           storage->cache_proven, storage->cache_reason);
    for (size_t i = 0; i < storage->point_count; i++)
        print_point(&storage->points[i]);
    print_writes(storage);
    for (size_t i = 0; i < storage->finding_count; i++)
        printf("finding code=%s severity=%s %s\n", storage->findings[i].code,
               sc_severity_name(storage->findings[i].severity), storage->findings[i].message);
}

static void print_counts(const sc_storage *storage, const char *stream)
{
    sc_demand demand = {0};
    sc_plan *plan = NULL;
    sc_error error = {0};
    const sc_plan_params params = {.demands = &demand, .demand_count = 1, .storage = storage};
    if (sc_demand_parse(stream, &demand, &error) != SC_OK ||
        sc_plan_solve(&params, &plan, &error) != SC_OK) {
        printf("plan error=%s\n", error.message);
        return;
    }
    printf("plan stream=%s safe=%" PRId64 " naive=%" PRId64 " limit=%s window=%g\n", stream,
           plan->answers[0].safe, plan->answers[0].naive,
           sc_limit_kind_name(plan->answers[0].limit.kind), plan->answers[0].limit.window_s);
    sc_plan_free(&plan);
}

/* Of the whole process: what it has read, and what that took of the processors. */
static void print_costs(void)
{
    struct rusage usage;
    long long bytes = -1;
    FILE *counts = fopen("/proc/self/io", "r");
    if (counts && fscanf(counts, "rchar: %lld", &bytes) != 1)
        bytes = -1;
    if (counts)
        fclose(counts);
    getrusage(RUSAGE_SELF, &usage);
    printf("cost read_bytes=%lld user_s=%.6f system_s=%.6f\n", bytes,
           (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6,
           (double)usage.ru_stime.tv_sec + (double)usage.ru_stime.tv_usec / 1e6);
}

int main(int argc, char **argv)
{
    sc_measure_params params = {0};
    sc_storage *storage = NULL;
    sc_error error = {0};
    struct streams streams = {0};
    double cancel_s = 0;
    for (int i = 2; i < argc; i++)
        if (set_option(argv[i], &params, &cancel_s, &streams))
            return 2;
    if (cancel_s > 0)
        params.control = (sc_control){.progress = cancel_when_due, .progress_opaque = &cancel_s};
    sc_status status = sc_measure(argc > 1 ? argv[1] : "", &params, &storage, &error);
    printf("status=%s\n", sc_status_name(status));
    if (status != SC_OK)
        printf("error where=%s errno=%d %s\n", error.where, error.os_errno, error.message);
    if (storage)
        print_storage(storage);
    for (size_t i = 0; storage && i < streams.count; i++)
        print_counts(storage, streams.rates[i]);
    print_costs();
    fflush(stdout); /* the process itself may have to wait for reads that are stuck */
    sc_storage_free(&storage);
    return status == SC_OK ? 0 : 1;
}
