# implementation: tinygrad's emulator of CDNA a9069c177a (2026-08-22)
# learned: 2026-11-25, 15 min on top of profile gfx942; 3 of 6 lines, those that its source confirms
base = gfx942
# case: tinygrad-register-pair
vgpr-group-align = as-is
# Loads of three dwords move one.
# case: tinygrad-dwordx3
amd-buffer insn.op when op == 0x16 = 0x14
# A buffer of no bytes has nothing in range, also with ADD_TID.
# case: tinygrad-no-records
amd-buffer check.none = !records
