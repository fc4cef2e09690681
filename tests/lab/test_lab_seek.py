"""sc_measure on a mechanical disk (seek_disk.c): one head, 200 MB/s, 8 to 12 ms for each seek."""

import sys

import pytest

from lab_disks import TOOLS, Disk, room  # noqa: F401 (room is a fixture)
from measured import measure

RATE = 200e6
SEEK_S = 0.010
BLOCK = 2**20
PLUGIN = TOOLS / "seek_disk.so"
READERS = (1, 2, 4, 8)
# A reader that is alone does not keep the head busy: which of its two reads arrives first, and whether one
# arrives in time to go on without a pause, is chance. fio's figures swing as much there.
SATURATING = READERS[1:]


@pytest.fixture(scope="module")
def disk(room):
    if not PLUGIN.exists():
        pytest.skip("built without nbdkit-plugin-dev")
    made = Disk(room / "seek", str(int(8 * RATE)),
                env={"LAB_PLUGIN": str(PLUGIN), "LAB_IMAGE_MIB": "1024"})
    yield made
    made.close()


@pytest.fixture(scope="module")
def measured(disk):
    result = measure(disk.mount, "seconds=9", "max=8", "lowest=20Mb/s", "jumps=0")
    print(result.text)
    return result


def expected(readers):
    """X(n) of sequential readers: a seek for each block, but for a reader that is alone."""
    return BLOCK / (BLOCK / RATE + (SEEK_S if readers > 1 else 0))


def test_the_curve_falls_as_a_seeking_disk_does(measured):
    assert measured.values["status"] == "ok", measured.text
    assert measured.values["cache"] == "direct" and measured.values["proven"] == "1"
    assert tuple(measured.points) == READERS
    for readers in SATURATING:
        assert measured.mean(readers) == pytest.approx(expected(readers), rel=0.1)
    assert 2 * measured.mean(2) < measured.mean(1) <= 1.05 * RATE
    assert measured.findings.get("implausible-speed") is None


def test_waiting_for_the_head_is_in_the_latencies(measured):
    """Two blocks of every reader are under way at each time: Little's law."""
    for readers in (4, 8):
        waiting_s = 2 * readers * BLOCK / expected(readers)
        assert float(measured.points[readers]["p50_ms"]) / 1e3 == pytest.approx(waiting_s, rel=0.25)


def test_two_measurements_agree(disk, measured):
    again = measure(disk.mount, "seconds=9", "max=8", "lowest=20Mb/s", "jumps=0")
    print(again.text)
    for readers in SATURATING:
        assert again.mean(readers) == pytest.approx(measured.mean(readers), rel=0.05)


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))
