#!/bin/sh
# SPDX-License-Identifier: MIT
# A board behind a slow link (tests/oracle/relay.py) gets the next batch before it has answered one, and
# nothing is lost or mixed up when the link breaks. The long tier also measures the gain.
set -u
export MISPRINT_BOARD_PROTOCOL=1 # relay.py counts the frames of version 1, which hold one case each
m=${MISPRINT:?}
relay=${MISPRINT_SOURCE_DIR:?}/tests/oracle/relay.py
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failures=0
bad() {
    printf 'FAILED: %s\n' "$*"
    [ ! -f "$tmp/out" ] || tail -n 20 "$tmp/out"
    failures=$((failures + 1))
}

# fuzz BOARD-OF-AGENT STATUS CASES RELAY-OPTIONS...
fuzz() {
    inner=$1 wanted=$2 cases=$3
    shift 3
    status=0
    "$m" fuzz vc4-vpm --stats --profile bcm2835 --cases "$cases" --quiet \
        --board "exec:exec python3 '$relay' $* --report '$tmp/report' \"exec '$m' agent --board $inner\"" \
        >"$tmp/out" 2>&1 || status=$?
    [ $status -eq "$wanted" ] || bad "status $status instead of $wanted: $*"
}

# --- six batches: each is sent before the one before it is answered; never more than two are in flight ---
fuzz virtual:bcm2835 0 1536 --cases 1536
grep -q ' 0 different' "$tmp/out" || bad 'the board is the model'
grep -q '1536 cases, 1536 compared' "$tmp/out" || bad 'cases were lost'
read -r sent most ahead <"$tmp/report"
[ "$sent $most" = '1536 512' ] || bad "$sent cases sent, $most in flight, not 1536 and 512"
[ "$ahead" -eq 5 ] || bad "the next batch was sent in time after only $ahead of five batches"

# --- the link breaks with two batches in flight: each case gets its own answer, once ---
for at in 1 300 700; do
    rm "$tmp/report"
    fuzz virtual:bcm2835 0 1024 --die-after $at
    grep -q ' 0 different' "$tmp/out" || bad "answers are mixed up after a break at $at"
    grep -q '1024 cases, 1024 compared' "$tmp/out" || bad "not all cases are compared after a break at $at"
done

# --- the findings are those of the same cases without a link ---
rm "$tmp/report"
fuzz virtual:bcm2835,vpm-addr-h8=row-div-4 1 2048
grep -q 'vpm-addr-h8' "$tmp/out" || bad 'an injected fault is not found behind the link'

# --- long tier: with 150 ms each way, one batch after the other would take at least 300 ms each ---
if [ "${MISPRINT_TEST_LONG:-0}" = 1 ]; then
    fuzz virtual:bcm2835 0 8192 --delay 0.15
    took=$(sed -n 's/.*touched; \([0-9]*\)\.\([0-9]\) s,.*/\1\2/p' "$tmp/out") # tenths of a second
    echo "32 batches of 256 cases behind 300 ms there and back: $took tenths of a second"
    [ "${took:-1000}" -lt $((32 * 3 * 3 / 4)) ] || bad 'the batches do not overlap'
fi

[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
echo "two batches in flight, the next one always sent before one was answered; three broken links"
