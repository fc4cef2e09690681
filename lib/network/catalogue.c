/* The catalogue of links. A new link is one more row. */
#include "network/network.h"

#include "core/options.h"

#define ETHERNET(name, title, line_bits_per_s)                                                     \
    {                                                                                              \
        name, title, SC_LINK_ETHERNET, line_bits_per_s, 0, 0,                                      \
            "line rate of IEEE 802.3; payload x (MTU - 52) / (MTU + 38) by header arithmetic"      \
    }

/* What the wires of a bus carry besides its data is in the shares, too. */
#define BUS(name, title, line_bits_per_s, low, high, source)                                       \
    {                                                                                              \
        name, title, SC_LINK_BUS, line_bits_per_s, (low) / (line_bits_per_s),                      \
            (high) / (line_bits_per_s), source                                                     \
    }

/* PHY rates are those of the fastest scheme of two spatial streams, by the formula of IEEE 802.11:
   streams x data subcarriers x bits a symbol x code rate / (symbol + guard interval). Shares are
   measured payload / that rate. For 6 GHz no payload with a source was found: give phy= and share=. */
#define PHY_N  300000000  /* 2 x 108 x 6 x 5/6 / 3.6 us: 40 MHz, MCS 15, short guard interval */
#define PHY_AC 866666666  /* 2 x 234 x 8 x 5/6 / 3.6 us: 80 MHz, MCS 9, short guard interval */
#define PHY_AX 1200980392 /* 2 x 980 x 10 x 5/6 / 13.6 us: 80 MHz, MCS 11, guard 0.8 us */
#define PHY_BE 1441176470 /* 2 x 980 x 12 x 5/6 / 13.6 us: 80 MHz, MCS 13, guard 0.8 us */

static const sc_link_row rows[] = {
    ETHERNET("100mbe", "Fast Ethernet", 100000000),
    ETHERNET("1gbe", "Gigabit Ethernet", 1000000000),
    ETHERNET("2.5gbe", "2.5 Gigabit Ethernet", 2500000000),
    ETHERNET("5gbe", "5 Gigabit Ethernet", 5000000000),
    ETHERNET("10gbe", "10 Gigabit Ethernet", 10000000000),
    ETHERNET("25gbe", "25 Gigabit Ethernet", 25000000000),
    ETHERNET("40gbe", "40 Gigabit Ethernet", 40000000000),
    ETHERNET("50gbe", "50 Gigabit Ethernet", 50000000000),
    ETHERNET("100gbe", "100 Gigabit Ethernet", 100000000000),
    ETHERNET("200gbe", "200 Gigabit Ethernet", 200000000000),
    ETHERNET("400gbe", "400 Gigabit Ethernet", 400000000000),
    {"wifi4", "Wi-Fi 4 (802.11n), 2 streams, 40 MHz", SC_LINK_WIRELESS, PHY_N, 134.130e6 / PHY_N,
     137.954e6 / 216e6,
     "a ZFS NAS over AFP: 100 GiB read by dd at 134.1 and 137.9 Mb/s with a PHY rate of 216 to "
     "300 Mb/s; PHY rate by the formula of IEEE 802.11"},
    {"wifi5", "Wi-Fi 5 (802.11ac), 2 streams, 80 MHz", SC_LINK_WIRELESS, PHY_AC, 369e6 / PHY_AC,
     369e6 / PHY_AC,
     "\"Breaking the Gigabit\": iperf3 369 Mb/s of TCP payload; PHY rate, not stated there, by the "
     "formula of IEEE 802.11"},
    {"wifi6", "Wi-Fi 6 (802.11ax), 2 streams, 80 MHz", SC_LINK_WIRELESS, PHY_AX, 437e6 / PHY_AX,
     582.37e6 / PHY_AX,
     "\"Breaking the Gigabit\": iperf3 437 Mb/s of TCP payload; Alethea: 16 clients together 582 Mb/s; "
     "PHY rates, not stated there, by the formula of IEEE 802.11"},
    {"wifi7", "Wi-Fi 7 (802.11be), 2 streams, 80 MHz", SC_LINK_WIRELESS, PHY_BE, 925.56e6 / PHY_BE,
     925.56e6 / PHY_BE,
     "Alethea: iperf3 of 16 clients together 926 Mb/s of TCP payload at 80 MHz; PHY rate, not stated "
     "there, by the formula of IEEE 802.11"},
    BUS("usb3", "USB 3.2 Gen 1 (5 Gb/s)", 5000000000, 369.2 * 8e6, 400 * 8e6,
        "Electronic Design: 369 MB/s read over UASP; 400 is what the standard's authors expect"),
    BUS("usb3.1", "USB 3.2 Gen 2 (10 Gb/s)", 10000000000, 900 * 8e6, 900 * 8e6,
        "everythingusb.com: two SATA SSDs in RAID 0, close to 900 MB/s"),
};

const sc_link_row *sc_links(size_t *count)
{
    if (count)
        *count = SCI_COUNT(rows);
    return rows;
}

const sc_link_row *sci_link_row_named(const char *name)
{
    for (size_t i = 0; i < SCI_COUNT(rows); i++)
        if (sci_same_word(rows[i].name, name))
            return &rows[i];
    return NULL;
}
