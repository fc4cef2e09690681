#!/bin/sh
# consumer.sh CMAKE BUILD CONSUMER CC GENERATOR: install BUILD, build CONSUMER both ways, run what came out.
set -eu
cmake=$1 build=$2 consumer=$3 cc=$4 generator=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
"$cmake" --install "$build" --prefix "$prefix" >"$work/log"

"$cmake" -G "$generator" -S "$consumer" -B "$work/by-cmake" -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" >"$work/log"
"$cmake" --build "$work/by-cmake" >>"$work/log" || { cat "$work/log"; exit 1; }
echo 'CMake package, shared:'; "$work/by-cmake/consumer"
echo 'CMake package, static:'; "$work/by-cmake/consumer_static"

libdir=$(dirname "$(find "$prefix" -name 'libstreamcalc.so' | head -n 1)")
PKG_CONFIG_PATH=$libdir/pkgconfig
export PKG_CONFIG_PATH
# shellcheck disable=SC2046  # flags are words
"$cc" -std=c11 "$consumer/consumer.c" -o "$work/by-pkg-config" \
    $(pkg-config --define-variable=prefix="$prefix" --cflags --libs streamcalc) -Wl,-rpath,"$libdir"
echo 'pkg-config, shared:'; "$work/by-pkg-config"
# The archive beside shared FFmpeg: what `--static` adds is for a static FFmpeg.
# shellcheck disable=SC2046
"$cc" -std=c11 "$consumer/consumer.c" -o "$work/by-pkg-config-static" $(pkg-config --cflags streamcalc) \
    "$libdir/libstreamcalc.a" $(pkg-config --libs libavformat libavcodec libavutil jansson) -lm -pthread
echo 'pkg-config, static:'; "$work/by-pkg-config-static"
test -s "$prefix/share/streamcalc/schemas/streamcalc.plan.schema.json"
