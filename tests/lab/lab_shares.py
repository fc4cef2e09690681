"""Network shares over shaped links (net.sh, shares.sh) for the tests of this directory."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from lab_disks import HERE, missing as no_disks, run

NET = HERE / "net.sh"
SHARES = HERE / "shares.sh"
SERVER = "10.77.0.1"
CLI = os.environ.get("STREAMCALC", "streamcalc")
PACKAGES = {"smbd": "samba", "rclone": "rclone", "ganesha.nfsd": "nfs-ganesha", "rpcbind": "rpcbind",
            "tgtd": "tgt", "qemu-storage-daemon": "qemu-system-common", "iperf3": "iperf3",
            "ip": "iproute2", "tc": "iproute2", "nsenter": "util-linux"}
# What a link is made of, in a network of its own that ends with the command.
TRY = ("ip link add server type veth peer name client && "
       "tc qdisc add dev server root tbf rate 1gbit burst 256kb latency 20ms")


def missing():
    """Why there can be no shares here, or None."""
    reason = no_disks()
    absent = sorted({package for name, package in PACKAGES.items() if not shutil.which(name)})
    if reason or absent:
        return reason or "not installed: " + ", ".join(absent)
    tried = subprocess.run(["unshare", "--net", "sh", "-c", TRY], stderr=subprocess.PIPE, text=True)
    return "no veth with tbf: " + tried.stderr.strip() if tried.returncode else None


class Link:
    """Two network namespaces and what joins them."""

    def __init__(self, directory, rate="1gbit", mtu=1500, queue="20ms"):
        self.directory = Path(directory)
        run(NET, "link-up", directory, rate, str(mtu), queue)

    def server(self, *command):
        return [NET, "server", self.directory, *command]

    def client(self, *command):
        return [NET, "client", self.directory, *command]

    def set_rate(self, rate):
        run(NET, "link-rate", self.directory, rate)

    def swing(self, *rates):
        run(NET, "link-swing", self.directory, *rates)

    def goodput(self, seconds=2):
        """Bytes a second that TCP carries from the server to the client, as iperf3 received them."""
        server = subprocess.Popen(self.server("iperf3", "--server", "--one-off", "--forceflush"),
                                  stdout=subprocess.PIPE, text=True)
        try:
            while "listening" not in server.stdout.readline():
                pass
            report = subprocess.run(
                self.client("iperf3", "--json", "--reverse", "--time", str(seconds), "--client",
                            SERVER), stdout=subprocess.PIPE, check=True, timeout=30 + seconds)
        finally:
            server.kill()
            server.wait()
        return json.loads(report.stdout)["end"]["sum_received"]["bits_per_second"] / 8

    def close(self):
        run(NET, "link-down", self.directory)


class Store:
    """A directory to share, from memory as long as the page cache holds it."""

    def __init__(self, directory, mib=640):
        self.path = self.directory = Path(directory)
        run(SHARES, "store-up", directory, str(mib))

    def close(self):
        run(SHARES, "store-down", self.directory)


class Share:
    """One protocol over one link, with the store (a Store, or the mount of a Disk) behind it."""

    def __init__(self, directory, link, protocol, store, env=None):
        self.directory = Path(directory)
        self.link = link
        self.protocol = protocol
        self.mount = self.directory / "mnt"
        self.image = self.directory / "disk" / "image"
        run(SHARES, "share-up", directory, link.directory, protocol, store, env=env)

    def clips(self):
        return sorted(self.mount.glob("*.mov"))

    def measure(self, path, *options):
        """The command line's document."""
        made = subprocess.run(self.link.client(CLI, "measure", "--json", *options, path),
                              stdout=subprocess.PIPE, timeout=90)
        return json.loads(made.stdout)

    def fio(self, clip, seconds=1.5):
        """Bytes a second and the median latency of one reader, with one read of 1 MiB in flight."""
        made = subprocess.run(
            self.link.client("fio", "--name=reader", "--output-format=json", "--rw=read", "--bs=1M",
                             "--direct=1", "--ioengine=psync", "--readonly", f"--filename={clip}",
                             f"--runtime={seconds:g}", "--ramp_time=0.5", "--time_based"),
            stdout=subprocess.PIPE, check=True, timeout=60)
        read = json.loads(made.stdout)["jobs"][0]["read"]
        return read["bw_bytes"], read["clat_ns"]["percentile"]["50.000000"] / 1e9

    def close(self):
        run(SHARES, "share-down", self.directory)
