#!/bin/sh
# SPDX-License-Identifier: MIT
# `misprint bench unknown`: rows, tables and the results file fit each other; wrong use is refused.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/support/support_command.sh
. tests/support/support_command.sh

m=$MISPRINT
# Boards of a list hide nothing, so readings of the ledger are stated at once.
board() { printf '{"unit": "%s", "kind": "%s", "name": "%s", "board": "virtual:manual,%s"}\n' "$@"; }
{
    board svp64-swizzle open 'half order' swiz-half-order=high-first
    board svp64-swizzle open slices swiz-imm-slices=lsb0
    board vc4-tmu other order tmu-param-order=every-write
} >"$tmp/boards"
expect 0 '^| all | all | 3 | 3 | 3 | 100 % | 1.0 ' "$m" bench unknown --boards "$tmp/boards" \
    --results "$tmp/results" --jobs 2
check 'progress is in words' grep -q 'misprint: 3 of 3: .*: cause stated; 1 finding, .* learned ' "$tmp/out"
check 'a row for each board' test "$(wc -l <"$tmp/results")" = 3
cp "$tmp/results" "$tmp/before"

# A second run learns nothing again, and prints the same.
expect 0 '^| svp64-swizzle | open | 2 | 2 | 2 | 100 % ' "$m" bench unknown --boards "$tmp/boards" \
    --results "$tmp/results"
check 'the results are complete' cmp "$tmp/before" "$tmp/results"
# Another seed or budget is another measurement.
expect 0 '^| all | other | 1 | 1 | 1 ' "$m" bench unknown --boards "$tmp/boards" --only other --seed 2 \
    --unit vc4-tmu,vc4-vpm --results "$tmp/results" --quiet
check 'a row is added' test "$(wc -l <"$tmp/results")" = 4

# A board that fails has no row. The others are measured all the same.
{
    echo '{"unit": "svp64-swizzle", "kind": "open", "name": "broken", "board": "exec:false"}'
    board svp64-swizzle open 'half order' swiz-half-order=high-first
} >"$tmp/broken"
expect 3 '^| all | open | 1 | 1 | 1 | 100 % ' "$m" bench unknown --boards "$tmp/broken"
check 'which board failed' grep -q '^misprint: broken: board exec:false: ' "$tmp/out"
check 'how many failed' grep -q '^misprint: 1 board failed, and the table has no row of it$' "$tmp/out"

# Hidden readings: a sample by the seed, with what the board does in words.
expect 0 '"hidden":' "$m" bench unknown --unit svp64-swizzle --only reading --count 2 --time 1 --json --quiet
check 'two rows that say what was hidden' python3 -c '
import json, sys
rows = json.load(open(sys.argv[1]))
assert len({row["board"] for row in rows}) == 2, rows
for row in rows:
    assert row["unit"] == "svp64-swizzle" and row["kind"] == "reading" and len(row["hidden"]) == 1, row
    assert row["noticed"] and row["name"] not in row["learned"] and row["shown"] > 0, row
    assert row["stated"] == (row["left"] == row["excused"] == 0), row
    assert row["is_excused"] == (row["excused"] > 0), row
' "$tmp/out"

expect 2 "did you mean 'vc4-vpm'" "$m" bench unknown --unit vc4-tmu,vc4-vpn
expect 2 "did you mean 'swiz-half-order'" "$m" bench unknown --only swiz-half-ordr
expect 2 'takes no --board' "$m" bench unknown --board virtual:manual
echo '{"unit": "vc4-vpm"}' >"$tmp/wrong"
expect 2 'wrong, line 1: .*unit, kind, name and board' "$m" bench unknown --boards "$tmp/wrong"

sum_up
