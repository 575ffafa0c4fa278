#!/bin/sh
# SPDX-License-Identifier: MIT
# Board mailbox from end to end: the real back end on a preloaded stand-in for the Raspberry Pi's kernel and firmware
# (tests/fake_vcio.c), whose QPUs are the model's machine. Deviations planted there must come out as findings here; every fault must
# be told with what to do.
set -u
misprint=${MISPRINT:?}
fake=$MISPRINT_BUILD_DIR/tests/fake_vcio.so
[ -f "$fake" ] || { echo 'no fake_vcio.so was built'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0:${ASAN_OPTIONS:-}"
failures=0
scale=${MISPRINT_TEST_SCALE:-100}
cases=$((60 * scale))
[ $cases -ge 1000 ] || cases=1000

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
on_pi 0 -- fuzz vc4-qpu --profile bcm2835 --board mailbox --cases $cases --quiet
says ' 0 different'
says 'no silicon'
says 'Fake Raspberry Pi 3'
grep -q '^fake_vcio' out && bad 'a program that was let pass did not end well'
compared=$(sed -n 's/.* cases, \([0-9]*\) compared.*/\1/p' out)
[ "${compared:-0}" -gt $((cases / 5)) ] || bad "only ${compared:-0} of $cases cases were compared"

# --- accesses of the VPM alone, as programs ---------------------------------------------------------------------------------------
on_pi 0 -- fuzz vc4-vpm --profile bcm2835 --board mailbox --cases $cases --quiet
says ' 0 different'
on_pi 1 FAKE_VCIO_PROFILE=bcm2835,vpm-addr-h8=row-div-4 -- fuzz vc4-vpm --profile bcm2835 --board mailbox --cases $((4 * cases)) --quiet
says 'vpm-addr-h8'

# --- bytes of a stranger: nothing that is let pass does harm ----------------------------------------------------------------------
mkdir raw
n=0
while [ $n -lt 60 ]; do
    n=$((n + 1))
    awk -v seed=$n 'BEGIN { srand(seed); for (i = 0; i < 600; i++) printf "%c", int(rand() * 255) + 1 }' >raw/$n
done
env LD_PRELOAD="$fake" "$misprint" replay raw --unit vc4-qpu --board mailbox --quiet >out 2>&1
[ $? -le 3 ] || bad 'random bytes end the command'
grep -q '^fake_vcio' out && bad 'random bytes reached the QPUs'

# --- planted deviations come out by name ---------------------------------------------------------------------------------------
for deviation in itof-truncation=manual vpm-addr-h8=row-div-4 mul24=signed; do
    clause=${deviation%=*}
    on_pi 1 FAKE_VCIO_PROFILE="bcm2835,$deviation" -- fuzz vc4-qpu --profile bcm2835 --board mailbox --cases $((4 * cases)) --quiet
    says "$clause"
done

# --- by the V3D's registers, without the firmware -----------------------------------------------------------------------------------
if [ "$(uname -m)" = x86_64 ]; then # elsewhere the stand-in does not see what is written to a register
    on_pi 0 -- fuzz vc4-qpu --profile bcm2835 --board mailbox:registers --cases $cases --quiet
    says ' 0 different'
    grep -q '^fake_vcio' out && bad 'the registers were not used as they want it'
    on_pi 1 FAKE_VCIO_PROFILE=bcm2835,itof-truncation=manual -- fuzz vc4-qpu --profile bcm2835 --board mailbox:registers --cases $((4 * cases)) --quiet
    says 'itof-truncation'
else
    echo "skipped on $(uname -m): mailbox:registers"
fi

# --- behind the agent, behind ssh: the whole way ---------------------------------------------------------------------------------
status=0
MISPRINT_SSH="sh -c 'exec sh -c \"\$2\"'" MISPRINT_AGENT="LD_PRELOAD='$fake' exec '$misprint' agent --board mailbox" \
    "$misprint" fuzz vc4-qpu --profile bcm2835 --board ssh:pi --cases $cases --quiet >out 2>&1 || status=$?
[ $status -eq 0 ] || bad "status $status behind ssh"
says ' 0 different'
says 'Fake Raspberry Pi 3'

# --- a case that hangs costs only itself, and does not run twice -------------------------------------------------------------------
mkdir cases
for n in 1 2 3 4 5 6 7; do
    printf 'misprint-case 1 vc4-qpu\nprogram {\n  ldi r0, 0x%s\n  nop ; end\n  nop\n  nop\n}\n' $((n * 11)) >cases/$n.case
done
printf 'misprint-case 1 vc4-qpu\nprogram {\n  ldi ra1, 0xdeadbeef\n  nop ; end\n  nop\n  nop\n}\n' >cases/hangs.case
for round in 1 2; do
    on_pi 0 FAKE_VCIO_FAULT=hangs-on=deadbeef MISPRINT_JOURNAL="$work/journal" -- record cases --board mailbox -o hang.trace
    says '8 outcomes'
    [ "$(grep -c hang journal)" -eq 1 ] || bad "round $round: the journal does not know the hanging case"
done
[ "$(grep -c '^begin' journal)" -eq 7 ] || bad 'the second round ran the hanging case again'
on_pi 1 -- replay hang.trace --profile bcm2835 --quiet
says '7 equal, 1 different'
if [ "$(uname -m)" = x86_64 ]; then
    on_pi 0 FAKE_VCIO_FAULT=hangs-on=deadbeef -- record cases --board mailbox:registers -o registers.trace
    says '8 outcomes'
    on_pi 1 -- replay registers.trace --profile bcm2835 --quiet
    says '7 equal, 1 different'
fi

# --- a machine that dies in the middle: the next run knows what was running --------------------------------------------------------
rm -f journal
on_pi 3 FAKE_VCIO_FAULT=dies-after=2 -- fuzz vc4-qpu --board mailbox --cases 2000 --quiet
says 'the firmware answers no more'
printf 'begin %s\n' 0123456789abcdef >journal # one case was running when the power went
on_pi 0 MISPRINT_JOURNAL="$work/journal" -- run cases/1.case --board mailbox
grep -q 'hang 0123456789abcdef' journal || bad 'the case that was running at the crash is not kept from running again'

# --- what stands in the way is said, with the way out ---------------------------------------------------------------------------------
refused() {
    setting=$1
    shift
    on_pi 3 "$setting" -- run cases/1.case --board mailbox
    for words in "$@"; do says "$words"; done
}
refused FAKE_VCIO_SYSTEM=kms 'vc4-kms-v3d' 'config.txt'
refused FAKE_VCIO_SYSTEM=pi4 'VideoCore VI'
refused FAKE_VCIO_SYSTEM=none 'no Raspberry Pi'
refused FAKE_VCIO_FAULT=no-device '/dev/vcio' 'Raspberry Pi OS'
refused FAKE_VCIO_FAULT=no-right 'sudo'
refused FAKE_VCIO_FAULT=no-memory 'gpu_mem'
refused FAKE_VCIO_FAULT=no-enable 'does not enable'
on_pi 2 -- run cases/1.case --board mailbox:nonsense
says 'mailbox:registers'

[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
echo "board mailbox: $compared cases equal to the model, 3 planted deviations found"
