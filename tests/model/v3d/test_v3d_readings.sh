#!/bin/sh
# SPDX-License-Identifier: MIT
# What the readings of V3D's clauses say, in small programs. Each comment names the source of the reading.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
# shellcheck source=tests/model/v3d/support_v3d.sh
. "$MISPRINT_SOURCE_DIR/tests/model/v3d/support_v3d.sh"

# Mesa, ntq_emit_comparison: min compares by C, fcmp does, and nothing else does. max gives no C, or a > b.
flags='rf row 5 = all 7654
rf row 6 = all 3210
rf row 8 = all 9'
run "$flags" manual 'min.pushc -, rf5, rf6
vfla rf7
max.pushc -, rf5, rf6
vfla rf8'
has 'rf 7 = all 00010001'
has 'rf 8 = all 00000000'
run "$flags" manual,v3d-carry=compared 'max.pushc -, rf5, rf6
vfla rf8'
has 'rf 8 = all 00010001'

# Mesa's register allocator: a thread switch invalidates accumulators. py-videocore6 keeps r1 over one, in
# a job of one thread.
switch='nop ; nop ; thrsw
nop
nop
mov rf7, r1
nop ; nop ; thrsw
nop ; nop ; thrsw
nop
nop'
run 'start = 0
acc row 1 = all 1234567' manual "$switch"
has 'rf 7 = .*(defined 00000000)'
run 'start = 0
acc row 1 = all 1234567' hardware-tests "$switch"
has 'rf 7 = all 01234567$'
run 'start = 0
batches = 2
workgroups-x = 0x20000
acc row 1 = all 1234567' hardware-tests "$switch"
has 'rf 7 = .*(defined 00000000)'

# Mesa's register allocator: with four threads there are 32 registers; its results of the SFU go to the
# register file. Nobody says what else happens.
run 'start = 3' manual 'mov rf7, rf40'
has 'end = fault (a use of registers that no source describes)'
run 'start = 3
rf row 8 = all 45678' manual,v3d-four-threads=alias 'mov rf7, rf40'
has 'rf 7 = all 00045678'
run '' manual 'recip r0, rf5'
has 'end = fault (a use of registers that no source describes)'

# A signal that comes with a result of an ALU for the same register: either can stay.
signal='add rf7, rf5, rf6 ; nop ; ldunifrf.rf7'
uniform='uniforms {
  5bd1e995
}'
run "$flags
$uniform" manual "$signal"
has 'rf 7 = all 5bd1e995'
run "$flags
$uniform" manual,v3d-signal-writer=alu "$signal"
has 'rf 7 = all 0000a864'

# Mesa, emit_tmu_general: the operand of an atomic operation is in tmud. py-videocore7, test_tmu: it is in
# tmudref, on a Raspberry Pi 5.
atomic() {
    printf 'nop ; nop ; ldunifrf.rf10\nnop ; nop ; ldunifrf.rf11\nmov tmuc, rf11\nmov %s, rf5\n' "$1"
    printf 'nop\nmov tmua, rf10\nnop ; nop ; ldtmu.rf7'
}
memory='generation = v3d71
uniforms {
  @100
  ffffff97
}
rf row 5 = all 77
memory row 4 = all 5'
for recipe in manual:tmud manual,v3d-atomic-operand=tmudref:tmudref v3d71:tmud v3d71:tmudref; do
    run "$memory" "${recipe%:*}" "$(atomic "${recipe#*:}")"
    has 'memory 4 = 00000077'
    has 'rf 7 = 00000005 00000077'
done
run "$memory" manual "$(atomic tmudref)"
has 'memory 4 = 00000000'
exit 0
