"""Places to play from: a store of known speed, read here or by a client behind a network of known speed."""

from collections import namedtuple
from pathlib import Path

from lab_disks import LAB, TOOLS, Disk, missing as no_disks, run
from lab_shares import NET, SHARES, Link, Share, missing as no_shares

# options are lab.sh's; of each stall.every_s seconds the store answers nothing for stall.length_s.
StoreKind = namedtuple("StoreKind", "bytes_per_s options seeks stall", defaults=[(), False, None])
Stall = namedtuple("Stall", "every_s length_s")
MB = 10**6
STORES = {
    "steady-50MB": StoreKind(50 * MB),
    "steady-100MB": StoreKind(100 * MB),
    "steady-200MB": StoreKind(200 * MB),
    "steady-400MB": StoreKind(400 * MB),
    "slow-50MB-5ms": StoreKind(50 * MB, ("delay-read=5ms",)),
    "slow-100MB-5ms": StoreKind(100 * MB, ("delay-read=5ms",)),
    "slow-200MB-10ms": StoreKind(200 * MB, ("delay-read=10ms",)),
    "seeking-100MB": StoreKind(100 * MB, seeks=True),
    "seeking-200MB": StoreKind(200 * MB, seeks=True),
    "fast-800MB": StoreKind(800 * MB),
    "stalling-100MB": StoreKind(100 * MB, stall=Stall(5, 0.5)),
    "stalling-200MB": StoreKind(200 * MB, stall=Stall(10, 1)),
}

# The rates of swing follow each other, each for a second.
LinkKind = namedtuple("LinkKind", "megabits mtu swing", defaults=[1500, ()])
LINKS = {
    "1gbe": LinkKind(1000),
    "1gbe-mtu9000": LinkKind(1000, 9000),
    "2.5gbe": LinkKind(2500),
    "2.5gbe-mtu9000": LinkKind(2500, 9000),
    "wifi": LinkKind(300, swing=(200, 400, 250, 350, 300)),
}
PROTOCOLS = ("smb", "nfs", "iscsi")
LOCAL = "local"
NetworkKind = namedtuple("NetworkKind", "protocol link")
NETWORKS = {LOCAL: None, **{f"{protocol}-{link}": NetworkKind(protocol, link)
                            for protocol in PROTOCOLS for link in LINKS}}

IMAGE_MIB = 2048
# Little beside the image, so that what is read again comes from the disk, and enough for the largest server.
SERVER_MIB = 128


def names():
    return [f"{store}/{network}" for store in STORES for network in NETWORKS]


def missing(network):
    """Why there can be no such place here, or None."""
    return no_disks() if NETWORKS[network] is None else no_shares()


def make_link(directory, kind):
    link = Link(directory, f"{kind.megabits}mbit", kind.mtu)
    if kind.swing:
        link.swing(*(f"{megabits}mbit" for megabits in kind.swing))
    return link


def take_down(directory):
    """What there is of a place, however far it came."""
    directory = Path(directory)
    run(SHARES, "share-down", directory / "share")
    run(NET, "link-down", directory / "link")
    run(LAB, "disk-down", directory / "disk")


class Place:
    """mount: what the client sees, with clips in it; server_mount: the store itself, at the server; link: a Link,
    or None where the store is local. directory holds all of it, and what a Place that fails has made is gone."""

    def __init__(self, directory, store, network=LOCAL, env=None):
        self.directory = Path(directory).resolve()
        self.store, self.network = STORES[store], NETWORKS[network]
        self.link = self.share = None
        try:
            self.disk = self._make_disk(env or {})
            if self.network:
                self.link = make_link(self.directory / "link", LINKS[self.network.link])
                self.share = Share(self.directory / "share", self.link, self.network.protocol,
                                   self.disk.mount, {"LAB_SERVER_MIB": str(SERVER_MIB), **(env or {})})
            if self.store.stall:  # last, so that nothing above waits for it
                self.disk.stall(*self.store.stall)
        except BaseException:
            self.close()
            raise
        self.server_mount = self.disk.mount
        self.mount = (self.share or self.disk).mount

    def _make_disk(self, env):
        settings = {"LAB_IMAGE_MIB": str(IMAGE_MIB), **env}
        if self.store.seeks:
            settings["LAB_PLUGIN"] = str(TOOLS / "seek_disk.so")
        if self.network:
            settings["LAB_SHARE"] = "files" if self.network.protocol == "smb" else "image"
        return Disk(self.directory / "disk", str(8 * self.store.bytes_per_s), *self.store.options,
                    env=settings)

    def clips(self):
        return sorted(self.mount.glob("*.mov"))

    def client(self, command):
        """The command as the client runs it."""
        return self.link.client(*command) if self.link else list(command)

    def close(self):
        take_down(self.directory)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
