"""What the tests of the command line share: running it, validating its documents, making clips."""
import fcntl
import json
import os
import pathlib
import pty
import shutil
import struct
import subprocess
import tempfile
import termios
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "lib" / "report" / "schemas"
PROGRAM = os.environ.get("STREAMCALC")
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


def validate(document):
    """Check a document against its shipped schema."""
    jsonschema = pytest.importorskip("jsonschema", reason="python3-jsonschema is not installed")
    name = document["schema"]
    path = SCHEMAS / f"{name}.schema.json"
    assert path.exists(), f"no schema shipped for {name}"
    resolver = jsonschema.RefResolver(SCHEMAS.as_uri() + "/", json.loads(path.read_text()))
    jsonschema.Draft7Validator(json.loads(path.read_text()), resolver=resolver).validate(document)
    return document


def no_constants(text):
    raise ValueError(f"{text} is no JSON")


class Result:
    """One finished run."""

    def __init__(self, done):
        self.code = done.returncode
        self.raw = done.stdout
        self.out = done.stdout.decode(errors="replace")
        self.err = done.stderr.decode(errors="replace")

    def document(self):
        return validate(json.loads(self.raw, parse_constant=no_constants))


def call(*arguments, program=None, timeout=120, **options):
    assert PROGRAM, "set STREAMCALC to the program under test"
    options.setdefault("stdin", subprocess.DEVNULL)
    command = [*(program or [PROGRAM]), *arguments]
    return Result(subprocess.run(command, capture_output=True, timeout=timeout, **options))


@pytest.fixture
def streamcalc():
    return call


def wait_for_handler(process, number):
    """Until the program has its signal handler: before that a signal just ends it."""
    status = pathlib.Path(f"/proc/{process.pid}/status")
    for _ in range(2000):
        caught = [line for line in status.read_text().splitlines() if line.startswith("SigCgt")]
        if caught and int(caught[0].split()[1], 16) >> (number - 1) & 1:
            return
        time.sleep(0.005)
    raise AssertionError("no signal handler within 10 s")


@pytest.fixture
def public_program():
    """A copy of the program and its library that every user can reach, unlike root's clone."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="streamcalc-test-"))
    folder.chmod(0o755)
    copy = shutil.copy2(PROGRAM, folder)
    needed = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True, check=True).stdout
    library = [line.split()[2] for line in needed.splitlines() if "libstreamcalc" in line]
    shutil.copy2(library[0], folder / pathlib.Path(library[0]).name)
    yield ["env", f"LD_LIBRARY_PATH={folder}", copy]
    shutil.rmtree(folder)


def on_terminal(columns, *arguments, timeout=60):
    """What a run prints on a terminal of that width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    printed = b""
    with subprocess.Popen([PROGRAM, *arguments], stdout=theirs, stderr=theirs,
                          stdin=subprocess.DEVNULL) as process:
        os.close(theirs)
        try:
            while chunk := os.read(ours, 65536):
                printed += chunk
        except OSError:
            pass  # the other end is closed: Linux says EIO
        process.wait(timeout)
    os.close(ours)
    return printed.decode().replace("\r\n", "\n")


def ffmpeg(*arguments):
    if not shutil.which("ffmpeg"):
        pytest.skip("ffmpeg is not installed")
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *map(str, arguments)], check=True)


@pytest.fixture(scope="session")
def clips(tmp_path_factory):
    """A folder of three small clips in two formats, with audio, and a file that is no media."""
    folder = tmp_path_factory.mktemp("clips")
    sound = ["-f", "lavfi", "-i", "sine=r=48000"]
    for name in ("a.mov", "b.mov"):
        ffmpeg("-f", "lavfi", "-i", "testsrc2=s=1280x720:r=25", *sound, "-t", "2", "-c:v", "prores",
               "-profile:v", "3", "-pix_fmt", "yuv422p10", "-c:a", "pcm_s24le", folder / name)
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=1280x720:r=25", *sound, "-t", "2", "-c:v", "mpeg4",
           "-b:v", "8M", "-c:a", "aac", folder / "c.mp4")
    (folder / "notes.txt").write_text("no media\n")
    return folder


@pytest.fixture(scope="session")
def disk(tmp_path_factory):
    """A directory with a file large enough to be measured for a few seconds."""
    folder = tmp_path_factory.mktemp("disk")
    block = os.urandom(1 << 20)
    with open(folder / "large.bin", "wb") as file:
        for _ in range(192):
            file.write(block)
        file.flush()
        os.fsync(file.fileno())
    return folder
