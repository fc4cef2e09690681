"""Disks with a set speed (lab.sh) for the tests of this directory."""

import contextlib
import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

import pause_disk
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


def run(script, verb, directory, *arguments, env=None, timeout=180):
    """A script of the lab. Whatever ends this process's wait for it, Ctrl-C too, ends the script, which removes
    then what it has made; nothing else does: a Ctrl-C at the terminal reaches this process alone."""
    ending = (signal.SIGINT, signal.SIGTERM)
    held = signal.pthread_sigmask(signal.SIG_BLOCK, ending)
    process = subprocess.Popen([script, verb, directory, *arguments], start_new_session=True,
                               env={**os.environ, **(env or {})},
                               preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, held))
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
        process.wait(timeout)
    except BaseException:
        process.terminate()
        process.wait()
        raise
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)


class Disk:
    def __init__(self, directory, rate=RATE, *options, env=None):
        self.directory = Path(directory)
        self.mount = self.directory / "mnt"
        run(LAB, "disk-up", directory, rate, *options, env=env)

    def clips(self):
        return sorted(self.mount.glob("*.mov"))

    def close(self):
        run(LAB, "disk-down", self.directory)

    def stall(self, every_s, length_s):
        """From now on no read is answered for so long of each such time."""
        run(LAB, "disk-stall", self.directory, str(every_s), str(length_s))

    def fail_reads(self):
        (self.directory / "fail-reads").touch()

    def mend_reads(self):
        (self.directory / "fail-reads").unlink()

    def pause(self, command):
        pause_disk.send(self.directory / "pause.sock", command)


room = room_unless(missing)


@contextlib.contextmanager
def without_direct_reads(source, mount):
    """A mount of a directory that refuses O_DIRECT."""
    tool = TOOLS / "nodirect_fuse"
    if not tool.exists():
        pytest.skip("built without libfuse3")
    run(LAB, "nodirect-up", mount, tool, source)
    try:
        yield mount
    finally:
        run(LAB, "nodirect-down", mount)
