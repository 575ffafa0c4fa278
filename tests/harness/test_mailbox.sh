#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests board mailbox end to end: the real back end on a preloaded stand-in for the Raspberry Pi's kernel
# and firmware (tests/devices/fake_vcio.c), whose QPUs are the model's. A fault injected there must become a
# finding here, and the message for every failure must say what to do.
set -u
fake=fake_vcio board=mailbox
# shellcheck source=tests/support/support_board.sh
. "${MISPRINT_SOURCE_DIR:?}/tests/support/support_board.sh"
cases=$((60 * scale))
[ $cases -ge 600 ] || cases=600
longer=$((4 * cases)) # for injected faults
[ $longer -ge 4000 ] || longer=4000

# --- the board equals the model in every bit, and is never called silicon ---
same_as_model vc4-qpu $cases $((cases / 5))

# --- cases of vc4-vpm, as programs ---
on_board 0 -- fuzz vc4-vpm --stats --profile bcm2835 --board mailbox --cases $cases --quiet
says ' 0 different'
on_board 1 FAKE_VCIO_PROFILE=bcm2835,vpm-addr-h8=row-div-4 -- fuzz vc4-vpm --stats --profile bcm2835 \
    --board mailbox --cases $longer --quiet
says 'vpm-addr-h8'

# Full cases, whose words would be huge counts in a case of another unit.
mkdir full
awk 'function rows(name, count,   n, i, line) {
    for (n = 0; n < count; n++) {
        line = name " row " n " ="
        for (i = 0; i < 16; i++) line = line " 0f0f0f0f"
        print line
    }
}
BEGIN { print "misprint-case 1 vc4-vpm"; rows("vpm", 128); rows("memory", 256); rows("data", 32); \
    print "ops {\n  wr_setup h32 stride=1\n  write 0\n}" }' >full/1.case
cp full/1.case full/2.case
on_board 0 -- replay full --profile bcm2835 --board mailbox --quiet
says '2 equal'

# --- random bytes: no case that passes does harm ---
strangers vc4-qpu
strangers vc4-vpm

# --- injected faults are found by name ---
for deviation in itof-truncation=manual vpm-addr-h8=row-div-4 mul24=signed; do
    clause=${deviation%=*}
    on_board 1 FAKE_VCIO_PROFILE="bcm2835,$deviation" -- fuzz vc4-qpu --stats --profile bcm2835 \
        --board mailbox --cases $longer --quiet
    finds "$clause"
done

# --- the first boards have other memory flags, another alias, other addresses ---
on_board 0 FAKE_VCIO_SYSTEM=pi1 -- fuzz vc4-qpu --stats --profile bcm2835 --board mailbox \
    --cases $cases --quiet
says ' 0 different'
says 'Fake Raspberry Pi 1'

# --- output of about 64 rows, which is what a QPU has of the VPM, and more ---
mkdir rows
for n in 59 60 61 62 63 64; do
    for flags in 0 1; do
        awk -v n=$n -v flags=$flags 'BEGIN {
            print "misprint-case 1 vc4-qpu\nprogram {"
            for (i = 0; i < n; i++) printf "  ldi r%s%d, 0x%x\n", i < 32 ? "a" : "b", i % 32, i + 100
            if (flags) print "  mov.setf -, r0"
            print "  nop ; end\n  nop\n  nop\n}"
        }' >rows/$n-$flags.case
    done
done
on_board 0 -- replay rows --profile bcm2835 --board mailbox --quiet
says '12 cases, 12 compared'
says ' 0 different'

# --- by the V3D's registers, without the firmware ---
if [ "$(uname -m)" = x86_64 ]; then # elsewhere the stand-in cannot see accesses to registers
    on_board 0 -- fuzz vc4-qpu --stats --profile bcm2835 --board mailbox:registers --cases $cases --quiet
    says ' 0 different'
    on_board 1 FAKE_VCIO_PROFILE=bcm2835,itof-truncation=manual -- fuzz vc4-qpu --stats --profile bcm2835 \
        --board mailbox:registers --cases $longer --quiet
    finds 'itof-truncation'
    on_board 0 FAKE_VCIO_SYSTEM=pi1 -- fuzz vc4-qpu --stats --profile bcm2835 --board mailbox:registers \
        --cases $cases --quiet
    says ' 0 different'
    # A process that was stopped while programs ran must not report that they hung.
    on_board 0 FAKE_VCIO_FAULT=stalls -- fuzz vc4-qpu --stats --profile bcm2835 --board mailbox:registers \
        --cases $cases --quiet
    says ' 0 different'
    [ "$(compared)" -gt $((cases / 5)) ] || bad 'cases are reported as hung because this process was stopped'
else
    echo "skipped on $(uname -m): mailbox:registers"
fi

# --- through ssh and the agent ---
behind_ssh vc4-qpu bcm2835 $cases 357 # if all of a batch hangs: 511 launches of 0.7 s
says 'Fake Raspberry Pi 3'

# --- every record has the batch's clock and temperature, which rises on this stand-in ---
on_board 1 FAKE_VCIO_PROFILE=bcm2835,itof-truncation=manual -- fuzz vc4-qpu --stats --profile bcm2835 \
    --board mailbox --cases 4000 --quiet --campaign warm
[ "$(grep -c '^board: V3D at 300 MHz, [0-9]* degrees, throttled 0, after [0-9]* cases' warm/log.txt)" -ge 1 \
    ] || bad 'no temperature in the log'
on_board 1 -- report warm --json -
grep -q '"provenance": "launched by the firmware; V3D at 300 MHz, [0-9]* degrees, throttled 0"' out \
    || bad 'no temperature in a finding'

# --- a case that hangs does not affect others, and does not run twice ---
mkdir cases
for n in 1 2 3 4 5 6 7; do
    printf 'misprint-case 1 vc4-qpu\nprogram {\n  ldi r0, 0x%s\n  nop ; end\n  nop\n  nop\n}\n' $((n * 11)) \
        >cases/$n.case
done
printf 'misprint-case 1 vc4-qpu\nprogram {\n  ldi ra1, 0xdeadbeef\n  nop ; end\n  nop\n  nop\n}\n' \
    >cases/hangs.case
hangs_once FAKE_VCIO_FAULT=hangs-on=deadbeef bcm2835
[ "$(grep '^begin' journal | wc -w)" -eq 9 ] || bad 'the second round ran the hanging case again'
if [ "$(uname -m)" = x86_64 ]; then
    on_board 0 FAKE_VCIO_FAULT=hangs-on=deadbeef -- record cases --board mailbox:registers -o registers.trace
    says '8 outcomes'
    on_board 1 -- replay registers.trace --profile bcm2835 --quiet
    says '7 equal, 1 different'
fi

# --- a board that does not recover has failed; no case is blamed ---
never_recovers FAKE_VCIO_FAULT=never-recovers=deadbeef bcm2835
on_board 3 FAKE_VCIO_FAULT=never-recovers=deadbeef FAKE_VCIO_LOG="$work/asked" -- record cases \
    --board mailbox -o never.trace
says 'stay taken until the board is rebooted'
! grep -q '^release' asked || bad 'memory is freed though programs may still write there'
on_board 0 FAKE_VCIO_FAULT=hangs-on=deadbeef FAKE_VCIO_LOG="$work/asked" -- record cases --board mailbox \
    -o came-back.trace
grep -q '^release' asked || bad 'a V3D that came back keeps its memory'
on_board 3 FAKE_VCIO_FAULT=stays-on=deadbeef -- record cases --board mailbox -o stays.trace
says 'does not switch the V3D off'
if [ "$(uname -m)" = x86_64 ]; then
    on_board 3 FAKE_VCIO_FAULT=never-recovers=deadbeef -- record cases --board mailbox:registers \
        -o dead-too.trace
    says 'does not recover'
    on_board 3 FAKE_VCIO_FAULT=no-power=deadbeef -- record cases --board mailbox -o power.trace
    says 'reads DEADBEEF'
fi

# --- a case on which the V3D reports an error has no outcome, by registers only ---
if [ "$(uname -m)" = x86_64 ]; then
    on_board 0 FAKE_VCIO_FAULT=errstat-on=deadbeef -- record cases --board mailbox:registers -o errors.trace
    says '7 outcomes'
    says '1 refused'
    on_board 3 FAKE_VCIO_FAULT=errstat-on=deadbeef -- run cases/hangs.case --board mailbox:registers
    says 'ERRSTAT shows errors 0010 after the launch: a write of the VPM was out of range'
    on_board 3 FAKE_VCIO_FAULT=errstat-on=1a05 -- record cases --board mailbox:registers -o marked.trace
    says 'canaries launched alone: the V3D'
fi
on_board 0 FAKE_VCIO_FAULT=errstat-on=deadbeef -- record cases --board mailbox -o unseen.trace
says '8 outcomes'

# --- after a crash the next run knows which case was running ---
rm -f journal
on_board 3 FAKE_VCIO_FAULT=dies-after=2 -- fuzz vc4-qpu --board mailbox --cases 2000 --quiet
says 'the firmware does not answer'
printf 'begin %s\n' 0123456789abcdef >journal # one case ran at the time of the crash
on_board 0 MISPRINT_JOURNAL="$work/journal" -- run cases/1.case --board mailbox
grep -q 'hang 0123456789abcdef' journal || bad 'the case that was running at the crash may run again'

# --- a damaged journal keeps the board from starting; other files are not changed ---
cp journal kept
sed 's/0123456789abcdef/0123456789abcdee/' kept >journal
cp journal damaged
on_board 3 MISPRINT_JOURNAL="$work/journal" -- run cases/1.case --board mailbox
says "the journal $work/journal cannot be read in line 2"
says "mv '$work/journal' '$work/journal.old'"
cmp -s journal damaged || bad 'a damaged journal was changed'
mv journal journal.old
on_board 0 MISPRINT_JOURNAL="$work/journal" -- run cases/1.case --board mailbox
cp cases/1.case letter
on_board 2 MISPRINT_JOURNAL="$work/letter" -- run cases/1.case --board mailbox
says "$work/letter is not a Misprint journal"
cmp -s cases/1.case letter || bad 'a file that is not a journal was changed'
rm -f journal

# --- at the end the V3D is switched off, then its memory freed, whatever the signal ---
mkfifo log gate said
exec 3<>log 4<>gate 5<>said
# hold WORDS...: runs them until the first launch, in process $process. `echo >&4` makes it continue.
hold() {
    process=
    {
        ended=0
        "$@" >held 2>&1 || ended=$?
        echo "over $ended" >&3
    } &
    while read -r word process <&3 && [ "$word" != launch ]; do [ "$word" != over ] \
        || { bad "nothing is launched: $*"; break; }; done
}
# hold_board SETTING WORDS...: holds the command with these words, on the stand-in
hold_board() {
    setting=$1
    shift
    hold env "$setting" FAKE_VCIO_LOG=log FAKE_VCIO_GATE=gate LD_PRELOAD="$library" "$misprint" "$@"
}
# ends STATUS REQUESTS NAME: checks the held command's status and its later requests to the firmware
ends() {
    asked=
    while read -r word ended <&3 && [ "$word" != over ]; do asked="$asked $word"; done
    cp held out
    [ "$ended" = "$1" ] || bad "$3: status $ended instead of $1"
    [ "$asked" = "$2" ] || bad "$3: asks '$asked' of the firmware instead of '$2'"
}
for signal in none PIPE TERM HUP INT; do
    for command in 'run cases/1.case' 'record cases -o cut.trace' 'bench board --time 1'; do
        status=3
        case $signal,$command in
        none,* | PIPE,*) status=0 ;; # the reader of its output may be gone, which must not end it
        *,record*) status=0 ;;       # the program has only one launch
        esac
        rm -f cut.trace
        # shellcheck disable=SC2086 # words, on purpose
        hold_board FAKE_VCIO_FAULT= $command --board mailbox
        [ $signal = none ] || kill -s $signal "$process"
        echo >&4
        ends $status ' disable unlock release' "$command, signal $signal"
    done
    # The agent ends after its batch, and the host gets the answer. A second signal changes nothing, because
    # sudo and a terminal may each send one.
    hold "$misprint" run cases/1.case \
        --board "exec:exec env FAKE_VCIO_LOG=log FAKE_VCIO_GATE=gate LD_PRELOAD='$library' '$misprint' agent \
--board mailbox"
    case $signal in
    none) ;;
    PIPE) kill -s PIPE "$process" ;;
    HUP) kill -s HUP "$process"; kill -s TERM "$process" ;; # two equal signals may arrive as one
    *) kill -s $signal "$process"; kill -s HUP "$process" ;;
    esac
    echo >&4
    ends 0 ' disable unlock release' "agent, signal $signal"
done
# an agent that no host has greeted yet
mkfifo silent
exec 6<>silent
for signal in TERM HUP INT; do
    {
        ended=0
        env FAKE_VCIO_LOG=log LD_PRELOAD="$library" "$misprint" agent --board mailbox <silent >held 2>&1 &
        echo "agent $!" >&3
        wait $! || ended=$?
        echo "over $ended" >&3
    } &
    process=
    locked=
    until [ "$process" ] && [ "$locked" ]; do
        read -r word rest <&3
        case $word in
        agent) process=$rest ;;
        lock) locked=1 ;;
        over) bad 'the agent takes no device before it is greeted'; break ;;
        esac
    done
    kill -s $signal "$process"
    ends 3 ' disable unlock release' "agent that nobody greets, signal $signal"
    says 'misprint: the agent was asked to stop, by a signal'
done
exec 6>&-
gives_up_root

# memory that may still be written is not freed
hold_board FAKE_VCIO_FAULT=dies-after=1 fuzz vc4-qpu --board mailbox --cases 600 --quiet
echo >&4
ends 3 '' 'a firmware that does not answer'
says 'the firmware does not answer'
says '8192 KB of GPU memory stay taken'
hold_board FAKE_VCIO_FAULT=stays-on=deadbeef run cases/hangs.case --board mailbox
echo >&4
ends 3 ' disable' 'a V3D that is not switched off'
says '8192 KB of GPU memory stay taken'

# --- one Misprint at a time; the next one waits for one that is ending ---
hold_board FAKE_VCIO_NODE=node run cases/1.case --board mailbox
{
    ended=0
    env FAKE_VCIO_NODE=node LD_PRELOAD="$library" "$misprint" run cases/2.case --board mailbox >said 2>&1 \
        || ended=$?
    echo "over $ended" >&5
} &
while read -r line <&5; do
    case $line in
    *'another Misprint uses /dev/vcio; waiting'*) kill -s KILL "$process" ;;
    over*) break ;;
    esac
done
[ "$line" = 'over 0' ] || bad "the next Misprint does not run after the previous one has ended: $line"
! kill -s KILL "$process" 2>/dev/null || bad 'the next Misprint does not wait for the previous one'
ends 137 '' 'killed'
refused FAKE_VCIO_FAULT=in-use cases/1.case '/dev/vcio is in use by another Misprint' '--jobs 1'
on_board 3 -- fuzz vc4-qpu --board mailbox --jobs 3 --cases 100 --quiet
says '/dev/vcio is in use by another Misprint'
says '--jobs 1'

# --- every failure says what to do ---
refused FAKE_VCIO_SYSTEM=kms cases/1.case 'vc4-kms-v3d' 'config.txt'
refused FAKE_VCIO_SYSTEM=pi4 cases/1.case 'VideoCore VI'
refused FAKE_VCIO_SYSTEM=none cases/1.case 'names no known Raspberry Pi'
refused FAKE_VCIO_FAULT=no-device cases/1.case '/dev/vcio' 'Raspberry Pi OS'
refused FAKE_VCIO_FAULT=no-right cases/1.case 'sudo'
refused FAKE_VCIO_FAULT=no-memory cases/1.case 'gpu_mem'
refused FAKE_VCIO_FAULT=no-enable cases/1.case 'does not enable the QPUs (it says 80000001)' 'gpu_mem'
on_board 2 -- run cases/1.case --board mailbox:nonsense
says 'mailbox:registers'

[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
echo "board mailbox: $compared cases equal to the model, $planted injected faults found"
