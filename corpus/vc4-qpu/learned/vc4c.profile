# implementation: VC4C's emulator 3d89be86 (2023-05-30)
# learned: 2026-11-25, 45 s on top of profile manual; 2 of 7 lines, those that were held against its source
base = manual
# case: vc4c-flags
sf-per-element = condition-true
# case: vc4c-ldi-carry
ldi-op-text = add-zero
