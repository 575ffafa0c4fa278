#!/bin/sh
# SPDX-License-Identifier: MIT
# What a newcomer sees: the end of `misprint fuzz` fits a terminal, says in sentences what was found, and
# names the next command, which works. Findings are kept without --campaign.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/support/support_command.sh
. tests/support/support_command.sh

m=$MISPRINT
export XDG_STATE_HOME="$tmp/state" HOME="$tmp"
unset MISPRINT_STATE
PATH=$(dirname "$m"):$PATH
# Into a file, no sentence is cut.
fits() { [ "$(wc -l <"$tmp/out")" -le 20 ] && ! grep -q '\.\.\.' "$tmp/out"; }
next() { sed -n 's/^next: //p' "$tmp/out"; }

# more than ten findings in 20 lines; each is a sentence and a clause
expect 1 '^2,000 cases in .* a second); they used [0-9]* of 31 clauses$' "$m" fuzz vc4-vpm --cases 2000
check 'the end fits a terminal' fits
check 'it says what kind of board it was' \
    grep -q '^vc4-vpm, no silicon: profile manual against virtual:bcm2835$' "$tmp/out"
check 'there are more than ten findings' \
    test "$(sed -n 's/^\([0-9]*\) findings in this run.*:$/\1/p' "$tmp/out")" -gt 10
check 'a verdict is explained' grep -q '^manual-erratum: the manual says one thing' "$tmp/out"
check 'a finding is a sentence, its cases, and a clause' \
    grep -q '^  .*: Elements follow each other byte b.*  [0-9]* cases  vpm-fig8a$' "$tmp/out"
check 'it says what was not compared' grep -q '^not compared: .* undefined bits$' "$tmp/out"

# the next command, with findings and without
check 'the last line names the next command, and where the findings are' \
    test "$(next)" = 'misprint report ~/state/misprint/vc4-vpm-1 -o report.html'
expect 1 'report.html: ' sh -c "cd '$tmp' && $(next)"
# Each finding's own case shows it again, without the campaign's other cases.
for case in "$tmp"/state/misprint/vc4-vpm-1/cases/F-*.case; do
    "$m" replay "$case" >"$tmp/out" 2>&1
    check 'it is the same finding' grep -q '^1 input: 1 with the same finding as before$' "$tmp/out"
done
expect 0 '^0 findings in this run$' "$m" fuzz vc4-vpm --cases 50 --profile bcm2835 --board "virtual:bcm2835"
check 'the end fits a terminal without findings' fits
again='misprint fuzz vc4-vpm --profile bcm2835 --board virtual:bcm2835 --cases 50'
check 'without findings the next command goes on' \
    test "$(next)" = "$again --campaign ~/state/misprint/vc4-vpm-2"
expect 0 '^0 findings in this run$' sh -c "$(next)"
check 'on new cases' grep -q 'vc4-vpm-2$' "$tmp/out"
"$m" fuzz vc4-vpm --cases 100 --json >"$tmp/json" 2>"$tmp/said"
check 'JSON has the counters and the place' python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
assert r["tally"]["masked_model"] > 0 and r["tally"]["cases"] == 100, r["tally"]
assert r["title"] == "vc4-vpm-3", r["title"]' "$tmp/json"
check 'beside JSON, standard error says where the findings are' \
    grep -q '^misprint: kept in ~/state/misprint/vc4-vpm-3$' "$tmp/said"

# --stats has every counter
expect 1 ' bits in [0-9]* lanes compared$' "$m" fuzz vc4-vpm --cases 500 --stats
check '--stats has the evidence, too' grep -q 'cases were kept as evidence' "$tmp/out"

# values of a Raspberry Pi against the manual: the findings are sentences, too
expect 1 "after overflow of sub: Operand B's sign chooses the end. .* cases  pack-sub-direction\$" \
    "$m" replay corpus/vc4-qpu/silicon/pack.trace --profile manual
expect 1 'pack-sub-direction=sign-of-b$' \
    "$m" replay corpus/vc4-qpu/silicon/pack.trace --profile manual --stats

# where nothing can be kept, the run says so and how to keep it
expect 1 '^not kept: MISPRINT_STATE is empty; --campaign DIR keeps' env MISPRINT_STATE= "$m" fuzz vc4-vpm \
    --cases 100
expect 1 '^not kept: .*file/state: Not a directory; --campaign' env MISPRINT_STATE=/dev/null/file/state \
    "$m" fuzz vc4-vpm --cases 100
check 'the next command takes other cases' test "$(next)" = 'misprint fuzz vc4-vpm --cases 100 --seed 2'
expect 1 'next: misprint report mine -o report.html$' \
    sh -c "cd '$tmp' && '$m' fuzz vc4-vpm --cases 100 -c mine"
expect 3 '^not compared: 100 cases refused by the board$' "$m" fuzz vc4-vpm --cases 100 --board \
    "exec:python3 tests/oracle/bad_board.py refuse"
check 'the next command shows the cases that were not compared' \
    test "$(next)" = 'misprint dropped ~/state/misprint/vc4-vpm-5'

sum_up
