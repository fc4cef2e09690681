/**
 * streamcalc/network.h: what a network link carries: payload rate and round trip.
 */
#ifndef STREAMCALC_NETWORK_H
#define STREAMCALC_NETWORK_H

#include <streamcalc/core.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sc_link_kind {
    SC_LINK_RATE = 0, /**< a bare payload rate */
    SC_LINK_ETHERNET,
    SC_LINK_WIRELESS
} sc_link_kind;

/** "rate", "ethernet", "wireless". */
SC_API const char *sc_link_kind_name(sc_link_kind kind);

/** A link. A value without pointers. */
typedef struct sc_link {
    char name[SC_NAME_MAX]; /**< the expression: "1gbe", "1gbe,rtt=15ms", "437Mb/s" */
    sc_link_kind kind;
    int64_t line_bits_per_s;    /**< what the box says; for a bare rate the payload */
    int64_t payload_bits_per_s; /**< TCP payload: C of the model; rounded down */
    double rtt_s;               /**< round trip; 0 when not given */
    int32_t mtu_bytes;          /**< 0 when it does not apply */
    bool timestamps;            /**< TCP timestamps counted (12 bytes a packet) */
    bool vlan;                  /**< an 802.1Q tag counted (4 bytes a frame) */
    sc_source origin;
    char source[SC_TEXT_MAX]; /**< who published the figure, or the formula */
} sc_link;

/** One row of the catalogue; strings are static. */
typedef struct sc_link_row {
    const char *name;  /**< "10gbe" */
    const char *title; /**< "10 Gigabit Ethernet" */
    sc_link_kind kind;
    int64_t line_bits_per_s;  /**< wireless: the PHY rate that the share below refers to */
    double payload_share_low; /**< wireless: measured payload / PHY rate, low and high; where the */
    double payload_share_high; /**< account does not tell the PHY rate, that of line_bits_per_s is
                                    assumed and `source` says so. Ethernet: both 0 (see the MTU) */
    const char *source;
} sc_link_row;

/** The catalogue; count receives the number of rows. Static. */
SC_API const sc_link_row *sc_links(size_t *count);

/**
 * TCP payload over Ethernet: line x (MTU - 40 - 12 timestamps) / (MTU + 38 + 4 VLAN): 38 = preamble
 * and SFD 8, header 14, FCS 4, gap 12 (IEEE 802.3); 40 = IPv4 20 and TCP 20 (RFC 791, RFC 9293); 12
 * = TCP timestamps with padding (RFC 7323). 94.15 % at 1500, 99.00 % at 9000.
 * @param mtu_bytes  576 to 65535
 * @return bits a second, rounded down; SC_UNKNOWN for an MTU or rate out of range
 */
SC_API int64_t sc_ethernet_payload_bits_per_s(int64_t line_bits_per_s, int32_t mtu_bytes,
                                              bool timestamps, bool vlan);

/**
 * Parse "1gbe", "10gbe,mtu=9000", "1gbe,rtt=15ms", "wifi6", "437Mb/s", also "vlan" and
 * "timestamps=off" as options. A bare rate is payload. Wireless names give the low end of the
 * measured share ("share=0.6" sets another, "phy=2.4Gb/s" another PHY rate).
 * @return SC_OK; SC_NOT_FOUND for an unknown name; SC_INVALID_ARGUMENT for a bad option
 */
SC_API sc_status sc_link_parse(const char *text, sc_link *link, sc_error *error);

#ifdef __cplusplus
}
#endif
#endif
