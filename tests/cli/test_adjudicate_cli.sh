#!/bin/sh
# SPDX-License-Identifier: MIT
# `misprint adjudicate` writes the board's profile, and finds wrong use before anything runs.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
MISPRINT_CORPUS=$MISPRINT_SOURCE_DIR/corpus
export MISPRINT_CORPUS
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
m=$MISPRINT
# shellcheck source=tests/support/support_command.sh
. "$MISPRINT_SOURCE_DIR/tests/support/support_command.sh"

# A secret profile: the best-known silicon with some readings changed. The command must find it.
cat >"$tmp/secret" <<'END'
base = bcm2835
vpm-addr-h8 = row-div-4
vcd-row-overrun = wraps
vpm-read-excess = manual
END
expect 0 'certain' "$m" adjudicate vc4-vpm --board "virtual:$tmp/secret" -o "$tmp/found"
expect 0 ' 0 different' "$m" fuzz vc4-vpm --stats --board "virtual:$tmp/secret" --profile "$tmp/found" \
    --cases 3000
for pair in 'vpm-addr-h8 = row-div-4' 'vcd-row-overrun = wraps' 'vpm-read-excess = manual'; do
    check "the profile found has '$pair'" grep -qx "$pair" "$tmp/found"
done
# One clause takes one or two cases.
expect 0 '"clause": "vpm-addr-h8"' "$m" adjudicate vpm-addr-h8 --board "virtual:$tmp/secret" --json
cat >"$tmp/described.py" <<'END'
import json, sys
[unit] = json.load(open(sys.argv[1]))
[clause] = unit["clauses"]
assert clause == {"clause": "vpm-addr-h8", "reading": "row-div-4", "certainty": "certain",
                  "possible": ["row-div-4"], "trials": 1, "untried": []}, clause
assert unit["unit"] == "vc4-vpm" and unit["silicon"] is False
assert unit["verified"] is True and unit["cut"] is False
assert 1 <= unit["cases_run"] <= 2 and unit["cases_run"] == len(unit["cases"])
assert sum(c["settled"] for c in unit["cases"]) == 1
END
check 'the JSON is as described' python3 "$tmp/described.py" "$tmp/out"
# A reading that leaves undefined where the other ones say something cannot be refuted by them, so it is not
# certain, although what the board did rules out the others. A reading that says something is.
for pair in swiz-overlap=manual gp-register-latency=manual; do
    clause=${pair%=*} reason='the others are ruled out, but no case tested it against'
    expect 0 "^  $clause  manual  likely: $reason" "$m" adjudicate "$clause" --board "virtual:manual,$pair"
    expect 0 '"why": "not-tried"' "$m" adjudicate "$clause" --board "virtual:manual,$pair" --json
done
expect 0 '^  swiz-half-order  manual  certain: [1-9][0-9]* cases* tested it and agrees*$' "$m" adjudicate \
    swiz-half-order --board virtual:manual
# A QPU program meets the same VPM. What cases of vc4-vpm have decided is not asked again of vc4-qpu.
expect 0 'vpm-addr-h8  *manual  *certain: [1-9]' "$m" adjudicate vc4-vpm vc4-qpu \
    --board virtual:manual --cases 400
check 'vc4-qpu takes over what vc4-vpm decided' \
    grep -q '^  vpm-addr-h8  *manual  *certain: decided by the cases of another unit$' "$tmp/out"
# Recorded values decide without their board. The result says that they were measured on silicon.
expect 0 'measured on silicon' "$m" adjudicate vc4-qpu \
    --board "trace:$MISPRINT_SOURCE_DIR/corpus/vc4-qpu/silicon/unpack.trace"
check 'the recorded unpacking settles unpack-8-colour' grep -q 'unpack-8-colour  *truncated  *certain' \
    "$tmp/out"
# All cases of a trace are used. The numbers are those of `misprint replay` on the same file.
alu=$MISPRINT_SOURCE_DIR/corpus/vc4-qpu/silicon/alu.trace
for pair in 'pack-sub-direction sign-of-b 38' 'fmin-order sign-magnitude 292' 'itof-truncation truncate 2'; do
    # shellcheck disable=SC2086
    set -- $pair
    expect 0 "$1  $2  certain: $3 cases tested it and agree" "$m" adjudicate "$1" --board "trace:$alu"
done
# A run that compares nothing fails, and writes no profile.
expect 3 'nothing was compared' "$m" adjudicate pack-8-of-float --board "trace:$alu" -o "$tmp/nothing"
check 'it says that the clause was not asked' grep -q \
    'pack-8-of-float  manual  not asked: no case of the trace distinguishes it from raw-bits' "$tmp/out"
check 'it writes no profile' test ! -e "$tmp/nothing"

# A list of questions about two units.
count=$(grep -c '^[a-z0-9-]*: ' "$MISPRINT_CORPUS/raspberry-pi.questions")
expect 0 "^raspberry-pi: $count questions, the most valuable first$" "$m" adjudicate raspberry-pi \
    --board virtual:manual
check 'each is numbered' grep -q "^ *$count\. " "$tmp/out"

expect 0 'the search was cut short' "$m" adjudicate vc4-vpm --cases 2
# "also possible" names what the JSON lists as possible, without the chosen reading.
cp "$tmp/out" "$tmp/cut"
expect 0 '"cut": true' "$m" adjudicate vc4-vpm --cases 2 --json
cat >"$tmp/possible.py" <<'END'
import json, re, sys
[unit] = json.load(open(sys.argv[1]))
lines = re.findall(r"^  (\S+) .*: also possible: ([^;]*);", open(sys.argv[2]).read(), re.M)
named = {c: p.split(", ") for c, p in lines}
listed = {c["clause"]: [r for r in c["possible"] if r != c["reading"]] for c in unit["clauses"]
          if len(c["possible"]) > 1}
assert len(named) > 10 and named == listed, (named, listed)
END
check 'text and JSON name the same readings' python3 "$tmp/possible.py" "$tmp/out" "$tmp/cut"
# A run that was interrupted prints what it knows, and fails.
timeout --foreground --preserve-status -s INT 0.1 "$m" adjudicate vc4-qpu --board virtual:manual \
    >"$tmp/out" 2>&1
status=$?
if grep -q '^  vpm-addr-h8 .* the search was cut short' "$tmp/out"; then
    check 'the exit status says that it was interrupted' test $status = 3
    check 'so does the message' grep -q 'interrupted before all clauses were decided' "$tmp/out"
else
    echo 'skipped: the signal came before or after the search'
fi
# If the board is another machine, or does not work yet, the command stops and says so.
sed -n '/^```python refuse$/,/^```$/p' "$MISPRINT_SOURCE_DIR/harness/PROTOCOL.md" | sed '1d;$d
    s/put(REFUSED.*/done = bytes([0, 1, 0, 0, 0, 0]); crcs = zlib.crc32(case) << 32 | zlib.crc32(done)\
    put(OUTCOME, struct.pack("<IQ", number, nonce ^ crcs) + done)/' >"$tmp/changes-nothing.py"
expect 1 'vpm-fig8a .*open: .*no reading fits much of what the board did' "$m" adjudicate vc4-vpm \
    --board "exec:python3 $tmp/changes-nothing.py"
expect 2 "did you mean 'vpm-addr-h8'" "$m" adjudicate vpm-addr-h7
expect 2 'missing argument' "$m" adjudicate
expect 2 'no-such' "$m" adjudicate vc4-vpm --profile no-such
expect 2 'both write to standard output' "$m" adjudicate vc4-vpm --json -o -
expect 2 'nowhere' "$m" adjudicate vc4-vpm -o "$tmp/nowhere/p"
expect 3 'HELLO' "$m" adjudicate vc4-vpm --board exec:false
MISPRINT_CORPUS=$tmp/none
expect 0 'corpus is not installed' "$m" adjudicate vpm-addr-h8 --board "virtual:$tmp/secret"
check 'without the corpus it is found out, too' grep -q 'row-div-4  *certain' "$tmp/out"
sum_up
