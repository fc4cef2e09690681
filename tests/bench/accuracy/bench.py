"""How often predictions are right: each cell is a storage, a format and a player, which is measured, predicted
(written down at once), played twice around the prediction, and compared. Started by run.sh."""
import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import namedtuple
from pathlib import Path

from judged import table
from lab_disks import TOOLS, Disk, missing

PROGRAM = os.environ["STREAMCALC"]
MEASURE_S, CONFIRM_S, LONG_S = 12, 6, 20
MOST_STREAMS = 256

# ---- cells ----

Store = namedtuple("Store", "rate options seeks", defaults=[[], False])
STORES = {
    "40MB": Store("320M"),
    "100MB": Store("800M"),
    "200MB": Store("1600M"),
    "400MB": Store("3200M"),
    "100MB-5ms": Store("800M", ["delay-read=5ms"]),
    "200MB-10ms": Store("1600M", ["delay-read=10ms"]),
    "seeking-100MB": Store("800000000", seeks=True),
    "seeking-200MB": Store("1600000000", seeks=True),
}
FORMATS = {
    "prores-hq": ["--format", "ProRes 422 HQ 1920x1080 25"],
    "dnxhr-sq": ["--format", "DNxHR SQ 1920x1080 25"],
    "50Mb": ["--stream", "50Mb/s"],
    "long-gop": ["--media", "long-gop.mp4"],
}
PLAYERS = ["tight", "small-reads", "normal", "large-reads", "deep"]

Cell = namedtuple("Cell", "store format player")


def name_of(cell):
    return "/".join(cell)


def cells():
    """Each format on each store, the players in turns: each of them meets each store."""
    made = []
    for s, store in enumerate(STORES):
        for f, kind in enumerate(FORMATS):
            for k in range(2):
                made.append(Cell(store, kind, PLAYERS[(s + f + 2 * k) % len(PLAYERS)]))
    return made


def is_set_aside(cell):
    """Judged once, with everything frozen."""
    return hashlib.sha256(name_of(cell).encode()).digest()[-1] % 2 == 1


# ---- the command ----


def streamcalc(*arguments, codes=(0, 1)):
    run = subprocess.run([PROGRAM, *map(str, arguments), "--json"], stdout=subprocess.PIPE,
                         stdin=subprocess.DEVNULL, text=True)
    document = json.loads(run.stdout)
    if run.returncode not in codes or document["error"]:
        raise RuntimeError(f"{arguments}: {document['error']}")
    return document


def plan(folder, storage, wish):
    path = folder / "storage.json"
    path.write_text(json.dumps(storage))
    return streamcalc("plan", "--storage", path, *wish)["answers"][0]


def play(disk, cell, wish, streams, *options):
    return streamcalc("play", disk.mount, *wish, "--player", cell.player, "--streams", streams, *options)


def counts(answer):
    return {key: answer[key] for key in ("naive", "safe", "expected", "at_least")}


# ---- one cell ----


def most(streams):
    return max(1, min(MOST_STREAMS, streams))


def fewer_than(trial):
    """As the whole job does where the promised number falls behind."""
    part = trial["seconds"] / (trial["seconds"] + trial["worst_lateness_s"])
    return most(min(int(trial["streams"] * part), trial["streams"] - 1))


def confirmed(folder, disk, cell, wish, storage, answer):
    """The prediction with one short run at the safe count and one beside it."""
    runs, streams = [], most(answer["safe"])
    for _ in range(2):
        document = play(disk, cell, wish, streams, "--duration", f"{CONFIRM_S}s")
        trial = document["trials"][0]
        runs.append(trial)
        if not trial["sustained"] and streams == 1:
            break
        streams = streams + 1 if trial["sustained"] else fewer_than(trial)
    return counts(plan(folder, {**storage, "paced": runs}, wish))


def truth(disk, cell, wish, start, seed):
    document = play(disk, cell, wish, most(start), "--find-max", "--duration", f"{LONG_S}s",
                    *(["--seed", seed] if seed else []))
    return document["largest_sustained"], len(document["trials"]), document["cold"]


def run_cell(folder, disk, cell):
    wish = [str(folder / word) if word == "long-gop.mp4" else word for word in FORMATS[cell.format]]
    begin = time.monotonic()
    storage = streamcalc("measure", disk.mount, "--player", cell.player, "--duration",
                         f"{MEASURE_S}s")
    answer = plan(folder, storage, wish)
    predicted = counts(answer)
    keep(folder, {"cell": name_of(cell), "predicted": predicted, "at": time.time()})
    after = confirmed(folder, disk, cell, wish, storage, answer)
    played, trials, cold = truth(disk, cell, wish, predicted["expected"], 0)
    again, more, _ = truth(disk, cell, wish, played, 1)
    return {"cell": name_of(cell), "predicted": predicted, "confirmed": after, "played": [played, again],
            "trials": trials + more, "cold": cold, "seconds": round(time.monotonic() - begin, 1)}


# ---- results ----


def keep(folder, result):
    with open(folder / "results.jsonl", "a") as file:
        file.write(json.dumps(result) + "\n")


def results(folder):
    path = folder / "results.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return {result["cell"]: result for result in map(json.loads, lines) if "played" in result}


def within_one(predicted, played):
    return abs(predicted - played) <= max(1, played // 10)


def shares(rows, what):
    """Exact, within one stream (10 % above 10), more than one too high: of all cells."""
    pairs = [(what(row), row["played"][0]) for row in rows]
    count = max(1, len(pairs))
    return [f"{100 * sum(test(*pair) for pair in pairs) / count:.0f} %" for test in
            (lambda a, b: a == b, within_one, lambda a, b: a - b > max(1, b // 10))]


def print_results(folder, final):
    rows = [result for cell in cells() if (result := results(folder).get(name_of(cell))) and
            is_set_aside(cell) == final]
    table("cells", ["cell", "naive", "safe", "expected", "confirmed", "played", "again", "trials", "s"],
          [[row["cell"], row["predicted"]["naive"],
            f"{'>=' if row['predicted']['at_least'] else ''}{row['predicted']['safe']}",
            row["predicted"]["expected"], row["confirmed"]["safe"], *row["played"], row["trials"],
            row["seconds"]] for row in rows])
    kinds = {"naive": lambda row: row["predicted"]["naive"],
             "safe": lambda row: row["predicted"]["safe"],
             "expected": lambda row: row["predicted"]["expected"],
             "safe after a confirmation": lambda row: row["confirmed"]["safe"],
             "expected after a confirmation": lambda row: row["confirmed"]["expected"],
             "played again": lambda row: row["played"][1]}
    table(f"{len(rows)} cells", ["predictor", "exact", "within one", "too high"],
          [[kind, *shares(rows, what)] for kind, what in kinds.items()])


# ---- all ----


def make_clip(path):
    """Pictures that are still for six seconds and noise for two: the rate of a minute tells little of it."""
    if path.exists():
        return
    noise = "noise=alls=60:allf=t:enable='lt(mod(t,8),2)'"
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                    "testsrc2=s=1920x1080:r=25", "-t", "40", "-vf", noise, "-c:v", "libx264", "-preset",
                    "ultrafast", "-crf", "22", "-g", "25", "-bf", "2", "-pix_fmt", "yuv420p", path],
                   check=True)


def up(folder, name):
    store = STORES[name]
    env = {"LAB_IMAGE_MIB": "2048"}
    if store.seeks:
        env["LAB_PLUGIN"] = str(TOOLS / "seek_disk.so")
    return Disk(folder / "disk", store.rate, *store.options, env=env)


def run_all(folder, wanted):
    done = results(folder)
    for name in STORES:
        left = [cell for cell in wanted if cell.store == name and name_of(cell) not in done]
        if not left:
            continue
        disk = up(folder, name)
        try:
            for cell in left:
                result = run_cell(folder, disk, cell)
                keep(folder, result)
                print(json.dumps(result), flush=True)
        finally:
            disk.close()


def parse():
    parser = argparse.ArgumentParser(prog="run.sh", description=__doc__)
    parser.add_argument("folder", metavar="DIR", type=Path)
    parser.add_argument("--final", action="store_true",
                        help="the cells that were set aside, with everything frozen")
    parser.add_argument("--only", default="", metavar="TEXT", help="cells with this in their name")
    parser.add_argument("--list", action="store_true", help="name the cells and run none")
    parser.add_argument("--table", action="store_true", help="what is known already, and run none")
    return parser.parse_args()


def main():
    options = parse()
    wanted = [cell for cell in cells() if is_set_aside(cell) == options.final and
              options.only in name_of(cell)]
    if options.list:
        print("\n".join(map(name_of, wanted)))
        return 0
    if not options.table:
        reason = missing() or (None if shutil.which("ffmpeg") else "not installed: ffmpeg")
        if reason:
            print(f"bench: {reason}", file=sys.stderr)
            return 2
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # the disk is taken down then too
        make_clip(options.folder / "long-gop.mp4")
        run_all(options.folder, wanted)
    print_results(options.folder, options.final)
    return 0


if __name__ == "__main__":
    sys.exit(main())
