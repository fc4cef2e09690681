"""Storage that fails under the reader: errors on some reads, a rate that drops in the middle, files
cut short and deleted, a mount that goes away, folders that may not be read or written; and Ctrl-C
while it opens files and while it plays."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lab_disks import TOOLS, Disk, room  # noqa: F401 (room is a fixture)
from measured import NOBODY, measure

CLI = os.environ["STREAMCALC"]
RATE = "800M"
LIMIT_BYTES_PER_S = 800 * 2**20 / 8


class FaultyDisk(Disk):
    """Takes writes; its rate is what the rate file says, and one read in a hundred fails while the
    file of the error filter is there."""

    def __init__(self, directory):
        self.rate_file = directory / "rate"
        super().__init__(directory, RATE, f"rate-file={self.rate_file}", "error-pread-rate=1%",
                         env={"LAB_WRITABLE": "1", "LAB_IMAGE_MIB": "512", "LAB_CLIP_MIB": "90"})

    def set_rate(self, rate):
        whole = self.rate_file.with_suffix(".new")
        whole.write_text(rate + "\n")
        whole.rename(self.rate_file)

    def reset_rate(self):
        self.set_rate(RATE)


@pytest.fixture(scope="module")
def disk(room):
    room.chmod(0o755)
    made = FaultyDisk(room / "faulty")
    yield made
    made.close()


@pytest.fixture
def folder(disk):
    """Two files that a test may spoil."""
    made = disk.mount / "spoiled"
    made.mkdir()
    for name in ("one.mov", "two.mov"):
        (made / name).write_bytes(os.urandom(1 << 20) * 24)
    os.sync()
    yield made
    shutil.rmtree(made)


def windows(point):
    pairs = (pair.split(":") for pair in point["windows"].split(","))
    return {float(seconds): int(size) for seconds, size in pairs}


def test_a_rate_that_drops_in_the_middle(disk):
    """One reader is measured for 2.6 of 9 s, after some 1.4 s; from its middle on the disk has a third."""
    try:
        result = measure(disk.mount, "seconds=9", "max=1", after=2.3,
                         happens=lambda: disk.set_rate("260M"))
    finally:
        disk.reset_rate()
    assert result.values["status"] == "ok"
    point, low = result.points[1], LIMIT_BYTES_PER_S * 260 / 800
    assert 1.2 * low < result.mean(1) < 0.9 * LIMIT_BYTES_PER_S
    assert float(point["p05"]) < 0  # windows of 1 s are told of 4 s and more
    assert abs(windows(point)[0.5] / (0.5 * low) - 1) < 0.15
    assert result.findings.get("throughput-falls") == "warning"
    fell = re.search(r"throughput fell by (\d+) %", result.text)
    assert 45 <= int(fell.group(1)) <= 95  # by 67 at once, told by a line through all of it


def test_some_reads_fail(disk):
    """What failed is not in the figures, and they are a problem."""
    disk.fail_reads()
    try:
        result = measure(disk.mount, "seconds=4", "max=2")
    finally:
        disk.mend_reads()
    assert result.values["status"] == "ok" and result.findings.get("read-errors") == "problem"
    failed = re.search(r"code=read-errors .* (\d+) reads failed .*clip", result.text)
    assert failed and int(failed.group(1)) >= 1
    assert 0 < result.mean(1) <= 1.1 * LIMIT_BYTES_PER_S


def cut(folder):
    os.truncate(folder / "one.mov", 1 << 20)


def delete(folder):
    (folder / "one.mov").unlink()


@pytest.mark.parametrize("spoil", [cut, delete])
def test_a_file_goes_while_others_stay(folder, spoil):
    result = measure(folder, "seconds=5", "max=1", after=2, happens=lambda: spoil(folder))
    assert result.values["status"] == "ok"
    assert result.findings.get("files-changed") == "warning"
    assert "one.mov" in re.search(r"code=files-changed .*", result.text).group()
    assert result.mean(1) > 0.5 * LIMIT_BYTES_PER_S


@pytest.mark.parametrize("spoil", [cut, delete])
def test_the_only_file_goes(folder, spoil):
    """Nothing is left to read: an error that says so, at once, or what was measured before it."""
    (folder / "two.mov").unlink()
    result = measure(folder / "one.mov", "seconds=6", "max=2", after=1,
                     happens=lambda: spoil(folder))
    assert result.seconds < 8
    if spoil is cut and result.values["status"] == "ok":  # its start is still there
        assert result.findings.get("files-changed") == "warning"
    else:  # one that is open stays until it is closed, which is at the end of the first point
        assert result.values["status"] == ("io" if spoil is cut else "not-found")
        assert re.search(r"^error where=measure\.\w+ .*one.mov", result.text, re.M)
        assert list(result.points) == [1] or spoil is cut


def test_what_an_ordinary_user_may_not_do(disk, folder):
    if not shutil.which("setpriv"):
        pytest.skip("not installed: setpriv")
    tool = shutil.copy(TOOLS / "measure_tool", folder.parent)
    as_user = {"user": NOBODY, "tool": tool}
    try:
        (folder / "one.mov").chmod(0o600)
        some = measure(folder, "seconds=1", "max=1", **as_user).text
        one = measure(folder / "one.mov", "seconds=1", **as_user).text
        made = measure(disk.directory, "create=16MiB", "seconds=1", **as_user).text
        folder.chmod(0o700)
        none = measure(folder, "seconds=1", **as_user).text
    finally:
        Path(tool).unlink()
    assert "status=ok" in some and "code=unreadable-files" in some, some
    assert "status=permission" in one and "one.mov" in one, one
    assert "status=permission" in made and "where=measure.create" in made, made
    assert "status=permission" in none, none
    assert sorted(path.name for path in folder.iterdir()) == ["one.mov", "two.mov"]
    assert not list(disk.directory.glob(".streamcalc*"))


# ---- Ctrl-C ----


def start(*arguments, cwd):
    process = subprocess.Popen([CLI, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               cwd=cwd)
    status, bit = Path(f"/proc/{process.pid}/status"), 1 << (signal.SIGINT - 1)
    while not int(re.search(r"^SigCgt:\s*(\w+)", status.read_text(), re.M).group(1), 16) & bit:
        time.sleep(0.002)
    return process


def interrupt(process):
    """Exit code, seconds to the end, stdout, stderr."""
    assert process.poll() is None, process.communicate()
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    return process.returncode, time.monotonic() - begin, out.decode(), err.decode()


@pytest.mark.parametrize("path", ["mnt", "nbd/nbd"])
def test_ctrl_c_while_a_hanging_disk_is_opened(disk, tmp_path, path):
    Path("/proc/sys/vm/drop_caches").write_text("3")
    disk.pause(b"p")
    try:
        process = start("measure", str(disk.directory / path), cwd=tmp_path)
        time.sleep(1)
        code, seconds, out, err = interrupt(process)
    finally:
        disk.pause(b"r")
    assert code == 130 and seconds < 1.5, (code, seconds, out, err)
    assert "interrupted" in err and out == ""
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_while_the_answer_is_confirmed(disk, tmp_path):
    """The measurement is over by then: the answer stands, without a confirmation. A run this short knows
    but its shortest windows, the worst of which hold some of the four streams."""
    folder = disk.mount / "no-media"
    folder.mkdir()
    for number in range(2):
        disk.clips()[number].rename(folder / f"{number}.bin")
    process = start("--stream", "200Mb/s", str(folder), "--seconds", "3", "--max-readers", "4",
                    "--json", cwd=tmp_path)
    time.sleep(3 + 3)  # two runs of 6 s follow the measurement
    code, seconds, out, err = interrupt(process)
    assert code == 130 and seconds < 1.5, (code, seconds, out, err)
    document = json.loads(out)
    assert document["error"]["status"] == "cancelled"
    assert document["storage"]["points"] and document["answers"][0]["safe"] >= 1
    assert not document["storage"].get("paced"), document["storage"]["paced"]
    assert list(tmp_path.iterdir()) == []


# ---- the last one: the mount is gone afterwards ----


def test_the_mount_goes_away(disk):
    """Detached as by a user who unplugs it: files that are open go on, others are not there."""
    result = measure(disk.mount, "seconds=10", "max=4", "stall=3", after=2.5,
                     happens=lambda: subprocess.run(["umount", "-l", disk.mount], check=True))
    assert result.seconds < 12
    if result.values["status"] == "ok":
        assert result.findings.get("files-changed") == "warning"
    else:
        assert result.values["status"] in ("io", "not-found")
        assert re.search(r"^error where=measure\.\w+ errno=2 cannot open", result.text, re.M)


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))
