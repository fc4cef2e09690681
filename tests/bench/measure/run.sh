#!/bin/sh
# run.sh [DIR] [OPTION...]: the measurement against fio on disks of known speed, side by side; see --help.
# Needs root and FUSE. The disks' images are made in DIR (default: build/bench) and deleted afterwards.
set -eu
. "$(dirname "$0")/../folder.sh"
BENCH_PACKAGES=fio
. tests/bench/lab.sh
exec "$python" tests/bench/measure/bench.py "$@" "$dir"
