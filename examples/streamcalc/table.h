/* One table of columns gives a text table that fits the terminal. */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { TABLE_CELL = 256 }; /* bytes of a cell's text, with its terminating zero */

typedef void (*table_cell_fn)(const void *row, char *cell, size_t size);

typedef struct table_column {
    const char *title;
    bool right; /* aligned to the right */
    table_cell_fn cell;
    table_cell_fn brief; /* used where `cell` would not fit; may be NULL */
    /* When it is dropped: 0 before the first column is shortened, 1 once that is short, 2 once it is
       shorter still, 3 last of all. */
    int keep;
    bool drop_empty; /* dropped first of all where every cell is "-" */
} table_column;

typedef struct text_table {
    const table_column *columns;
    size_t column_count;
    const void *rows;
    size_t row_size, row_count;
    /* Heading that stands above a row when it differs from the row before; NULL: no headings. */
    const char *(*section)(const void *row);
} text_table;

/* Columns are dropped, of one `keep` from the right, until no line is longer than `width`. */
void table_print(FILE *out, const text_table *table, int width);

#endif
