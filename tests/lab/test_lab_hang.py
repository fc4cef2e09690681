"""The command against storage that stops answering: at a shell's prompt, with a pipe behind it."""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from lab_disks import Disk, room  # noqa: F401 (room is a fixture)

CLI = os.environ["STREAMCALC"]
STALL_S = 2


@pytest.fixture(scope="module")
def disk(room):
    made = Disk(room / "hanging", env={"LAB_IMAGE_MIB": "256"})
    yield made
    made.close()


# A loop mount, where even open() and stat() hang; a FUSE file with O_DIRECT, whose reads no signal
# ends; and one that is read through the page cache.
FORMS = {"loop": ("mnt", ""),
         "fuse-direct": ("nbd/nbd", "--cache direct"),
         "fuse-dropped": ("nbd/nbd", "--cache dropped")}


def at_the_prompt(command):
    """Seconds until the shell goes on, its output and the exit code of streamcalc."""
    begin = time.monotonic()
    run = subprocess.run(f"{CLI} {command} --stall {STALL_S}s | cat; echo ${{PIPESTATUS[0]}} >&2",
                         shell=True, executable="/bin/bash", stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, timeout=60)
    *complaints, code = run.stderr.strip().split("\n")
    return time.monotonic() - begin, run.stdout, " ".join(complaints), int(code)


@pytest.mark.parametrize("form", FORMS)
def test_storage_that_is_dead_from_the_start(disk, form):
    path, options = FORMS[form]
    disk.pause(b"p")
    try:
        seconds, output, complaint, code = at_the_prompt(
            f"measure {disk.directory / path} {options} --duration 9s")
    finally:
        disk.pause(b"r")
    assert seconds < STALL_S + 2
    assert code == 2 and output == ""
    assert "is the server or disk still there" in complaint and path in complaint


@pytest.mark.parametrize("form", FORMS)
def test_storage_that_dies_on_the_way_leaves_what_was_measured(disk, form):
    path, options = FORMS[form]
    timer = threading.Timer(3, disk.pause, [b"p"])
    timer.start()
    try:
        seconds, output, complaint, code = at_the_prompt(
            f"measure {disk.directory / path} {options} --duration 9s --json")
    finally:
        timer.join()
        disk.pause(b"r")
    document = json.loads(output)
    assert seconds < 3 + STALL_S + 2
    assert code == 2 and "is the server or disk still there" in complaint
    assert document["error"]["status"] == "stalled"
    assert document["points"][0]["readers"] == 1


@pytest.mark.parametrize("command", ["", "probe", "plan --storage 83MB/s --media"])
def test_every_command_comes_back(disk, command):
    """The loop mount hangs in stat(), which the command itself calls."""
    Path("/proc/sys/vm/drop_caches").write_text("3")  # what is known of the files needs no disk
    disk.pause(b"p")
    try:
        seconds, output, complaint, code = at_the_prompt(f"{command} {disk.mount} --json")
    finally:
        disk.pause(b"r")
    assert seconds < STALL_S + 2
    assert code == 2 and "is the server or disk still there" in complaint
    assert json.loads(output)["error"]["status"] == "stalled"


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))
