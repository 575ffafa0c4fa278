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

expect 1 'undocumented .* 0 cases' "$m" fuzz vc4-vpm --board "$board" --campaign "$tmp/c" --cases 2000
check 'it is not learned again' eval '! grep -q learned: "$tmp/out"'
expect 0 'stands: its case shows it; only the board' "$m" verify "$tmp/c"
"$m" report "$tmp/c" --json "$tmp/r.json" 2>/dev/null
check 'one finding with its rule' python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
assert [f["verdict"] for f in r["findings"]] == ["undocumented"], r["findings"]' "$tmp/r.json"

sum_up
