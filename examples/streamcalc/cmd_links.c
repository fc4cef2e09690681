#include "cli.h"
#include "output.h"
#include "table.h"
#include "text.h"

#include <string.h>

static void cell_name(const void *row, char *cell, size_t size)
{
    snprintf(cell, size, "%s", ((const sc_link_row *)row)->name);
}

static void cell_title(const void *row, char *cell, size_t size)
{
    snprintf(cell, size, "%s", ((const sc_link_row *)row)->title);
}

static void cell_line(const void *row, char *cell, size_t size)
{
    text_number((double)((const sc_link_row *)row)->line_bits_per_s / 1e6, cell, size);
}

/* "0.705..0.915", or one figure where they are the same. */
static void range(double from, double to, char *cell, size_t size)
{
    char low[32], high[32];
    text_number(from, low, sizeof low);
    text_number(to, high, sizeof high);
    const bool wide = strcmp(low, high) != 0;
    snprintf(cell, size, "%s%s%s", low, wide ? ".." : "", wide ? high : "");
}

/* MB/s of payload at an MTU; for wireless and buses what was measured, whatever the MTU. */
static void payload(const sc_link_row *row, int32_t mtu_bytes, char *cell, size_t size)
{
    const double line = (double)row->line_bits_per_s / 8e6;
    if (row->kind == SC_LINK_ETHERNET) {
        int64_t bits = sc_ethernet_payload_bits_per_s(row->line_bits_per_s, mtu_bytes, true, false,
                                                      false);
        text_number(bits < 0 ? -1 : (double)bits / 8e6, cell, size);
        return;
    }
    range(line * row->payload_share_low, line * row->payload_share_high, cell, size);
}

static void cell_standard(const void *row, char *cell, size_t size)
{
    payload(row, 1500, cell, size);
}

static void cell_jumbo(const void *row, char *cell, size_t size)
{
    const sc_link_row *link = row;
    if (link->kind == SC_LINK_ETHERNET)
        payload(link, 9000, cell, size);
    else
        snprintf(cell, size, "-");
}

static void cell_source(const void *row, char *cell, size_t size)
{
    snprintf(cell, size, "%s", ((const sc_link_row *)row)->source);
}

static const table_column columns[] = {{"name", false, cell_name, NULL, 0, false},
                                       {"line Mb/s", true, cell_line, NULL, 0, false},
                                       {"MB/s, MTU 1500", true, cell_standard, NULL, 0, false},
                                       {"MTU 9000", true, cell_jumbo, NULL, 0, false},
                                       {"what", false, cell_title, NULL, 0, false},
                                       {"source", false, cell_source, NULL, 0, false}};

static void cell_protocol(const void *row, char *cell, size_t size)
{
    snprintf(cell, size, "%s", ((const sc_protocol_row *)row)->name);
}

static void cell_share(const void *row, char *cell, size_t size)
{
    const sc_protocol_row *protocol = row;
    range(100 * protocol->share_low, 100 * protocol->share_high, cell, size);
}

static void cell_protocol_source(const void *row, char *cell, size_t size)
{
    snprintf(cell, size, "%s", ((const sc_protocol_row *)row)->source);
}

static const table_column protocol_columns[] = {
    {"protocol", false, cell_protocol, NULL, 0, false},
    {"% of that", true, cell_share, NULL, 0, false},
    {"source", false, cell_protocol_source, NULL, 0, false}};

static void print_protocols(struct cli *cli)
{
    size_t count;
    const sc_protocol_row *rows = sc_protocols(&count);
    text_table table = {
        protocol_columns, COUNT_OF(protocol_columns), rows, sizeof *rows, count, NULL};
    fprintf(cli->out, "\n");
    table_print(cli->out, &table, cli->width);
}

int cmd_links(struct cli *cli)
{
    size_t count;
    const sc_link_row *rows = sc_links(&count);
    if (cli->options.json) {
        char *json = NULL;
        sc_error error = {0};
        sc_status status = sc_links_to_json(cli->made_at, &json, &error);
        return output_json(cli, status, &json, &error);
    }
    text_table table = {columns, COUNT_OF(columns), rows, sizeof *rows, count, NULL};
    table_print(cli->out, &table, cli->width);
    print_protocols(cli);
    text_wrap(
        cli->out, cli->width, "",
        "MB/s are what TCP, or the bus, delivers to a program. Use a name with --link; options "
        "follow it: 10gbe,mtu=9000,rtt=2ms,protocol=smb. More of them: vlan, ipv6, "
        "timestamps=off, lacp=2, window=400kB, share=0.6, phy=2.4Gb/s");
    return EXIT_ANSWERED;
}
