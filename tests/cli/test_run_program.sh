#!/bin/sh
# SPDX-License-Identifier: MIT
# `misprint run` of programs: as text, of thousands of instructions, with a file of uniforms for each QPU, and
# compared with what a test expects.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}" "${MISPRINT_BUILD_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/support/support_command.sh
. tests/support/support_command.sh

m=$MISPRINT

# --- assembly text ---
# Each QPU stores its second uniform, in all sixteen elements, at the address in its first one.
cat >"$tmp/store.qasm" <<'EOF'
mov ra0, uniform
ldi vw_setup, nop, 0x00001a00    # the VPM's row 0, horizontal, 32-bit
mov vpm, uniform
ldi vw_setup, nop, 0x80904000    # one row of sixteen words
mov vw_addr, ra0
mov nop, vw_wait
nop ; nop ; end
nop
nop
EOF
expect 0 'memory 00001000 = all 0000002a' "$m" run "$tmp/store.qasm" --uniforms 1000,2a
expect 0 'memory 00001000 = all 0000002a' sh -c "'$m' run - --uniforms 1000,2a <'$tmp/store.qasm'"
cp "$tmp/store.qasm" "$tmp/store.txt"
expect 0 'memory 00001000 = all 0000002a' "$m" run "$tmp/store.txt" --unit vc4-qpu --uniforms 1000,2a
printf 'nop\nfadd r0, r1\nfmux r0, r1, r2\n' >"$tmp/wrong.qasm"
expect 2 'wrong.qasm: line 2, column 12: ' "$m" run "$tmp/wrong.qasm"
expect 2 'wrong.qasm: line 3, column 1: ' "$m" run "$tmp/wrong.qasm"
printf '# only a comment\n' >"$tmp/none.qasm"
expect 2 'contains no instruction' "$m" run "$tmp/none.qasm"
echo 'buffer_load_dword v1, off, s[8:11], 0' >"$tmp/load.txt"
expect 0 'end = done' "$m" run "$tmp/load.txt" --unit amd-buffer --isa gfx900

# --- a file of uniforms for each QPU ---
printf '00002000 00000007\n' >"$tmp/first"
printf '\000\060\000\000\011\000\000\000' >"$tmp/second" # 3000, 9
"$m" run "$tmp/store.qasm" --qpus 2 --uniforms "@$tmp/first,raw:@$tmp/second" >"$tmp/out"
check 'the first QPU has the first file' grep -q 'memory 00002000 = all 00000007' "$tmp/out"
check 'the second QPU has the second file' grep -q 'memory 00003000 = all 00000009' "$tmp/out"
expect 0 'memory 00002000 = all 00000007' "$m" run "$tmp/store.qasm" --uniforms "@$tmp/first"
expect 2 'missing' "$m" run "$tmp/store.qasm" --uniforms "@$tmp/first,@$tmp/missing"
expect 2 'more than 24 lists' "$m" run "$tmp/store.qasm" \
    --uniforms "$(printf '%25s' '' | sed "s| |@$tmp/first,|g; s|,\$||")"

# --- what a test expects ---
for i in 1 2 3 4; do printf '0000002a 0000002a 0000002a 0000002a # row %s\n' "$i"; done >"$tmp/good"
sed '2s/0000002a/0000002b/' "$tmp/good" >"$tmp/bad"
store="$tmp/store.qasm --uniforms 1000,2a"
# shellcheck disable=SC2086 # $store has several words
{
    expect 0 'as expected: 16 words of memory' "$m" run $store --expect "memory@1000=$tmp/good"
    expect 1 'memory 00001010 is 0000002a, but .*bad has 0000002b there (its word 4); 1 of 16 words differ' \
        "$m" run $store --expect "memory@1000=$tmp/bad"
    expect 1 '1 of 32 words differ' "$m" run $store --expect "memory@1000=$tmp/good,memory@1000=$tmp/bad"
    expect 1 '16 of 16 words differ' "$m" run $store --expect "memory@1040=$tmp/good"
    expect 1 'not ended after 3' "$m" run $store --limit 3 --memory "$tmp/good@1000" \
        --expect "memory@1000=$tmp/good"
    expect 1 '"differ": 1' "$m" run $store --expect "memory@1000=$tmp/bad" --json
    expect 2 'is not memory@ADDRESS=FILE' "$m" run $store --expect "memory@1001=$tmp/good"
    expect 2 'is not memory@ADDRESS=FILE' "$m" run $store --expect "$tmp/good@1000"
    expect 2 'does not fit into the memory' "$m" run $store --expect "memory@1ffff0=$tmp/good"
    expect 2 'missing' "$m" run $store --expect "memory@1000=$tmp/missing"
}

# Each element stores its own number, and compares it with 3: only that one is zero.
sed -e 's/mov vpm, uniform/mov vpm, elem_num/' -e 's/^mov nop, vw_wait/sub.setf nop, elem_num, 3\n&/' \
    "$tmp/store.qasm" >"$tmp/numbers.qasm"
numbers=$(awk 'BEGIN { printf "memory 00001000 ="; for (i = 0; i < 16; i++) printf " %08x", i }')
expect 0 "^$numbers\$" "$m" run "$tmp/numbers.qasm" --uniforms 1000
expect 0 '; z = 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0; n = 1 1 1 0 0 0 0 0 0 0 0 0 0 0 0 0' \
    "$m" run "$tmp/numbers.qasm" --uniforms 1000 --trace

# Registers are undefined at the start, so nothing can be compared.
sed 's/mov vpm, uniform/mov vpm, ra9/' "$tmp/store.qasm" >"$tmp/unknown.qasm"
expect 1 'not compared: no bit of the 16 expected words is defined' "$m" run "$tmp/unknown.qasm" \
    --uniforms 1000 --expect "memory@1000=$tmp/good"

# --- long programs ---
# 16,400 increments, on two QPUs
{
    echo 'mov r0, 0'
    awk 'BEGIN { for (i = 0; i < 16400; i++) print "add r0, r0, 1" }'
    echo 'mov ra1, r0'
    printf 'nop ; nop ; end\nnop\nnop\n'
} >"$tmp/long.qasm"
"$m" run "$tmp/long.qasm" --qpus 2 >"$tmp/out"
check 'two QPUs run a long program to its end' grep -q 'end = done, 32810 instructions' "$tmp/out"
check 'a long program has its result' grep -q 'QPU 1  ra1 = all 00004010' "$tmp/out"
awk 'BEGIN { for (i = 0; i < 253953; i++) print "009e7000 100009e7" }' >"$tmp/longer.hex"
expect 2 'a program has 1 to 253952 instructions' "$m" run "$tmp/longer.hex" --unit vc4-qpu

# --- boards that run programs, in a process of their own ---
# A library that crashes on some programs costs exactly those cases: all others are compared, and equal.
wave=$MISPRINT_BUILD_DIR/tests/plugin_wave.so
crashing() { # folder, offsets...: cases with these offsets of their instructions
    mkdir "$tmp/$1" && folder=$tmp/$1 n=0
    shift
    for offset; do
        n=$((n + 1))
        cat >"$folder/$(printf %03d $n).case" <<EOF
misprint-case 1 amd-buffer
generation = gfx1100
descriptor = raw base=0x100 num_records=$((4 * n))
code {
  buffer_load_b32 v1, v0, s[8:11], 0 offen offset:$offset
}
EOF
    done
}
lost() { # folder, lost cases, compared cases
    s='s' && [ "$2" -ne 1 ] || s=''
    expect 3 "^ *$2 case$s without an answer" "$m" replay "$tmp/$1" --campaign "$tmp/$1.campaign" \
        --profile gfx1100 --board "program:$wave,crash"
    check 'nothing differs' grep -q '^0 findings' "$tmp/out"
    check 'all other cases are compared, and equal' grep -q " $3 compared: $3 equal" "$tmp/out"
    expect 0 'nothing: the command \(was ended by signal\|ended with exit status\)' "$m" dropped \
        "$tmp/$1.campaign"
}
if [ -f "$wave" ]; then
    # shellcheck disable=SC2046 # one word for each number
    crashing one $(seq 1 30) 1234 $(seq 31 60)
    lost one 1 60
    # shellcheck disable=SC2046
    crashing three 1234 $(seq 1 30) 1234 1234 $(seq 31 60)
    lost three 3 60
fi

# A program of real size runs on a library as on the model: the same memory, from the program's own text.
library=$MISPRINT_BUILD_DIR/tests/plugin_program.so
if [ -f "$library" ]; then
    {
        echo 'mov ra0, uniform'
        echo 'mov r0, uniform'
        awk 'BEGIN { for (i = 0; i < 16400; i++) print "add r0, r0, 1" }'
        sed 's/mov vpm, uniform/mov vpm, r0/; 1d' "$tmp/store.qasm"
    } >"$tmp/kernel.qasm"
    kernel="$tmp/kernel.qasm --uniforms 1000,10"
    for i in 1 2 3 4; do printf '00004020 00004020 00004020 00004020 # row %s\n' "$i"; done >"$tmp/sum"
    # shellcheck disable=SC2086 # $kernel has several words
    {
        expect 0 'as expected: 16 words' "$m" run $kernel --expect "memory@1000=$tmp/sum"
        on="$m run $kernel --board program:$library"
        expect 0 'as expected: 16 words' $on,long --expect "memory@1000=$tmp/sum"
        expect 0 'memory 00001000 = all 00004020' $on,long
        expect 0 "^$numbers\$" "$m" run "$tmp/numbers.qasm" --uniforms 1000 --board "program:$library,long"
        expect 1 'differs: memory 00001000 is 00004020, but .*good has 0000002a there' \
            $on,long --expect "memory@1000=$tmp/good"
        expect 1 '^not ended within 100 instructions (--limit)' \
            $on,long --limit 100 --expect "memory@1000=$tmp/sum"
        expect 0 '"ran_on": "program:' $on,long --json
        expect 3 'it refused the program: no such operation' $on,refuse
        expect 3 'the library \(crashed (signal 11\|ended its process\)' $on,crash
        expect 2 '.--qpus is not for a program on a board' $on --qpus 2
        expect 3 'plugin_none.so' "$m" run $kernel --board program:./plugin_none.so
        expect 2 'leave out --board' "$m" run $kernel --board "plugin:$library"
    }
fi

# A crash costs its case and no other, whether a library's own process ends or a command: the same cases are
# lost either way, and all others are compared and equal.
model=$MISPRINT_BUILD_DIR/tests/plugin_model.so
if [ -f "$model" ]; then
    for board in "plugin:$model,crash=200" "exec:exec '$m' agent --board 'plugin:$model,inline,crash=200'"; do
        rm -rf "$tmp/c"
        "$m" fuzz vc4-vpm --profile bcm2835 --board "$board" --cases 2000 --seed 5 --jobs 1 \
            --campaign "$tmp/c" >"$tmp/out" 2>"$tmp/err"
        check 'nothing differs' grep -q '^0 findings' "$tmp/out"
        check 'some cases crash' grep -q '[0-9] cases without an answer' "$tmp/out"
        sed -n 's/^compared: \([0-9,]*\) of .*/compared \1/p' "$tmp/out"
        sed -n 's/.* \([0-9,]*\) cases without.*/lost \1/p' "$tmp/out"
    done >"$tmp/counts"
    # Crashes that are far apart do not end a run, however many cases the library gets at once.
    expect 3 '^100,000 cases in' "$m" fuzz vc4-qpu --profile bcm2835 --board "plugin:$model,crash=1000" \
        --cases 100000 --seed 2
    grep -E '^(compared|lost) ' "$tmp/counts" >"$tmp/lines"
    check 'both say how many' test "$(wc -l <"$tmp/lines")" -eq 4
    check 'both count the same' test "$(sed -n 1,2p "$tmp/lines")" = "$(sed -n 3,4p "$tmp/lines")"
fi

sum_up
