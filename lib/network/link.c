#include "network/network.h"

#include "core/options.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MTU_MIN = 576, MTU_MIN_IPV6 = 1280, MTU_MAX = 65535, MTU_DEFAULT = 1500 };
enum { RTT_MAX_S = 60, MEMBERS_MAX = 256, CONNECTIONS_MAX = 1000000 };

static const int64_t RATE_MAX_BITS_PER_S = 1000000000000000;
static const int64_t WINDOW_MAX_BYTES = 1000000000000;

__extension__ typedef __int128 wide;

static const sci_name kind_names[] = {{SC_LINK_RATE, "rate"},
                                      {SC_LINK_ETHERNET, "ethernet"},
                                      {SC_LINK_WIRELESS, "wireless"},
                                      {SC_LINK_BUS, "bus"}};

const char *sc_link_kind_name(sc_link_kind kind)
{
    const char *name = sci_name_of(kind_names, SCI_COUNT(kind_names), (int)kind);
    return name ? name : "rate";
}

static int headers_bytes(bool timestamps, bool ipv6)
{
    const int tcp = 20, ipv4_header = 20, ipv6_header = 40, timestamp_option = 12;
    return tcp + (ipv6 ? ipv6_header : ipv4_header) + (timestamps ? timestamp_option : 0);
}

static int framing_bytes(bool vlan)
{
    const int framing = 38, tag = 4;
    return framing + (vlan ? tag : 0);
}

int64_t sc_ethernet_payload_bits_per_s(int64_t line_bits_per_s, int32_t mtu_bytes, bool timestamps,
                                       bool vlan, bool ipv6)
{
    if (mtu_bytes < (ipv6 ? MTU_MIN_IPV6 : MTU_MIN) || mtu_bytes > MTU_MAX ||
        line_bits_per_s <= 0 || line_bits_per_s > RATE_MAX_BITS_PER_S)
        return SC_UNKNOWN;
    return (int64_t)((wide)line_bits_per_s * (mtu_bytes - headers_bytes(timestamps, ipv6)) /
                     (mtu_bytes + framing_bytes(vlan)));
}

double sc_link_collision_probability(int64_t connections, int32_t members)
{
    double apart = 1;
    if (connections < 0 || connections > CONNECTIONS_MAX || members < 1 || members > MEMBERS_MAX)
        return SC_UNKNOWN;
    for (int64_t i = 1; i < connections && apart > 0; i++)
        apart *= fmax(0, (double)(members - i) / members);
    return 1 - apart;
}

/* ---- options ---- */

/* What is being parsed: the link, and what is only needed on the way. */
struct draft {
    sc_link link;
    double share;
    const sc_protocol_row *protocol;
};

static sc_status set_mtu(void *target, const char *value, sc_error *error)
{
    int64_t mtu;
    int decimals;
    const char *rest = value;
    if (!sci_parse_decimal(&rest, &mtu, &decimals) || decimals || *rest || mtu < MTU_MIN ||
        mtu > MTU_MAX)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "network.parse", NULL,
                        "it is a whole number of bytes, %d to %d", MTU_MIN, MTU_MAX);
    ((struct draft *)target)->link.mtu_bytes = (int32_t)mtu;
    return SC_OK;
}

static sc_status set_rtt(void *target, const char *value, sc_error *error)
{
    double rtt;
    sc_status status = sc_parse_seconds(value, &rtt, error);
    if (status != SC_OK)
        return status;
    if (rtt > RTT_MAX_S)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "network.parse", NULL, "it is at most %d s",
                        RTT_MAX_S);
    ((struct draft *)target)->link.rtt_s = rtt;
    return SC_OK;
}

static sc_status set_vlan(void *target, const char *value, sc_error *error)
{
    return sci_parse_switch(value, &((struct draft *)target)->link.vlan, error);
}

static sc_status set_timestamps(void *target, const char *value, sc_error *error)
{
    return sci_parse_switch(value, &((struct draft *)target)->link.timestamps, error);
}

static sc_status set_share(void *target, const char *value, sc_error *error)
{
    int64_t mantissa;
    int decimals;
    const char *rest = value;
    double share = 0;
    if (sci_parse_decimal(&rest, &mantissa, &decimals) && !*rest)
        share = (double)mantissa / pow(10, decimals);
    if (!(share > 0 && share <= 1))
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "network.parse", NULL,
                        "it is a share of the PHY rate, more than 0 and at most 1");
    ((struct draft *)target)->share = share;
    return SC_OK;
}

static sc_status set_ipv6(void *target, const char *value, sc_error *error)
{
    return sci_parse_switch(value, &((struct draft *)target)->link.ipv6, error);
}

static sc_status set_lacp(void *target, const char *value, sc_error *error)
{
    int64_t members;
    int decimals;
    const char *rest = value;
    if (!sci_parse_decimal(&rest, &members, &decimals) || decimals || *rest || members < 2 ||
        members > MEMBERS_MAX)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "network.parse", NULL,
                        "it is the number of links of the aggregate, 2 to %d", MEMBERS_MAX);
    ((struct draft *)target)->link.members = (int32_t)members;
    return SC_OK;
}

static sc_status set_window(void *target, const char *value, sc_error *error)
{
    int64_t bytes;
    sc_status status = sc_parse_bytes(value, &bytes, error);
    if (status != SC_OK)
        return status;
    if (bytes < 1 || bytes > WINDOW_MAX_BYTES)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "network.parse", NULL,
                        "it is 1 byte to 1 TB in flight");
    ((struct draft *)target)->link.window_bytes = bytes;
    return SC_OK;
}

static sc_status set_protocol(void *target, const char *value, sc_error *error)
{
    char known[SC_TEXT_MAX] = "";
    size_t count;
    const sc_protocol_row *rows = sc_protocols(&count);
    ((struct draft *)target)->protocol = sci_protocol_row_named(value);
    if (((struct draft *)target)->protocol)
        return SC_OK;
    for (size_t i = 0; i < count; i++)
        sci_append(known, sizeof known, ", ", rows[i].name);
    return sci_fail(error, SC_INVALID_ARGUMENT, 0, "network.parse", NULL,
                    "there is no measured share of it; choose %s", known);
}

static sc_status set_phy(void *target, const char *value, sc_error *error)
{
    return sc_parse_rate(value, &((struct draft *)target)->link.line_bits_per_s, error);
}

enum {
    ON_ETHERNET = 1 << SC_LINK_ETHERNET,
    ON_WIRELESS = 1 << SC_LINK_WIRELESS,
    ON_BUS = 1 << SC_LINK_BUS
};

static const sci_option options[] = {
    {"mtu", "mtu=9000", ON_ETHERNET, false, set_mtu},
    {"rtt", "rtt=15ms", 0, false, set_rtt},
    {"vlan", "vlan", ON_ETHERNET, true, set_vlan},
    {"timestamps", "timestamps=off", ON_ETHERNET, true, set_timestamps},
    {"ipv6", "ipv6", ON_ETHERNET, true, set_ipv6},
    {"lacp", "lacp=2", ON_ETHERNET, false, set_lacp},
    {"share", "share=0.6", ON_WIRELESS | ON_BUS, false, set_share},
    {"phy", "phy=2.4Gb/s", ON_WIRELESS, false, set_phy},
    {"window", "window=400kB", 0, false, set_window},
    {"protocol", "protocol=smb", 0, false, set_protocol},
};
static const sci_option_table option_table = {"link", "network.parse", options, SCI_COUNT(options)};

/* ---- parse ---- */

static sc_status unknown_link(const char *name, sc_error *error)
{
    char known[SC_TEXT_MAX] = "";
    size_t count;
    const sc_link_row *rows = sc_links(&count);
    for (size_t i = 0; i < count; i++)
        sci_append(known, sizeof known, ", ", rows[i].name);
    return sci_fail(error, SC_NOT_FOUND, 0, "network.parse", NULL,
                    "there is no link '%.100s'; choose %s, or give its payload like 437Mb/s", name,
                    known);
}

/* A rate, or something that was meant to be one: its error then says more than "no such link". */
static bool looks_like_rate(const char *name)
{
    int64_t mantissa;
    int decimals;
    const char *unit = name;
    if (!sci_parse_decimal(&unit, &mantissa, &decimals))
        return *name == '-';
    return !*unit || strchr(unit, '/') || strstr(unit, "bps");
}

static sc_status begin(const char *name, struct draft *draft, sc_error *error)
{
    const sc_link_row *row = sci_link_row_named(name);
    sc_link *link = &draft->link;
    if (!row && !looks_like_rate(name))
        return unknown_link(name, error);
    if (!row) {
        link->kind = SC_LINK_RATE;
        link->origin = SC_SOURCE_GIVEN;
        sci_copy(link->source, sizeof link->source, "given as TCP payload");
        return sc_parse_rate(name, &link->line_bits_per_s, error);
    }
    link->kind = row->kind;
    link->line_bits_per_s = row->line_bits_per_s;
    link->origin = row->kind == SC_LINK_ETHERNET ? SC_SOURCE_COMPUTED : SC_SOURCE_CATALOGUE;
    link->mtu_bytes = row->kind == SC_LINK_ETHERNET ? MTU_DEFAULT : 0;
    link->timestamps = row->kind == SC_LINK_ETHERNET;
    draft->share = row->payload_share_low;
    sci_copy(link->source, sizeof link->source, row->source);
    return SC_OK;
}

static void name_formula(sc_link *link)
{
    snprintf(link->source, sizeof link->source,
             "line rate of IEEE 802.3 x (MTU %d - %d) / (MTU + %d) by header arithmetic",
             (int)link->mtu_bytes, headers_bytes(link->timestamps, link->ipv6),
             framing_bytes(link->vlan));
}

/* A share is a quotient: a thousandth of a bit makes up for its rounding. */
static int64_t share_of(int64_t bits_per_s, double share)
{
    return (int64_t)floor((double)bits_per_s * share + 0.001);
}

static void carry_payload(struct draft *draft)
{
    sc_link *link = &draft->link;
    switch (link->kind) {
    case SC_LINK_ETHERNET:
        link->payload_bits_per_s = sc_ethernet_payload_bits_per_s(
            link->line_bits_per_s, link->mtu_bytes, link->timestamps, link->vlan, link->ipv6);
        name_formula(link);
        break;
    case SC_LINK_WIRELESS:
    case SC_LINK_BUS:
        link->payload_bits_per_s = share_of(link->line_bits_per_s, draft->share);
        break;
    default:
        link->payload_bits_per_s = link->line_bits_per_s;
    }
}

static void add_source(sc_link *link, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_source(sc_link *link, const char *format, ...)
{
    char text[SC_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sci_append(link->source, sizeof link->source, "; ", text);
}

static void take_protocol(struct draft *draft)
{
    const sc_protocol_row *row = draft->protocol;
    sc_link *link = &draft->link;
    if (!row)
        return;
    link->protocol_share = row->share_low;
    sci_copy(link->protocol, sizeof link->protocol, row->name);
    link->payload_bits_per_s = share_of(link->payload_bits_per_s, row->share_low);
    add_source(link, "x %.3g of it by %s (%s)", row->share_low, row->name, row->source);
}

/* A connection has at most its window under way in a round trip. */
static void take_window(sc_link *link)
{
    if (!link->window_bytes)
        return;
    const double most_bits_per_s = (double)link->window_bytes * 8 / link->rtt_s;
    if (most_bits_per_s >= (double)link->payload_bits_per_s)
        return;
    link->payload_bits_per_s = (int64_t)floor(most_bits_per_s);
    add_source(link, "at most %lld bytes in flight a round trip", (long long)link->window_bytes);
}

static sc_status finish(struct draft *draft, const char *text, sc_error *error)
{
    sc_link *link = &draft->link;
    if (link->window_bytes && link->rtt_s <= 0)
        return sci_fail(
            error, SC_INVALID_ARGUMENT, 0, "network.parse", NULL,
            "window= of the link '%s' limits a connection by its round trip: give that, "
            "too, like rtt=2ms",
            text);
    carry_payload(draft);
    if (link->payload_bits_per_s == SC_UNKNOWN)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "network.parse", NULL,
                        "the MTU of the link '%s' is below the %d bytes that IPv6 needs", text,
                        MTU_MIN_IPV6);
    take_protocol(draft);
    take_window(link);
    if (link->payload_bits_per_s <= 0)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "network.parse", NULL,
                        "the link '%s' carries less than one bit a second", text);
    sci_copy(link->name, sizeof link->name, text);
    return SC_OK;
}

sc_status sc_link_parse(const char *text, sc_link *link, sc_error *error)
{
    char name[SC_NAME_MAX];
    struct draft draft = {0};
    if (!text || !*text || !link)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "network.parse", NULL,
                        "no link was named; write it like 1gbe, 10gbe,mtu=9000 or 437Mb/s");
    size_t length = strcspn(text, ",");
    if (strlen(text) >= sizeof name)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "network.parse", NULL,
                        "the link '%.40s...' is too long: at most %d bytes", text, SC_NAME_MAX - 1);
    memcpy(name, text, length);
    name[length] = '\0';
    sc_status status = begin(name, &draft, error);
    if (status == SC_OK && text[length])
        status = sci_options_apply(&option_table, text + length + 1, 1u << draft.link.kind, &draft,
                                   error);
    if (status == SC_OK)
        status = finish(&draft, text, error);
    if (status == SC_OK)
        *link = draft.link;
    return status;
}
