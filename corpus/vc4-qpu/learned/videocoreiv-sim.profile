# implementation: videocoreiv-sim 6ccc6765 (2019-08-16)
# learned: 2026-11-25, 400 s on top of profile manual; 5 of 23 lines, of those that its source confirms
base = manual
# case: sim-shift-amount
shift-amount = mod-32
# shl rotates.
# case: sim-shl
vc4-qpu add.result when op == 0x11 = rotl(a, b)
# C is always cleared.
# case: sim-carry
vc4-qpu flags.c = 0
# Unpacking is ignored.
# case: sim-unpack
vc4-qpu unpack.value = word
# Packing is ignored.
# case: sim-pack
vc4-qpu write.value = result
