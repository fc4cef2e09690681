#include "report/fio.h"

#include "io/recorder.h"

#include <math.h>
#include <stdlib.h>

const double sci_fio_quantiles[SCI_FIO_QUANTILES] = {0.5, 0.95, 0.99, 0.999};

static const double NS_MAX = 1e18, COUNT_MAX = 1e15;

/* ---- where fio tells what ---- */

struct source {
    const json_t *whole, *completion; /* from submission to completion; from its end; or NULL */
    double unit_s;
};

/* fio 3 tells nanoseconds, fio 2 microseconds. */
static struct source source_of(const struct sci_fio_job *job)
{
    bool ns = json_object_get(job->read, "lat_ns") || json_object_get(job->read, "clat_ns");
    return (struct source){.whole = json_object_get(job->read, ns ? "lat_ns" : "lat"),
                           .completion = json_object_get(job->read, ns ? "clat_ns" : "clat"),
                           .unit_s = ns ? 1e-9 : 1e-6};
}

/* Of one entry. Quantiles are those of the whole latency where fio was told to keep them, else
   those of the completion, to which the mean time of the submission is added. */
struct part {
    const json_t *bins, *percentiles; /* or NULL */
    double unit_s, added_s, max_s, mean_s, reads;
};

static bool read_part(struct sci_reader *reader, const struct sci_fio_job *job, struct part *part)
{
    struct source source = source_of(job);
    double max, mean, completion;
    bool whole = json_object_get(source.whole, "percentile") ||
                 json_object_get(source.whole, "bins");
    const json_t *from = whole ? source.whole : source.completion;
    if (!sci_fio_number(reader, source.whole ? source.whole : source.completion, "max", NS_MAX,
                        &max) ||
        !sci_fio_number(reader, source.whole, "mean", NS_MAX, &mean) ||
        !sci_fio_number(reader, source.completion, "mean", NS_MAX, &completion))
        return false;
    *part = (struct part){.bins = json_object_get(from, "bins"),
                          .percentiles = json_object_get(from, "percentile"),
                          .unit_s = source.unit_s,
                          .reads = job->reads};
    if (json_object_get(part->bins, "FIO_IO_U_PLAT_BITS"))
        part->bins = NULL; /* fio 2 wrote numbers of bins, not latencies */
    if (mean < 0)
        mean = completion;
    if (!whole && completion >= 0)
        part->added_s = fmax(0, mean - completion) * source.unit_s;
    part->max_s = max < 0 ? -1 : max * source.unit_s;
    part->mean_s = mean < 0 ? -1 : mean * source.unit_s;
    return true;
}

/* ---- bins ---- */

struct bin {
    double latency_s, count;
};

struct bins {
    struct bin *items;
    size_t count, capacity;
    double reads;
};

static int by_latency(const void *a, const void *b)
{
    const struct bin *one = a, *other = b;
    return (one->latency_s > other->latency_s) - (one->latency_s < other->latency_s);
}

static bool key_number(const char *key, double *value)
{
    int64_t mantissa;
    int decimals;
    if (!sci_parse_decimal(&key, &mantissa, &decimals) || *key)
        return false;
    *value = (double)mantissa / pow(10, decimals);
    return true;
}

static bool add_bins(struct sci_reader *reader, const struct part *part, struct bins *bins)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)part->bins, key, value)
    {
        double latency, count = json_number_value(value);
        char shown[32];
        if (!key_number(key, &latency) || !json_is_integer(value) || count < 0 || count > COUNT_MAX)
            return sci_refuse(reader, "bins: '%s' is no latency with its count",
                              sci_shown(shown, sizeof shown, key));
        if (!sci_grow(&bins->items, bins->count, &bins->capacity, sizeof *bins->items))
            return sci_out_of_memory(reader);
        bins->items[bins->count++] = (struct bin){latency * part->unit_s + part->added_s, count};
        bins->reads += count;
    }
    return true;
}

static double bins_quantile(const struct bins *bins, double share)
{
    double sum = 0, rank = ceil(share * bins->reads);
    for (size_t i = 0; i < bins->count; i++) {
        sum += bins->items[i].count;
        if (sum >= rank && sum > 0)
            return bins->items[i].latency_s;
    }
    return -1;
}

static bool from_bins(struct sci_reader *reader, const struct part *parts, size_t count,
                      struct sci_fio_latency *latency)
{
    struct bins bins = {0};
    bool good = true;
    for (size_t i = 0; good && i < count; i++)
        good = add_bins(reader, &parts[i], &bins);
    if (good && bins.count)
        qsort(bins.items, bins.count, sizeof *bins.items, by_latency);
    for (size_t q = 0; good && q < SCI_FIO_QUANTILES; q++)
        latency->quantile_s[q] = bins_quantile(&bins, sci_fio_quantiles[q]);
    free(bins.items);
    return good;
}

/* ---- percentiles ---- */

static bool part_quantile(struct sci_reader *reader, const struct part *part, double share,
                          double *quantile_s)
{
    const char *key;
    json_t *value;
    *quantile_s = -1;
    json_object_foreach((json_t *)part->percentiles, key, value)
    {
        double percent, latency = json_number_value(value);
        if (!key_number(key, &percent) || fabs(percent - share * 100) > 1e-6)
            continue;
        if (!json_is_number(value) || latency < 0 || latency > NS_MAX)
            return sci_refuse(reader, "percentile: that of %g is no latency", percent);
        *quantile_s = latency * part->unit_s + part->added_s;
    }
    return true;
}

/* No quantile of jobs taken together is above the highest of theirs. */
static bool from_percentiles(struct sci_reader *reader, const struct part *parts, size_t count,
                             struct sci_fio_latency *latency)
{
    for (size_t q = 0; q < SCI_FIO_QUANTILES; q++) {
        double worst_s = 0, quantile_s;
        for (size_t i = 0; i < count && worst_s >= 0; i++) {
            if (!part_quantile(reader, &parts[i], sci_fio_quantiles[q], &quantile_s))
                return false;
            worst_s = quantile_s < 0 ? -1 : fmax(worst_s, quantile_s);
        }
        latency->quantile_s[q] = worst_s;
    }
    return true;
}

/* ---- together ---- */

static void add_extremes(const struct part *parts, size_t count, struct sci_fio_latency *latency)
{
    double sum_s = 0, reads = 0;
    for (size_t i = 0; i < count; i++) {
        latency->max_s = fmax(latency->max_s, parts[i].max_s);
        if (parts[i].mean_s < 0)
            continue;
        sum_s += parts[i].mean_s * parts[i].reads;
        reads += parts[i].reads;
    }
    latency->mean_s = reads > 0 ? sum_s / reads : -1;
}

/* fio names a quantile however few its reads are. */
static void drop_unsupported(struct sci_fio_latency *latency, double reads)
{
    for (size_t q = 0; q < SCI_FIO_QUANTILES; q++)
        if (!sci_quantile_is_known(reads, sci_fio_quantiles[q]))
            latency->quantile_s[q] = -1;
}

bool sci_fio_latency_read(struct sci_reader *reader, const struct sci_fio_job *jobs, size_t count,
                          struct sci_fio_latency *latency)
{
    struct part *parts = calloc(count, sizeof *parts);
    size_t used = 0;
    double reads = 0;
    *latency = (struct sci_fio_latency){.max_s = -1, .exact = true};
    if (!parts)
        return sci_out_of_memory(reader);
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        if (jobs[i].reads <= 0)
            continue;
        good = read_part(reader, &jobs[i], &parts[used]);
        latency->exact = latency->exact && json_object_size(parts[used].bins) > 0;
        reads += parts[used++].reads;
    }
    if (good)
        good = latency->exact ? from_bins(reader, parts, used, latency)
                              : from_percentiles(reader, parts, used, latency);
    add_extremes(parts, used, latency);
    drop_unsupported(latency, reads);
    free(parts);
    return good;
}
