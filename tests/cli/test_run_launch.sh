#!/bin/sh
# SPDX-License-Identifier: MIT
# `misprint run` of compute programs of V3D as bare words, `asm` and `disasm` of both generations. The words
# of the program are Mesa's, the expected values follow from what the program computes. With
# MISPRINT_TEST_DATA, launches that Mesa compiled run from files.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/support/support_command.sh
. tests/support/support_command.sh
m=$MISPRINT

# Each lane stores 3 * its number + the uniform at its word of memory, from 1000 on.
cat >"$tmp/a.s" <<'EOF'
eidx rf4 ; nop ; ldunifrf.rf5
shl rf6, rf4, 2
nop ; nop ; ldunifrf.rf7
add rf8, rf4, rf4
add rf8, rf8, rf4
add rf8, rf8, rf5
add rf6, rf6, rf7
mov tmud, rf8
mov tmua, rf6
tmuwt -
nop ; nop ; thrsw
nop
nop
EOF
run() { "$m" run --unit v3d-qpu --isa "$isa" "$tmp/$isa.hex" "$@"; }
for isa in v3d42 v3d71; do
    "$m" asm v3d-qpu --isa $isa "$tmp/a.s" >"$tmp/$isa.hex" || exit 1
    "$m" disasm v3d-qpu --isa $isa "$tmp/$isa.hex" | "$m" asm v3d-qpu --isa $isa >"$tmp/again.hex"
    check "disasm and asm give the same words" cmp "$tmp/again.hex" "$tmp/$isa.hex"
    expect 0 'end = done, 13 instructions' run --uniforms 100,1000
    expect 0 'memory 00001000 = 00000100 00000103 00000106 00000109' run --uniforms 100,1000
    expect 0 '^thread 0  00010000  eidx rf4 ' run --uniforms 100,1000 --trace
    expect 0 '"instructions": 13' run --uniforms 100,1000 --json
    expect 0 'not ended after 5 instructions' run --uniforms 100,1000 --limit 5
    expect 0 'end = fault (an access outside' run --uniforms 100,fffff000
    expect 2 'needs the 7 words' run --launch 1,2
    expect 2 'is not for programs of v3d-qpu' run --qpus 2
    expect 0 'breaks none' "$m" disasm v3d-qpu --isa $isa --check "$tmp/$isa.hex"
done
# two workgroups of 16 at another address, with the words of their launch
isa=v3d42
set -- --uniforms 1,2000 --launch 20000,10000,10000,110,1,4002,9000
expect 0 'end = done, 26 instructions' run "$@"
expect 0 'memory 00002000 = 00000001 00000004' run "$@"
sed 's/^mov tmua, rf6/and tmua, rf6, rf6 ; nop ; ldtmu.rf9/' "$tmp/a.s" | "$m" asm v3d-qpu >"$tmp/bad.hex"
expect 0 'v3d-one-peripheral' "$m" disasm v3d-qpu --check "$tmp/bad.hex"
expect 0 '^breaks a restriction of Mesa: instruction 8: .*v3d-one-peripheral' \
    "$m" run --unit v3d-qpu "$tmp/bad.hex"

# recip is inexact in each lane, so each of the 16 words is marked: 1/3 rounded to 24 bits, and a ~
isa=v3d42
sed -e 's/^mov tmud, rf8/recip rf8, rf5 ; nop\nnop\nnop\nmov tmud, rf8/' "$tmp/a.s" |
    "$m" asm v3d-qpu --isa $isa >"$tmp/$isa.hex"
expect 0 'memory 00001000 = all 3eaaaaab~$' run --uniforms 40400000,1000

# launches that Mesa compiled, from files of words
data=${MISPRINT_TEST_DATA:-../shared/data}/compiler-programs/v3d
if [ -d "$data" ] && command -v python3 >/dev/null; then
    expect 0 '^24 launches from files, 0 differ' python3 tests/cli/run_launch.py "$m" "$data" "$tmp"
fi
sum_up
