#!/bin/sh
# SPDX-License-Identifier: MIT
# A board behind a link has the next batch there before it has answered one (tests/oracle/relay.py is the link), and nothing is lost or mixed up
# when the link breaks in the middle. The long tier also measures what it gains.
set -u
m=${MISPRINT:?}
relay=${MISPRINT_SOURCE_DIR:?}/tests/oracle/relay.py
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failures=0
bad() { printf 'FAILED: %s\n' "$*"; [ ! -f "$tmp/out" ] || tail -n 20 "$tmp/out"; failures=$((failures + 1)); }

# fuzz BOARD-OF-AGENT STATUS CASES RELAY-OPTIONS...
fuzz() {
    inner=$1 wanted=$2 cases=$3
    shift 3
    status=0
    "$m" fuzz vc4-vpm --profile bcm2835 --cases "$cases" --quiet \
        --board "exec:exec python3 '$relay' $* --report '$tmp/report' \"exec '$m' agent --board $inner\"" >"$tmp/out" 2>&1 || status=$?
    [ $status -eq "$wanted" ] || bad "status $status instead of $wanted: $*"
}

# --- six batches: before the host has all answers of one of the first five it has sent the next one; never more than two under way -----
fuzz virtual:bcm2835 0 1536 --cases 1536
grep -q ' 0 different' "$tmp/out" || bad 'the board is the model'
grep -q '1536 cases, 1536 compared' "$tmp/out" || bad 'cases were lost'
read -r sent most ahead <"$tmp/report"
[ "$sent $most" = '1536 512' ] || bad "$sent cases sent, $most under way, not 1536 and 512"
[ "$ahead" -eq 5 ] || bad "only $ahead of five batches had the next one behind them"

# --- the link breaks, with cases of two batches under way: each is answered all the same, once, by its own outcome ---------------------
for at in 1 300 700; do
    rm "$tmp/report"
    fuzz virtual:bcm2835 0 1024 --die-after $at
    grep -q ' 0 different' "$tmp/out" || bad "answers are mixed up after a break at $at"
    grep -q '1024 cases, 1024 compared' "$tmp/out" || bad "not all cases are compared after a break at $at"
done

# --- what is found is what the same cases find without a link -----------------------------------------------------------------------------
rm "$tmp/report"
fuzz virtual:bcm2835,vpm-addr-h8=row-div-4 1 2048
grep -q 'vpm-addr-h8' "$tmp/out" || bad 'a planted deviation is not found behind the link'

# --- long tier: a link of 150 ms each way, one batch after the other would take at least 300 ms a batch --------------------------------
if [ "${MISPRINT_TEST_LONG:-0}" = 1 ]; then
    fuzz virtual:bcm2835 0 8192 --delay 0.15
    took=$(sed -n 's/.*touched; \([0-9]*\)\.\([0-9]\) s,.*/\1\2/p' "$tmp/out") # tenths of a second
    echo "32 batches of 256 cases behind 300 ms there and back: $took tenths of a second"
    [ "${took:-1000}" -lt $((32 * 3 * 3 / 4)) ] || bad 'the batches do not overlap'
fi

[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
echo "two batches under way, the next one always sent before one was answered; three broken links"
