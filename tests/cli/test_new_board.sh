#!/bin/sh
# SPDX-License-Identifier: MIT
# `misprint new-board`: each kit of each unit builds without warnings and runs, and its board truthfully
# answers "not implemented". Boards that read every image of the case through the kit's types and write it
# into the outcome agree with the case in every bit, and one that changes a bit does not.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
command -v make >/dev/null && command -v python3 >/dev/null || exit 77
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/support/support_command.sh
. tests/support/support_command.sh

m=$MISPRINT
warn='-O0 -Wall -Wextra -Wpedantic -Werror -fPIC'
# build FOLDER: as a user does, but every warning is an error
build() {
    [ ! -f "$1/board.c" ] || make -C "$1" board.so "CC=${CC:-cc}" "CFLAGS=-std=c99 $warn"
    [ ! -f "$1/board.cpp" ] || make -C "$1" board.so "CXXFLAGS=-std=c++11 $warn"
}
# A C++ compiler is no requirement of the project.
languages='c python'
! command -v "${CXX:-c++}" >/dev/null || languages='c c++ python'

# images UNIT: "region image columns" of the regions that start as an image of the case
images() {
    sed -n '/^REGIONS/,/^\]/p' "$tmp/$1-python/misprint_board.py" | tr -d '",()' |
        awk 'NF == 5 { print $1, $2, $4, $5 }'
}
# A case with all kinds of fill and listed rows, and nothing to do.
case_of() {
    echo "misprint-case 1 $1"
    [ "$1" != vc4-qpu ] || printf 'program {\n  nop ; end\n  nop\n  nop\n}\n'
    n=0
    images "$1" | while read -r _ image rows _; do
        n=$((n + 1))
        name=$(echo "$image" | tr _ -)
        case $((n % 3)) in
        0) echo "$name fill index" ;;
        1) echo "$name fill random $n" ;;
        esac
        echo "$name row $((rows - 1)) = 00000000 12345678 9abcdef$n"
        echo "$name row 0 = all 0000000$n"
    done
}
# The region in which the bad boards change a bit that is defined in each unit.
spoilt() { images "$1" | sed 's/ .*//' | grep -E '^(memory|gpr)$'; }
# Writes the function that reads images and writes regions.
copying_c() {
    images "$1" | while read -r region image rows columns; do
        echo "    for (int row = 0; row < $rows; row++)"
        echo "    {"
        echo "        misprint_image_row(&c->$image, $columns, (uint32_t)row, after->${region}[row]);"
        echo "        misprint_touch(o, (uint32_t)(after->${region}[row] - o->value) / $columns);"
        echo "    }"
    done
    [ "$2" = good ] || echo "    after->$(spoilt "$1")[0][1] ^= 1;"
    echo '    return MISPRINT_DONE;'
}
copying_python() {
    images "$1" | while read -r region image rows columns; do
        echo "    for row in range($rows):"
        echo "        after.${region}[row] = case.${image}[row]"
        echo "        after.known['$region', row] = [0xFFFFFFFF] * $columns"
    done
    [ "$2" = good ] || echo "    after.$(spoilt "$1")[0][1] ^= 1"
    echo '    return'
}
# copy UNIT HOW: makes boards that copy
copy() {
    copying_c "$1" "$2" >"$tmp/body.c"
    copying_python "$1" "$2" >"$tmp/body.py"
    "$m" new-board "$1" --lang c -o "$tmp/$2-c" >/dev/null || return 1
    "$m" new-board "$1" --lang python -o "$tmp/$2-py" >/dev/null || return 1
    sed -i -e '/snprintf(o->message/d' -e 's/_VERSION, MISPRINT/_VERSION, MISPRINT_MARKS_ROWS | MISPRINT/' \
        -e "/return MISPRINT_REFUSED/{r $tmp/body.c
d}" "$tmp/$2-c/board.c"
    sed -i "/raise Refused(\"not/{r $tmp/body.py
d}" "$tmp/$2-py/board.py"
    build "$tmp/$2-c"
}

cat >"$tmp/regions.py" <<'END'
import re, sys
outcome = open(sys.argv[1] + "/misprint_board.py").read().split("class Outcome:")[1].split("\nclass ")[0]
fields = re.findall(r"^    (\w+): Any$", outcome, re.M)
readme = open(sys.argv[1] + "/README.md").read().split("## The outcome")[1]
regions = re.findall(r"^\| `(\w+)` \|", readme, re.M)
assert fields == regions and regions, (fields, regions)
END

for unit in $("$m" units --json | python3 -c 'import json, sys
for unit in json.load(sys.stdin): print(unit["name"])'); do
    for language in $languages; do
        # C++ takes long to compile.
        case $language$unit${MISPRINT_TEST_LONG:-} in
        c++amd-buffer | c++*1) ;;
        c++*) continue ;;
        esac
        kit=$tmp/$unit-$language
        expect 0 'make check' "$m" new-board "$unit" --lang "$language" -o "$kit"
        check "$unit in $language builds without warnings" build "$kit"
        expect 0 'The board is not implemented yet. That is expected' \
            make -C "$kit" check "MISPRINT=$m" CFLAGS= CXXFLAGS=
        check "$unit in $language claims nothing" grep -q '^[0-9]* cases: 0 right, 0 wrong, [0-9]* refused$' \
            "$tmp/out"
    done
    check "$unit: class Outcome has the README's regions" python3 "$tmp/regions.py" "$tmp/$unit-python"
    check "$unit: the README's text starts at the left" sh -c "! grep -q '^ [^ ]' '$tmp/$unit-c/README.md'"
    check "$unit: nothing is left to fill in" \
        sh -c "! grep -q '@[A-Z]*@' '$tmp/$unit-c/README.md' '$tmp/$unit-python/README.md'"
    check "$unit: the README says where the known cases are" \
        test -d "$(sed -n 's|^    \(/.*\)$|\1|p' "$tmp/$unit-c/README.md")"
    check "$unit: the README fits a page" test "$(wc -l <"$tmp/$unit-c/README.md")" -le 80
    # The kits are made from tables alike, so two units are enough for the boards that copy.
    case $unit${MISPRINT_TEST_LONG:-} in
    vc4-qpu | amd-buffer | *1) ;;
    *) continue ;;
    esac
    case_of "$unit" >"$tmp/$unit.case"
    for how in good bad; do
        rm -rf "$tmp/$how-c" "$tmp/$how-py"
        check "$unit: boards that copy build" copy "$unit" "$how"
        for board in "plugin:$tmp/$how-c/board.so,inline" "exec:python3 $tmp/$how-py/board.py"; do
            [ $how = good ] && expect 0 ' 1 equal, 0 different' "$m" replay "$tmp/$unit.case" --board "$board"
            [ $how = good ] || expect 1 ' 0 equal, 1 different' "$m" replay "$tmp/$unit.case" --board "$board"
        done
    done
done

# --- mistakes in a Python board: an error that names the line, counted apart from refusals ---
# mistake LINE PATTERN: the board's program, with this line, fails so
mistake() {
    rm -rf "$tmp/mistake"
    "$m" new-board amd-buffer --lang python -o "$tmp/mistake" >/dev/null
    sed -i "s/raise Refused(\"not.*/$1/" "$tmp/mistake/board.py"
    expect 1 "^ *[0-9]*  exception: $2" \
        "$m" check-board amd-buffer --board "exec:python3 $tmp/mistake/board.py"
    check "$1 is counted apart" \
        grep -q '^[0-9]* cases: 0 right, 0 wrong, [0-9]* stopped by an exception$' "$tmp/out"
}
at='at board.py:[0-9]*'
mistake 'after.statis[0][0] = 1' "AttributeError $at: .* no region statis; did you mean status?"
mistake 'after.statuss = 1' "AttributeError $at: .* no region statuss; did you mean status?"
mistake 'after.address_high = 5' "TypeError $at: after.address_high is a table of 16 rows of 64 words"
mistake 'after.vgpr = after.vgpr[1:]' "TypeError $at: after.vgpr is a table of 32 rows"
mistake 'after.known["statis", 0] = [0] * 64' 'AttributeError at .*: after.known: .* no region statis'
mistake 'after.known = 1' "TypeError $at: after.known is a dict"
mistake 'raise Fault("bad")' "TypeError $at: Fault('bad'): .* 1 (encoding that no document defines)"
check 'the trace is printed once' test "$(grep -c '^Traceback' "$tmp/out")" = 1
check 'check-board says which Python was used' \
    grep -q '^  my emulator of .* (Python 3[0-9.]*, /.*numpy' "$tmp/out"

# --- the Makefile ---
kit=$tmp/vc4-vpm-c
# An emulator's source that is missing in SRC does not link.
sed -i -e 's/^static enum misprint_end run_case/int my_emulator(void);\n&/' \
    -e 's/(void)e, /(void)my_emulator(), (void)e, /' "$kit/board.c"
rm "$kit/board.so"
expect 2 'undefined .*my_emulator' make -C "$kit" board.so
echo 'int my_emulator(void); int my_emulator(void) { return 0; }' >"$kit/my_emulator.c"
expect 0 '' make -C "$kit" board.so 'SRC=board.c my_emulator.c'
# `make learn` works twice, and loses no profile.
printf '#!/bin/sh\necho "$@" >>"%s/learns"\n' "$tmp" >"$tmp/recorder"
chmod +x "$tmp/recorder"
expect 0 '' make -C "$kit" learn "MISPRINT=$tmp/recorder" 'SRC=board.c my_emulator.c'
sleep 1.1
expect 0 '' make -C "$kit" learn "MISPRINT=$tmp/recorder" 'SRC=board.c my_emulator.c'
check 'two runs write two profiles' \
    test "$(grep -o 'learned-[0-9-]*.profile' "$tmp/learns" | sort -u | wc -l)" = 2
# All three targets compare with the same profile.
expect 3 'compared with profile bcm2835 and' "$m" check-board vc4-vpm --board "plugin:$kit/board.so"
check 'make learn names it, too' grep -q -- '--profile bcm2835' "$tmp/learns"
# An option that the board does not know is an error, and not one that Misprint knows.
expect 3 "board plugin:.*,fast: it says: unknown option 'fast'; it only has 'inline'" \
    "$m" check-board vc4-vpm --board "plugin:$kit/board.so,fast"
expect 3 ' refused$' "$m" check-board vc4-vpm --board "plugin:$kit/board.so,inline"
check 'a unit without bus addresses says so' \
    grep -q 'memory_base and code_base are not needed' "$kit/vc4_vpm.h"
check 'another does not' sh -c "! grep -q 'not needed' '$tmp/vc4-qpu-c/vc4_qpu.h' '$tmp/vc4-qpu-c/board.c'"

# --- BITS.md. Places of fields: "RDNA3" guide tables 36, 44; LLVM for gfx900 and gfx1200 ---
bits=$tmp/amd-buffer-c/BITS.md
# columns: gfx1100, gfx1030, gfx900, gfx803, gfx90a, gfx942, gfx1200
column() { awk -F'|' -v w="$1" -v f=" \`$2\` " -v c="$3" 'index($0, "## ") == 1 { on = index($0, w) > 0 }
    on && $2 == f { print $(c + 2) }' "$bits"; }
field_is() { check "$1 $2 of generation $3" test "$(column "$1" "$2" "$3")" = " $4 "; }
field_is descriptor_1 STRIDE 1 29:16
field_is descriptor_3 OOB_SELECT 1 29:28
field_is descriptor_3 ADD_TID_ENABLE 3 23
field_is MUBUF OP 1 25:18
field_is MUBUF IDXEN 1 55
field_is MUBUF IDXEN 3 13
field_is MUBUF IOFFSET 7 95:72
field_is MTBUF FORMAT 1 25:19
field_is SMEM SBASE 1 5:0
# the guides: bits 31:30 hold a size on RDNA3, and bit 31 alone turns it on in RDNA2
check 'values of a field that differ have their generation' grep -q \
    '^| `SWIZZLE_ENABLE` .*from gfx1100 on: 0 off, 1 element4, .*from gfx1030 on: 0 off, 1 on' "$bits"
check 'the README names it' grep -q '^| BITS.md' "$tmp/amd-buffer-python/README.md"

# --- boards that run programs ---
kits='vc4-vpm:c amd-buffer:c'
[ -z "${MISPRINT_TEST_LONG:-}" ] || kits="$kits vc4-qpu:c vc4-qpu:c++ amd-buffer:c++"
for kit in $kits; do
    unit=${kit%:*} language=${kit#*:} folder=$tmp/program-$kit
    [ "$language" = c ] || command -v "${CXX:-c++}" >/dev/null || continue
    expect 0 'that runs programs' "$m" new-board "$unit" --lang "$language" --kind program -o "$folder"
    check "$kit builds without warnings" build "$folder"
    expect 0 'The board is not implemented yet' make -C "$folder" check "MISPRINT=$m" CFLAGS= CXXFLAGS=
    check "$kit claims nothing" grep -q '^[0-9]* cases: 0 right, 0 wrong, [0-9]* refused$' "$tmp/out"
    check "$kit: nothing is left to fill in" \
        sh -c "! grep -q '@[A-Z]' '$folder'/board.c* '$folder/README.md' '$folder/Makefile'"
done
# (An agent that root starts becomes another user, who only reaches the current folder.)
expect 3 "board program:./board.so,fast: it says: unknown option 'fast'; it only has 'inline'" \
    sh -c "cd '$tmp/program-vc4-vpm:c' && '$m' check-board vc4-vpm --board program:./board.so,fast"
# One error, which names the board as the user did.
expect 3 "^misprint: board program:./board.so: it defines no symbol misprint_program_board" \
    sh -c "cd '$tmp/vc4-vpm-c' && '$m' check-board vc4-vpm --board program:./board.so"
check 'it is said once, without an option that nobody typed' \
    sh -c "[ \$(wc -l <'$tmp/out') = 1 ] && ! grep inline '$tmp/out'"
# A board that says that a program ended, but did not run it, is not believed.
sed -i -e '/not implemented/d' -e 's/return MISPRINT_REFUSED/return MISPRINT_DONE/' \
    "$tmp/program-vc4-vpm:c/board.c"
expect 2 'ended with incomplete output' make -C "$tmp/program-vc4-vpm:c" check "MISPRINT=$m"
expect 2 'is in c or c++' "$m" new-board vc4-vpm --lang python --kind program -o "$tmp/new"
expect 2 'no program is made of cases of utgard-gp' \
    "$m" new-board utgard-gp --lang c --kind program -o "$tmp/new"
expect 2 'there is no kind .programme' "$m" new-board vc4-vpm --lang c --kind programme -o "$tmp/new"

check 'the values of a field are listed by number' grep -q '0 gfx1100, 1 gfx1030, 2 gfx900, ' \
    "$tmp/amd-buffer-python/misprint_board.py"
check 'a word is one word, and an instruction three' sh -c "grep -q '\"exec_low\", \"word\", 0, 1)' \
    '$tmp/amd-buffer-python/misprint_board.py' && grep -q '\"code\", \"code\", .*, 3)' \
    '$tmp/amd-buffer-python/misprint_board.py'"
expect 2 'is not empty' "$m" new-board vc4-vpm --lang c -o "$tmp/vc4-vpm-c"
expect 2 'language' "$m" new-board vc4-vpm --lang rust -o "$tmp/new"
expect 2 '-o DIR' "$m" new-board vc4-vpm --lang c
sum_up
