"""What the benchmarks share: programs that are run, tables with ratios, the bars that they have to reach, and
their parts."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time


class Run:
    """A program that has ended: what it printed, and what it took."""

    def __init__(self, command, most_code=0):
        begin = time.monotonic()
        with tempfile.TemporaryFile("w+") as output:
            process = subprocess.Popen([str(word) for word in command], stdout=output)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.seconds = time.monotonic() - begin
            output.seek(0)
            self.text = output.read()
        if not 0 <= process.returncode <= most_code:
            raise subprocess.CalledProcessError(process.returncode, command, self.text)
        self.cpu_s = usage.ru_utime + usage.ru_stime
        self.switches = usage.ru_nvcsw + usage.ru_nivcsw


class Bars:
    def __init__(self):
        self.missed = []

    def bar(self, what, holds, figure):
        print(f"  {'pass' if holds else 'FAIL'}  {what}: {figure}")
        if not holds:
            self.missed.append(what)


def table(title, head, rows):
    print(f"\n{title}")
    cells = [head] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    for row in cells:
        line = [cell.ljust(width) if i == 0 else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(row, widths))]
        print("  " + "  ".join(line).rstrip())


def run_parts(bench, parts):
    """Each part of the bench that was asked for; its folder is made for them and deleted."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # what was made is deleted then too
    bench.folder.mkdir(parents=True)
    try:
        for part in bench.options.only or parts:
            parts[part](bench)
            sys.stdout.flush()
    finally:
        shutil.rmtree(bench.folder)


def exit_code(bench):
    print(f"\n{len(bench.missed)} bars missed" + "".join(f"\n  {bar}" for bar in bench.missed))
    return 1 if bench.missed else 0


def run_main(main):
    try:
        sys.exit(main())
    except (OSError, subprocess.SubprocessError) as error:
        print(f"bench: {error}", file=sys.stderr)
        print(getattr(error, "output", None) or "", file=sys.stderr)
        sys.exit(2)
