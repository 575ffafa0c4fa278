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

expect 0 '^49 cases$' python3 tests/cli/where/where_buffer.py "$MISPRINT"

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
# Lanes with equal addresses are alike: a reading that decides about one of them decides about all. "RDNA3"
# guide, 9.3.1: a load of 16 bits keeps the other half; "CDNA3", 9.1.6: with SRAM-ECC that half becomes 0.
expect 0 '^ *else, in 4 lanes from lane 0 on:' w 'buffer_load_d16_b16 v1, v0, s[8:11], 0 offen' \
    --records 7 --oob 0 --set v0=12,12,12,12 --profile gfx1100
check 'the four rows are alike' test \
    "$(sed -n 's/^  *[0-3]  *\(0  *12 .*\)/\1/p' "$tmp/out" | sort | uniq -c | tr -s ' ' | cut -d' ' -f2)" = 4
# modes 0 and 1 compare an index with NUM_RECORDS, also where STRIDE has the same value
indexed='buffer_load_b32 v1, v0, s[8:11], 0 idxen'
for oob in 0 1; do
    expect 0 'in range if *index < 16 (NUM_RECORDS)' \
    w "$indexed" --stride 16 --records 16 --oob $oob --set v0=7,16
    expect 0 'offset + 4 bytes <= 8 (STRIDE)\|in range if *index < 8 (NUM_RECORDS)$' \
        w "$indexed" --stride 8 --records 8 --oob $oob --set v0=7,16
done
expect 0 'index < 16 (NUM_RECORDS) and offset + 4 bytes <= 16 (STRIDE)$' \
    w "$indexed" --stride 16 --records 16 --oob 3 --swizzle 1 --set v0=7,16
expect 0 'in range if *offset + 4 bytes <= 124 (NUM_RECORDS - SOFFSET)$' w "$load" --records 128 --set s4=4
# GFX9: profiles whose lanes agree by different checks ("CDNA3" guide 9.1.5.1; LLVM's pull request 132981)
gfx9='buffer_load_dword v1, v0, s[8:11], 0 offen'
g() { w --isa gfx900 "$gfx9" --descriptor 'raw base=0x1000 num_records=64' "$@"; }
expect 0 'which agree for these lanes, by different checks' g --set v0=60,64
expect 0 'in range if *offset < 64 (NUM_RECORDS)$' g --set v0=60,64
expect 0 'by gfx900 *offset + 4 bytes <= 64 .*, because of gfx9-raw-payload=dword-end' g --set v0=60
expect 0 'OUT 64 >= 64' g --set v0=60,64
expect 0 'offset + 4 bytes <= 64 (NUM_RECORDS)$' g --profile gfx900 --set v0=60,64
expect 0 '"checks_agree": false' g --json --set v0=60,64
# the stride with bits 17:14 in DATA_FORMAT ("CDNA3" guide table 45): 4 << 14 | 4 = 65540
t() { w --isa gfx942 'buffer_load_dword v1, off, s[8:11], 0' --stride 4 --add-tid \
    --descriptor 'raw base=0x10000 num_records=64' "$@"; }
expect 0 'STRIDE is 65540 bytes here' t --set exec=0xf
expect 0 'DATA_FORMAT 4 is bits 17:14 of the stride' t --set exec=0xf
expect 0 'assumed *all 64 lanes are active, because ADD_TID' t
# a dword that is out of range has an aligned address, too; its neighbour is at 0x1004
expect 0 '0x1008      4  OUT 10 >= 8' \
    w --isa gfx900 --profile manual 'buffer_load_dwordx2 v[1:2], v0, s[8:11], 0 offen' \
    --descriptor 'raw base=0x1000 num_records=8' --set v0=6
# an unbound V# gives no places, and no OOB_SELECT
u() { w 'buffer_load_format_xyzw v[1:4], v0, s[8:11], 0 offen' --descriptor 'typed num_records=62' "$@"; }
expect 0 ' -  unbound; returns 0 0 0 0$' u --set v0=0,48
expect 0 'rule *"RDNA3" guide chapter 9, unbound resources$' u
expect 0 '"offset": null' u --json
# lanes: those with values; more lanes than values are named
expect 0 'lanes 0 to 2 are active: those that were given a value' w "$load" --records 64 --set v0=0,4,8
expect 0 'v0 has 3 values: it is 0 in active lanes above lane 2' \
    w "$load" --records 64 --set v0=0,4,8 --set exec=0xff
# the picture: several lanes out of range, and lanes that end differently in one cell
expect 0 '│▓00│' w "$load" --records 128 --set v0=112,112
expect 0 '│ 0\*│' w 'buffer_load_u16 v1, v0, s[8:11], 0 offen' --records 2 --set v0=0,2
# constants in SOFFSET come last, and do not count as deciding
expect 0 'the instruction is not allowed' w "$indexed" --stride 16 --records 16 --oob 1
expect 0 'soffset-legal-values=no-constants' w "$indexed" --stride 16 --records 16 --oob 1
# the RDNA 4 guide asks this of no older chip, whose own guides list constants
expect 0 '' w --isa gfx900 'buffer_load_dword v1, v0, s[8:11], 0 idxen' --stride 8 --records 4
check 'gfx900 has constants in SOFFSET' eval '! grep -q soffset-legal-values "$tmp/out"'
expect 0 'stated of silicon: .*rocjitsu, matched on gfx950' sh -c "
    '$MISPRINT' where amd-buffer --isa gfx900 --profile manual '$gfx9' --descriptor 'raw num_records=63' \
        --set v0=60 | tr '\n' ' ' | tr -s ' '"
expect 0 'CLRX assembler' w --isa gfx803 "$gfx9" --records 64
expect 0 'manual *the "RDNA3" guide, or the guide of another GPU' w --isa gfx1030 "$gfx9" --records 64
expect 0 '4294967292' w "$load" --records 64 --set v0=-4
expect 0 'OUT 128 + 4 > 128; returns 0$' w "$load" --records 128 --set v0=112
# "RDNA3" guide 9.3.1: a load of 16 bits keeps the other half
expect 0 'returns 0x0000 in the low half$' w 'buffer_load_d16_b16 v1, v0, s[8:11], 0 offen' --records 4 \
    --set v0=8
expect 0 'returns 0x0000 in the high half$' w 'buffer_load_d16_hi_b16 v1, v0, s[8:11], 0 offen' --records 4 \
    --set v0=8
expect 0 '"xxxx0000"' w 'buffer_load_d16_b16 v1, v0, s[8:11], 0 offen' --records 4 --set v0=8 --json
expect 0 '│▒00│' w "$load" --records 128 --set v0=112
check 'the sign for out of range is explained where it stands' grep -q '▒: out of range\.' "$tmp/out"
expect 0 'in range$' w "$load" --records 128 --set v0=0
check '... and only there' eval '! grep -q "▒" "$tmp/out"'
expect 0 '▓: out of range, more lanes' w "$load" --records 128 --set v0=112,112
check 'two lanes at one place have one sign' eval '! grep -q "▒" "$tmp/out"'
expect 0 'not written$' w 'buffer_store_b32 v1, v0, s[8:11], 0 offen' --records 4 --set v0=4
expect 0 'rule *"RDNA3" guide table 46, OOB_SELECT 3 (complete)$' w "$load" --records 128
expect 0 'rule *"CDNA3" guide 9.1.5.1$' \
    w --isa gfx900 'buffer_load_dword v1, v0, s[8:11], 0 idxen' --stride 8 --records 4
expect 0 '"rule": ".*guide table 46, OOB_SELECT 3 (complete)"' w "$load" --records 128 --json
# profiles that differ, and the clause that makes the difference
expect 0 'because of *gfx10-oob0-payload=first-byte$' \
    w --isa gfx1030 --stride 16 --records 8 --oob 0 'buffer_load_dword v1, v0, s[8:11], 0 idxen offset:14'
expect 0 '"rule": ".*RDNA3.* guide table 46, OOB_SELECT 3 ' w "$load" --records 128 --json
expect 0 'profile manual and profile gfx1100, which agree' w "$load" --records 128
check 'lines fit 80 columns' sh -c "! w=\$('$MISPRINT' help where) || ! echo \"\$w\" | grep -q '.\\{81\\}'"

# disasm finds the length of each instruction in its encoding, and reads what asm writes
d() { "$MISPRINT" disasm amd-buffer "$@"; }
vector='buffer_load_dword v1, off, s[8:11], s4'
for isa in gfx803 gfx900 gfx90a gfx942 gfx1030 gfx1100 gfx1200; do
    printf '%s\n%s\n' "$vector" "$vector offset:16" | "$MISPRINT" asm amd-buffer --isa $isa >"$tmp/words"
    expect 0 "off, s\[8:11\], s4 offset:16" d --isa $isa "$tmp/words"
    check "$isa: two lines give two lines" test "$(wc -l <"$tmp/out")" = 2
    "$MISPRINT" asm amd-buffer --isa $isa "$tmp/out" >"$tmp/again"
    check "$isa: asm and disasm give the same words" cmp "$tmp/again" "$tmp/words"
done
echo 'e0500010 04420100 e0500010' >"$tmp/words"
expect 2 'word 3 of 3 begins an instruction of 2 words, of which 1 is there' d "$tmp/words"
expect 2 'echo e0500010,04420100 | misprint disasm amd-buffer' d e0500010,04420100

# errors say what, where and what to do
expect 2 "expected ',' and SOFFSET" w 'buffer_load_b32 v1, v0, s[8:11]' --records 4
expect 2 "did you mean 'SWIZZLE_ENABLE'" w "$indexed" --descriptor 'raw swizzle=1'
expect 2 'takes its LDS address from m0' \
    w --isa gfx900 'buffer_load_dword v0, s[8:11], 0 offen lds' --records 4 --set m0=4
expect 2 'no questions about unit vc4-qpu' "$MISPRINT" where vc4-qpu nop
for chip in gfx950:gfx942 gfx908:gfx90a gfx1012:gfx1030 gfx1250:gfx1200; do
    expect 2 "${chip%:*} is not modelled; .*nearest is ${chip#*:}" d --isa ${chip%:*} "$tmp/words"
done
expect 0 'buffer_load_dword v1' sh -c "echo e0501000 80020100 | '$MISPRINT' disasm amd-buffer --isa GFX900"
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
# the ledger can be searched, and explain says what a case does not touch
expect 0 'swizzle-wide-access' "$MISPRINT" show WIDE-ACCESS
expect 0 'f32-to-int\|satur' "$MISPRINT" show saturat
expect 2 'misprint show swizzle. lists' "$MISPRINT" clauses swizzle
expect 2 'one page of all units' "$MISPRINT" spec amd-buffer
expect 0 'amd-buffer: says' "$MISPRINT" help where amd-buffer
case=corpus/amd-buffer/gfx9-raw-payload.case
expect 0 'Touched too, for --board .* gfx9-raw-payload' "$MISPRINT" explain $case
expect 1 'gfx9-raw-payload=dword-end' "$MISPRINT" explain $case --board virtual:gfx9-raw-payload=dword-end
expect 0 'differs from manual in 1 clause. The case touches none of them' \
    "$MISPRINT" explain $case --board virtual:snorm-min=below
sum_up
