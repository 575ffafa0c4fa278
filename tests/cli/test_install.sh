#!/bin/sh
# SPDX-License-Identifier: MIT
# What `cmake --install` leaves behind works from a prefix of its own: the command, its man page, and the
# model library as a program of somebody else finds it, through pkg-config.
set -eu
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
fail() { printf '%s\n' "$*"; exit 1; }
[ "${MISPRINT_INSTRUMENTED:-0}" = 0 ] || { echo 'instrumented build'; exit 77; }

cmake --install "${MISPRINT_BUILD_DIR:?}" --prefix "$prefix/a" >"$prefix/log" 2>&1 || {
    cat "$prefix/log"
    fail 'cmake --install failed'
}
mv "$prefix/a" "$prefix/moved" # an installed tree can be moved
prefix_moved=$prefix/moved

cat >"$prefix/program.c" <<'END'
#include <stdio.h>

#include "model/core/unit.h"

int main(void)
{
    for (unsigned i = 0; unit_at(i); i++)
        printf("%s\n", unit_at(i)->name);
    return unit_at(0) == NULL;
}
END
pc=$(find "$prefix_moved" -name misprint-model.pc)
[ -n "$pc" ] || fail 'no misprint-model.pc was installed'
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046 # words on purpose
"${CC:-cc}" -std=c11 -Wall -Wextra -Werror "$prefix/program.c" -o "$prefix/program" \
    $(pkg-config --cflags --libs misprint-model) ||
    fail 'a program could not be built against the installed library'
units=$("$prefix/program") || fail 'a program built against the installed library failed'
for unit in vc4-qpu vc4-vpm; do
    printf '%s\n' "$units" | grep -qx "$unit" ||
        fail "the installed library has no unit $unit; it has: $units"
done
# Headers without a guard are templates, which only the model's own files include.
for header in $(cd "$prefix_moved/include/misprint" && grep -lr '^#ifndef MISPRINT_' model); do
    printf '#include "%s"\n' "$header" >"$prefix/alone.c"
    # shellcheck disable=SC2046
    "${CC:-cc}" -std=gnu11 -fsyntax-only $(pkg-config --cflags misprint-model) "$prefix/alone.c" ||
        fail "installed $header does not compile"
done

# A board needs board_plugin.h alone, in C and in C++.
cat >"$prefix/board.c" <<'END'
#include <misprint/board_plugin.h>
MISPRINT_EXPORT const struct misprint_board misprint_board;
const struct misprint_board misprint_board = {MISPRINT_BOARD_VERSION, 0, "", "", 0, 0, 0};
END
cp "$prefix/board.c" "$prefix/board.cc"
check="-Wall -Wextra -Wpedantic -Werror -fsyntax-only -I$prefix_moved/include"
# shellcheck disable=SC2086 # words on purpose
"${CC:-cc}" -std=c99 $check "$prefix/board.c" || fail 'a board in C does not compile'
if command -v g++ >/dev/null 2>&1; then
    # shellcheck disable=SC2086
    g++ -std=c++11 $check "$prefix/board.cc" || fail 'a board in C++ does not compile'
fi

command=$prefix_moved/bin/misprint
"$command" --help >"$prefix/help" || fail '`misprint --help` failed'
page=$(find "$prefix_moved" -name misprint.1)
[ -n "$page" ] || fail 'no man page was installed'
grep -q '^\.TH ' "$page" || fail 'the man page has no title line (.TH)'
for word in fuzz replay report run record import reduce explain adjudicate spec asm disasm clauses show \
    units boards bench; do
    grep -qw -- "$word" "$prefix/help" || fail "\`misprint --help\` does not name $word"
    "$command" "$word" --help >"$prefix/one" 2>&1 || fail "\`misprint $word --help\` failed"
    [ -s "$prefix/one" ] || fail "\`misprint $word --help\` printed nothing"
    grep -qw -- "$word" "$page" || fail "the man page does not name $word"
done
"$command" adjudicate vpm-addr-h8 >"$prefix/one" 2>&1 || fail 'the installed `misprint adjudicate` failed'
! grep -q 'not installed' "$prefix/one" || fail 'the installed command does not find the installed cases'
headers=$(find "$prefix_moved/include" -name '*.h' | wc -l)
printf 'installed: %s headers, the command, its man page\n' "$headers"
