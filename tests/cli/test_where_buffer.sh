#!/bin/sh
# SPDX-License-Identifier: MIT
# `misprint where amd-buffer`. The expectations come from documents: the worked addresses and range checks of
# the guide's formulas, and what rocjitsu's tests state was measured on a physical gfx1100.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
command -v python3 >/dev/null || exit 77
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/support/support_command.sh
. tests/support/support_command.sh

w() { "$MISPRINT" where amd-buffer "$@"; }
load='buffer_load_b32 v1, v0, s[8:11], s4 offen offset:16'

expect 0 '^49 cases$' python3 tests/cli/where_buffer.py "$MISPRINT"

# what was understood
expect 0 'base=0x100 num_records=0x80' w "$load" --descriptor 00000100,0,0x80,30016fac
expect 0 's\[20:23\] *00000100 00000000 00000080 30016fac' \
    w 'buffer_load_b32 v1, v40, s[20:23], s4 offen' --descriptor '100 0 80 30016fac' --set v40=1
expect 0 'STRIDE 16 bytes, NUM_RECORDS 1024' w "$load" --stride 16 --records 1024
expect 0 'STRIDE 16 bytes, NUM_RECORDS 1024' w "$load" --stride 0x10 --records 0x400
expect 0 'STRIDE 16 bytes, NUM_RECORDS 2$' w "$load" --descriptor 'typed stride=16' --records 2
expect 0 'v0 was not set: 0 in all lanes' w "$load" --stride 16 --records 1024
expect 0 '^ *0  *0  *16  *0x10  *4  OUT 16 + 4 > 16' w "$load" --stride 16 --records 1024 # v0 is 0
expect 0 'OOB_SELECT is complete, as Mesa sets it for raw' w "$load" --records 1024
expect 0 '^  v0 *0..252:4 (lanes 0 to 63)$' w "$load" --records 1024 --set v0=0..252:4
# A line of dots marks rows that are left out, and nothing else.
w "$load" --records 4096 --set v0=0..1008:16 >"$tmp/rows"
check 'rows that follow each other have nothing between them' test "$(grep -c '┊' "$tmp/rows")" = 0
w "$load" --records 4096 --set v0=0,400,800 >"$tmp/rows"
check 'each of two gaps is marked' test "$(grep -c '┊' "$tmp/rows")" = 2
# "RDNA3" guide table 46, OOB_SELECT 3: offset + 4 > NUM_RECORDS is out of range
expect 0 'in range if *offset + 4 bytes <= 128 (NUM_RECORDS)$' w "$load" --records 128 --set v0=0..63
expect 0 'OUT 128 + 4 > 128; returns 0$' w "$load" --records 128 --set v0=112
expect 0 '│▒00│' w "$load" --records 128 --set v0=112
expect 0 'not written$' w 'buffer_store_b32 v1, v0, s[8:11], 0 offen' --records 4 --set v0=4
expect 0 'rule *"RDNA3" guide table 46, OOB_SELECT 3 (complete)$' w "$load" --records 128
expect 0 'rule .*"CDNA3" guide 9.1.5.1$' \
    w --isa gfx900 'buffer_load_dword v1, v0, s[8:11], 0 idxen' --stride 8 --records 4
# profiles that differ, and the clause that makes the difference
expect 0 'because of *gfx10-oob0-payload=first-byte$' \
    w --isa gfx1030 --stride 16 --records 8 --oob 0 'buffer_load_dword v1, v0, s[8:11], 0 idxen offset:14'
expect 0 'profile manual and profile gfx1100, which agree' w "$load" --records 128
check 'lines fit 80 columns' sh -c "! w=\$('$MISPRINT' help where) || ! echo \"\$w\" | grep -q '.\\{81\\}'"

# errors say what, where and what to do
expect 2 "did you mean 'amd-buffer'" "$MISPRINT" where amd-bufer
expect 2 "column 49: expected .*did you mean 'offen'" w 'buffer_load_b32 v1, v0, s[8:11], s4 offset:16   offn'
expect 2 "unknown instruction set 'gfx110'; did you mean 'gfx1100'" w "$load" --isa gfx110
expect 2 'no descriptor; give its words' w "$load"
expect 2 'column 6: expected word 4 of 4' w "$load" --descriptor 1,2,3
expect 2 'column 7: expected word 4 of 4' w "$load" --descriptor 1,2,3,4g
expect 2 'column 9: more than 4 words' w "$load" --descriptor 1,2,3,4,5
expect 2 'column 1: the word has more than 32 bits' w "$load" --descriptor 123456789,2,3,4
expect 2 "column 5: .*did you mean 'BASE'" w "$load" --descriptor 'raw bse=3'
expect 2 "did you mean 'complete'" w "$load" --oob compleet
expect 2 'gfx900 has no OOB_SELECT' w --isa gfx900 'buffer_load_dword v1, v0, s[8:11], 0 offen' --oob 1
expect 2 'stride 99999: at most 16383' w "$load" --stride 99999
expect 2 'does not read this register' w "$load" --stride 9 --set v3=1
expect 2 'column 7: expected a number' w "$load" --stride 9 --set v0=1..
expect 2 'column 4: expected a number' w "$load" --stride 9 --set s4=3001a
expect 2 'column 1: unknown register' w "$load" --stride 9 --set x0=1
expect 2 'v0 was set before' w "$load" --stride 9 --set v0=1 --set v0=2
expect 2 'more than 64 values' w "$load" --stride 9 --set v0=1..99
expect 2 'where takes vector buffer instructions' w 's_buffer_load_b32 s5, s[4:7], 0x64' --stride 4
sum_up
