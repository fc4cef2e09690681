"""Clips through probe, plan and the whole job."""
import json
import os
import re
import shutil
import signal
import subprocess

import pytest

from conftest import call, ffmpeg, validate

QUICK = ["--seconds", "3"]


@pytest.fixture(scope="session")
def whole_job(clips, tmp_path_factory):
    """The whole job on a folder of clips, run once: (result, where it ran)."""
    where = tmp_path_factory.mktemp("where")
    return call(str(clips), *QUICK, cwd=where), where


def test_probe_text_names_what_a_stream_needs(clips):
    result = call("probe", str(clips / "a.mov"))
    assert result.code == 0, result.err
    assert "ProRes 422 HQ 1280x720 25" in result.out
    assert "Mb/s" in result.out and "MB/s" in result.out
    assert re.search(r"largest frame +\d", result.out)
    assert re.search(r"worst GOP +\d.*, every frame is one", result.out)
    long_gop = call("probe", str(clips / "c.mp4"))
    assert re.search(r"worst GOP +\d.*, up to \d+ frames", long_gop.out)


def test_probe_tells_the_picture_and_how_far_the_published_rate_is(clips):
    text = call("probe", str(clips / "a.mov"))
    track = call("probe", str(clips / "a.mov"), "--json").document()["files"][0]["tracks"][0]
    assert (track["level"], track["scan"], track["chroma"], track["bit_depth"]) == (
        "", "progressive", "4:2:2", 10)
    assert track["published_bits_per_s"] == 92_000_000
    assert track["published_ratio"] == pytest.approx(track["bits_per_s"] / 92e6)
    assert "Apple ProRes White Paper" in track["published_source"]
    assert "progressive, 4:2:2 10 bit\n" in text.out
    assert re.search(rf"^ +{track['published_ratio'] * 100:.0f} % of Apple's published rate for\s+"
                     r"ProRes\s+422\s+HQ\s+1280x720\s+25$", text.out, re.MULTILINE)
    assert all(len(line) <= 80 for line in text.out.splitlines() if "/" not in line)
    long_gop = call("probe", str(clips / "c.mp4"), "--json").document()["files"][0]["tracks"][0]
    assert re.fullmatch(r"\d(\.\d)?", long_gop["level"]) and long_gop["chroma"] == "4:2:0"
    assert long_gop["published_bits_per_s"] is None and long_gop["published_ratio"] is None


def test_probe_document(clips):
    document = call("probe", str(clips), "--json").document()
    assert [os.path.basename(file["path"]) for file in document["files"]] == [
        "a.mov", "b.mov", "c.mp4"]


def test_exact_tells_every_track(clips):
    for command in (["probe"], ["plan", "--storage", "83MB/s", "--media"]):
        assert call(*command, str(clips / "a.mov"), "--exact").code == 0
    tracks = call("probe", str(clips / "a.mov"), "--exact", "--json").document()["files"][0]["tracks"]
    assert all(track["packets"] > 0 and track["bytes"] > 0 for track in tracks if track["played"])


@pytest.fixture(scope="session")
def crowd(clips, tmp_path_factory):
    """Four thousand clips: names of one file."""
    folder = tmp_path_factory.mktemp("crowd")
    shutil.copy(clips / "c.mp4", folder / "0000.mp4")
    for i in range(1, 4000):
        os.link(folder / "0000.mp4", folder / f"{i:04}.mp4")
    return folder


def test_a_document_a_line(clips, tmp_path):
    (tmp_path / "broken.mov").write_bytes(b"broken")
    result = call("probe", "--ndjson", str(tmp_path / "broken.mov"), str(clips),
                  str(tmp_path / "missing.mov"))
    assert result.code == 2
    documents = [validate(json.loads(line)) for line in result.out.splitlines()]
    assert result.out.endswith("\n") and len(documents) == 5
    by_name = {os.path.basename(d["files"][0]["path"]): d for d in documents}
    assert sorted(by_name) == ["a.mov", "b.mov", "broken.mov", "c.mp4", "missing.mov"]
    assert by_name["missing.mov"]["error"]["status"] == "not-found"
    assert by_name["broken.mov"]["files"][0]["error"] and not by_name["a.mov"]["error"]
    assert "broken.mov" in result.err and "1 other file is no video" in result.err
    whole = call("probe", str(clips), "--json").document()["files"]
    assert [by_name[name]["files"][0] for name in ("a.mov", "b.mov", "c.mp4")] == whole


def test_a_line_of_it_is_planned_with(clips, tmp_path):
    line = call("probe", "--ndjson", str(clips / "a.mov")).raw
    (tmp_path / "a.json").write_bytes(line)
    plan = call("plan", "--storage", "83MB/s", "--media", str(tmp_path / "a.json"))
    assert plan.code == 0 and "ProRes 422 HQ 1280x720 25" in plan.out


def test_lines_of_a_crowd_come_in_little_memory(crowd):
    command = ["probe", "--ndjson", "--parallel", "3", str(crowd)]
    with subprocess.Popen([os.environ["STREAMCALC"], *command], stdout=subprocess.PIPE) as process:
        names = {json.loads(line)["files"][0]["path"][-8:] for line in process.stdout}
        assert process.wait(60) == 0
    assert names == {f"{i:04}.mp4" for i in range(4000)}
    few = call("probe", "--ndjson", "--max-files", "5", str(crowd))
    assert len(few.out.splitlines()) == 5 and "--max-files" in few.err


def test_a_reader_that_leaves_ends_it_quietly(crowd):
    with subprocess.Popen([os.environ["STREAMCALC"], "probe", "--ndjson", str(crowd)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert json.loads(process.stdout.readline())
        process.stdout.close()
        assert process.wait(10) == -signal.SIGPIPE
        assert process.stderr.read() == b""


def test_ctrl_c_leaves_whole_lines(crowd):
    with subprocess.Popen([os.environ["STREAMCALC"], "probe", "--ndjson", str(crowd)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        lines = [process.stdout.readline()]
        process.send_signal(signal.SIGINT)
        lines += process.stdout.readlines()
        assert process.wait(10) == 130
        assert b"interrupted" in process.stderr.read()
    assert 0 < len(lines) < 4000
    assert all(line.endswith(b"\n") and json.loads(line)["files"] for line in lines)


def test_one_form_of_json_at_a_time(clips):
    result = call("probe", str(clips), "--json", "--ndjson")
    assert result.code == 2 and "--ndjson" in result.document()["error"]["message"]


@pytest.mark.parametrize("many", ["0", "65", "x"])
def test_parallel_has_a_range(clips, many):
    result = call("probe", str(clips), "--parallel", many)
    assert result.code == 2 and "parallel" in result.err


def test_one_bad_file_does_not_stop_the_rest(clips, tmp_path):
    empty = tmp_path / "empty.mov"
    empty.write_bytes(b"")
    result = call("probe", str(empty), str(clips / "a.mov"), "--json")
    assert result.code == 2
    assert "empty.mov" in result.err and len(result.err.splitlines()) == 1
    files = result.document()["files"]
    assert files[0]["error"] and not files[1].get("error")
    text = call("probe", str(empty), str(clips / "a.mov"))
    assert text.code == 2 and "ProRes" in text.out


@pytest.mark.parametrize("command", [["probe"], ["measure"], []])
def test_missing_path(command, tmp_path):
    result = call(*command, "missing.mov", cwd=tmp_path)
    assert result.code == 2 and result.out == ""
    assert len(result.err.splitlines()) == 1 and "missing.mov" in result.err
    assert call(*command, "missing.mov", "--json", cwd=tmp_path).document()


def test_paths_that_are_no_utf8(clips, tmp_path):
    folder = os.fsencode(tmp_path) + b"/caf\xe9\x1b[31m\n"
    os.mkdir(folder)
    shutil.copy(clips / "a.mov", folder + b"/\xff.mov")
    text = call("probe", folder)
    assert text.code == 0 and "\x1b" not in text.out
    assert call("probe", folder, "--json").document()["files"][0]["path"].endswith("\ufffd.mov")
    missing = call("probe", folder + b"/no\xfe")
    assert missing.code == 2 and "\x1b" not in missing.err and len(missing.err.splitlines()) == 1


def test_probe_feeds_plan(clips, tmp_path):
    document = call("probe", str(clips), "--json")
    (tmp_path / "probe.json").write_bytes(document.raw)
    common = ["plan", "--storage", "83MB/s", "--json", "--media"]
    from_document = call(*common, str(tmp_path / "probe.json")).document()
    from_media = call(*common, str(clips)).document()
    assert from_document["answers"] == from_media["answers"]
    assert [answer["format"] for answer in from_media["answers"]] == [
        "ProRes 422 HQ 1280x720 25", from_media["answers"][1]["format"]]


def test_probe_through_a_pipe_into_plan(clips):
    with subprocess.Popen([os.environ["STREAMCALC"], "probe", str(clips), "--json"],
                          stdout=subprocess.PIPE) as probe:
        result = call("plan", "--storage", "83MB/s", "--media", "-", "--json", stdin=probe.stdout)
    assert result.code == 0, result.err
    assert len(result.document()["answers"]) == 2


def test_measure_feeds_plan(disk, tmp_path):
    measured = call("measure", str(disk), *QUICK, "--max-readers", "2", "--json")
    assert measured.code == 0, measured.err
    storage = measured.document()
    assert [point["readers"] for point in storage["points"]] == [1, 2]
    (tmp_path / "s.json").write_bytes(measured.raw)
    plan = call("plan", "--storage", str(tmp_path / "s.json"), "--stream", "8Mb/s", "--trust",
                "--json")
    assert plan.code == 0, plan.err
    fastest = max(point["bytes_per_s"]["mean"] for point in storage["points"])
    assert plan.document()["answers"][0]["naive"] == int(fastest * 8 / 8e6)


def hostile(value):
    """The same document with control bytes in every text that is no keyword."""
    if isinstance(value, dict):
        return {key: hostile(item) if key in TEXTS or isinstance(item, (dict, list)) else item
                for key, item in value.items()}
    if isinstance(value, list):
        return [hostile(item) for item in value]
    return value + "\x1b[2J\n\u009b\t" if isinstance(value, str) else value


TEXTS = {"path", "name", "mount_point", "file_system", "device", "options", "server", "message",
         "cache_reason", "reason"}


def test_documents_cannot_drive_a_terminal(whole_job, clips):
    _, where = whole_job
    saved = json.loads((where / f"streamcalc-{clips.name}.json").read_text())
    (where / "hostile.json").write_text(json.dumps(hostile(saved)))
    document = str(where / "hostile.json")
    result = call("plan", "--storage", document, "--media", document)
    assert result.code == 0, result.err
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", result.out)
    assert "[2J" in result.out


def test_whole_job_text(whole_job, clips):
    result, _ = whole_job
    assert result.code == 0, result.err
    assert result.err == ""
    paragraphs = [" ".join(part.split()) for part in result.out.split("\n\n")]
    assert "ProRes 422 HQ 1280x720 25" in paragraphs[0]
    assert "found here (3 clips)" in result.out and "usual formats" in result.out
    assert "DNxHR HQX 3840x2160 25" in result.out
    assert max(len(line) for line in result.out.splitlines()
               if not line.startswith("saved:")) <= 80
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", result.out)


def test_whole_job_is_saved_and_planned_again(whole_job, clips):
    result, where = whole_job
    name = f"streamcalc-{clips.name}.json"
    assert result.out.splitlines()[-1] == f"saved: {name}"
    saved = validate(json.loads((where / name).read_text()))
    validate(saved["probe"])
    validate(saved["storage"])
    again = call("plan", "--storage", str(where / name), "--media", str(where / name), "--json")
    assert again.code == 0, again.err
    found = [answer for answer in saved["answers"] if answer["found"]]
    replayed = again.document()["answers"]
    for before, after in zip(found, replayed):
        assert (before["format"], before["safe"], before["naive"]) == (
            after["format"], after["safe"], after["naive"])


def test_whole_job_plays_a_mix(clips, tmp_path):
    """Whether it is sustained is up to this disk, and what else reads from it now."""
    result = call(str(clips), "--seconds", "2", "--json", "--streams", "1,1", "--trust", cwd=tmp_path)
    document = result.document()
    mix = document["mix"]
    assert result.code == (0 if mix["safe"] == "holds" else 1), result.err
    assert document["play"]["sustained"] == (mix["safe"] == "holds")
    assert mix["played"] == mix["safe"] and mix["streams"] == 2
    assert all(answer["found"] for answer in document["answers"])


def test_whole_job_document(clips, tmp_path):
    """Whether one stream is sustained is up to this disk, and what else reads from it now."""
    result = call(str(clips), "--seconds", "2", "--json", "--require", "1", "--trust", cwd=tmp_path)
    document = result.document()
    assert result.code == (0 if document["holds"] else 1), result.err
    assert all(answer["found"] for answer in document["answers"])
    assert document["holds"] == all(answer["safe"] >= 1 for answer in document["answers"])
    assert list(tmp_path.iterdir()) == []
    impossible = call(str(clips), "--seconds", "2", "--no-confirm", "--json", "--require", "1000000",
                      cwd=tmp_path)
    assert impossible.code == 1 and impossible.document()["holds"] is False


def test_saved_files_are_numbered_and_never_overwritten(clips, tmp_path):
    target = str(clips / "a.mov")
    for expected in ("streamcalc-a.mov.json", "streamcalc-a.mov-2.json"):
        result = call(target, "--seconds", "2", "--no-confirm", cwd=tmp_path)
        assert result.code == 0, result.err
        assert result.out.splitlines()[-1] == f"saved: {expected}"
    chosen = tmp_path / "chosen.json"
    chosen.write_text("kept")
    refused = call(target, "--output", str(chosen), cwd=tmp_path)
    assert refused.code == 2 and "--force" in refused.err and chosen.read_text() == "kept"
    forced = call(target, "--seconds", "2", "--no-confirm", "--output", str(chosen), "--force",
                  cwd=tmp_path)
    assert forced.code == 0 and validate(json.loads(chosen.read_text()))
    count = len(list(tmp_path.iterdir()))
    unsaved = call(target, "--seconds", "2", "--no-confirm", "--no-save", cwd=tmp_path)
    assert unsaved.code == 0, unsaved.err
    assert len(list(tmp_path.iterdir())) == count


def test_nothing_is_saved_on_the_measured_storage(clips):
    before = sorted(os.listdir(clips))
    result = call(".", "--seconds", "2", "--no-confirm", cwd=clips)
    assert result.code == 0, result.err
    assert "--output" in result.out and sorted(os.listdir(clips)) == before


def test_other_clips_are_answered_beside_a_bad_one(clips, tmp_path):
    bad = clips.parent / "bad.mov"
    bad.write_bytes(b"not a movie")
    result = call(str(bad), str(clips / "a.mov"), "--seconds", "2", "--no-confirm", cwd=tmp_path)
    assert result.code == 2 and "bad.mov" in result.err
    assert "ProRes 422 HQ 1280x720 25" in result.out
    assert "1 of 2 clips could not be read and is left out: bad.mov" in result.out


def test_headline_is_about_most_of_the_footage(clips, tmp_path):
    """Not about the format of most files, and not about sound while there is a picture."""
    shutil.copy(clips / "a.mov", tmp_path)
    for name in "xyz":
        shutil.copy(clips / "c.mp4", tmp_path / f"{name}.mp4")
    ffmpeg("-f", "lavfi", "-i", "sine=r=48000", "-t", "300", tmp_path / "long.wav")
    sizes = {name: (tmp_path / name).stat().st_size for name in ("a.mov", "x.mp4", "long.wav")}
    assert sizes["long.wav"] > sizes["a.mov"] > 3 * sizes["x.mp4"]
    result = call("plan", "--storage", "830MB/s", "--media", str(tmp_path))
    assert "of ProRes 422 HQ 1280x720 25 from 830MB/s" in " ".join(result.out.split())
    found = result.out.split("found here (5 clips)\n")[1].split("\n\n")[0].splitlines()
    assert found[0].split()[0] == "ProRes" and found[2].split()[0] == "PCM"


@pytest.mark.parametrize("name, line", [
    ("c.ts", "  no index: none that can be relied on: the file, or its headers, were read"),
    ("c.wav", "  audio only: there is no video in the file"),
])
def test_flags_are_sentences(clips, tmp_path, name, line):
    ffmpeg("-i", clips / "c.mp4", *([] if name == "c.wav" else ["-c", "copy"]), tmp_path / name)
    assert line in call("probe", str(tmp_path / name)).out.splitlines()


def test_a_current_directory_that_takes_no_file(clips):
    result = call(str(clips / "a.mov"), "--seconds", "2", "--no-confirm", cwd="/proc")
    assert result.code == 0, result.err
    assert "not saved: " in result.out and "--output" in result.out


@pytest.mark.parametrize("output", ["/proc/x.json", "missing/x.json", "."])
def test_an_output_that_cannot_be_written_is_refused_first(clips, tmp_path, output):
    result = call(str(clips), "--output", output, "--force", "--seconds", "600", cwd=tmp_path)
    assert result.code == 2 and result.out == "" and output in result.err


def test_two_storages_are_asked_about_one_at_a_time(clips, tmp_path):
    result = call(str(clips), "/dev/shm", cwd=tmp_path)
    if os.stat(clips).st_dev == os.stat("/dev/shm").st_dev:
        pytest.skip("the temporary directory lies in /dev/shm")
    assert result.code == 2 and "different storage" in result.err


def test_every_sample_file_gets_an_answer_or_one_line():
    media = os.environ.get("STREAMCALC_TEST_MEDIA")
    if not media:
        pytest.skip("STREAMCALC_TEST_MEDIA names no directory of sample files")
    for folder, _, names in os.walk(media):
        for name in names:
            result = call("probe", os.path.join(folder, name), "--json")
            assert result.code in (0, 2), (name, result.code)
            result.document()
            assert len(result.err.splitlines()) == (result.code == 2), (name, result.err)


def test_files_that_play_together(clips, tmp_path):
    sound = tmp_path / "sound.wav"
    ffmpeg("-f", "lavfi", "-i", "sine=r=48000:d=2", "-c:a", "pcm_s24le", sound)
    paths = [str(clips / "a.mov"), str(sound)]
    whole, = call("probe", *paths, "--as-one", "--json").document()["files"]
    apart = call("probe", *paths, "--json").document()["files"]
    assert whole["parts"] == paths and apart[0]["parts"] is None
    assert whole["size_bytes"] == sum(file["size_bytes"] for file in apart)
    assert len(whole["tracks"]) == 3 and whole["path"] == paths[0]
    text = call("probe", *paths, "--as-one")
    assert re.search(r"parts +\S*a.mov\n +\S*sound.wav", text.out)
    plan = call("plan", "--storage", "83MB/s", "--as-one", "--media", paths[0], "--media", paths[1],
                "--json").document()
    assert len(plan["answers"]) == 1
    assert plan["answers"][0]["stream_bits_per_s"] == whole["busiest_60s_bits_per_s"]
    assert call(*paths, "--as-one", *QUICK, cwd=tmp_path).code == 0
    missing = call("probe", paths[0], str(tmp_path / "gone.wav"), "--as-one")
    assert missing.code == 2 and "gone.wav" in missing.err and missing.out == ""


@pytest.fixture(scope="session")
def frames(tmp_path_factory):
    """A folder of 24 DPX frames, numbered from 1001, of which the third is missing."""
    folder = tmp_path_factory.mktemp("frames")
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=1280x720:r=25", "-frames:v", "24", "-pix_fmt",
           "gbrp10be", "-start_number", "1001", folder / "shot.%04d.dpx")
    (folder / "shot.1003.dpx").unlink()
    return folder


def test_numbered_pictures_are_one_stream(frames, tmp_path):
    result = call("probe", str(frames))
    assert result.code == 0, result.err
    assert "DPX 10 1280x720 24" in result.out and "shot.%04d.dpx" in result.out
    assert "23, numbered 1001 to 1024: one file is opened for each" in result.out
    assert "missing: 1003;" in result.out and "--frame-rate" in result.out
    document = call("probe", str(frames), "--json").document()
    file = document["files"][0]
    assert file["container"] == "image-sequence" and file["source"] == "directory"
    assert file["sequence"] == {"files": 23, "first_number": 1001, "last_number": 1024}
    assert {finding["code"] for finding in file["findings"]} == {"missing-frames",
                                                                 "frame-rate-assumed"}
    (tmp_path / "frames.json").write_text(json.dumps(document))
    for media in (frames, tmp_path / "frames.json"):
        plan = call("plan", "--storage", "830MB/s", "--media", str(media))
        assert plan.code == 0 and "DPX 10 1280x720 24" in plan.out


def test_a_pattern_and_a_rate(frames):
    pattern = str(frames / "shot.%04d.dpx")
    result = call("probe", pattern, "--frame-rate", "25", "--json").document()["files"][0]
    assert result["path"] == pattern and result["tracks"][0]["frame_rate"] == "25"
    assert [finding["code"] for finding in result["findings"]] == ["missing-frames"]
    lines = call("probe", "--ndjson", pattern, "--frame-rate", "25").out.splitlines()
    assert [json.loads(line)["files"][0] for line in lines] == [result]
    wrong = call("probe", str(frames / "shot.%06d.dpx"))
    assert wrong.code == 2 and "pattern" in wrong.err and len(wrong.err.splitlines()) == 1
    single = call("probe", str(frames / "shot.1001.dpx"))
    assert single.code == 2 and "name.%04d.dpx" in single.err
