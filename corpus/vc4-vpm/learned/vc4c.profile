# implementation: VC4C's emulator 3d89be86 (2023-05-30)
# learned: 2026-11-25, 400 s on top of profile manual; 4 of 11 lines, of those that its source confirms
base = manual
# case: vc4c-bytes
vpm-fig8a = in-order
# case: vc4c-stride-zero
vpm-stride-zero = stays
# case: vc4c-read-queue
vpm-read-queue = redirects
# case: vc4c-stride-width
vdw-stride-width = sixteen-bits
