"""Created test data where it cannot be made (a disk that is full or fills up meanwhile, a mount that
is read-only, a disk that hangs), data that is there and unfit, and writes at a set speed."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from lab_disks import Disk, room  # noqa: F401 (room is a fixture)
from measured import start


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


# ---- a disk of a set speed that takes writes ----

RATE = "400M"
LIMIT_BYTES_PER_S = 400 * 2**20 / 8


class CreatedDisk(Disk):
    def __init__(self, directory):
        super().__init__(directory, RATE, env={"LAB_WRITABLE": "1", "LAB_IMAGE_MIB": "3072",
                                               "LAB_CLIP_MIB": "40"})

    def created(self):
        return list(self.mount.glob(".streamcalc-test-*"))

    def hang(self, seconds=8):
        """At most so long, so that a test that waits for what does not come fails instead of hanging."""
        self.pause(b"p")
        self.end = threading.Timer(seconds, self.pause, [b"r"])
        self.end.start()

    def answer(self):
        self.end.cancel()
        self.pause(b"r")


@pytest.fixture(scope="module")
def disk(room):
    made = CreatedDisk(room / "disk")
    yield made
    made.close()


def points(kind, out):
    return {int(n): float(mean) for n, mean in re.findall(kind + r"=(\d+) mean=(\d+)", out)}


def test_writes_come_at_the_speed_of_the_disk(disk):
    out = start(disk.mount, "create=64MiB", "write=1", "seconds=14", "max=2").communicate(
        timeout=90)[0]
    assert "status=ok" in out, out
    written = points("write writers", out)
    assert sorted(written) == [1, 2], out
    for mean in written.values():
        assert abs(mean / LIMIT_BYTES_PER_S - 1) < 0.05, out
    assert "synced=0" in out
    assert abs(points("point readers", out)[1] / LIMIT_BYTES_PER_S - 1) < 0.05, out
    assert disk.created() == []


def written_bytes(disk):
    loop = (disk.directory / "loop").read_text().strip()
    return int(Path("/sys/block", Path(loop).name, "stat").read_text().split()[6]) * 512


@pytest.mark.parametrize("writers", [0, 1])
def test_writers_write_while_it_is_read(disk, writers):
    """Reads and writes have a limit each on this disk, so the device tells whether there were any."""
    before = written_bytes(disk)
    out = start(disk.mount, "create=64MiB", f"writers={writers}", "seconds=8", "max=1").communicate(
        timeout=90)[0]
    assert "status=ok" in out and ("code=with-writers" in out) == (writers > 0), out
    seconds = float(re.search(r"point readers=1 .* seconds=([0-9.]+)", out).group(1))
    written = written_bytes(disk) - before - (64 << 20)
    assert (written > 0.8 * seconds * LIMIT_BYTES_PER_S) == (writers > 0), (written, out)
    assert disk.created() == []


def test_a_disk_that_hangs_while_creating(disk):
    """The call comes back, naming what is left; the thread that it left behind removes that when the
    disk answers again."""
    tool = start(disk.mount, "create=512MiB", "stall=1")
    wait_until(lambda: disk.created())
    time.sleep(0.5)
    disk.hang()
    begin = time.monotonic()
    try:
        lines = [tool.stdout.readline() for _ in range(2)]
        assert time.monotonic() - begin < 4, lines
        assert lines[0] in ("status=io\n", "status=stalled\n")
        assert "where=measure.create errno=110" in lines[1] and "left there" in lines[1], lines
        assert f".streamcalc-test-{tool.pid}-" in lines[1], lines
    finally:
        disk.answer()
    tool.communicate(timeout=60)
    # The process ends when its call is over, so the thread had no time: this is what a leftover is.
    removed = start(disk.mount, "seconds=1", "max=1").communicate(timeout=60)[0]
    assert not disk.created() or "code=leftover-test-data" in removed, removed
    for path in disk.created():
        path.unlink()


def test_a_disk_that_hangs_while_its_test_data_is_read(disk):
    """There is a point, so there is a result, and it tells what could not be removed."""
    tool = start(disk.mount, "create=64MiB", "stall=1", "seconds=12", "max=4")
    wait_until(lambda: sum(path.stat().st_size for path in disk.created()) >= 64 << 20)
    time.sleep(7)  # the first of three points of 3.5 s is complete, the second is not
    disk.hang()
    begin = time.monotonic()
    try:
        lines = []
        while not lines or not lines[-1].startswith("point"):
            lines.append(tool.stdout.readline())
            assert lines[-1], lines
        assert time.monotonic() - begin < 4, lines
        assert lines[0] in ("status=io\n", "status=stalled\n"), lines
    finally:
        disk.answer()
    rest = tool.stdout.read()
    tool.wait(20)
    left = re.search(r"code=test-data-left .*\(files: (\d+)\)", rest)
    assert left, (lines, rest)
    for path in disk.created():
        path.unlink()


# ---- data that is there, and unfit ----


@pytest.fixture
def file_system(request):
    """A small btrfs or xfs on a loop device."""
    kind, options = request.param
    if os.geteuid() != 0 or not os.path.exists("/dev/loop-control"):
        pytest.skip("root and loop devices are needed to mount")
    if not shutil.which(f"mkfs.{kind}"):
        pytest.skip(f"not installed: mkfs.{kind}")
    room = Path(tempfile.mkdtemp(prefix="streamcalc-lab.", dir="/var/tmp"))
    image, mount = room / "disk.img", room / "mnt"
    mount.mkdir()
    with open(image, "wb") as file:
        file.truncate(512 << 20)
    try:
        subprocess.run([f"mkfs.{kind}", "-q", image], check=True)
        tried = subprocess.run(["mount", "-o", ",".join(["loop", *options]), image, mount],
                               capture_output=True, text=True)
        if tried.returncode:
            pytest.skip(f"cannot mount {kind}: {tried.stderr.strip()}")
        yield mount
    finally:
        subprocess.run(["umount", "-q", mount], check=False)
        shutil.rmtree(room)


def write(path, chunk, count):
    with open(path, "wb") as file:
        for _ in range(count):
            file.write(chunk() if callable(chunk) else chunk)
        file.flush()
        os.fsync(file.fileno())


def measured(folder):
    out = start(folder, "seconds=1", "max=1").communicate(timeout=60)[0]
    assert "status=ok" in out, out
    return out


def noise():
    return os.urandom(1 << 20)


@pytest.mark.parametrize("file_system", [("btrfs", []), ("xfs", [])], indirect=True,
                         ids=["btrfs", "xfs"])
def test_copies_that_share_their_data_are_one(file_system):
    write(file_system / "a.mov", noise, 80)
    out = measured(file_system)
    assert "code=shared-extents" not in out, out
    tried = subprocess.run(["cp", "--reflink=always", file_system / "a.mov", file_system / "b.mov"])
    assert tried.returncode == 0
    os.sync()
    out = measured(file_system)
    assert "code=shared-extents severity=note 1 file is" in out, out
    write(file_system / "c.mov", noise, 80)
    out = measured(file_system)
    assert "code=shared-extents severity=note 1 file is" in out, out


@pytest.mark.parametrize("file_system", [("btrfs", ["compress-force=zstd"])], indirect=True,
                         ids=["btrfs"])
def test_compressed_files_are_a_problem(file_system):
    """Blocks below size tell nothing here: half of the file is noise, which is stored as it is."""
    text = b"".join(b"%032d" % i for i in range(1 << 15))
    write(file_system / "a.mov", lambda: noise() + text, 40)
    out = measured(file_system)
    assert "code=sparse-data severity=problem" in out, out
    (file_system / "a.mov").unlink()
    write(file_system / "b.mov", noise, 80)
    assert "code=sparse-data" not in measured(file_system)


def test_zeros_and_patterns_are_told(volume):
    cases = {"zero": bytes(1 << 20), "pattern": os.urandom(4096) * 256, "sound": noise}
    for name, chunk in cases.items():
        write(volume / name, chunk, 80)
        out = measured(volume)
        (volume / name).unlink()
        assert ("code=compressible-data" in out) == (name != "sound"), out
        assert "code=sparse-data" not in out, out


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))
