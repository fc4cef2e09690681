/* N streams read as a player reads them: frames fall due on an absolute grid, blocks are read ahead
   into a buffer of the player's size, and frames that were not there in time are counted.
   paced_reader STREAMS RATE[@FPS] SECONDS PLAYER FILE...
   Prints key=value; exit code 0 when no frame was late, 1 when some were, 2 on errors. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <streamcalc/player.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { STREAMS_MAX = 256, BLOCKS_KEPT = 1024, ALIGN = 4096 };

struct play {
    sc_player player;
    double bytes_per_s, frame_bytes, frame_s;
    int64_t buffer_bytes;
    double seconds;
};

struct stream {
    const struct play *play;
    pthread_mutex_t lock;
    int fd;
    int64_t region_start, region_bytes; /* read in a loop */
    double start_s;                     /* frame k is due at start + preroll + k x frame */
    int64_t taken, whole;               /* blocks taken; blocks that are there without a gap */
    bool there[BLOCKS_KEPT];
    int64_t frames, late;
    double worst_s;
    int os_errno;
};

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void sleep_until(double due_s)
{
    struct timespec due = {(time_t)due_s, (long)((due_s - (double)(time_t)due_s) * 1e9)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL) == EINTR)
        ;
}

static double due_s(const struct stream *stream, int64_t frame)
{
    return stream->start_s + stream->play->player.preroll_s + (double)frame * stream->play->frame_s;
}

static double end_s(const struct stream *stream)
{
    return due_s(stream, 0) + stream->play->seconds;
}

/* When the buffer has room for block number `block`: as soon as enough frames were shown. */
static double room_s(const struct stream *stream, int64_t block)
{
    double must_be_gone = (double)((block + 1) * stream->play->player.block_bytes -
                                   stream->play->buffer_bytes);
    if (must_be_gone <= 0)
        return 0;
    int64_t frames = (int64_t)(must_be_gone / stream->play->frame_bytes) + 1;
    return due_s(stream, frames - 1);
}

/* Frames that the blocks without a gap complete; late when their time is over. */
static void count_frames(struct stream *stream, double time_s)
{
    double delivered = (double)stream->whole * (double)stream->play->player.block_bytes;
    while ((double)(stream->frames + 1) * stream->play->frame_bytes <= delivered) {
        double lateness = time_s - due_s(stream, stream->frames);
        if (due_s(stream, stream->frames) > end_s(stream))
            return;
        stream->late += lateness > 0;
        if (lateness > stream->worst_s)
            stream->worst_s = lateness;
        stream->frames++;
    }
}

static void block_arrived(struct stream *stream, int64_t block)
{
    pthread_mutex_lock(&stream->lock);
    stream->there[block % BLOCKS_KEPT] = true;
    while (stream->there[stream->whole % BLOCKS_KEPT]) {
        stream->there[stream->whole % BLOCKS_KEPT] = false;
        stream->whole++;
    }
    count_frames(stream, now_s());
    pthread_mutex_unlock(&stream->lock);
}

static void *read_blocks(void *argument)
{
    struct stream *stream = argument;
    int64_t size = stream->play->player.block_bytes;
    void *buffer = aligned_alloc(ALIGN, (size_t)size);
    sleep_until(stream->start_s);
    while (buffer && !stream->os_errno) {
        pthread_mutex_lock(&stream->lock);
        int64_t block = stream->taken++;
        pthread_mutex_unlock(&stream->lock);
        double room = room_s(stream, block);
        if (room > end_s(stream) || now_s() > end_s(stream))
            break;
        if (room > now_s())
            sleep_until(room);
        int64_t offset = stream->region_start + block * size % stream->region_bytes;
        if (pread(stream->fd, buffer, (size_t)size, offset) != size) {
            stream->os_errno = errno ? errno : EIO;
            break;
        }
        block_arrived(stream, block);
    }
    free(buffer);
    return NULL;
}

/* Stream i of n: file i mod count, and an equal share of it. */
static bool open_stream(struct stream *stream, int i, int n, char **files, int count)
{
    const char *path = files[i % count];
    int64_t size = stream->play->player.block_bytes;
    int sharers = (n + count - 1) / count;
    struct stat status;
    pthread_mutex_init(&stream->lock, NULL);
    stream->fd = open(path, O_RDONLY | O_CLOEXEC | O_DIRECT);
    if (stream->fd < 0 || fstat(stream->fd, &status)) {
        perror(path);
        return false;
    }
    stream->region_bytes = status.st_size / sharers / size * size;
    stream->region_start = (int64_t)(i / count) * stream->region_bytes;
    if (stream->region_bytes == 0)
        fprintf(stderr, "%s: too small for %d streams\n", path, sharers);
    return stream->region_bytes > 0;
}

static int report(struct stream *streams, int n, const struct play *play)
{
    int64_t frames = 0, late = 0;
    double worst_s = 0;
    int failed = 0;
    for (int i = 0; i < n; i++) {
        /* Frames that never came are late as well. */
        int64_t due = (int64_t)(play->seconds / play->frame_s);
        int64_t missing = due > streams[i].frames ? due - streams[i].frames : 0;
        frames += streams[i].frames + missing;
        late += streams[i].late + missing;
        if (streams[i].worst_s > worst_s)
            worst_s = streams[i].worst_s;
        failed |= streams[i].os_errno;
    }
    printf("streams=%d frames=%" PRId64 " late=%" PRId64 " worst_ms=%.1f errno=%d\n", n, frames,
           late, worst_s * 1e3, failed);
    return failed ? 2 : late > 0;
}

static int run(const struct play *play, int n, char **files, int count)
{
    struct stream *streams = calloc((size_t)n, sizeof *streams);
    int depth = play->player.in_flight, status = 2;
    pthread_t *threads = calloc((size_t)(n * depth), sizeof *threads);
    double start_s = now_s() + 0.2;
    if (!streams || !threads)
        goto done;
    for (int i = 0; i < n; i++) {
        streams[i].play = play;
        streams[i].start_s = start_s + play->frame_s * i / n;
        if (!open_stream(&streams[i], i, n, files, count))
            goto done;
    }
    for (int i = 0; i < n * depth; i++)
        if (pthread_create(&threads[i], NULL, read_blocks, &streams[i / depth]))
            abort();
    for (int i = 0; i < n * depth; i++)
        pthread_join(threads[i], NULL);
    status = report(streams, n, play);
done:
    free(threads);
    free(streams);
    return status;
}

static bool parse(char **argv, struct play *play, int *n)
{
    char rate[64];
    int64_t bits_per_s;
    double fps = 25;
    sc_error error = {0};
    snprintf(rate, sizeof rate, "%s", argv[2]);
    char *at = strchr(rate, '@');
    if (at) {
        *at = '\0';
        fps = strtod(at + 1, NULL);
    }
    *n = (int)strtol(argv[1], NULL, 10);
    play->seconds = strtod(argv[3], NULL);
    if (*n < 1 || *n > STREAMS_MAX || !(play->seconds > 0) || !(fps > 0) ||
        sc_parse_rate(rate, &bits_per_s, &error) ||
        sc_player_parse(argv[4], &play->player, &error)) {
        fprintf(stderr, "paced_reader: %s\n", error.message[0] ? error.message : "bad argument");
        return false;
    }
    play->bytes_per_s = (double)bits_per_s / 8;
    play->frame_bytes = play->bytes_per_s / fps;
    play->frame_s = 1 / fps;
    play->buffer_bytes = sc_player_buffer_bytes(&play->player, bits_per_s,
                                                (int64_t)play->frame_bytes + 1);
    return play->player.block_bytes % ALIGN == 0 &&
           play->buffer_bytes / play->player.block_bytes < BLOCKS_KEPT;
}

int main(int argc, char **argv)
{
    struct play play = {0};
    int n;
    if (argc < 6) {
        fprintf(stderr, "usage: paced_reader STREAMS RATE[@FPS] SECONDS PLAYER FILE...\n");
        return 2;
    }
    return parse(argv, &play, &n) ? run(&play, n, argv + 5, argc - 5) : 2;
}
