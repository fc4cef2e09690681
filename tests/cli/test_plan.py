"""Plans from bare figures: published measurements, and cases in which plain division is wrong."""
import json
import os
import shutil
import subprocess

import pytest

from conftest import ROOT, call

FIO = ROOT / "tests" / "unit" / "data" / "fio"


def plan(*arguments, code=0):
    result = call("plan", *arguments, "--json")
    assert result.code == code, result.err
    return result.document()


def only_answer(*arguments):
    answers = plan(*arguments)["answers"]
    assert len(answers) == 1
    return answers[0]


@pytest.mark.parametrize("storage, stream, safe", [
    ("83MB/s", "336Mb/s", 1),
    ("83MB/s", "168Mb/s", 3),
    ("110MB/s", "336Mb/s", 2),
    ("110MB/s", "168Mb/s", 5),
    ("83MB/s", "664Mb/s", 1),
])
def test_published_measurements(storage, stream, safe):
    answer = only_answer("--storage", storage, "--stream", stream)
    assert answer["safe"] == safe
    assert answer["naive"] == safe
    assert answer["limit"]["kind"] == "rate"


def test_one_bit_more_does_not_fit():
    assert only_answer("--storage", "83MB/s", "--stream", "664000001b/s")["safe"] == 0


def test_latency_stops_what_division_allows():
    answer = only_answer("--storage", "110MB/s", "--link", "1gbe,rtt=15ms", "--player",
                         "block=256KiB,in-flight=1,read-ahead=1s", "--stream", "168Mb/s")
    assert (answer["naive"], answer["safe"], answer["limit"]["kind"]) == (5, 0, "latency")


@pytest.mark.parametrize("link, rate, fits", [
    ("1gbe", 941_482_444, True),  # 94.15 % of the line: 1448 / 1538
    ("1gbe", 941_482_445, False),
    ("1gbe,mtu=9000", 990_042_044, True),  # 99.00 %: 8948 / 9038
    ("1gbe,mtu=9000", 990_042_045, False),
])
def test_link_carries_its_payload(link, rate, fits):
    answer = only_answer("--link", link, "--stream", f"{rate}b/s")
    assert answer["naive"] == int(fits)


def test_headroom_is_a_share_or_a_percentage():
    fifth = [only_answer("--storage", "83MB/s", "--stream", "168Mb/s", "--headroom", share)
             for share in ("0.2", "20%")]
    assert fifth[0] == fifth[1]
    assert fifth[0]["safe"] == 3
    assert only_answer("--storage", "83MB/s", "--stream", "168Mb/s", "--headroom",
                       "0.3")["safe"] == 2


def test_requirement_decides_the_exit_code():
    common = ["--storage", "83MB/s", "--stream", "168Mb/s", "--require"]
    assert plan(*common, "3", code=0)["holds"] is True
    assert plan(*common, "4", code=1)["holds"] is False
    assert call("plan", *common, "4").code == 1


@pytest.mark.parametrize("streams, require, verdict", [
    (["168Mb/s"], "3", "requirement: 3 streams of every format: met"),
    (["168Mb/s"], "1", "requirement: 1 stream of every format: met"),
    (["168Mb/s", "336Mb/s"], "2",
     "requirement: 2 streams of every format: not met by 336Mb/s (1)"),
])
def test_requirement_is_told(streams, require, verdict):
    wishes = [word for stream in streams for word in ("--stream", stream)]
    result = call("plan", "--storage", "83MB/s", *wishes, "--require", require)
    assert verdict in result.out.split("\n\n")[0].splitlines()


def test_a_family_has_no_headline_of_one_row():
    result = call("plan", "--storage", "830MB/s", "--format", "prores")
    rows = len(plan("--storage", "830MB/s", "--format", "prores")["answers"])
    headline = " ".join(result.out.split("\n\n")[0].split())
    assert f" {rows} of them" in headline and "You can play" not in headline


def test_every_format_must_meet_the_requirement():
    common = ["--storage", "83MB/s", "--stream", "168Mb/s", "--stream", "336Mb/s", "--require"]
    assert call("plan", *common, "1").code == 0
    assert call("plan", *common, "2").code == 1


def test_families_and_single_formats():
    one = plan("--storage", "1GB/s", "--format", "ProRes 422 HQ 3840x2160 25")["answers"]
    family = plan("--storage", "1GB/s", "--format", "prores")["answers"]
    assert [answer["format"] for answer in one] == ["ProRes 422 HQ 3840x2160 25"]
    assert one[0]["format"] in [answer["format"] for answer in family]
    assert len(family) > 20


def test_text_answers_in_its_first_line():
    result = call("plan", "--storage", "83MB/s", "--stream", "168Mb/s")
    first = " ".join(result.out.split("\n\n")[0].split())
    assert first.startswith("You can play 3 streams of 168Mb/s from 83MB/s; the 4th is stopped by")


def test_documents_stand_for_expressions(tmp_path):
    document = call("plan", "--storage", "83MB/s", "--stream", "168Mb/s", "--json")
    (tmp_path / "plan.json").write_bytes(document.raw)
    again = only_answer("--storage", str(tmp_path / "plan.json"), "--stream", "168Mb/s")
    assert again["safe"] == 3


def test_document_on_standard_input():
    document = call("plan", "--storage", "83MB/s", "--stream", "168Mb/s", "--json")
    reader, writer = os.pipe()
    os.write(writer, document.raw)
    os.close(writer)
    result = call("plan", "--storage", "-", "--stream", "168Mb/s", "--json", stdin=reader)
    os.close(reader)
    assert json.loads(result.raw)["answers"][0]["safe"] == 3, result.err


@pytest.mark.parametrize("arguments, message", [
    (["--storage", "83", "--stream", "168Mb/s"], "unit"),
    (["--storage", "83MB/s", "--stream", "168"], "unit"),
    (["--storage", "missing.json", "--stream", "168Mb/s"], "missing.json"),
    (["--storage", "83MB/s"], "--stream"),
    (["--stream", "168Mb/s"], "--storage"),
    (["--link", "9gbe", "--stream", "168Mb/s"], "9gbe"),
    (["--storage", "83MB/s", "--format", "ProRez 422 HQ"], "ProRes"),
    (["--storage", "83MB/s", "--stream", "168Mb/s", "--player", "nervous"], "nervous"),
    (["--storage", "83MB/s", "--stream", "168Mb/s", "--headroom", "20"], "--headroom"),
    (["--storage", "83MB/s", "--stream", "168Mb/s", "--headroom", "nan"], "--headroom"),
    (["--storage", "83MB/s", "--stream", "168Mb/s", "--require", "0"], "--require"),
    (["--storage", "83MB/s", "--stream", "168Mb/s", "--require", "2.5"], "--require"),
    (["--storage", "83MB/s", "--media", "missing.mov"], "missing.mov"),
])
def test_wrong_input_is_named(arguments, message):
    text = call("plan", *arguments)
    assert text.code == 2 and text.out == ""
    assert len(text.err.splitlines()) == 1 and message in text.err
    document = call("plan", *arguments, "--json")
    assert document.code == 2
    assert document.document()["error"]["message"]


def test_a_bad_document_is_refused(tmp_path):
    for content in (b"", b"{", b"[]", b'{"schema": "streamcalc.storage", "version": 99}',
                    b'{"schema": "streamcalc.formats"}', b"\xff\xfe" * 100):
        path = tmp_path / "bad.json"
        path.write_bytes(content)
        result = call("plan", "--storage", str(path), "--stream", "168Mb/s", "--json")
        assert result.code == 2, content
        assert "bad.json" in result.document()["error"]["message"] + result.err


def test_two_documents_cannot_share_standard_input():
    result = call("plan", "--storage", "-", "--media", "-")
    assert result.code == 2 and "standard input" in result.err


def test_a_law_is_followed_beyond_the_last_point_and_named(tmp_path):
    """1 MiB at 200 MB/s, 10 ms from reader to reader: 14 x 5 of 72.2 MB/s, 15 x 5 of 71.9."""
    storage = plan("--storage", str(FIO / "groups.json"), "--stream", "40Mb/s")["storage"]
    points = []
    for readers in (1, 2, 4, 8):
        point = json.loads(json.dumps(storage["points"][0]))
        point["readers"] = readers
        point["bytes_per_s"]["mean"] = round(1 / (1 / 200e6 + (1 - 1 / readers) * 0.01 / 2**20))
        points.append(point)
    path = tmp_path / "seeking.json"
    path.write_text(json.dumps(storage | {"points": points}))
    document = plan("--storage", str(path), "--stream", "40Mb/s")
    answer, = document["answers"]
    assert (answer["safe"], answer["extrapolated"], document["law"]) == (14, True, "seek")
    words = " ".join(call("plan", "--storage", str(path), "--stream", "40Mb/s").out.split())
    assert "note: beyond 8 readers" in words and "a disk that seeks" in words


def still_clip():
    """A probed minute of 0.4 MB a frame, but for two seconds of 2 MB a frame."""
    document = json.loads((ROOT / "tests/unit/data/report/probe.json").read_text())
    frames = [2_000_000] * 50 + [400_000] * 1450
    total = sum(frames)
    windows = [0.04, 0.2, 0.5, 1, 2, 4, 8, 16]
    counts = [int(window * 25 + 1e-6) + 1 for window in windows]
    most = [sum((frames + frames)[i % 1500] for i in range(count)) for count in counts]
    clip = document["files"][0] | {
        "duration_s": 60, "demand_bits_per_s": total * 8 // 60,
        "busiest_60s_bits_per_s": total * 8 // 60, "largest_frame_bytes": 2_000_000,
        "curve": {"window_s": windows, "max_bytes": most, "mean_bytes": most,
                  "stdev_bytes": [0] * len(windows), "source": "file-index"},
        "trace": {"step_s": 0.04, "bytes": frames, "source": "file-index"}}
    return document | {"files": [clip]}


def test_what_is_likely_beyond_safe_is_told(tmp_path):
    path = tmp_path / "still.json"
    path.write_text(json.dumps(still_clip()))
    arguments = ["--storage", "600MB/s", "--media", str(path)]
    document = plan(*arguments)
    answer, = document["answers"]
    assert answer["safe"] < answer["likely"] <= answer["naive"]
    assert document["likely_probability"] == 0.99
    words = " ".join(call("plan", *arguments).out.split())
    assert f"begin anywhere in their clips: {answer['likely']} x" in words
    assert only_answer("--storage", "600MB/s", "--stream", "90Mb/s")["likely"] is None
    assert "Likely" not in call("plan", "--storage", "600MB/s", "--stream", "90Mb/s").out


# ---- results of fio ----

@pytest.mark.parametrize("stream, safe, naive", [("2Gb/s", 3, 5), ("4Gb/s", 2, 2), ("7Gb/s", 0, 1)])
def test_a_result_of_fio_is_a_storage(stream, safe, naive):
    document = plan("--storage", str(FIO / "groups.json"), "--stream", stream)
    answer = document["answers"][0]
    assert (answer["safe"], answer["naive"], answer["upper_bound"]) == (safe, naive, True)
    assert document["storage"]["source"] == "imported"
    assert [point["readers"] for point in document["storage"]["points"]] == [1, 2, 4]
    assert document["player"]["block_bytes"] == 2**20 and document["player"]["in_flight"] == 2


def test_a_result_of_fio_comes_through_a_pipe_and_says_what_it_lacks():
    with open(FIO / "clones.txt", "rb") as text:
        result = call("plan", "--storage", "-", "--stream", "168Mb/s", stdin=text)
    words = " ".join(result.out.split())
    assert result.code == 0, result.err
    assert "from /mnt/raid/test.bin (fio-3.33)" in words
    assert "counts are upper bounds" in words and "fio tells means" in words
    assert "readers 2 MB/s 323" in words


def test_what_only_fio_s_cache_delivered_is_not_counted(tmp_path):
    document = json.loads((FIO / "groups.json").read_text())
    document["global options"]["direct"] = "0"
    path = tmp_path / "buffered.json"
    path.write_text(json.dumps(document))
    arguments = ["--storage", str(path), "--stream", "2Gb/s"]
    result = plan(*arguments)
    assert result["answers"][0]["safe"] is None
    assert "not-proven-cold" in [finding["code"] for finding in result["findings"]]
    assert plan(*arguments, "--trust")["answers"][0]["naive"] == 5


def test_a_result_of_fio_without_reads_is_refused(tmp_path):
    document = json.loads((FIO / "groups.json").read_text())
    for job in document["jobs"]:
        job["read"], job["write"] = job["write"], job["read"]
    path = tmp_path / "writes.json"
    path.write_text("fio: a note\n" + json.dumps(document))
    result = call("plan", "--storage", str(path), "--stream", "2Gb/s")
    assert result.code == 2 and result.out == ""
    assert "writes.json" in result.err and "it only wrote" in result.err


@pytest.mark.parametrize("output", ["json", "json+", "normal,json"])
@pytest.mark.parametrize("reporting", [[], ["--group_reporting"]])
def test_what_fio_prints_here_is_read(tmp_path, output, reporting):
    if not shutil.which("fio"):
        pytest.skip("fio is not installed")
    result = subprocess.run(
        ["fio", "--name=t", f"--directory={tmp_path}", "--size=4m", "--bs=256k", "--rw=read",
         "--numjobs=3", "--thread", *reporting, f"--output-format={output}"],
        capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    path = tmp_path / "fio.txt"
    path.write_text(result.stdout)
    point, = plan("--storage", str(path), "--stream", "168Mb/s", "--trust")["storage"]["points"]
    jobs = json.JSONDecoder().raw_decode(result.stdout[result.stdout.index("{\n"):])[0]["jobs"]
    reads = [job["read"] for job in jobs]
    longest = max(read["runtime"] for read in reads)
    assert point["readers"] == 3 and point["samples"] == 48
    assert point["bytes_per_s"]["mean"] == pytest.approx(
        sum(read["bw_bytes"] * read["runtime"] for read in reads) / longest, rel=1e-6)
    assert point["seconds"] == pytest.approx(longest / 1000)


# ---- several formats together ----

TWO = ["--storage", "300MB/s", "--format", "ProRes 422 HQ 3840x2160 25", "--stream", "120Mb/s"]


def test_a_mix_that_plays_and_one_more_of_each():
    result = call("plan", *TWO, "--streams", "2,3")
    assert result.code == 0 and result.out.startswith("2 x ProRes 422 HQ 3840x2160 25 and 3 x 120Mb/s play")
    document = call("plan", *TWO, "--streams", "2,3", "--json").document()
    assert document["mix"]["safe"] == "holds" and document["holds"]
    first, second = document["mix"]["parts"]
    assert (first["playing"], first["more"], second["playing"], second["more"]) == (2, 0, 3, 4)


def test_a_mix_that_does_not_play_says_what_would_have_to_go():
    result = call("plan", *TWO, "--streams", "3,3")
    assert result.code == 1
    assert "do not play safely from 300MB/s: rate: 6 streams need" in " ".join(result.out.split())
    document = plan(*TWO, "--streams", "3,3", code=1)
    assert document["mix"]["safe"] == "breaks" and not document["holds"]
    assert [part["fewer"] for part in document["mix"]["parts"]] == [1, 2]


def test_one_number_is_of_all_that_is_asked_about():
    document = call("plan", *TWO, "--streams", "2", "--json").document()
    assert [part["playing"] for part in document["mix"]["parts"]] == [2, 2]


def test_the_frontier_of_two_formats():
    result = call("plan", *TWO, "--frontier")
    pairs = [tuple(map(int, line.split()[:2])) for line in result.out.splitlines()
             if len(line.split()) == 3 and line.split()[0].isdigit()]
    assert result.code == 0 and pairs == [(0, 20), (1, 13), (2, 7), (3, 1)]


@pytest.mark.parametrize("options, named", [
    (["--streams", "1,2,3"], "--streams has 3 numbers, but there are 2 formats"),
    (["--streams", "0,0"], "no stream at all"),
    (["--streams", "two"], "'two'"),
])
def test_numbers_of_streams_that_cannot_be(options, named):
    result = call("plan", *TWO, *options)
    assert result.code == 2 and named in result.err and result.err.count("\n") == 1


def test_a_frontier_needs_two_formats():
    result = call("plan", "--storage", "300MB/s", "--stream", "120Mb/s", "--frontier")
    assert result.code == 2 and "2 to 8 formats" in result.err
