#!/bin/sh
# SPDX-License-Identifier: MIT
# What sources about V3D state, in small programs. Each comment names the source.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
# shellcheck source=tests/model/v3d/support_v3d.sh
. "$MISPRINT_SOURCE_DIR/tests/model/v3d/support_v3d.sh"

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

# The type of an access says how wide an atomic operation is: of the byte 80 and 1, 80 is less as a signed
# number; of the byte 05 and 00000101, 01 is less.
run 'uniforms {
  ffffffb5
  @200
  ffffffa5
  @280
}
rf row 5 = all 1
rf row 6 = all 101
memory row 8 = all 11223380
memory row 10 = all 11223305' manual 'nop ; nop ; ldunifrf.tmuc
mov tmud, rf5
nop ; nop ; ldunifrf.tmua
nop ; nop ; ldtmu.rf7
nop ; nop ; ldunifrf.tmuc
mov tmud, rf6
nop ; nop ; ldunifrf.tmua
nop ; nop ; ldtmu.rf8'
has 'rf 7 = all 00000080'
has 'memory 8 = all 11223380'
has 'memory 10 = 11223301 11223305'

# Missing data are not 0: no source says what is stored.
"$MISPRINT" run "$MISPRINT_SOURCE_DIR/corpus/v3d-qpu/v3d-tmu-data-2.case" >"$tmp/out" || fail 'misprint run'
has 'memory 8 = b5c67837 00000000(defined 00000000) 25de32c2'

# A Raspberry Pi 4 has 8 QPUs. py-videocore6 counts them from bit 2 of tidx on, and a QPU has four numbers, of
# which two threads take two. 20 batches store their numbers.
run 'batches = 20
workgroups-x = 0x00140000
uniforms {
  @0
}' hardware-tests 'nop ; nop ; ldunifrf.rf11
shl rf10, rf0, 2
add rf10, rf10, rf11
tidx tmud
mov tmua, rf10
tmuwt -'
has 'memory 0 = 00000000 00000004 00000008 0000000c 00000010 00000014 00000018 0000001c 00000002 00000006'
has 'memory 1 = 00000000 00000004 00000008 0000000c '

# setnnmode has no result for flags. Of msf, Mesa asks only whether it is 0, and nobody states what setmsf
# gives.
run 'generation = v3d71' manual 'setnnmode_uu.pushz'
grep -q '^flags' "$tmp/out" && fail 'setnnmode sets flags'
run 'group = 0x00000108' manual 'msf.pushz rf7
mov.ifna rf8, 3
setmsf rf9, rf7'
has 'end = undefined'
run 'group = 0x00000108' manual 'msf.pushz rf7
mov.ifna rf8, 3
setmsf rf9, 5
msf rf10'
has 'rf 7 = 0000000f(defined 00000000)'
has 'rf 8 = 00000003 00000003'
has 'rf 9 = all 00000005(defined 00000000)'
has 'rf 10 = all 00000005$'

# v3d-min-max-nan is about halves, too: the default NaN as a half is 7E00, and 3C00 is 1.
for reading in manual:3c003c00 propagates:7e007e00 second:3c007e55; do
    run 'rf row 5 = all 7e553c00
rf row 6 = all 3c007e55' "manual,v3d-min-max-nan=${reading%:*}" 'vfmin rf7, rf5, rf6'
    has "rf 7 = all ${reading#*:}"
done
# Denormal numbers are zeros to all binary32 operations of ADD, or to none. Rounded up, such a number is 1.
for reading in \
    manual:3f800000 flushed:00000000 single:00000000 add:00000000 mul:3f800000 halves:3f800000; do
    run 'rf row 5 = all 00123456' "manual,v3d-denormal=${reading%:*}" 'fceil rf7, rf5'
    case $reading in
    *:00000000) grep -q '^rf 7 = ' "$tmp/out" && fail "fceil: $reading" ;;
    *) has "rf 7 = all ${reading#*:}" ;;
    esac
done
exit 0
