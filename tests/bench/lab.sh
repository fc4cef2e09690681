# Sourced by benchmarks on the lab's disks, in the root of the project: installs what they need and the packages in
# $BENCH_PACKAGES, builds, and sets the environment and $python, the one that Debian's pytest is for.
. examples/packages.sh
# shellcheck disable=SC2086  # lists of words
install_packages $BUILD_PACKAGES $BENCH_PACKAGES python3 python3-pytest libcmocka-dev nbdkit nbdkit-plugin-dev \
    libnbd-bin fuse3 libfuse3-dev mount util-linux
cmake --preset release >/dev/null
cmake --build --preset release >/dev/null
LAB_TOOLS=$PWD/build/release/tests/lab
STREAMCALC=$PWD/build/release/examples/streamcalc/streamcalc
PYTHONPATH=$PWD/tests/bench:$PWD/tests/lab
PYTHONDONTWRITEBYTECODE=1
export LAB_TOOLS STREAMCALC PYTHONPATH PYTHONDONTWRITEBYTECODE
python=/usr/bin/python3
[ -x "$python" ] || python=python3
