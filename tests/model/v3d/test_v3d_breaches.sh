#!/bin/sh
# SPDX-License-Identifier: MIT
# What a board does where a program breaks a restriction of Mesa is learned from generated programs alone: a
# campaign without the corpus names the reading, and `misprint run` and `disasm --check` name the restriction.
set -u
: "${MISPRINT:?path of the misprint command}"
[ -x "$MISPRINT" ] || exit 77
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
fail() { printf 'FAILED: %s\n' "$*"; [ ! -f "$tmp/out" ] || tail -n 20 "$tmp/out"; exit 1; }

readings='v3d-sfu-r4=stalls v3d-rtop-thrsw=works v3d-unifa-delay=works'
board=virtual:manual
for reading in $readings; do board=$board,$reading; done
status=0
"$MISPRINT" fuzz v3d-qpu --no-corpus --stats --profile manual --board "$board" --cases 8000 --quiet \
    --campaign "$tmp/c" >"$tmp/out" || status=$?
[ $status -eq 1 ] || fail 'the campaign finds nothing'
for reading in $readings; do
    grep -q "^  F-.* $reading" "$tmp/out" || fail "no finding states $reading"
done
[ "$(grep -c '^  F-' "$tmp/out")" -eq 3 ] || fail 'other findings'

for case in "$tmp"/c/cases/F-*.case; do
    "$MISPRINT" run "$case" >"$tmp/run" || fail "misprint run $case"
    [ "$(grep -c '^breaks a restriction of Mesa: instruction .*(v3d-' "$tmp/run")" -eq 1 ] ||
        fail "misprint run names other restrictions than one: $case"
done
printf 'mov recip, r0\nmov r1, r4\nnop ; nop ; thrsw\nnop\nnop\n' >"$tmp/program"
"$MISPRINT" asm v3d-qpu "$tmp/program" | "$MISPRINT" disasm v3d-qpu --check >"$tmp/out"
grep -q '^# instruction 1: .*(v3d-sfu-r4; ' "$tmp/out" || fail 'disasm --check does not name the restriction'
exit 0
