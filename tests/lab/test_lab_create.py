"""Created test data where it cannot be made: a disk that is full or fills up meanwhile, a mount
that is read-only."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
TOOLS = Path(os.environ.get("LAB_TOOLS", HERE))


@pytest.fixture(scope="module")
def volume():
    """A small ext4 on a loop device, of a sparse image."""
    if os.geteuid() != 0:
        pytest.skip("root is needed to mount")
    if not os.path.exists("/dev/loop-control") or not shutil.which("mke2fs"):
        pytest.skip("no loop devices or no mke2fs")
    room = Path(tempfile.mkdtemp(prefix="streamcalc-lab.", dir="/var/tmp"))
    if shutil.disk_usage(room).free < 6 << 30:
        room.rmdir()
        pytest.skip("less than 6 GiB are free in /var/tmp")
    image, mount = room / "disk.img", room / "mnt"
    mount.mkdir()
    try:
        subprocess.run(["mke2fs", "-q", "-t", "ext4", "-O", "^has_journal", "-m", "0", image, "4G"],
                       check=True)
        subprocess.run(["mount", "-o", "loop", image, mount], check=True)
        shutil.rmtree(mount / "lost+found")
        yield mount
    finally:
        subprocess.run(["umount", mount], check=False)
        shutil.rmtree(room)


def start(path, *options):
    return subprocess.Popen([TOOLS / "measure_tool", path, *options], stdout=subprocess.PIPE,
                            text=True)


def wait_until(condition, seconds=20):
    for _ in range(int(seconds * 2000)):
        if condition():
            return
        time.sleep(0.0005)
    raise AssertionError("did not happen in time")


def bytes_in(folder):
    return sum(path.stat().st_size for path in folder.iterdir())


def test_a_disk_that_fills_up_while_creating(volume):
    tool = start(volume, "create=2GiB")
    wait_until(lambda: bytes_in(volume) > 0)
    filler = volume / "filler"
    fd = os.open(filler, os.O_CREAT | os.O_WRONLY)
    state = os.statvfs(volume)
    os.posix_fallocate(fd, 0, state.f_bavail * state.f_frsize - (64 << 20))
    os.close(fd)
    out = tool.communicate(timeout=60)[0]
    try:
        assert "status=io\n" in out and "errno=28" in out and "where=measure.create" in out, out
        assert [path.name for path in volume.iterdir()] == ["filler"]
    finally:
        filler.unlink()


def test_less_room_than_asked_for_and_the_margin(volume):
    out = start(volume, "create=3500MiB").communicate(timeout=60)[0]
    assert "status=io\n" in out and "errno=28" in out and "to be left free" in out, out
    assert list(volume.iterdir()) == []


def test_a_mount_that_is_read_only(volume):
    subprocess.run(["mount", "-o", "remount,ro", volume], check=True)
    try:
        out = start(volume, "create=64MiB").communicate(timeout=60)[0]
    finally:
        subprocess.run(["mount", "-o", "remount,rw", volume], check=True)
    assert "status=io\n" in out and "errno=30" in out, out
    assert list(volume.iterdir()) == []


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))
