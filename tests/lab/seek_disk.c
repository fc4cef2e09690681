/* A mechanical disk for nbdkit: one head, which reads an image at a set rate and pays a seek for
   each read that does not follow the last one. nbdkit seek_disk.so file=IMAGE [rate=BITS]
   [seek-us=8000] [spread-us=4000] It goes on with requests near the head for a MiB, then to the
   one that has waited longest. So two or more sequential readers of blocks of b = 1 MiB get X = b
   / (b / R + t), with t = seek-us + spread-us / 2 on average. */
#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define THREAD_MODEL NBDKIT_THREAD_MODEL_PARALLEL

static const uint64_t NEAR_BYTES = 2 << 20; /* no seek: the head or its track buffer is there */
static const int64_t VISIT_BYTES = 1 << 20;

struct request {
    struct request *next;
    uint64_t offset;
    uint32_t bytes;
    int64_t arrived_ns;
};

static char *image;
static int image_fd = -1;
static int64_t rate_bits_per_s = 1600000000;
static unsigned seek_us = 8000, spread_us = 4000;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t turn;
    struct request *waiting; /* the oldest first */
    struct request *served;
    uint64_t at; /* where the head is */
    int64_t visit_bytes;
    int64_t free_ns; /* when the last read ended, by the disk's own clock */
    uint64_t seeks;
} disk = {.lock = PTHREAD_MUTEX_INITIALIZER, .turn = PTHREAD_COND_INITIALIZER};

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void sleep_until(int64_t ns)
{
    const struct timespec until = {ns / 1000000000, ns % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
}

/* ---- which request is next; under the lock ---- */

static bool is_near(uint64_t a, uint64_t b)
{
    return (a > b ? a - b : b - a) <= NEAR_BYTES;
}

static struct request *first_near(uint64_t offset)
{
    struct request *found = NULL;
    for (struct request *request = disk.waiting; request; request = request->next)
        if (is_near(request->offset, offset) && (!found || request->offset < found->offset))
            found = request;
    return found;
}

static struct request *oldest_elsewhere(void)
{
    for (struct request *request = disk.waiting; request; request = request->next)
        if (!is_near(request->offset, disk.at))
            return first_near(request->offset);
    return NULL;
}

static void take_next(void)
{
    struct request *here = first_near(disk.at), *elsewhere = oldest_elsewhere();
    struct request *request = here && (!elsewhere || disk.visit_bytes < VISIT_BYTES) ? here
                                                                                     : elsewhere;
    struct request **link = &disk.waiting;
    while (*link != request)
        link = &(*link)->next;
    *link = request->next;
    disk.served = request;
}

/* ---- how long it takes ---- */

/* Multiples of the golden ratio fill the spread evenly. */
static int64_t seek_ns(void)
{
    double part = (double)++disk.seeks * 0.6180339887498949;
    part -= (double)(uint64_t)part;
    return (int64_t)((seek_us + part * spread_us) * 1e3);
}

static int64_t service_ns(const struct request *request)
{
    int64_t ns = (int64_t)((double)request->bytes * 8e9 / (double)rate_bits_per_s);
    return is_near(request->offset, disk.at) ? ns : ns + seek_ns();
}

static void append(struct request *request)
{
    struct request **link = &disk.waiting;
    while (*link)
        link = &(*link)->next;
    *link = request;
}

/* On the disk's own clock, so that naps which last too long do not make it slower. */
static void serve(uint64_t offset, uint32_t bytes)
{
    struct request own = {NULL, offset, bytes, now_ns()};
    pthread_mutex_lock(&disk.lock);
    append(&own);
    if (!disk.served)
        take_next();
    while (disk.served != &own)
        pthread_cond_wait(&disk.turn, &disk.lock);
    int64_t start_ns = own.arrived_ns > disk.free_ns ? own.arrived_ns : disk.free_ns;
    disk.free_ns = start_ns + service_ns(&own);
    if (!is_near(offset, disk.at) || disk.visit_bytes >= VISIT_BYTES)
        disk.visit_bytes = 0;
    disk.visit_bytes += bytes;
    disk.at = offset + bytes;
    pthread_mutex_unlock(&disk.lock);
    sleep_until(disk.free_ns);
    pthread_mutex_lock(&disk.lock);
    disk.served = NULL;
    if (disk.waiting)
        take_next();
    pthread_cond_broadcast(&disk.turn);
    pthread_mutex_unlock(&disk.lock);
}

/* ---- nbdkit ---- */

static int seek_disk_config(const char *key, const char *value)
{
    if (strcmp(key, "file") == 0) {
        free(image);
        image = nbdkit_realpath(value);
        return image ? 0 : -1;
    }
    if (strcmp(key, "rate") == 0) {
        rate_bits_per_s = nbdkit_parse_size(value);
        return rate_bits_per_s > 0 ? 0 : -1;
    }
    if (strcmp(key, "seek-us") == 0)
        return nbdkit_parse_unsigned(key, value, &seek_us);
    if (strcmp(key, "spread-us") == 0)
        return nbdkit_parse_unsigned(key, value, &spread_us);
    nbdkit_error("unknown parameter %s", key);
    return -1;
}

static int seek_disk_get_ready(void)
{
    image_fd = image ? open(image, O_RDONLY | O_CLOEXEC) : -1;
    if (image_fd < 0)
        nbdkit_error("cannot open file=%s", image ? image : "");
    return image_fd < 0 ? -1 : 0;
}

static void seek_disk_unload(void)
{
    if (image_fd >= 0)
        close(image_fd);
    free(image);
}

static void *seek_disk_open(int readonly)
{
    (void)readonly;
    return NBDKIT_HANDLE_NOT_NEEDED;
}

static int64_t seek_disk_get_size(void *handle)
{
    struct stat status;
    (void)handle;
    return fstat(image_fd, &status) ? -1 : (int64_t)status.st_size;
}

static int seek_disk_can_multi_conn(void *handle)
{
    (void)handle;
    return 1;
}

static int seek_disk_pread(void *handle, void *buffer, uint32_t count, uint64_t offset,
                           uint32_t flags)
{
    (void)handle;
    (void)flags;
    serve(offset, count);
    for (uint32_t done = 0; done < count;) {
        ssize_t got = pread(image_fd, (char *)buffer + done, count - done, (off_t)(offset + done));
        if (got <= 0 && !(got < 0 && errno == EINTR)) {
            nbdkit_error("the image could not be read");
            return -1;
        }
        done += got > 0 ? (uint32_t)got : 0;
    }
    return 0;
}

static struct nbdkit_plugin plugin = {
    .name = "seek-disk",
    .longname = "a mechanical disk",
    .config = seek_disk_config,
    .magic_config_key = "file",
    .config_help = "file=IMAGE [rate=BITS] [seek-us=8000] [spread-us=4000]",
    .get_ready = seek_disk_get_ready,
    .unload = seek_disk_unload,
    .open = seek_disk_open,
    .get_size = seek_disk_get_size,
    .can_multi_conn = seek_disk_can_multi_conn,
    .pread = seek_disk_pread,
};

NBDKIT_REGISTER_PLUGIN(plugin)
