#!/bin/sh
# SPDX-License-Identifier: MIT
# `misprint learn` and `misprint points`: what they print, write and refuse.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/support/support_command.sh
. tests/support/support_command.sh

m=$MISPRINT
board='virtual:manual;vc4-vpm block.stride = value & 31'

# a rule is learned; with the written profile fresh cases agree
expect 0 'vc4-vpm block.stride = value & 0x1f' "$m" learn vc4-vpm --board "$board" --time 60 -o "$tmp/mine" \
    --html "$tmp/page"
check 'so does the page' grep -q 'block.stride = value &amp; 0x1f' "$tmp/page"
expect 0 'experiments could have refuted it' "$m" learn vc4-vpm --board "$board" --time 60
check 'the profile holds the rule' grep -q '^vc4-vpm block.stride = value & 0x1f$' "$tmp/mine"
expect 0 '0 different' "$m" fuzz vc4-vpm --stats --board "$board" --profile "$tmp/mine" --cases 5000 --seed 9
expect 1 'different' "$m" fuzz vc4-vpm --stats --board "$board" --profile manual --cases 5000 --seed 9

# a reading is learned, in a unit without points, too
expect 0 'vpm-fig8a=in-order' "$m" learn vc4-vpm --board virtual:manual,vpm-fig8a=in-order --time 60
expect 0 'tmu-param-order=every-write' "$m" learn vc4-tmu --board virtual:manual,tmu-param-order=every-write \
    --time 60 -o "$tmp/tmu"
check 'the profile holds the reading' grep -q '^tmu-param-order = every-write$' "$tmp/tmu"

# JSON
expect 0 '"end": "agrees"' "$m" learn vc4-vpm --board "$board" --time 60 --json
expect 0 '"name": "block.stride"' "$m" points vc4-vpm --json

# cases without an outcome are counted; a board that refuses all of them has not agreed
sed -n '/^```python refuse$/,/^```$/p' harness/PROTOCOL.md | sed '1d;$d' >"$tmp/refuse.py"
expect 1 'the board gave no outcome for [1-9][0-9]* of these cases ([0-9]* %); the last reason: [a-zA-Z]' \
    "$m" learn vc4-vpm --profile bcm2835 --board 'exec:python3 scripts/example-board.py' --cases 200
expect 3 'nothing was compared: .* no outcome for any of 64 cases; the last reason: not there yet' \
    "$m" learn vc4-vpm --board "exec:python3 $tmp/refuse.py" --cases 64

# points and errors
expect 0 '^block.stride .*6 bits .*STRIDE of a block setup' "$m" points vc4-vpm
expect 0 '^insn.po .*major opcode' "$m" points svp64-swizzle
expect 2 "did you mean 'vc4-vpm'" "$m" points vc4-vpn
expect 2 "did you mean 'vc4-vpm'" "$m" learn vc4-vpn
expect 2 "did you mean 'block.stride'" "$m" learn vc4-vpm --profile 'manual;vc4-vpm block.strid = 1'
expect 2 'column' "$m" run corpus/vc4-vpm/vpm-size.case --profile 'manual;vc4-vpm block.stride = 1 +'
expect 2 'cannot be opened\|No such file\|folder' "$m" learn vc4-vpm --board "$board" \
    -o /nonexistent/folder/mine
expect 2 'name the board to learn: --board B' "$m" learn vc4-vpm

# a search that the time cuts short is no difference that nothing explains
expect 1 'not searched to the end: 1 kind of difference; the search for it did not end: the time ran out' \
    "$m" learn vc4-vpm --board "$board" --time 0.1
check 'it is not called unexplained' sh -c "! grep -q '^unexplained\|nothing explains' '$tmp/out'"

sum_up
