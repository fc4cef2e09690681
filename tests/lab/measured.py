"""What sc_measure found, through measure_tool."""

import re
import subprocess

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


def measure(path, *options, timeout=60):
    command = [TOOLS / "measure_tool", path, *options]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=timeout)
    return Result(run.stdout)
