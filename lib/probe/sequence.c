#include "probe/sequence.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 5 }; /* frames opened until one is sound */

/* Larger files are no pictures, and would not add up within 64 bits. */
static const int64_t FRAME_BYTES_MAX = INT64_C(1) << 38;

/* ---- what it is called ---- */

sci_sequence *sci_sequence_copy(const char *directory, const sci_numbered *frames, sci_arena *arena)
{
    sci_sequence *copy = sci_arena_alloc(arena, 1, sizeof *copy);
    int64_t *numbers = sci_arena_alloc(arena, frames->count, sizeof *numbers);
    const sci_numbering *from = &frames->numbering;
    char *prefix = sci_arena_printf(arena, "%.*s", (int)from->prefix_length, from->name);
    char *suffix = sci_arena_strdup(arena, from->suffix), *own = sci_arena_strdup(arena, directory);
    if (!copy || !numbers || !prefix || !suffix || !own)
        return NULL;
    memcpy(numbers, frames->numbers, frames->count * sizeof *numbers);
    *copy = (sci_sequence){
        .directory = own,
        .frames = {.numbering = {prefix, from->prefix_length, suffix, from->width},
                   .numbers = numbers,
                   .count = frames->count}};
    return copy;
}

static char *double_percents(char *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '%')
            *out++ = '%';
        *out++ = *text;
    }
    *out = '\0';
    return out;
}

static const char *separator(const char *directory)
{
    size_t length = strlen(directory);
    return length == 0 || directory[length - 1] == '/' ? "" : "/";
}

char *sci_sequence_path(const sci_sequence *sequence, sci_arena *arena)
{
    const sci_numbering *numbering = &sequence->frames.numbering;
    const char *directory = sequence->directory;
    size_t most = 2 * (strlen(directory) + strlen(numbering->name) + strlen(numbering->suffix)) +
                  16;
    char *path = sci_arena_alloc(arena, most, 1), *out = path;
    if (!path)
        return NULL;
    out = double_percents(out, directory);
    out = double_percents(out, separator(directory));
    out = double_percents(out, numbering->name);
    out += numbering->width ? sprintf(out, "%%0%dd", numbering->width) : sprintf(out, "%%d");
    double_percents(out, numbering->suffix);
    return path;
}

/* ---- sizes, from the directory ---- */

static bool stop_looking(sci_reel *reel, size_t k)
{
    sci_file *file = &reel->file;
    if (sci_control_poll(file->control, file->path, (double)k / (double)reel->count, -1))
        return file->cancelled = true;
    if (file->end_ns && sci_now_ns() > file->end_ns)
        file->limited = true;
    return file->limited;
}

/* A link to a file counts as that file, as in the walk. */
static int64_t size_of(int directory, const char *name)
{
    struct stat facts;
    if (fstatat(directory, name, &facts, 0) != 0)
        return errno == ENOENT ? SCI_FRAME_GONE : SCI_FRAME_BAD;
    return S_ISREG(facts.st_mode) && facts.st_size <= FRAME_BYTES_MAX ? facts.st_size
                                                                      : SCI_FRAME_BAD;
}

static int64_t size_of_frame(const sci_reel *reel, int directory, int64_t number)
{
    char name[NAME_MAX + 1];
    int length = sci_frame_name(&reel->sequence->frames.numbering, number, name, sizeof name);
    return length < (int)sizeof name ? size_of(directory, name) : SCI_FRAME_GONE;
}

static void note_limit(sci_reel *reel, size_t looked_at)
{
    char limit[SCI_LIMIT_TEXT];
    reel->flags |= SC_CLIP_LIMITED | SC_CLIP_SAMPLED;
    sci_finding_add(
        &reel->findings, "limited", SC_SEVERITY_WARNING,
        "%s ended the look at the sizes: all figures are of the first %zu of %zu frames",
        sci_file_limit(&reel->file, limit), looked_at, reel->count);
    reel->count = looked_at;
}

/* A frame behind the last one of the listing was written since. */
static int digits_of(int64_t number)
{
    int digits = 1;
    for (; number > 9; number /= 10)
        digits++;
    return digits;
}

static void note_growth(sci_reel *reel, int directory)
{
    const int64_t last = reel->sequence->frames.numbers[reel->count - 1];
    /* A number with a digit more may belong to another sequence. */
    if (digits_of(last + 1) > digits_of(last) || size_of_frame(reel, directory, last + 1) < 0)
        return;
    reel->flags |= SC_CLIP_GROWING;
    sci_finding_add(&reel->findings, "growing", SC_SEVERITY_WARNING,
                    "frames were added while it was looked at: a rendering, recording or copy in "
                    "progress; figures are of what was there at first");
}

static void look_at_sizes(sci_reel *reel, int directory)
{
    size_t k = 0;
    for (; k < reel->count && !stop_looking(reel, k); k++) {
        int64_t size = size_of_frame(reel, directory, reel->sequence->frames.numbers[k]);
        reel->sizes[k] = size;
        reel->files += size >= 0;
        reel->bytes += size > 0 ? size : 0;
    }
    if (reel->file.cancelled)
        return;
    if (k < reel->count)
        note_limit(reel, k);
    else
        note_growth(reel, directory);
}

static sc_status find_sizes(sci_reel *reel, sc_error *error)
{
    const char *path = *reel->sequence->directory ? reel->sequence->directory : ".";
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0)
        return sci_fail(error, sci_status_from_errno(errno), errno, "probe.sequence", path,
                        "cannot open the directory");
    if (sci_file_take_memory(&reel->file, 2 * reel->count * sizeof *reel->sizes))
        reel->sizes = malloc(reel->count * sizeof *reel->sizes);
    if (reel->sizes)
        look_at_sizes(reel, directory);
    close(directory);
    if (!reel->sizes && !reel->file.cancelled)
        return sci_fail(error, SC_NO_MEMORY, 0, "probe.sequence", path, "out of memory");
    if (reel->file.cancelled)
        return sci_fail(error, SC_CANCELLED, 0, "probe.sequence", reel->file.path, "cancelled");
    if (reel->bytes > 0)
        return SC_OK;
    if (reel->count == 0)
        return sci_fail(error, SC_LIMIT, 0, "probe.sequence", reel->file.path,
                        "the limit of time was over before the first frame (max_seconds, "
                        "--max-seconds): raise it");
    return sci_fail(error, reel->files ? SC_INVALID_DATA : SC_NOT_FOUND, 0, "probe.sequence",
                    reel->file.path,
                    reel->files ? "all frames are empty (0 bytes): nothing was rendered or the "
                                  "copy failed"
                                : "all frames have vanished or are no files since the directory "
                                  "was listed");
}

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static sc_status find_usual_size(sci_reel *reel, sc_error *error)
{
    const sci_stop stop = sci_file_stopper(&reel->file);
    int64_t *sorted = malloc(reel->count * sizeof *sorted);
    bool done = sorted;
    size_t most = 0;
    if (sorted) {
        memcpy(sorted, reel->sizes, reel->count * sizeof *sorted);
        done = sci_sort(sorted, reel->count, sizeof *sorted, by_size, &stop);
    }
    for (size_t from = 0, to; done && from < reel->count; from = to) {
        for (to = from + 1; to < reel->count && sorted[to] == sorted[from]; to++)
            ;
        if (sorted[from] > 0 && to - from >= most) {
            most = to - from;
            reel->usual_bytes = sorted[from];
        }
    }
    free(sorted);
    if (done)
        return SC_OK;
    return sci_stop_now(&stop) ? sci_file_gave_up(&reel->file, "probe.sequence", error)
                               : sci_fail(error, SC_NO_MEMORY, 0, "probe.sequence", reel->file.path,
                                          "out of memory");
}

/* ---- one frame's header ---- */

static const char *path_of_frame(const sci_reel *reel, size_t k, sci_arena *arena)
{
    char name[NAME_MAX + 1];
    const char *directory = reel->sequence->directory;
    sci_frame_name(&reel->sequence->frames.numbering, reel->sequence->frames.numbers[k], name,
                   sizeof name);
    return sci_arena_printf(arena, "%s%s%s", directory, separator(directory), name);
}

static void note_broken(sci_reel *reel, const char *path, const sc_error *error)
{
    if (error->status == SC_OK)
        sci_finding_add(&reel->findings, "broken-frame", SC_SEVERITY_WARNING,
                        "the header of %s is damaged, or that of no picture known here", path);
    else
        sci_finding_add(&reel->findings, "broken-frame", SC_SEVERITY_WARNING,
                        "%s cannot be read: %s", path, error->message);
}

/* Whether the header of frame k was read. */
static bool read_header(sci_reel *reel, const char *path, sci_picture *picture)
{
    sci_file *file = &reel->file;
    sc_error error = {0};
    file->os_errno = 0;
    bool read = sci_file_open(file, path, &error) == SC_OK && sci_picture_read(file, picture);
    if (!read && file->os_errno)
        sci_fail(&error, SC_IO, file->os_errno, "probe.sequence", path, "reading failed");
    sci_file_close(file);
    if (!read && !file->limited && !file->cancelled)
        note_broken(reel, path, &error);
    return read;
}

static sc_status explain_unknown(const sci_reel *reel, const char *path, sc_error *error)
{
    char limit[SCI_LIMIT_TEXT];
    if (reel->file.cancelled)
        return sci_fail(error, SC_CANCELLED, 0, "probe.sequence", path, "cancelled");
    if (reel->file.limited)
        return sci_fail(error, SC_LIMIT, 0, "probe.sequence", path,
                        "%s ended the reading of the first header: raise it",
                        sci_file_limit(&reel->file, limit));
    return sci_fail(error, SC_UNSUPPORTED, 0, "probe.sequence", path,
                    "a sequence of numbered files, but the first of them are no pictures that are "
                    "known here, or damaged");
}

/* The first frame that is as large as its header says, else the first with a header. */
static sc_status find_picture(sci_reel *reel, const char *path, sci_arena *arena, sc_error *error)
{
    const bool out_of_time = reel->file.limited;
    int tries = 0;
    /* The few headers are worth it also where time was over before the last of the sizes. */
    reel->file.limited = false;
    if (out_of_time)
        reel->file.end_ns = reel->file.give_up_ns;
    for (size_t k = 0; k < reel->count && tries < TRIES; k++) {
        sci_picture picture;
        if (reel->sizes[k] <= 0)
            continue;
        tries++;
        const char *frame = path_of_frame(reel, k, arena);
        if (!frame)
            return sci_fail(error, SC_NO_MEMORY, 0, "probe.sequence", path, "out of memory");
        bool read = read_header(reel, frame, &picture);
        if (reel->file.cancelled || reel->file.limited)
            break;
        bool sound = read && reel->sizes[k] >= picture.least_bytes;
        if (read && (sound || !reel->opened)) {
            reel->picture = picture;
            reel->opened = frame;
        }
        if (sound)
            break;
    }
    return reel->opened && !reel->file.cancelled ? SC_OK : explain_unknown(reel, path, error);
}

/* ---- the clip ---- */

/* Numbers in even steps, and those of which most are missing, are one way of counting. */
static bool counts_in_steps(const int64_t *numbers, size_t count)
{
    const int64_t step = count > 2 ? numbers[1] - numbers[0] : 1;
    if ((numbers[count - 1] - numbers[0]) / 2 >= (int64_t)count)
        return true;
    for (size_t k = 2; k < count; k++)
        if (numbers[k] - numbers[k - 1] != step)
            return false;
    return step > 1;
}

static size_t frame_index(const sci_reel *reel, size_t k)
{
    const int64_t *numbers = reel->sequence->frames.numbers;
    return reel->close ? k : (size_t)(numbers[k] - numbers[0]);
}

static sc_status build_frames(sci_reel *reel, sci_frames *frames, sc_error *error)
{
    const size_t count = frame_index(reel, reel->count - 1) + 1;
    if (count > SCI_PACKETS_MAX)
        return sci_fail(error, SC_LIMIT, 0, "probe.sequence", reel->file.path,
                        "%zu frames are more than are kept (%d)", count, SCI_PACKETS_MAX);
    if (!sci_file_take_memory(&reel->file, count * sizeof *frames->items))
        return sci_fail(error, SC_CANCELLED, 0, "probe.sequence", reel->file.path, "cancelled");
    *frames = (sci_frames){.items = sci_big_alloc(count, sizeof *frames->items),
                           .count = count,
                           .duration = sci_rate_due(reel->rate, count),
                           .rate = reel->rate};
    if (!frames->items)
        return sci_fail(error, SC_NO_MEMORY, 0, "probe.sequence", reel->file.path, "out of memory");
    for (size_t i = 0; i < count; i++)
        frames->items[i] = (sci_frame){sci_rate_due(reel->rate, i), 0};
    for (size_t k = 0; k < reel->count; k++)
        if (reel->sizes[k] > 0)
            frames->items[frame_index(reel, k)].bytes = reel->sizes[k];
    return SC_OK;
}

/* Which file each frame is. */
static sc_status number_frames(const sci_reel *reel, sci_reading *reading, sci_arena *arena,
                               sc_error *error)
{
    const size_t count = reading->frames.count;
    int64_t *numbers = sci_arena_alloc(arena, count, sizeof *numbers);
    if (!numbers)
        return sci_fail(error, SC_NO_MEMORY, 0, "probe.sequence", reel->file.path, "out of memory");
    for (size_t i = 0; i < count; i++)
        numbers[i] = -1;
    for (size_t k = 0; k < reel->count; k++)
        if (reel->sizes[k] > 0)
            numbers[frame_index(reel, k)] = reel->sequence->frames.numbers[k];
    reading->numbers = numbers;
    return SC_OK;
}

static sc_status describe_track(const sci_reel *reel, const sci_frames *frames, sc_clip *clip,
                                sci_arena *arena)
{
    sc_track *track = sci_arena_alloc(arena, 1, sizeof *track);
    const char *name = sci_arena_strdup(arena, reel->picture.name);
    if (!track || !name)
        return SC_NO_MEMORY;
    *track = (sc_track){
        .kind = SC_TRACK_VIDEO,
        .played = true,
        .codec = avcodec_get_name(reel->picture.codec),
        .name = name,
        .level = "",
        .chroma = reel->picture.chroma ? reel->picture.chroma : "",
        .bit_depth = reel->picture.bit_depth,
        .published_bits_per_s = SC_UNKNOWN,
        .published_ratio = -1,
        .published_source = "",
        .width = reel->picture.width,
        .height = reel->picture.height,
        .frame_rate = reel->rate,
        .packets = reel->files,
        .bytes = reel->bytes,
        .bits_per_s = av_rescale(reel->bytes, 8 * (int64_t)SCI_FLICKS, frames->duration),
        .duration_s = (double)frames->duration / SCI_FLICKS,
        .source = clip->source};
    clip->tracks = track;
    clip->track_count = 1;
    clip->duration_s = track->duration_s;
    return SC_OK;
}

/* A group of pictures is a frame. */
static void describe_groups(const sci_reel *reel, sc_clip *clip)
{
    int64_t largest = 0;
    for (size_t k = 0; k < reel->count; k++)
        if (reel->sizes[k] > largest)
            largest = reel->sizes[k];
    clip->largest_gop_bytes = largest;
    clip->worst_gop_bits_per_s = av_rescale(8 * largest, reel->rate.num, reel->rate.den);
    clip->longest_gop_frames = 1;
}

static sc_status describe(sci_reel *reel, sc_clip *clip, const sci_frames *frames, sci_arena *arena)
{
    const int64_t *numbers = reel->sequence->frames.numbers;
    clip->container = "image-sequence";
    clip->source = reel->flags & SC_CLIP_SAMPLED ? SC_SOURCE_SAMPLED : SC_SOURCE_DIRECTORY;
    clip->sequence = (sc_sequence){reel->files, numbers[0], numbers[reel->count - 1]};
    describe_groups(reel, clip);
    if (describe_track(reel, frames, clip, arena) == SC_OK && !reel->findings.no_memory)
        return SC_OK;
    return sci_fail(&clip->error, SC_NO_MEMORY, 0, "probe.sequence", clip->path, "out of memory");
}

static sc_status read_all(sci_reel *reel, sc_clip *clip, sci_media_limits limits, sci_arena *arena,
                          sci_frames *frames)
{
    sc_status status = find_sizes(reel, &clip->error);
    if (status == SC_OK)
        status = find_usual_size(reel, &clip->error);
    if (status == SC_OK)
        status = find_picture(reel, clip->path, arena, &clip->error);
    reel->file.path = clip->path;
    reel->file.size_bytes = reel->bytes;
    if (status != SC_OK)
        return status;
    reel->close = counts_in_steps(reel->sequence->frames.numbers, reel->count);
    sci_reel_choose_rate(reel, limits.frame_rate);
    sci_reel_note_frames(reel);
    status = build_frames(reel, frames, &clip->error);
    return status == SC_OK ? describe(reel, clip, frames, arena) : status;
}

sc_status sci_sequence_read(sc_clip *clip, const sci_sequence *sequence, sci_media_limits limits,
                            sci_control *control, sci_arena *arena, sci_reading *reading)
{
    sci_reel reel = {.sequence = sequence,
                     .count = sequence->frames.count,
                     .file = {.path = clip->path, .fd = -1, .share = limits.share},
                     .findings = {.arena = arena}};
    *clip = (sc_clip){
        .path = clip->path, .container = "", .duration_s = -1, .size_bytes = SC_UNKNOWN};
    *reading = (sci_reading){.file = {.fd = -1}, .keep_frames = limits.frames};
    sci_file_start(&reel.file, limits.max_bytes, limits.max_seconds, control);
    sc_status status = read_all(&reel, clip, limits, arena, &reading->frames);
    if (status == SC_OK && limits.frames)
        status = number_frames(&reel, reading, arena, &clip->error);
    clip->size_bytes = reel.bytes > 0 || reel.files ? reel.bytes : SC_UNKNOWN;
    clip->flags = reel.flags;
    clip->bytes_read = reel.file.bytes_read;
    clip->reads = reel.file.reads;
    clip->findings = reel.findings.items;
    clip->finding_count = reel.findings.count;
    free(reel.sizes);
    reading->file = reel.file;
    return status;
}
