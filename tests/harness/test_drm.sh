#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests board drm end to end: the real back end and libdrm on a preloaded stand-in for the kernel's vc4
# driver (tests/devices/fake_vc4_drm.c), whose QPUs are the model's. A fault injected there must become a
# finding here, and the message for every failure must say what to do.
set -u
fake=fake_vc4_drm board=drm
# shellcheck source=tests/support/support_board.sh
. "${MISPRINT_SOURCE_DIR:?}/tests/support/support_board.sh"
lines() { printf '%s\n' "$@"; }
cases=$((60 * scale))
[ $cases -ge 600 ] || cases=600
longer=$((4 * cases)) # for injected faults
[ $longer -ge 6000 ] || longer=6000

# --- the board equals the model in every bit, and is never called silicon ---
same_as_model vc4-qpu $cases $((cases / 6))
programs=$compared

# --- look-ups in textures and in memory ---
same_as_model vc4-tmu $cases $((cases / 2))
lookups=$compared

# --- VPM block access as vertex shaders; injected faults are found by name ---
same_as_model vc4-vpm $((2 * cases)) $((cases / 6))
accesses=$compared
deviations='vpm-addr-h8=row-div-4 vpm-stride-zero=stays'
[ "${MISPRINT_INSTRUMENTED:-0}" = 1 ] ||
    deviations="$deviations vpm-addr-h16=row-div-4 vpm-addr-v8=row-div-4 vpm-addr-v16=row-div-4
        vpm-addr-vertical=row-div-4 vpm-subword-read=sign"
for deviation in $deviations; do
    on_board 1 FAKE_DRM_PROFILE="bcm2835,$deviation" -- fuzz vc4-vpm --stats --profile bcm2835 --board drm \
        --cases 3000 --seed 2 --quiet
    finds "$deviation"
    says '1 finding:'
done
strangers vc4-vpm
mv raw raw-vpm
behind_ssh vc4-vpm bcm2835 $cases 5109 # if all of a batch hangs: 511 draws of up to 10 s

# 32 vectors of all widths, in four draws; a case that hangs does not affect the others
mkdir cases
{
    printf 'misprint-case 1 vc4-vpm\nvpm fill random 77\nops {\n'
    for setup in 'v8-laned num=8 stride=5 x=9 b=2' 'h16 num=8 stride=7 y=30 h=1' \
        'v16 num=8 stride=5 yblock=1 x=2' 'h8-laned num=8 stride=30 y=3 b=3'; do
        printf '  rd_setup %s\n  nop 2\n' "$setup"
        for _ in 1 2 3 4 5 6 7 8; do echo '  read'; done
    done
    echo '}'
} >cases/wide.case
for n in 1 2 3 4 5 6; do
    lines 'misprint-case 1 vc4-vpm' 'vpm fill index' 'ops {' "  rd_setup h32 num=1 stride=1 y=$n" '  nop 2' \
        '  read' '}' >cases/$n.case
done
printf 'misprint-case 1 vc4-vpm\nops {\n  rd_setup 0x00101a2b\n  nop 2\n  read\n}\n' >cases/hangs.case
on_board 0 -- record cases --board drm -o reads.trace
says '8 outcomes'
on_board 0 -- replay reads.trace --profile bcm2835 --quiet
says '8 equal'
on_board 0 -- run cases/5.case --board drm
says 'only these rows are known'
hangs_once FAKE_DRM_FAULT=hangs-on=00101a2b bcm2835
rm -rf journal hung cases far

# Writes of all widths. A word that the setup engine might change is masked. If the engine changes other
# words, no case that writes has an outcome.
mkdir cases
n=0
for setup in 'h32 stride=1 y=5' 'h16 stride=3 y=4 h=1' 'h16-laned stride=2 y=6 h=1' 'h8 stride=5 y=7 b=2' \
    'h8-laned stride=4 y=3 b=3' \
    'v32 stride=1 yblock=0 x=14' 'v16 stride=1 yblock=0 x=2 h=1' 'v8-laned stride=7 yblock=0 x=9 b=1'; do
    n=$((n + 1))
    lines 'misprint-case 1 vc4-vpm' 'vpm fill random 77' "data fill random $n" 'ops {' "  wr_setup $setup" \
        '  write 3' '  write 31' '}' >cases/$n.case
done
for engine in keeps flushes; do
    on_board 0 FAKE_DRM_FAULT=$engine -- record cases --board drm -o writes-$engine.trace
    says '8 outcomes'
    on_board 0 -- replay writes-$engine.trace --profile bcm2835 --quiet
    says '8 equal'
done
for deviation in vpm-addr-h16=row-div-4 vpm-addr-h8=row-div-4; do
    on_board 0 FAKE_DRM_PROFILE="bcm2835,$deviation" -- record cases --board drm -o $deviation.trace
    on_board 1 -- replay $deviation.trace --profile bcm2835 --quiet --stats
    finds "$deviation"
done
on_board 3 FAKE_DRM_FAULT=rounds -- run cases/1.case --board drm
says 'with incomplete output'
on_board 0 FAKE_DRM_FAULT=rounds -- fuzz vc4-vpm --stats --profile bcm2835 --board drm --cases $cases --quiet
says ' 0 different'
[ "$(compared)" -gt 50 ] || bad 'reads need more of the setup engine than whole numbers of 16 bits'
on_board 3 FAKE_DRM_FAULT=columns -- run cases/1.case --board drm
says 'known answers) failed'
rm -rf cases
lines 'misprint-case 1 vc4-vpm' 'ops {' '  wr_setup h32 stride=1 y=3' '  write 1' \
    '  rd_setup h32 num=1 stride=1 y=3' '  nop 2' '  read' '}' >both.case
on_board 3 -- run both.case --board drm
says 'it reads and writes'
printf 'misprint-case 1 vc4-vpm\nops {\n  rd_setup v32 num=1 stride=1 yblock=3 x=0\n  nop 2\n  read\n}\n' \
    >row63.case
on_board 3 -- run row63.case --board drm
says 'attributes fill only rows 0 to 62'

# --- random bytes: no case that passes does harm, and the kernel refuses none of them ---
strangers vc4-qpu

# --- injected faults are found by name ---
for deviation in itof-truncation=manual mul24=signed; do
    clause=${deviation%=*}
    on_board 1 FAKE_DRM_PROFILE="bcm2835,$deviation" -- fuzz vc4-qpu --stats --profile bcm2835 --board drm \
        --cases $longer --quiet
    finds "$clause"
done
on_board 1 FAKE_DRM_PROFILE=bcm2835,tex-channel-order=manual -- fuzz vc4-tmu --stats --profile bcm2835 \
    --board drm --cases $cases --quiet
finds 'tex-channel-order'

# --- through ssh and the agent ---
gives_up_root
behind_ssh vc4-qpu bcm2835 $cases 5109
says 'Fake Raspberry Pi 3'

# --- what the kernel's rules refuse is refused beforehand, with the rule ---
printf 'misprint-case 1 vc4-qpu\nprogram {\n  ldi vw_addr, 0\n  nop ; end\n  nop\n  nop\n}\n' >dma.case
printf 'misprint-case 1 vc4-qpu\nprogram {\n  ldi mutex, 1\n  nop ; end\n  nop\n  nop\n}\n' >mutex.case
printf 'misprint-case 1 vc4-qpu\nprogram {\n  ldi ra1, 0xdeadbeef\n  nop ; end\n  nop\n  nop\n}\n' >plain.case
on_board 3 -- run dma.case --board drm
says 'instruction 0'
on_board 3 -- run mutex.case --board drm
says 'instruction 0'
on_board 0 -- run plain.case --board drm
says 'deadbeef'
on_board 3 FAKE_DRM_FAULT=refuses=deadbeef -- run plain.case --board drm
says 'one of the two is wrong'

# --- fragment shaders: only varyings that are the same for all pixels run on hardware ---
mkdir varyings
for n in 1 2 3 4 5 6 7 8; do
    {
        printf 'misprint-case 1 vc4-qpu\nstage = fragment\nvarying-count = %d\nra row 15 = all 3f800000\n' $n
        k=0
        while [ $k -lt $n ]; do
            printf 'varyings row %d = all 4%x49%x%xdb\n' $((2 * k + 1)) $k $n $k
            k=$((k + 1))
        done
        echo 'program {'
        while [ $k -gt 0 ]; do
            k=$((k - 1))
            printf '  fmul ra%d, varying, rb1\n  nop\n  fadd rb%d, ra15, r5\n' $k $((k + 2))
        done
        printf '  nop ; end\n  nop\n  nop\n}\n'
    } >varyings/$n.case
done
on_board 0 -- record varyings --board drm -o varyings.trace
says '8 outcomes'
on_board 0 -- replay varyings.trace --profile bcm2835 --quiet
says '8 equal'
on_board 0 -- run varyings/8.case --board drm
says 'rb 9 = all 40' # the first of the eight words, plus 1
sed 's/^varyings row 3 = .*/varyings row 3 = 1 2 3 4 5 6 7 8 9 a b c d e f 10/' varyings/2.case >pixels.case
on_board 3 -- run pixels.case --board drm
says 'varying 1 differs between elements'
sed 's/^varying-count = 2/varying-count = 3/' varyings/2.case >unread.case
on_board 3 -- run unread.case --board drm
says 'it reads 2 of 3 varyings'
sed 's/  nop ; end/  mov tlb_colour_all, r0\n&/' varyings/1.case >tile.case
on_board 3 -- run tile.case --board drm
says 'writes tlb_colour_all'

# --- a case that hangs does not affect others, and does not run twice ---
mkdir cases
for n in 1 2 3 4 5 6 7; do
    printf 'misprint-case 1 vc4-qpu\nprogram {\n  ldi r0, 0x%s\n  nop ; end\n  nop\n  nop\n}\n' $((n * 11)) \
        >cases/$n.case
done
cp plain.case cases/hangs.case
hangs_once FAKE_DRM_FAULT=hangs-on=deadbeef bcm2835

never_recovers FAKE_DRM_FAULT=never-recovers=deadbeef bcm2835

# --- a case whose command list the kernel refuses does not affect others ---
on_board 0 FAKE_DRM_FAULT=refuses-list=deadbeef -- record cases --board drm -o list.trace
says '7 outcomes'
on_board 3 FAKE_DRM_FAULT=refuses-list=deadbeef -- run plain.case --board drm
says 'refuses the command list'
on_board 0 -- replay list.trace --profile bcm2835 --quiet
says '7 equal'
on_board 3 FAKE_DRM_FAULT=refuses-list=40000000 -- record cases --board drm -o none.trace
says 'refuses the command list'

# --- every failure says what to do ---
refused FAKE_DRM_FAULT=no-device plain.case 'no render node' 'vc4-kms-v3d'
refused FAKE_DRM_FAULT=no-right plain.case 'usermod -aG render'
refused FAKE_DRM_FAULT=other-driver plain.case "/dev/dri/renderD128 has v3d"
refused FAKE_DRM_FAULT=no-v3d plain.case 'Raspberry Pi 1 to 3'
refused FAKE_DRM_FAULT=old plain.case 'too old'
refused FAKE_DRM_FAULT=no-memory plain.case 'cma='
refused FAKE_DRM_FAULT=stuck plain.case 'reboot'
refused FAKE_DRM_FAULT=in-use plain.case '/dev/dri/renderD128 is in use by another Misprint' '--jobs 1'
refused FAKE_DRM_FAULT=no-submit plain.case 'accepts no command list'
on_board 2 -- run plain.case --board drm:nonsense
says 'no such driver'
on_board 3 -- run plain.case --board drm:/dev/null
says '/dev/null is not a render node'
on_board 0 -- run plain.case --board drm:vc4:/dev/dri/renderD128
printf 'misprint-case 1 amd-buffer\n' >amd.case
on_board 2 -- run amd.case --board drm
says 'vc4-qpu, vc4-vpm, vc4-tmu'

[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
echo "board drm: $programs cases of vc4-qpu, $lookups of vc4-tmu and $accesses of vc4-vpm equal to the" \
    "model, $planted injected faults found"
