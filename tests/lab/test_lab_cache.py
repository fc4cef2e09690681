"""What makes a disk look faster than it is: files in the page cache, a loop device that caches, files
of zeros or of nothing, as root and as an ordinary user. Each is measured at the speed of the disk or
flagged, and nothing sound is."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lab_disks import TOOLS, Disk, room, without_direct_reads  # noqa: F401 (room is a fixture)
from measured import NOBODY, measure

FILE_MIB = 64
SOUND_MIB = 200  # more than one measurement reads, so that nothing is read again
USERS = {"root": [], "user": NOBODY}
GRAVE = {"warning", "problem"}
# What says that a figure may be that of a cache, or of data that a storage need not read.
TRAPS = {"not-proven-cold", "cache-below", "implausible-speed", "sparse-data", "compressible-data"}

if not shutil.which("setpriv"):
    del USERS["user"]


class Tools:
    """Where an ordinary user may execute them, whatever folder they were built in."""

    def __init__(self, folder):
        folder.mkdir(mode=0o755)
        self.tool = Path(shutil.copy(TOOLS / "measure_tool", folder))

    def run(self, user, path, seconds=1.8):
        result = measure(path, f"seconds={seconds}", "max=1", user=USERS[user], tool=self.tool)
        assert result.values.get("status") == "ok", result.text
        return result


@pytest.fixture(scope="module")
def tools(room):
    room.chmod(0o755)
    return Tools(room / "tools")


@pytest.fixture(scope="module")
def disk(room):
    made = Disk(room / "disk", "800M", env={"LAB_WRITABLE": "1", "LAB_IMAGE_MIB": "768",
                                            "LAB_CLIP_MIB": "70"})
    for clip in made.clips():
        clip.unlink()
    for name in ("sound", "read"):
        write(made.mount / f"{name}.mov", os.urandom, SOUND_MIB)
    yield made
    made.close()


def write(path, content, mib=FILE_MIB, synced=True):
    with open(path, "wb") as file:
        for _ in range(mib):
            file.write(content(1 << 20))
        file.flush()
        if synced:
            os.fsync(file.fileno())


def drop_caches():
    os.sync()
    Path("/proc/sys/vm/drop_caches").write_text("3")


def read_all(path):
    subprocess.run(["cat", path], stdout=subprocess.DEVNULL, check=True)


@pytest.fixture(scope="module")
def cold(disk, tools):
    """The cold figure of the disk: one reader of a file that nothing has touched."""
    drop_caches()
    result = tools.run("root", disk.mount / "sound.mov", seconds=5)
    print(result.text)
    assert not GRAVE & set(result.findings.values()), result.text
    assert result.values["cache"] == "direct" and result.values["proven"] == "1"
    return result.mean(1)


def grave(result):
    return sorted(code for code, severity in result.findings.items() if severity in GRAVE)


def is_cold(result, cold):
    return abs(result.mean(1) / cold - 1) <= 0.05


def check(trap, user, result, cold):
    """Either the figure is right or it is flagged."""
    print(f"trap {trap:12} {user}: cold {cold / 1e6:.1f} MB/s, measured {result.mean(1) / 1e6:.1f}"
          f" MB/s, flags {grave(result)}")
    assert is_cold(result, cold) or TRAPS & set(grave(result)), result.text


@pytest.mark.parametrize("user", USERS)
def test_a_sound_file_carries_no_flag(disk, tools, cold, user):
    drop_caches()
    result = tools.run(user, disk.mount / "sound.mov")
    check("sound", user, result, cold)
    assert not grave(result) and is_cold(result, cold), result.text
    assert result.values["proven"] == "1", result.text


@pytest.mark.parametrize("user", USERS)
def test_a_file_that_was_read_just_before(disk, tools, cold, user):
    read_all(disk.mount / "read.mov")
    result = tools.run(user, disk.mount / "read.mov")
    check("read before", user, result, cold)
    assert is_cold(result, cold), result.text  # O_DIRECT works here: there is no excuse
    assert not grave(result), result.text


@pytest.mark.parametrize("user", USERS)
def test_a_file_of_zeros(disk, tools, cold, user):
    path = disk.mount / "zeros.mov"
    write(path, bytes)
    drop_caches()
    result = tools.run(user, path)
    path.unlink()
    check("zeros", user, result, cold)
    assert "compressible-data" in grave(result), result.text


@pytest.mark.parametrize("kind", ["sparse", "half sparse", "unwritten"])
@pytest.mark.parametrize("user", USERS)
def test_a_file_of_nothing(disk, tools, cold, user, kind):
    """Never written, or set aside by fallocate and never written, which counts as blocks in use."""
    path = disk.mount / "nothing.mov"
    with open(path, "wb") as file:
        if kind == "unwritten":
            os.posix_fallocate(file.fileno(), 0, FILE_MIB << 20)
        if kind == "half sparse":
            file.write(os.urandom(FILE_MIB << 19))
        file.truncate(FILE_MIB << 20)
    drop_caches()
    result = tools.run(user, path)
    path.unlink()
    check(kind, user, result, cold)
    assert "sparse-data" in grave(result), result.text


@pytest.mark.parametrize("user", USERS)
def test_a_file_that_was_just_written(disk, tools, cold, user):
    path = disk.mount / "written.mov"
    write(path, os.urandom, synced=False)
    result = tools.run(user, path)
    path.unlink()
    check("dirty", user, result, cold)


# ---- a mount that refuses O_DIRECT ----


@pytest.fixture(scope="module")
def nodirect(disk, room):
    with without_direct_reads(disk.mount, room / "nodirect") as mount:
        yield mount


@pytest.mark.parametrize("before", ["sound", "read before"])
@pytest.mark.parametrize("user", USERS)
def test_a_mount_that_refuses_direct_reads(nodirect, tools, cold, user, before):
    """The page cache is in the way, and what it holds has to be dropped and shown to be gone."""
    path = nodirect / "read.mov"
    drop_caches()
    if before == "read before":
        read_all(path)
    result = tools.run(user, path)
    check(f"nodirect {before}", user, result, cold)
    assert result.values["cache"] == "dropped", result.text
    assert is_cold(result, cold) and not grave(result), result.text


# ---- a loop device that caches its image ----


@pytest.fixture(scope="module")
def cached(room):
    image, mount, files = room / "cached.img", room / "cached", room / "cached-files"
    files.mkdir()
    mount.mkdir()
    write(files / "clip.mov", os.urandom)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", files, image, f"{FILE_MIB * 3 // 2}M"],
                   check=True)
    subprocess.run(["mount", "-o", "loop,ro", image, mount], check=True)
    yield mount
    subprocess.run(["umount", mount], check=True)


@pytest.mark.parametrize("user", USERS)
def test_a_loop_device_that_caches(cached, tools, user):
    result = tools.run(user, cached)
    assert result.findings.get("cache-below") == "problem", result.text
    assert result.values["proven"] == "0" and result.points[1]["cold"] == "0", result.text


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))
