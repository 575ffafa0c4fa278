#!/bin/sh
# SPDX-License-Identifier: MIT
# Each public emulator with an adapter, from its checkout, does on each case of its learned profiles
# what the profile says, and not what the manual says. Emulators and cases are the expectation here; the
# profiles were written after a reading of the emulators' sources.
#
# MISPRINT_ADAPTERS names a folder with the checkouts: videocoreiv-sim/ and so on, by the names of the
# profiles, and cpplog/ and variant/ for vc4c. Profiles whose checkout is not there are
# skipped and counted; if all are, the test is.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
fail() { printf 'FAILED: %s\n' "$*"; exit 1; }
build=scripts/boards/build

lines=0 skipped=0
for profile in corpus/*/learned/*.profile; do
    name=$(basename "$profile" .profile)
    checkout=${MISPRINT_ADAPTERS:-$tmp/none}/$name
    if [ ! -d "$checkout" ]; then
        printf 'skipped: %s: no checkout (MISPRINT_ADAPTERS names the folder)\n' "$profile"
        skipped=$((skipped + 1))
        continue
    fi
    unit=$(echo "$profile" | cut -d/ -f2)
    case $name in
    tinygrad) board="exec:python3 scripts/boards/tinygrad.py '$checkout'" ;;
    *)
        board=plugin:$tmp/$name.so
        [ -f "$tmp/$name.so" ] || "$build" "$name" "$checkout" -o "$tmp/$name.so" ||
            fail "$name does not build"
        ;;
    esac
    sed -n 's/^# case: //p' "$profile" >"$tmp/cases"
    while read -r case; do
        for against in manual "$profile"; do
            "$MISPRINT" replay "corpus/$unit/learned/$case.case" --board "$board" \
                --profile "$against" >"$tmp/said" 2>&1 </dev/null
            status=$?
            [ "$against" = manual ] && wanted=1 || wanted=0
            [ "$status" -eq "$wanted" ] || fail "$name, $case, $against: status $status, $(cat "$tmp/said")"
        done
        lines=$((lines + 1))
    done <"$tmp/cases"
done
printf 'adapters: %d learned lines checked, %d profiles skipped\n' "$lines" "$skipped"
[ "$lines" -gt 0 ] || [ "$skipped" -eq 0 ] || exit 77
[ "$lines" -gt 0 ]
