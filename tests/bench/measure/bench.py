"""The measurement and fio in turns on disks of known speed: tables with ratios, and the bars that they have
to reach. Started by run.sh. Exit code 1: a bar was missed; 2: something could not be run."""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

from judged import Bars, Run, exit_code, run_main, run_parts, table
from lab_disks import TOOLS, Disk, missing
from measured import Result

FIO_BAR = 0.03      # saturated throughput beside fio's
RATE_BAR = 0.03     # beside the rate that the disk was given, or the curve where it seeks
AGAIN_BAR = 0.05    # two runs, one after the other
CPU_BAR = 1.0       # CPU time a gigabyte, of that of fio's psync
SECONDS_BAR = 20    # the default measurement, start to end
SATURATED = 0.95    # of the best point

BLOCK = 2**20
SEEK_RATE, SEEK_S = 200e6, 0.010

# A player and what fio has to do to read as it does: an engine with its depth, of each reader.
Way = namedtuple("Way", "player engine depth")
NORMAL = Way("normal", "libaio", 2)
TIGHT = Way("tight", "psync", 1)

Case = namedtuple("Case", "name rate options readers way seeks")
CASES = [Case("400M", "400M", [], 4, NORMAL, False),
         Case("800M", "800M", [], 4, NORMAL, False),
         Case("1600M", "1600M", [], 4, NORMAL, False),
         Case("3200M", "3200M", [], 4, NORMAL, False),
         Case("800M-2ms", "800M", ["delay-read=2ms"], 4, NORMAL, False),
         Case("800M-10ms", "800M", ["delay-read=10ms"], 8, NORMAL, False),
         # With two in flight it is chance which of them the head finds waiting, for fio, too; with one
         # a reader that is alone leaves the head idle between two reads.
         Case("seek", str(int(8 * SEEK_RATE)), [], 8, TIGHT, True)]


# ---- the two programs ----

def measure(path, *options):
    run = Run([TOOLS / "measure_tool", path, "jumps=0", *options])
    run.result = Result(run.text)
    run.read_bytes = run.result.read_bytes
    return run


# fio takes "0.5" for 0.
def fio(clips, places, engine, depth, seconds, ramp_s):
    """Each job on its own place, all places as far apart as they can be; CPU time of fio and its jobs."""
    command = ["fio", "--output-format=json", "--rw=read", f"--bs={BLOCK}", "--direct=1", "--thread",
               f"--ioengine={engine}", f"--iodepth={depth}", "--readonly", "--group_reporting",
               f"--runtime={seconds * 1000:.0f}ms", f"--ramp_time={ramp_s * 1000:.0f}ms",
               "--time_based"]
    in_clip = -(-places // len(clips))
    for place in range(places):
        clip = clips[place % len(clips)]
        begin = os.path.getsize(clip) // in_clip * (place // len(clips)) // BLOCK * BLOCK
        command += [f"--name=place{place}", f"--filename={clip}", f"--offset={begin}"]
    run = Run(command)
    job = json.loads(run.text[run.text.index("{"):])["jobs"][0]
    run.bytes_per_s = job["read"]["bw_bytes"]
    run.read_bytes = job["read"]["io_bytes"]
    run.cpu_s = (job["usr_cpu"] + job["sys_cpu"]) / 100 * job["job_runtime"] / 1000
    return run


# ---- one disk ----

class Bench(Bars):
    def __init__(self, options):
        super().__init__()
        self.options = options
        self.folder = Path(options.folder) / "streamcalc-bench-measure"

    def turn(self, clips, way, most, seconds):
        """The points of ours, and fio at the same numbers of readers."""
        ours = measure(clips[0].parent, f"player={way.player}", f"seconds={seconds}",
                       f"max={most}", "lowest=1Mb/s", "cache=direct")
        fios = {readers: fio(clips, readers, way.engine, way.depth, self.options.fio_seconds, 0.5)
                for readers in ours.result.points}
        return ours, fios

    def turns(self, clips, way, most, seconds):
        return [self.turn(clips, way, most, seconds) for _ in range(self.options.turns)]



def expected(case, readers):
    if case.seeks:
        return BLOCK / (BLOCK / SEEK_RATE + (SEEK_S if readers > 1 else 0))
    return int(case.rate.rstrip("M")) * 2**20 / 8


def between_runs(values):
    """The largest difference of two runs in a row."""
    return max((abs(b / a - 1) for a, b in zip(values, values[1:])), default=0.0)


Point = namedtuple("Point", "readers ours fio set again saturated")


def points_of(case, turns):
    rates = {readers: ([ours.result.mean(readers) for ours, _ in turns],
                       [fios[readers].bytes_per_s for _, fios in turns])
             for readers in turns[0][0].result.points}
    medians = {readers: statistics.median(ours) for readers, (ours, _) in rates.items()}
    best = max(medians.values())
    return [Point(readers, medians[readers], statistics.median(theirs), expected(case, readers),
                  between_runs(ours), readers > 1 if case.seeks else
                  medians[readers] >= SATURATED * best)
            for readers, (ours, theirs) in rates.items()]


def show_points(case, points):
    table(f"{case.name}: 1 MiB, {case.way.depth} in flight a reader, direct; MB/s",
          ["readers", "ours", "fio", "ours/fio", "set", "ours/set", "run to run", ""],
          [[point.readers, f"{point.ours / 1e6:.2f}", f"{point.fio / 1e6:.2f}",
            f"{point.ours / point.fio:.3f}", f"{point.set / 1e6:.2f}",
            f"{point.ours / point.set:.3f}", f"{point.again:.1%}",
            "saturated" if point.saturated else ""] for point in points])


def largest(differences):
    return max(abs(difference) for difference in differences)


def judge_points(bench, case, points):
    saturated = [point for point in points if point.saturated]
    off_fio = largest(point.ours / point.fio - 1 for point in saturated)
    off_set = largest(point.ours / point.set - 1 for point in saturated)
    again = max(point.again for point in saturated)
    bench.bar(f"{case.name}: within {FIO_BAR:.0%} of fio where saturated", off_fio <= FIO_BAR,
              f"{off_fio:.1%}")
    bench.bar(f"{case.name}: within {RATE_BAR:.0%} of what was set", off_set <= RATE_BAR,
              f"{off_set:.1%}")
    bench.bar(f"{case.name}: two runs in a row within {AGAIN_BAR:.0%}", again <= AGAIN_BAR,
              f"{again:.1%}")


# CPU time of reading alone: fio counts that of the reading threads, and of ours a short run is taken off, which
# starts and learns about the path like a long one. Each gives seconds and bytes.


def cpu_of_ours(clips, way):
    long, short = (measure(clips[0].parent, f"player={way.player}", f"seconds={seconds}",
                           f"max={most}", "lowest=1Mb/s", "cache=direct")
                   for seconds, most in ((16, 2), (1, 1)))
    return long.cpu_s - short.cpu_s, long.read_bytes - short.read_bytes


def cpu_of_fio(clips, way):
    runs = [fio(clips, readers * way.depth, "psync", 1, 5, 0) for readers in (1, 2)]
    return sum(run.cpu_s for run in runs), sum(run.read_bytes for run in runs)


def s_per_gb(figures):
    seconds, sizes = zip(*figures)
    return sum(seconds) / sum(sizes) * 1e9


def judge_cpu(bench, name, clips, way):
    """What the kernel takes for the same read doubles from one second to the next: the sums of runs right
    after each other, of which each program is the first in turns."""
    pairs = []
    for number in range(bench.options.pairs):
        both = [cpu_of_ours, cpu_of_fio][::-1 if number % 2 else 1]
        figures = {program: program(clips, way) for program in both}
        pairs.append((figures[cpu_of_ours], figures[cpu_of_fio]))
    ours, theirs = (s_per_gb(figures) for figures in zip(*pairs))
    ratios = [s_per_gb([mine]) / s_per_gb([other]) for mine, other in pairs]
    bench.bar(f"{name}: no more CPU time a gigabyte than fio's psync", ours <= CPU_BAR * theirs,
              f"{ours / theirs:.2f} of it, {min(ratios):.2f} to {max(ratios):.2f} in {len(pairs)} "
              f"pairs; {ours:.3f} s, fio {theirs:.3f} s")


def lab_disk(bench, case):
    env = {"LAB_IMAGE_MIB": "1024"}
    if case.seeks:
        env["LAB_PLUGIN"] = str(TOOLS / "seek_disk.so")
    disk = Disk(bench.folder / case.name, case.rate, *case.options, env=env)
    try:
        # Seeks differ: a mean of them takes longer.
        seconds = bench.options.seconds * (2 if case.seeks else 1)
        turns = bench.turns(disk.clips(), case.way, case.readers, seconds)
        if bench.options.verbose:
            print(turns[-1][0].text)
        points = points_of(case, turns)
        show_points(case, points)
        judge_points(bench, case, points)
        judge_cpu(bench, case.name, disk.clips(), case.way)
        if case.name == "800M":
            by_default(bench, disk)
    finally:
        disk.close()


def by_default(bench, disk):
    """As a user has it, with all that comes beside the points."""
    runs = [Run([TOOLS / "measure_tool", disk.mount]) for _ in range(2)]
    seconds = max(run.seconds for run in runs)
    first, second = (Result(run.text) for run in runs)
    again = largest(second.mean(readers) / first.mean(readers) - 1
                    for readers in first.points.keys() & second.points.keys())
    bench.bar(f"by default an answer in {SECONDS_BAR} s", seconds <= SECONDS_BAR,
              f"{seconds:.1f} s")
    bench.bar(f"by default two runs in a row within {AGAIN_BAR:.0%}", again <= AGAIN_BAR,
              f"{again:.1%} at {', '.join(map(str, first.points))} readers")


# ---- where the processors count: stores that are faster than any network ----

def make_clips(folder, megabytes):
    """Noise: nothing below can hold it in less."""
    folder.mkdir(parents=True)
    clips = [folder / f"clip{number}.mov" for number in range(1, 5)]
    for clip in clips:
        with open(clip, "wb") as file:
            for _ in range(megabytes // len(clips)):
                file.write(os.urandom(1000000))
            os.fsync(file.fileno())
    return clips


def fast_store(bench, name, folder):
    clips = make_clips(folder, 1200)
    turns = bench.turns(clips, TIGHT, 2, bench.options.seconds)
    table(f"{name}: 1 MiB, 1 in flight a reader, direct; GB/s, whatever the machine gives",
          ["readers", "ours", "fio"],
          [[readers, *(f"{statistics.median(values) / 1e9:.2f}" for values in
                       ([ours.result.mean(readers) for ours, _ in turns],
                        [fios[readers].bytes_per_s for _, fios in turns]))]
           for readers in turns[0][0].result.points])
    judge_cpu(bench, name, clips, TIGHT)
    shutil.rmtree(folder)


def memory(bench):
    mount = bench.folder / "memory"
    mount.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1500m", "tmpfs", mount], check=True)
    try:
        fast_store(bench, "tmpfs", mount / "clips")
    finally:
        subprocess.run(["umount", mount], check=True)


def this_disk(bench):
    fast_store(bench, "the disk of DIR", bench.folder / "clips")


# ---- all ----

PARTS = {**{case.name: lambda bench, case=case: lab_disk(bench, case) for case in CASES},
         "memory": memory, "disk": this_disk}


def parse():
    parser = argparse.ArgumentParser(prog="run.sh", description=__doc__)
    parser.add_argument("folder", metavar="DIR", help="where the images are made, 2 GB at a time")
    parser.add_argument("--turns", type=int, default=3, help="runs that a median is of (3)")
    parser.add_argument("--seconds", type=float, default=8, help="of each measurement (8)")
    parser.add_argument("--fio-seconds", type=float, default=2.5, help="of each run of fio (2.5)")
    parser.add_argument("--pairs", type=int, default=5, help="of which CPU time is compared (5)")
    parser.add_argument("--only", choices=PARTS, action="append", help="a part; may be repeated")
    parser.add_argument("--verbose", action="store_true", help="what the tool printed last")
    return parser.parse_args()


def main():
    bench = Bench(parse())
    reason = missing() or (None if shutil.which("fio") else "not installed: fio")
    if reason:
        print(f"bench: {reason}", file=sys.stderr)
        return 2
    run_parts(bench, PARTS)
    return exit_code(bench)


if __name__ == "__main__":
    run_main(main)
