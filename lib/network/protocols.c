/* What file and block protocols deliver of TCP's payload. A new measurement is one more row; shares are
   delivered bytes a second over the payload of that link by header arithmetic, or what iperf3 showed on it,
   of reads that neither disk nor processor held back. */
#include "network/network.h"

#include "core/options.h"

#define GBE_1500 117.685e6 /* bytes a second of payload of Gigabit Ethernet at MTU 1500 */
#define LAB      119.6e6 /* what iperf3 gave on the lab's link of 1 Gb/s, tests/lab/shares_matrix.py */

static const sc_protocol_row rows[] = {
    {"smb", 83e6 / GBE_1500, 119.2e6 / LAB,
     "low: FreeNAS over CIFS and Gigabit Ethernet, 83 MB/s read; high: this project's lab, Samba and rclone "
     "at 1 Gb/s, 119.2 MB/s of 119.6 by iperf3; \"Breaking the Gigabit\" had 50 of 54.6 over Wi-Fi 6"},
    {"nfs", 118.0e6 / LAB, 119.5e6 / LAB,
     "this project's lab: NFS-Ganesha at 1 Gb/s, 118.0 to 119.5 MB/s of 119.6 by iperf3"},
    {"iscsi", 110e6 / GBE_1500, 119.6e6 / LAB,
     "low: FreeNAS over iSCSI and Gigabit Ethernet, 110 MB/s read; high: this project's lab, tgt at 1 Gb/s, "
     "119.6 MB/s of 119.6 by iperf3"},
    {"afp", 72733352 / GBE_1500, 72733352 / GBE_1500,
     "a ZFS NAS over AFP and Gigabit Ethernet: 100 GiB read by dd at 72.7 MB/s, 309 locally"},
};

const sc_protocol_row *sc_protocols(size_t *count)
{
    if (count)
        *count = SCI_COUNT(rows);
    return rows;
}

const sc_protocol_row *sci_protocol_row_named(const char *name)
{
    for (size_t i = 0; i < SCI_COUNT(rows); i++)
        if (sci_same_word(rows[i].name, name))
            return &rows[i];
    return NULL;
}
