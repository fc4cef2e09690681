"""The small programs do what their first comment says."""
import json
import os
import pathlib
import subprocess

import pytest

from conftest import ROOT, validate

EXAMPLES = pathlib.Path(os.environ.get("STREAMCALC_EXAMPLES", "."))


def example(name, *arguments):
    return subprocess.run([EXAMPLES / name, *map(str, arguments)], capture_output=True, text=True,
                          timeout=60, check=False)


def test_plan_bare():
    done = example("plan_bare")
    assert done.returncode == 0 and done.stdout.startswith("3 streams of 168Mb/s play from 83MB/s")
    assert example("plan_bare", "83").returncode == 2


def test_probe_clip(clips):
    done = example("probe_clip", clips / "a.mov")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("ProRes 422 HQ 1280x720 25: ")
    most = [int(line.split()[1]) for line in lines[2:]]
    assert len(most) > 5 and most == sorted(most)
    assert example("probe_clip", "missing.mov").returncode == 2


def test_measure_path(disk):
    done = example("measure_path", disk, 2)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].split()[:2] == ["1", "readers"]
    assert example("measure_path", disk / "missing").returncode == 2
    for seconds in ("xx", "2x", "", "0", "-1", "nan"):
        wrong = example("measure_path", disk, seconds)
        assert wrong.returncode == 2 and wrong.stderr.startswith("usage:"), seconds


def test_json_roundtrip():
    done = example("json_roundtrip", "110MB/s")
    assert done.returncode == 0, done.stderr
    document = validate(json.loads(done.stdout))
    assert document["answers"][0]["safe"] == 5 and document["made_at"]


@pytest.mark.parametrize("path", sorted(ROOT.glob("examples/*.c")), ids=lambda path: path.name)
def test_one_idea_each(path):
    assert len(path.read_text().splitlines()) < 80
