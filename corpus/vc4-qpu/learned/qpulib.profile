# implementation: QPULib's emulator c2658a5 (2020-12-09)
# learned: 2026-11-25, 150 s on top of profile manual; 3 of 6 lines, those that its source confirms
base = manual
# case: qpulib-fminabs
fminabs-sign = signed-operand
# case: qpulib-flags
sf-per-element = condition-true
# A write of r5 writes each element.
# case: qpulib-r5
vc4-qpu r5.value = word
