#include "measure/lanes.h"

#include "io/noise.h"
#include "io/os.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOOKS = 64 }; /* of all files together */

struct sci_dataset {
    atomic_int users;
    sci_cache_way way;
    bool write;
    pthread_mutex_t lock; /* guards all below */
    sci_extents extents;
    uint32_t point;
    double cached_share;
    bool cold;
};

/* One open file of one stream, as every player has its own; freed with its last read. */
struct open_file {
    int fd;
    uint32_t file;
    int users; /* reads under way, and the lane; guarded by the lane */
};

struct lane {
    pthread_mutex_t lock;
    struct open_file *open;
    size_t region; /* the present one, or where to look for the first */
    bool has_region;
    int64_t next, end;
};

struct lanes {
    sci_dataset *data;
    int32_t count;
    struct lane *lanes;
    sci_jumps jumps; /* where the source is one of jumps */
    uint64_t random;
    int64_t jumped;
};

/* ---- the data ---- */

static bool cold_from_the_start(const sci_cache_way *way)
{
    return way->mode == SC_CACHE_DIRECT && way->proven;
}

sci_dataset *sci_dataset_new(sci_extents *extents, const sci_cache_way *way)
{
    sci_dataset *data = calloc(1, sizeof *data);
    if (!data)
        return NULL;
    atomic_store(&data->users, 1);
    pthread_mutex_init(&data->lock, NULL);
    data->way = *way;
    data->extents = *extents;
    data->cold = cold_from_the_start(way);
    *extents = (sci_extents){0};
    return data;
}

void sci_dataset_write(sci_dataset *data)
{
    data->write = true;
}

void sci_dataset_switch(sci_dataset *data, const sci_cache_way *way)
{
    pthread_mutex_lock(&data->lock);
    data->way = *way;
    data->cached_share = 0;
    data->cold = cold_from_the_start(way);
    pthread_mutex_unlock(&data->lock);
}

static sci_dataset *share(sci_dataset *data)
{
    atomic_fetch_add(&data->users, 1);
    return data;
}

void sci_dataset_release(sci_dataset **data)
{
    if (*data && atomic_fetch_sub(&(*data)->users, 1) == 1) {
        sci_extents_clear(&(*data)->extents);
        pthread_mutex_destroy(&(*data)->lock);
        free(*data);
    }
    *data = NULL;
}

sci_dataset_state sci_dataset_look(sci_dataset *data)
{
    pthread_mutex_lock(&data->lock);
    sci_dataset_state state = {data->extents.pass, data->cached_share, data->cold};
    pthread_mutex_unlock(&data->lock);
    return state;
}

int64_t sci_dataset_align(const sci_dataset *data)
{
    return data->way.align;
}

bool sci_dataset_is_buffered(const sci_dataset *data)
{
    return data->way.mode != SC_CACHE_DIRECT;
}

bool sci_dataset_is_synced(const sci_dataset *data)
{
    return data->write && sci_dataset_is_buffered(data);
}

static void keep_share(sci_dataset *data, double share)
{
    pthread_mutex_lock(&data->lock);
    if (share < 0 || share > SCI_CACHE_COLD_SHARE)
        data->cold = false;
    if (data->cached_share >= 0 && (share < 0 || share > data->cached_share))
        data->cached_share = share;
    pthread_mutex_unlock(&data->lock);
}

static double drop_file(const char *path, int64_t bytes, int looks)
{
    int fd;
    if (sci_os_open(path, false, &fd))
        return -1;
    double share = sci_cache_drop(fd, 0, bytes, looks);
    close(fd);
    return share;
}

static void drop_all(void *opaque, sci_guard *guard)
{
    sci_dataset *data = opaque;
    const sci_extents *extents = &data->extents;
    double cached = 0, all = 0;
    bool known = true;
    if (data->way.mode != SC_CACHE_DROPPED)
        return;
    const size_t share_of_looks = LOOKS / (extents->file_count + 1) + 1;
    const int looks = share_of_looks < SCI_CACHE_LOOKS ? (int)share_of_looks : SCI_CACHE_LOOKS;
    for (size_t i = 0; i < extents->file_count && sci_guard_alive(guard); i++) {
        double bytes = (double)extents->files[i].bytes;
        double share = drop_file(extents->files[i].path, extents->files[i].bytes, looks);
        known = known && share >= 0;
        cached += share * bytes;
        all += bytes;
    }
    pthread_mutex_lock(&data->lock);
    data->cold = true;
    pthread_mutex_unlock(&data->lock);
    keep_share(data, known && all > 0 ? cached / all : -1);
}

static void abandon(void *opaque)
{
    sci_dataset *data = opaque;
    sci_dataset_release(&data);
}

sc_status sci_dataset_drop_guarded(sci_dataset *data, const char *path, double stall_s,
                                   sci_control *control, double fraction, sc_error *error)
{
    const sci_guarded work = {drop_all, abandon, "measure.cache", path, "dropping caches", stall_s};
    sci_dataset *shared = share(data);
    sc_status status = sci_guarded_run(&work, shared, control, fraction, error);
    if (status == SC_OK)
        sci_dataset_release(&shared);
    return status;
}

/* ---- the streams ---- */

static void give_regions_back(struct lanes *lanes)
{
    pthread_mutex_lock(&lanes->data->lock);
    for (int32_t i = 0; i < lanes->count; i++)
        if (lanes->lanes[i].has_region)
            sci_extents_give_back(&lanes->data->extents, lanes->lanes[i].region);
    pthread_mutex_unlock(&lanes->data->lock);
}

static void release_lanes(void *opaque)
{
    struct lanes *lanes = opaque;
    give_regions_back(lanes);
    for (int32_t i = 0; i < lanes->count; i++) {
        if (lanes->lanes[i].open) {
            close(lanes->lanes[i].open->fd);
            free(lanes->lanes[i].open);
        }
        pthread_mutex_destroy(&lanes->lanes[i].lock);
    }
    sci_dataset_release(&lanes->data);
    free(lanes->lanes);
    free(lanes);
}

static void drop_open(struct open_file *open)
{
    if (open && --open->users == 0) {
        close(open->fd);
        free(open);
    }
}

static sc_status open_file(const sci_dataset *data, const sci_test_file *file, int *fd,
                           sc_error *error)
{
    const char *path = file->path;
    const bool direct = data->way.mode == SC_CACHE_DIRECT;
    struct stat status;
    int os_errno = data->write ? sci_os_open_write(path, direct, fd)
                               : sci_os_open(path, direct, fd);
    if (!os_errno && fstat(*fd, &status)) {
        os_errno = errno;
        close(*fd);
    }
    if (os_errno)
        return sci_fail(error, sci_status_from_errno(os_errno), os_errno, "measure.open", path,
                        "cannot open %s", path);
    if (!file->id.known || sci_file_is(&file->id, &status, data->write))
        return SC_OK;
    close(*fd);
    return sci_fail(error, SC_IO, 0, "measure.open", path, "%s was replaced while it was %s", path,
                    data->write ? "written" : "read");
}

static sc_status open_for(struct lane *lane, const sci_dataset *data, uint32_t file,
                          sc_error *error)
{
    const char *path = data->extents.files[file].path;
    if (lane->open && lane->open->file == file)
        return SC_OK;
    drop_open(lane->open);
    lane->open = calloc(1, sizeof *lane->open);
    if (!lane->open)
        return sci_fail(error, SC_NO_MEMORY, 0, "measure.open", path, "out of memory");
    *lane->open = (struct open_file){.fd = -1, .file = file, .users = 1};
    sc_status status = open_file(data, &data->extents.files[file], &lane->open->fd, error);
    if (status == SC_OK)
        return SC_OK;
    free(lane->open);
    lane->open = NULL;
    return status;
}

/* The next region; again: it was read in this very point, after the drop before the point. */
static sci_region take_region(struct lane *lane, sci_dataset *data, bool *again)
{
    pthread_mutex_lock(&data->lock);
    if (lane->has_region)
        sci_extents_give_back(&data->extents, lane->region);
    size_t at = sci_extents_take(&data->extents, lane->region + lane->has_region);
    sci_region *region = &data->extents.regions[at];
    *again = region->point == data->point;
    region->point = data->point;
    sci_region copy = *region;
    pthread_mutex_unlock(&data->lock);
    lane->region = at;
    lane->has_region = true;
    return copy;
}

static sc_status begin_region(struct lane *lane, sci_dataset *data, sc_error *error)
{
    bool again;
    sci_region region = take_region(lane, data, &again);
    sc_status status = open_for(lane, data, region.file, error);
    if (status != SC_OK)
        return status;
    /* That these files can be dropped was shown before the point. What a look found now would be
       read-ahead of a stream nearby, which came from the storage for this very point. */
    if (again && data->way.mode == SC_CACHE_DROPPED)
        sci_os_drop_cache(lane->open->fd, region.offset, region.bytes);
    lane->next = region.offset;
    lane->end = region.offset + region.bytes;
    return SC_OK;
}

/* A region of its file is only where it begins: a frame may go beyond it. */
static sc_status begin_jump(struct lanes *lanes, struct lane *lane, sc_error *error)
{
    sci_dataset *data = lanes->data;
    const sci_extents *extents = &data->extents;
    if (lanes->jumped == 0)
        lanes->random = sci_noise_state(lanes->jumps.seed);
    if (++lanes->jumped == lanes->jumps.period)
        lanes->jumped = 0;
    const sci_region
        *region = &extents->regions[sci_noise_next(&lanes->random) % extents->region_count];
    const int64_t file_bytes = extents->files[region->file].bytes;
    const int64_t bytes = lanes->jumps.bytes < file_bytes ? lanes->jumps.bytes : file_bytes;
    const int64_t blocks = region->bytes / extents->block_bytes;
    int64_t offset = region->offset;
    if (blocks > 1)
        offset += (int64_t)(sci_noise_next(&lanes->random) % (uint64_t)blocks) *
                  extents->block_bytes;
    while (offset > 0 && offset > file_bytes - bytes)
        offset -= extents->block_bytes < offset ? extents->block_bytes : offset;
    sc_status status = open_for(lane, data, region->file, error);
    if (status != SC_OK)
        return status;
    if (data->way.mode == SC_CACHE_DROPPED)
        sci_os_drop_cache(lane->open->fd, offset, bytes);
    lane->next = offset;
    lane->end = offset + bytes;
    return SC_OK;
}

/* A player may ask for another size than the block; direct reads are of whole sectors. */
static int64_t block_size(const sci_dataset *data, int64_t wanted)
{
    const int64_t align = data->way.align;
    return wanted > 0 ? (wanted + align - 1) / align * align : data->extents.block_bytes;
}

static void take_block(struct lane *lane, const sci_dataset *data, int64_t size, sci_block *block)
{
    const int64_t left = lane->end - lane->next;
    block->fd = lane->open->fd;
    block->offset = lane->next;
    block->bytes = left < size ? left : size;
    block->align = data->way.align;
    block->path = data->extents.files[lane->open->file].path;
    block->held = lane->open;
    block->write = data->write;
    block->sync = sci_dataset_is_synced(data);
    lane->open->users++;
    lane->next += block->bytes;
}

/* A block of the region; then comes the next region. */
static sc_status next_in_region(void *opaque, int32_t stream, sci_block *block, sc_error *error)
{
    struct lanes *lanes = opaque;
    struct lane *lane = &lanes->lanes[stream];
    sc_status status = SC_OK;
    pthread_mutex_lock(&lane->lock);
    if (lane->next >= lane->end)
        status = begin_region(lane, lanes->data, error);
    if (status == SC_OK)
        take_block(lane, lanes->data, block_size(lanes->data, block->bytes), block);
    pthread_mutex_unlock(&lane->lock);
    return status;
}

/* One read is all of a jump. */
static sc_status next_jump(void *opaque, int32_t stream, sci_block *block, sc_error *error)
{
    struct lanes *lanes = opaque;
    struct lane *lane = &lanes->lanes[stream];
    pthread_mutex_lock(&lane->lock);
    sc_status status = begin_jump(lanes, lane, error);
    if (status == SC_OK)
        take_block(lane, lanes->data, lanes->jumps.bytes, block);
    pthread_mutex_unlock(&lane->lock);
    return status;
}

static void block_done(void *opaque, int32_t stream, sci_block *block, bool read)
{
    struct lane *lane = &((struct lanes *)opaque)->lanes[stream];
    pthread_mutex_lock(&lane->lock);
    if (!read && lane->open == block->held && block->offset < lane->next)
        lane->next = lane->end; /* the rest of the region is not tried */
    drop_open(block->held);
    pthread_mutex_unlock(&lane->lock);
}

static struct lanes *lanes_new(sci_dataset *data, int32_t streams)
{
    struct lanes *lanes = calloc(1, sizeof *lanes);
    struct lane *array = calloc((size_t)streams, sizeof *array);
    if (!lanes || !array) {
        free(lanes);
        free(array);
        return NULL;
    }
    *lanes = (struct lanes){.data = share(data), .count = streams, .lanes = array};
    for (int32_t i = 0; i < streams; i++) {
        pthread_mutex_init(&array[i].lock, NULL);
        array[i].region = data->extents.region_count * (size_t)i / (size_t)streams;
    }
    return lanes;
}

bool sci_dataset_lanes(sci_dataset *data, int32_t streams, sci_read_source *source)
{
    struct lanes *lanes = lanes_new(data, streams);
    if (!lanes)
        return false;
    pthread_mutex_lock(&data->lock);
    data->point++;
    pthread_mutex_unlock(&data->lock);
    *source = (sci_read_source){lanes,      data->way.align, next_in_region,
                                block_done, release_lanes,   NULL};
    return true;
}

bool sci_dataset_jumps(sci_dataset *data, const sci_jumps *jumps, sci_read_source *source)
{
    struct lanes *lanes = lanes_new(data, 1);
    if (!lanes)
        return false;
    lanes->jumps = *jumps;
    *source = (sci_read_source){lanes, data->way.align, next_jump, block_done, release_lanes, NULL};
    return true;
}
