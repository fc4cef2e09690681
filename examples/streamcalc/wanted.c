#include "wanted.h"

#include "options.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static sc_status no_memory(sc_error *error)
{
    return option_fail(error, SC_NO_MEMORY, "%s", sc_status_text(SC_NO_MEMORY));
}

static sc_status add(struct wanted *wanted, const sc_demand *demand, struct wanted_note note,
                     sc_error *error)
{
    if (wanted->count == wanted->capacity) {
        size_t capacity = wanted->capacity ? 2 * wanted->capacity : 16;
        sc_demand *demands = realloc(wanted->demands, capacity * sizeof *demands);
        if (demands)
            wanted->demands = demands;
        struct wanted_note *notes = realloc(wanted->notes, capacity * sizeof *notes);
        if (notes)
            wanted->notes = notes;
        if (!demands || !notes)
            return no_memory(error);
        wanted->capacity = capacity;
    }
    wanted->demands[wanted->count] = *demand;
    wanted->notes[wanted->count++] = note;
    return SC_OK;
}

/* ---- found ---- */

struct labelled {
    char label[SC_NAME_MAX];
    const sc_clip *clip;
    /* Of the label, in its first entry after grouping. */
    size_t clips;
    double bytes;
};

static int by_label(const void *left, const void *right)
{
    const struct labelled *a = left, *b = right;
    int order = strcmp(a->label, b->label);
    if (order != 0)
        return order;
    int64_t rate_a = a->clip->busiest_60s_bits_per_s, rate_b = b->clip->busiest_60s_bits_per_s;
    return (rate_a < rate_b) - (rate_a > rate_b);
}

static int by_footage(const void *left, const void *right)
{
    const struct labelled *a = left, *b = right;
    bool audio_a = a->clip->flags & SC_CLIP_NO_VIDEO, audio_b = b->clip->flags & SC_CLIP_NO_VIDEO;
    if (audio_a != audio_b)
        return audio_a ? 1 : -1;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes ? 1 : -1;
    int64_t rate_a = a->clip->busiest_60s_bits_per_s, rate_b = b->clip->busiest_60s_bits_per_s;
    if (rate_a != rate_b)
        return rate_a < rate_b ? 1 : -1;
    return strcmp(a->label, b->label);
}

/* Keep the most demanding clip of each label, with the number of clips; the number of labels. */
static size_t group(struct labelled *items, size_t count)
{
    size_t groups = 0;
    qsort(items, count, sizeof *items, by_label);
    for (size_t i = 0; i < count; i++) {
        if (groups == 0 || strcmp(items[i].label, items[groups - 1].label) != 0)
            items[groups++] = items[i];
        items[groups - 1].clips++;
        items[groups - 1].bytes += (double)items[i].clip->size_bytes;
    }
    qsort(items, groups, sizeof *items, by_footage);
    return groups;
}

sc_status wanted_add_clips(struct wanted *wanted, const sc_probe *probe, sc_error *error)
{
    sc_status status = SC_OK;
    size_t count = 0;
    struct labelled *items = calloc(probe->clip_count + 1, sizeof *items);
    if (!items)
        return no_memory(error);
    for (size_t i = 0; i < probe->clip_count; i++) {
        if (probe->clips[i].error.status != SC_OK)
            continue;
        items[count].clip = &probe->clips[i];
        sc_clip_format(&probe->clips[i], items[count].label, sizeof items[count].label);
        count++;
    }
    size_t groups = group(items, count);
    for (size_t i = 0; i < groups && status == SC_OK; i++) {
        sc_demand demand;
        status = sc_demand_from_clip(items[i].clip, &demand, error);
        if (status == SC_OK)
            status = add(wanted, &demand, (struct wanted_note){.clips = items[i].clips}, error);
    }
    wanted->clip_count += count;
    free(items);
    return status;
}

/* ---- asked for ---- */

sc_status wanted_add_stream(struct wanted *wanted, const char *text, sc_error *error)
{
    sc_demand demand;
    sc_status status = sc_demand_parse(text, &demand, error);
    return status == SC_OK
               ? add(wanted, &demand, (struct wanted_note){.origin = WANTED_ASKED}, error)
               : status;
}

static sc_status add_format(struct wanted *wanted, const sc_format *format, struct wanted_note note,
                            sc_error *error)
{
    sc_demand demand;
    sc_status status = sc_demand_from_format(format, &demand, error);
    return status == SC_OK ? add(wanted, &demand, note, error) : status;
}

sc_status wanted_add_formats(struct wanted *wanted, const char *expression, sc_error *error)
{
    sc_format *formats = NULL;
    size_t count = 0;
    sc_status status = sc_formats_find(expression, &formats, &count, error);
    struct wanted_note note = {.origin = WANTED_ASKED, .family = count > 1};
    for (size_t i = 0; i < count && status == SC_OK; i++)
        status = add_format(wanted, &formats[i], note, error);
    sc_formats_free(&formats);
    return status;
}

/* ---- usual ---- */

static const char *const usual_names[] = {"ProRes 422", "ProRes 422 HQ", "DNxHR SQ", "DNxHR HQX"};
static const struct {
    int32_t width, height;
} usual_rasters[] = {{1920, 1080}, {3840, 2160}};
static const sc_rational USUAL_RATE = {25, 1};

static sc_rational clip_frame_rate(const sc_clip *clip)
{
    const sc_track *track = sc_clip_main_track(clip);
    return track ? track->frame_rate : (sc_rational){0, 0};
}

/* Exact rates are few in real folders; a folder of a thousand different ones settles for the most
   common of the first 64. */
static sc_rational common_frame_rate(const sc_probe *probe)
{
    struct {
        sc_rational rate;
        size_t clips;
    } rates[64];
    size_t count = 0, best = 0;
    for (size_t i = 0; i < probe->clip_count; i++) {
        sc_rational rate = clip_frame_rate(&probe->clips[i]);
        size_t at = 0;
        while (at < count && (rates[at].rate.num != rate.num || rates[at].rate.den != rate.den))
            at++;
        if (rate.den == 0 || at == COUNT_OF(rates))
            continue;
        if (at == count) {
            rates[count].rate = rate;
            rates[count++].clips = 0;
        }
        if (++rates[at].clips > rates[best].clips)
            best = at;
    }
    return count ? rates[best].rate : USUAL_RATE;
}

static bool listed(const struct wanted *wanted, const sc_format *format)
{
    char label[SC_NAME_MAX];
    sc_format_label(format, label, sizeof label);
    for (size_t i = 0; i < wanted->count; i++)
        if (strcmp(wanted->demands[i].name, label) == 0)
            return true;
    return false;
}

sc_status wanted_add_usual(struct wanted *wanted, const sc_probe *probe, sc_error *error)
{
    sc_rational rate = common_frame_rate(probe);
    for (size_t i = 0; i < COUNT_OF(usual_rasters) * COUNT_OF(usual_names); i++) {
        const char *name = usual_names[i % COUNT_OF(usual_names)];
        int32_t width = usual_rasters[i / COUNT_OF(usual_names)].width;
        int32_t height = usual_rasters[i / COUNT_OF(usual_names)].height;
        sc_format format;
        /* A clip's odd frame rate may have no published format. */
        sc_status status = sc_format_at(name, width, height, rate, &format, NULL);
        if (status != SC_OK)
            status = sc_format_at(name, width, height, USUAL_RATE, &format, error);
        if (status == SC_OK && !listed(wanted, &format))
            status = add_format(wanted, &format, (struct wanted_note){.origin = WANTED_USUAL},
                                error);
        if (status != SC_OK)
            return status;
    }
    return SC_OK;
}

void wanted_free(struct wanted *wanted)
{
    free(wanted->demands);
    free(wanted->notes);
    *wanted = (struct wanted){0};
}

int64_t wanted_lowest_bits_per_s(const struct wanted *wanted)
{
    int64_t lowest = 0, lowest_usual = 0;
    for (size_t i = 0; i < wanted->count; i++) {
        int64_t *kept = wanted->notes[i].origin == WANTED_USUAL ? &lowest_usual : &lowest;
        if (*kept == 0 || wanted->demands[i].bits_per_s < *kept)
            *kept = wanted->demands[i].bits_per_s;
    }
    return lowest ? lowest : lowest_usual;
}
