#!/bin/sh
# SPDX-License-Identifier: MIT
# A campaign that was killed after it learned a rule goes on with the rule, and verify and replay know it.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/support/support_command.sh
. tests/support/support_command.sh

m=$MISPRINT
board='virtual:manual;vc4-vpm write.stride = value & 31'

"$m" fuzz vc4-vpm --board "$board" --campaign "$tmp/c" --time 300 --quiet >/dev/null 2>&1 &
pid=$!
for _ in $(seq 300); do grep -qs undocumented "$tmp/c/log.txt" && break; sleep 0.2; done
kill -9 $pid
wait $pid 2>/dev/null
check 'the rule was learned before the kill' grep -q undocumented "$tmp/c/log.txt"

expect 1 'undocumented .* 0 cases' "$m" fuzz vc4-vpm --stats --board "$board" --campaign "$tmp/c" \
    --cases 2000
check 'it is not learned again' eval '! grep -q learned: "$tmp/out"'
expect 0 'stands: its case shows it; only the board' "$m" verify "$tmp/c"
"$m" report "$tmp/c" --json "$tmp/r.json" 2>/dev/null
check 'one finding with its rule' python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
assert [f["verdict"] for f in r["findings"]] == ["undocumented"], r["findings"]
f = r["findings"][0]
near = f["nearest_agreeing"]
open(sys.argv[2], "w").write(f["smallest_case"])
open(sys.argv[3], "w").write(near["case"])
assert f["smallest_case"].replace(near["instead_of"], near["has"], 1) == near["case"], near' \
    "$tmp/r.json" "$tmp/smallest.case" "$tmp/nearest.case"
expect 1 '1 different' "$m" replay "$tmp/smallest.case" --board "$board"

# explain knows what the campaign learned. The board is the injected rule above; a reading of the ledger
# explains the other half of the second case, and nothing known explains the first without the rule.
expect 1 'explained by a rule that the campaign learned (finding F-' "$m" explain "$tmp/c/cases/"
check 'its verdict is that of fuzz' grep -q '^  verdict: undocumented$' "$tmp/out"
check 'the rule in words' grep -q 'STRIDE of a .* setup counts modulo 32' "$tmp/out"
expect 1 'verdict: unexplained' "$m" explain "$tmp/c/cases/" --profile manual --board "$board"
both='virtual:manual,vpm-fig8a=in-order;vc4-vpm write.stride = value & 31'
cat >"$tmp/c/both.case" <<'EOF'
misprint-case 1 vc4-vpm
data fill index
ops {
  wr_setup h32 stride=33
  write 0
  write 1
  wr_setup h8 stride=1 y=40
  write 2
}
EOF
expect 1 'profile manual with the 1 rule that the campaign learned against' \
    "$m" explain "$tmp/c/both.case" --board "$both"
check 'and the reading beside the rule' grep -q '^  explained by vpm-fig8a=in-order$' "$tmp/out"
"$m" explain "$tmp/c/cases/" --json >"$tmp/explained.json"
check 'JSON: the rule, and no reading' python3 -c '
import json, sys
for x in json.load(open(sys.argv[1])):
    if "case" in x:
        assert x["verdict"] == "undocumented" and not x["explanations"], x
        assert [r["rules"].startswith("vc4-vpm ") for r in x["rules"]] == [True], x' "$tmp/explained.json"
expect 0 '1 equal' "$m" replay "$tmp/nearest.case" --board "$board"

# One campaign learned a rule, and the other was too short for that. Merged, both findings are true. The next
# run makes one of them.
short() { "$m" fuzz vc4-vpm --board "$board" --campaign "$tmp/short" --seed 77 --cases 60 --quiet; }
expect 1 unexplained short
check 'an unexplained finding is listed with its instruction and the first word that differs' \
    grep -q '^  wr_setup .* stride=.*: vpm .* word .*: model .*, board .*; first seen in ' "$tmp/out"
expect 1 'undocumented' "$m" fuzz vc4-vpm --board "$board" --cases 3000 --seed 5 --quiet
check '--quiet is quiet' eval '! grep -q "^misprint: learned" "$tmp/out"'
expect 0 '2 findings' "$m" merge "$tmp/c" "$tmp/short" -o "$tmp/merged"
expect 0 'rules of another finding explain it, too' "$m" verify "$tmp/merged"
"$m" fuzz vc4-vpm --board "$board" --campaign "$tmp/merged" --cases 200 --quiet >/dev/null
expect 0 '1 finding, derived again' "$m" verify "$tmp/merged"

# The board is another one when the campaign goes on, and follows the learned rule with an exception. So the
# rule is withdrawn.
cat >"$tmp/board" <<EOF
exec '$m' agent --board "\$(cat '$tmp/firmware')"
EOF
board="exec:sh $tmp/board"
echo 'virtual:manual;vc4-vpm block.stride = value & 31' >"$tmp/firmware"
fuzz() { "$m" fuzz vc4-vpm --stats --board "$board" --campaign "$tmp/w" --cases "$1"; }
expect 1 'learned: vc4-vpm block.stride = ' fuzz 1500
echo 'virtual:manual;vc4-vpm block.stride when value != 45 = value & 31' >"$tmp/firmware"
expect 1 'withdrawn: vc4-vpm block.stride = ' fuzz 3000
check 'another rule is learned' grep -q 'learned: vc4-vpm block.stride when' "$tmp/out"
check 'the summary says so' grep -q 'withdrawn .* (was believed until seed .* refuted it)' "$tmp/out"
expect 1 'withdrawn .* (was believed until seed .* refuted it)' fuzz 3000
check 'the campaign goes on with what is believed' eval '! grep -q "learned:\|withdrawn:" "$tmp/out"'
check 'fresh cases agree' grep -q ' 0 different' "$tmp/out"
expect 0 'stands: the model agrees without its rules in the case that refuted them' "$m" verify "$tmp/w"
"$m" report "$tmp/w" --json "$tmp/w.json" --html "$tmp/w.html" --md "$tmp/w.md" 2>/dev/null
check 'JSON: the withdrawn rule, and the case that refuted it' python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
by = {f["verdict"]: f for f in r["findings"]}
assert sorted(by) == ["implementation-differs", "withdrawn"], list(by)
w = by["withdrawn"]
assert w["explanation"]["status"] == "withdrawn"
assert w["learned"]["withdrawn"]["refuted_by"].startswith("misprint-case 1 vc4-vpm"), w["learned"]
assert by["implementation-differs"]["learned"]["withdrawn"] is None' "$tmp/w.json"
for page in html md; do
    check "$page: the sentence" grep -q 'believed a rule until case' "$tmp/w.$page"
    check "$page: the case" grep -q 'case that refuted' "$tmp/w.$page"
done

# Two boards share a directory. Each has its own rule when the campaign goes on with it.
on() { "$m" fuzz vc4-vpm --stats --board "virtual:manual;vc4-vpm block.stride = $1" --campaign "$tmp/two" \
    --cases 1500; }
for rule in 'value & 31' 'value & 15'; do
    expect 1 "learned: vc4-vpm block.stride = " on "$rule"
done
for rule in 'value & 31' 'value & 15'; do
    expect 1 'block.stride = value & ' on "$rule"
    check "block.stride = $rule is known" eval '! grep -q "learned:\|withdrawn:" "$tmp/out"'
    check "block.stride = $rule is all that differs" grep -q ' 0 different' "$tmp/out"
done

sum_up
