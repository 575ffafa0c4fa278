#!/bin/sh
# SPDX-License-Identifier: MIT
# Board drm:v3d from end to end: the real back end and libdrm on a preloaded stand-in for the kernel's v3d
# driver (tests/devices/fake_v3d_drm.c), on which the model's machine executes the submitted words. A fault
# injected there must become a finding here, and the message for every failure must say what to do.
set -u
fake=fake_v3d_drm board=drm:v3d
# shellcheck source=tests/support/support_board.sh
. "${MISPRINT_SOURCE_DIR:?}/tests/support/support_board.sh"
lines() { printf '%s\n' "$@"; }
cases=$((20 * scale))
[ $cases -ge 500 ] || cases=500

# --- both generations equal the model in every bit, and are never taken for silicon ---
total=0
for chip in v3d42 v3d71; do
    on_board 0 FAKE_V3D_CHIP=$chip -- \
        fuzz v3d-qpu --stats --profile $chip --board drm:v3d --cases $cases --quiet
    says ' 0 different'
    says 'no silicon'
    says "Fake Raspberry Pi $([ $chip = v3d42 ] && echo 4 || echo 5)"
    compared=$(compared)
    [ "${compared:-0}" -gt $((cases / 10)) ] ||
        bad "only ${compared:-0} of $cases cases were compared on $chip"
    total=$((total + ${compared:-0}))
done

# --- injected faults are found by name ---
for deviation in v3d-pack-other-half=clears v3d-two-writers=add; do
    on_board 1 FAKE_V3D_PROFILE="v3d42,$deviation" -- fuzz v3d-qpu --stats --profile v3d42 --board drm:v3d \
        --cases $((2 * cases)) --quiet
    finds "${deviation%=*}"
done

[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
echo "board drm:v3d: $total cases equal to the model, $planted injected faults found"
