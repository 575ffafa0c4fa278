# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Shared by the tests of boards on preloaded stand-ins. They set
#   fake     the stand-in, tests/$fake.c, which begins its complaints about wrong calls with this name
#   board    how the command names the board
# and then source this, which gives them $misprint, $scale, an empty working folder, and $failures for the
# end.
misprint=${MISPRINT:?}
library=${MISPRINT_BUILD_DIR:?}/tests/${fake:?}.so
[ -f "$library" ] || { echo "skipped: $fake.so was not built, because its libraries are missing"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0:${ASAN_OPTIONS:-}"
failures=0
# shellcheck disable=SC2034 # the caller's
scale=${MISPRINT_TEST_SCALE:-100}

bad() { printf 'FAILED: %s\n' "$*"; [ ! -f out ] || tail -n 30 out; failures=$((failures + 1)); }
planted=0
says() { grep -qF -- "$1" out || bad "the output does not contain '$1'"; }
# The same for an injected fault; $planted counts those that were found.
finds() {
    if grep -qF -- "$1" out; then planted=$((planted + 1)); else bad "'$1' is not found"; fi
}
compared() { sed -n 's/.* cases, \([0-9]*\) compared.*/\1/p' out; }

# on_board STATUS NAME=VALUE... -- WORDS...: runs the command on the stand-in, which must exit with STATUS;
# the output is in ./out
on_board() {
    wanted=$1
    shift
    settings=
    while [ "$1" != -- ]; do settings="$settings $1"; shift; done
    shift
    status=0
    # shellcheck disable=SC2086 # a list of settings, on purpose
    env $settings LD_PRELOAD="$library" "$misprint" "$@" >out 2>&1 || status=$?
    [ $status -eq "$wanted" ] || bad "status $status instead of $wanted:$settings misprint $*"
    case $settings in
    *hangs-on=* | *never-recovers=*) ;; # the kernel reports the reset
    *) ! grep -q "^$fake" out || bad "the stand-in complains about wrong calls:$settings misprint $*" ;;
    esac
}

# same_as_model UNIT CASES LEAST: no bit differs, and more than LEAST cases were compared. Sets $compared.
same_as_model() {
    on_board 0 -- fuzz "$1" --stats --profile bcm2835 --board "${board:?}" --cases "$2" --quiet
    says ' 0 different'
    says 'no silicon'
    says 'Fake Raspberry Pi 3'
    compared=$(compared)
    [ "${compared:-0}" -gt "$3" ] || bad "only ${compared:-0} of $2 cases of $1 were compared"
}

# strangers UNIT: random bytes as inputs. No case that passes the verifier does harm.
strangers() {
    mkdir raw
    n=0
    while [ $n -lt 60 ]; do
        n=$((n + 1))
        awk -v seed=$n 'BEGIN { srand(seed); for (i = 0; i < 600; i++) printf "%c", 1 + int(rand() * 255) }' \
            >raw/$n
    done
    env LD_PRELOAD="$library" "$misprint" replay raw --unit "$1" --board "${board:?}" --quiet >out 2>&1
    case $? in 0 | 1 | 3) ;; *) bad 'random bytes crash the command' ;; esac
    grep -q '^  [1-9][0-9]* cases, ' out || bad 'random bytes make no cases'
    ! grep -q "^$fake" out || bad 'random bytes reached the hardware'
}

# behind_ssh UNIT PROFILE CASES SECONDS: through ssh and the agent. The agent announces that an answer may
# take more than SECONDS.
behind_ssh() {
    status=0
    agent="LD_PRELOAD='$library' '$misprint' agent --board $board | tee '$work/answered'"
    MISPRINT_SSH="sh -c 'exec sh -c \"\$2\"'" MISPRINT_AGENT="$agent" "$misprint" fuzz "$1" --stats \
        --profile "$2" --board ssh:host --cases "$3" --quiet --campaign far >out 2>&1 || status=$?
    [ $status -eq 0 ] || bad "status $status behind ssh"
    says ' 0 different'
    answer=$(grep -ao '"answer-seconds":[0-9]*' answered | head -n 1)
    [ "${answer#*:}" -gt "$4" ] || bad "its HELLO says '$answer', not more than $4"
    grep -q '^board: .* degrees' far/log.txt || bad 'the temperature of the board is missing behind ssh'
}

# gives_up_root: an agent that root starts opens its device, then gives up all rights of root before it reads
# a byte
gives_up_root() {
    [ "$(id -u)" = 0 ] || { echo 'skipped: only root can test that the agent gives up root'; return; }
    mkfifo mute
    exec 9<>mute # a host that sends nothing
    env SUDO_UID=1234 SUDO_GID=2345 LD_PRELOAD="$library" \
        "$misprint" agent --board "$board" <mute 9>&- >out 2>&1 &
    agent=$! looks=0
    until grep -q '^Uid:.1234.1234.1234.1234$' /proc/$agent/status || [ $looks -eq 400 ]; do
        sleep 0.05
        looks=$((looks + 1))
    done
    for line in 'Uid:.1234.1234.1234.1234' 'Gid:.2345.2345.2345.2345' 'Groups:. *' 'NoNewPrivs:.1' \
        'CapInh:.0*' 'CapPrm:.0*' 'CapEff:.0*' 'CapAmb:.0*'; do
        grep -q "^$line\$" /proc/$agent/status || bad "before the greeting: no line $line in /proc"
    done
    find /proc/$agent/fd -lname '*memfd:fake-*' | grep -q . ||
        bad 'before the greeting: the device is not open'
    exec 9>&-
    wait $agent
}

# hangs_once SETTING PROFILE: the setting makes one of the eight cases in ./cases hang. Only that case is
# lost, and it runs once.
hangs_once() {
    for round in 1 2; do
        rm -f hang.trace
        on_board 0 "$1" MISPRINT_JOURNAL="$work/journal" -- record cases --board "$board" -o hang.trace
        says '8 outcomes'
        [ "$(grep -c hang journal)" -eq 1 ] || bad "round $round: the hanging case is not in the journal"
    done
    on_board 1 -- replay hang.trace --profile "$2" --quiet --campaign hung
    says '7 equal, 1 different'
    grep -q 'hangs.case \[.* degrees.*\]' hung/log.txt || bad 'the trace lacks the temperature of the board'
}

# never_recovers SETTING PROFILE: the setting makes one of the eight cases in ./cases hang, and all later
# launches. That is a failure of the board: no case is blamed for it, not even the first.
never_recovers() {
    rm -f journal
    on_board 3 "$1" MISPRINT_JOURNAL="$work/journal" -- record cases --board "$board" -o dead.trace
    says 'does not recover'
    ! grep -q hang journal || bad 'a case is blamed for a board that does not recover'
    tail -n 1 journal | grep -q '^begin' ||
        bad 'the journal ends a launch from which the board did not recover'
    on_board 0 MISPRINT_JOURNAL="$work/journal" -- record cases --board "$board" -o well.trace
    on_board 0 -- replay well.trace --profile "$2" --quiet
    says '8 equal'
}

# refused SETTING CASE WORDS...: the error names the obstacle and the remedy
refused() {
    on_board 3 "$1" -- run "$2" --board "$board"
    shift 2
    for words in "$@"; do says "$words"; done
}
