#include "report/field.h"

#include <stdio.h>

static size_t append(struct sci_trail *trail, int written)
{
    size_t before = trail->length, room = sizeof trail->text - before;
    if (written > 0)
        trail->length += (size_t)written < room ? (size_t)written : room - 1;
    return before;
}

size_t sci_trail_key(struct sci_trail *trail, const char *key)
{
    return append(trail, snprintf(trail->text + trail->length, sizeof trail->text - trail->length,
                                  "%s%s", trail->length > 0 ? "." : "", key));
}

size_t sci_trail_index(struct sci_trail *trail, size_t index)
{
    return append(trail, snprintf(trail->text + trail->length, sizeof trail->text - trail->length,
                                  "[%zu]", index));
}

void sci_trail_cut(struct sci_trail *trail, size_t length)
{
    trail->length = length;
    trail->text[length] = '\0';
}
