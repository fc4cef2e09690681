"""Playing streams, and looking for the most."""
import json
import re
import signal
import subprocess

import pytest

from conftest import PROGRAM, call, ffmpeg, on_terminal, validate, wait_for_handler

# Light enough for any disk, and far too much for any.
LIGHT, IMPOSSIBLE = "2Mb/s", "900Gb/s"


def play(disk, *arguments):
    return call("play", str(disk), "--cache", "warm", "--duration", "1s", *arguments)


def test_light_streams_are_sustained(disk):
    result = play(disk, "--stream", LIGHT, "--streams", "3")
    assert result.code == 0
    assert result.out.startswith(f"sustained: 3 x {LIGHT}: none of 75 frames late")
    document = play(disk, "--stream", LIGHT, "-n", "3", "--json").document()
    assert document["sustained"] and document["late_frames"] == 0
    assert document["largest_sustained"] is None and len(document["trials"]) == 1
    assert [stream["frames"] for stream in document["streams"]] == [25, 25, 25]
    assert all(stream["min_buffer_s"] > 0 for stream in document["streams"])


def test_too_much_is_late_and_the_exit_code_says_so(disk):
    result = play(disk, "--stream", IMPOSSIBLE, "--streams", "2", "--json")
    document = result.document()
    assert result.code == 1 and not document["sustained"] and document["late_frames"] > 0
    assert all(stream["min_buffer_s"] < 0 for stream in document["streams"])


def test_a_clip_plays_its_own_frames(disk, clips):
    document = play(disk, "--media", str(clips / "a.mov"), "--format", "DNxHR SQ 1920x1080 25",
                    "--streams", "2,1", "--json").document()
    paths = [stream["path"] for stream in document["streams"]]
    assert paths == [str(clips / "a.mov")] * 2 + [""]
    assert all(stream["frames"] == 25 for stream in document["streams"])


def test_one_number_is_for_all_that_were_named(disk):
    document = play(disk, "--stream", LIGHT, "--stream", "3Mb/s", "-n", "2", "--json").document()
    assert [stream["format"] for stream in document["streams"]] == [LIGHT] * 2 + ["3Mb/s"] * 2


def test_without_names_the_clips_of_the_place_are_played(clips):
    document = play(clips, "-n", "1", "--player", "block=64KiB,in-flight=1,read-ahead=1s",
                    "--json").document()
    assert len(document["streams"]) == 1 and document["streams"][0]["path"].startswith(str(clips))


def test_a_sequence_is_played_file_by_file(tmp_path):
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=320x240:r=24", "-t", "3", tmp_path / "shot.%04d.dpx")
    arguments = ["--media", str(tmp_path / "shot.%04d.dpx"), "-n", "2", "--json"]
    document = play(tmp_path, *arguments).document()
    assert [stream["file_a_frame"] for stream in document["streams"]] == [True, True]
    assert document["trials"][0]["failed_reads"] == 0
    equal = play(tmp_path, "--stream", LIGHT, "-n", "1", "--json").document()
    assert equal["streams"][0]["file_a_frame"] is False


def test_a_clip_has_its_own_frames_also_beside_others_and_all_start_at_once(disk, clips):
    document = play(disk, "--media", str(clips / "a.mov"), "--media", str(clips / "c.mp4"), "-n",
                    "1,2", "--aligned", "--json").document()
    assert [stream["frames"] for stream in document["streams"]] == [25, 25, 25]


def test_progress_tells_of_late_frames_on_a_terminal(disk):
    printed = on_terminal(80, "play", str(disk), "--cache", "warm", "--duration", "4s", "--stream",
                          "32Mb/s", "-n", "2")
    shown = [line for line in printed.split("\r")
             if re.search(r"2 streams, \d+ late, least buffer -?\d", line)]
    assert shown and all(len(line) < 80 for line in shown), printed
    assert "2 x 32Mb/s" in printed and "asked for: " in printed


def test_nothing_is_shown_where_standard_error_is_no_terminal(disk):
    assert play(disk, "--stream", LIGHT, "-n", "1").err == ""


def test_how_late_reads_were_asked_for(disk):
    trial = play(disk, "--stream", LIGHT, "-n", "2", "--json").document()["trials"][0]
    assert 0 <= trial["jitter_s"]["p50"] <= trial["jitter_s"]["p99"] <= trial["jitter_s"]["max"]


def test_the_search_ends_between_light_and_impossible(disk):
    result = play(disk, "--stream", IMPOSSIBLE, "--find-max", "--json")
    document = result.document()
    assert result.code == 1 and document["largest_sustained"] == 0
    assert [trial["sustained"] for trial in document["trials"]] == [False]


@pytest.mark.parametrize("arguments, word", [
    ([], "--streams"),
    (["--streams", "2,3", "--stream", LIGHT], "--streams has 2 numbers"),
    (["--streams", "-1", "--stream", LIGHT], "number of streams"),
    (["--streams", "257", "--stream", LIGHT], "number of streams"),
    (["--streams", "200,200", "--stream", LIGHT, "--stream", LIGHT], "400 streams"),
    (["--streams", "1,", "--stream", LIGHT], "number of streams"),
    (["--streams", "1", "--media", "missing.mov"], "missing.mov"),
])
def test_what_cannot_be_played_is_refused(disk, arguments, word):
    stream = [] if "--stream" in arguments or "--media" in arguments else ["--stream", LIGHT]
    result = play(disk, *arguments, *stream)
    assert result.code == 2 and result.out == ""
    assert len(result.err.splitlines()) == 1 and word in result.err, result.err


def test_no_clip_and_no_name(disk):
    result = play(disk, "--streams", "1")
    assert result.code == 2 and str(disk) in result.err


def test_an_interrupted_search_keeps_its_runs(disk):
    with subprocess.Popen([PROGRAM, "play", disk, "--cache", "warm", "--stream", LIGHT, "--find-max",
                           "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        wait_for_handler(process, signal.SIGINT)
        try:
            process.wait(9)  # the first run takes 8
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
    document = validate(json.loads(out))
    assert process.returncode == 130 and document["error"]["status"] == "cancelled"
    assert document["trials"] and document["trials"][0]["sustained"]
