#!/bin/sh
# SPDX-License-Identifier: MIT
# Board drm:amdgpu from end to end: the real back end, through the real libdrm_amdgpu, on a preloaded stand-in for the kernel's driver
# (tests/fake_amdgpu.c), whose compute unit runs the programs' words. Deviations planted there must come out as findings here; every
# fault must be told with what to do.
set -u
misprint=${MISPRINT:?}
fake=$MISPRINT_BUILD_DIR/tests/fake_amdgpu.so
[ -f "$fake" ] || { echo 'no fake_amdgpu.so was built (no libdrm_amdgpu)'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0:${ASAN_OPTIONS:-}"
failures=0
scale=${MISPRINT_TEST_SCALE:-100}
cases=$((40 * scale))
[ $cases -ge 1000 ] || cases=1000

bad() { printf 'FAILED: %s\n' "$*"; [ ! -f out ] || tail -n 30 out; failures=$((failures + 1)); }

# on_gpu STATUS NAME=VALUE... -- WORDS...: the command on the stand-in ends with this status; what it prints is in ./out
on_gpu() {
    wanted=$1
    shift
    settings=
    while [ "$1" != -- ]; do settings="$settings $1"; shift; done
    shift
    status=0
    # shellcheck disable=SC2086 # a list of settings, on purpose
    env $settings LD_PRELOAD="$fake" "$misprint" "$@" >out 2>&1 || status=$?
    [ $status -eq "$wanted" ] || bad "status $status instead of $wanted:$settings misprint $*"
    grep -q '^fake_amdgpu' out && bad "a program that was let pass did not end well:$settings misprint $*"
}
says() { grep -qF -- "$1" out || bad "no '$1' in what it says"; }

# fuzz STATUS CHIP PROFILE NAME=VALUE... -- CASES
fuzz() {
    wanted=$1 chip=$2 profile=$3
    shift 3
    settings="FAKE_AMDGPU_CHIP=$chip"
    while [ "$1" != -- ]; do settings="$settings $1"; shift; done
    # shellcheck disable=SC2086
    on_gpu "$wanted" $settings -- fuzz amd-buffer --profile "$profile" --board drm:amdgpu --cases "$2" --quiet
}

# --- the same as the model, in every case and bit, in each generation; and never silicon ------------------------------------------
total=0
for pair in gfx1100=gfx1100 gfx1030=manual gfx900=gfx900 gfx803=gfx803; do
    chip=${pair%=*}
    least=$((cases / 4)) some=$cases
    [ "$chip" = gfx1100 ] || { least=$((cases / 40)); some=$((2 * cases)); } # the generator makes fewer cases of the others
    fuzz 0 "$chip" "${pair#*=}" -- $some
    says ' 0 different'
    says 'no silicon'
    says 'Fake AMD GPU'
    compared=$(sed -n 's/.* cases, \([0-9]*\) compared.*/\1/p' out)
    [ "${compared:-0}" -gt $least ] || bad "only ${compared:-0} of $some cases were compared on $chip"
    total=$((total + ${compared:-0}))
done

# --- planted deviations come out by name, and one that no reading tells, as one -----------------------------------------------------
deviations='gfx1100,mode0-soffset=manual gfx1100,identity-w=one gfx1100,stride-not-multiple=rounded-up'
[ "${MISPRINT_INSTRUMENTED:-0}" != 1 ] || deviations=${deviations%% *} # many times slower, and no other code
for deviation in $deviations; do
    FAKE_AMDGPU_PROFILE=$deviation
    export FAKE_AMDGPU_PROFILE
    fuzz 1 gfx1100 gfx1100 -- $((3 * cases))
    clause=${deviation#*,}
    says "${clause%=*}"
done
unset FAKE_AMDGPU_PROFILE
fuzz 1 gfx1100 gfx1100 FAKE_AMDGPU_PLANT=odd-atomics -- $((5 * cases))
says 'unexplained'

# --- bytes of a stranger: nothing that is let pass does harm ------------------------------------------------------------------------
mkdir raw
n=0
while [ $n -lt 60 ]; do
    n=$((n + 1))
    awk -v seed=$n 'BEGIN { srand(seed); for (i = 0; i < 600; i++) printf "%c", int(rand() * 255) + 1 }' >raw/$n
done
env LD_PRELOAD="$fake" "$misprint" replay raw --unit amd-buffer --board drm:amdgpu --quiet >out 2>&1
[ $? -le 3 ] || bad 'random bytes end the command'
grep -q '^fake_amdgpu' out && bad 'random bytes reached the GPU'

# --- behind the agent, behind ssh ------------------------------------------------------------------------------------------------------
status=0
MISPRINT_SSH="sh -c 'exec sh -c \"\$2\"'" MISPRINT_AGENT="LD_PRELOAD='$fake' exec '$misprint' agent --board drm:amdgpu" \
    "$misprint" fuzz amd-buffer --profile gfx1100 --board ssh:gpu --cases 1000 --quiet >out 2>&1 || status=$?
[ $status -eq 0 ] || bad "status $status behind ssh"
says ' 0 different'
says 'Fake AMD GPU'

# --- a case that hangs costs only itself, and does not run twice --------------------------------------------------------------------
mkdir cases
for n in 1 2 3 4 5 6 7; do
    printf 'misprint-case 1 amd-buffer\ndescriptor = raw num_records=16384\ncode {\n  buffer_load_b32 v%d, v1, s[8:11], 0 offen\n}\n' $n >cases/$n.case
done
printf 'misprint-case 1 amd-buffer\ndescriptor = raw num_records=16384\ncode {\n  buffer_load_b32 v4, v1, s[8:11], 0 offen offset:44\n}\n' >cases/hangs.case
word=$(echo 'buffer_load_b32 v4, v1, s[8:11], 0 offen offset:44' | "$misprint" asm amd-buffer - | sed 's/[ ,].*//; s/^0x//')
for round in 1 2; do
    on_gpu 0 FAKE_AMDGPU_FAULT="hangs-on=$word" MISPRINT_JOURNAL="$work/journal" -- record cases --board drm:amdgpu -o hang.trace
    says '8 outcomes'
    [ "$(grep -c hang journal)" -eq 1 ] || bad "round $round: the journal does not know the hanging case"
done
on_gpu 1 -- replay hang.trace --profile gfx1100 --quiet
says '7 equal, 1 different'

# --- a GPU that others have reset takes the work again; one that dies, or stays stuck, is told of ------------------------------------
fuzz 0 gfx1100 gfx1100 FAKE_AMDGPU_FAULT=innocent-reset -- 1000
says ' 0 different'
on_gpu 3 FAKE_AMDGPU_FAULT=dies-after=2 -- fuzz amd-buffer --board drm:amdgpu --cases 2000 --quiet
says 'No such device'

# --- what stands in the way is said, with the way out ---------------------------------------------------------------------------------
refused() {
    setting=$1
    shift
    on_gpu 3 "$setting" -- run cases/1.case --board drm:amdgpu
    for words in "$@"; do says "$words"; done
}
refused FAKE_AMDGPU_FAULT=no-device 'no render node' 'AMD GPU'
refused FAKE_AMDGPU_FAULT=no-right 'usermod -aG render'
refused FAKE_AMDGPU_FAULT=other-driver "i915's"
refused FAKE_AMDGPU_FAULT=no-memory 'allocating GPU memory'
refused FAKE_AMDGPU_FAULT=no-rings 'no compute ring'
refused FAKE_AMDGPU_FAULT=no-guards 'guards'
refused FAKE_AMDGPU_CHIP=gfx1010 'RDNA 1' 'GFX10.3'
on_gpu 3 -- run cases/1.case --board drm:amdgpu:/dev/dri/renderD140
says '/dev/dri/renderD140'
printf 'misprint-case 1 vc4-qpu\nprogram {\n  nop ; end\n  nop\n  nop\n}\n' >qpu.case
on_gpu 2 -- run qpu.case --board drm:amdgpu
says 'amd-buffer'

[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
echo "board drm:amdgpu: $total cases equal to the model, 4 planted deviations found"
