#include "cli.h"
#include "output.h"
#include "table.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static void cell_label(const void *row, char *cell, size_t size)
{
    sc_format_label(row, cell, size);
}

static void cell_megabits(const void *row, char *cell, size_t size)
{
    text_number((double)((const sc_format *)row)->bits_per_s / 1e6, cell, size);
}

static void cell_megabytes(const void *row, char *cell, size_t size)
{
    text_number((double)((const sc_format *)row)->bits_per_s / 8e6, cell, size);
}

static void cell_basis(const void *row, char *cell, size_t size)
{
    const sc_format *format = row;
    snprintf(cell, size, "%s%s", sc_rate_basis_name(format->basis),
             format->origin == SC_SOURCE_COMPUTED ? ", computed" : "");
}

static void cell_source(const void *row, char *cell, size_t size)
{
    snprintf(cell, size, "%s", ((const sc_format *)row)->source);
}

static const table_column columns[] = {{"format", false, cell_label, NULL, 0, false},
                                       {"Mb/s", true, cell_megabits, NULL, 0, false},
                                       {"MB/s", true, cell_megabytes, NULL, 0, false},
                                       {"figure", false, cell_basis, NULL, 0, false},
                                       {"source", false, cell_source, NULL, 0, false}};

/* ---- names: what people see without an expression ---- */

/* The rows of one name, and their lowest and highest rates. */
struct format_name {
    const char *family, *name;
    size_t rows;
    int64_t lowest_bits_per_s, highest_bits_per_s;
};

static void cell_name(const void *row, char *cell, size_t size)
{
    snprintf(cell, size, "%s", ((const struct format_name *)row)->name);
}

static void cell_lowest(const void *row, char *cell, size_t size)
{
    text_number((double)((const struct format_name *)row)->lowest_bits_per_s / 1e6, cell, size);
}

static void cell_highest(const void *row, char *cell, size_t size)
{
    text_number((double)((const struct format_name *)row)->highest_bits_per_s / 1e6, cell, size);
}

static void cell_rows(const void *row, char *cell, size_t size)
{
    snprintf(cell, size, "%zu", ((const struct format_name *)row)->rows);
}

static const char *family_of(const void *row)
{
    return ((const struct format_name *)row)->family;
}

static const table_column name_columns[] = {{"family, name", false, cell_name, NULL, 0, false},
                                            {"rows", true, cell_rows, NULL, 0, false},
                                            {"from Mb/s", true, cell_lowest, NULL, 0, false},
                                            {"to Mb/s", true, cell_highest, NULL, 0, false}};

static struct format_name *find_name(struct format_name *names, size_t count,
                                     const sc_format *format)
{
    size_t i = 0;
    while (i < count && (strcmp(names[i].name, format->name) != 0 ||
                         strcmp(names[i].family, format->family) != 0))
        i++;
    return &names[i];
}

static size_t gather_names(struct format_name *names, const sc_format *formats, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const sc_format *format = &formats[i];
        struct format_name *name = find_name(names, found, format);
        if (name == &names[found]) {
            *name = (struct format_name){format->family, format->name, 0, format->bits_per_s, 0};
            found++;
        }
        name->rows++;
        if (format->bits_per_s < name->lowest_bits_per_s)
            name->lowest_bits_per_s = format->bits_per_s;
        if (format->bits_per_s > name->highest_bits_per_s)
            name->highest_bits_per_s = format->bits_per_s;
    }
    return found;
}

static int print_names(struct cli *cli, const sc_format *formats, size_t count)
{
    sc_error error = {0};
    struct format_name *names = calloc(count + 1, sizeof *names);
    if (!names) {
        option_fail(&error, SC_NO_MEMORY, "%s", sc_status_text(SC_NO_MEMORY));
        return output_fail(cli, &error);
    }
    text_table table = {name_columns,
                        COUNT_OF(name_columns),
                        names,
                        sizeof *names,
                        gather_names(names, formats, count),
                        family_of};
    table_print(cli->out, &table, cli->width);
    fputs("streamcalc formats NAME or FAMILY lists the rasters and frame rates.\n", cli->out);
    free(names);
    return EXIT_ANSWERED;
}

/* ---- rows ---- */

/* The words of an expression may come unquoted: formats ProRes 422 HQ. */
static char *join_operands(const cli_options *options)
{
    size_t size = 1;
    for (size_t i = 0; i < options->operand_count; i++)
        size += strlen(options->operands[i]) + 1;
    char *joined = calloc(1, size);
    for (size_t i = 0; joined && i < options->operand_count; i++) {
        strcat(joined, i ? " " : "");
        strcat(joined, options->operands[i]);
    }
    return joined;
}

static sc_status every_format(sc_format **formats, size_t *count, sc_error *error)
{
    *count = sc_format_count();
    *formats = calloc(*count + 1, sizeof **formats);
    if (!*formats)
        return option_fail(error, SC_NO_MEMORY, "%s", sc_status_text(SC_NO_MEMORY));
    for (size_t i = 0; i < *count; i++) {
        sc_status status = sc_format_get(i, &(*formats)[i]);
        if (status != SC_OK)
            return option_fail(error, status, "%s", sc_status_text(status));
    }
    return SC_OK;
}

static int print(struct cli *cli, const sc_format *formats, size_t count)
{
    if (cli->options.json) {
        char *json = NULL;
        sc_error error = {0};
        sc_status status = sc_formats_to_json(formats, count, cli->made_at, &json, &error);
        return output_json(cli, status, &json, &error);
    }
    text_table table = {columns, COUNT_OF(columns), formats, sizeof *formats, count, NULL};
    table_print(cli->out, &table, cli->width);
    return EXIT_ANSWERED;
}

static int print_all(struct cli *cli)
{
    sc_error error = {0};
    sc_format *formats = NULL;
    size_t count = 0;
    sc_status status = every_format(&formats, &count, &error);
    int code;
    if (status != SC_OK)
        code = output_fail(cli, &error);
    else if (cli->options.json)
        code = print(cli, formats, count);
    else
        code = print_names(cli, formats, count);
    free(formats);
    return code;
}

static int print_matching(struct cli *cli)
{
    sc_error error = {0};
    sc_format *formats = NULL;
    size_t count = 0;
    char *expression = join_operands(&cli->options);
    if (!expression)
        option_fail(&error, SC_NO_MEMORY, "%s", sc_status_text(SC_NO_MEMORY));
    else
        sc_formats_find(expression, &formats, &count, &error);
    int code = error.status == SC_OK ? print(cli, formats, count) : output_fail(cli, &error);
    sc_formats_free(&formats);
    free(expression);
    return code;
}

int cmd_formats(struct cli *cli)
{
    return cli->options.operand_count ? print_matching(cli) : print_all(cli);
}
