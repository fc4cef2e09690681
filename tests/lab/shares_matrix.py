"""Every protocol over every link, for people to read: what iperf3 shows on the link, what readers get,
and one reader beside fio. STREAMCALC names the program. Takes some five minutes.
shares_matrix.py [LINK...]   of those below"""

import shutil
import signal
import sys
import tempfile
from pathlib import Path

from lab_shares import CLI, Link, Share, Store, missing

PROTOCOLS = ("smb", "nfs", "iscsi")
LINKS = {"1gbit": ("1gbit", 1500), "1gbit-jumbo": ("1gbit", 9000), "2.5gbit": ("2500mbit", 1500),
         "2.5gbit-jumbo": ("2500mbit", 9000), "swinging": ("300mbit", 1500)}
SWING = ("200mbit", "400mbit", "250mbit", "350mbit", "300mbit")


def megabytes(rate):
    return f"{rate / 1e6:6.1f}"


def row(name, protocol, goodput, share):
    result = share.measure(share.mount, "--duration", "14s", "--max-readers", "8")
    one = share.measure(share.clips()[0], "--player", "tight", "--max-readers", "1", "--duration",
                        "9s")["points"][0]
    rate, p50 = share.fio(share.clips()[0], 3)
    points = " ".join(megabytes(point["bytes_per_s"]["mean"]) for point in result["points"])
    print(f"{name:13} {protocol:5} {megabytes(goodput)}  {points}  "
          f"{megabytes(one['bytes_per_s']['mean'])} {one['latency_s']['p50'] * 1e3:5.2f}  "
          f"{megabytes(rate)} {p50 * 1e3:5.2f}  "
          + " ".join(finding["code"] for finding in result["findings"]), flush=True)


def run_link(room, name, store):
    rate, mtu = LINKS[name]
    link = Link(room / name, rate, mtu)
    try:
        if name == "swinging":
            link.swing(*SWING)
        for protocol in PROTOCOLS:
            goodput = link.goodput(5)
            share = Share(room / protocol, link, protocol, store.path)
            try:
                row(name, protocol, goodput, share)
            finally:
                share.close()
    finally:
        link.close()


def main(names):
    reason = missing()
    if not set(names) <= set(LINKS) or not shutil.which(CLI):
        sys.exit(__doc__)
    if reason:
        sys.exit(f"skipped: {reason}")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that all is taken down
    print("MB/s, ms                iperf3  1, 2, 4, 8 readers           one, p50      fio, p50")
    with tempfile.TemporaryDirectory(prefix="streamcalc-shares.", dir="/var/tmp") as room:
        store = Store(Path(room) / "store", 2048)
        try:
            for name in names or LINKS:
                run_link(Path(room), name, store)
        finally:
            store.close()


if __name__ == "__main__":
    main(sys.argv[1:])
