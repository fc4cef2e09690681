#include "network/network.h"

#include "core/options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MTU_MIN = 576, MTU_MAX = 65535, MTU_DEFAULT = 1500, RTT_MAX_S = 60 };

static const int64_t RATE_MAX_BITS_PER_S = 1000000000000000;

__extension__ typedef __int128 wide;

static const sci_name kind_names[] = {
    {SC_LINK_RATE, "rate"}, {SC_LINK_ETHERNET, "ethernet"}, {SC_LINK_WIRELESS, "wireless"}};

const char *sc_link_kind_name(sc_link_kind kind)
{
    const char *name = sci_name_of(kind_names, SCI_COUNT(kind_names), (int)kind);
    return name ? name : "rate";
}

int64_t sc_ethernet_payload_bits_per_s(int64_t line_bits_per_s, int32_t mtu_bytes, bool timestamps,
                                       bool vlan)
{
    const int ip_and_tcp = 40, timestamp_option = 12, framing = 38, tag = 4;
    if (mtu_bytes < MTU_MIN || mtu_bytes > MTU_MAX || line_bits_per_s <= 0 ||
        line_bits_per_s > RATE_MAX_BITS_PER_S)
        return SC_UNKNOWN;
    int payload = mtu_bytes - ip_and_tcp - (timestamps ? timestamp_option : 0);
    int on_the_wire = mtu_bytes + framing + (vlan ? tag : 0);
    return (int64_t)((wide)line_bits_per_s * payload / on_the_wire);
}

/* ---- options ---- */

/* What is being parsed: the link, and what only a wireless one needs on the way. */
struct draft {
    sc_link link;
    double share;
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

static sc_status set_phy(void *target, const char *value, sc_error *error)
{
    return sc_parse_rate(value, &((struct draft *)target)->link.line_bits_per_s, error);
}

enum { ON_ETHERNET = 1 << SC_LINK_ETHERNET, ON_WIRELESS = 1 << SC_LINK_WIRELESS };

static const sci_option options[] = {
    {"mtu", "mtu=9000", ON_ETHERNET, false, set_mtu},
    {"rtt", "rtt=15ms", 0, false, set_rtt},
    {"vlan", "vlan", ON_ETHERNET, true, set_vlan},
    {"timestamps", "timestamps=off", ON_ETHERNET, true, set_timestamps},
    {"share", "share=0.6", ON_WIRELESS, false, set_share},
    {"phy", "phy=2.4Gb/s", ON_WIRELESS, false, set_phy},
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
             (int)link->mtu_bytes, link->timestamps ? 52 : 40, link->vlan ? 42 : 38);
}

static void finish(struct draft *draft)
{
    sc_link *link = &draft->link;
    switch (link->kind) {
    case SC_LINK_ETHERNET:
        link->payload_bits_per_s = sc_ethernet_payload_bits_per_s(
            link->line_bits_per_s, link->mtu_bytes, link->timestamps, link->vlan);
        name_formula(link);
        break;
    case SC_LINK_WIRELESS:
        /* A share is a quotient: a thousandth of a bit makes up for its rounding. */
        link->payload_bits_per_s = (int64_t)floor((double)link->line_bits_per_s * draft->share +
                                                  0.001);
        break;
    default:
        link->payload_bits_per_s = link->line_bits_per_s;
    }
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
    if (status != SC_OK)
        return status;
    finish(&draft);
    if (draft.link.payload_bits_per_s <= 0)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "network.parse", NULL,
                        "the link '%s' carries less than one bit a second", text);
    sci_copy(draft.link.name, sizeof draft.link.name, text);
    *link = draft.link;
    return SC_OK;
}
