#!/bin/sh
# run.sh DIR [OPTION...]: predictions against what then really plays, on storages of known speed; see --help.
# Needs root and FUSE. Results are kept in DIR/results.jsonl, cell by cell: a run that was ended goes on.
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
[ $# -gt 0 ] || { echo "usage: run.sh DIR [OPTION...]" >&2 && exit 2; }
mkdir -p "$1"
dir=$(cd "$1" && pwd)
shift
cd "$root"
BENCH_PACKAGES=ffmpeg
. tests/bench/lab.sh
exec "$python" tests/bench/accuracy/bench.py "$@" "$dir"
