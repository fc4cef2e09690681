#include "probe/media.h"

#include <fcntl.h>

void sci_window_open(sci_window *window, sci_file *file, size_t ahead)
{
    window->file = file;
    window->ahead = ahead < 1 ? 1 : ahead < SCI_WINDOW_BYTES ? ahead : SCI_WINDOW_BYTES;
    window->start = 0;
    window->size = 0;
    window->wide = NULL;
    window->wide_size = 0;
}

void sci_window_open_wide(sci_window *window, sci_file *file, uint8_t *buffer, size_t size)
{
    sci_window_open(window, file, SCI_WINDOW_BYTES);
    window->wide = buffer;
    window->wide_size = window->ahead = size;
}

const uint8_t *sci_window_at(sci_window *window, int64_t offset, size_t need)
{
    uint8_t *bytes = window->wide ? window->wide : window->bytes;
    if (offset < 0 || need > (window->wide ? window->wide_size : SCI_WINDOW_BYTES))
        return NULL;
    if (offset >= window->start && offset - window->start + (int64_t)need <= (int64_t)window->size)
        return bytes + (offset - window->start);
    size_t size = need > window->ahead ? need : window->ahead;
    int64_t got = sci_file_read_at(window->file, offset, bytes, size);
    window->start = offset;
    window->size = got > 0 ? (size_t)got : 0;
    return window->size >= need ? bytes : NULL;
}

void sci_file_expect_jumps(sci_file *file)
{
#ifdef POSIX_FADV_RANDOM
    /* Advice only: where it is not taken, more is read than was asked for. */
    (void)posix_fadvise(file->fd, 0, 0, POSIX_FADV_RANDOM);
#else
    (void)file;
#endif
}
