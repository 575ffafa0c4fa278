#!/bin/sh
# SPDX-License-Identifier: MIT
# What sources about V3D state, in small programs. Each comment names the source.
set -u
: "${MISPRINT:?path of the misprint command}"
[ -x "$MISPRINT" ] || exit 77
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
fail() { printf 'FAILED: %s\n' "$*"; cat "$tmp/out"; exit 1; }

# Runs a program with an end under a profile. $1: other lines of the case, $2: the profile, $3: the program.
run() {
    printf 'misprint-case 1 v3d-qpu\n%s\nprogram {\n%s\n' "$1" "$3" >"$tmp/case"
    printf 'nop ; nop ; thrsw\nnop\nnop\n}\n' >>"$tmp/case"
    "$MISPRINT" run "$tmp/case" --profile "$2" >"$tmp/out" || fail "misprint run: $3"
}
# Does the outcome have a line that begins so?
has() { grep -q "^$1" "$tmp/out" || fail "not there: $1"; }

# Mesa, emit_barrier: the blocking of a barrier happens at the next thread switch, so after the two delay
# slots. Each of two batches stores 11 + its number in the first slot, and loads what its neighbour stored.
run 'batches = 2
group = 0x1120
start = 0
uniforms {
  @0
  0000001a
  00000010
}' manual 'nop ; nop ; ldunifrf.rf11
nop ; nop ; ldunifrf.rf20
shr rf10, rf2, rf20
nop ; nop ; ldunifrf.rf21
xor rf13, rf10, rf21
shl rf12, rf10, 2
shl rf13, rf13, 2
add rf13, rf11, rf13
add rf11, rf11, rf12
add rf10, rf10, 11
mov tmud, rf10
barrierid syncb ; nop ; thrsw
mov tmua, rf11
nop
mov tmua, rf13
nop ; nop ; ldtmu.rf14
nop ; nop ; thrsw
nop ; nop ; thrsw
nop
nop'
has 'rf 14 = 0000001b 0000001c 0000001d'
exit 0
