#!/bin/sh
# SPDX-License-Identifier: MIT
# Each public emulator with an adapter does on each case of its learned profiles what the profile says, and
# not what the manual says. Emulators and cases are the expectation here; the profiles were written after a
# reading of the emulators' sources.
#
# MISPRINT_ADAPTERS names a folder: videocoreiv-sim/ and so on, by the names of the profiles, are checkouts,
# and videocoreiv-sim.a (or .so or .o) is what you built from one, as docs/emulators says. Of tinygrad only
# the checkout is needed. CPPFLAGS goes to scripts/boards/link. Profiles whose emulator is not there are
# skipped and counted; if all are, the test is.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
fail() { printf 'FAILED: %s\n' "$*"; exit 1; }
link=scripts/boards/link
adapters=${MISPRINT_ADAPTERS:-$tmp/none}
# library NAME: prints the file that the user built from NAME's checkout
library() {
    for ending in a so o; do
        [ -f "$adapters/$1.$ending" ] && printf '%s\n' "$adapters/$1.$ending" && return
    done
    return 1
}

lines=0 skipped=0
for profile in corpus/*/learned/*.profile; do
    name=$(basename "$profile" .profile)
    checkout=$adapters/$name
    if [ ! -d "$checkout" ] || { [ "$name" != tinygrad ] && ! library "$name" >"$tmp/library"; }; then
        printf 'skipped: %s: no checkout or no library (MISPRINT_ADAPTERS names the folder)\n' "$profile"
        skipped=$((skipped + 1))
        continue
    fi
    unit=$(echo "$profile" | cut -d/ -f2)
    case $name in
    tinygrad) board="exec:python3 scripts/boards/tinygrad.py '$checkout'" ;;
    *)
        board=plugin:$tmp/$name.so
        [ -f "$tmp/$name.so" ] || "$link" "$name" "$checkout" "$(cat "$tmp/library")" -o "$tmp/$name.so" ||
            fail "$name does not link"
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
