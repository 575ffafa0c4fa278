#!/bin/sh
# SPDX-License-Identifier: MIT
# Fuzzing the mv.swizzle page's pseudocode against its prose names every contradiction between the two that
# can be executed, each in a finding of its own. Three clauses need other boards:
# - swiz-vf-code and swiz-vf-unpack have no effect between these two unless swiz-src-range or swiz-pack-skip
#   differs as well (test_swizzle_alone.c explains and tests this). Boards on which one is the only difference
#   show it.
# - swiz-zip has no effect in the prose, where both loops have one length or one is the beginning of the
#   other. A board that pairs otherwise and follows the pseudocode in all else shows it.
# The long tier runs as many cases as fit into a minute: what is found early must not be lost later.
set -u
cases=100000
[ "${MISPRINT_TEST_LONG:-0}" = 0 ] || cases=4000000
fuzz() { "$MISPRINT" fuzz svp64-swizzle --seed 1 "$@"; }
json=$(fuzz --profile pseudocode --board virtual:prose --cases $cases --json)
status=$?
[ $status -eq 1 ] || { echo "FAILED: status $status instead of 1"; exit 1; }
missing=0
alone='end-length minus-3 src-range end-in-dest const-lost dotdot-xy pack-index pack-skip rt-plus'
for clause in $alone vf-code vf-unpack; do
    case $json in
    *"\"clause\": \"swiz-$clause\""*) ;;
    *) echo "FAILED: no finding names swiz-$clause"; missing=1 ;;
    esac
done
# named_alone CLAUSE...: does a finding name this clause and no other? Reads the JSON.
named_alone() {
    python3 -c 'import json, sys
causes = [c for f in json.load(sys.stdin)["findings"] for c in f["explanation"]["causes"]]
alone = {c[0]["clause"] for c in causes if len(c) == 1}
missing = [c for c in sys.argv[1:] if "swiz-" + c not in alone]
for c in missing:
    print(f"FAILED: no finding names swiz-{c} alone")
sys.exit(bool(missing))' "$@"
}
# shellcheck disable=SC2086 # a list of words, on purpose
printf '%s' "$json" | named_alone $alone || missing=1
for clause in vf-code vf-unpack; do
    fuzz --profile pseudocode --board "virtual:pseudocode,swiz-$clause=active" --cases 20000 --json |
        named_alone $clause || missing=1
done
case $json in
*'"verdict": "unexplained"'*) echo "FAILED: a finding is unexplained"; missing=1 ;;
esac
fuzz --profile prose --board virtual:prose,swiz-zip=manual --cases 20000 -q >/dev/null ||
    { echo "FAILED: swiz-zip has an effect under the profile prose"; missing=1; }
for reading in by-position error; do
    case $(fuzz --profile pseudocode --board "virtual:pseudocode,swiz-zip=$reading" --cases 20000 --json) in
    *'"clause": "swiz-zip"'*) ;;
    *) echo "FAILED: no finding names swiz-zip=$reading"; missing=1 ;;
    esac
done
exit $missing
