#!/bin/sh
# exports.sh LIBRARY HEADERS: the library exports every declared function and nothing else.
set -eu
library=$1 headers=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nm -D --defined-only "$library" | awk '{print $NF}' | sed 's/@.*//' | sort -u >"$work/exported"
cat "$headers"/*.h | grep -v '^#' | tr '\n' ' ' | grep -o 'SC_API [^;(]*(' | sed 's/($//; s/.*[ *]//' | sort -u >"$work/declared"
test -s "$work/declared"
if ! diff "$work/declared" "$work/exported" >"$work/diff"; then
    echo "declared in the headers (<) or exported by $(basename "$library") (>) alone:"
    cat "$work/diff"
    exit 1
fi
# The Python binding cuts its declarations from the headers: these would not survive the cut.
if grep -nE '^#define [A-Za-z_]+\(|(^|[^a-z_])inline([^a-z_]|$)|AV[A-Z][a-z]+|json_t' "$headers"/*.h |
    grep -vE '^[^:]*:[0-9]+: *(/?\*|//)'; then
    echo 'public headers hold function-like macros, inline functions or foreign types'
    exit 1
fi
echo "$(wc -l <"$work/exported") functions exported, all declared"
