#include "core/core.h"

#include <stdio.h>
#include <string.h>

bool sci_finding_add(sci_findings *list, const char *code, sc_severity severity, const char *format,
                     ...)
{
    char message[SC_TEXT_MAX * 2];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (list->count == list->capacity) {
        size_t room = list->capacity ? list->capacity * 2 : 8;
        sc_finding *items = sci_arena_alloc(list->arena, room, sizeof *items);
        if (!items)
            return !(list->no_memory = true);
        if (list->count)
            memcpy(items, list->items, list->count * sizeof *items);
        list->items = items;
        list->capacity = room;
    }
    char *copy = sci_arena_strdup(list->arena, message);
    if (!copy)
        return !(list->no_memory = true);
    list->items[list->count++] = (sc_finding){code, severity, copy};
    return true;
}
