#!/bin/sh
# SPDX-License-Identifier: MIT
# Board drm from end to end: the real back end and libdrm on a preloaded stand-in for the kernel's vc4 driver (tests/fake_vc4_drm.c),
# behind which the model's QPUs draw. Deviations planted there must come out as findings here; every fault must be told with what to do.
set -u
misprint=${MISPRINT:?}
fake=$MISPRINT_BUILD_DIR/tests/fake_vc4_drm.so
[ -f "$fake" ] || { echo 'no fake_vc4_drm.so was built: there is no libdrm'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0:${ASAN_OPTIONS:-}"
failures=0
scale=${MISPRINT_TEST_SCALE:-100}
cases=$((60 * scale))
[ $cases -ge 1500 ] || cases=1500

bad() { printf 'FAILED: %s\n' "$*"; [ ! -f out ] || tail -n 30 out; failures=$((failures + 1)); }

# on_pi STATUS NAME=VALUE... -- WORDS...: the command on the stand-in ends with this status; what it prints is in ./out
on_pi() {
    wanted=$1
    shift
    settings=
    while [ "$1" != -- ]; do settings="$settings $1"; shift; done
    shift
    status=0
    # shellcheck disable=SC2086 # a list of settings, on purpose
    env $settings LD_PRELOAD="$fake" "$misprint" "$@" >out 2>&1 || status=$?
    [ $status -eq "$wanted" ] || bad "status $status instead of $wanted:$settings misprint $*"
}
says() { grep -qF -- "$1" out || bad "no '$1' in what it says"; }

# --- the same as the model, in every case and bit; and never silicon ------------------------------------------------------------
on_pi 0 -- fuzz vc4-qpu --profile bcm2835 --board drm --cases $cases --quiet
says ' 0 different'
says 'no silicon'
says 'Fake Raspberry Pi 3'
grep -q '^fake_vc4_drm' out && bad 'the stand-in met what it does not expect'
compared=$(sed -n 's/.* cases, \([0-9]*\) compared.*/\1/p' out)
[ "${compared:-0}" -gt $((cases / 6)) ] || bad "only ${compared:-0} of $cases cases were compared"

# --- look-ups in textures and in memory ------------------------------------------------------------------------------------------
on_pi 0 -- fuzz vc4-tmu --profile bcm2835 --board drm --cases $cases --quiet
says ' 0 different'
grep -q '^fake_vc4_drm' out && bad 'the stand-in met what it does not expect'
lookups=$(sed -n 's/.* cases, \([0-9]*\) compared.*/\1/p' out)
[ "${lookups:-0}" -gt $((cases / 2)) ] || bad "only ${lookups:-0} of $cases cases of vc4-tmu were compared"

# --- bytes of a stranger: nothing that is let pass does harm, and nothing that is let pass is refused by the kernel ---------------
mkdir raw
n=0
while [ $n -lt 60 ]; do
    n=$((n + 1))
    awk -v seed=$n 'BEGIN { srand(seed); for (i = 0; i < 600; i++) printf "%c", int(rand() * 255) + 1 }' >raw/$n
done
env LD_PRELOAD="$fake" "$misprint" replay raw --unit vc4-qpu --board drm --quiet >out 2>&1
[ $? -le 3 ] || bad 'random bytes end the command'
grep -q '^fake_vc4_drm' out && bad 'random bytes reached the QPUs'

# --- planted deviations come out by name ---------------------------------------------------------------------------------------
for deviation in itof-truncation=manual mul24=signed; do
    clause=${deviation%=*}
    on_pi 1 FAKE_DRM_PROFILE="bcm2835,$deviation" -- fuzz vc4-qpu --profile bcm2835 --board drm --cases $((4 * cases)) --quiet
    says "$clause"
done
on_pi 1 FAKE_DRM_PROFILE=bcm2835,tex-channel-order=manual -- fuzz vc4-tmu --profile bcm2835 --board drm --cases $cases --quiet
says 'tex-channel-order'

# --- behind the agent, behind ssh: the whole way ---------------------------------------------------------------------------------
status=0
MISPRINT_SSH="sh -c 'exec sh -c \"\$2\"'" MISPRINT_AGENT="LD_PRELOAD='$fake' exec '$misprint' agent --board drm" \
    "$misprint" fuzz vc4-qpu --profile bcm2835 --board ssh:pi --cases $cases --quiet >out 2>&1 || status=$?
[ $status -eq 0 ] || bad "status $status behind ssh"
says ' 0 different'
says 'Fake Raspberry Pi 3'

# --- what the kernel's rules are against is refused beforehand, with the rule -------------------------------------------------------
printf 'misprint-case 1 vc4-qpu\nprogram {\n  ldi vw_addr, 0\n  nop ; end\n  nop\n  nop\n}\n' >dma.case
printf 'misprint-case 1 vc4-qpu\nprogram {\n  ldi mutex, 1\n  nop ; end\n  nop\n  nop\n}\n' >mutex.case
printf 'misprint-case 1 vc4-qpu\nprogram {\n  ldi ra1, 0xdeadbeef\n  nop ; end\n  nop\n  nop\n}\n' >plain.case
on_pi 3 -- run dma.case --board drm
says 'instruction 0'
on_pi 3 -- run mutex.case --board drm
says 'instruction 0'
on_pi 0 -- run plain.case --board drm
says 'deadbeef'
on_pi 3 FAKE_DRM_FAULT=refuses=deadbeef -- run plain.case --board drm
says 'one of the two is wrong'

# --- a case that hangs costs only itself, and does not run twice -------------------------------------------------------------------
mkdir cases
for n in 1 2 3 4 5 6 7; do
    printf 'misprint-case 1 vc4-qpu\nprogram {\n  ldi r0, 0x%s\n  nop ; end\n  nop\n  nop\n}\n' $((n * 11)) >cases/$n.case
done
cp plain.case cases/hangs.case
for round in 1 2; do
    on_pi 0 FAKE_DRM_FAULT=hangs-on=deadbeef MISPRINT_JOURNAL="$work/journal" -- record cases --board drm -o hang.trace
    says '8 outcomes'
    [ "$(grep -c hang journal)" -eq 1 ] || bad "round $round: the journal does not know the hanging case"
done
on_pi 1 -- replay hang.trace --profile bcm2835 --quiet
says '7 equal, 1 different'

# --- what stands in the way is said, with the way out ---------------------------------------------------------------------------------
refused() {
    setting=$1
    shift
    on_pi 3 "$setting" -- run plain.case --board drm
    for words in "$@"; do says "$words"; done
}
refused FAKE_DRM_FAULT=no-device 'no render node' 'vc4-kms-v3d'
refused FAKE_DRM_FAULT=no-right 'usermod -aG render'
refused FAKE_DRM_FAULT=other-driver "/dev/dri/renderD128 is v3d's"
refused FAKE_DRM_FAULT=no-v3d 'Raspberry Pi 1 to 3'
refused FAKE_DRM_FAULT=old 'too old'
refused FAKE_DRM_FAULT=no-memory 'cma='
refused FAKE_DRM_FAULT=stuck 'reboot'
refused FAKE_DRM_FAULT=no-submit 'takes no command list'
on_pi 2 -- run plain.case --board drm:nonsense
says 'no such driver'
on_pi 3 -- run plain.case --board drm:/dev/null
says '/dev/null is no render node'
on_pi 0 -- run plain.case --board drm:vc4:/dev/dri/renderD128
printf 'misprint-case 1 vc4-vpm\n' >vpm.case
on_pi 2 -- run vpm.case --board drm
says 'vc4-qpu, vc4-tmu'

[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
echo "board drm: $compared cases of vc4-qpu and $lookups of vc4-tmu equal to the model, 3 planted deviations found"
