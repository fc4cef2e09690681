#include "play/pictures.h"

#include "io/os.h"
#include "io/watchdog.h"
#include "probe/numbered.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct sci_pictures {
    atomic_int users;
    sci_numbering numbering; /* of whole paths */
    char *name;              /* what it points into */
    size_t path_size;        /* room for any path */
    size_t count;
    int64_t *numbers, *bytes;
    sci_cache_way way;
    pthread_mutex_t lock; /* guards all below */
    bool *seen;
    sci_pictures_state state;
};

/* A file of one stream; freed with its last read. */
struct picture {
    sci_pictures *pictures;
    size_t frame;
    int users; /* reads under way, and the lane; guarded by the lane */
    pthread_mutex_t lock;
    bool tried;
    int fd;
    sc_error error; /* why it is not open */
    char path[];
};

struct lane {
    pthread_mutex_t lock;
    sci_pictures *pictures; /* NULL: of the inner source */
    size_t frame;
    struct picture *open; /* the present one; NULL: between two */
    int64_t next;         /* byte of it */
};

struct lanes {
    sci_read_source inner;
    int32_t count;
    struct lane lanes[];
};

/* ---- the files ---- */

bool sci_pictures_are_sound(const sc_frames *frames)
{
    sci_numbering numbering;
    char *name = malloc(strlen(frames->pattern) + 1);
    bool sound = name && frames->numbers && sci_pattern_read(frames->pattern, name, &numbering);
    for (size_t k = 0; sound && k < frames->count; k++)
        sound = frames->bytes[k] <= 0 || frames->numbers[k] >= 0;
    free(name);
    return sound;
}

static void pictures_free(sci_pictures *pictures)
{
    free(pictures->name);
    free(pictures->numbers);
    free(pictures->bytes);
    free(pictures->seen);
    pthread_mutex_destroy(&pictures->lock);
    free(pictures);
}

sci_pictures *sci_pictures_new(const sc_frames *frames)
{
    const size_t length = strlen(frames->pattern) + 1;
    sci_pictures *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    pthread_mutex_init(&made->lock, NULL);
    atomic_store(&made->users, 1);
    made->path_size = length + SCI_WIDTH_MAX + SCI_NUMBER_DIGITS + 1;
    made->count = frames->count;
    made->name = malloc(length);
    made->numbers = calloc(made->count, sizeof *made->numbers);
    made->bytes = calloc(made->count, sizeof *made->bytes);
    made->seen = calloc(made->count, sizeof *made->seen);
    if (!made->name || !made->numbers || !made->bytes || !made->seen ||
        !sci_pattern_read(frames->pattern, made->name, &made->numbering)) {
        pictures_free(made);
        return NULL;
    }
    memcpy(made->numbers, frames->numbers, made->count * sizeof *made->numbers);
    memcpy(made->bytes, frames->bytes, made->count * sizeof *made->bytes);
    return made;
}

static sci_pictures *share(sci_pictures *pictures)
{
    atomic_fetch_add(&pictures->users, 1);
    return pictures;
}

void sci_pictures_release(sci_pictures **pictures)
{
    if (*pictures && atomic_fetch_sub(&(*pictures)->users, 1) == 1)
        pictures_free(*pictures);
    *pictures = NULL;
}

void sci_pictures_use(sci_pictures *pictures, const sci_cache_way *way)
{
    pictures->way = *way;
    pictures->state.cold = way->proven;
}

sci_pictures_state sci_pictures_look(sci_pictures *pictures)
{
    pthread_mutex_lock(&pictures->lock);
    const sci_pictures_state state = pictures->state;
    pthread_mutex_unlock(&pictures->lock);
    return state;
}

/* The next frame with bytes, from this one on, going round; there is one. */
static size_t with_bytes(const sci_pictures *pictures, size_t frame)
{
    while (pictures->bytes[frame] <= 0)
        frame = (frame + 1) % pictures->count;
    return frame;
}

/* ---- where they lie ---- */

struct search {
    sci_pictures *pictures;
    bool here;
    char *file;
    char path[];
};

static void search_free(void *opaque)
{
    struct search *search = opaque;
    sci_pictures_release(&search->pictures);
    free(search->file);
    free(search);
}

/* One file stands for all: they are in one directory. */
static void run_search(void *opaque, sci_guard *guard)
{
    struct search *search = opaque;
    struct stat storage, file;
    (void)guard;
    search->here = stat(search->path, &storage) == 0 && stat(search->file, &file) == 0 &&
                   storage.st_dev == file.st_dev;
}

sc_status sci_pictures_find(sci_pictures *pictures, const char *path, double stall_s,
                            sci_control *control, bool *here, sc_error *error)
{
    const sci_guarded work = {run_search, search_free, "play.open", path, "looking for the frames",
                              stall_s};
    const size_t size = strlen(path) + 1;
    struct search *search = calloc(1, sizeof *search + size);
    char *file = malloc(pictures->path_size);
    if (!search || !file) {
        free(search);
        free(file);
        return sci_fail(error, SC_NO_MEMORY, 0, "play.open", path, "out of memory");
    }
    /* Its first file may be gone; the directory is that of all. */
    sci_frame_name(&pictures->numbering, pictures->numbers[with_bytes(pictures, 0)], file,
                   pictures->path_size);
    char *slash = strrchr(file, '/');
    strcpy(slash ? slash + (slash == file) : file, slash ? "" : ".");
    search->pictures = share(pictures);
    search->file = file;
    memcpy(search->path, path, size);
    sc_status status = sci_guarded_run(&work, search, control, 0, error);
    if (status != SC_OK)
        return status;
    *here = search->here;
    search_free(search);
    return SC_OK;
}

/* ---- one file ---- */

static void note_opened(sci_pictures *pictures, size_t frame, bool cold)
{
    pthread_mutex_lock(&pictures->lock);
    pictures->state.opened++;
    pictures->state.again += pictures->seen[frame];
    pictures->state.cold = pictures->state.cold && cold;
    pictures->seen[frame] = true;
    pthread_mutex_unlock(&pictures->lock);
}

/* Looking where the kernel does not count would be reads that no player makes. */
static bool drop(int fd, int64_t bytes)
{
    int64_t cached;
    sci_os_drop_cache(fd, 0, bytes);
    return sci_os_cached_bytes(fd, 0, bytes, &cached) == 0 &&
           (double)cached <= SCI_CACHE_COLD_SHARE * (double)bytes;
}

static void open_picture(struct picture *picture)
{
    sci_pictures *pictures = picture->pictures;
    const sc_cache_mode mode = pictures->way.mode;
    const int os_errno = sci_os_open(picture->path, mode == SC_CACHE_DIRECT, &picture->fd);
    picture->tried = true;
    if (os_errno) {
        picture->fd = -1;
        sci_fail(&picture->error, sci_status_from_errno(os_errno), os_errno, "play.open",
                 picture->path, "cannot open %s", picture->path);
        return;
    }
    const bool cold = mode == SC_CACHE_DIRECT ||
                      (mode == SC_CACHE_DROPPED &&
                       drop(picture->fd, pictures->bytes[picture->frame]));
    note_opened(pictures, picture->frame, cold);
}

static struct picture *picture_new(sci_pictures *pictures, size_t frame)
{
    struct picture *picture = calloc(1, sizeof *picture + pictures->path_size);
    if (!picture)
        return NULL;
    pthread_mutex_init(&picture->lock, NULL);
    picture->pictures = pictures;
    picture->frame = frame;
    picture->users = 1;
    picture->fd = -1;
    sci_frame_name(&pictures->numbering, pictures->numbers[frame], picture->path,
                   pictures->path_size);
    return picture;
}

static void drop_picture(struct picture *picture)
{
    if (!picture || --picture->users > 0)
        return;
    if (picture->fd >= 0)
        close(picture->fd);
    pthread_mutex_destroy(&picture->lock);
    free(picture);
}

/* ---- the streams ---- */

/* A block of the file, which is opened when its turn has come; with its last one comes the next. */
static bool take_block(struct lane *lane, sci_block *block)
{
    sci_pictures *pictures = lane->pictures;
    if (!lane->open) {
        lane->frame = with_bytes(pictures, lane->frame);
        lane->open = picture_new(pictures, lane->frame);
        lane->next = 0;
    }
    if (!lane->open)
        return false;
    const int64_t left = pictures->bytes[lane->frame] - lane->next;
    block->fd = -1;
    block->offset = lane->next;
    block->bytes = block->bytes > 0 && block->bytes < left ? block->bytes : left;
    block->align = pictures->way.align;
    block->path = lane->open->path;
    block->held = lane->open;
    lane->open->users++;
    lane->next += block->bytes;
    if (block->bytes == left) {
        drop_picture(lane->open);
        lane->open = NULL;
        lane->frame = (lane->frame + 1) % pictures->count;
    }
    return true;
}

static sc_status next_block(void *opaque, int32_t stream, sci_block *block, sc_error *error)
{
    struct lanes *lanes = opaque;
    struct lane *lane = &lanes->lanes[stream];
    if (!lane->pictures)
        return lanes->inner.next(lanes->inner.opaque, stream, block, error);
    pthread_mutex_lock(&lane->lock);
    const bool taken = take_block(lane, block);
    pthread_mutex_unlock(&lane->lock);
    return taken ? SC_OK
                 : sci_fail(error, SC_NO_MEMORY, 0, "play.open", lane->pictures->numbering.name,
                            "out of memory");
}

static sc_status begin_block(void *opaque, int32_t stream, sci_block *block, sc_error *error)
{
    struct lanes *lanes = opaque;
    struct picture *picture = block->held;
    if (!lanes->lanes[stream].pictures)
        return lanes->inner.begin ? lanes->inner.begin(lanes->inner.opaque, stream, block, error)
                                  : SC_OK;
    pthread_mutex_lock(&picture->lock);
    if (!picture->tried)
        open_picture(picture);
    pthread_mutex_unlock(&picture->lock);
    block->fd = picture->fd;
    return block->fd >= 0 ? SC_OK : sci_error_keep(error, &picture->error);
}

static void block_done(void *opaque, int32_t stream, sci_block *block, bool read)
{
    struct lanes *lanes = opaque;
    struct lane *lane = &lanes->lanes[stream];
    if (!lane->pictures) {
        lanes->inner.done(lanes->inner.opaque, stream, block, read);
        return;
    }
    pthread_mutex_lock(&lane->lock);
    drop_picture(block->held);
    pthread_mutex_unlock(&lane->lock);
}

static void release(void *opaque)
{
    struct lanes *lanes = opaque;
    lanes->inner.release(lanes->inner.opaque);
    for (int32_t i = 0; i < lanes->count; i++) {
        drop_picture(lanes->lanes[i].open);
        sci_pictures_release(&lanes->lanes[i].pictures);
        pthread_mutex_destroy(&lanes->lanes[i].lock);
    }
    free(lanes);
}

bool sci_pictures_source(const sci_pictures_stream *streams, int32_t count,
                         const sci_read_source *inner, sci_read_source *source)
{
    struct lanes *lanes = calloc(1, sizeof *lanes + (size_t)count * sizeof lanes->lanes[0]);
    if (!lanes) {
        inner->release(inner->opaque);
        return false;
    }
    lanes->inner = *inner;
    lanes->count = count;
    for (int32_t i = 0; i < count; i++) {
        struct lane *lane = &lanes->lanes[i];
        pthread_mutex_init(&lane->lock, NULL);
        lane->pictures = streams[i].pictures ? share(streams[i].pictures) : NULL;
        lane->frame = streams[i].first;
    }
    *source = (sci_read_source){lanes, inner->align, next_block, block_done, release, begin_block};
    return true;
}
