# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What the tests of boards on preloaded stand-ins have in common; they set and then source
#   fake     the stand-in, tests/$fake.c; what it says of things that should not have reached it begins with this name
#   board    how the command names the board
# Here they get $misprint, $scale, an empty folder to be in, and $failures, which they look at in the end.
misprint=${MISPRINT:?}
library=${MISPRINT_BUILD_DIR:?}/tests/${fake:?}.so
[ -f "$library" ] || { echo "no $fake.so was built: its libraries are not there"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0:${ASAN_OPTIONS:-}"
failures=0
# shellcheck disable=SC2034 # the caller's
scale=${MISPRINT_TEST_SCALE:-100}

bad() { printf 'FAILED: %s\n' "$*"; [ ! -f out ] || tail -n 30 out; failures=$((failures + 1)); }
planted=0
says() { grep -qF -- "$1" out || bad "no '$1' in what it says"; }
# the same of a deviation that was planted; $planted counts those that came out
finds() {
    if grep -qF -- "$1" out; then planted=$((planted + 1)); else bad "'$1' is not found"; fi
}
compared() { sed -n 's/.* cases, \([0-9]*\) compared.*/\1/p' out; }

# on_board STATUS NAME=VALUE... -- WORDS...: the command on the stand-in ends with this status; what it prints is in ./out
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
    *hangs-on=* | *never-recovers=*) ;; # a kernel says that it resets what hangs
    *) ! grep -q "^$fake" out || bad "the stand-in met what should not have reached it:$settings misprint $*" ;;
    esac
}

# same_as_model UNIT CASES LEAST: no bit differs, and more than LEAST of the cases were compared: so many are $compared
same_as_model() {
    on_board 0 -- fuzz "$1" --profile bcm2835 --board "$board" --cases "$2" --quiet
    says ' 0 different'
    says 'no silicon'
    says 'Fake Raspberry Pi 3'
    compared=$(compared)
    [ "${compared:-0}" -gt "$3" ] || bad "only ${compared:-0} of $2 cases of $1 were compared"
}

# strangers UNIT: random bytes as inputs. Nothing that is let pass does harm.
strangers() {
    mkdir raw
    n=0
    while [ $n -lt 60 ]; do
        n=$((n + 1))
        awk -v seed=$n 'BEGIN { srand(seed); for (i = 0; i < 600; i++) printf "%c", int(rand() * 255) + 1 }' >raw/$n
    done
    env LD_PRELOAD="$library" "$misprint" replay raw --unit "$1" --board "${board:?}" --quiet >out 2>&1
    case $? in 0 | 1 | 3) ;; *) bad 'random bytes end the command, or nothing of them ran' ;; esac
    grep -q '^  [1-9][0-9]* cases, ' out || bad 'random bytes make no cases'
    ! grep -q "^$fake" out || bad 'random bytes reached the hardware'
}

# behind_ssh UNIT PROFILE CASES SECONDS: behind the agent, behind ssh, the whole way. The host is told that an answer may take more than so many seconds.
behind_ssh() {
    status=0
    MISPRINT_SSH="sh -c 'exec sh -c \"\$2\"'" MISPRINT_AGENT="LD_PRELOAD='$library' '$misprint' agent --board $board | tee '$work/answered'" \
        "$misprint" fuzz "$1" --profile "$2" --board ssh:host --cases "$3" --quiet --campaign far >out 2>&1 || status=$?
    [ $status -eq 0 ] || bad "status $status behind ssh"
    says ' 0 different'
    told=$(grep -ao '"answer-seconds":[0-9]*' answered | head -n 1)
    [ "${told#*:}" -gt "$4" ] || bad "its hello says '$told', not more than $4"
    grep -q '^board: .* degrees' far/log.txt || bad 'how warm the board is does not come through ssh'
}

# gives_up_root: started as root, the agent has its device open, and no right of root's nor a way back, before it was sent a single byte
gives_up_root() {
    [ "$(id -u)" = 0 ] || { echo 'skipped, because this is not root: the agent gives up root'; return; }
    mkfifo mute
    exec 9<>mute # a host that says nothing
    env SUDO_UID=1234 SUDO_GID=2345 LD_PRELOAD="$library" "$misprint" agent --board "$board" <mute 9>&- >out 2>&1 &
    agent=$! looks=0
    until grep -q '^Uid:.1234.1234.1234.1234$' /proc/$agent/status || [ $looks -eq 400 ]; do
        sleep 0.05
        looks=$((looks + 1))
    done
    for line in 'Uid:.1234.1234.1234.1234' 'Gid:.2345.2345.2345.2345' 'Groups:. *' 'NoNewPrivs:.1' 'CapInh:.0*' 'CapPrm:.0*' 'CapEff:.0*' 'CapAmb:.0*'; do
        grep -q "^$line\$" /proc/$agent/status || bad "before its host greets, the agent's state has no line $line"
    done
    find /proc/$agent/fd -lname '*memfd:fake-*' | grep -q . || bad "before its host greets, the agent's device is not open"
    exec 9>&-
    wait $agent
}

# hangs_once SETTING PROFILE: of the eight in ./cases the setting makes one hang. It costs only itself, and does not run twice.
hangs_once() {
    for round in 1 2; do
        rm -f hang.trace
        on_board 0 "$1" MISPRINT_JOURNAL="$work/journal" -- record cases --board "$board" -o hang.trace
        says '8 outcomes'
        [ "$(grep -c hang journal)" -eq 1 ] || bad "round $round: the journal does not know the hanging case"
    done
    on_board 1 -- replay hang.trace --profile "$2" --quiet --campaign hung
    says '7 equal, 1 different'
    grep -q 'hangs.case \[.* degrees.*\]' hung/log.txt || bad 'the trace does not say how warm the board was'
}

# never_recovers SETTING PROFILE: of the eight in ./cases the setting makes one hang, and all that is launched after it. That is the board's failure:
# no case is blamed for it, the one that hung neither.
never_recovers() {
    rm -f journal
    on_board 3 "$1" MISPRINT_JOURNAL="$work/journal" -- record cases --board "$board" -o dead.trace
    says 'does not recover'
    ! grep -q hang journal || bad 'a case is blamed for a board that does not recover'
    tail -n 1 journal | grep -q '^begin' || bad 'the journal says that a launch is over from which the board did not come back'
    on_board 0 MISPRINT_JOURNAL="$work/journal" -- record cases --board "$board" -o well.trace
    on_board 0 -- replay well.trace --profile "$2" --quiet
    says '8 equal'
}

# refused SETTING CASE WORDS...: what stands in the way is said, with the way out
refused() {
    on_board 3 "$1" -- run "$2" --board "$board"
    shift 2
    for words in "$@"; do says "$words"; done
}
