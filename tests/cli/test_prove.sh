#!/bin/sh
# SPDX-License-Identifier: MIT
# `misprint prove` says which cases would pass the checks before a Raspberry Pi, and why others would not.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/support/support_command.sh
. tests/support/support_command.sh

m=$MISPRINT
in=$tmp/in
mkdir "$in"

# qpu NAME [LINE...]: a case with these lines, and its program on standard input, to which the end is added.
qpu() {
    name=$1
    shift
    {
        echo 'misprint-case 1 vc4-qpu'
        for line in "$@"; do echo "$line"; done
        echo 'program {'
        cat
        printf '  nop ; end\n  nop\n  nop\n}\n'
    } >"$in/$name.case"
}

# json FILE EXPRESSION: succeeds if the expression about the document `d` and its files `f` is true.
json() {
    python3 -c "import json; d = json.load(open('$1')); f = d['files']; assert $2, json.dumps(d, indent=1)"
}

# --- what passes ---
echo '  add r1, r0, r0' | qpu plain 'acc row 0 = all 1'
printf '  ldi vw_setup, 0x00001a00\n  mov vpm, r0\n' | qpu vpm 'acc row 0 = all 1'
printf '  mov r0, uniform\n  nop\n  mov tmu0_s, r0\n  nop ; load_tmu0\n' | qpu look-up 'uniforms { @40 0 }'
printf 'misprint-case 1 vc4-vpm\ndata fill index\nops {\n  wr_setup h32 y=1\n  write 0\n}\n' >"$in/block.case"
expect 0 "^$in/plain.case: passes$" "$m" prove "$in/plain.case"
check 'one file, one line and the sum' grep -qx '1 of 1 passes' "$tmp/out"
expect 0 "^$in/vpm.case: passes; uses the VPM$" "$m" prove "$in/vpm.case"
expect 0 "^$in/look-up.case: passes; reads through caches$" "$m" prove "$in/look-up.case"
expect 0 "^$in/block.case: passes; uses the VPM$" "$m" prove "$in/block.case"
expect 0 '^4 of 4 pass$' "$m" prove "$in"
check 'of a folder, what passes is counted' test "$(wc -l <"$tmp/out")" = 1
expect 0 '/look-up.case: passes' "$m" prove "$in" --all
expect 0 '^8 of 8 pass$' "$m" prove "$in" "$in/plain.case" "$in/vpm.case" "$in/block.case" "$in/look-up.case"
check 'what is named is listed' test "$(grep -c ': passes' "$tmp/out")" = 4
cp -r "$in" "$tmp/good"

# The third line of the program is the atomic operation that is refused.
expect 1 'refused by the static proof at instruction 2 (nop  *; mov tmuau, rf6): a destination' \
    "$m" prove corpus/v3d-qpu/v3d-atomic-operand.case

# --- what the static proof refuses: each of these once reached a board ---
printf '  mov sfu_log, r0\n  nop\n  nop\n  mov tmu0_s, r4\n  nop\n  nop ; load_tmu0\n  nop\n' |
    qpu sfu-result 'acc row 4 = all 40000000' 'acc row 0 = all 7f000000' 'uniforms { 0 0 }'
printf '  mov tmu0_s, r5\n  nop ; load_tmu0\n' | 
    qpu five-accumulators 'acc row 5 = all 40000000' 'uniforms { 0 0 }'
printf '  ldi vr_setup, 0x00201a00\n  mov rb0, vpm\n  mov rb1, vpm\n' | qpu early-read
printf '  ldi vw_setup, 0x00001a40\n  mov vpm, r0\n' | qpu high-row 'acc row 0 = all 1'
look_up='  mov tmu0_s, r0' load='  nop ; load_tmu0'
printf '%s\n' "$look_up" "$look_up" "$look_up" "$load" "$load" "$load" |
    qpu direct-uniforms 'acc row 0 = all 40000000' 'uniforms { 0 }'
static='refused by the static proof at instruction'
expect 1 "$static 3 (mov tmu0_s, r4): starts a look-up at addresses that cannot be followed" \
    "$m" prove "$in/sfu-result.case"
expect 1 "$static 0 (mov tmu0_s, r5): starts a look-up at addresses that cannot be followed" \
    "$m" prove "$in/five-accumulators.case"
expect 1 "$static 1 (mov rb0, vpm): reads the VPM too soon after its setup" "$m" prove "$in/early-read.case"
expect 1 "$static 1 (mov vpm, r0): goes past VPM row 63.*(vpm-addr-high-bits)" \
    "$m" prove "$in/high-row.case"
expect 1 "$static 1 (mov tmu0_s, r0): may read more uniforms than the case has (1)" \
    "$m" prove "$in/direct-uniforms.case"
check 'the instruction is named once' test "$(grep -c 'instruction.*instruction' "$tmp/out")" = 0
expect 1 '^0 of 1 passes; 1 refused by the static proof$' "$m" prove "$in/high-row.case"
printf 'misprint-case 1 vc4-qpu\nprogram {\n  nop\n}\n' >"$in/short.case"
expect 1 'refused by the static proof: a program of 1 instruction has no end' "$m" prove "$in/short.case"

# --- what no program can do ---
expect 1 'refused by the translation: operation 2: two accesses' "$m" prove corpus/vc4-vpm/vpm-concurrent.case

# --- the profile of a campaign ---
expect 0 'passes' "$m" prove "$in/plain.case" --profile manual
expect 0 'passes' "$m" prove "$in/block.case" "$in/plain.case" -p bcm2835,vpm-addr-h8=row-div-4
printf 'base = bcm2835\nvpm-addr-h8 = row-div-4\n' >"$tmp/own.profile"
expect 0 'passes' "$m" prove "$in/block.case" --profile "$tmp/own.profile"
expect 2 "did you mean 'bcm2835'" "$m" prove "$in/plain.case" --profile bcm2836
expect 2 "did you mean 'five'" "$m" prove "$in/plain.case" --profile accumulator-count=fve
expect 2 'no-such.profile' "$m" prove "$in/plain.case" --profile "$tmp/no-such.profile"

# --- folders ---
expect 1 '^ *2  static proof: starts a look-up at addresses that cannot be followed' "$m" prove "$in"
check 'the sum comes last' sh -c "tail -1 '$tmp/out' | grep -qx '4 of 10 pass; 6 refused by the static proof'"
check 'what is refused most comes first' sh -c "grep -m1 '^ ' '$tmp/out' | grep -q '^ *2  '"
expect 1 ' pass; [0-9]* refused by the' "$m" prove corpus/vc4-qpu corpus/vc4-vpm
lines=$(grep -c ': refused by ' "$tmp/out")
check 'the reasons are those of all that is refused' test "$lines" = \
    "$(awk '/^ +[0-9]+  / { n += $1 } END { print n + 0 }' "$tmp/out")"
check 'of the corpus some cases are refused' test "$lines" -gt 50
check 'no case of the corpus passes one proof and not the other' sh -c "! grep -q 'by the dry run' '$tmp/out'"
cp corpus/vc4-tmu/tex-yuyv.case corpus/amd-buffer/stride-18-bit.case "$tmp/good"
expect 0 '^4 of 4 pass; 2 of other units skipped$' "$m" prove "$tmp/good"
expect 0 '^[1-9][0-9]* of [1-9][0-9]* pass$' "$m" prove corpus/vc4-qpu/silicon/unpack.trace
check 'what passes of a trace is counted' test "$(wc -l <"$tmp/out")" = 1
expect 0 'unpack.trace, ' "$m" prove corpus/vc4-qpu/silicon/unpack.trace --all

# --- programs ---
printf 'mov r0, uniform\nmov r1, uniform\nnop ; end\nnop\nnop\n' | "$m" asm vc4-qpu - >"$tmp/words"
expect 1 "words: $static 0 (mov r0, uniform): may read more uniforms" "$m" prove "$tmp/words"
printf 'nop ; nop ; ldunif\nnop ; nop ; thrsw\nnop\nnop\n' | "$m" asm v3d-qpu >"$tmp/v3d-words"
expect 1 'v3d-words: refused by .* more uniforms' "$m" prove "$tmp/v3d-words" --unit v3d-qpu
expect 0 'v3d-words: passes' "$m" prove "$tmp/v3d-words" --unit v3d-qpu --uniforms 3f800000
expect 0 'words: passes' "$m" prove "$tmp/words" --uniforms 3f800000,40
expect 0 'words: passes' "$m" prove "$tmp/words" "$in/plain.case" --uniforms "@$tmp/words"
expect 0 'words: passes' "$m" prove "$tmp/words" --uniforms 3f800000,40 --unit vc4-qpu
python3 -c "
import struct, sys
words = [int(w, 16) for l in open('$tmp/words') for w in l.split('#')[0].split()]
open('$tmp/raw', 'wb').write(b''.join(struct.pack('<I', w) for w in words))"
expect 0 'raw: passes' "$m" prove "$tmp/raw" --uniforms 0,0
expect 0 'standard input: passes' sh -c "'$m' prove - --uniforms 0,0 <'$tmp/raw'"
expect 0 'standard input: passes' sh -c "'$m' prove - <'$in/plain.case'"
expect 1 'raw: refused by' "$m" prove "$tmp/raw" --unit vc4-qpu
expect 2 'more than 1 list' "$m" prove "$tmp/words" --uniforms 0/0
expect 2 'not a word of up to 8' "$m" prove "$tmp/words" --uniforms 0,x
expect 2 'is for bare words' "$m" prove "$in/plain.case" --uniforms 0,0
cat "$tmp/words" "$tmp/words" "$tmp/words" "$tmp/words" "$tmp/words" "$tmp/words" "$tmp/words" >"$tmp/list"
expect 2 'at most 64' "$m" prove "$tmp/words" --uniforms "@$tmp/list"

# --- bad input is reported before anything is judged ---
expect 2 'missing argument' "$m" prove
expect 2 'No such file' "$m" prove "$in/plain.case" "$tmp/none.case"
check 'and nothing is said of the others' sh -c "! grep -q passes '$tmp/out'"
mkdir "$tmp/empty"
expect 2 'is an empty folder' "$m" prove "$tmp/empty"
expect 2 "only through the kernel's driver, which checks cases itself" \
    "$m" prove "$in/plain.case" corpus/vc4-tmu/tex-yuyv.case
expect 2 "amd-buffer is not a unit of a Raspberry Pi" "$m" prove corpus/amd-buffer/stride-18-bit.case
expect 2 'nothing was judged' "$m" prove corpus/amd-buffer
expect 2 'neither a case' "$m" prove LICENSE
: >"$tmp/nothing"
expect 2 'nothing: is ' "$m" prove "$tmp/nothing"
printf '1234567' >"$tmp/seven"
printf '\001\002\203' >"$tmp/three"
expect 2 'seven' "$m" prove "$tmp/seven"
expect 2 'neither hexadecimal text nor whole' "$m" prove "$tmp/three"
expect 0 'pass' sh -c "'$m' prove '$tmp/three' --unit vc4-vpm || [ \$? = 1 ]"
printf 'misprint-case 1 vc4-qpu\nprogram {\n  no such\n}\n' >"$tmp/wrong.case"
expect 2 'wrong.case:.*3' "$m" prove "$tmp/wrong.case"
expect 2 'say - once' sh -c "'$m' prove - - <'$in/plain.case'"
expect 2 'prove takes no --board' "$m" prove "$in/plain.case" --board mailbox

# --- JSON ---
"$m" prove "$in" corpus/vc4-vpm/vpm-concurrent.case --json >"$tmp/json"
check 'exit status 1 with --json' test $? = 1
check 'what passed' json "$tmp/json" "d['passed'] == 4 and d['passed_over'] == 0"
check 'what was refused' json "$tmp/json" \
    "d['refused'] == {'translation': 1, 'static proof': 6, 'wrapping': 0, 'dry run': 0,
                      'run in the model': 0}"
check 'all cases, those that pass too' json "$tmp/json" "len(f) == 11 and sum(x['passes'] for x in f) == 4"
keys='file unit passes by instruction text own profile clause reading kind address why uses_vpm uses_caches'
check 'each has all keys' json "$tmp/json" "all(set(x) == set('$keys'.split()) for x in f)"
check 'where and why' json "$tmp/json" \
    "[[x[k] for k in ('by', 'instruction', 'text', 'own')] for x in f if 'sfu' in x['file']] \
        == [['static proof', 3, 'mov tmu0_s, r4', True]]"
check 'what a case uses' json "$tmp/json" \
    "[(x['uses_vpm'], x['uses_caches']) for x in f if x['unit'] == 'vc4-vpm' and x['passes']] \
        == [(True, False)]"
"$m" prove "$tmp/good" --json >"$tmp/json"
check 'exit status 0 with --json' test $? = 0
check 'what was passed over' json "$tmp/json" \
    "(d['passed'], d['passed_over'], d['interrupted']) == (4, 2, False)"

# --- a closed pipe; an interruption ---
{ sleep 0.3; "$m" prove corpus/vc4-qpu 2>"$tmp/said"; echo $? >"$tmp/status"; } | true
check 'a closed pipe ends it' grep -qx 141 "$tmp/status"
check 'and nothing is said' test ! -s "$tmp/said"
[ ! -w /dev/full ] || expect 3 'No space left' sh -c "'$m' prove '$in' >/dev/full"
mkdir "$tmp/many"
i=0
while [ $i -lt 100 ]; do
    ln -s "$MISPRINT_SOURCE_DIR/corpus/vc4-qpu/silicon/pack.trace" "$tmp/many/$i.trace"
    i=$((i + 1))
done
# --foreground: without it, timeout sends the signal twice, and the second one ends the program at once.
expect 3 'interrupted: not all cases were judged' timeout --foreground --preserve-status -s INT 2 "$m" prove \
    "$tmp/many"
check 'the sum stands below' grep -q '^[0-9]* of [0-9]* pass$' "$tmp/out"

# --- help ---
"$m" help prove >"$tmp/help"
check 'help fits 80 columns' sh -c "! grep -q '.\{81\}' '$tmp/help'"
check 'help has examples' test "$(grep -c '^  misprint .*prove' "$tmp/help")" -ge 3

sum_up
