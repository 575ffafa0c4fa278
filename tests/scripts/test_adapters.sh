#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/boards without any emulator: wrong use of the link script is reported, a fake simulator that the
# test makes becomes a board, and the header that adapters share finds fields and regions by their names and
# turns exceptions into refusals, as a fake emulator shows. MISPRINT_TEST_LONG: also a shared library.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
command -v "${CXX:-c++}" >/dev/null || { echo 'skipped: no C++ compiler'; exit 77; }
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
fail() { printf 'FAILED: %s\n' "$*"; exit 1; }
link=scripts/boards/link

# refuse STATUS WORDS ARGUMENT...: the script ends so, with these words
refuse() {
    wanted=$1 words=$2
    shift 2
    "$link" "$@" >"$tmp/said" 2>&1
    status=$?
    if [ "$status" -ne "$wanted" ] || ! grep -q "$words" "$tmp/said"; then
        fail "$link $*: status $status, $(cat "$tmp/said")"
    fi
}
mkdir -p "$tmp/empty" "$tmp/checkout/src"
touch "$tmp/checkout/src/processor.rs" "$tmp/empty.o" "$tmp/notes.txt"
refuse 2 'scripts/boards/link NAME CHECKOUT LIBRARY'
refuse 2 'scripts/boards/link NAME CHECKOUT LIBRARY' videocoreiv-sim "$tmp/checkout"
refuse 0 'position-independent' --help
refuse 2 'no such folder' videocoreiv-sim "$tmp/none" "$tmp/empty.o"
refuse 2 'has no src/processor.rs' videocoreiv-sim "$tmp/empty" "$tmp/empty.o"
refuse 2 'no adapter for "other"' other "$tmp/checkout" "$tmp/empty.o"
refuse 2 'no such file' videocoreiv-sim "$tmp/checkout" "$tmp/none.a"
refuse 2 'not a library' videocoreiv-sim "$tmp/checkout" "$tmp/notes.txt"
refuse 2 'name a library' videocoreiv-sim "$tmp/checkout" -o "$tmp/sim.so"

# A fake simulator with the functions that the adapter calls: a case's accesses fill row 3 of the VPM with
# their number. Without PROGRAMS it lacks one function.
cat >"$tmp/fake.c" <<'END'
#include <stdint.h>
int sim_accesses(uint32_t *state, const uint32_t *ops, uint32_t count, uint32_t base, const void *data,
                 void *reads, char *text)
{
    uint32_t *vpm = state + (32 + 32 + 6 + 3) * 16;
    (void)ops, (void)base, (void)data, (void)reads, (void)text;
    for (uint32_t i = 0; i < 16; i++)
        vpm[3 * 16 + i] = count;
    return 0;
}
#ifdef PROGRAMS
int sim_program(void *state, const uint64_t *words, uint32_t count, uint32_t limit, char *text)
{
    (void)state, (void)words, (void)count, (void)limit, (void)text;
    return 1;
}
#endif
END
export CXXFLAGS=-O0
cc=${CC:-cc}
{
    "$cc" -fPIC -c "$tmp/fake.c" -o "$tmp/half.o" &&
        "$cc" -fPIC -DPROGRAMS -c "$tmp/fake.c" -o "$tmp/sim.o" &&
        ar rc "$tmp/libsim.a" "$tmp/sim.o" && "$cc" -shared "$tmp/sim.o" -o "$tmp/libsim.so"
} || fail 'the fake simulator does not compile'
refuse 2 'the libraries do not fit' videocoreiv-sim "$tmp/checkout" "$tmp/half.o" -o "$tmp/sim.so"
[ ! -e "$tmp/sim.so" ] || fail 'a board was written although the libraries do not fit'
printf '%s\n' 'misprint-case 1 vc4-vpm' 'ops {' '  nop 1' '  nop 1' '}' >"$tmp/it.case"
for library in libsim.a ${MISPRINT_TEST_LONG:+libsim.so sim.o}; do
    refuse 0 'wrote' videocoreiv-sim "$tmp/checkout" "$tmp/$library" -o "$tmp/sim.so"
    "$MISPRINT" run "$tmp/it.case" --board "plugin:$tmp/sim.so" >"$tmp/said" 2>&1
    grep -q 'vpm 3 = all 00000002' "$tmp/said" || fail "$library: $(cat "$tmp/said")"
    rm "$tmp/sim.so"
done

# A fake emulator: it copies `data` row 2 into row 5 of the VPM, and refuses a case without operations.
cat >"$tmp/fake.cpp" <<'END'
#include "adapter.hpp"
const char *const adapter_units = "vc4-tmu vc4-vpm";
const uint32_t adapter_memory_base = 0x1000;
void adapter_run(adapter::run &r)
{
    if (!*r.field("ops"))
        throw adapter::refused("nothing to do");
    if (*r.field("stale") == 1)
        r.field("no-such");
    if (*r.field("stale") == 2)
        return r.end(MISPRINT_HANG, 1);
    misprint_image_row(r.field("data"), 16, 2, r.region("vpm") + 5 * 16);
    r.unknown(r.row("vpm") + 5, 3, 0xff);
}
ADAPTER_BOARD("fake", "test");
END
"${CXX:-c++}" -std=c++17 -Wall -Wextra -Werror -O0 -fPIC -shared -Iscripts/boards -Iharness/protocol \
    "$tmp/fake.cpp" -o "$tmp/fake.so" || fail 'the fake board does not compile'
# on STATUS WORDS LINE...: the case with these lines ends so on the fake board
on() {
    wanted=$1 words=$2
    shift 2
    printf '%s\n' 'misprint-case 1 vc4-vpm' "$@" >"$tmp/it.case"
    "$MISPRINT" run "$tmp/it.case" --board "plugin:$tmp/fake.so" >"$tmp/said" 2>&1
    status=$?
    if [ "$status" -ne "$wanted" ] || ! grep -q "$words" "$tmp/said"; then
        fail "$*: status $status, $(cat "$tmp/said")"
    fi
}
on 0 'vpm 5 = 0000abc1 0000abc1' 'data row 2 = all 0000abc1' 'ops {' '  nop 1' '}'
on 0 'end = hang' 'stale = 2' 'ops {' '  nop 1' '}'
on 3 'nothing to do' 'data row 2 = all 0000abc1'
on 3 'no field no-such' 'stale = 1' 'ops {' '  nop 1' '}'
printf 'misprint-case 1 vc4-qpu\n' >"$tmp/it.case"
"$MISPRINT" run "$tmp/it.case" --board "plugin:$tmp/fake.so" 2>&1 | grep -q 'runs only vc4-tmu vc4-vpm' ||
    fail 'another unit is not refused'
echo 'adapters: wrong use and a fake emulator are as they should be'
