"""Forty streams of 60 frames a second and 50 Mb/s from memory: no frame may be late, on less than one core,
and fio reads as many bytes at the same rate beside it. Started by run.sh. Exit code 1: a bar was missed; 2:
something could not be run."""
import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from judged import Bars, Run, exit_code, run_main, run_parts, table

CORES_BAR = 1.0  # CPU seconds a second of the whole process
STREAMS, MEGABITS, FRAMES_PER_S = 40, 50, 60
RATE = MEGABITS * 10**6 // 8
BLOCK, IN_FLIGHT = 2**20, 2  # of the player 'normal'
CLIP_BYTES = 400 * 2**20


def document(run):
    return json.loads(run.text[run.text.index("{"):])


def cores(run):
    return run.cpu_s / run.seconds


class Bench(Bars):
    def __init__(self, options):
        super().__init__()
        self.options = options
        self.folder = Path(options.folder) / "streamcalc-bench-play"


def play(mount, cache, seconds):
    return Run([os.environ["STREAMCALC"], "play", mount, "--stream",
                f"{MEGABITS}Mb/s@{FRAMES_PER_S}", "-n", STREAMS, "--duration", f"{seconds}s",
                "--cache", cache, "--json"], most_code=1)


def fio(clip, cache, seconds):
    """The plain loop: a thread a read in flight, each with a pread of a block at its share of the rate."""
    places = STREAMS * IN_FLIGHT
    return Run(["fio", "--output-format=json", "--name=paced", f"--filename={clip}", "--rw=read",
                f"--bs={BLOCK}", "--ioengine=psync", "--thread", "--readonly", "--invalidate=0",
                f"--direct={int(cache == 'direct')}", f"--numjobs={places}", "--group_reporting",
                f"--offset_increment={CLIP_BYTES // places // BLOCK * BLOCK}",
                f"--rate={RATE // IN_FLIGHT}", f"--runtime={seconds}", "--time_based"])


def judge(bench, cache, clip):
    ours = play(clip.parent, cache, bench.options.seconds)
    theirs = fio(clip, cache, bench.options.seconds)
    trial = document(ours)["trials"][0]
    read = document(theirs)["jobs"][0]["read"]["io_bytes"]
    wanted = STREAMS * RATE * bench.options.seconds
    table(f"{cache}: {STREAMS} x {MEGABITS} Mb/s at {FRAMES_PER_S} frames a second, "
          f"{bench.options.seconds} s", ["", "CPU s", "s", "cores", "switches a second", "MB"],
          [[name, f"{run.cpu_s:.2f}", f"{run.seconds:.1f}", f"{cores(run):.3f}",
            f"{run.switches / run.seconds:.0f}", f"{size / 1e6:.0f}"]
           for name, run, size in (("streamcalc play", ours, wanted), ("fio --rate", theirs, read))])
    jitter = trial["jitter_s"]
    print(f"  asked for late: p50 {jitter['p50'] * 1e3:.3f} ms, p99 {jitter['p99'] * 1e3:.3f} ms, "
          f"at most {jitter['max'] * 1e3:.3f} ms")
    print(f"  least buffer {trial['min_buffer_s']:.3f} s; CPU time of fio's: "
          f"{cores(ours) / cores(theirs):.2f}")
    bench.bar(f"{cache}: no late frame", trial["late_frames"] == 0 and trial["failed_reads"] == 0,
              f"{trial['late_frames']} of {trial['frames']}")
    bench.bar(f"{cache}: less than one core", cores(ours) < CORES_BAR, f"{cores(ours):.3f}")


def from_memory(bench, cache):
    mount = bench.folder / "memory"
    mount.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={CLIP_BYTES + 2**20}", "tmpfs", mount],
                   check=True)
    try:
        clip = mount / "clip.mov"
        with open(clip, "wb") as file:
            for _ in range(CLIP_BYTES // 2**20):
                file.write(os.urandom(2**20))
        judge(bench, cache, clip)
    finally:
        subprocess.run(["umount", mount], check=True)
        mount.rmdir()


PARTS = {cache: lambda bench, cache=cache: from_memory(bench, cache) for cache in ("direct", "warm")}


def parse():
    parser = argparse.ArgumentParser(prog="run.sh", description=__doc__)
    parser.add_argument("folder", metavar="DIR", help="where 400 MB of memory are mounted")
    parser.add_argument("--seconds", type=int, default=20, help="that are played (20)")
    parser.add_argument("--only", choices=PARTS, action="append", help="a part; may be repeated")
    return parser.parse_args()


def main():
    bench = Bench(parse())
    if os.geteuid() != 0 or not shutil.which("fio"):
        print("bench: needs root and fio", file=sys.stderr)
        return 2
    run_parts(bench, PARTS)
    return exit_code(bench)


if __name__ == "__main__":
    run_main(main)
