#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/boards without any checkout: wrong use is reported, and the header that adapters share finds fields
# and regions by their names and turns exceptions into refusals, as a fake emulator shows.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
command -v "${CXX:-c++}" >/dev/null || { echo 'skipped: no C++ compiler'; exit 77; }
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
fail() { printf 'FAILED: %s\n' "$*"; exit 1; }
build=scripts/boards/build

# refuse STATUS WORDS ARGUMENT...: the script ends so, with these words
refuse() {
    wanted=$1 words=$2
    shift 2
    "$build" "$@" >"$tmp/said" 2>&1
    status=$?
    if [ "$status" -ne "$wanted" ] || ! grep -q "$words" "$tmp/said"; then
        fail "$build $*: status $status, $(cat "$tmp/said")"
    fi
}
mkdir "$tmp/empty"
refuse 2 'scripts/boards/build NAME CHECKOUT'
refuse 0 'videocoreiv-sim' --help
refuse 2 'no such folder' videocoreiv-sim "$tmp/none"
refuse 2 'has no src/processor.rs' videocoreiv-sim "$tmp/empty"
refuse 2 'no adapter for "other"' other "$tmp/empty"

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
