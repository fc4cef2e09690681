#!/bin/sh
# run.sh [DIR] [OPTION...]: the measurement against fio on disks of known speed, in turns; see --help.
# Needs root. The disks are made in DIR (default: /var/tmp/streamcalc-bench) and removed afterwards.
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
case ${1:-} in
"" | -*) dir=/var/tmp/streamcalc-bench && mkdir -p "$dir" ;;
*) mkdir -p "$1" && dir=$(cd "$1" && pwd) && shift ;;
esac
cd "$root"
. examples/packages.sh
# shellcheck disable=SC2086  # a list of words
install_packages $BUILD_PACKAGES python3 python3-pytest libcmocka-dev nbdkit nbdkit-plugin-dev libnbd-bin \
    fuse3 libfuse3-dev fio mount util-linux
cmake --preset release >/dev/null
cmake --build --preset release >/dev/null
exec env LAB_TOOLS="$root/build/release/tests/lab" /usr/bin/python3 tests/bench/measure/bench.py "$@" "$dir"
