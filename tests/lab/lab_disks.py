"""Disks with a set speed (lab.sh) for the tests of this directory."""

import contextlib
import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from lab_room import room_unless

HERE = Path(__file__).resolve().parent
TOOLS = Path(os.environ.get("LAB_TOOLS", HERE))
LAB = HERE / "lab.sh"
RATE = "800M"


def missing():
    """Why there can be no lab here, or None."""
    if os.geteuid() != 0:
        return "root is needed to mount"
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        return "no /dev/fuse"
    if not os.path.exists("/dev/loop-control"):
        return "no loop devices"
    needed = ("nbdkit", "nbdfuse", "fusermount3", "losetup", "mke2fs")
    absent = [name for name in needed if not shutil.which(name)]
    return "not installed: " + ", ".join(absent) if absent else None


class Disk:
    def __init__(self, directory, rate=RATE, *options, env=None):
        self.directory = Path(directory)
        self.mount = self.directory / "mnt"
        subprocess.run([LAB, "disk-up", directory, rate, *options], check=True, timeout=90,
                       env={**os.environ, **(env or {})})

    def clips(self):
        return sorted(self.mount.glob("*.mov"))

    def close(self):
        subprocess.run([LAB, "disk-down", self.directory], check=True, timeout=90)

    def fail_reads(self):
        (self.directory / "fail-reads").touch()

    def mend_reads(self):
        (self.directory / "fail-reads").unlink()

    def pause(self, command):
        with socket.socket(socket.AF_UNIX) as control:
            control.settimeout(5)
            control.connect(str(self.directory / "pause.sock"))
            control.sendall(command)
            control.recv(1)


room = room_unless(missing)


@contextlib.contextmanager
def without_direct_reads(source, mount):
    """A mount of a directory that refuses O_DIRECT."""
    tool = TOOLS / "nodirect_fuse"
    if not tool.exists():
        pytest.skip("built without libfuse3")
    subprocess.run([LAB, "nodirect-up", mount, tool, source], check=True, timeout=30)
    try:
        yield mount
    finally:
        subprocess.run([LAB, "nodirect-down", mount], check=True, timeout=30)
