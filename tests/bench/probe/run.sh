#!/bin/sh
# run.sh [DIR] [OPTION...]: the probe against FFmpeg's and MediaInfo's programs, side by side; see
# --help. Its media are made in DIR (default: build/bench) and deleted afterwards.
set -eu
. "$(dirname "$0")/../folder.sh"
. examples/packages.sh
# shellcheck disable=SC2086  # a list of words
install_packages $BUILD_PACKAGES ffmpeg mediainfo strace python3 libcmocka-dev
cmake --preset release >/dev/null
cmake --build --preset release >/dev/null
exec env PYTHONPATH=tests/bench PYTHONDONTWRITEBYTECODE=1 python3 tests/bench/probe/bench.py --build build/release "$@" "$dir"
