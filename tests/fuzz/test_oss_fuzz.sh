#!/bin/sh
# SPDX-License-Identifier: MIT
# fuzz/oss-fuzz/build.sh with the environment that OSS-Fuzz sets: every target is there with its seeds, and
# starts with AddressSanitizer. Takes minutes: only in the long tier.
set -eu
[ "${MISPRINT_TEST_LONG:-0}" = 1 ] || { echo 'long tier only (MISPRINT_TEST_LONG=1)'; exit 77; }
for tool in clang clang++ bash python3; do
    command -v $tool >/dev/null || { echo "no $tool"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { printf '%s\n' "$*"; exit 1; }
mkdir "$work/out" "$work/work"
cd "${MISPRINT_SOURCE_DIR:?}"
# The flags of infra/base-images/base-builder: CFLAGS, SANITIZER_FLAGS_address, COVERAGE_FLAGS
flags='-O1 -fno-omit-frame-pointer -gline-tables-only -fsanitize=address'
flags="$flags -fsanitize-address-use-after-scope -fsanitize=fuzzer-no-link"
env SRC="$(dirname "$PWD")" WORK="$work/work" OUT="$work/out" CC=clang CXX=clang++ CFLAGS="$flags" \
    CXXFLAGS="$flags" LIB_FUZZING_ENGINE=-fsanitize=fuzzer \
    bash -eu fuzz/oss-fuzz/build.sh >"$work/log" 2>&1 || { tail -n 40 "$work/log"; fail 'build.sh failed'; }
count=0
while read -r target; do
    [ -x "$work/out/$target" ] || fail "no $target"
    python3 - "$work/out/${target}_seed_corpus.zip" "$work/seeds/$target" <<'END' ||
        fail "$target: its seeds are no zip, or none"
import sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
archive.extractall(sys.argv[2])
sys.exit(0 if archive.namelist() else 1)
END
    grep -q '^\[libfuzzer\]' "$work/out/$target.options" || fail "$target: no options"
    dictionary=
    [ ! -f "$work/out/$target.dict" ] || dictionary=-dict=$work/out/$target.dict
    # shellcheck disable=SC2086 # one word or none
    "$work/out/$target" $dictionary -runs=200 "$work/seeds/$target" >"$work/log" 2>&1 ||
        { tail -n 20 "$work/log"; fail "$target does not run"; }
    for library in jansson zstd sqlite3 xxhash; do
        if ldd "$work/out/$target" | grep -q "lib$library"; then
            fail "$target needs lib$library.so, which a runner does not have"; fi
    done
    count=$((count + 1))
done <"$work/work/targets/targets.txt"
[ "$count" -gt 10 ] || fail "only $count targets"
echo "$count targets"
