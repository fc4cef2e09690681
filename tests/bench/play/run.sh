#!/bin/sh
# run.sh [DIR] [OPTION...]: whether the player itself holds its grid: many light streams from memory, beside a
# plain loop that reads the same bytes at the same pace; see --help. Needs root, for a tmpfs mounted in DIR
# (default: build/bench).
set -eu
. "$(dirname "$0")/../folder.sh"
BENCH_PACKAGES=fio
. tests/bench/lab.sh
exec "$python" tests/bench/play/bench.py "$@" "$dir"
