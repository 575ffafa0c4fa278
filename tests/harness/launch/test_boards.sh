#!/bin/sh
# SPDX-License-Identifier: MIT
# Each board on its preloaded stand-in, in a second: some hundred generated cases of each unit, none of which
# differs from the model, and some cases around what a shader holds. test_drm.sh, test_amdgpu.sh and
# test_mailbox.sh do much more.
set -u
fake=fake_vcio board=mailbox
# shellcheck source=tests/support/support_board.sh
. "${MISPRINT_SOURCE_DIR:?}/tests/support/support_board.sh"
total=0

# all_equal FAKE BOARD UNIT PROFILE CASES LEAST: more than LEAST cases are compared, and all are equal
all_equal() {
    fake=$1 board=$2
    library=$MISPRINT_BUILD_DIR/tests/$fake.so
    [ -f "$library" ] || { echo "skipped: $fake.so was not built"; return; }
    on_board 0 -- fuzz "$3" --stats --profile "$4" --board "$board" --cases "$5" --seed 3 --quiet
    says ' 0 different'
    compared=$(compared)
    [ "${compared:-0}" -gt "$6" ] || bad "only ${compared:-0} of $5 cases of $3 were compared on $board"
    total=$((total + ${compared:-0}))
}

all_equal fake_vcio mailbox vc4-qpu bcm2835 200 40
all_equal fake_vcio mailbox vc4-vpm bcm2835 200 20
# A cell of the property `ranges` is a big-endian u32 (Devicetree Specification 2.2.4 and 2.3.8). All boards
# have zeros in its two lower bytes, so this one is invented.
if [ "$(uname -m)" = x86_64 ]; then # elsewhere the stand-in cannot see accesses to registers
    FAKE_VCIO_SYSTEM=moved
    export FAKE_VCIO_SYSTEM
    all_equal fake_vcio mailbox:registers vc4-qpu bcm2835 100 20
    unset FAKE_VCIO_SYSTEM
fi
all_equal fake_vc4_drm drm vc4-qpu bcm2835 200 40
all_equal fake_vc4_drm drm vc4-vpm bcm2835 300 20
all_equal fake_vc4_drm drm vc4-tmu bcm2835 200 80
all_equal fake_amdgpu drm:amdgpu amd-buffer gfx1100 200 50

[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
echo "boards: $total cases equal to the model"
