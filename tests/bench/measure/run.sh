#!/bin/sh
# run.sh [DIR] [OPTION...]: the measurement against fio on disks of known speed, side by side; see --help.
# Needs root and FUSE. The disks' images are made in DIR (default: build/bench) and deleted afterwards.
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
case ${1:-} in
"" | -*) dir=$root/build/bench ;;
*) mkdir -p "$1" && dir=$(cd "$1" && pwd) && shift ;;
esac
cd "$root"
. examples/packages.sh
# shellcheck disable=SC2086  # a list of words
install_packages $BUILD_PACKAGES fio python3 python3-pytest libcmocka-dev nbdkit nbdkit-plugin-dev \
    libnbd-bin fuse3 libfuse3-dev mount util-linux
cmake --preset release >/dev/null
cmake --build --preset release >/dev/null
LAB_TOOLS=$root/build/release/tests/lab
PYTHONPATH=$root/tests/bench:$root/tests/lab
PYTHONDONTWRITEBYTECODE=1
export LAB_TOOLS PYTHONPATH PYTHONDONTWRITEBYTECODE
# The one that Debian's pytest is for, which the lab's disks import.
python=/usr/bin/python3
[ -x "$python" ] || python=python3
exec "$python" tests/bench/measure/bench.py "$@" "$dir"
