"""Test data that the program makes itself: where it goes, when it goes away, what is left of it."""
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

import pytest

from conftest import NOBODY, PROGRAM, call, validate, wait_for_handler



@pytest.fixture
def empty():
    """An empty directory on a disk, not in memory."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="streamcalc-create.", dir="/var/tmp"))
    yield folder
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()


def room_for(folder, size):
    volume = os.statvfs(folder)
    margin = max(1 << 30, volume.f_blocks * volume.f_frsize // 20)
    if volume.f_bavail * volume.f_frsize < size + margin + (1 << 28):
        pytest.skip("not enough free space in /var/tmp")


def refused(result, word):
    assert result.code == 2 and result.out == "", (result.out, result.err)
    assert len(result.err.splitlines()) == 1 and word in result.err


def test_an_empty_directory_is_measured(empty):
    room_for(empty, 64 << 20)
    arguments = ["--create", "64MiB", "--seconds", "2", "--max-readers", "2"]
    result = call("measure", str(empty), *arguments, "--json")
    assert result.code == 0, result.err
    document = result.document()
    assert document["points"][0]["bytes_per_s"]["mean"] > 0
    assert "created-data" in [finding["code"] for finding in document["findings"]]
    assert list(empty.iterdir()) == []


def test_the_whole_job_answers_for_an_empty_directory(empty):
    """Its test data is gone when the answer could be played."""
    room_for(empty, 64 << 20)
    arguments = [str(empty), "--create", "64MiB", "--seconds", "2", "--no-save"]
    result = call(*arguments)
    assert result.code == 0, result.err
    assert "not confirmed by playing: the test data that was measured is gone" in result.out
    assert list(empty.iterdir()) == []


def test_only_the_created_data_is_read(empty):
    """The file that is there is sparse, which would be a problem."""
    room_for(empty, 64 << 20)
    with open(empty / "sparse.mov", "wb") as file:
        file.truncate(1 << 30)
    result = call("measure", str(empty), "--create", "64MiB", "--seconds", "2", "--json")
    codes = [finding["code"] for finding in result.document()["findings"]]
    assert "created-data" in codes and "sparse-data" not in codes
    assert [path.name for path in empty.iterdir()] == ["sparse.mov"]


def test_what_cannot_be_is_refused(empty):
    file = empty / "file"
    file.write_bytes(b"x")
    refused(call("measure", str(file), "--create", "64MiB"), "directory")
    refused(call("measure", str(empty), "--create", "1000TB"), "16 TiB")
    refused(call("measure", str(empty), "--create", "15TB"), "free")
    refused(call("measure", str(empty), "--create", "1kB"), "16 MiB (16777216 bytes)")
    refused(call("measure", str(empty), "--create", "many"), "--create")
    refused(call("measure", str(empty / "missing"), "--create", "64MiB"), "missing")
    assert list(empty.iterdir()) == [file]


def test_a_directory_of_another_user(empty, public_program):
    room_for(empty, 64 << 20)
    if os.geteuid() != 0:
        pytest.skip("root is needed to be another user")
    empty.chmod(0o755)
    result = call("measure", str(empty), "--create", "64MiB", program=[*NOBODY, *public_program],
                  cwd="/")
    refused(result, "ermission")
    assert "choose a directory that can be written" in result.err
    assert list(empty.iterdir()) == []


def limited(limit, *arguments):
    return call("-c", f'ulimit {limit}; trap "" XFSZ; exec "$0" "$@"', PROGRAM, *arguments,
                program=["bash"])


def test_limits_of_the_process_are_named(empty):
    room_for(empty, 64 << 20)
    result = limited("-f 1024", "measure", str(empty), "--create", "64MiB", "--seconds", "1")
    refused(result, "cannot create 64 MiB of test data")
    assert "ulimit -f" in result.err and list(empty.iterdir()) == []


def test_a_limit_of_open_files_is_named(empty):
    for i in range(24):
        (empty / f"{i}.bin").write_bytes(os.urandom(2 << 20))
    result = limited("-n 9", "measure", str(empty), "--seconds", "6", "--json")
    failed = [finding["message"] for finding in result.document()["findings"]
              if finding["code"] == "read-errors"]
    assert len(failed) == 1 and "ulimit -n" in failed[0]


def start(folder, *arguments):
    process = subprocess.Popen([PROGRAM, "measure", str(folder), *arguments],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for_handler(process, signal.SIGINT)
    return process


def wait_until(condition, seconds=20):
    for _ in range(int(seconds * 1000)):
        if condition():
            return
        time.sleep(0.001)
    raise AssertionError("did not happen in time")


def bytes_in(folder):
    return sum(path.stat().st_size for path in folder.iterdir())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_while_creating(empty, number):
    room_for(empty, 8 << 30)
    with start(empty, "--create", "8GiB") as process:
        wait_until(lambda: bytes_in(empty) > 0)
        process.send_signal(number)
        begin = time.monotonic()
        out, err = process.communicate(timeout=20)
    assert process.returncode == 130 and time.monotonic() - begin < 6
    assert out == b"" and err == b"streamcalc: interrupted before there was an answer\n"
    assert list(empty.iterdir()) == []


def test_interrupted_while_reading(empty):
    room_for(empty, 64 << 20)
    with start(empty, "--create", "64MiB", "--seconds", "24", "--json") as process:
        wait_until(lambda: bytes_in(empty) >= 64 << 20)
        time.sleep(6)  # more than the first point takes
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        out, _ = process.communicate(timeout=20)
    assert process.returncode == 130 and time.monotonic() - begin < 6
    assert validate(json.loads(out))["error"]["status"] == "cancelled"
    assert list(empty.iterdir()) == []


def test_interrupted_while_writing(empty):
    room_for(empty, 64 << 20)
    arguments = ["--create", "64MiB", "--write", "--seconds", "8", "--max-readers", "1", "--json"]
    with start(empty, *arguments) as process:
        wait_until(lambda: bytes_in(empty) >= 64 << 20)
        wait_until(lambda: not is_written(empty))  # created
        wait_until(lambda: is_written(empty))
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        out, _ = process.communicate(timeout=20)
    assert process.returncode == 130 and time.monotonic() - begin < 6
    document = validate(json.loads(out))
    assert document["error"]["status"] == "cancelled" and document["points"]
    assert list(empty.iterdir()) == []


def is_written(folder):
    """Some process has a test file open for writing."""
    maker = next(folder.iterdir()).name.split("-")[2]
    for entry in pathlib.Path(f"/proc/{maker}/fd").iterdir():
        try:
            if ".streamcalc-test-" in os.readlink(entry) and entry.lstat().st_mode & 0o200:
                return True
        except FileNotFoundError:
            pass
    return False


def kill_maker(folder):
    """The process that made the files, which need not be the one that was started."""
    maker = int(next(folder.iterdir()).name.split("-")[2])
    os.kill(maker, signal.SIGKILL)


def test_killed_while_writing(empty):
    """What is written spares the marks by which the files are known."""
    room_for(empty, 64 << 20)
    arguments = ["--create", "64MiB", "--write", "--seconds", "8", "--max-readers", "1"]
    with start(empty, *arguments) as process:
        wait_until(lambda: bytes_in(empty) >= 64 << 20)
        wait_until(lambda: not is_written(empty))  # created
        wait_until(lambda: is_written(empty))
        time.sleep(1)
        kill_maker(empty)
        process.communicate(timeout=20)
    left = len(list(empty.iterdir()))
    assert left > 0
    removed = call("measure", str(empty), "--remove-leftovers")
    assert removed.code == 0 and f"removed {left} files" in removed.out
    assert list(empty.iterdir()) == []


def test_writes_as_text_and_in_the_document(empty):
    room_for(empty, 64 << 20)
    arguments = ["--create", "64MiB", "--write", "--with-writers", "1", "--seconds", "3",
                 "--max-readers", "2"]
    text = call("measure", str(empty), *arguments)
    assert text.code == 0, text.err
    assert "written: 1 writer " in text.out and "2 writers " in text.out
    result = call("measure", str(empty), *arguments, "--json")
    document = result.document()
    assert [point["writers"] for point in document["write"]["points"]] == [1, 2]
    assert document["with_writers"] == 1
    assert "1 writer meanwhile: " in text.out and "MB/s beside 1 reader" in text.out
    assert all(point["writers_bytes_per_s"] > 0 for point in document["points"])
    (empty / "nas.json").write_bytes(result.raw)
    plan = call("plan", "--storage", str(empty / "nas.json"), "--stream", "168Mb/s",
                "--json").document()
    assert "with-writers" in [finding["code"] for finding in plan["findings"]]


def check_names(text, left):
    """Some of the files that were left are named, in whatever order the directory has them."""
    named = re.findall(r"\.streamcalc-test-[\d-]+\.bin", text)
    assert 1 <= len(named) <= 3 and set(named) <= set(left), (text, left)


def test_a_killed_run_leaves_data_that_is_found_and_removed(empty):
    room_for(empty, 8 << 30)
    with start(empty, "--create", "8GiB") as process:
        wait_until(lambda: bytes_in(empty) > 64 << 20)
        other = call("measure", str(empty), "--remove-leftovers")
        assert other.code == 0 and "no test data" in other.out  # it is in use
        kill_maker(empty)
        process.communicate(timeout=20)
    left = sorted(path.name for path in empty.iterdir())
    assert left and all(name.startswith(".streamcalc-test-") for name in left)
    clip = empty / "clip.bin"
    clip.write_bytes(os.urandom(8 << 20))
    document = call("measure", str(empty), "--seconds", "1", "--max-readers", "1",
                    "--json").document()
    message = [finding["message"] for finding in document["findings"]
               if finding["code"] == "leftover-test-data"]
    assert len(message) == 1
    check_names(message[0], left)
    shown = call("measure", str(empty), "--seconds", "1", "--max-readers", "1")
    assert "--remove-leftovers" in shown.out and "--remove-leftovers" not in message[0]
    removed = call("measure", str(empty), "--remove-leftovers")
    assert removed.code == 0
    check_names(removed.out, left)
    # A file that was created but not yet written has no mark, and is not ours to remove.
    assert all(path == clip or path.stat().st_size == 0 for path in empty.iterdir())


def test_removing_is_no_measurement(empty):
    refused(call("measure", str(empty / "missing"), "--remove-leftovers"), "missing")
    result = call("measure", str(empty), "--remove-leftovers", "--json")
    assert result.code == 2 and "exclude" in result.document()["error"]["message"]
    for other in (["--create", "64MiB"], ["--write"], ["--with-writers", "2"], ["--seconds", "9"],
                  ["--player", "deep"], ["--cache", "warm"], ["--max-readers", "2"]):
        refused(call("measure", str(empty), "--remove-leftovers", *other), f"and {other[0]} exclude"
                if other[0] != "--seconds" else "and --duration exclude")
