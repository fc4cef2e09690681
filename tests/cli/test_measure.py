"""Measuring what is there, what is not, and being interrupted."""
import json
import os
import pathlib
import re
import signal
import subprocess
import time

import pytest

from conftest import NOBODY, PROGRAM, ROOT, call, on_terminal, validate, wait_for_handler


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


@pytest.mark.parametrize("player, cache", [
    ("io=direct", "dropped"), ("io=direct", "warm"), ("io=buffered", "direct")])
def test_a_player_and_a_cache_mode_that_contradict(disk, player, cache):
    refused(call("measure", str(disk), "--player", f"normal,{player}", "--cache", cache), player)
    refused(call("play", str(disk), "--player", f"normal,{player}", "--cache", cache, "-n", "1",
                 "--stream", "8Mb/s"), player)


def test_how_a_player_reads_is_shown(disk):
    result = call("measure", str(disk), "--seconds", "2", "--max-readers", "1", "--player",
                  "normal,io=buffered")
    assert "(player normal,io=buffered)" in " ".join(result.out.split())


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


SMB = {"file_system": "cifs", "device": "//nas.local/media", "network": True, "protocol": "3.1.1",
       "server": "nas.local", "read_request_bytes": 4194304, "cache_option": "none",
       "free_bytes": None, "read_ahead_bytes": 131072}
DISK = {"file_system": "xfs", "device": "/dev/mapper/vg-media", "network": False, "protocol": "",
        "server": "", "read_request_bytes": None, "cache_option": "", "read_ahead_bytes": None,
        "free_bytes": 4 * 10**12}
NO_ROUTE = {"address": "", "this_machine": None, "interface": "", "chain": "", "bits_per_s": None,
            "duplex": "", "state": "", "mtu_bytes": None, "wireless": None}
LAN = {**NO_ROUTE, "interface": "enp3s0", "chain": "enp3s0", "bits_per_s": 10**9, "mtu_bytes": 1500}


@pytest.mark.parametrize("facts,line", [
    ({**SMB, "route": LAN},
     "SMB 3.1.1 from nas.local through enp3s0 (1 Gb/s, MTU 1500), reads of 4 MiB, cache none, "
     "read-ahead 128 KiB"),
    ({**SMB, "route": {**LAN, "chain": "wlan0", "wireless": 1, "bits_per_s": 433300000}},
     "SMB 3.1.1 from nas.local through wlan0 (wireless, now 433.3 Mb/s, MTU 1500), "
     "reads of 4 MiB, cache none, read-ahead 128 KiB"),
    ({**SMB, "route": {**LAN, "this_machine": 1, "interface": "lo"}},
     "SMB 3.1.1 from nas.local, which is this machine, reads of 4 MiB, cache none, "
     "read-ahead 128 KiB"),
    ({**SMB, "file_system": "nfs4", "protocol": "4.2", "connections": 4, "cache_option": "",
      "read_ahead_bytes": 0, "route": {**LAN, "duplex": "half", "mtu_bytes": None}},
     "NFS 4.2 from nas.local through enp3s0 (1 Gb/s, half duplex), reads of 4 MiB, "
     "4 connections, read-ahead off"),
    ({**DISK, "rotational": 1, "route": NO_ROUTE,
      "disk": {"name": "sda, sdb", "model": "WD40", "transport": "sata",
               "chain": "dm-0 (lvm) on md0 (raid1) on sda, sdb", "bus_bits_per_s": 6 * 10**9}},
     "xfs on /dev/mapper/vg-media, dm-0 (lvm) on md0 (raid1) on sda, sdb: WD40 by sata at "
     "6 Gb/s, spinning disk, 4.00 TB free"),
    ({**DISK, "device": "/dev/sdc", "server": "192.0.2.8", "route": LAN,
      "disk": {"name": "sdc", "model": "", "transport": "iscsi", "chain": "sdc",
               "bus_bits_per_s": None}},
     "xfs on /dev/sdc, iscsi from 192.0.2.8 through enp3s0 (1 Gb/s, MTU 1500), 4.00 TB free"),
])
def test_facts_as_text(tmp_path, facts, line):
    """Saved facts are shown as those of the path that was measured."""
    document = json.loads((ROOT / "tests" / "unit" / "data" / "report" / "storage.json").read_text(encoding="utf-8"))
    document["facts"].update(facts)
    validate(document)
    saved = tmp_path / "s.json"
    saved.write_text(json.dumps(document), encoding="utf-8")
    result = call("plan", "--storage", str(saved), "--stream", "100Mb/s")
    assert result.code == 0, result.err
    assert line in " ".join(result.out.split())
    assert max(len(text) for text in result.out.splitlines()) <= 80
