#!/bin/sh
# SPDX-License-Identifier: MIT
# What the command prints and returns for right and for wrong use.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'umount "$tmp/small" 2>/dev/null; rm -rf "$tmp"' EXIT
# shellcheck source=tests/support/support_command.sh
. tests/support/support_command.sh
silicon=corpus/vc4-qpu/silicon

m=$MISPRINT

# --- help ---
expect 0 'Exit status: 0 no discrepancy' "$m" --help
check 'help fits 80 columns and 35 lines' sh -c \
    "! grep -q '.\{81\}' '$tmp/out' && [ \$(wc -l <'$tmp/out') -le 35 ]"
expect 2 'misprint fuzz vc4-vpm' "$m"
check 'a newcomer gets ten lines with three examples' sh -c \
    "[ \$(wc -l <'$tmp/out') -le 10 ] && [ \$(grep -c '^  misprint' '$tmp/out') = 3 ] &&
        ! grep -q '.\{81\}' '$tmp/out'"
expect 0 'MISPRINT_BOARD_TIMEOUT' "$m" help environment
check 'the page of variables fits 80 columns' sh -c "! grep -q '.\{81\}' '$tmp/out'"
expect 0 'misprint ' "$m" --version
expect 0 '^.TH MISPRINT' "$m" help --man
commands=$("$m" help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p')
check 'help lists the commands' test "$(echo "$commands" | wc -l)" -ge 16
for command in $commands; do
    expect 0 "^misprint $command" "$m" help "$command"
    check "help $command fits 80 columns" sh -c "! grep -q '.\{81\}' '$tmp/out'"
    check "help $command has a sentence, then examples" sh -c \
        "sed -n 3p '$tmp/out' | grep -q '^[A-Z].*[.]$' && sed -n '5,6p' '$tmp/out' | grep -q '^  '"
    expect 0 "^misprint $command" "$m" "$command" --help
    check "help $command lists the options that it announces" sh -c \
        "! grep -q '^misprint.*OPTIONS' '$tmp/out' || sed '1,/^Options:/d' '$tmp/out' | grep -q '^  -'"
done
expect 2 'is started by board plugin only' "$m" plugin-child a.so vc4-none ''

for page in 'vc4-qpu' 'amd-buffer --isa gfx900' v3d-qpu 'utgard-gp' 'svp64-swizzle' vc4-vpm vc4-tmu; do
    # shellcheck disable=SC2086
    expect 0 '^Instructions of ' "$m" help asm $page
    sed -n '3,/^$/s/^  //p' "$tmp/out" >"$tmp/examples.s"
    check "help asm $page fits 80 columns" sh -c "! grep -q '.\{81\}' '$tmp/out'"
    [ "$page" = 'amd-buffer --isa gfx900' ] ||
        check "help asm $page: its examples are right" "$m" asm "$page" "$tmp/examples.s"
done
expect 0 ' v8muld' "$m" help asm vc4-qpu
expect 0 ' buffer_store_lds_dword' "$m" help asm amd-buffer --isa gfx900
expect 2 'only asm and disasm' "$m" help fuzz vc4-vpm
expect 2 "did you mean 'vc4-vpm'" "$m" help asm vc4-vpn

# --- lists ---
expect 0 'vc4-vpm' "$m" units
expect 0 'virtual:PROFILE' "$m" boards
expect 0 'vpm-addr-h8' "$m" clauses
expect 0 'row-div-4' "$m" show vpm-addr-h8
expect 0 '^vpm-addr-ls4  *the width of Y' "$m" show vpm-addr
check 'show with a prefix lists each clause once' test "$(grep -c '^vpm-addr-h8 ' "$tmp/out")" = 1
for words in units boards clauses 'show vpm-addr-h8'; do
    # shellcheck disable=SC2086
    "$m" $words --json >"$tmp/json"
    check "$words --json is one JSON document" python3 -m json.tool "$tmp/json"
    check "$words --json is indented by two blanks, like any JSON tool's" python3 -c 'import json, sys
text = open(sys.argv[1]).read()
assert text == json.dumps(json.loads(text), indent=2) + "\n"' "$tmp/json"
done

# --- wrong words ---
expect 2 "did you mean 'replay'" "$m" repaly
expect 2 "did you mean 'replay'" "$m" help repaly
expect 2 "unknown command 'nonsense'" "$m" help nonsense
printf 'mov r0, vr_adr\nmov x_coord, r0\n' >"$tmp/directions.s"
expect 2 "found 'vr_adr'; vr_addr can only be written" "$m" asm vc4-qpu "$tmp/directions.s"
expect 2 "found 'x_coord'; x_coord can only be read" "$m" asm vc4-qpu "$tmp/directions.s"
for command in verify report; do expect 2 'none: there is no such directory$' "$m" $command "$tmp/none"; done
expect 2 'did you mean '\''--board'\''' "$m" fuzz vc4-vpm --bord x
expect 2 "did you mean 'vc4-vpm'" "$m" fuzz vc4-vpn
expect 2 "did you mean 'vpm-addr-h8'" "$m" show vpm-adr-h8
expect 2 "did you mean 'bcm2835'" "$m" fuzz vc4-vpm --profile bcm2836 --cases 1
expect 2 "did you mean 'vpm-addr-h8'" "$m" fuzz vc4-vpm --profile manual,vpm-addr-h9=x --cases 1
expect 2 "did you mean 'row-div-4'" "$m" fuzz vc4-vpm --profile vpm-addr-h8=row-div-5 --cases 1
expect 2 'virtual:PROFILE' "$m" fuzz vc4-vpm --board pi --cases 1
expect 2 'whole number' "$m" fuzz vc4-vpm --cases many
expect 2 'a time such as' "$m" fuzz vc4-vpm --time soon
expect 2 'needs a value' "$m" fuzz vc4-vpm --time
expect 2 'missing argument; the units are vc4-vpm, .*; usage: misprint fuzz UNIT (' "$m" fuzz
units=$("$m" units --json | python3 -c 'import json, sys
print(", ".join(unit["name"] for unit in json.load(sys.stdin)))')
expect 2 "the units are $units; usage: " "$m" fuzz
# after -- no word is an option (POSIX, guideline 10)
expect 2 "unexpected argument '--json'; usage: " "$m" show a -- --json
expect 2 "unexpected argument 'b'; usage: misprint show CLAUSE|WORD (" "$m" show a b
expect 2 "unexpected argument 'python3'" "$m" fuzz vc4-vpm --board exec: python3
expect 2 "unexpected argument 'page'; usage: misprint spec (" "$m" spec page
expect 2 'the command comes first' "$m" --profile bcm2835 run x
expect 2 'fuzz takes no --html .*; these commands do: learn, report, spec$' "$m" fuzz vc4-vpm --html=x
expect 2 'fuzz takes no -o .*; these commands do: .*report, ' "$m" fuzz vc4-vpm -o x
expect 2 'is a unit.*misprint clauses vc4-vpm' "$m" show vc4-vpm
expect 2 'is a clause.*misprint show vpm-fig8a' "$m" clauses vpm-fig8a
expect 2 'CAMPAIGN/cases/' "$m" explain F-0123456789ab
expect 2 "no engine 'none'; there are builtin, libfuzzer, afl" "$m" fuzz vc4-vpm --engine none --cases 1

expect 2 '1 or more' "$m" fuzz vc4-vpm --cases 0
expect 0 '20 cases' "$m" fuzz vc4-vpm -n20 --profile bcm2835
expect 0 '^10 cases' "$m" fuzz vc4-vpm --cases 010 --profile bcm2835
expect 0 '^16 cases' "$m" fuzz vc4-vpm --cases 0x10 --profile bcm2835
expect 2 'unknown option' "$m" fuzz vc4-vpm -q5
expect 2 'whole number' "$m" fuzz vc4-vpm -nx
expect 2 'works only on the model' "$m" run corpus/vc4-qpu/clz-zero.case --board virtual: --profile manual
expect 2 'works only on the model' "$m" run corpus/vc4-qpu/clz-zero.case --board virtual: --trace
expect 0 '\\fB\\-n\\fR, \\fB\\-\\-cases' "$m" help fuzz --man
expect 0 '^.TH MISPRINT 1 "20' "$m" help --man
mkdir "$tmp/pages"
"$m" help --pages "$tmp/pages" >/dev/null
fish=$tmp/pages/misprint.fish
check 'fish knows short and long names' grep -q -- "_from fuzz' -l cases -s n -r -d" "$fish"
check 'fish knows options without a short name' grep -q -- "_from fuzz' -l stats -d" "$fish"
# what the agent's board refuses stays refused: a board of recorded values does not know these cases
expect 3 '^not compared: 300 cases refused by the board$' "$m" fuzz vc4-qpu --cases 300 \
    --board "exec:'$m' agent --board trace:$silicon/unpack.trace"

# --- wrong files ---
printf 'nothing of ours\n' >"$tmp/noise"
printf 'misprint-case 1 vc4-vpm\nvmp fill index\n' >"$tmp/field.case"
printf 'misprint-case 1 vc4-vpm\nops {\n  wrong 1\n}\n' >"$tmp/op.case"
printf 'misprint-case 9 vc4-vpm\n' >"$tmp/version.case"
printf 'base = manual\nvpm-addr-h8 = upside-down\n' >"$tmp/profile"
mkdir "$tmp/empty"
head -c 200 $silicon/unpack.trace >"$tmp/cut.trace"
cp $silicon/unpack.trace "$tmp/damaged.trace"
printf 'XXXX' | dd of="$tmp/damaged.trace" bs=1 seek=900 conv=notrunc 2>/dev/null
expect 2 'No such file' "$m" run "$tmp/missing.case"
expect 2 'is not a case' "$m" run "$tmp/noise"
expect 2 'neither a case' "$m" replay "$tmp/noise"
expect 2 'line 2, column 1' "$m" run "$tmp/field.case"
expect 2 'op.case: line 3, column' "$m" run "$tmp/op.case"
expect 2 'version 1' "$m" run "$tmp/version.case"
expect 2 'is an empty folder$' "$m" replay "$tmp/empty"
expect 2 'line 2' "$m" fuzz vc4-vpm --profile "$tmp/profile" --cases 1
expect 2 'cut.trace' "$m" replay "$tmp/cut.trace"
expect 2 'noise' "$m" replay --board "trace:$tmp/noise" corpus/vc4-vpm
expect 2 'damaged.trace' "$m" replay "$tmp/damaged.trace"
# other files are not mistaken for a fuzzer's input
printf 'fadd r0, r1, r2\n' >"$tmp/text.s"
printf '\001\002\203' >"$tmp/raw"
: >"$tmp/nothing"
printf '  misprint-case 1 vc4-vpm\n' >"$tmp/indented.case"
for command in run replay; do
    expect 2 'is empty' "$m" $command "$tmp/nothing" --unit vc4-qpu
    expect 2 'leading blanks' "$m" $command "$tmp/indented.case"
done
expect 2 'is text.*misprint asm vc4-qpu' "$m" replay "$tmp/text.s" --unit vc4-qpu
expect 0 'execution outside the program' "$m" run "$tmp/text.s" --unit vc4-qpu
for command in run reduce; do expect 2 'is a trace' "$m" $command $silicon/unpack.trace; done
expect 2 'is a trace' "$m" run $silicon/unpack.trace --unit vc4-qpu
expect 0 "taken as a fuzzer's raw bytes" "$m" run "$tmp/raw" --unit vc4-vpm
cp "$tmp/raw" "$tmp/raw.md"
expect 2 'named like a fuzzer' "$m" replay --unit vc4-vpm "$tmp/raw.md"
expect 2 'is empty' "$m" fuzz vc4-vpm --profile "$tmp/nothing" --cases 1
expect 2 'is a directory' "$m" fuzz vc4-vpm --board "trace:$tmp" --cases 1
expect 2 "is not a board; did you mean 'trace:$silicon/unpack.trace'" \
    "$m" replay --board $silicon/unpack.trace \
    corpus/vc4-qpu
expect 2 "is not a board; did you mean 'exec:scripts/example-board.py'" "$m" fuzz vc4-vpm \
    --board scripts/example-board.py --cases 1
expect 2 'is not a board; a board is written' "$m" fuzz vc4-vpm --board README.md --cases 1
expect 2 'too large' "$m" fuzz vc4-vpm --cases 99999999999999999999
expect 3 'board ssh:pi' env MISPRINT_SSH=false "$m" fuzz vc4-vpm --board ssh:pi --cases 1
mkdir "$tmp/loop"
ln -s ../loop "$tmp/loop/again"
cp corpus/vc4-vpm/vpm-addr-h8.case "$tmp/loop"
expect 0 '1 case, ' "$m" replay "$tmp/loop"

# words without a case, of a unit with several instruction sets
printf 'buffer_load_dword v1, v0, s[8:11], 0 offen\n' >"$tmp/load.s"
expect 0 '^e0500000 80420100' "$m" asm amd-buffer "$tmp/load.s"
printf 'buffer_load_b32 v1, v0, s[8:11], 0 offen\n' >"$tmp/new.s"
expect 2 'buffer_load_dword (--isa' "$m" asm amd-buffer --isa gfx900 "$tmp/new.s"
# all errors of a file, and comments as LLVM prints them
printf '%s\n' '; a comment' 'buffer_load_b23 v1' '// another' 'buffer_gl0_inv ; encoding: [0x00]' \
    'buffer_load_b32 v256' >"$tmp/errors.s"
for at in 'line 2, column 1' 'line 5, column 17'; do
    expect 2 "errors.s: $at: " "$m" asm amd-buffer "$tmp/errors.s"
done
printf 'nop\nbad1\nbad2\n' >"$tmp/errors.s"
for line in 2 3; do
    expect 2 "errors.s: line $line, column 1: " "$m" asm vc4-qpu "$tmp/errors.s"
done
"$m" asm amd-buffer --isa gfx900 "$tmp/load.s" >"$tmp/load.hex"
expect 0 'buffer_load_dword' "$m" run "$tmp/load.hex" --unit amd-buffer --isa gfx900 --trace
expect 2 'gfx1100, gfx1030, gfx900, gfx803' "$m" run "$tmp/load.hex" --unit amd-buffer --isa gfx9
printf 'buffer_load_b32 v1, v0, s[8:11], 0 offen\n' >"$tmp/first.s" # the first of the generations; by llvm-mc
expect 0 '^e0500000 80420100$' "$m" asm amd-buffer --isa gfx1100 "$tmp/first.s"
expect 0 'gfx1100' "$m" help run

# the name of any chip of a family selects the modelled one
printf 'buffer_load_dword v1, v0, s[8:11], 0 offen\n' | "$m" asm amd-buffer --isa gfx1035 - >"$tmp/load.hex"
expect 0 'profile gfx1036' \
    "$m" run "$tmp/load.hex" --unit amd-buffer --isa gfx1034 --profile gfx1036
expect 2 'gfx1010 is not modelled' "$m" run "$tmp/load.hex" --unit amd-buffer --isa gfx1010

# where a lane that is out of range would have gone, and why: NUM_RECORDS 17, SOFFSET 4, measured on gfx1100
cat >"$tmp/range.case" <<'END'
misprint-case 1 amd-buffer
sgpr row 0 = 0 0 0 4 100 0 11 30016fac  # s3, and the V# in s[4:7]
code {
  buffer_load_b128 v[4:7], off, s[4:7], s3 ; pasted
  // a comment
}
END
for line in '^descriptor s.4:7. 00000100 00000000 00000011 30016fac: base=0x100 num_records=0x11 ' \
    'dword 3: 64 lanes out of range; lane 0, address 0x110: offset 0x0 + 12 + 4 bytes > 0xd$'; do
    expect 0 "$line" "$m" run "$tmp/range.case"
done
"$m" run "$tmp/range.case" --trace >"$tmp/out" 2>&1
check 'a trace has the address of a lane that is out of range' grep -q 'dword 3: out-of-range:110 ' "$tmp/out"
check 'the V# that no instruction uses is not described' sh -c "! grep -q 's.8:11. 0000' '$tmp/out'"

# a bench refuses options that it would ignore
expect 2 'takes no --seed' "$m" bench coverage --seed 3
expect 2 'takes no --cases' "$m" bench qpu-disasm --cases 5
expect 2 'there are board, .*store' "$m" bench fast
for name in $("$m" bench fast 2>&1 | sed 's/.*there are //; s/;.*//; s/,//g'); do
    expect 0 "$name" "$m" help bench
done

# an engine without built targets leaves nothing behind
expect 2 'engine\|afl-fuzz' env MISPRINT_ENGINES="$tmp/empty" "$m" fuzz vc4-vpm --engine afl \
    --campaign "$tmp/no-campaign"
check 'no directory was made' test ! -e "$tmp/no-campaign"

# bad input is reported before anything runs
cp $silicon/unpack.trace "$tmp/junk.trace"
printf junk >>"$tmp/junk.trace"
printf '\357\273\277misprint-case 1 vc4-vpm\n' >"$tmp/mark.case"
printf '0123456\n89abcdef\n' >"$tmp/seven.hex"
for command in replay explain; do
    expect 2 'bytes after the end' "$m" $command $silicon/unpack.trace "$tmp/junk.trace"
    expect 2 'field.case' "$m" $command corpus/vc4-vpm/vpm-addr-h8.case "$tmp/field.case"
    expect 2 'byte order mark' "$m" $command "$tmp/mark.case"
    check "$command says nothing before bad input" sh -c "! grep -q compared '$tmp/out'"
done
expect 2 "unit amd-buffer: unknown profile 'bcm2835'" "$m" replay corpus/vc4-vpm corpus/amd-buffer \
    --profile bcm2835 --campaign "$tmp/no-campaign"
check 'replay prints nothing if an input lacks the profile' \
    sh -c "[ ! -e '$tmp/no-campaign' ] && ! grep -q compared '$tmp/out'"
expect 2 'field.case' "$m" run corpus/vc4-vpm/vpm-addr-h8.case "$tmp/field.case"
check 'run prints nothing before bad input' sh -c "! grep -q 'end = ' '$tmp/out'"
printf 'nop ; nop ; end\nnop\nnop\n' | "$m" asm vc4-qpu - >"$tmp/good.hex"
for option in '--qpus 2' '--uniforms 1'; do
    # shellcheck disable=SC2086 # a list of words, on purpose
    expect 2 'seven.hex' "$m" run "$tmp/good.hex" "$tmp/seven.hex" $option
    check "run $option prints nothing before bad input" sh -c "! grep -q 'end = ' '$tmp/out'"
done
printf '# a remark\n0X009E7000 0x100009e7\n' >"$tmp/capital.hex"
expect 0 '^nop' "$m" disasm vc4-qpu "$tmp/capital.hex"
expect 2 '8 or 16' "$m" disasm vc4-qpu "$tmp/seven.hex"
expect 3 'nothing was compared' sh -c "printf 'misprint-case 1 vc4-vpm\n' | '$m' replay -"

# disasm takes no text for raw words, whatever its size
clz=corpus/vc4-qpu/clz-zero.case
for blanks in '' ' ' '  ' '   '; do
    { cat $clz && printf '#%s\n' "$blanks"; } >"$tmp/padded.case"
    expect 2 'is a case' "$m" disasm vc4-qpu "$tmp/padded.case"
    printf 'fadd r0, r1, r2%s\n' "$blanks" >"$tmp/padded.s"
    expect 2 'is text, but neither a case nor words' "$m" disasm vc4-qpu "$tmp/padded.s"
done
expect 2 'is a trace' "$m" disasm vc4-qpu $silicon/alu.trace
# --unit must not contradict a case
for command in run replay explain reduce; do
    expect 2 'is a case of vc4-qpu, not of vc4-vpm' "$m" $command $clz --unit vc4-vpm
done
expect 0 'all 00000020' "$m" run $clz --unit vc4-qpu
expect 0 'different' "$m" replay $clz --unit vc4-qpu --board virtual:manual
# a known case by its name; a profile's file that is missing
expect 0 '^# vpm-addr-h8: vc4-vpm, model' "$m" run vpm-addr-h8
expect 2 'vpm-addr-h8: cannot open' "$m" run vpm-addr-h8 --unit vc4-qpu
expect 2 'none.profile: there is no such file; a profile is a file or a built-in name' \
    "$m" run vpm-addr-h8 --profile none.profile,vpm-fig8a=in-order
expect 2 "unknown profile 'bcm2836'; did you mean 'bcm2835'" "$m" run vpm-addr-h8 --profile bcm2836
expect 0 'default: manual; of$' "$m" help check-board

expect 2 'agent.*drm:amdgpu\|--board drm:amdgpu' "$m" agent

# --- standard input and output ---
expect 1 'different' sh -c "'$m' replay - <corpus/vc4-vpm/cond-vpm-write.case"
expect 1 'standard input: vc4-vpm' sh -c "'$m' explain - <corpus/vc4-vpm/cond-vpm-write.case"
expect 0 'standard input\|# -' sh -c "'$m' run - <$clz"
expect 1 '^2 cases were kept as evidence; 1 differs\. ' "$m" explain corpus/vc4-vpm/vpm-addr-h8.case \
    corpus/vc4-vpm/cond-vpm-write.case --board virtual:bcm2835 --profile manual
expect 2 'say - once' sh -c "'$m' replay - - <$clz"
expect 2 'a trace is binary' "$m" record corpus/vc4-vpm --board virtual: -o -
expect 2 'both write to standard output' "$m" replay $clz --json --junit -
expect 2 'only one report' "$m" report "$tmp/empty" --html - --json -
for command in 'clauses' "explain $silicon" 'fuzz vc4-vpm --cases 100 --json'; do
    # shellcheck disable=SC2086
    check "a closed pipe ends it quietly: $command" sh -c "
        ('$m' $command; echo \$? >&3) 3>'$tmp/status' 2>'$tmp/err' | head -c 1 >'$tmp/head'
        [ \$(cat '$tmp/status') = 141 -o \$(cat '$tmp/status') -lt 2 ] && [ ! -s '$tmp/err' ]"
done
printf '# by whom\nop,a,b\nfadd,1,2\n' >"$tmp/noise.csv"
expect 2 'noise.csv' "$m" import vc4-alu "$tmp/noise.csv" -o "$tmp/x.trace"
printf '\357\273\277' >"$tmp/mark.csv" # a byte order mark, and then nothing
expect 2 'mark.csv: has no header' "$m" import vc4-alu "$tmp/mark.csv" -o "$tmp/x.trace"
expect 2 'vc4-pack' "$m" import vc4-alo "$tmp/noise.csv" -o "$tmp/x.trace"
expect 2 'not a campaign' "$m" report "$tmp/empty"
expect 2 'missing' "$m" report "$tmp/missing"

# --- boards that misbehave ---
expect 3 'exec:true' "$m" fuzz vc4-vpm --board exec:true --cases 10
expect 3 'exec:echo' "$m" fuzz vc4-vpm --board 'exec:echo garbage' --cases 10
expect 3 'exec:' "$m" fuzz vc4-vpm --board 'exec:/no/such/board' --cases 10

bad="exec:python3 tests/oracle/bad_board.py"
expect 3 'refused: memory of others' "$m" fuzz vc4-vpm --board "$bad refuse" --cases 2000 \
    --campaign "$tmp/refused"
expect 0 'refused: memory of others' "$m" report "$tmp/refused"
check 'a dropped case keeps its reason' grep -q 'memory of others' "$tmp/refused/dropped/1.case"
expect 3 'refused: memory of others' "$m" run corpus/vc4-vpm/vpm-addr-h8.case --board "$bad refuse"
expect 3 'refused: memory of others' "$m" explain corpus/vc4-vpm/vpm-addr-h8.case --board "$bad refuse"
expect 3 'reboot the board' "$m" explain corpus/vc4-vpm/vpm-addr-h8.case --board "$bad error-later"
expect 3 'memory of others' "$m" record corpus/vc4-vpm --board "$bad refuse" -o "$tmp/x.trace"
expect 3 'kept the outcomes so far: .*: 5 outcomes' env MISPRINT_BOARD_RETURN=0 "$m" record corpus/vc4-vpm \
    --board "$bad reboots $tmp/once 100" -o "$tmp/kept.trace"
expect 3 'did not come back\|before it sent HELLO' "$m" record corpus/vc4-vpm --board 'exec:exit 7' \
    -o "$tmp/none.trace"
env MISPRINT_BOARD_RETURN=9 "$m" record corpus/vc4-vpm --board "$bad reboots $tmp/twice 2" \
    -o "$tmp/whole.trace" >"$tmp/whole.out" 2>&1
check 'a board that came back is not reported as an end' \
    sh -c "tail -n 1 '$tmp/whole.out' | grep -q ' outcomes of .* recorded, 0 refused'"
"$m" fuzz vc4-vpm --board "$bad dies" --cases 3 --json >"$tmp/dies.json" 2>/dev/null
check 'JSON says how often the board was started again' grep -q '"restarts": [1-9]' "$tmp/dies.json"
expect 3 'done-stamp is [0-9a-f]\{16\}, not [0-9a-f]\{16\} = nonce' "$m" replay corpus/vc4-vpm \
    --board "$bad echo"

"$m" fuzz vc4-vpm --board "$bad stamp" --cases 60 --no-corpus --no-reduce --campaign "$tmp/stamps" \
    >"$tmp/out" 2>&1
expect 0 '^ *30  nothing: its done-stamp is #, not # = nonce #' "$m" dropped "$tmp/stamps"
check 'a dropped case has its reason with the numbers' grep -q 'done-stamp is [0-9a-f]\{16\}, not' \
    "$tmp/stamps/dropped/1.case"

# the smallest board on the protocol's page
sed -n '/^```python refuse$/,/^```$/p' harness/PROTOCOL.md | sed '1d;$d' >"$tmp/refuse.py"
expect 3 '100  refused: not there yet' "$m" fuzz vc4-vpm --board "exec:python3 $tmp/refuse.py" --cases 100

# Ctrl-C does not wait for a board. A second one also ends the board.
"$m" fuzz vc4-vpm --board "$bad notes $tmp/board.pid" --cases 10 >"$tmp/said" 2>&1 &
pid=$!
until [ -s "$tmp/board.pid" ] || ! kill -0 $pid 2>/dev/null; do sleep 0.1; done
kill -INT $pid
wait $pid
check 'Ctrl-C ends a campaign on a hung board with status 3' test $? -eq 3
check 'it says how many cases it ran' grep -q 'interrupted after 0 cases' "$tmp/said"
check 'nothing is left of the board' sh -c "
    left() { [ -e /proc/\$1 ] && ! grep -q '^State:.*Z' /proc/\$1/status; }
    for try in \$(seq 300); do left \$(cat '$tmp/board.pid') || exit 0; sleep 0.1; done; exit 1"

# --- places that cannot be written ---
expect 3 'standard output' sh -c "'$m' clauses >/dev/full"
printf 'a file' >"$tmp/file"
expect 2 "$tmp/file" "$m" fuzz vc4-vpm --cases 10 --campaign "$tmp/file"
expect 2 'cannot create' "$m" record corpus/vc4-vpm --board virtual: -o "$tmp/no/such/folder/x.trace"
expect 2 'cannot create' "$m" reduce corpus/vc4-vpm/cond-vpm-write.case -o "$tmp/no/such/folder/x.case"
expect 2 'cannot create' "$m" replay $clz --junit "$tmp/no/such/folder/x.xml"
expect 2 'cannot create' "$m" record corpus/vc4-vpm --board virtual: -o "$tmp/empty"
mkfifo "$tmp/pipe"
expect 2 'not a regular file' "$m" record corpus/vc4-vpm --board virtual: -o "$tmp/pipe"
check 'the pipe is still one' test -p "$tmp/pipe"
printf old >"$tmp/target"
ln -s "$tmp/target" "$tmp/link.trace"
expect 0 'recorded' "$m" record corpus/vc4-vpm --board virtual: -o "$tmp/link.trace"
check 'a link stays a link' test -L "$tmp/link.trace"
expect 0 'equal' "$m" replay "$tmp/link.trace" --profile bcm2835
expect 2 'is a trace already' "$m" record corpus/vc4-vpm --board virtual: -o "$tmp/target"
ln -s "$tmp/reduced.case" "$tmp/link.case"
expect 2 'a link to a missing file' "$m" reduce corpus/vc4-vpm/cond-vpm-write.case \
    -o "$tmp/link.case"
printf old >"$tmp/reduced.case"
expect 1 'reduced' "$m" reduce corpus/vc4-vpm/cond-vpm-write.case -o "$tmp/link.case"
check 'the link is followed' sh -c "test -L '$tmp/link.case' && grep -q '^misprint-case' '$tmp/reduced.case'"
expect 3 'standard output' sh -c "'$m' --version >/dev/full"

# --- tables: silicon only if the user says so ---
{
    printf '# values of my emulator\nop,a,b,result,result_32s,flags\n'
    printf 'add,00000001,00000002,00000003,00000003,-\n'
} >"$tmp/t.csv"
expect 0 'no silicon; if' "$m" import vc4-alu "$tmp/t.csv" -o "$tmp/t.trace"
expect 0 '(no silicon)' "$m" replay "$tmp/t.trace"
expect 0 'measured on silicon' "$m" import vc4-alu "$tmp/t.csv" --silicon -o "$tmp/t.trace"
expect 0 '(measured on silicon)' "$m" replay "$tmp/t.trace"

# --- the main job ---
expect 0 'no silicon\|measured on silicon' "$m" replay $silicon/unpack.trace --profile bcm2835
expect 1 'manual-' "$m" replay $silicon/unpack.trace --profile manual --campaign "$tmp/campaign" \
    --junit "$tmp/junit.xml"
check 'nothing of the silicon is unexplained' sh -c "! '$m' report '$tmp/campaign' | grep -q unexplained:"
check 'JUnit XML was written' grep -q '<testsuite' "$tmp/junit.xml"
check 'commands of a campaign name its folder' grep -q 'From the campaign' "$tmp/junit.xml"
expect 1 '' "$m" replay $silicon/unpack.trace --profile manual --junit "$tmp/loose.xml"
check 'without a campaign there is none' sh -c "! grep -q 'From the campaign' '$tmp/loose.xml'"
expect 1 'manual-' "$m" fuzz vc4-vpm --cases 2000 --seed 7 --campaign "$tmp/campaign"
expect 1 '' "$m" report "$tmp/campaign" --html "$tmp/report.html" --md "$tmp/report.md" \
    --json "$tmp/report.json" --junit "$tmp/report.xml"
check 'the report is one page' grep -q '</html>' "$tmp/report.html"
check 'report.json is JSON' python3 -m json.tool "$tmp/report.json"
for form in html md json xml; do
    cp "$tmp/report.$form" "$tmp/named-by-option"
    expect 1 '' "$m" report "$tmp/campaign" -o "$tmp/report.$form"
    check "-o report.$form is the same report" cmp "$tmp/report.$form" "$tmp/named-by-option"
done
expect 2 'unknown form.*html.*md.*json.*xml' "$m" report "$tmp/campaign" -o "$tmp/report.pdf"
expect 2 'ask for the same form' "$m" report "$tmp/campaign" -o "$tmp/a.html" --html "$tmp/b.html"
expect 2 'only one report' "$m" report "$tmp/campaign" -o - --json -
check 'nothing was written for these' test ! -e "$tmp/report.pdf" -a ! -e "$tmp/a.html" -a ! -e "$tmp/b.html"
expect 3 '/dev/full: cannot write' "$m" report "$tmp/campaign" --html /dev/full

expect 2 'cannot create' "$m" report "$tmp/campaign" --md "$tmp/no/such/folder/x.md"

# --- every command in a report runs in the campaign's folder, whatever the names of its files ---
mkdir "$tmp/it's mine"
cp $silicon/unpack.trace "$tmp/it's mine/my unpack.trace"
printf 'base = bcm2835\nunpack-8-colour = nearest\n' >"$tmp/it's mine/p.profile"
printf '%s\n' 'base = manual' >"$tmp/it's mine/board.profile"
"$m" show unpack-8-colour --json >"$tmp/clause.json"
python3 - "$tmp/clause.json" >"$tmp/it's mine/p.profile" <<'PY'
import json, sys
print("base = bcm2835\nunpack-8-colour =", json.load(open(sys.argv[1]))["readings"][0]["id"])
PY
(cd "$tmp/it's mine" && "$m" replay 'my unpack.trace' --campaign "$tmp/named" --profile p.profile >/dev/null
    "$m" fuzz vc4-vpm --cases 300 --campaign "$tmp/named" --board virtual:board.profile --profile bcm2835 \
        >/dev/null
    cp "$MISPRINT_SOURCE_DIR/scripts/example-board.py" .
    "$m" fuzz vc4-vpm --cases 300 --campaign "$tmp/named" --board 'exec:python3 ./example-board.py'
) >/dev/null
"$m" report "$tmp/named" --json "$tmp/named.json" --html "$tmp/named.html" 2>/dev/null
check 'the report has the contents of a profile file, not its name' grep -q \
    '"profile": "bcm2835,unpack-8-colour=' \
    "$tmp/named.json"
rm "$tmp/it's mine/p.profile" "$tmp/it's mine/board.profile"
cat >"$tmp/commands.py" <<'PY'
import html, os, re, subprocess, sys
page, campaign, command = sys.argv[1:]
lines = html.unescape(re.sub("<[^>]*>", "", re.sub("</code>", "\n", open(page).read()))).splitlines()
lines = [l for l in lines if re.match("misprint (explain|run|show) ", l)]
bad = 0
for line in sorted(set(lines)):
    shell = ["sh", "-c", line.replace("misprint", "'" + command + "'", 1)]
    done = subprocess.run(shell, cwd=campaign, capture_output=True, text=True)
    if done.returncode != (1 if " explain " in line else 0):
        bad += 1
        print(line, "->", done.returncode, done.stderr)
kinds = {kind for kind in ("trace:", "virtual:", "exec:") for l in lines if kind in l}
print(len(lines), "commands,", bad, "bad;", kinds)
sys.exit(bad > 0 or len(kinds) < 3)
PY
check 'every command of a report runs' python3 "$tmp/commands.py" "$tmp/named.html" "$tmp/named" "$m"

# --- programs as plain words ---
cat >"$tmp/threads.txt" <<'EOF'
mov ra0, uniform ; nop ; thread_switch
nop
mov rb3, uniform
ldi vw_setup, nop, 0x00001a00
mov.setf vpm, rb3
nop ; nop ; end
nop
nop
EOF
"$m" asm vc4-qpu "$tmp/threads.txt" >"$tmp/threads.hex"
expect 0 'QPU 0  ra0 = all 00000001' "$m" run "$tmp/threads.hex" --threads 2 --uniforms 1,2/3,4
expect 0 'QPU 0  rb19 = all 00000004' "$m" run "$tmp/threads.hex" --threads 2 --uniforms 1,2/3,4
expect 0 '^    0  #\.\.\. #' "$m" run "$tmp/threads.hex" --threads 2 --uniforms 1,2/3,4
expect 0 '^QPU 0  thread 2 00010020  mov.setf vpm, rb3; vpm 0 = all 00000004' "$m" run "$tmp/threads.hex" \
    --threads 2 --uniforms 1,2/3,4 --trace
expect 0 '^QPU 1  00010000  mov ra0, uniform' "$m" run "$tmp/threads.hex" --qpus 2 --uniforms 1,2 --step
printf '\nq\n' | "$m" run "$tmp/threads.hex" --qpus 1 --uniforms 1,2 --step >"$tmp/stepped"
check 'q ends --step after two steps' test "$(grep -c . "$tmp/stepped")" = 2
printf 'c\n' | "$m" run "$tmp/threads.hex" --qpus 1 --uniforms 1,2 --step >"$tmp/stepped"
check 'c goes on to the end' grep -q '^end = done, 8 instructions' "$tmp/stepped"
expect 0 '^fidelity: 16 exact' "$m" run "$tmp/threads.hex" --threads 2 --uniforms 1,2/3,4 --fidelity
expect 0 'rb3 = all ????????' "$m" run "$tmp/threads.hex" --qpus 1
expect 2 'up to 8 hexadecimal digits' "$m" run "$tmp/threads.hex" --uniforms 1,zz
expect 2 '--threads needs 1 or 2' "$m" run "$tmp/threads.hex" --threads 3
expect 2 '--qpus needs 1 to 12' "$m" run "$tmp/threads.hex" --qpus 13

# a program ends two instructions after the one with the end signal: 3 here
printf 'nop ; nop ; end\nnop\nnop\n' | "$m" asm vc4-qpu - >"$tmp/end.hex"
expect 0 '^end = done, 3 instructions' "$m" run "$tmp/end.hex" --limit 3
expect 0 '^not ended after 2 instructions of a QPU (--limit); 4 in all' "$m" run "$tmp/end.hex" \
    --limit 2 --qpus 2
expect 2 '--limit needs 1 or more' "$m" run "$tmp/end.hex" --limit 0
expect 2 'leave out --board' "$m" run "$tmp/end.hex" --limit 3 --board virtual:manual

# the bytes 30 30 30 31 ("0001") are the word 31303030; as text they are no word
printf '0001' >"$tmp/raw"
expect 0 'QPU 0  ra0 = all 31303030' "$m" run "$tmp/threads.hex" --uniforms "raw:@$tmp/raw"
expect 2 'is not a word of 8 or 16' "$m" run "$tmp/threads.hex" --uniforms "@$tmp/raw"
expect 2 'is not a word of 8 or 16' "$m" run "$tmp/end.hex" --memory "$tmp/raw@1000"
expect 0 '^end = done' "$m" run "$tmp/end.hex" --memory "raw:@$tmp/raw@1000"
printf '00012' >"$tmp/raw"
expect 2 '5 bytes: raw words have 4 bytes each' "$m" run "$tmp/end.hex" --memory "raw:@$tmp/raw@1000"

# no document says what the registers hold at the start, however many QPUs run
printf 'add r0, ra3, r1 ; v8max rb4, r2, r2\nnop ; nop ; end\nnop\nnop\n' |
    "$m" asm vc4-qpu - >"$tmp/start.hex"
"$m" run "$tmp/start.hex" --unit vc4-qpu >"$tmp/one"
"$m" run "$tmp/start.hex" --qpus 1 >"$tmp/two"
check 'run begins with the same registers with and without --qpus' cmp "$tmp/one" "$tmp/two"
check 'registers are undefined at the start' grep -q 'rb4 = all ????????' "$tmp/one"
expect 2 'programs of vc4-qpu and partly of v3d-qpu, not of amd-buffer' "$m" run "$tmp/start.hex" \
    --unit amd-buffer --qpus 1
expect 2 '--isa is for words' "$m" run "$tmp/start.hex" --isa gfx900 --qpus 1

"$m" run "$tmp/threads.hex" --threads 2 --uniforms 1,2/3,4 --json >"$tmp/json"
check 'run --qpus --json has the rows' python3 -c 'import json, sys
rows = {(r["region"], r["row"]): r for r in json.load(open(sys.argv[1]))[0]["rows"]}
assert rows["qpu0.ra", 0]["value"] == ["00000001"] * 16 and rows["qpu0.rb", 19]["value"] == ["00000004"] * 16
vpm = rows["vpm", 0]
assert vpm["value"] == ["00000004"] * 16 and vpm["defined"] == ["ffffffff"] * 16' "$tmp/json"
expect 2 '--step works only on the model' "$m" run corpus/vc4-vpm/vpm-addr-h8.case \
    --step --board virtual:manual
expect 3 'there is no .*qpu-programs' env MISPRINT_TEST_DATA="$tmp/nothing" "$m" bench qpu-fft --json
expect 0 'lane-drop .*lane NUMBER' "$m" boards
expect 0 'libfuzzer, afl' "$m" help fuzz

# --- the same seed, the same findings ---
"$m" fuzz vc4-vpm --cases 3000 --seed 11 --json >"$tmp/one.json" 2>/dev/null
"$m" fuzz vc4-vpm --cases 3000 --seed 11 --json >"$tmp/two.json" 2>/dev/null
cat >"$tmp/findings.py" <<'PY'
import json, sys
one, two = (json.dumps(json.load(open(f))["findings"]) for f in sys.argv[1:])
sys.exit(not (one == two and len(one) > 2))
PY
check 'the same seed gives the same findings' python3 "$tmp/findings.py" "$tmp/one.json" "$tmp/two.json"

# --- names that are not UTF-8, or that control a terminal ---
odd=$tmp/$(printf 'odd\377\033[31m')
mkdir "$odd"
cp corpus/vc4-vpm/vpm-addr-h8.case "$odd/one.case"
cp $silicon/unpack.trace "$odd/two.trace"
printf 'base = bcm2835\n' >"$odd/mine.profile"
for words in run explain replay; do
    "$m" $words "$odd/one.case" --profile "$odd/mine.profile" --json >"$tmp/json" 2>"$tmp/said"
    check "$words --json of an odd name is JSON" python3 -m json.tool "$tmp/json"
done
"$m" explain "$odd/two.trace" --json >"$tmp/json" 2>"$tmp/said"
check 'explain --json of an odd trace is JSON' python3 -m json.tool "$tmp/json"
expect 0 'recorded' "$m" record "$odd/two.trace" --board "trace:$odd/two.trace" -o "$odd/three.trace"
"$m" replay "$odd/three.trace" --campaign "$odd/campaign" >"$tmp/said" 2>&1
for form in html md json junit; do
    "$m" report "$odd/campaign" --$form "$tmp/odd.$form" 2>/dev/null
    check "report --$form of an odd campaign is UTF-8" \
        python3 -c 'import sys; assert "\x1b" not in open(sys.argv[1], encoding="utf-8").read()' \
        "$tmp/odd.$form"
done
"$m" replay "$odd/none" >"$tmp/said" 2>&1
check 'an error does not control the terminal' sh -c '! grep -q "$(printf "\033")" "$1"' sh "$tmp/said"

# --- interrupted ---
"$m" fuzz vc4-vpm --campaign "$tmp/interrupted" >"$tmp/said" 2>&1 &
pid=$!
sleep 2
kill -INT $pid
wait $pid
check 'Ctrl-C ends a campaign with its findings' test $? -eq 1
check 'Ctrl-C prints the summary' grep -q 'findings.*:' "$tmp/said"
expect 1 'F-' "$m" report "$tmp/interrupted"

# a replay that is cut short says so on the screen, in each report, and by its status
for i in 1 2 3; do cp $silicon/pack.trace "$tmp/empty/$i.trace"; done
cp corpus/vc4-qpu/clz-zero.case "$tmp/empty"
"$m" replay "$tmp/empty" --profile bcm2835 --campaign "$tmp/cut" --junit "$tmp/cut.xml" >"$tmp/said" 2>&1 &
pid=$!
for _ in $(seq 20); do [ -s "$tmp/cut/misprint.db" ] || sleep 0.2; done
kill -INT $pid
wait $pid
status=$?
if grep -q INTERRUPTED "$tmp/said"; then
    check 'a replay that is cut short has status 3' test $status -eq 3
    check 'it names what it did not reach' grep -q 'interrupted after .* not reached: .*.trace' "$tmp/said"
    check 'each once' \
        sh -c "! grep 'interrupted after' '$tmp/said' | grep -o '[1-3][.]trace' | sort | uniq -d | grep ."
    check 'JUnit has an error' grep -q '<error type="interrupted"' "$tmp/cut.xml"
    "$m" report "$tmp/cut" --json "$tmp/cut.json" --html "$tmp/cut.html" --md "$tmp/cut.md" 2>/dev/null
    check 'JSON says so' grep -q '"interrupted": true' "$tmp/cut.json"
    check 'HTML says so' grep -q 'interrupted before its end' "$tmp/cut.html"
    check 'Markdown says so' grep -q 'interrupted before its end' "$tmp/cut.md"
else
    echo 'skipped: the replay was over before it could be interrupted'
fi

# --- a full disk (needs the right to mount) ---
mkdir "$tmp/small"
# --- a read-only campaign (needs the right to mount, too) ---
if mount -t tmpfs none "$tmp/small" 2>/dev/null; then
    "$m" fuzz vc4-vpm --cases 200 --campaign "$tmp/small/c" >/dev/null 2>&1
    mount -o remount,ro "$tmp/small"
    expect 1 'F-' "$m" report "$tmp/small/c"
    expect 0 'not compared' "$m" dropped "$tmp/small/c"
    expect 0 '200 cases' "$m" merge "$tmp/small/c" -o "$tmp/merged"
    umount "$tmp/small"
else
    echo 'skipped: the campaign that may only be read (no right to mount)'
fi
if mount -t tmpfs -o size=300k none "$tmp/small" 2>/dev/null; then
    expect 3 "$tmp/small" "$m" fuzz vc4-qpu --cases 200000 --campaign "$tmp/small/campaign"
    umount "$tmp/small"
else
    echo 'skipped: the full disk (no right to mount a small one)'
fi

sum_up
