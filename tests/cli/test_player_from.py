"""--player-from: a log of strace in place of a player; logs of programs that are traced here and now."""
import json
import os
import resource
import shutil
import subprocess

import pytest

from conftest import ROOT, call

LOGS = ROOT / "tests" / "unit" / "data" / "trace"
CALLS = "openat,read,pread64,preadv,lseek,mmap,io_uring_enter"
PLAN = ["plan", "--storage", "83MB/s", "--stream", "168Mb/s"]


def trace(folder, *command, seconds=30, options=("-f", "-ttt", "-T", "-y")):
    """Run a program under strace; returns the log."""
    if not shutil.which("strace"):
        pytest.skip("strace is not installed")
    log = folder / "player.log"
    words = ["strace", *options, "-e", f"trace={CALLS}", "-o", str(log), *map(str, command)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=seconds, cwd=folder,
                          stdin=subprocess.DEVNULL)
    if not log.exists() or "ptrace" in done.stderr and done.returncode:
        pytest.skip(f"strace may not trace here: {done.stderr.strip()[:200]}")
    return log


def player_of(log, *arguments):
    result = call(*PLAN, "--player-from", str(log), *arguments, "--json")
    assert result.code == 0, result.err
    return result.document()["player"]


def test_the_player_found_is_the_one_in_use_and_can_be_written():
    log = LOGS / "direct.log"
    text = call(*PLAN, "--player-from", str(log))
    assert text.code == 0, text.err
    line, = [line for line in text.out.splitlines() if line.startswith("  --player ")]
    words = line.split()
    found, written = player_of(log), call(*PLAN, *words, "--json").document()["player"]
    assert found.pop("name") == "from direct.log" and written.pop("name").startswith("custom")
    assert found == written
    assert (found["block_bytes"], found["in_flight"], found["io"]) == (2**20, 2, "direct")
    assert "/footage/A003_C011.mov: 167 reads" in " ".join(text.out.split())
    assert "of a pace of 16" in " ".join(text.out.split())
    assert "Not even" in text.out or text.out.startswith("You can play")


def test_the_command_tells_what_a_log_shows():
    log = str(LOGS / "deep.log")
    text, result = call("player", log), call("player", log, "--json")
    assert (text.code, result.code) == (0, 0), text.err
    document = result.document()
    assert document["schema"] == "streamcalc.player" and document["error"] is None
    assert f"  --player {document['expression']}" in text.out.splitlines()
    assert (document["media"], document["reads"]) == ("/footage/A003_C011.mov", 210)
    assert document["player"]["read_ahead_s"] == pytest.approx(document["ahead_s"], abs=0.01)
    assert document["pace_bytes_per_s"] == pytest.approx(8e6, rel=0.01)
    assert document["files"][0]["bytes"] == document["bytes"] == 210 * 2**20
    codes = {finding["code"] for finding in document["findings"]}
    assert {"trace-preroll", "trace-kernel-read-ahead"} <= codes
    unpaced = call("player", str(LOGS / "libaio.log"), "--json").document()
    assert unpaced["pace_bytes_per_s"] is unpaced["ahead_s"] is unpaced["ahead_bytes"] is None


def test_the_command_refuses_what_is_no_log(tmp_path):
    (tmp_path / "notes.txt").write_text("no log\n")
    for path in (tmp_path / "notes.txt", tmp_path, tmp_path / "missing.log"):
        result = call("player", str(path))
        assert result.code == 2 and result.out == "" and str(path) in result.err
        assert "--player-from" not in result.err
        assert call("player", str(path), "--json").document()["error"]["message"]
    assert "no path given" in call("player").err


@pytest.mark.parametrize("arguments, message", [
    (["--player-from", str(LOGS / "direct.log"), "--player", "tight"], "exclude each other"),
    (["--player-file", "a.mov"], "--player-from"),
    (["--player-from", str(LOGS / "direct.log"), "--player-file", "b.mov"], "A003_C011.mov"),
    (["--player-from", "missing.log"], "missing.log"),
    (["--player-from", "/dev/zero"], "no regular file"),
    (["--player-from", str(LOGS)], "a directory"),
    (["--player-from", str(LOGS / "mmap.log")], "mmap"),
    (["--player-from", str(LOGS / "io_uring.log")], "io_uring_enter"),
    (["--player-from", os.environ.get("STREAMCALC", "/bin/sh")], "strace -f -ttt"),
])
def test_what_is_wrong_is_named(arguments, message):
    result = call(*PLAN, *arguments)
    assert result.code == 2 and result.out == ""
    assert len(result.err.splitlines()) == 1 and message in result.err
    document = call(*PLAN, *arguments, "--json")
    assert document.code == 2 and document.document()["error"]["message"]


def test_it_stands_wherever_a_player_does():
    for command in ([], ["measure"], ["plan"], ["play"]):
        words = call(*command, "--help").out.split()
        assert "--player-from" in words and "--player" in words
    assert call("probe", "--player-from", "x", "y").code == 2


def test_measuring_reads_as_the_log_says(disk):
    result = call("measure", str(disk), "--duration", "2s", "--max-readers", "1", "--player-from",
                  str(LOGS / "threads.log"), "--json")
    assert result.code == 0, result.err
    player = result.document()["player"]
    assert (player["name"], player["block_bytes"]) == ("from threads.log", 256 * 1024)
    assert (player["in_flight"], player["io"]) == (2, "buffered")


@pytest.mark.parametrize("block", [4096, 65536, 3 << 20])
def test_dd_is_told_as_it_reads(disk, tmp_path, block):
    count = min(400, (64 << 20) // block)
    log = trace(tmp_path, "dd", f"if={disk / 'large.bin'}", "of=/dev/null", f"bs={block}",
                f"count={count}")
    player = player_of(log)
    assert (player["block_bytes"], player["in_flight"]) == (block, 1)
    assert (player["mode"], player["io"]) == ("block", "buffered")
    assert f"{count} reads" in call(*PLAN, "--player-from", str(log)).out


READER = """
import os, sys, threading
file, block, threads, count = os.open(sys.argv[1], os.O_RDONLY), *map(int, sys.argv[2:])
together = threading.Barrier(threads)
def read(first):
    for k in range(first, count, threads):
        together.wait()
        assert os.pread(file, block, k * block)
all = [threading.Thread(target=read, args=(i,)) for i in range(threads)]
[t.start() for t in all]
[t.join() for t in all]
"""


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("options", [("-f", "-ttt", "-T", "-y"), ("-f", "-tt"), ("-f", "-r", "-y")])
def test_threads_are_told_as_they_read(disk, tmp_path, threads, options):
    log = trace(tmp_path, "/usr/bin/python3", "-c", READER, disk / "large.bin", 1 << 20, threads,
                64, options=options)
    player = player_of(log)
    assert player["block_bytes"] == 1 << 20
    assert 1 <= player["in_flight"] <= threads
    text = " ".join(call(*PLAN, "--player-from", str(log)).out.split())
    assert f"by {threads} thread" in text and "64 reads, 64 MiB" in text


def test_ffmpeg_reads_by_frame_and_hardly_ahead(clips, tmp_path):
    log = trace(tmp_path, "ffmpeg", "-nostdin", "-v", "error", "-re", "-stream_loop", "3", "-i",
                clips / "a.mov", "-map", "0:v", "-c", "copy", "-f", "null", "-", seconds=60)
    player = player_of(log, "--player-file", "a.mov")
    assert player["mode"] == "frame" and player["in_flight"] == 1
    assert player["io"] == "buffered"
    sizes = [track["bytes"] // track["packets"] for file in
             json.loads(call("probe", str(clips / "a.mov"), "--json").raw)["files"]
             for track in file["tracks"] if track["kind"] == "video"]
    assert sizes[0] * 0.7 < player["block_bytes"] < sizes[0] * 1.4


def least_memory():
    resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))


@pytest.mark.skipif("asan" in os.environ.get("STREAMCALC", "") or
                    "tsan" in os.environ.get("STREAMCALC", ""),
                    reason="sanitizers take all the address space there is")
def test_a_long_log_takes_little_memory(tmp_path):
    lines = (LOGS / "direct.log").read_text().splitlines(keepends=True)
    path = tmp_path / "long.log"
    with open(path, "w") as log:
        log.write("".join(lines[:20]))
        for _ in range(25000):  # 450 MB
            log.write("".join(lines[20:]))
    result = call(*PLAN, "--player-from", str(path), "--json", preexec_fn=least_memory)
    assert result.code == 0, result.err
    assert result.document()["player"]["block_bytes"] == 2**20
