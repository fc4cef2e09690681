"""What sc_measure found, through measure_tool."""

import re
import subprocess
import threading
import time

from lab_disks import TOOLS

NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


class Result:
    """What measure_tool printed."""

    def __init__(self, text):
        self.text = text
        self.values = dict(re.findall(r"^(\w+)=(.*)$", text, re.M))
        self.points = {}
        for line in re.findall(r"^point (.*)$", text, re.M):
            values = dict(field.split("=", 1) for field in line.split())
            self.points[int(values["readers"])] = values
        found = re.findall(r"^finding code=(\S+) severity=(\S+)", text, re.M)
        self.findings = dict(found)
        plans = re.findall(r"^plan stream=(\S+) safe=(-?\d+) naive=(-?\d+)", text, re.M)
        cost = re.search(r"^cost read_bytes=(\d+)", text, re.M)
        self.read_bytes = int(cost.group(1)) if cost else 0
        self.counts = {stream: (int(safe), int(naive)) for stream, safe, naive in plans}

    def mean(self, readers):
        return float(self.points[readers]["mean"])


def start(path, *options, user=(), tool=TOOLS / "measure_tool"):
    """user: a command that goes before it; tool: a copy that this user may execute."""
    return subprocess.Popen([*user, tool, path, *options], stdout=subprocess.PIPE, text=True)


def measure(path, *options, after=None, happens=None, **how):
    """happens() is called so many seconds after the start."""
    timer = threading.Timer(after, happens) if happens else None
    begin = time.monotonic()
    tool = start(path, *options, **how)
    if timer:
        timer.start()
    try:
        out = tool.communicate(timeout=60)[0]
    finally:
        tool.kill()
        if timer:
            timer.join()
    print(out)
    assert tool.returncode in (0, 1), (tool.returncode, out)
    result = Result(out)
    result.seconds = time.monotonic() - begin
    return result
