"""The probe side by side with FFmpeg and MediaInfo: tables with ratios, and the bars that they have to
reach. Started by run.sh. Exit code 1: a bar was missed; 2: something could not be run."""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import time
from pathlib import Path

from judged import Bars, exit_code, run_main, run_parts, table

SCAN_BAR = 50      # a full scan takes so many times the probe's time
PACKETS_BAR = 20   # ffprobe -show_packets takes so many times the command line's
STREAMS_BAR = 1    # ffprobe -show_streams is no faster
BYTES_BAR = 10     # MediaInfo reads so many times the probe's bytes
SPARSE_SECONDS_BAR, SPARSE_BYTES_BAR = 0.150, 150e6
FILES_BAR = 10     # times the files a second of one ffprobe each
PARALLEL_BAR = 5   # times as fast as one after another
MEGA = 1e6

VIDEO = "-f lavfi -i testsrc2=s={size}:r={rate}:d={seconds},noise=alls=40:allf=t,format={pixels} "
SOUND = "-f lavfi -i sine=r=48000:d={seconds},aformat=channel_layouts=stereo "

# Short clips, encoded once; the big files repeat them by stream copy.
SOURCES = {
    "prores": ("prores.mov", dict(size="1920x1080", rate=25, seconds=1, pixels="yuv422p10le"),
               "-c:v prores_ks -profile:v 3 -video_track_timescale 25 -c:a pcm_s24le"),
    "dnxhd": ("dnxhd.mov", dict(size="1920x1080", rate=25, seconds=1, pixels="yuv422p10le"),
              "-c:v dnxhd -b:v 185M -video_track_timescale 25 -c:a pcm_s16le"),
    "h264": ("h264.mp4", dict(size="1920x1080", rate=25, seconds=4, pixels="yuv420p"),
             "-c:v libx264 -preset ultrafast -b:v 100M -maxrate 120M -bufsize 100M -g 25 -bf 2 "
             "-c:a aac"),
    "h264-pcm": ("h264-pcm.mov", dict(size="1920x1080", rate=25, seconds=4, pixels="yuv420p"),
                 "-c:v libx264 -preset ultrafast -b:v 100M -maxrate 120M -bufsize 100M -g 25 -bf 2 "
                 "-c:a pcm_s16le"),
    "xdcam": ("xdcam.mov", dict(size="1920x1080", rate=25, seconds=2, pixels="yuv422p"),
              "-c:v mpeg2video -b:v 50M -minrate 50M -maxrate 50M -bufsize 17M -g 12 -bf 2 "
              "-flags +ilme+ildct -c:a pcm_s16le"),
    "dv": ("dv.mov", dict(size="720x576", rate=25, seconds=2, pixels="yuv420p"),
           "-c:v dvvideo -ac 2 -c:a pcm_s16le"),
}

# What it is called, the file, its source, and how it is muxed.
CONTAINERS = [
    ("MOV ProRes 422 HQ", "prores.mov", "prores", ""),
    ("MOV DNxHD 185", "dnxhd.mov", "dnxhd", ""),
    ("MP4 H.264", "h264.mp4", "h264", ""),
    ("MOV H.264", "h264.mov", "h264", ""),
    ("MP4 fragmented", "fragments.mp4", "h264", "-movflags frag_keyframe+delay_moov"),
    ("MP4 fragmented, sidx", "sidx.mp4", "h264",
     "-movflags frag_keyframe+delay_moov+default_base_moof+global_sidx"),
    ("MKV H.264", "h264.mkv", "h264", ""),
    ("MKV ProRes", "prores.mkv", "prores", ""),
    ("MPEG-TS H.264", "h264.ts", "h264", ""),
    ("AVI H.264", "h264.avi", "h264-pcm", ""),
    ("AVI DV", "dv.avi", "dv", ""),
    ("raw DV", "raw.dv", "dv", ""),
    ("WAV", "sound.wav", "dv", "-vn"),
    ("MXF OP1a DNxHD", "dnxhd.mxf", "dnxhd", ""),
    ("MXF OP1a ProRes", "prores.mxf", "prores", ""),
    ("MXF OPAtom DNxHD", "opatom.mxf", "dnxhd", "-an -f mxf_opatom"),
    ("MXF OP1a XDCAM HD422", "xdcam.mxf", "xdcam", ""),
]

FFPROBE = ["ffprobe", "-v", "quiet"]
SHOW = ["-show_format", "-show_streams"]


class Bench(Bars):
    def __init__(self, options):
        super().__init__()
        self.options = options
        self.folder = Path(options.folder) / "streamcalc-bench"
        self.tool = os.path.join(options.build, "tests/bench/probe/")
        self.cli = [os.path.join(options.build, "examples/streamcalc/streamcalc"), "probe"]
        self.warm = set()

    def path(self, name):
        return str(self.folder / name)

    # ---- running ----

    def calls(self, *arguments, env=None):
        """One line of probe_calls as a dictionary."""
        text = subprocess.run([self.tool + "probe_calls", *arguments], check=True, text=True,
                              stdout=subprocess.PIPE, env=env).stdout
        values = dict(pair.split("=", 1) for pair in text.split())
        self.note_warm(arguments[-1], values["cached"])
        return values

    def note_warm(self, path, cached):
        if int(cached) != 0:
            self.warm.add(f"{os.path.basename(path)}: "
                          + ("this kernel cannot tell what is cached" if int(cached) < 0 else
                             f"{cached} pages stayed in the cache"))

    def cool(self, *paths):
        self.calls("cool", *paths)

    def seconds(self, command, *paths, runs=None):
        """The median of cold runs."""
        times = []
        for _ in range(runs or self.options.runs):
            self.cool(*paths)
            start = time.monotonic()
            run_quietly(command)
            times.append(time.monotonic() - start)
        return statistics.median(times)

    def bytes_read(self, command, path):
        """Of that file, in all reads of all threads."""
        self.cool(path)
        log = self.path("strace.log")
        subprocess.run(["strace", "-f", "-y", "--seccomp-bpf", "-o", log, "-e",
                        "trace=read,pread64,readv,preadv,preadv2", *command],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(log, errors="replace") as lines:
            return sum_of_reads(lines, os.path.realpath(path))

    # ---- media ----

    def make_source(self, name):
        file, picture, codecs = SOURCES[name]
        path = self.path("source-" + file)
        if not os.path.exists(path):
            ffmpeg((VIDEO + SOUND).format(**picture).split() + codecs.split(), path)
        return path

    def make_big(self, name, source, arguments, megabytes):
        path = self.path(name)
        ffmpeg(["-stream_loop", "-1", "-i", self.make_source(source), "-map", "0:v", "-map", "0:a?",
                "-c", "copy", *arguments.split(), "-fs", str(megabytes * 1000000)], path)
        return path

    # ---- results ----

    def bar_of_rows(self, what, ratios, least):
        name, worst = min(ratios, key=lambda row: row[1])
        self.bar(f"{what} at least {least} times", worst >= least,
                 f"worst {worst:.1f} times ({name})")


def run_quietly(command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def ffmpeg(arguments, path):
    subprocess.run(["ffmpeg", "-nostdin", "-v", "fatal", "-y", *arguments, path], check=True)


def sum_of_reads(lines, path):
    """Of strace -f -y; a call of one thread may be interrupted by lines of others."""
    call = re.compile(r"^(\d+) +\w+\(\d+<(.*?)>, .*?(?:= (-?\d+)\b|<unfinished \.\.\.>)[^>]*$")
    end = re.compile(r"^(\d+) +<\.\.\. \w+ resumed>.*= (-?\d+)\b")
    waiting, total = {}, 0
    for line in lines:
        found = call.match(line)
        if found and found[3] is None:
            waiting[found[1]] = found[2]
        elif found and found[2] == path:
            total += max(int(found[3]), 0)
        elif (found := end.match(line)) and waiting.pop(found[1], None) == path:
            total += max(int(found[2]), 0)
    return total


def megabytes(count):
    return f"{count / MEGA:.3f}"


# ---- a, c: every container ----

def measure_container(bench, name, path):
    found = bench.calls("each", str(bench.options.runs), path)
    reads = {"cli": bench.bytes_read([*bench.cli, path], path),
             "mediainfo": bench.bytes_read(["mediainfo", path], path),
             "fast": bench.bytes_read(["mediainfo", "--ParseSpeed=0", path], path),
             "ffprobe": bench.bytes_read([*FFPROBE, *SHOW, path], path)}
    return name, found, reads


def containers(bench):
    results = []
    for name, file, source, arguments in CONTAINERS:
        if not re.search(bench.options.containers, name):
            continue
        path = bench.make_big(file, source, arguments, bench.options.mb)
        results.append(measure_container(bench, name, path))
        os.remove(path)
    show_scans(bench, results)
    show_bytes(bench, results)


def show_scans(bench, results):
    ratios = [(name, float(found["scan_s"]) / float(found["probe_s"])) for name, found, _ in results]
    table(f"a. One call of the probe against a scan by av_read_frame, in one process, cold, median of "
          f"{bench.options.runs}",
          ["container", "MB", "source", "Mb/s", "probe ms", "probe MB", "reads", "scan ms", "scan MB",
           "times"],
          [[name, int(found["size"]) // 1000000, found["source"], found["mbps"],
            f"{float(found['probe_s']) * 1e3:.1f}", megabytes(int(found["bytes"])), found["reads"],
            f"{float(found['scan_s']) * 1e3:.0f}", int(found["size"]) // 1000000, f"{ratio:.1f}"]
           for (name, found, _), (_, ratio) in zip(results, ratios)])
    bench.bar_of_rows("a scan takes", ratios, SCAN_BAR)


def show_bytes(bench, results):
    ratios = [(name, reads["mediainfo"] / max(reads["cli"], 1)) for name, _, reads in results]
    table("c. MB read of the file by the whole program (strace)",
          ["container", "streamcalc probe", "mediainfo", "--ParseSpeed=0", "ffprobe -show_streams",
           "mediainfo/streamcalc"],
          [[name, *(megabytes(reads[key]) for key in ("cli", "mediainfo", "fast", "ffprobe")),
            f"{ratio:.1f}"] for (name, _, reads), (_, ratio) in zip(results, ratios)])
    bench.bar_of_rows("mediainfo reads", ratios, BYTES_BAR)


# ---- b: one big file ----

def big_file(bench):
    rows, packets, streams = [], [], []
    for name, file, source in (("MOV ProRes 422 HQ", "big.mov", "prores"),
                               ("MP4 H.264", "big.mp4", "h264")):
        path = bench.make_big(file, source, "", bench.options.big_mb)
        ours = bench.seconds([*bench.cli, path], path, runs=max(bench.options.runs, 5))
        shown = bench.seconds([*FFPROBE, *SHOW, path], path, runs=max(bench.options.runs, 5))
        scanned = bench.seconds([*FFPROBE, "-show_packets", path], path)
        rows.append([name, os.path.getsize(path) // 1000000, f"{ours * 1e3:.0f}",
                     f"{shown * 1e3:.0f}", f"{shown / ours:.2f}", f"{scanned * 1e3:.0f}",
                     f"{scanned / ours:.1f}"])
        packets.append((name, scanned / ours))
        streams.append((name, shown / ours))
        os.remove(path)
    table("b. Whole programs on one big file with real data, cold, median",
          ["file", "MB", "streamcalc ms", "ffprobe -show_streams ms", "times",
           "ffprobe -show_packets ms", "times"], rows)
    bench.bar_of_rows("ffprobe -show_packets takes", packets, PACKETS_BAR)
    bench.bar_of_rows("ffprobe -show_format -show_streams takes", streams, STREAMS_BAR)


# ---- d: ten hours ----

def sparse(bench):
    path = bench.path("ten-hours.mov")
    run_quietly([bench.tool + "make_sparse", "mov", "36000", path])
    runs = [bench.calls("alone", path) for _ in range(max(bench.options.runs, 3))]
    seconds = statistics.median(float(run["probe_s"]) for run in runs)
    rss = max(int(run["rss_kib"]) for run in runs) * 1024
    table("d. Ten hours of DNxHR HQX 3840x2160, 3.3 TB; the file is sparse: its media are holes",
          ["TB", "on disk MB", "call ms", "MB read", "peak RSS MB"],
          [[f"{os.path.getsize(path) / 1e12:.2f}", os.stat(path).st_blocks * 512 // 1000000,
            f"{seconds * 1e3:.1f}", megabytes(int(runs[0]["bytes"])), f"{rss / MEGA:.1f}"]])
    bench.bar("the call takes at most 150 ms", seconds <= SPARSE_SECONDS_BAR,
              f"{seconds * 1e3:.1f} ms")
    bench.bar("the process takes at most 150 MB", rss <= SPARSE_BYTES_BAR, f"{rss / MEGA:.1f} MB")
    os.remove(path)


# ---- e: many files ----

MANY = [("prores.mov", "prores", ""), ("dnxhd.mov", "dnxhd", ""), ("h264.mp4", "h264", ""),
        ("fragments.mp4", "h264", "-movflags frag_keyframe+delay_moov"), ("xdcam.mxf", "xdcam", "")]


def make_many(bench, count):
    """Real copies: links would share the cache."""
    os.makedirs(bench.path("many"))
    models = [bench.make_big("model-" + name, source, arguments, 1)
              for name, source, arguments in MANY]
    paths = []
    for i in range(count):
        model = models[i % len(models)]
        paths.append(bench.path(f"many/{i:04}-{os.path.basename(model)}"))
        shutil.copyfile(model, paths[-1])
    return paths


def many_files(bench):
    paths = make_many(bench, bench.options.files)
    found = bench.calls("many", "0", *paths)
    ours = float(found["probe_s"])
    whole = bench.seconds([*bench.cli, bench.path("many")], *paths, runs=1)
    start = bench.seconds([FFPROBE[0], "-version"], paths[0], runs=20)
    bench.cool(*paths)
    begin = time.monotonic()
    for path in paths:
        run_quietly([*FFPROBE, *SHOW, path])
    theirs = time.monotonic() - begin
    without = float(bench.calls("show", *paths)["show_s"])
    table(f"e. {len(paths)} clips of about 1 MB, cold",
          ["how", "s", "files a second", "times"],
          [["one call of the probe", f"{ours:.2f}", f"{len(paths) / ours:.0f}", "1"],
           ["streamcalc probe FOLDER", f"{whole:.2f}", f"{len(paths) / whole:.0f}",
            f"{whole / ours:.1f}"],
           ["one ffprobe a file", f"{theirs:.2f}", f"{len(paths) / theirs:.0f}",
            f"{theirs / ours:.1f}"],
           [f"its work in one process (its start alone: {start * 1e3:.0f} ms)", f"{without:.2f}",
            f"{len(paths) / without:.0f}", f"{without / ours:.1f}"]])
    bench.bar(f"one ffprobe a file takes at least {FILES_BAR} times", theirs / ours >= FILES_BAR,
              f"{theirs / ours:.1f} times")
    delayed_files(bench, paths[:200])
    shutil.rmtree(bench.path("many"))


def delayed_files(bench, paths):
    env = dict(os.environ, LD_PRELOAD=os.path.abspath(bench.tool + "slow_reads.so"))
    times = {number: float(bench.calls("many", str(number), *paths, env=env)["probe_s"])
             for number in (1, 0)}
    ratio = times[1] / times[0]
    table(f"e. {len(paths)} clips, every read 10 ms late (delayed in the process by a preloaded pread)",
          ["how", "s", "times"],
          [["one after another (parallel 1)", f"{times[1]:.2f}", f"{ratio:.1f}"],
           ["as by default (parallel 8)", f"{times[0]:.2f}", "1"]])
    bench.bar(f"one after another takes at least {PARALLEL_BAR} times", ratio >= PARALLEL_BAR,
              f"{ratio:.1f} times")


# ---- all ----

PARTS = {"containers": containers, "big": big_file, "sparse": sparse, "many": many_files}


def parse():
    parser = argparse.ArgumentParser(prog="run.sh", description=__doc__)
    parser.add_argument("folder", metavar="DIR", help="where the media are made")
    parser.add_argument("--build", help=argparse.SUPPRESS)
    parser.add_argument("--mb", type=int, default=2000, help="size of each container's file (2000)")
    parser.add_argument("--big-mb", type=int, default=10000, help="size of the big file (10000)")
    parser.add_argument("--files", type=int, default=1000, help="number of clips (1000)")
    parser.add_argument("--runs", type=int, default=3, help="cold runs that a median is of (3)")
    parser.add_argument("--only", choices=PARTS, action="append", help="a part; may be repeated")
    parser.add_argument("--containers", default="", help="those whose name this expression finds")
    return parser.parse_args()


def main():
    bench = Bench(parse())
    run_parts(bench, PARTS)
    for note in sorted(bench.warm):
        print(f"note: not cold: {note}")
    return exit_code(bench)


if __name__ == "__main__":
    run_main(main)
