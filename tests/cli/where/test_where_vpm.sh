#!/bin/sh
# SPDX-License-Identifier: MIT
# `misprint where vc4-vpm`. The expectations come from the VideoCore IV guide and from published programs.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
command -v python3 >/dev/null || exit 77
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/support/support_command.sh
. tests/support/support_command.sh

w() { "$MISPRINT" where vc4-vpm "$@"; }
expect 0 '^50 comparisons$' python3 tests/cli/where/where_vpm.py "$MISPRINT"
expect 0 '00001a00  wr_setup h32 stride=1$' w 'wr_setup 00001a00'
expect 0 '00001a00  wr_setup h32 stride=1$' w 'wr_setup 0x1a00'
expect 0 '│0000│1111│2222│.*│ffff│$' w 'wr_setup 1a00'
expect 0 'profile manual and profile bcm2835, which agree' w 'wr_setup 1a00'
# figure 8a prints element 3 twice: the literal manual differs from the silicon
expect 0 'profile bcm2835, which differs' w 'wr_setup h8 y=1'
expect 0 'vpm-addr-h8=row-div-4, which differs' w 'wr_setup h8 y=1'
expect 0 'assumed .* because this setup alone moves nothing' w 'wr_setup c0000040'
# a pitch or stride without effect is named, and one that matters is used (tables 35 and 37)
expect 0 'MPITCHB has no effect, because MPITCH is not 0' w 'rd_setup 90000080' 'rd_setup 83041000'
expect 0 'STRIDE has no effect, because UNITS is 1' w 'wr_setup c0000040' 'wr_setup 80904000'
expect 0 '^  +80 ' w 'rd_setup 90000080' 'rd_setup load-h nrows=2 vpitch=1'
expect 0 '^  +180 ' w 'wr_setup c0000040' 'wr_setup 82104000' # 64 bytes and STRIDE 64: 3 * 128
expect 0 '^  +180 ' w 'rd_setup 90000080' 'rd_setup 80041000' # MPITCHB 128: 3 * 128
w 'rd_setup 83041000' >"$tmp/load"
check 'no pitch is assumed where MPITCH gives it' sh -c "! grep -q assumed '$tmp/load'"
# rows of 4 words, 4 bytes apart from start to start: of row 0 only word 0 stays, row 1 is the last
overlap() { "$MISPRINT" where vc4-vpm --profile manual,vdw-stride-meaning=start-to-start \
    'wr_setup store-stride stride=4' 'wr_setup store-h units=2 depth=4'; }
expect 0 '^   0 │   0│----│----│----│\.\.\.\.│' overlap
check 'the last row stays' grep -q '^   1 │   4│   8│   c│  10│\.\.\.\.│' "$tmp/out"
check 'JSON has them' sh -c "'$MISPRINT' where vc4-vpm --json \
    --profile manual,vdw-stride-meaning=start-to-start 'wr_setup store-stride stride=4' \
    'wr_setup store-h units=2 depth=4' | python3 -c 'import json, sys
lost = json.load(sys.stdin)[\"profiles\"][0][\"overwritten\"]
got = [(b[\"row\"], b[\"column\"], b[\"byte\"]) for b in lost]
assert got == [(0, x // 4, x % 4) for x in range(4, 16)], got'"
check 'and the sign is explained' grep -q 'also reads 12 bytes' "$tmp/out"
# with STRIDE read as start to start, four rows of 32 bytes go to one place: three are overwritten
expect 0 'also reads 96 bytes of the VPM that later rows overwrite' w 'wr_setup 82084120'
w 'wr_setup 40000000' >"$tmp/fault"
check 'a fault draws no table' sh -c "! grep -q '┌' '$tmp/fault'"
expect 0 '0: the vector that is read' w 'rd_setup h32 num=1 stride=1'
expect 0 'bits 23:20 are NUM only in rd_setup' w 'wr_setup 00101a00'
expect 2 "write wr_setup or rd_setup before the word" w 00001a00
expect 2 'all wr_setup or all rd_setup' w 'wr_setup 1a00' 'rd_setup 101a00'
expect 2 'takes setups in quotes' w
expect 2 "did you mean 'h32'" w 'wr_setup h322 y=1'
expect 2 "'read': where takes setups" w read
expect 2 "unknown operation 'wr_stup'\|did you mean 'wr_setup'" w 'wr_stup 1a00'
sum_up
