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
few=1000 # enough for each injected fault

# What programs may break on a board works on the stand-in, and no source says so.
works=
for clause in sfu-r4 immediate-unused rtop-thrsw rot-early rot-destination rf0-at-thrsw one-peripheral \
    unifa-delay uniform-in-branch-slot; do
    works=$works,v3d-$clause=works
done

# --- both generations equal the model in every bit, and are never taken for silicon ---
total=0
for chip in v3d42 v3d71; do
    on_board 0 FAKE_V3D_CHIP=$chip -- \
        fuzz v3d-qpu --stats --profile "$chip$works" --board drm:v3d --cases $cases --quiet
    says ' 0 different'
    says 'no silicon'
    says "Fake Raspberry Pi $([ $chip = v3d42 ] && echo 4 || echo 5)"
    compared=$(compared)
    [ "${compared:-0}" -gt $((cases / 2)) ] ||
        bad "only ${compared:-0} of $cases cases were compared on $chip"
    total=$((total + ${compared:-0}))
done

# --- injected faults are found by name ---
for deviation in v3d-pack-other-half=clears v3d-two-writers=add; do
    on_board 1 FAKE_V3D_PROFILE="v3d42,$deviation" -- \
        fuzz v3d-qpu --stats --profile "v3d42$works" --board drm:v3d --cases $few --quiet
    finds "${deviation%=*}"
done

# --- what happens if a program breaks a restriction is learned: by asking, and in a campaign ---
learn() { # CHIP CLAUSE READING
    on_board 0 FAKE_V3D_CHIP="$1" FAKE_V3D_PROFILE="$1,v3d-$2=$3" -- \
        adjudicate "v3d-$2" --profile "$1" --board drm:v3d
    says "v3d-$2  $3  certain"
}
learn v3d42 rot-early works
learn v3d42 thrsw-spacing works
learn v3d42 one-peripheral works
for chip in v3d42 v3d71; do
    for clause in unifa-delay unifa-branch uniform-in-branch-slot; do learn $chip $clause works; done
done
for clause in immediate-unused rtop-thrsw rot-destination rf0-at-thrsw; do learn v3d71 $clause works; done
known=$(printf '%s' "$works" | sed 's/,v3d-sfu-r4=works//; s/,v3d-rot-early=works//')
on_board 1 FAKE_V3D_PROFILE=v3d42,v3d-sfu-r4=stalls -- \
    fuzz v3d-qpu --stats --profile "v3d42$known" --board drm:v3d --cases $few --quiet
finds 'v3d-sfu-r4=stalls'
finds 'v3d-rot-early=works'

# --- the questions that are worth most have certain answers ---
# answers CERTAIN OPEN: at least so many are certain, and at most so many open
answers() {
    sed -n 's/^\([0-9]*\) certain, .* \([0-9]*\) open, .*/\1 \2/p' out >answers
    read -r certain open <answers
    [ "${certain:-0}" -ge "$1" ] || bad "only ${certain:-no} certain answers, not $1"
    [ "${open:-99}" -le "$2" ] || bad "${open:-99} open answers, not $2"
}
on_board 0 FAKE_V3D_CHIP=v3d71 -- adjudicate raspberry-pi-4-5 --profile v3d71 --board drm:v3d
answers 49 4
on_board 0 -- adjudicate raspberry-pi-4-5 --profile v3d42 --board drm:v3d --record pi.trace
answers 44 0
says 'lane-1: Lane 1 gives the address.'
on_board 0 -- adjudicate raspberry-pi-4-5 --profile v3d42 --board trace:pi.trace
answers 44 0

# --- several batches: all run, the first one's registers count, and a barrier orders them ---
# Each lane of each batch adds 1 to a word. After the barrier the first batch loads what both have left.
batches() { # GENERATION LAUNCH...
    lines 'misprint-case 1 v3d-qpu' "generation = $1" 'start = 0' 'memory fill zero' 'rf row 11 = all 1'
    shift
    lines "$@" 'uniforms {' '  @200' '  ffffff87' '}' 'program {' '  nop ; nop ; ldunifrf.rf6' \
        '  eidx rf9 ; nop ; ldunifrf.rf10' '  nop' '  shl rf9, rf9, 2' '  nop' '  add rf6, rf6, rf9' \
        '  mov tmuc, rf10' '  mov tmud, rf11' '  mov tmua, rf6' '  nop ; nop ; ldtmu.rf7' '  tmuwt -' \
        "  $barrier" '  nop' '  nop' '  mov tmua, rf6' '  nop ; nop ; ldtmu.rf7' '  nop ; nop ; thrsw' \
        '  nop ; nop ; thrsw' '  nop' '  nop' '  nop ; nop ; thrsw' '  nop' '  nop' '}'
}
for chip in v3d42 v3d71; do
    barrier='barrierid syncb ; nop ; thrsw'
    batches $chip 'group = 0x1120' 'batches = 2' >barrier.case
    on_board 0 FAKE_V3D_CHIP=$chip -- run barrier.case --board drm:v3d
    says 'memory 8 = all 00000002'
    says 'rf 7 = all 00000002'
    says 'rf 2 = 00000000 04000000'
    barrier='nop ; nop ; thrsw'
    batches $chip 'group = 0x1120' 'batches = 2' >race.case
    on_board 3 FAKE_V3D_CHIP=$chip -- run race.case --board drm:v3d
    says 'depends on the order of its batches'
done
# A GPU that starts another batch, and one that gives workgroups other numbers
on_board 0 FAKE_V3D_CHIP=v3d71 FAKE_V3D_PROFILE=v3d71,v3d-batches=from-0 -- \
    adjudicate v3d-batches --profile v3d71 --board drm:v3d
says 'v3d-batches  from-0  certain'
on_board 0 FAKE_V3D_PROFILE=v3d42,v3d-groups-16=one -- \
    adjudicate v3d-groups-16 --profile v3d42 --board drm:v3d
says 'v3d-groups-16  one  certain'

# --- random bytes as inputs do no harm ---
strangers v3d-qpu

# --- behind the agent and ssh ---
gives_up_root
behind_ssh v3d-qpu "v3d42$works" $cases 61000 # if all of a batch hangs: 1022 launches of up to 60 s
says 'Fake Raspberry Pi 4'

# --- a case that hangs does not affect others, and does not run twice ---
mkdir cases
for n in 1 2 3 4 5 6 7 deadbeef; do
    lines 'misprint-case 1 v3d-qpu' "uniforms { $n }" 'program {' '  nop ; nop ; ldunifrf.rf5' \
        '  nop ; nop ; thrsw' '  nop' '  nop' '}' >cases/$n.case
done
mv cases/deadbeef.case cases/hangs.case
cp cases/hangs.case plain.case
hangs_once FAKE_V3D_FAULT=hangs-on=deadbeef v3d42
never_recovers FAKE_V3D_FAULT=never-recovers=deadbeef v3d42
rm -f journal
on_board 0 FAKE_V3D_COUNTS=0 FAKE_V3D_FAULT=hangs-on=deadbeef -- run plain.case --board drm:v3d
says 'end = hang'
on_board 1 FAKE_V3D_COUNTS=0 FAKE_V3D_FAULT=hangs-on=deadbeef -- \
    replay plain.case --profile v3d42 --board drm:v3d --campaign uncounted
grep -q ', [1-9][0-9]* resets of the GPU, 0 of them by other programs' uncounted/log.txt ||
    bad 'a hang without counters is not in the log as a reset'
rm -f journal

# --- lost results, wrong answers, programs that leave their memory ---
on_board 3 FAKE_V3D_FAULT=lost-stamp=deadbeef -- run plain.case --board drm:v3d
says 'with incomplete output'
on_board 0 FAKE_V3D_FAULT=lost-stamp=deadbeef -- record cases --board drm:v3d -o lost.trace
says '7 outcomes'
on_board 3 FAKE_V3D_FAULT=wrong-first -- run plain.case --board drm:v3d
says 'known answers) failed'
on_board 3 FAKE_V3D_FAULT=wild=deadbeef -- run plain.case --board drm:v3d
says 'wrote beside the memory of the case'
on_board 0 FAKE_V3D_FAULT=wild=deadbeef -- record cases --board drm:v3d -o wild.trace
says '7 outcomes'

# --- signals, and resets that other programs cause, change nothing ---
for fault in interrupted innocent-reset; do
    on_board 0 FAKE_V3D_FAULT=$fault -- \
        fuzz v3d-qpu --stats --profile "v3d42$works" --board drm:v3d --cases $cases --quiet --campaign $fault
    says ' 0 different'
done
grep -q ', \([1-9][0-9]*\) resets of the GPU, \1 of them by other programs' innocent-reset/log.txt ||
    bad 'resets by other programs are not in the log'

# --- what a board cannot run is refused, with the reason ---
for row in 'batches = 17:the board lacks batches>16' 'workgroups-y = 0x20000:in x only, not in y or z' \
    'group = 0x108:workgroups of 16, 32' 'workgroups-x = 0x20000:fewer batches than its workgroups'; do
    sed "s/^program/${row%%:*}\n&/" plain.case >launch.case
    on_board 3 -- run launch.case --board drm:v3d
    says "${row#*:}"
done
on_board 3 FAKE_V3D_CHIP=v3d71 -- run plain.case --board drm:v3d
says 'the board lacks generation=v3d42'
sed 's/ldunifrf.rf5/ldunifrf.tmua/' plain.case >wild.case
on_board 3 -- run wild.case --board drm:v3d
says 'static proof: instruction 0'

# --- messages say what is missing, and what to do ---
refused FAKE_V3D_FAULT=no-device plain.case 'no render node' 'Raspberry Pi 4 or 5'
refused FAKE_V3D_FAULT=no-right plain.case 'usermod -aG render'
refused FAKE_V3D_FAULT=other-driver plain.case '/dev/dri/renderD128 has vc4'
refused FAKE_V3D_FAULT=no-csd plain.case 'too old' 'Linux 5.4 or later'
refused FAKE_V3D_FAULT=other-chip plain.case 'V3D 3.2' 'Raspberry Pi 4'
refused FAKE_V3D_FAULT=no-memory plain.case 'Cannot allocate memory' 'end other programs'
refused FAKE_V3D_FAULT=no-submit plain.case 'starts no compute job' 'end other programs'
refused FAKE_V3D_FAULT=stuck plain.case 'restart the board'
refused FAKE_V3D_FAULT=in-use plain.case '/dev/dri/renderD128 is in use by another Misprint' '--jobs 1'
printf 'misprint-case 1 vc4-qpu\nprogram {\n  nop ; end\n  nop\n  nop\n}\n' >qpu.case
on_board 2 -- run qpu.case --board drm:v3d
says 'v3d-qpu'

[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
echo "board drm:v3d: $total cases equal to the model, $planted injected faults found"
