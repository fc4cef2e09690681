"""Measuring what is there, what is not, and being interrupted."""
import json
import os
import pathlib
import re
import signal
import subprocess
import time

import pytest

from conftest import NOBODY, PROGRAM, call, on_terminal, validate, wait_for_handler


def refused(result, word):
    assert result.code == 2 and result.out == "", (result.out, result.err)
    assert len(result.err.splitlines()) == 1 and word in result.err


def test_an_empty_directory(tmp_path):
    refused(call("measure", str(tmp_path)), tmp_path.name)
    assert call("measure", str(tmp_path), "--json").document()["error"]["status"]


def test_an_empty_file(tmp_path):
    (tmp_path / "empty.mov").write_bytes(b"")
    refused(call("measure", str(tmp_path / "empty.mov")), "empty.mov")


def test_no_permission(tmp_path, public_program):
    for parent in [tmp_path, *tmp_path.parents][:3]:
        parent.chmod(parent.stat().st_mode | 0o011)
    closed = tmp_path / "closed"
    closed.mkdir()
    (closed / "a.bin").write_bytes(bytes(1 << 20))
    closed.chmod(0)
    try:
        prefix = NOBODY if os.geteuid() == 0 else []
        result = call("measure", str(closed), program=[*prefix, *public_program], cwd="/")
    finally:
        closed.chmod(0o700)
    refused(result, "closed")
    assert "ermission" in result.err


def test_a_memory_file_system_gives_no_count():
    folder = pathlib.Path("/dev/shm") / f"streamcalc-test-{os.getpid()}"
    folder.mkdir()
    try:
        (folder / "a.bin").write_bytes(os.urandom(1 << 20) * 64)
        result = call("measure", str(folder), "--seconds", "2", "--json")
        document = result.document()
        if result.code == 2:
            assert document["error"]["message"]
            return
        assert document["facts"]["memory"] is True
        assert any(finding["severity"] == "problem" for finding in document["findings"])
        saved = folder / "s.json"
        saved.write_bytes(result.raw)
        plan = ["plan", "--storage", str(saved), "--stream", "168Mb/s", "--json"]
        assert call(*plan).document()["answers"][0]["safe"] is None
        assert call(*plan, "--trust").document()["answers"][0]["naive"] > 0
    finally:
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()


def test_points_as_text(disk):
    result = call("measure", str(disk), "--seconds", "2", "--max-readers", "2")
    assert result.code == 0, result.err
    assert result.err == ""
    assert result.out.splitlines()[0].startswith(("/", "..."))
    assert max(len(line) for line in result.out.splitlines()) <= 80


def test_points_stand_side_by_side(disk, tmp_path):
    measured = call("measure", str(disk), "--seconds", "3", "--json")
    document = measured.document()
    point = document["points"][0]
    document["points"] = [{**point, "readers": 2 ** i} for i in range(9)]
    (tmp_path / "nine.json").write_text(json.dumps(document))
    plan = ["plan", "--storage", str(tmp_path / "nine.json"), "--stream", "8Mb/s", "--trust"]
    for columns, shown in ((200, 9), (80, 9), (40, 4), (20, 1)):
        lines = on_terminal(columns, *plan).splitlines()
        readers = next(line for line in lines if re.match(r"readers +\d", line))
        rates = lines[lines.index(readers) + 1]
        assert max(len(readers), len(rates)) <= columns
        assert len(readers.split()) == len(rates.split()) >= 1 + shown
        assert readers.split()[1] == "1"


def test_a_requirement_beyond_what_was_measured_is_not_shown(disk, tmp_path):
    result = call("--stream", "1Mb/s", str(disk), "--seconds", "2", "--max-readers", "2",
                  "--require", "100000", "--trust", cwd=tmp_path)
    assert result.code == 1
    verdict = " ".join(result.out.split("\n\n")[0].split()).split("every format: ")[1]
    assert re.match(r"(not shown: >=\d+ is all that was measured|not met by 1Mb/s \(\d+\))$",
                    verdict)


def interrupt(arguments, after, number=signal.SIGINT, cwd=None, echo=False):
    """Start, signal after some seconds: (exit code, seconds to the end, stdout, stderr)."""
    with subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          cwd=cwd) as process:
        wait_for_handler(process, number)
        time.sleep(after)
        assert process.poll() is None, process.communicate()
        process.send_signal(number)
        if echo:
            process.send_signal(number)
        start = time.monotonic()
        out, err = process.communicate(timeout=20)
        return process.returncode, time.monotonic() - start, out, err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_measurement_shows_what_is_known(disk, number):
    code, seconds, out, _ = interrupt(["measure", str(disk), "--seconds", "60", "--json"], 2, number)
    assert code == 130 and seconds < 1
    document = validate(json.loads(out))
    assert document["error"]["status"] == "cancelled"


def test_a_signal_that_comes_twice_at_once_is_one(disk):
    code, seconds, out, _ = interrupt(["measure", str(disk), "--seconds", "60", "--json"], 1,
                                      echo=True)
    assert code == 130 and seconds < 1
    assert validate(json.loads(out))["error"]["status"] == "cancelled"


def test_interrupted_whole_job(disk, tmp_path):
    code, seconds, out, err = interrupt([str(disk), "--seconds", "12"], 8, cwd=tmp_path)
    assert code == 130 and seconds < 1
    assert (out + err).count(b"interrupted") == 1
    assert list(tmp_path.iterdir()) == []
    code, seconds, out, _ = interrupt([str(disk), "--seconds", "60", "--json"], 1, cwd=tmp_path)
    assert code == 130 and seconds < 1
    validate(json.loads(out))


def test_interrupted_before_there_is_a_point(disk, tmp_path):
    code, _, out, err = interrupt([str(disk), "--seconds", "600"], 0.5, cwd=tmp_path)
    assert code == 130 and out == b""
    assert err == b"streamcalc: interrupted before there was an answer\n"


def test_progress_is_one_line_that_goes_away(disk):
    """On a terminal, after a second, redrawn in place and erased; never longer than the line."""
    for columns in (80, 40):
        lines = on_terminal(columns, "measure", str(disk), "--seconds", "3").split("\r")
        drawn, result = lines[:-1], lines[-1]
        assert len(drawn) > 3 and drawn[0] == "" and drawn[1].startswith("measure")
        assert not any("\n" in line or "\x1b" in line for line in drawn)
        assert max(len(line) for line in drawn) < columns
        assert drawn[-1].strip() == "" and "readers" in result
