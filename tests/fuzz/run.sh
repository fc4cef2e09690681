#!/bin/sh
# run.sh [SECONDS]: builds the fuzzer (clang, AddressSanitizer, UBSan) and runs it. Inputs that it
# found worth keeping lie in build/fuzz/corpus, crashes in build/fuzz/findings.
set -eu
cd "$(dirname "$0")/../.."
. examples/packages.sh
# shellcheck disable=SC2086  # a list of words
install_packages $BUILD_PACKAGES clang libclang-rt-dev ffmpeg libcmocka-dev python3
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target fuzz_probe
mkdir -p build/fuzz/corpus build/fuzz/findings
[ -n "$(ls build/fuzz/corpus)" ] || sh tests/fuzz/make_seeds.sh build/fuzz/corpus
exec build/fuzz/tests/fuzz/fuzz_probe -max_total_time="${1:-1800}" -max_len=131072 -timeout=10 \
    -rss_limit_mb=1024 -dict=tests/fuzz/probe.dict -print_final_stats=1 \
    -artifact_prefix=build/fuzz/findings/ build/fuzz/corpus tests/fuzz/corpus
