#include "formats/formats.h"

#include <stdio.h>
#include <string.h>

enum { NAME_CHARS = 48, TEXT_CHARS = 64, SUGGESTIONS = 3 };

/* A candidate, nearest first. */
struct suggestion {
    const char *name;
    size_t distance;
};

/* Letters, digits and the like in lower case, without what separates words. Returns the length. */
static size_t squeeze(const char *text, char *out, size_t size)
{
    size_t length = 0;
    for (; *text && length + 1 < size; text++)
        if (!strchr(" \t,-_", *text))
            out[length++] = *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text;
    out[length] = '\0';
    return length;
}

static size_t min3(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Edits that turn name into the beginning of text that is nearest to it. */
static size_t distance_to_beginning(const char *name, const char *text)
{
    size_t row[TEXT_CHARS + 1], length = strlen(text);
    for (size_t t = 0; t <= length; t++)
        row[t] = t;
    for (size_t n = 0; name[n]; n++) {
        size_t diagonal = row[0];
        row[0] = n + 1;
        for (size_t t = 1; t <= length; t++) {
            size_t above = row[t];
            row[t] = min3(above + 1, row[t - 1] + 1, diagonal + (name[n] != text[t - 1]));
            diagonal = above;
        }
    }
    size_t least = row[0];
    for (size_t t = 1; t <= length; t++)
        least = row[t] < least ? row[t] : least;
    return least;
}

/* What was typed, squeezed. */
struct typed {
    char text[TEXT_CHARS];
    char word[TEXT_CHARS]; /* its first word */
    bool subject_known;    /* text begins with a name or family: only a slip behind it counts */
};

/* How far text is from name: edits, or one where its first word is a part of the name ("hq").
   SIZE_MAX when it is no likely slip. */
static size_t distance(const char *name, const struct typed *typed)
{
    char squeezed[NAME_CHARS];
    size_t length = squeeze(name, squeezed, sizeof squeezed);
    size_t edits = distance_to_beginning(squeezed, typed->text);
    if (typed->subject_known)
        return edits == 1 ? edits : SIZE_MAX;
    if (edits > 1 && strlen(typed->word) > 1 && strstr(squeezed, typed->word))
        return 1;
    return edits <= length / 4 + 1 && edits < length / 2 ? edits : SIZE_MAX;
}

/* Keep the nearest; of two equally near the one that the catalogue lists first. */
static void consider(const char *name, const struct typed *typed,
                     struct suggestion best[SUGGESTIONS])
{
    struct suggestion candidate = {name, distance(name, typed)};
    for (size_t i = 0; i < SUGGESTIONS && candidate.distance != SIZE_MAX; i++) {
        if (best[i].name && candidate.distance >= best[i].distance)
            continue;
        struct suggestion moved = best[i];
        best[i] = candidate;
        if (!moved.name)
            return;
        candidate = moved;
    }
}

static void list_families(char *buffer, size_t size)
{
    const sci_format_family *family;
    size_t used = 0;
    for (size_t f = 0; used < size && (family = sci_format_family_at(f)); f++)
        used += (size_t)snprintf(buffer + used, size - used, "%s%s",
                                 f ? ", " : "; the families are ", family->name);
}

void sci_format_suggest(const char *text, bool subject_known, char *buffer, size_t size)
{
    struct suggestion best[SUGGESTIONS] = {{NULL, 0}};
    struct typed typed = {.subject_known = subject_known};
    const sci_format_family *family;
    squeeze(text, typed.text, sizeof typed.text);
    char first[TEXT_CHARS];
    sci_copy(first, sizeof first, text);
    first[strcspn(first, " \t,")] = '\0';
    squeeze(first, typed.word, sizeof typed.word);
    for (size_t f = 0; (family = sci_format_family_at(f)); f++) {
        consider(family->name, &typed, best);
        for (size_t k = 0; k < family->kind_count; k++)
            consider(family->kinds[k].name, &typed, best);
    }
    buffer[0] = '\0';
    if (!best[0].name && !subject_known)
        list_families(buffer, size);
    size_t used = 0;
    for (size_t i = 0; i < SUGGESTIONS && best[i].name && used < size; i++)
        used += (size_t)snprintf(buffer + used, size - used, "%s%s",
                                 i ? ", " : "; nearest: ", best[i].name);
}
