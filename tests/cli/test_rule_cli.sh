#!/bin/sh
# SPDX-License-Identifier: MIT
# --rule: a user's own hypothesis, judged by `misprint explain` and `misprint fuzz`, and what errors in
# profile files name.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/support/support_command.sh
. tests/support/support_command.sh

m=$MISPRINT
rule='vc4-vpm write.row = value ^ 2'
board="virtual:manual;$rule"
case=corpus/vc4-vpm/vpm-addr-h8.case

# one case: the rule holds, is refuted, or is not touched
expect 0 'holds: with the rule the model does what the board did' \
    "$m" explain $case --board "$board" --rule "$rule"
expect 1 'refuted by this case.*Without the rule the model differs from the board, too' \
    "$m" explain $case --board "$board" --rule 'vc4-vpm write.row = value ^ 4'
expect 1 'refuted by this case.*Without the rule the model does what the board did' \
    "$m" explain $case --board virtual:manual --rule "$rule"
expect 1 'vpm 1 .*model' "$m" explain $case --board virtual:manual --rule "$rule"
expect 0 'not touched: the rule changes nothing in this case. The model does' \
    "$m" explain $case --board virtual:manual --rule 'vc4-vpm load.x = 3'
expect 1 'not touched: .* The model differs from the board for another reason' \
    "$m" explain $case --board "$board" --rule 'vc4-vpm load.x = 3'
expect 0 'not touched' "$m" explain $case --board virtual:manual --rule 'vc4-vpm write.row = value'
expect 0 '"result": "holds"' "$m" explain $case --board "$board" --rule "$rule" --json
expect 1 '"result": "refuted"' "$m" explain $case --board virtual:manual --rule "$rule" --json

# many cases
expect 0 'the rule holds: it changed 256 of .* generated cases; the board agreed in 256 of them$' \
    "$m" fuzz vc4-vpm --board "$board" --rule "$rule" --cases 3000 --quiet
"$m" fuzz vc4-vpm --board virtual:manual --rule "$rule" --cases 500 --quiet --campaign "$tmp/c" \
    >"$tmp/out"
check 'a refuted rule has status 1' test $? = 1
check 'the sentence says so' \
    grep -q 'the rule is refuted: .*agreed in 0 of them and disagreed in 256$' "$tmp/out"
check 'the case is named' \
    grep -q "the first case that refutes it: $tmp/c/rule-refuted-1.case" "$tmp/out"
expect 1 'refuted by this case' \
    "$m" explain "$tmp/c/rule-refuted-1.case" --board virtual:manual --profile manual --rule "$rule"
expect 0 'was not touched: it changed no defined bit' \
    "$m" fuzz vc4-vpm --board virtual:manual --rule 'vc4-vpm write.row = value' --cases 500 --quiet
"$m" fuzz vc4-vpm --board "$board" --rule "$rule" --cases 500 --quiet --json >"$tmp/json" 2>"$tmp/words"
check 'the sentence stays out of the JSON' grep -q 'the rule holds' "$tmp/words"
check 'the JSON is a document' sh -c "tail -c 3 '$tmp/json' | grep -q '[]}]'"

# the other commands; several rules
expect 0 '0 different' "$m" replay $case --board "$board" --profile manual --rule "$rule"
expect 1 '1 different' "$m" replay $case --board "$board" --profile manual
expect 0 'block.row 1 -> 3 by rule' "$m" run $case --trace --rule "$rule" # as in docs/trace.md
expect 0 'vpm 7 = ' "$m" run $case --rule 'vc4-vpm write.stride = 3' --rule 'vc4-vpm write.row = value ^ 6'
expect 1 ' 0 cases differed' "$m" learn vc4-vpm --board "$board" --rule "$rule" --time 20 --cases 3000
expect 2 'do not differ' "$m" reduce $case --board "$board" --rule "$rule"

# errors name the place
expect 2 "rule 'vc4-vpm write.ro = 1', column 9: unknown point .*did you mean 'write.row'" \
    "$m" run $case --rule 'vc4-vpm write.ro = 1'
printf '# mine\n\n  vc4-vpm write.row = valu ^ 2 # a comment\n' >"$tmp/bad.profile"
expect 2 "bad.profile: line 3, column 23: unknown name 'valu'; did you mean 'value'" \
    "$m" run $case --profile "$tmp/bad.profile"

# points
expect 0 'inputs: size (2 bits), laned (1 bit)' "$m" points vc4-vpm block.stride
expect 0 'reading: 1: it is a read; 0: it is a write' "$m" points vc4-vpm block.stride
expect 0 '"bits": 6' "$m" points vc4-vpm block.stride --json
expect 0 '"about": "SIZE; 0 bytes, 1 halves, 2 words"' "$m" points vc4-vpm block.stride --json
expect 2 "did you mean 'block.stride'" "$m" points vc4-vpm block.strid

sum_up
