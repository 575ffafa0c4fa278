#!/bin/sh
# SPDX-License-Identifier: MIT
# Board drm:amdgpu from end to end: the real back end and the real libdrm_amdgpu, on a preloaded stand-in for
# the kernel's driver (tests/devices/fake_amdgpu.c), whose compute unit runs the programs' words. Faults
# injected there must become findings, and every error message must say what to do.
set -u
fake=fake_amdgpu board=drm:amdgpu
# shellcheck source=tests/support/support_board.sh
. "${MISPRINT_SOURCE_DIR:?}/tests/support/support_board.sh"
cases=$((40 * scale))
[ $cases -ge 500 ] || cases=500
longer=$((5 * cases)) # for injected faults
[ $longer -ge 5000 ] || longer=5000

# fuzz STATUS CHIP PROFILE NAME=VALUE... -- CASES
fuzz() {
    wanted=$1 chip=$2 profile=$3
    shift 3
    settings="FAKE_AMDGPU_CHIP=$chip"
    while [ "$1" != -- ]; do settings="$settings $1"; shift; done
    # shellcheck disable=SC2086
    on_board "$wanted" $settings -- \
        fuzz amd-buffer --stats --profile "$profile" --board drm:amdgpu --cases "$2" --quiet
}

# --- each generation equals the model in every bit, and is never taken for silicon ---
total=0
# The ids are those of Navi 31, Navi 21, Vega 10 and Polaris 10.
for pair in gfx1100=744c gfx1030=73bf gfx900=687f gfx803=67df; do
    chip=${pair%=*}
    least=$((cases / 4)) some=$cases
    # The generator makes fewer cases of the other generations.
    [ "$chip" = gfx1100 ] || { least=$((cases / 40)); some=$((2 * cases)); }
    fuzz 0 "$chip" "$chip" -- $some
    says ' 0 different'
    says 'no silicon'
    says 'Fake AMD GPU'
    says "PCI id ${pair#*=},"
    compared=$(compared)
    [ "${compared:-0}" -gt $least ] || bad "only ${compared:-0} of $some cases were compared on $chip"
    total=$((total + ${compared:-0}))
done

# --- reports name the driver's version, which the stand-in says is 3.49.0 ---
on_board 0 FAKE_AMDGPU_CHIP=gfx1100 -- \
    fuzz amd-buffer --stats --profile gfx1100 --board drm:amdgpu --cases 100 --quiet --json
says ', amdgpu 3.49.0; '

# --- injected faults are found by the name of their clause; one without a clause becomes a rule ---
faults='gfx1100,mode0-soffset=included gfx1100,identity-w=one gfx1100,stride-not-multiple=rounded-up'
# An instrumented build is many times slower, and the other chips run the same code.
[ "${MISPRINT_INSTRUMENTED:-0}" != 1 ] || faults=${faults%% *}
for fault in $faults; do
    FAKE_AMDGPU_PROFILE=$fault
    export FAKE_AMDGPU_PROFILE
    fuzz 1 gfx1100 gfx1100 -- $longer
    clause=${fault#*,}
    finds "${clause%=*}"
done
unset FAKE_AMDGPU_PROFILE
fuzz 1 gfx1100 gfx1100 FAKE_AMDGPU_PLANT=odd-atomics -- $longer
finds 'atomic.return when kind == 2 = value ^ 1'

# --- random bytes as inputs do no harm ---
strangers amd-buffer

# --- behind the agent and ssh ---
gives_up_root
behind_ssh amd-buffer gfx1100 1000 36791 # if a whole batch hangs: 511 submissions of up to 72 s
says 'Fake AMD GPU'

# --- only the case that hangs is lost, and it does not run twice ---
# write_case FILE INSTRUCTION
write_case() {
    printf 'misprint-case 1 amd-buffer\ndescriptor = raw num_records=16384\ncode {\n  %s\n}\n' "$2" >"$1"
}
mkdir cases
for n in 1 2 3 4 5 6 7; do write_case cases/$n.case "buffer_load_b32 v$n, v1, s[8:11], 0 offen"; done
hangs='buffer_load_b32 v4, v1, s[8:11], 0 offen offset:44'
write_case cases/hangs.case "$hangs"
word=$(echo "$hangs" | "$misprint" asm amd-buffer - | sed 's/[ ,].*//; s/^0x//')
for reset in queue queue-6.12 gpu gpu-older waves waves-older; do # ways of removing it from the GPU
    FAKE_AMDGPU_RESET=$reset
    export FAKE_AMDGPU_RESET
    hangs_once FAKE_AMDGPU_FAULT="hangs-on=$word" gfx1100
    rm -rf hung journal
done
unset FAKE_AMDGPU_RESET
never_recovers FAKE_AMDGPU_FAULT="never-recovers=$word" gfx1100

# --- work is submitted again after a reset that others caused; a GPU that is gone or stuck is reported ---
for waits in 0 2; do
    fuzz 0 gfx1100 gfx1100 FAKE_AMDGPU_FAULT=innocent-reset=$waits -- 1000
    says ' 0 different'
    rm -f journal
    on_board 0 FAKE_AMDGPU_FAULT=innocent-reset=$waits MISPRINT_JOURNAL="$work/journal" -- \
        run cases/1.case --board drm:amdgpu
    ! grep -q '^hang' journal || bad "the journal blames a case for a reset that others caused"
done
on_board 3 FAKE_AMDGPU_FAULT=dies-after=2 -- fuzz amd-buffer --board drm:amdgpu --cases 2000 --quiet
says 'No such device'
mkdir many
for n in $(seq 300); do cp cases/1.case "many/$n.case"; done
on_board 3 FAKE_AMDGPU_FAULT=dies-after=1 -- record many --board drm:amdgpu -o kept.trace # 256 cases a launch
says 'kept the outcomes so far: kept.trace: 256 outcomes'
says 'No such device'
on_board 0 -- replay kept.trace --profile gfx1100 --quiet
says '256 equal'

on_board 3 FAKE_AMDGPU_FAULT="stuck=$word" MISPRINT_JOURNAL="$work/stuck" -- \
    record cases --board drm:amdgpu -o stuck.trace
says 'the kernel did not reset it within 70 s; reboot the machine'
[ ! -e stuck.trace ] || bad 'a trace of a stuck GPU was written'
! grep -q '^hang' stuck || bad 'the journal blames one of several cases'
grep -q '^begin' stuck || bad 'the journal does not name the running cases'

# --- messages say what is missing, and what to do ---
refused FAKE_AMDGPU_FAULT=no-device cases/1.case 'no render node' 'AMD GPU'
refused FAKE_AMDGPU_FAULT=no-right cases/1.case 'usermod -aG render'
refused FAKE_AMDGPU_FAULT=other-driver cases/1.case 'has i915'
refused FAKE_AMDGPU_FAULT=no-memory cases/1.case 'allocating GPU memory'
refused FAKE_AMDGPU_FAULT=no-rings cases/1.case 'no compute ring'
refused FAKE_AMDGPU_FAULT=in-use cases/1.case '/dev/dri/renderD128 is in use by another Misprint' '--jobs 1'
refused FAKE_AMDGPU_FAULT=no-guards cases/1.case 'guards'
refused FAKE_AMDGPU_CHIP=gfx1010 cases/1.case 'RDNA 1' 'GFX10.3'
refused FAKE_AMDGPU_CHIP=gfx1013 cases/1.case 'Cyan Skillfish'
refused FAKE_AMDGPU_CHIP=gfx802 cases/1.case 'Tonga' '96 SGPRs'
on_board 3 -- run cases/1.case --board drm:amdgpu:/dev/dri/renderD140
says '/dev/dri/renderD140'
printf 'misprint-case 1 vc4-qpu\nprogram {\n  nop ; end\n  nop\n  nop\n}\n' >qpu.case
on_board 2 -- run qpu.case --board drm:amdgpu
says 'amd-buffer'

[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
echo "board drm:amdgpu: $total cases equal to the model, $planted injected faults found"
