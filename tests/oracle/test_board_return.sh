#!/bin/sh
# SPDX-License-Identifier: MIT
# A campaign survives a board that is away for a while, as when it reboots. A stand-in for ssh is the link: it
# breaks in the middle of a batch, then finds no host, then works. A board that takes longer to answer than
# usual, and said so in HELLO, is waited for.
set -u
export MISPRINT_BOARD_PROTOCOL=1 # relay.py counts the frames of version 1, which hold one case each
m=${MISPRINT:?}
tests=${MISPRINT_SOURCE_DIR:?}/tests
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failures=0
bad() { printf 'FAILED: %s\n' "$*"; [ ! -f out ] || tail -n 20 out; failures=$((failures + 1)); }
says() { grep -q -- "$1" "${2:-out}" || bad "no '$1' in ${2:-what it says}"; }

# --- 11 s without an answer, where the usual limit is 10 s; runs beside the others ---
cp "$(find "$MISPRINT_SOURCE_DIR/corpus/vc4-vpm" -name '*.case' | sort | head -n 1)" one.case
env -u MISPRINT_BOARD_TIMEOUT "$m" record one.case -o patient.trace \
    --board "exec:python3 '$tests/oracle/bad_board.py' patient '$tmp/patient'" >patient.out 2>&1 &
patient=$!

# --- the link: its first $breaks connections break after 700 answers, the next $fails find no host, later
# ones work. A host that has sent so many cases has compared the first 256 or 512: at most 512 are in flight.
cat >ssh <<'END'
#!/bin/sh
echo x >>"$state.count"
n=$(wc -l <"$state.count")
if [ "$n" -le "$breaks" ]; then
    # shellcheck disable=SC2086 # a word, or none
    python3 "$tests/oracle/relay.py" ${ask:-} --die-after 700 --report "$state.report.$n" "$3"
    exit 255
fi
if [ "$n" -le $((breaks + fails)) ]; then
    echo 'ssh: connect to host pi port 22: No route to host' >&2
    exit 255
fi
exec sh -c "$3"
END
chmod +x ssh
export tests MISPRINT_SSH="$tmp/ssh" MISPRINT_AGENT="exec '$m' agent --board virtual:bcm2835"

# fuzz NAME BREAKS FAILS SECONDS WORDS...: runs a campaign of this name whose board has so many seconds to
# come back
fuzz() {
    state=$tmp/$1 breaks=$2 fails=$3
    export state breaks fails
    name=$1 seconds=$4
    shift 4
    status=0
    MISPRINT_BOARD_RETURN=$seconds "$m" fuzz vc4-vpm --profile bcm2835 --board ssh:pi --quiet --stats \
        --campaign "$name" "$@" >out 2>&1 || status=$?
}

fuzz back 1 3 60 --cases 1024
[ $status -eq 0 ] || bad "status $status: a board that came back at the fourth try"
says '1024 cases, 1024 compared'
says ' 0 different'
lost='ssh ended with exit status 255 before it sent HELLO: no connection'
for where in out back/log.txt; do
    [ "$(grep -c "board ssh:pi: $lost; next try in [0-9.]* s, given up in" $where)" -eq 3 ] ||
        bad "$where does not report three failed tries, one line each"
    says 'board ssh:pi: it is back after' $where
done

# --- an orderly reboot of the machine, which ends the agent with SIGTERM ---
export ask=--ask
fuzz reboot 1 2 60 --cases 1024
[ $status -eq 0 ] || bad "status $status: a board whose agent was asked to end"
says '1024 cases, 1024 compared'
says 'board ssh:pi: it is back after' reboot/log.txt
unset ask

# --- another board in the place of the first is not accepted ---
cat >other-ssh <<'END'
#!/bin/sh
echo x >>"$state.count"
[ "$(wc -l <"$state.count")" -gt 1 ] ||
    exec python3 "$tests/oracle/relay.py" --die-after 700 --report "$state.report" "$3"
exec "$MISPRINT" agent --board virtual:manual
END
chmod +x other-ssh
MISPRINT_SSH=$tmp/other-ssh
fuzz other 0 0 60 --cases 1024
[ $status -eq 3 ] || bad "status $status instead of 3: another board came back"
says 'started again, it is another board'
MISPRINT_SSH=$tmp/ssh

# --- the boards of several jobs come back ---
fuzz jobs 2 6 60 --cases 2048 --jobs 2
[ $status -eq 0 ] || bad "status $status: two boards that came back"
says '2048 cases, 2048 compared'
says 'it is back after' jobs/log.txt

# --- a board that does not come back is given up; the results are kept, and the same command continues ---
fuzz gone 1 1000000 0.2 --cases 1024
[ $status -eq 3 ] || bad "status $status instead of 3: a board that does not come back"
says "board ssh:pi: $lost; it did not come back within 0.2 s"
says ' \(256 cases, 256\|512 cases, 512\) compared'
fuzz gone 0 0 0.2 --cases 512
[ $status -eq 0 ] || bad "status $status: the same command does not continue"

# --- a board that never answered is not waited for ---
fuzz never 0 1000000 60 --cases 512
[ $status -eq 3 ] || bad "status $status instead of 3: a board that was never there"
[ "$(wc -l <never.count)" -eq 1 ] || bad 'a board that never answered is tried again'
says 'no connection; start ssh by hand'

# --- a user ends the wait at once, and the results are kept ---
mkfifo told
state=$tmp/stop breaks=1 fails=1000000
MISPRINT_BOARD_RETURN=60 "$m" fuzz vc4-vpm --profile bcm2835 --board ssh:pi --quiet --stats --campaign stop \
    >out 2>told &
fuzzer=$!
while read -r line; do
    case $line in *'next try'*) kill -TERM $fuzzer ;; esac
done <told
status=0
wait $fuzzer || status=$?
[ $status -eq 0 ] || bad "status $status: an endless campaign that was stopped while its board was away"
says ' \(256 cases, 256\|512 cases, 512\) compared'
[ "$(wc -l <stop.count)" -eq 2 ] || bad 'it was tried again after the user asked to stop'

# --- a campaign with a time limit waits no longer than that ---
fuzz late 1 1000000 60 --time 3
[ $status -eq 3 ] || bad "status $status: a campaign whose time was over while its board was away"

wait $patient || bad "a board with answer-seconds was not waited for: $(cat patient.out)"
[ "$(wc -l <patient)" -eq 1 ] || bad "it was started $(wc -l <patient) times"
says '1 outcome' patient.out

[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
echo "boards that went away for four tries, for two jobs, for ever; one that took 11 s"
