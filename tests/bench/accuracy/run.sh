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
. examples/packages.sh
# shellcheck disable=SC2086  # a list of words
install_packages $BUILD_PACKAGES ffmpeg python3 python3-pytest libcmocka-dev nbdkit nbdkit-plugin-dev \
    libnbd-bin fuse3 libfuse3-dev mount util-linux
cmake --preset release >/dev/null
cmake --build --preset release >/dev/null
LAB_TOOLS=$root/build/release/tests/lab
STREAMCALC=$root/build/release/examples/streamcalc/streamcalc
PYTHONPATH=$root/tests/bench:$root/tests/lab
PYTHONDONTWRITEBYTECODE=1
export LAB_TOOLS STREAMCALC PYTHONPATH PYTHONDONTWRITEBYTECODE
# The one that Debian's pytest is for, which the lab's disks import.
python=/usr/bin/python3
[ -x "$python" ] || python=python3
exec "$python" tests/bench/accuracy/bench.py "$@" "$dir"
