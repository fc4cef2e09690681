#include "measure/content.h"

#include "io/os.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PIECES_MAX = 4096, /* of one file */
    SAMPLE_BYTES = 65536,
    SAMPLE_LEAST = 4096,
    SAMPLES_ALL = 64,
    SAMPLES_FILE = 4,
    COMPARES_MAX = 64
};
static const double SAMPLING_S = 1;
static const double ENCODED_SHARE = 0.1;

struct look {
    sci_extents *extents;
    sci_guard *guard;
    sci_shared_piece *pieces;
    size_t piece_count, piece_capacity;
    unsigned char *sample;
    int64_t start_ns;
};

/* ---- how it lies ---- */

static bool keep_piece(struct look *look, const sci_os_extent *extent, size_t file)
{
    if (!extent->shared || !extent->placed)
        return true;
    if (!sci_grow(&look->pieces, look->piece_count, &look->piece_capacity, sizeof *look->pieces))
        return false;
    /* Of what is compressed the length is that of the content: only the start is sure. */
    look->pieces[look->piece_count++] = (sci_shared_piece){
        extent->physical, extent->encoded ? 1 : extent->bytes, (uint32_t)file};
    return true;
}

static bool look_at_pieces(struct look *look, int fd, size_t number)
{
    sci_test_file *file = &look->extents->files[number];
    sci_os_extent extents[SCI_OS_EXTENTS];
    int64_t at = 0;
    double encoded = 0, looked = 0;
    size_t count = 0;
    for (size_t seen = 0; seen < PIECES_MAX; seen += count) {
        if (!sci_guard_alive(look->guard) || sci_os_extents(fd, &at, extents, &count) || !count)
            break;
        for (size_t i = 0; i < count; i++) {
            looked += (double)extents[i].bytes;
            encoded += extents[i].encoded ? (double)extents[i].bytes : 0;
            if (!keep_piece(look, &extents[i], number))
                return false;
        }
    }
    /* A large file that is compressed has more pieces than are looked at. */
    if (encoded > ENCODED_SHARE * looked)
        file->sparse = true;
    return true;
}

static int by_place(const void *left, const void *right)
{
    const sci_shared_piece *a = left, *b = right;
    return (a->physical > b->physical) - (a->physical < b->physical);
}

/* The piece begins within `held` and may reach further. */
static void reach(sci_shared_piece *held, const sci_shared_piece *piece)
{
    int64_t bytes;
    if (__builtin_add_overflow(piece->physical - held->physical, piece->bytes, &bytes))
        bytes = INT64_MAX;
    held->bytes = bytes > held->bytes ? bytes : held->bytes;
}

void sci_content_find_copies(sci_shared_piece *pieces, size_t count, bool *copies)
{
    if (count == 0)
        return;
    qsort(pieces, count, sizeof *pieces, by_place);
    sci_shared_piece held = pieces[0];
    for (size_t i = 1; i < count; i++) {
        const sci_shared_piece *piece = &pieces[i];
        bool apart = piece->physical - held.physical >= held.bytes;
        if (!apart && piece->file != held.file)
            copies[piece->file > held.file ? piece->file : held.file] = true;
        if (apart || piece->file < held.file)
            held = *piece;
        else if (piece->file == held.file)
            reach(&held, piece);
    }
}

static bool leave_copies_out(struct look *look)
{
    sci_extents *extents = look->extents;
    bool *copies = calloc(extents->file_count + 1, sizeof *copies);
    size_t kept = 0;
    if (!copies)
        return false;
    sci_content_find_copies(look->pieces, look->piece_count, copies);
    for (size_t i = 0; i < extents->file_count; i++) {
        if (copies[i])
            free(extents->files[i].path);
        else
            extents->files[kept++] = extents->files[i];
    }
    extents->notes.shared = extents->file_count - kept;
    extents->file_count = kept;
    free(copies);
    return true;
}

/* ---- what it says ---- */

bool sci_content_repeats(const unsigned char *bytes, size_t count)
{
    enum { START = 16 };
    int compares = 0;
    for (size_t period = 1; period <= count / 2 && count >= 2 * START; period++) {
        if (memcmp(bytes, bytes + period, START) != 0)
            continue;
        if (memcmp(bytes, bytes + period, count - period) == 0)
            return true;
        if (++compares == COMPARES_MAX)
            return false;
    }
    return false;
}

static size_t read_sample(int fd, int64_t offset, unsigned char *sample, size_t size)
{
    ssize_t count;
    do
        count = pread(fd, sample, size, offset);
    while (count < 0 && errno == EINTR);
    return count > 0 ? (size_t)count : 0; /* an error the measurement will meet and report */
}

/* More than half of the places looked at repeat. */
static void look_at_content(struct look *look, int fd, sci_test_file *file)
{
    size_t wanted = SAMPLES_ALL / look->extents->file_count;
    wanted = wanted < 1 ? 1 : wanted > SAMPLES_FILE ? SAMPLES_FILE : wanted;
    size_t looked = 0, repeating = 0;
    sci_os_read_ahead(fd, false);
    for (size_t i = 0; i < wanted && file->bytes >= SAMPLE_LEAST; i++) {
        if (!sci_guard_alive(look->guard) || sci_seconds_since(look->start_ns) > SAMPLING_S)
            break;
        int64_t step = file->bytes / (int64_t)wanted;
        int64_t at = ((int64_t)i * step + step / 2) / SAMPLE_LEAST * SAMPLE_LEAST;
        size_t count = read_sample(fd, at, look->sample, SAMPLE_BYTES);
        looked += count > 0;
        repeating += sci_content_repeats(look->sample, count);
    }
    file->repeating = 2 * repeating > looked;
}

/* ---- both ---- */

static bool look_at_file(struct look *look, size_t number)
{
    sci_test_file *file = &look->extents->files[number];
    int fd;
    if (!sci_guard_alive(look->guard) || sci_os_open(file->path, false, &fd))
        return true;
    file->sparse = file->sparse || sci_os_is_hole(fd);
    bool memory = look_at_pieces(look, fd, number);
    if (memory && !file->sparse)
        look_at_content(look, fd, file);
    close(fd);
    return memory;
}

bool sci_content_look(sci_extents *extents, sci_guard *guard)
{
    struct look look = {.extents = extents, .guard = guard, .start_ns = sci_now_ns()};
    look.sample = malloc(SAMPLE_BYTES);
    bool memory = look.sample != NULL;
    for (size_t i = 0; memory && i < extents->file_count; i++)
        memory = look_at_file(&look, i);
    memory = memory && leave_copies_out(&look);
    free(look.pieces);
    free(look.sample);
    return memory;
}
