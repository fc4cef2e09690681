#include "probe/numbered.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RUNS_MAX = 3,       /* numbers of a name that are looked at, from its end */
    ENOUGH = 100,       /* so many names around a number make it the one */
    STOP_EVERY = 0x3FFF /* names between two looks at the clock */
};

/* A number in a name: name[start, start + length). */
struct run {
    size_t start, length;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The run of digits that ends before `end`; length 0: there is none. */
static struct run run_before(const char *name, size_t end)
{
    while (end > 0 && !is_digit(name[end - 1]))
        end--;
    size_t start = end;
    while (start > 0 && is_digit(name[start - 1]))
        start--;
    return (struct run){start, end - start};
}

/* The `index`-th number before the ending; digits of the ending ("jp2") are none. */
static struct run nth_run(const char *name, int index)
{
    const char *dot = strrchr(name, '.');
    struct run run = {dot ? (size_t)(dot - name) : strlen(name), 0};
    for (int i = 0; i <= index; i++)
        run = run_before(name, run.start);
    return run;
}

/* Negative when it is larger than 18 digits can tell. */
static int64_t value_of(const char *digits, size_t length)
{
    int64_t value = 0;
    while (length > 0 && *digits == '0')
        digits++, length--;
    if (length > SCI_NUMBER_DIGITS)
        return -1;
    for (size_t i = 0; i < length; i++)
        value = value * 10 + (digits[i] - '0');
    return value;
}

static bool usable_run(const char *name, struct run run)
{
    return run.length > 0 && run.length <= SCI_WIDTH_MAX &&
           value_of(name + run.start, run.length) >= 0;
}

/* ---- stems: what names have in common, and how many do ---- */

struct stem {
    const char *name;
    struct run run;  /* in that name */
    uint64_t widths; /* bit n: numbers of n digits begin with a zero */
    uint32_t count;
};

struct stems {
    struct stem *items;
    size_t count, capacity;
    uint32_t *slots; /* open addressing; 0: free, else an index + 1 */
    size_t slot_count;
};

static uint64_t hash_of(const char *name, struct run run)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; name[i]; i++) {
        if (i == run.start)
            i += run.length;
        if (!name[i])
            break;
        hash = (hash ^ (unsigned char)name[i]) * 1099511628211u;
    }
    return (hash ^ run.start) * 1099511628211u;
}

static bool same_stem(const struct stem *stem, const char *name, struct run run)
{
    return stem->run.start == run.start && memcmp(stem->name, name, run.start) == 0 &&
           strcmp(stem->name + stem->run.start + stem->run.length, name + run.start + run.length) ==
               0;
}

static size_t slot_of(const struct stems *stems, const char *name, struct run run)
{
    size_t slot = (size_t)hash_of(name, run) & (stems->slot_count - 1);
    while (stems->slots[slot] && !same_stem(&stems->items[stems->slots[slot] - 1], name, run))
        slot = (slot + 1) & (stems->slot_count - 1);
    return slot;
}

static bool widen(struct stems *stems)
{
    size_t wanted = stems->slot_count ? stems->slot_count * 2 : 1024;
    uint32_t *slots = calloc(wanted, sizeof *slots);
    if (!slots)
        return false;
    free(stems->slots);
    stems->slots = slots;
    stems->slot_count = wanted;
    for (size_t i = 0; i < stems->count; i++)
        slots[slot_of(stems, stems->items[i].name, stems->items[i].run)] = (uint32_t)i + 1;
    return true;
}

/* The index of the stem, which is new perhaps; SIZE_MAX without memory. */
static size_t find_stem(struct stems *stems, const char *name, struct run run)
{
    if (stems->count * 2 >= stems->slot_count && !widen(stems))
        return SIZE_MAX;
    size_t slot = slot_of(stems, name, run);
    if (stems->slots[slot])
        return stems->slots[slot] - 1;
    if (stems->count >= UINT32_MAX - 1 ||
        !sci_grow(&stems->items, stems->count, &stems->capacity, sizeof *stems->items))
        return SIZE_MAX;
    stems->items[stems->count] = (struct stem){.name = name, .run = run};
    stems->slots[slot] = (uint32_t)++stems->count;
    return stems->count - 1;
}

/* ---- which number of each name counts ---- */

struct member {
    uint32_t stem, name; /* indices */
    int32_t width;       /* of its sequence */
    int64_t number;
    uint32_t stems[RUNS_MAX]; /* of its runs; UINT32_MAX: none */
};

struct search {
    const char *const *names;
    struct stems stems;
    struct member *members;
    size_t count;
    bool (*stop)(void *opaque);
    void *opaque;
};

static bool stopped(const struct search *search, size_t i)
{
    return (i & STOP_EVERY) == 0 && search->stop && search->stop(search->opaque);
}

static bool collect_members(struct search *search, const bool *usable, size_t count)
{
    size_t capacity = 0;
    for (size_t i = 0; i < count && i < UINT32_MAX; i++) {
        if (stopped(search, i))
            return false;
        if (!usable[i])
            continue;
        if (!sci_grow(&search->members, search->count, &capacity, sizeof *search->members))
            return false;
        struct member *member = &search->members[search->count++];
        *member = (struct member){.name = (uint32_t)i};
        memset(member->stems, 0xFF, sizeof member->stems);
    }
    return true;
}

static uint32_t most_around(const struct search *search, const struct member *member, int *best)
{
    uint32_t most = 0;
    for (int r = 0; r < RUNS_MAX; r++) {
        uint32_t stem = member->stems[r];
        uint32_t count = stem == UINT32_MAX ? 0 : search->stems.items[stem].count;
        if (count > most) {
            most = count;
            *best = r;
        }
    }
    return most;
}

/* Count the names around the r-th number of those names whose other numbers have few. */
static bool count_run(struct search *search, int r)
{
    int ignored = 0;
    for (size_t i = 0; i < search->count; i++) {
        struct member *member = &search->members[i];
        const char *name = search->names[member->name];
        if (stopped(search, i))
            return false;
        if (r > 0 && most_around(search, member, &ignored) >= ENOUGH)
            continue;
        struct run run = nth_run(name, r);
        if (!usable_run(name, run))
            continue;
        size_t stem = find_stem(&search->stems, name, run);
        if (stem == SIZE_MAX)
            return false;
        member->stems[r] = (uint32_t)stem;
    }
    for (size_t i = 0; i < search->count; i++)
        if (search->members[i].stems[r] != UINT32_MAX)
            search->stems.items[search->members[i].stems[r]].count++;
    return true;
}

static bool leading_zero(const char *name, struct run run)
{
    return run.length > 1 && name[run.start] == '0';
}

static bool choose_runs(struct search *search)
{
    size_t kept = 0;
    for (size_t i = 0; i < search->count; i++) {
        struct member *member = &search->members[i];
        int best = -1;
        if (stopped(search, i))
            return false;
        if (most_around(search, member, &best) < 2)
            continue;
        const char *name = search->names[member->name];
        struct run run = nth_run(name, best);
        member->stem = member->stems[best];
        member->width = (int32_t)run.length;
        member->number = value_of(name + run.start, run.length);
        if (leading_zero(name, run))
            search->stems.items[member->stem].widths |= UINT64_C(1) << run.length;
        search->members[kept++] = *member;
    }
    search->count = kept;
    return true;
}

/* A number of so many digits without a zero before it may go on where the zeros of another end. */
static int32_t width_within(uint64_t widths, int32_t length)
{
    for (; length > 1; length--)
        if (widths & UINT64_C(1) << length)
            return length;
    return 0;
}

static void settle_widths(struct search *search)
{
    for (size_t i = 0; i < search->count; i++) {
        struct member *member = &search->members[i];
        member->width = width_within(search->stems.items[member->stem].widths, member->width);
    }
}

/* ---- sequences ---- */

static int by_sequence(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->stem != y->stem)
        return x->stem < y->stem ? -1 : 1;
    if (x->width != y->width)
        return x->width < y->width ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static int by_first(const void *a, const void *b)
{
    const sci_numbered *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

static bool together(const struct member *a, const struct member *b)
{
    return a->stem == b->stem && a->width == b->width;
}

/* "1001" to "1100": without zeros, but all of one width, which is how such patterns are written. */
static int written_width(const struct member *members, size_t count)
{
    char first[24], last[24];
    int a = snprintf(first, sizeof first, "%lld", (long long)members[0].number);
    int b = snprintf(last, sizeof last, "%lld", (long long)members[count - 1].number);
    return members[0].width ? (int)members[0].width : a == b && a > 1 ? a : 0;
}

static void fill(const struct search *search, const struct member *members, size_t count,
                 sci_numbered_list *list, sci_numbered *numbered)
{
    const struct stem *stem = &search->stems.items[members[0].stem];
    numbered->numbering = (sci_numbering){.name = stem->name,
                                          .prefix_length = stem->run.start,
                                          .suffix = stem->name + stem->run.start + stem->run.length,
                                          .width = written_width(members, count)};
    numbered->first = SIZE_MAX;
    numbered->count = count;
    for (size_t k = 0; k < count; k++) {
        size_t name = members[k].name;
        list->taken[name] = true;
        numbered->numbers[k] = members[k].number;
        if (name < numbered->first)
            numbered->first = name;
    }
}

static bool cut_sequences(const struct search *search, sci_numbered_list *list)
{
    size_t capacity = 0, used = 0;
    for (size_t from = 0, to; from < search->count; from = to) {
        const struct member *first = &search->members[from];
        for (to = from + 1; to < search->count && together(first, &search->members[to]); to++)
            ;
        if (to - from < 2)
            continue;
        if (!sci_grow(&list->items, list->count, &capacity, sizeof *list->items))
            return false;
        sci_numbered *numbered = &list->items[list->count++];
        *numbered = (sci_numbered){.numbers = list->numbers + used};
        fill(search, first, to - from, list, numbered);
        used += to - from;
    }
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, by_first);
    return true;
}

static bool find_all(struct search *search, const bool *usable, size_t count,
                     sci_numbered_list *list)
{
    list->taken = calloc(count + 1, sizeof *list->taken);
    if (!list->taken || !collect_members(search, usable, count))
        return false;
    for (int r = 0; r < RUNS_MAX; r++)
        if (!count_run(search, r))
            return false;
    if (!choose_runs(search))
        return false;
    settle_widths(search);
    list->numbers = malloc((search->count + 1) * sizeof *list->numbers);
    if (!list->numbers)
        return false;
    if (search->count)
        qsort(search->members, search->count, sizeof *search->members, by_sequence);
    return cut_sequences(search, list);
}

bool sci_numbered_find(const char *const *names, const bool *usable, size_t count,
                       bool (*stop)(void *opaque), void *opaque, sci_numbered_list *list)
{
    struct search search = {.names = names, .stop = stop, .opaque = opaque};
    *list = (sci_numbered_list){0};
    bool found = find_all(&search, usable, count, list);
    free(search.members);
    free(search.stems.items);
    free(search.stems.slots);
    return found;
}

void sci_numbered_free(sci_numbered_list *list)
{
    free(list->items);
    free(list->numbers);
    free(list->taken);
    *list = (sci_numbered_list){0};
}

/* ---- patterns ---- */

/* %d or %0Nd at *text, which is moved past it. */
static bool read_number(const char **text, int *width)
{
    const char *p = *text + 1;
    int value = 0;
    bool zero = *p == '0';
    while (is_digit(*p) && value <= SCI_WIDTH_MAX)
        value = value * 10 + (*p++ - '0');
    if (*p != 'd' || value > SCI_WIDTH_MAX || (value && !zero))
        return false;
    *text = p + 1;
    *width = value;
    return true;
}

bool sci_pattern_read(const char *pattern, char *buffer, sci_numbering *numbering)
{
    char *out = buffer;
    bool found = false;
    *numbering = (sci_numbering){.name = buffer};
    while (*pattern) {
        if (pattern[0] != '%') {
            *out++ = *pattern++;
        } else if (pattern[1] == '%') {
            *out++ = '%';
            pattern += 2;
        } else if (found || !read_number(&pattern, &numbering->width)) {
            return false;
        } else {
            found = true;
            numbering->prefix_length = (size_t)(out - buffer);
            numbering->suffix = out;
        }
    }
    *out = '\0';
    return found;
}

bool sci_pattern_matches(const sci_numbering *numbering, const char *name, int64_t *number)
{
    const size_t length = strlen(name), prefix = numbering->prefix_length;
    const size_t suffix = strlen(numbering->suffix);
    if (length <= prefix + suffix || memcmp(name, numbering->name, prefix) != 0 ||
        strcmp(name + length - suffix, numbering->suffix) != 0)
        return false;
    struct run run = {prefix, length - suffix - prefix};
    for (size_t i = 0; i < run.length; i++)
        if (!is_digit(name[run.start + i]))
            return false;
    const size_t width = (size_t)numbering->width;
    if (!usable_run(name, run) ||
        (leading_zero(name, run) ? width != run.length : width > run.length))
        return false;
    *number = value_of(name + run.start, run.length);
    return true;
}

int sci_frame_name(const sci_numbering *numbering, int64_t number, char *buffer, size_t size)
{
    return snprintf(buffer, size, "%.*s%0*lld%s", (int)numbering->prefix_length, numbering->name,
                    numbering->width, (long long)number, numbering->suffix);
}
