#!/bin/sh
# Every test, from a fresh clone: installs what is missing, builds with gcc, with clang and with the
# sanitizers, and runs all. The last line counts what passed, failed and was skipped.
set -u
cd "$(dirname "$0")/.." || exit 2
. examples/packages.sh
# Beside the build: the test frameworks, a second compiler, and what the lab's disks are made of.
# shellcheck disable=SC2086  # a list of words
install_packages $BUILD_PACKAGES ffmpeg g++ clang clang-format libcmocka-dev python3 \
    python3-pytest python3-jsonschema nbdkit nbdkit-plugin-dev libnbd-bin fuse3 libfuse3-dev fio \
    mount util-linux xfsprogs btrfs-progs

tests=0 failures=0 skipped=0

# attribute FILE NAME: a count of the JUnit file's <testsuite>.
attribute()
{
    tr '\n' ' ' <"$1" | sed -n "s/.*<testsuite \([^>]*\)>.*/ \1/; s/.*[[:space:]]$2=\"\([0-9]*\)\".*/\1/p"
}

build_preset()
{
    echo "== $1: build"
    mkdir -p "build/$1"
    if ! { cmake --preset "$1" && cmake --build --preset "$1"; } >"build/$1/build.log" 2>&1; then
        tail -n 40 "build/$1/build.log"
        failures=$((failures + 1))
        return 1
    fi
}

# test_preset PRESET [ctest arguments]
test_preset()
{
    preset=$1
    shift
    build_preset "$preset" || return
    echo "== $preset: test"
    junit=$PWD/build/$preset/junit.xml
    rm -f "$junit"
    # Two at once, and those that measure time alone (RUN_SERIAL).
    ctest --preset "$preset" --parallel 2 --output-junit "$junit" "$@"
    if [ ! -s "$junit" ]; then
        echo "ctest left no result for $preset"
        failures=$((failures + 1))
        return
    fi
    grep -hE '^(skipped: |SKIPPED )' "build/$preset/Testing/Temporary/LastTest.log"
    failed=$(attribute "$junit" failures)
    not_run=$(($(attribute "$junit" skipped) + $(attribute "$junit" disabled)))
    failures=$((failures + failed))
    skipped=$((skipped + not_run))
    tests=$((tests + $(attribute "$junit" tests) - failed - not_run))
}

test_preset dev
# What measures time does not depend on the compiler, and takes long.
test_preset clang --label-regex unit --label-exclude timed
# The lab measures time, which sanitizers change; what measures or plays is minutes of it, and what they
# call is tested by the rest.
test_preset asan --label-exclude lab --exclude-regex "cli.test_(create|measure|media|play)"
echo "$tests passed, $failures failed, $skipped skipped"
[ "$failures" -eq 0 ]
