/* Expressions of the form "name,key=value,flag": one table of options for each kind of thing. */
#ifndef SCI_OPTIONS_H
#define SCI_OPTIONS_H

#include "core/core.h"

typedef struct sci_option {
    const char *name;
    const char *example; /* as the list of valid options shows it: "mtu=9000" */
    unsigned kinds;      /* bits of the kinds of target that take it; 0: all */
    bool flag;           /* may stand without a value, which is then "on" */
    sc_status (*set)(void *target, const char *value, sc_error *error);
} sci_option;

typedef struct sci_option_table {
    const char *what;  /* "link": for messages */
    const char *where; /* "network.parse" */
    const sci_option *options;
    size_t count; /* at most 32 */
} sci_option_table;

/* Apply "key=value,flag,..." to target, which is one of kind. An option that is unknown, given
   twice, wrong, or not for this kind is SC_INVALID_ARGUMENT; the message names it and lists those
   that are valid. NULL is no option at all. */
sc_status sci_options_apply(const sci_option_table *table, const char *text, unsigned kind,
                            void *target, sc_error *error);

/* "on" and "off", for flags. */
sc_status sci_parse_switch(const char *text, bool *on, sc_error *error);

/* Whether the texts are the same but for ASCII case, whatever the locale. */
bool sci_same_word(const char *a, const char *b);

/* Append text to buffer behind a separator unless it is empty; what does not fit is cut. */
void sci_append(char *buffer, size_t size, const char *separator, const char *text);

#endif
