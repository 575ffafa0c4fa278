#!/bin/sh
# SPDX-License-Identifier: MIT
# `misprint check-board` says of boards with known defects which cases are wrong, why, and what to suspect.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/support/support_command.sh
. tests/support/support_command.sh

m=$MISPRINT
json() { "$m" check-board "$@" --json >"$tmp/json" 2>/dev/null; }
# holds EXPRESSION: of the JSON document r, and n, its cases by name
holds() {
    python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
n = {c["name"]: c for c in r["cases"]}
sys.exit(not eval(sys.argv[2]))' "$tmp/json" "$1"
}

# a board with nothing wrong, in another process; it refuses what it does not know, with the reason
expect 0 '^47 cases: 37 right, 0 wrong, 10 refused$' "$m" check-board vc4-vpm \
    --board 'exec:python3 scripts/example-board.py'
check 'it lists the reasons of refusals' \
    grep -q '^    1  LANED of a DMA store must be 0: vdw-laned$' "$tmp/out"
check 'it measures the speed' grep -q '^speed: [0-9,]* cases a second, 256 at a time' "$tmp/out"

# one broken operation of the QPU: the words of the instructions lead to it
json vc4-qpu --board 'virtual:bcm2835;vc4-qpu add.result when op == 4 = value ^ 1' --junit "$tmp/junit"
check 'operation 4, which is fmax (p36 table), is the first suspect' \
    holds 'r["suspects"][0]["feature"] == "fmax" and n["fmin-order"]["result"] == "wrong"'
check 'other operations are right' holds 'n["mul24"]["result"] == "right"'
check 'recorded tables run, too' holds '0 < n["silicon/alu.trace"]["counts"]["wrong"] < 100'
check 'the easy cases come first' holds 'r["cases"][0]["name"] == "the empty case"'
check 'JUnit is XML and has a failure for each wrong case' python3 -c '
import json, sys, xml.etree.ElementTree as x
suite = x.parse(sys.argv[1]).getroot()[0]
wrong = [c["name"] for c in json.load(open(sys.argv[2]))["cases"] if c["result"] == "wrong"]
assert [c.get("name") for c in suite if c.find("failure") is not None] == wrong
assert suite.get("failures") == str(len(wrong)) and suite.get("tests") == str(len(suite))' \
    "$tmp/junit" "$tmp/json"

# the order of the buffer unit's cases: plain loads and stores first, faults last
json amd-buffer --board virtual:gfx1100
check 'plain cases come first' \
    holds '[c["name"][:10] for c in r["cases"][1:4]] == ["seed-scala", "seed-plain", "seed-plain"]'
check 'a reserved opcode comes last' \
    holds '[c["name"] for c in r["cases"]].index("reserved-opcode") > 0.8 * len(r["cases"])'

# another known reading passes, unless the user named the profile; silicon's own values do not
expect 0 '^ *[0-9]*  other-reading  vpm-' "$m" check-board vc4-vpm --board virtual:manual
check 'the reading is named' grep -q '^         as in profile manual$' "$tmp/out"
expect 1 '[1-9][0-9]* wrong' "$m" check-board vc4-vpm --board virtual:manual --profile bcm2835
expect 0 ' 0 wrong' "$m" check-board vc4-vpm --board virtual:manual --profile manual
expect 1 '^look first at silicon/unpack.trace$' "$m" check-board vc4-qpu --board virtual:manual
check 'a command runs the whole table' \
    grep -q '^  misprint replay [^ ]*/unpack.trace --profile bcm2835 --board virtual:manual ' "$tmp/out"

# defects in one mode: known cases show them. Generated cases show one that depends on a rare address.
last_byte='size == 0 && laned == 1 && horizontal == 1 && (address & 3) == 3'
expect 1 '^look first at seed-byte-modes:$' "$m" check-board vc4-vpm --board \
    "virtual:bcm2835;vc4-vpm block.value when $last_byte = value & 0x7f"
expect 1 '^[1-9][0-9]* generated cases: [0-9]* right, .*[1-9][0-9]* wrong' "$m" check-board vc4-vpm --board \
    'virtual:bcm2835;vc4-vpm block.value when (address & 31) == 27 = value ^ 0x40'
check 'no known case is wrong there' grep -q '^47 cases: 4[0-9] right, 0 wrong' "$tmp/out"
check 'the first of these is printed, with a command that writes it to a file' sh -c "cd '$tmp' &&
    sed -n '/^  cat >generated.case/,/^end$/p' out | sh &&
    ! '$m' replay generated.case --profile bcm2835 --board \
        'virtual:bcm2835;vc4-vpm block.value when (address & 31) == 27 = value ^ 0x40'"
json vc4-vpm --board 'virtual:bcm2835;vc4-vpm block.value when (address & 31) == 27 = value ^ 0x40'
check 'JSON has it, too' holds 'r["generated"]["case"] == open("'"$tmp"'/generated.case").read()'
check 'the command that goes on is named' \
    grep -q '^  misprint fuzz vc4-vpm --profile bcm2835 --board ' "$tmp/out"

# a lost lane, in a unit without an instruction set of the field
expect 1 '^look first at ' "$m" check-board svp64-swizzle --board 'virtual:repaired~lane-drop:gpr:0'
check 'the command to look at it works' sh -c "PATH=$(dirname "$m"):\$PATH; $(sed -n \
    's/^  \(misprint run .*\) --trace .*/\1/p' "$tmp/out")"

# boards that refuse, know nothing, or die
# an agent passes on the reason of each case, not only of the first of a batch
expect 3 '^  *47  memory of others: ' "$m" check-board vc4-vpm \
    --board "exec:'$m' agent --board 'exec:python3 tests/oracle/bad_board.py refuse'"
# a board that can run none of the known cases: generated ones show what it can
expect 1 '^[1-9][0-9]* generated cases: [0-9]* right, .*[1-9][0-9]* wrong' "$m" check-board vc4-vpm \
    --board 'exec:python3 tests/oracle/bad_board.py refuses-first 47'
expect 3 '^  *47  memory of others: ' "$m" check-board vc4-vpm \
    --board 'exec:python3 tests/oracle/bad_board.py refuse'
check 'cases of which none was compared are no result' test -z "$(grep 'generated cases:' "$tmp/out")"
check 'without generated cases there is no speed' grep -q '^speed: not measured' "$tmp/out"
expect 0 ' not recorded$' sh -c "'$m' record corpus/vc4-vpm/vpm-size.case --board virtual: \
        -o '$tmp/t.trace' &&
    '$m' check-board vc4-vpm --board 'trace:$tmp/t.trace'"
check 'one case is recorded' grep -q '^47 cases: 1 right, 0 wrong, 46 not recorded$' "$tmp/out"
expect 3 '' "$m" check-board vc4-vpm --board 'exec:false'
expect 3 'board exec:.*: it says: the firmware answers no more' "$m" check-board vc4-vpm \
    --board 'exec:python3 tests/oracle/bad_board.py error-later'

# boards with a flaw that depends on time or on earlier cases
cat >"$tmp/flaws.py" <<'END'
import importlib.util, sys, time
spec = importlib.util.spec_from_file_location("example", "scripts/example-board.py")
example = importlib.util.module_from_spec(spec)
spec.loader.exec_module(example)
right, calls = example.run, 0
def run(case):
    global calls
    calls += 1
    what = [code & 15 for _, code in case.ops]
    if sys.argv[1] == "hangs" and 5 in what and 6 in what:  # a DMA store and a DMA load
        time.sleep(60)
    outcome = right(case)
    if sys.argv[1] == "flips" and calls % 7 == 0 and len(outcome) > 9:
        outcome = outcome[:9] + bytes([outcome[9] ^ 1]) + outcome[10:]
    return outcome
example.run = run
example.main()
END
expect 1 '^47 cases: [0-9]* right, 0 wrong, [1-9][0-9]* flaky, 10 refused$' "$m" check-board vc4-vpm \
    --board "exec:python3 $tmp/flaws.py flips" --junit "$tmp/junit"
check 'a board that errs at each seventh case is flaky, and no clause is suspected' sh -c \
    "grep -q '^  flaky: asked again alone, the board answers' '$tmp/out' && ! grep -q suspect '$tmp/out'"
check 'what it did at first, and then' grep -q '^         asked again alone:$' "$tmp/out"
check 'JUnit has these as failures' grep -q '<failure type="flaky"' "$tmp/junit"
# A hang costs the time-out once. Neither generated cases nor the speed are tried after it.
start=$(date +%s)
expect 3 '^47 cases: [0-9]* right, 0 wrong, [1-3] without an answer, 10 refused$' \
    env MISPRINT_BOARD_TIMEOUT=1 "$m" check-board vc4-vpm --board "exec:python3 $tmp/flaws.py hangs"
check 'it takes seconds' test $(($(date +%s) - start)) -le 30
check 'generated cases are not run, and it is said' \
    grep -q '^generated cases: not run, because known cases got no answer$' "$tmp/out"
check 'nor is the speed' grep -q '^speed: not measured, because a case got no answer$' "$tmp/out"
check 'suspects are of failing cases' grep -q '^  suspect .*: in [1-3] failing case' "$tmp/out"
# What is known is printed before a hang, and the rest after two signals at once.
"$m" check-board vc4-vpm --all --board "exec:python3 $tmp/flaws.py hangs" >"$tmp/out" 2>&1 &
n=0
until grep -q '^    1  right ' "$tmp/out" || [ $n = 200 ]; do
    n=$((n + 1))
    sleep 0.1
done
check 'results are printed as they come' grep -q '^    1  right          the empty case$' "$tmp/out"
check 'the board hangs now' kill -0 $!
kill -TERM $!
kill -TERM $! 2>/dev/null
wait $!
check 'two signals at once end it with status 3' test $? -eq 3
check 'the counts are printed' grep -q '^[1-9][0-9]* cases*: [0-9]* right, 0 wrong, ' "$tmp/out"
# A plug-in has two seconds for a case.
if [ -f "${MISPRINT_BUILD_DIR:-}/tests/plugin_model.so" ]; then
    expect 3 ' no answer within 2 s$' env -u MISPRINT_BOARD_TIMEOUT "$m" check-board vc4-vpm \
        --board "plugin:$MISPRINT_BUILD_DIR/tests/plugin_model.so,hang=20"
fi
expect 2 'name the board' "$m" check-board vc4-vpm
expect 2 "did you mean 'vc4-vpm'" "$m" check-board vc4-vpn --board virtual:
sum_up
