"""The README's examples: every ```console block is run and compared, every ```c block is compiled,
and run where a console block behind it shows what it prints."""
import os
import pathlib
import re
import shlex
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", (ROOT / "README.md").read_text(), re.M | re.S)


def commands():
    """(command, expected output) of every console block, in order."""
    for kind, text in BLOCKS:
        if kind == "console":
            for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
                command, _, output = part.partition("\n")
                yield command, output


def build(text, directory):
    """Compile one C block of the README; returns the program."""
    source, program = directory / "example.c", directory / "example"
    source.write_text(text)
    library = pathlib.Path(os.environ["LIBRARY"])
    sanitize = os.environ.get("SANITIZE")
    subprocess.run(
        shlex.split(os.environ["CC"])
        + ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{ROOT}/include"]
        + ([f"-fsanitize={sanitize}"] if sanitize else [])
        + [str(source), "-o", str(program), f"-L{library.parent}", "-lstreamcalc",
           f"-Wl,-rpath,{library.parent}"],
        check=True)
    return program


@pytest.mark.parametrize("text", [text for kind, text in BLOCKS if kind == "c"])
def test_c_block(text, tmp_path):
    program = build(text, tmp_path)
    result = subprocess.run([program], capture_output=True, text=True, cwd=tmp_path, timeout=30)
    assert result.returncode == 0, result.stderr
    shown = re.search(r"prints `([^`]*)`", text)
    assert shown, "a C example says what it prints in a comment"
    assert result.stdout.strip() == shown.group(1)


@pytest.mark.parametrize("command,expected", list(commands()))
def test_console_block(command, expected, tmp_path):
    words = shlex.split(command)
    assert words[0] == "streamcalc"
    result = subprocess.run([os.environ["STREAMCALC"], *words[1:]], capture_output=True, text=True,
                            cwd=tmp_path, timeout=30)
    assert (result.stdout + result.stderr).rstrip() == expected.rstrip()


def test_there_is_something_to_test():
    kinds = [kind for kind, _ in BLOCKS]
    assert kinds.count("c") >= 1 and len(list(commands())) >= 3


def test_files_that_the_readme_names_are_there():
    text = (ROOT / "README.md").read_text()
    named = re.findall(r"(?<![\w/])((?:lib|include|examples|tests)/[\w./]+\w)", text)
    assert named
    for name in named:
        assert (ROOT / name).exists(), name
