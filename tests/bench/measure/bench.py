"""The measurement side by side with fio: the same reads on the same mount, in turns. Started by run.sh.
Exit code 1: a bar was missed; 2: something could not be run."""
import argparse
import json
import resource
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lab"))
from lab_disks import TOOLS, Disk, missing  # noqa: E402
from measured import measure                # noqa: E402

FIO_BAR = RATE_BAR = 0.03  # throughput against fio's, and against the rate that was set
REPEAT_BAR = 0.05          # of two runs in a row
CPU_BAR = 1.0              # times fio's seconds of processor a gigabyte
BLOCK = 2**20
READERS = (1, 2, 4)
SEEK_RATE, SEEK_S = 200e6, 0.010

# Name, the rate of lab.sh (of 2^20 bits), options of nbdkit's filters. A delay is each request's own,
# so that one reader with one read in flight does not reach the rate.
DISKS = (("50 MB/s", "400M", ()),
         ("100 MB/s", "800M", ()),
         ("100 MB/s, 2 ms", "800M", ("delay-read=2ms",)),
         ("100 MB/s, 10 ms", "800M", ("delay-read=10ms",)),
         ("200 MB/s", "1600M", ()),
         ("400 MB/s", "3200M", ()))


def fio(clips, readers, seconds):
    """Bytes a second of psync readers, each with a file of its own; seconds of processor a byte."""
    command = ["fio", "--output-format=json", "--rw=read", f"--bs={BLOCK}", "--direct=1",
               "--ioengine=psync", "--thread", f"--runtime={seconds}", "--ramp_time=0.5",
               "--time_based", "--group_reporting", "--readonly"]
    for number in range(readers):
        command += [f"--name=reader{number}", f"--filename={clips[number % len(clips)]}"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True,
                         timeout=60 + seconds)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    job = json.loads(run.stdout[run.stdout.index("{"):])["jobs"][0]["read"]
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return job["bw_bytes"], cpu_s / (job["bw_bytes"] * (seconds + 0.5))


def ours(path, readers, seconds):
    """The points of 1, 2, ... readers by one measurement; seconds of processor a byte."""
    result = measure(path, "player=tight", f"seconds={seconds}", f"max={readers}", "lowest=1Mb/s",
                     "jumps=0", timeout=60 + seconds)
    if result.values.get("status") != "ok":
        sys.exit(f"bench: the measurement of {path} failed: {result.text}")
    cost = dict(field.split("=") for field in
                next(line for line in result.text.splitlines() if line.startswith("cost "))[5:].split())
    cpu_s = float(cost["user_s"]) + float(cost["system_s"])
    return {n: result.mean(n) for n in result.points}, cpu_s / float(cost["read_bytes"])


class Verdict:
    def __init__(self):
        self.missed = []

    def judge(self, what, ok):
        if not ok:
            self.missed.append(what)
        return "" if ok else "  MISSED"


def percent(ratio):
    return f"{(ratio - 1) * 100:+.1f} %"


def compare(name, path, clips, set_rate, turns, seconds, verdict):
    """set_rate(readers): bytes a second that the disk is to give; None where so few readers do not
    saturate it, which has no bar."""
    found = {n: ([], []) for n in READERS}
    for _ in range(turns):
        points, _ = ours(path, max(READERS), seconds)
        for n in READERS:
            found[n][0].append(points[n])
            found[n][1].append(fio(clips, n, 3)[0])
    for n in READERS:
        mine, theirs = (statistics.median(values) for values in found[n])
        again = max(found[n][0][:2]) / min(found[n][0][:2])
        wanted = set_rate(n)
        line = f"{name:16} {n:3}  {mine / 1e6:7.1f} {theirs / 1e6:7.1f} {percent(mine / theirs):>8}"
        line += f" {percent(mine / wanted):>8}" if wanted else f" {'':>8}"
        missed = ""
        if wanted:
            missed = verdict.judge(f"{name}, {n} readers: fio", abs(mine / theirs - 1) <= FIO_BAR)
            missed += verdict.judge(f"{name}, {n} readers: set rate",
                                    abs(mine / wanted - 1) <= RATE_BAR)
            missed += verdict.judge(f"{name}, {n} readers: repeat", again - 1 <= REPEAT_BAR)
        print(f"{line} {percent(again):>8}{missed}", flush=True)


def compare_cpu(name, path, clips, turns, seconds, verdict):
    for n in (1, 2):
        mine, theirs = [], []
        for _ in range(turns):
            mine.append(ours(path, n, seconds)[1])
            theirs.append(fio(clips, n, seconds)[1])
        a, b = statistics.median(mine) * 1e9, statistics.median(theirs) * 1e9
        missed = verdict.judge(f"{name}, {n} readers: processor", a / b <= CPU_BAR)
        print(f"{name:16} {n:3}  {a:7.4f} {b:7.4f} {a / b:8.2f}{missed}", flush=True)


def lab_disks(args, verdict):
    print(f"{'disk':16} {'n':>3}  {'ours':>7} {'fio':>7} {'to fio':>8} {'to set':>8} {'again':>8}"
          "   MB/s; medians in turns")
    for name, rate, options in DISKS:
        disk = Disk(args.dir / "disk", rate, *options)
        limit = int(rate[:-1]) * 2**20 / 8
        delay_s = next((int(o.split("=")[1][:-2]) / 1e3 for o in options), 0)
        try:
            compare(name, disk.mount, disk.clips(),
                    lambda n: limit if n > 1 or not delay_s else None, args.turns, args.seconds,
                    verdict)
        finally:
            disk.close()
    disk = Disk(args.dir / "seek", str(int(8 * SEEK_RATE)),
                env={"LAB_PLUGIN": str(TOOLS / "seek_disk.so")})
    try:
        compare("200 MB/s, seeks", disk.mount, disk.clips(),
                lambda n: None if n == 1 else BLOCK / (BLOCK / SEEK_RATE + SEEK_S),
                args.turns, args.seconds, verdict)
    finally:
        disk.close()


def processors(args, verdict):
    print(f"\n{'store':16} {'n':>3}  {'ours':>7} {'fio':>7} {'ratio':>8}   "
          "seconds of processor a GB, whole processes")
    fast = args.dir / "fast"
    fast.mkdir(exist_ok=True)
    clips = [fast / f"clip{i}.mov" for i in range(4)]
    try:
        for clip in clips:
            subprocess.run(["dd", "if=/dev/urandom", f"of={clip}", "bs=1M", "count=512",
                            "conv=fsync"], check=True, stderr=subprocess.DEVNULL)
        compare_cpu("this disk", fast, clips, args.turns, args.seconds, verdict)
    finally:
        shutil.rmtree(fast)
    disk = Disk(args.dir / "disk", "800M")
    try:
        compare_cpu("100 MB/s", disk.mount, disk.clips(), args.turns, args.seconds, verdict)
    finally:
        disk.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dir", type=Path)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=9, help="of one measurement")
    parser.add_argument("--only", choices=("disks", "cpu"))
    args = parser.parse_args()
    reason = missing() or (None if shutil.which("fio") else "not installed: fio")
    if reason:
        print(f"bench: {reason}", file=sys.stderr)
        return 2
    verdict = Verdict()
    if args.only != "cpu":
        lab_disks(args, verdict)
    if args.only != "disks":
        processors(args, verdict)
    print(f"\nmissed: {'; '.join(verdict.missed)}" if verdict.missed else "\nall bars were reached")
    return 1 if verdict.missed else 0


if __name__ == "__main__":
    sys.exit(main())
