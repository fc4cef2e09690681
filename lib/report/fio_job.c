#include "report/fio.h"

#include <math.h>
#include <string.h>

static const double RUN_MAX_MS = 1e12, BYTES_MAX = 1e18, RATE_MAX_BYTES_PER_S = 1.25e14;
static const double NUMBER_MAX = 1e18;

/* fio's engines that do not keep iodepth reads of a file in flight (fio(1), ioengine). */
static const struct {
    const char *name;
    enum sci_fio_engine engine;
} engines[] = {
    {"sync", SCI_FIO_ONE_READ},         {"psync", SCI_FIO_ONE_READ},
    {"vsync", SCI_FIO_ONE_READ},        {"pvsync", SCI_FIO_ONE_READ},
    {"pvsync2", SCI_FIO_ONE_READ},      {"splice", SCI_FIO_ONE_READ},
    {"mmap", SCI_FIO_MAPPED},           {"null", SCI_FIO_NO_STORAGE},
    {"cpuio", SCI_FIO_NO_STORAGE},      {"net", SCI_FIO_NO_STORAGE},
    {"netsplice", SCI_FIO_NO_STORAGE},  {"rdma", SCI_FIO_NO_STORAGE},
    {"falloc", SCI_FIO_NO_STORAGE},     {"ftruncate", SCI_FIO_NO_STORAGE},
    {"e4defrag", SCI_FIO_NO_STORAGE},   {"filecreate", SCI_FIO_NO_STORAGE},
    {"fileopen", SCI_FIO_NO_STORAGE},   {"filestat", SCI_FIO_NO_STORAGE},
    {"filedelete", SCI_FIO_NO_STORAGE}, {"exec", SCI_FIO_NO_STORAGE},
};

bool sci_fio_number(struct sci_reader *reader, const json_t *object, const char *key, double max,
                    double *value)
{
    const json_t *member = json_object_get(object, key);
    *value = -1;
    if (!member || json_is_null(member))
        return true;
    size_t before = sci_trail_key(&reader->trail, key);
    double number = json_number_value(member);
    bool good = json_is_number(member) && number >= 0 && number <= max;
    if (!json_is_number(member))
        sci_refuse(reader, "is %s, not a number", sci_json_type(member));
    else if (!good)
        sci_refuse(reader, "is out of range");
    sci_trail_cut(&reader->trail, before);
    *value = good ? number : -1;
    return good;
}

static bool read_object(struct sci_reader *reader, const json_t *parent, const char *key,
                        const json_t **object)
{
    *object = json_object_get(parent, key);
    if (json_is_null(*object))
        *object = NULL;
    if (!*object || json_is_object(*object))
        return true;
    return sci_refuse(reader, "%s: is %s, not an object", key, sci_json_type(*object));
}

/* ---- options ---- */

const char *sci_fio_option(const struct sci_fio_job *job, const char *name)
{
    const char *own = json_string_value(json_object_get(job->options, name));
    return own ? own : json_string_value(json_object_get(job->global, name));
}

double sci_fio_size(const char *text)
{
    static const char prefixes[] = "kmgtp";
    int64_t mantissa = 0;
    int decimals = 0;
    if (!text || !sci_parse_decimal(&text, &mantissa, &decimals) || decimals)
        return -1;
    const char *prefix = *text ? strchr(prefixes, *text | 0x20) : NULL;
    double size = (double)mantissa;
    if (prefix) {
        size *= pow(1024, (double)(prefix - prefixes + 1));
        text++;
    }
    if (*text == 'b' || *text == 'B')
        text++;
    return *text == '\0' || *text == ',' ? size : -1;
}

static bool is_on(const char *value, bool fallback)
{
    return value ? strcmp(value, "0") != 0 : fallback;
}

static int32_t count_of(const char *value, int32_t fallback)
{
    double count = sci_fio_size(value);
    return count < 1 ? fallback : count > INT32_MAX ? INT32_MAX : (int32_t)count;
}

static enum sci_fio_engine engine_of(const char *name)
{
    for (size_t i = 0; i < SCI_COUNT(engines); i++)
        if (strcmp(engines[i].name, name) == 0)
            return engines[i].engine;
    return SCI_FIO_QUEUED;
}

static void take_options(struct sci_fio_job *job)
{
    const char *pattern = sci_fio_option(job, "rw");
    const char *engine = sci_fio_option(job, "ioengine");
    const char *buffered = sci_fio_option(job, "buffered");
    job->told = job->options || job->global;
    job->random = pattern && strncmp(pattern, "rand", 4) == 0;
    job->engine = engine_of(engine ? engine : "psync");
    job->jobs = count_of(sci_fio_option(job, "numjobs"), 1);
    job->depth = job->engine == SCI_FIO_QUEUED ? count_of(sci_fio_option(job, "iodepth"), 1) : 1;
    job->direct = buffered ? !is_on(buffered, true) : is_on(sci_fio_option(job, "direct"), false);
    if (job->engine == SCI_FIO_MAPPED)
        job->direct = false;
    job->invalidate = is_on(sci_fio_option(job, "invalidate"), true);
    job->size_bytes = sci_fio_size(sci_fio_option(job, "size"));
    job->filename = sci_fio_option(job, "filename");
    job->directory = sci_fio_option(job, "directory");
}

/* ---- figures ---- */

/* fio 3 counts bytes; fio 2 KiB, in members of the same names. */
static bool take_rate(struct sci_reader *reader, struct sci_fio_job *job)
{
    double kib_per_s, count;
    if (!sci_fio_number(reader, job->read, "bw_bytes", RATE_MAX_BYTES_PER_S, &job->bytes_per_s) ||
        !sci_fio_number(reader, job->read, "bw", RATE_MAX_BYTES_PER_S / 1024, &kib_per_s) ||
        !sci_fio_number(reader, job->read, "io_bytes", BYTES_MAX / 1024, &count))
        return false;
    bool in_kib = job->bytes_per_s < 0;
    if (in_kib && kib_per_s < 0 && job->reads > 0)
        return sci_refuse(reader, "has neither bw_bytes nor bw: no throughput");
    if (in_kib)
        job->bytes_per_s = kib_per_s * 1024;
    job->bytes = count < 0 ? -1 : in_kib ? count * 1024 : count;
    return true;
}

static bool take_spread(struct sci_reader *reader, struct sci_fio_job *job)
{
    double samples, mean, deviation;
    if (!sci_fio_number(reader, job->read, "bw_samples", NUMBER_MAX, &samples) ||
        !sci_fio_number(reader, job->read, "bw_mean", NUMBER_MAX, &mean) ||
        !sci_fio_number(reader, job->read, "bw_dev", NUMBER_MAX, &deviation))
        return false;
    job->spread = samples >= 4 && mean > 0 && deviation >= 0 ? deviation / mean : -1;
    return true;
}

static bool take_reads(struct sci_reader *reader, struct sci_fio_job *job)
{
    double run_ms;
    if (!sci_fio_number(reader, job->read, "total_ios", NUMBER_MAX, &job->reads) ||
        !sci_fio_number(reader, job->read, "runtime", RUN_MAX_MS, &run_ms) ||
        !take_rate(reader, job) || !take_spread(reader, job))
        return false;
    job->run_s = run_ms / 1000;
    return true;
}

static bool take_whole(struct sci_reader *reader, const json_t *entry, struct sci_fio_job *job)
{
    const json_t *write;
    double run_ms, start_ms, writes = 0;
    if (!sci_fio_number(reader, entry, "job_runtime", RUN_MAX_MS, &run_ms) ||
        !sci_fio_number(reader, entry, "job_start", NUMBER_MAX, &start_ms) ||
        !read_object(reader, entry, "write", &write) ||
        !sci_fio_number(reader, write, "total_ios", NUMBER_MAX, &writes))
        return false;
    job->run_of_all_s = run_ms / 1000;
    job->start_s = start_ms / 1000;
    job->writes = writes > 0;
    return true;
}

/* An option is the intention; a share of reads of other sizes shows in the mean. */
static void take_block(struct sci_fio_job *job)
{
    const char *text = sci_fio_option(job, "bs");
    double asked = sci_fio_size(text ? text : "4k");
    double mean = job->bytes > 0 && job->reads > 0 ? job->bytes / job->reads : -1;
    job->block_bytes = mean > 0 ? mean : job->told ? asked : -1;
    if (job->told && asked > 0 && mean > 0 && fabs(mean - asked) <= 0.02 * asked)
        job->block_bytes = asked;
}

static bool take_identity(struct sci_reader *reader, const json_t *entry, struct sci_fio_job *job)
{
    const json_t *failure = json_object_get(entry, "error");
    double group;
    if (failure && !json_is_integer(failure))
        return sci_refuse(reader, "error: is %s, not a whole number", sci_json_type(failure));
    if (!sci_fio_number(reader, entry, "groupid", NUMBER_MAX, &group))
        return false;
    job->failure = json_integer_value(failure);
    job->group = group < 0 ? 0 : (int64_t)group;
    job->name = json_string_value(json_object_get(entry, "jobname"));
    if (!job->name)
        job->name = "";
    return true;
}

bool sci_fio_job_read(struct sci_reader *reader, const json_t *entry, const json_t *global,
                      struct sci_fio_job *job)
{
    *job = (struct sci_fio_job){.global = global};
    if (!json_is_object(entry))
        return sci_refuse(reader, "is %s, not an object", sci_json_type(entry));
    if (!take_identity(reader, entry, job) ||
        !read_object(reader, entry, "job options", &job->options) ||
        !read_object(reader, entry, "read", &job->read))
        return false;
    take_options(job);
    size_t before = sci_trail_key(&reader->trail, "read");
    bool good = take_reads(reader, job);
    sci_trail_cut(&reader->trail, before);
    if (!good || !take_whole(reader, entry, job))
        return false;
    take_block(job);
    return true;
}
