# implementation: videocoreiv-sim 6ccc6765 (2019-08-16)
# learned: 2026-11-25, 120 s on top of profile manual; 4 of 8 lines, those that its source confirms
base = manual
# case: sim-read-queue
vpm-read-queue = redirects
# case: sim-stride-width
vdw-stride-width = sixteen-bits
# All horizontal reads come from row 0: a mask of 32 bits is made by a shift by 32.
# case: sim-horizontal-read
vc4-vpm block.y when horizontal != 0 = value << -reading
# The rows of a DMA store follow each other in the VPM.
# case: sim-store-rows
vc4-vpm store.blockmode = horizontal
