/* What a person has to know of the frames of a sequence: gaps, odd sizes, a rate that is a guess. */
#include "probe/sequence.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const sc_rational DEFAULT_RATE = {24, 1};

/* A header that says fewer frames a second holds a field that nobody filled in: 1 is common. */
static const double HEADER_RATE_MIN = 10;

/* ---- lists that end: "12, 30-41 and 7 more" ---- */

enum { LISTED = 5, LIST_BYTES = 480, MORE_BYTES = 32 };

struct list {
    char text[LIST_BYTES];
    size_t named, count;
};

static void add(struct list *list, const char *text)
{
    size_t used = strlen(list->text), length = strlen(text);
    if (list->count++ >= LISTED || used + length + MORE_BYTES > LIST_BYTES)
        return;
    snprintf(list->text + used, LIST_BYTES - used, "%s%s", used ? ", " : "", text);
    list->named++;
}

/* After the last one: how many are not named. */
static const char *finished(struct list *list)
{
    size_t used = strlen(list->text);
    if (list->count > list->named)
        snprintf(list->text + used, LIST_BYTES - used, " and %zu more", list->count - list->named);
    return list->text;
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* ---- numbers that are missing ---- */

static int64_t list_gaps(const sci_reel *reel, struct list *gaps)
{
    const int64_t *numbers = reel->sequence->frames.numbers;
    int64_t missing = 0;
    for (size_t k = 1; k < reel->count; k++) {
        char text[48];
        int64_t from = numbers[k - 1] + 1, to = numbers[k] - 1;
        if (from > to)
            continue;
        if (from == to)
            snprintf(text, sizeof text, "%lld", (long long)from);
        else
            snprintf(text, sizeof text, "%lld-%lld", (long long)from, (long long)to);
        add(gaps, text);
        missing += to - from + 1;
    }
    return missing;
}

static void note_gaps(sci_reel *reel)
{
    const int64_t *numbers = reel->sequence->frames.numbers;
    struct list gaps = {0};
    const long long first = numbers[0], last = numbers[reel->count - 1];
    const long long missing = list_gaps(reel, &gaps);
    if (!missing)
        return;
    if (reel->close)
        sci_finding_add(&reel->findings, "numbers-in-steps", SC_SEVERITY_NOTE,
                        "there are %zu frames for the %lld numbers from %lld to %lld: they are "
                        "taken to be shown one after another, without a pause for the missing "
                        "numbers",
                        reel->count, last - first + 1, first, last);
    else
        sci_finding_add(&reel->findings, "missing-frames", SC_SEVERITY_WARNING,
                        "%lld of the %lld frames from %lld to %lld %s missing: %s; their time "
                        "counts, without bytes",
                        missing, last - first + 1, first, last, missing == 1 ? "is" : "are",
                        finished(&gaps));
}

/* ---- frames by their sizes ---- */

typedef bool (*is_such)(const sci_reel *reel, int64_t size);

static bool is_gone(const sci_reel *reel, int64_t size)
{
    (void)reel;
    return size == SCI_FRAME_GONE;
}

static bool is_bad(const sci_reel *reel, int64_t size)
{
    (void)reel;
    return size == SCI_FRAME_BAD;
}

static bool is_empty(const sci_reel *reel, int64_t size)
{
    (void)reel;
    return size == 0;
}

/* Frames of one size are what an uncompressed sequence is made of. */
static int64_t full_bytes(const sci_reel *reel)
{
    int64_t least = reel->picture.least_bytes;
    return reel->picture.uncompressed && reel->usual_bytes > least ? reel->usual_bytes : least;
}

static bool is_short(const sci_reel *reel, int64_t size)
{
    return size > 0 && size < full_bytes(reel);
}

static bool is_long(const sci_reel *reel, int64_t size)
{
    return reel->picture.uncompressed && size > full_bytes(reel);
}

static int64_t list_frames(const sci_reel *reel, is_such such, bool with_size, struct list *list)
{
    const sci_numbered *frames = &reel->sequence->frames;
    for (size_t k = 0; k < reel->count; k++) {
        char name[NAME_MAX + 1], text[NAME_MAX + 40];
        if (!such(reel, reel->sizes[k]))
            continue;
        sci_frame_name(&frames->numbering, frames->numbers[k], name, sizeof name);
        if (with_size)
            snprintf(text, sizeof text, "%s (%lld)", name, (long long)reel->sizes[k]);
        add(list, with_size ? text : name);
    }
    return (int64_t)list->count;
}

static void note_lost(sci_reel *reel)
{
    struct list gone = {0}, bad = {0};
    int64_t count = list_frames(reel, is_gone, false, &gone);
    if (count)
        sci_finding_add(&reel->findings, "vanished-frames", SC_SEVERITY_WARNING,
                        "%lld frame%s vanished since the directory was listed: %s; their time "
                        "counts, without bytes",
                        (long long)count, plural(count), finished(&gone));
    count = list_frames(reel, is_bad, false, &bad);
    if (count)
        sci_finding_add(&reel->findings, "unreadable-frames", SC_SEVERITY_WARNING,
                        "%lld frame%s cannot be looked at or %s: %s; their time counts, without "
                        "bytes",
                        (long long)count, plural(count),
                        count == 1 ? "is no file of a possible size"
                                   : "are no files of a possible size",
                        finished(&bad));
}

static void note_sizes(sci_reel *reel)
{
    struct list empty = {0}, small = {0}, large = {0};
    const long long full = full_bytes(reel);
    int64_t none = list_frames(reel, is_empty, false, &empty);
    int64_t less = list_frames(reel, is_short, true, &small);
    int64_t more = list_frames(reel, is_long, true, &large);
    if (none)
        sci_finding_add(&reel->findings, "empty-frames", SC_SEVERITY_WARNING,
                        "%lld frame%s empty (0 bytes): %s", (long long)none,
                        none == 1 ? " is" : "s are", finished(&empty));
    if (less)
        sci_finding_add(&reel->findings, "short-frames", SC_SEVERITY_WARNING,
                        "%lld frame%s smaller than the %lld bytes that a whole one takes: %s; "
                        "figures count what is there",
                        (long long)less, less == 1 ? " is" : "s are", full, finished(&small));
    if (more)
        sci_finding_add(&reel->findings, "odd-frames", SC_SEVERITY_WARNING,
                        "%lld frame%s larger than the %lld bytes of the others, though "
                        "uncompressed: %s; figures count all of them",
                        (long long)more, more == 1 ? " is" : "s are", full, finished(&large));
    if (none || less)
        reel->flags |= SC_CLIP_TRUNCATED;
}

void sci_reel_note_frames(sci_reel *reel)
{
    note_gaps(reel);
    note_lost(reel);
    note_sizes(reel);
}

/* ---- the rate ---- */

static bool differ(sc_rational a, sc_rational b)
{
    return fabs(sc_rational_value(a) / sc_rational_value(b) - 1) > 0.0005;
}

void sci_reel_choose_rate(sci_reel *reel, sc_rational given)
{
    const bool believed = reel->picture.rate.num &&
                          sc_rational_value(reel->picture.rate) >= HEADER_RATE_MIN;
    const sc_rational told = believed ? reel->picture.rate : (sc_rational){0, 0};
    reel->rate = given.num ? given : told.num ? told : DEFAULT_RATE;
    if (given.num && told.num && differ(given, told)) {
        char header[32], taken[32];
        sc_format_frame_rate(told, header, sizeof header);
        sc_format_frame_rate(given, taken, sizeof taken);
        sci_finding_add(&reel->findings, "frame-rate-differs", SC_SEVERITY_NOTE,
                        "the frames say %s frames a second; %s were given and are taken", header,
                        taken);
    }
    if (!given.num && !told.num) {
        char header[32] = "no";
        if (reel->picture.rate.num)
            sc_format_frame_rate(reel->picture.rate, header, sizeof header);
        sci_finding_add(&reel->findings, "frame-rate-assumed", SC_SEVERITY_WARNING,
                        "the frames tell %s frame rate%s: 24 frames a second are assumed, and all "
                        "rates go with them; frame_rate (--frame-rate) sets it",
                        header, reel->picture.rate.num ? ", which footage does not have" : "");
    }
}
