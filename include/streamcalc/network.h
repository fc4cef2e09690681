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
    SC_LINK_WIRELESS,
    SC_LINK_BUS /**< USB, Thunderbolt: between a computer and a disk or adapter */
} sc_link_kind;

/** "rate", "ethernet", "wireless", "bus". */
SC_API const char *sc_link_kind_name(sc_link_kind kind);

/** A link. A value without pointers. */
typedef struct sc_link {
    char name[SC_NAME_MAX]; /**< the expression: "1gbe", "1gbe,rtt=15ms", "437Mb/s" */
    sc_link_kind kind;
    int64_t line_bits_per_s;    /**< what the box says; for a bare rate the payload */
    int64_t payload_bits_per_s; /**< what one workstation's connection delivers to a program: C of
                                     the model; rounded down */
    double rtt_s;               /**< round trip; 0 when not given */
    int32_t mtu_bytes;          /**< 0 when it does not apply */
    bool timestamps;            /**< TCP timestamps counted (12 bytes a packet) */
    bool vlan;                  /**< an 802.1Q tag counted (4 bytes a frame) */
    bool ipv6;                  /**< IPv6 headers counted (20 bytes a packet more) */
    int32_t members;            /**< links of an aggregate (LACP), of which one connection uses one,
                                     whatever the others carry; 0: no aggregate */
    int64_t window_bytes;  /**< most bytes in flight of a connection (TCP window, or queue depth
                                     x block): at most that a round trip; 0: no such limit */
    char protocol[16];     /**< "smb": what its row of sc_protocols() says was taken off; "" */
    double protocol_share; /**< of the payload; 0 without a protocol */
    /** Of links that swing, as iperf3 saw it: the fewest bytes in any window; count 0: steady. */
    int32_t window_count;
    double window_s[SC_WINDOWS_MAX];
    int64_t worst_window_bytes[SC_WINDOWS_MAX];
    sc_source origin;
    char source[SC_TEXT_MAX]; /**< who published the figure, or the formula */
} sc_link;

/** One row of the catalogue; strings are static. */
typedef struct sc_link_row {
    const char *name;  /**< "10gbe" */
    const char *title; /**< "10 Gigabit Ethernet" */
    sc_link_kind kind;
    int64_t line_bits_per_s; /**< wireless: the PHY rate that the shares below refer to */
    double
        payload_share_low; /**< wireless and buses: measured payload / line rate, low and high; */
    double payload_share_high; /**< where the account does not tell the PHY rate, that of
                                    line_bits_per_s is assumed and `source` says so. Ethernet: both
                                    0 (see the MTU) */
    const char *source;
} sc_link_row;

/** The catalogue; count receives the number of rows. Static. */
SC_API const sc_link_row *sc_links(size_t *count);

/** What a protocol delivers of the payload that TCP has; strings are static. */
typedef struct sc_protocol_row {
    const char *name; /**< "smb" */
    double share_low; /**< measured, low and high; plans take the low one */
    double share_high;
    const char *source;
} sc_protocol_row;

/** The catalogue of protocols; count receives the number of rows. Static. */
SC_API const sc_protocol_row *sc_protocols(size_t *count);

/**
 * TCP payload over Ethernet: line x (MTU - 40 - 20 IPv6 - 12 timestamps) / (MTU + 38 + 4 VLAN): 38 =
 * preamble and SFD 8, header 14, FCS 4, gap 12 (IEEE 802.3); 40 = IPv4 20 and TCP 20 (RFC 791, RFC
 * 9293); the header of IPv6 has 40 (RFC 8200); 12 = TCP timestamps with padding (RFC 7323). 94.15 %
 * at 1500, 99.00 % at 9000.
 * @param mtu_bytes  576 to 65535; 1280 and more with IPv6
 * @return bits a second, rounded down; SC_UNKNOWN for an MTU or rate out of range
 */
SC_API int64_t sc_ethernet_payload_bits_per_s(int64_t line_bits_per_s, int32_t mtu_bytes,
                                              bool timestamps, bool vlan, bool ipv6);

/**
 * The probability that at least two of so many connections share a link of an aggregate, each put on
 * any of its members by a hash: 1 - members! / ((members - connections)! members^connections).
 * @param connections  0 to 10^6
 * @param members      1 to 256
 * @return 0 to 1; negative for numbers out of range
 */
SC_API double sc_link_collision_probability(int64_t connections, int32_t members);

/**
 * Parse "1gbe", "10gbe,mtu=9000", "1gbe,rtt=15ms", "wifi6", "437Mb/s". Options of Ethernet: mtu=,
 * vlan, ipv6, timestamps=off, lacp=2 (links of an aggregate, 2 to 256); of wireless: phy=2.4Gb/s;
 * of wireless and buses: share=0.6, which else is the low end of the measured one; of all: rtt=,
 * window=400kB (bytes in flight of a connection; needs rtt=), protocol=smb, which takes the low end
 * of its measured share. A bare rate is payload.
 * @return SC_OK; SC_NOT_FOUND for an unknown name; SC_INVALID_ARGUMENT for a bad option
 */
SC_API sc_status sc_link_parse(const char *text, sc_link *link, sc_error *error);

#ifdef __cplusplus
}
#endif
#endif
