"""Help, options, and where output goes."""
import json
import os
import re
import subprocess
import time

import pytest

from conftest import PROGRAM, ROOT, call, on_terminal

COMMANDS = ["probe", "measure", "plan", "play", "formats", "links"]
OPTIONS_C = (ROOT / "examples" / "streamcalc" / "options.c").read_text()


def table_rows():
    """The rows of the option table: (name, the commands that take it)."""
    table = OPTIONS_C.split("option_row rows[] = {", 1)[1].split("};", 1)[0]
    rows = re.findall(r'\{"([a-z-]+)",\s*(?:0|\'.\'),\s*OPTION_\w+,\s*[^,]+,\s*([A-Z_| ]+),', table)
    assert len(rows) == len(re.findall(r"OPTION_", table))
    return rows


@pytest.mark.parametrize("command", [[], *[[name] for name in COMMANDS]])
def test_help_starts_with_examples(command):
    result = call(*command, "--help")
    assert result.code == 0 and result.err == ""
    assert result.out.startswith("Examples:\n")
    assert all(len(line) <= 80 for line in result.out.splitlines())


def test_help_is_of_the_command_itself():
    helps = {name: call(*words, "--help").out
             for name, words in [("run", []), *[(name, [name]) for name in COMMANDS]]}
    judging = {name for name, text in helps.items() if re.search(r"^Exit code:.* 1 ", text, re.M)}
    assert judging == {"run", "plan", "play"}
    for name, text in helps.items():
        assert ("--require" in text) == (name in judging)
        assert ("could not be read" in " ".join(text.split())) == (name in ("run", "probe", "plan"))
    assert "as the storage was measured" in " ".join(helps["plan"].split())
    assert "as the storage was measured" not in " ".join(helps["measure"].split())
    assert "time of its own" in " ".join(helps["measure"].split())


def test_help_fits_narrow_terminals():
    for line in on_terminal(50, "--help").splitlines():
        is_option = re.match(r"  (-., )?--", line)
        assert len(line) <= 50 or line.startswith(("  streamcalc", "  #")) or is_option or (
            " " not in line.strip()), line


def test_help_command_is_the_same():
    for name in COMMANDS:
        assert call("help", name).out == call(name, "--help").out
    assert call("help").out == call("--help").out


def test_every_option_is_in_help():
    names = {"FOR_RUN": [], "FOR_PROBE": ["probe"], "FOR_MEASURE": ["measure"],
             "FOR_PLAN": ["plan"], "FOR_PLAY": ["play"], "FOR_FORMATS": ["formats"],
             "FOR_LINKS": ["links"]}
    groups = {"FOR_PLANS": "FOR_RUN | FOR_PLAN", "FOR_READS": "FOR_RUN | FOR_MEASURE",
              "FOR_CLIPS": "FOR_RUN | FOR_PROBE | FOR_PLAN | FOR_PLAY",
              "FOR_STALLS": "FOR_RUN | FOR_PROBE | FOR_PLAN | FOR_PLAY | FOR_MEASURE",
              "FOR_ALL": " | ".join(names)}
    helps = {key: call(*words, "--help").out for key, words in names.items()}
    takers_of = {}  # commands may have a row each for what means something else there
    for option, commands in table_rows():
        for group, members in groups.items():
            commands = re.sub(rf"\b{group}\b", members, commands)
        takers_of.setdefault(option, set()).update(word.strip() for word in commands.split("|"))
    for option, takers in takers_of.items():
        for key, text in helps.items():
            listed = re.search(rf"^  (-., )?--{option}\b(?!-)", text, re.MULTILINE)
            assert bool(listed) == (key in takers), (option, key)


def test_version():
    assert re.fullmatch(r"streamcalc \d+\.\d+\.\d+\n", call("--version").out)


@pytest.mark.parametrize("arguments, suggestion", [
    (["plan", "--strem", "168Mb/s"], "--stream"),
    (["plan", "--Storage=1"], "--storage"),
    (["measure", "--max-reader", "3", "."], "--max-readers"),
    (["plan", "--xyzzyx"], "--help"),
    (["-x"], "--help"),
    (["prob", "x.mov"], "probe"),
    (["help", "plam"], "plan"),
])
def test_unknown_names_get_a_suggestion(arguments, suggestion):
    result = call(*arguments)
    assert result.code == 2 and result.out == ""
    assert len(result.err.splitlines()) == 1 and suggestion in result.err


@pytest.mark.parametrize("arguments", [
    [], ["probe"], ["measure"], ["measure", "a", "b"], ["plan", "x"], ["links", "x"],
    ["plan", "--storage"], ["plan", "--json=yes"], ["probe", "--storage", "83MB/s", "x"],
    ["measure", "--seconds", "0", "."], ["measure", "--duration", "24", "."],
    ["measure", "--cache", "cold", "."], ["plan", "--storage="],
    ["--output", "x.json", "--no-save", "."],
])
def test_wrong_usage(arguments):
    text = call(*arguments)
    assert text.code == 2 and text.out == "" and len(text.err.splitlines()) == 1
    document = call("--json", *arguments) if not arguments else call(*arguments, "--json")
    assert document.code == 2
    if "--storage" not in arguments[-1:]:  # there the word --json is the missing value
        assert document.document()["error"]["status"] == "invalid-argument"


def test_double_dash_ends_the_options(tmp_path):
    result = call("probe", "--", "--help", cwd=tmp_path)
    assert result.code == 2 and "--help" in result.err


def test_a_full_disk_is_an_error():
    with open("/dev/full", "wb") as full:
        done = subprocess.run([PROGRAM, "links"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2 and b"No space left" in done.stderr


def test_a_closed_standard_output_is_an_error():
    done = subprocess.run(f'"{PROGRAM}" links >&-', shell=True, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2 and b"standard output" in done.stderr


def test_a_closed_pipe_is_quiet():
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([PROGRAM, "formats"], stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert done.returncode == -13 and done.stderr == b""


def test_a_pipe_that_does_not_wait_gets_everything():
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with subprocess.Popen([PROGRAM, "formats", "--json"], stdout=writer) as process:
        os.close(writer)
        time.sleep(0.3)  # more than a pipe holds is there to be written
        with open(reader, "rb") as pipe:
            document = json.loads(pipe.read())
        assert process.wait(10) == 0
    assert len(document["formats"]) > 100


@pytest.mark.parametrize("arguments", [
    ["links"], ["formats", "prores"], ["formats", "dnxhd"], ["formats", "uncompressed"],
    ["plan", "--storage", "830MB/s", "--format", "prores", "--format", "dnxhr"],
])
def test_pipes_get_eighty_plain_columns(arguments):
    result = call(*arguments)
    assert result.code == 0, result.err
    assert result.err == ""
    assert max(len(line) for line in result.out.splitlines()) <= 80
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", result.out)


def test_catalogues_as_documents():
    formats = call("formats", "--json").document()["formats"]
    assert len(formats) > 100
    assert call("formats", "ProRes", "422", "HQ", "3840x2160", "25", "--json").document()["formats"]
    assert len(call("links", "--json").document()["links"]) > 5


def test_links_show_both_payloads():
    line = next(line for line in call("links").out.splitlines() if line.split()[0] == "1gbe")
    assert line.split()[1:4] == ["1000", "118", "124"]


def test_numbers_do_not_follow_the_locale():
    result = call("links", env={**os.environ, "LC_ALL": "de_DE.UTF-8"})
    assert result.out == call("links").out


@pytest.mark.parametrize("columns", [20, 33, 60, 80, 130, 300])
@pytest.mark.parametrize("arguments", [
    ["links"], ["formats", "dnxhd"],
    ["plan", "--storage", "830MB/s", "--link", "10gbe,rtt=1ms", "--format", "prores"],
    ["plan", "--storage", "830MB/s", "--format", "prores", "--require", "9"],
])
def test_nothing_is_wider_than_the_terminal(columns, arguments):
    for line in on_terminal(columns, *arguments).splitlines():
        to_copy = line.startswith("  streamcalc") or " " not in line.strip()
        assert len(line) <= columns or to_copy, line


def test_wide_terminals_say_more():
    plan = ["plan", "--storage", "83MB/s", "--stream", "168Mb/s"]
    wide, narrow = (on_terminal(width, *plan).split("\n\n")[1] for width in (130, 80))
    assert "4 streams need" in wide
    assert "4 streams need" not in narrow and narrow.splitlines()[1].split()[-1] == "rate"


@pytest.mark.parametrize("columns, titles", [
    (130, ["Mb/s", "MB/s", "safe", "expected", "naive", "stopped"]),
    (70, ["Mb/s", "safe", "expected", "naive", "stopped"]),
    (60, ["Mb/s", "safe", "expected", "naive", "stopped"]),
    (30, ["safe", "stopped"]),
])
def test_columns_that_say_least_go_first(columns, titles):
    plan = ["plan", "--storage", "830MB/s", "--format", "ProRes 422 Proxy 8192x4320 59.94"]
    title, row = on_terminal(columns, *plan).split("\n\n")[1].splitlines()
    assert title.split()[1:] == [*titles, "by"]
    assert row.split()[-1] == "rate" or "streams need" in row


def test_an_option_counts_once():
    for twice in (["--headroom", "1%", "--headroom=2%"], ["--seconds", "2", "--duration", "3s"]):
        result = call(*twice, ".")
        assert result.code == 2 and twice[0] in result.err and len(result.err.splitlines()) == 1


@pytest.mark.parametrize("arguments, hint", [
    (["-take-1.mov"], "./-take-1.mov"),
    (["saved.json"], "plan --storage saved.json"),
    (["plan", "--headroom", "20", "--link", "1gbe", "--stream", "1Mb/s"], "20%?"),
    (["plan", "--storage", "83mb/s", "--stream", "1Mb/s"], "83MB/s"),
    (["plan", "--storage", "0MB/s", "--stream", "1Mb/s"], "out of range"),
    (["plan", "--storage=-5MB/s", "--stream", "1Mb/s"], "83MB/s"),
    (["plan", "--storage", "2024.json", "--stream", "1Mb/s"], "no file"),
    (["probe", "pictures"], "two or more that differ in a number are a sequence"),
])
def test_mistakes_get_a_hint(arguments, hint, tmp_path):
    (tmp_path / "saved.json").write_text("{}")
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "shot.0001.dpx").write_bytes(b"SDPX")
    result = call(*arguments, cwd=tmp_path)
    assert result.code == 2 and result.out == ""
    assert hint in result.err and len(result.err.splitlines()) == 1


@pytest.mark.parametrize("arguments, said", [
    (["measure", "--with-writers", "65"], "--with-writers: '65' is not a whole number from 1 to 64"),
    (["measure", "--with-writers", "0"], "--with-writers: '0' is not a whole number from 1 to 64"),
    (["measure", "--max-readers", "257"], "--max-readers: '257' is not a whole number from 1 to 256"),
    (["measure", "--duration", "0.1s"], "--duration: '0.1s' is out of range, which is 1s to 86400s"),
    (["--seconds", "90000"], "--seconds: '90000' is out of range, which is 1s to 86400s"),
    (["measure", "--stall", "1ms"], "--stall: '1ms' is out of range"),
    (["play", "--duration", "0s"], "--duration: '0s' is out of range"),
    (["probe", "--parallel", "65"], "--parallel: '65' is not a whole number from 1 to 64"),
    (["probe", "--max-bytes", "8"], "--max-bytes: the size '8' has no unit"),
    (["measure", "--create", "8"], "--create: the size '8' has no unit"),
    (["measure", "--create", "16MB"], "--create: '16MB' is 16000000 bytes, but the range is 16 MiB"),
])
def test_values_out_of_range_name_the_option(arguments, said):
    result = call(*arguments, ".")
    assert result.code == 2 and result.out == "" and len(result.err.splitlines()) == 1
    assert said in result.err


def test_seconds_may_have_their_unit():
    said = [call("measure", "--seconds", value, "missing").err for value in ("10", "10s")]
    assert said[0] == said[1] and "missing" in said[0]


def test_lines_do_not_end_in_spaces():
    plan = ["plan", "--storage", "830MB/s", "--format", "prores", "--require", "9"]
    for arguments in (["--help"], ["links"], plan):
        for columns in (20, 33, 80):
            assert not re.search(r" $", on_terminal(columns, *arguments), re.M), arguments
