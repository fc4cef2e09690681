#!/bin/sh
# style.sh SOURCE: .clang-format holds. Other versions of clang-format break lines elsewhere.
cd "$1" || exit 1
if ! clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
    echo 'skipped: clang-format 14 is not installed'
    exit 77
fi
find include lib examples tests -name '*.[ch]' -exec clang-format --dry-run --Werror {} +
