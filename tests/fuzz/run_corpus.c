/* Runs the fuzz target without a fuzzer: every file of a corpus as it is and cut short, then random
 * mutations of them for some seconds, always the same for the same seed.
 *
 * usage: run_corpus FOLDER [SECONDS [SEED]]; or run_corpus FILE...
 * The input at work lies in ./fuzz-input, where a crash leaves it; one that took more than 10 s is kept
 * as ./fuzz-slow.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { INPUT_MAX = 256 << 10, FILES_MAX = 1024, CUTS = 4, MUTATIONS_MAX = 6 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    size_t size;
    uint8_t *bytes;
};

static struct input inputs[FILES_MAX];
static size_t input_count;
static uint64_t state;
static double slowest_s;
static const double SLOW_S = 10;

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static size_t below(size_t limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return limit ? (size_t)((state >> 33) % limit) : 0;
}

static void fail(const char *what, const char *path)
{
    fprintf(stderr, "%s: ", what);
    perror(path);
    exit(2);
}

static void run(const uint8_t *bytes, size_t size)
{
    int file = open("fuzz-input", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, bytes, size) != (ssize_t)size)
        fail("cannot write", "fuzz-input");
    close(file);
    double start = now_s();
    LLVMFuzzerTestOneInput(bytes, size);
    double took_s = now_s() - start;
    if (took_s > slowest_s)
        slowest_s = took_s;
    if (took_s > SLOW_S)
        rename("fuzz-input", "fuzz-slow");
}

static void load(const char *path)
{
    struct stat facts;
    int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &facts) != 0)
        fail("cannot open", path);
    size_t size = facts.st_size < INPUT_MAX ? (size_t)facts.st_size : INPUT_MAX;
    uint8_t *bytes = malloc(size + 1);
    if (!bytes || input_count == FILES_MAX || read(file, bytes, size) != (ssize_t)size)
        fail("cannot read", path);
    close(file);
    inputs[input_count++] = (struct input){size, bytes};
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void load_folder(const char *folder)
{
    struct dirent **entries = NULL;
    char path[4096];
    int count = scandir(folder, &entries, NULL, by_name);
    if (count < 0)
        fail("cannot list", folder);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.')
            load(path);
        free(entries[i]);
    }
    free(entries);
}

/* ---- mutations ---- */

static void put_number(uint8_t *bytes, size_t size)
{
    static const uint64_t numbers[] = {0,          1,         0x7F,       0xFF,
                                       0x7FFF,     0xFFFF,    0x7FFFFFFF, 0x80000000,
                                       0xFFFFFFFF, INT64_MAX, 1ull << 63, UINT64_MAX};
    uint64_t number = numbers[below(sizeof numbers / sizeof numbers[0])];
    size_t width = (size_t)1 << below(4), at = below(size);
    bool little = below(2);
    for (size_t i = 0; i < width && at + i < size; i++)
        bytes[at + i] = (uint8_t)(number >> 8 * (little ? i : width - 1 - i));
}

static size_t move_part(uint8_t *bytes, size_t size, const struct input *other)
{
    size_t length = 1 + below(64), to = below(size), from = below(other->size);
    if (length > other->size - from)
        length = other->size - from;
    if (size + length > INPUT_MAX || below(2)) { /* over what is there */
        if (length > size - to)
            length = size - to;
        memcpy(bytes + to, other->bytes + from, length);
        return size;
    }
    memmove(bytes + to + length, bytes + to, size - to);
    memcpy(bytes + to, other->bytes + from, length);
    return size + length;
}

static size_t drop_part(uint8_t *bytes, size_t size)
{
    size_t at = below(size), length = 1 + below(64);
    if (length > size - at)
        length = size - at;
    memmove(bytes + at, bytes + at + length, size - at - length);
    return size - length;
}

/* What tells most lies at the start and, of many containers, at the end. */
static size_t mutate(uint8_t *bytes, size_t size)
{
    if (size < 2)
        return size;
    switch (below(8)) {
    case 0:
        return drop_part(bytes, size);
    case 1:
        return move_part(bytes, size, &inputs[below(input_count)]);
    case 2:
        return below(4) ? size : 1 + below(size);
    case 3:
        bytes[below(size)] ^= (uint8_t)(1u << below(8));
        return size;
    case 4:
        bytes[below(size < 512 ? size : 512)] = (uint8_t)below(256);
        return size;
    case 5:
        put_number(bytes, size < 1024 ? size : 1024);
        return size;
    case 6:
        put_number(bytes + (size > 1024 ? size - 1024 : 0), size < 1024 ? size : 1024);
        return size;
    default:
        put_number(bytes, size);
        return size;
    }
}

static void run_cut(const struct input *input)
{
    run(input->bytes, input->size);
    for (size_t i = 1; i < CUTS; i++)
        run(input->bytes, input->size * i / CUTS);
}

static size_t run_mutations(double seconds)
{
    static uint8_t bytes[INPUT_MAX];
    size_t runs = 0;
    for (double end = now_s() + seconds; now_s() < end; runs++) {
        const struct input *input = &inputs[below(input_count)];
        size_t size = input->size;
        memcpy(bytes, input->bytes, size);
        for (size_t left = 1 + below(MUTATIONS_MAX); left > 0; left--)
            size = mutate(bytes, size);
        run(bytes, size);
    }
    return runs;
}

int main(int argc, char **argv)
{
    struct stat facts;
    bool folder = argc > 1 && stat(argv[1], &facts) == 0 && S_ISDIR(facts.st_mode);
    double seconds = folder && argc > 2 ? strtod(argv[2], NULL) : 0;
    state = folder && argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    if (folder)
        load_folder(argv[1]);
    for (int i = 1; !folder && i < argc; i++)
        load(argv[i]);
    if (!input_count) {
        fprintf(stderr, "usage: %s FOLDER [SECONDS [SEED]] | FILE...\n", argv[0]);
        return 2;
    }
    for (size_t i = 0; i < input_count; i++)
        run_cut(&inputs[i]);
    size_t runs = run_mutations(seconds);
    printf("%zu inputs, each whole and cut %d times, %zu mutations, slowest %.2f s\n", input_count,
           CUTS - 1, runs, slowest_s);
    for (size_t i = 0; i < input_count; i++)
        free(inputs[i].bytes);
    unlink("fuzz-input");
    return slowest_s > SLOW_S;
}
