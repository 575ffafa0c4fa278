#!/bin/sh
# SPDX-License-Identifier: MIT
# Fuzzing the mv.swizzle page's pseudocode against its prose names every contradiction between the two that can be executed, each
# in a finding of its own. swiz-vf-code cannot have one: between these two it does nothing unless swiz-src-range or swiz-pack-skip differs
# as well (test_swizzle_alone.c says why, and tries); where it is the only difference, it is found, too. One more
# is a consequence there: zip() drops what the shorter loop has no partner for, and in the prose both loops have one
# length, or one is the other's beginning: whatever swiz-zip's reading is, prose does the same, which is shown below. It needs a
# board that pairs otherwise and does all else as the pseudocode. In the long tier, as many cases as a minute has, for what is found early must
# not be lost again.
set -u
cases=100000
[ "${MISPRINT_TEST_LONG:-0}" = 0 ] || cases=4000000
json=$("$MISPRINT" fuzz svp64-swizzle --profile pseudocode --board virtual:prose --cases $cases --seed 1 --json)
status=$?
[ $status -eq 1 ] || { echo "FAILED: status $status instead of 1"; exit 1; }
missing=0
for clause in end-length minus-3 src-range end-in-dest const-lost dotdot-xy skip-zero pack-index pack-skip vf-code rt-plus; do
    case $json in
    *"\"clause\": \"swiz-$clause\""*) ;;
    *) echo "FAILED: no finding names swiz-$clause"; missing=1 ;;
    esac
done
# text lists a finding as "F-ID  VERDICT  N cases  CLAUSE=READING,..."
text=$("$MISPRINT" fuzz svp64-swizzle --profile pseudocode --board virtual:prose --cases $cases --seed 1 -q)
for clause in end-length minus-3 src-range end-in-dest const-lost dotdot-xy skip-zero pack-index pack-skip rt-plus; do
    printf '%s\n' "$text" | grep -Eq "^  F-[0-9a-f]+ .* swiz-$clause=[a-z0-9-]+$" ||
        { echo "FAILED: swiz-$clause stands in no finding by itself"; missing=1; }
done
"$MISPRINT" fuzz svp64-swizzle --profile pseudocode --board virtual:pseudocode,swiz-vf-code=active --cases 20000 --seed 1 -q |
    grep -Eq '^  F-[0-9a-f]+ .* swiz-vf-code=active$' || { echo "FAILED: no finding names swiz-vf-code alone"; missing=1; }
case $json in
*'"verdict": "unexplained"'*) echo "FAILED: a finding is unexplained"; missing=1 ;;
esac
"$MISPRINT" fuzz svp64-swizzle --profile prose --board virtual:prose,swiz-zip=manual --cases 20000 --seed 1 -q >/dev/null ||
    { echo "FAILED: in the prose, swiz-zip matters"; missing=1; }
for reading in by-position error; do
    case $("$MISPRINT" fuzz svp64-swizzle --profile pseudocode --board "virtual:pseudocode,swiz-zip=$reading" --cases 20000 --seed 1 --json) in
    *'"clause": "swiz-zip"'*) ;;
    *) echo "FAILED: no finding names swiz-zip=$reading"; missing=1 ;;
    esac
done
exit $missing
