#include "core/options.h"

#include <stdio.h>
#include <string.h>

static bool takes(const sci_option *option, unsigned kind)
{
    return !option->kinds || (option->kinds & kind);
}

void sci_append(char *buffer, size_t size, const char *separator, const char *text)
{
    size_t used = strlen(buffer);
    snprintf(buffer + used, size - used, "%s%s", used ? separator : "", text);
}

static sc_status refuse(const sci_option_table *table, unsigned kind, const char *token,
                        const char *reason, sc_error *error)
{
    char valid[SC_TEXT_MAX] = "";
    for (size_t i = 0; i < table->count; i++)
        if (takes(&table->options[i], kind))
            sci_append(valid, sizeof valid, ", ", table->options[i].example);
    return sci_fail(error, SC_INVALID_ARGUMENT, 0, table->where, NULL,
                    "%s option '%s': %s; the options are %s", table->what, token, reason, valid);
}

static const sci_option *find(const sci_option_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->options[i].name, name) == 0)
            return &table->options[i];
    return NULL;
}

/* token is "key=value" or "flag". */
static sc_status apply_one(const sci_option_table *table, const char *token, unsigned kind,
                           unsigned *seen, void *target, sc_error *error)
{
    char key[SC_NAME_MAX];
    const char *equals = strchr(token, '=');
    snprintf(key, sizeof key, "%.*s", equals ? (int)(equals - token) : (int)strlen(token), token);
    const sci_option *option = find(table, key);
    if (!option)
        return refuse(table, kind, token, "there is no such option", error);
    if (!takes(option, kind))
        return refuse(table, kind, token, "it means nothing here", error);
    if (!equals && !option->flag)
        return refuse(table, kind, token, "it has no value", error);
    unsigned bit = 1u << (option - table->options);
    if (*seen & bit)
        return refuse(table, kind, token, "it is given twice", error);
    *seen |= bit;
    sc_error detail = {0};
    sc_status status = option->set(target, equals ? equals + 1 : "on", &detail);
    return status == SC_OK ? SC_OK : refuse(table, kind, token, detail.message, error);
}

sc_status sci_options_apply(const sci_option_table *table, const char *text, unsigned kind,
                            void *target, sc_error *error)
{
    sc_status status = SC_OK;
    unsigned seen = 0;
    for (const char *next = text; status == SC_OK && next;) {
        char token[SC_NAME_MAX];
        const char *comma = strchr(next, ',');
        size_t length = comma ? (size_t)(comma - next) : strlen(next);
        snprintf(token, sizeof token, "%.*s", length < 100 ? (int)length : 100, next);
        if (length >= 100)
            return refuse(table, kind, token, "it is too long", error);
        status = apply_one(table, token, kind, &seen, target, error);
        next = comma ? comma + 1 : NULL;
    }
    return status;
}

sc_status sci_parse_switch(const char *text, bool *on, sc_error *error)
{
    if (strcmp(text, "on") != 0 && strcmp(text, "off") != 0)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "core.parse", NULL,
                        "'%s' is neither on nor off", text);
    *on = strcmp(text, "on") == 0;
    return SC_OK;
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

bool sci_same_word(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) == lower(*b);
}
