#include "table.h"

#include "text.h"

#include <stdint.h>
#include <string.h>

enum { COLUMNS_MAX = 16, INDENT = 2, GAP = 2, KEEP_LEVELS = 4 };

/* What the first column is shortened to before the columns of each level are dropped. */
static const size_t shortest[KEEP_LEVELS] = {SIZE_MAX, 28, 16, 8};

/* How a table is laid out for one width. */
typedef struct table_layout {
    size_t columns;
    size_t width[COLUMNS_MAX];
    bool brief[COLUMNS_MAX];
    bool hidden[COLUMNS_MAX];
} table_layout;

static const void *row_at(const text_table *table, size_t i)
{
    return (const char *)table->rows + i * table->row_size;
}

static void fill_cell(const table_column *column, bool brief, const void *row, char *cell)
{
    char raw[TABLE_CELL] = "";
    (brief ? column->brief : column->cell)(row, raw, sizeof raw);
    text_clean(raw, cell, TABLE_CELL);
}

static size_t column_width(const text_table *table, size_t c, bool brief)
{
    size_t width = text_width(table->columns[c].title);
    for (size_t i = 0; i < table->row_count; i++) {
        char cell[TABLE_CELL];
        fill_cell(&table->columns[c], brief, row_at(table, i), cell);
        size_t columns = text_width(cell);
        width = columns > width ? columns : width;
    }
    return width;
}

static size_t total_width(const table_layout *layout)
{
    size_t total = INDENT;
    for (size_t c = 0; c < layout->columns; c++)
        if (!layout->hidden[c])
            total += layout->width[c] + (c ? GAP : 0);
    return total;
}

static bool column_empty(const text_table *table, size_t c)
{
    for (size_t i = 0; i < table->row_count; i++) {
        char cell[TABLE_CELL];
        fill_cell(&table->columns[c], false, row_at(table, i), cell);
        if (strcmp(cell, "-") != 0)
            return false;
    }
    return true;
}

/* The first column takes what the others leave, within what it needs and what still tells rows
   apart. */
static void fit_first(table_layout *layout, size_t width, size_t full, size_t least)
{
    size_t others = total_width(layout) - layout->width[0];
    size_t room = width > others ? width - others : 0;
    least = least < full ? least : full;
    layout->width[0] = room < least ? least : room < full ? room : full;
}

static void use_briefs(const text_table *table, size_t width, table_layout *layout)
{
    for (size_t c = layout->columns; c-- > 0 && total_width(layout) > width;)
        if (table->columns[c].brief) {
            layout->brief[c] = true;
            layout->width[c] = column_width(table, c, true);
        }
}

static void fit(const text_table *table, size_t width, table_layout *layout)
{
    layout->columns = table->column_count < COLUMNS_MAX ? table->column_count : COLUMNS_MAX;
    for (size_t c = 0; c < layout->columns; c++)
        layout->width[c] = column_width(table, c, false);
    size_t full = layout->width[0];
    use_briefs(table, width, layout);
    for (size_t c = 1; c < layout->columns && total_width(layout) > width; c++)
        layout->hidden[c] = table->columns[c].drop_empty && column_empty(table, c);
    for (int level = 0; level < KEEP_LEVELS; level++) {
        fit_first(layout, width, full, shortest[level]);
        for (size_t c = layout->columns; c-- > 1 && total_width(layout) > width;)
            if (table->columns[c].keep == level) {
                layout->hidden[c] = true;
                fit_first(layout, width, full, shortest[level]);
            }
    }
    fit_first(layout, width, full, 1);
}

/* Names differ at both ends: the middle goes. */
static void shorten(const char *cell, size_t columns, char *kept, size_t size)
{
    static const char dots[] = "..";
    size_t head = columns > strlen(dots) ? (columns - strlen(dots)) / 3 : 0;
    if (text_width(cell) <= columns)
        snprintf(kept, size, "%s", cell);
    else if (!head)
        snprintf(kept, size, "%.*s", (int)text_cut(cell, columns), cell);
    else
        snprintf(kept, size, "%.*s%s%s", (int)text_cut(cell, head), cell, dots,
                 text_tail(cell, columns - strlen(dots) - head));
}

static void print_padding(FILE *out, size_t count)
{
    fprintf(out, "%*s", (int)count, "");
}

static bool is_last(const table_layout *layout, size_t c)
{
    while (++c < layout->columns)
        if (!layout->hidden[c])
            return false;
    return true;
}

static void print_cell(FILE *out, const text_table *table, const table_layout *layout, size_t c,
                       const char *cell)
{
    char kept[TABLE_CELL + 4];
    shorten(cell, layout->width[c], kept, sizeof kept);
    size_t padding = layout->width[c] - text_width(kept);
    print_padding(out, c ? GAP : INDENT);
    if (table->columns[c].right)
        print_padding(out, padding);
    fputs(kept, out);
    if (!table->columns[c].right && !is_last(layout, c))
        print_padding(out, padding);
}

static void print_titles(FILE *out, const text_table *table, const table_layout *layout)
{
    for (size_t c = 0; c < layout->columns; c++)
        if (!layout->hidden[c])
            print_cell(out, table, layout, c, table->columns[c].title);
    fputc('\n', out);
}

static void print_row(FILE *out, const text_table *table, const table_layout *layout,
                      const void *row)
{
    for (size_t c = 0; c < layout->columns; c++) {
        char cell[TABLE_CELL];
        if (layout->hidden[c])
            continue;
        fill_cell(&table->columns[c], layout->brief[c], row, cell);
        print_cell(out, table, layout, c, cell);
    }
    fputc('\n', out);
}

void table_print(FILE *out, const text_table *table, int width)
{
    table_layout layout = {0};
    const char *section = "";
    fit(table, (size_t)width, &layout);
    print_titles(out, table, &layout);
    for (size_t i = 0; i < table->row_count; i++) {
        const void *row = row_at(table, i);
        const char *heading = table->section ? table->section(row) : "";
        if (strcmp(heading, section) != 0)
            fprintf(out, "%s\n", heading);
        section = heading;
        print_row(out, table, &layout, row);
    }
}
