#!/bin/sh
# SPDX-License-Identifier: MIT
# What `cmake --install` leaves behind works from a prefix of its own: the command, its manual pages,
# completions and documents, and the model library as a program of somebody else finds it, through pkg-config
# and through CMake.
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

# A CMake project finds both, and refuses another version.
mkdir "$prefix/user"
cp "$prefix/program.c" "$prefix/board.c" "$prefix/user"
cat >"$prefix/user/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(user LANGUAGES C)
find_package(misprint 0.2 REQUIRED)
find_package(misprint 9.9 QUIET)
if(misprint_FOUND)
  message(FATAL_ERROR "version 9.9 was found")
endif()
find_package(misprint 0.2 REQUIRED)
add_executable(program program.c)
target_link_libraries(program misprint::model)
add_library(board MODULE board.c)
target_link_libraries(board misprint::board)
END
if ! cmake -S "$prefix/user" -B "$prefix/user/build" -DCMAKE_PREFIX_PATH="$prefix_moved" \
    >"$prefix/log" 2>&1 ||
    ! cmake --build "$prefix/user/build" >>"$prefix/log" 2>&1; then
    cat "$prefix/log"
    fail 'a CMake project cannot use find_package(misprint)'
fi
[ "$("$prefix/user/build/program")" = "$units" ] || fail 'the program of a CMake project lists other units'

command=$prefix_moved/bin/misprint
"$command" --help >"$prefix/help" || fail '`misprint --help` failed'
pages=$prefix_moved/share/man/man1
grep -q '^\.TH MISPRINT 1 ' "$pages/misprint.1" || fail 'the manual page has no title line (.TH)'
for word in fuzz replay report run record import reduce explain adjudicate spec asm disasm clauses show \
    units boards bench; do
    grep -qw -- "$word" "$prefix/help" || fail "\`misprint --help\` does not name $word"
    "$command" "$word" --help >"$prefix/one" 2>&1 || fail "\`misprint $word --help\` failed"
    [ -s "$prefix/one" ] || fail "\`misprint $word --help\` printed nothing"
    grep -q "^\.BR misprint.*-$word (1)" "$pages/misprint.1" || fail "misprint.1 does not name $word"
    grep -q "^misprint.*-$word .*- ." "$pages/misprint-$word.1" || fail "misprint-$word.1 has no NAME line"
done
if command -v man >/dev/null 2>&1 && command -v groff >/dev/null 2>&1; then
    for page in "$pages"/*.1; do
        said=$(man --warnings -l "$page" 2>&1 >/dev/null)
        [ -z "$said" ] || fail "$page: $said"
    done
fi
"$command" --version | grep -qE '^misprint [0-9.]+( \([0-9a-f]{7,}(-dirty)?\))?$' ||
    fail "--version prints $("$command" --version)"

# Documents link to each other as in the source.
doc=$prefix_moved/share/doc/misprint
for file in LICENSE README.md CHANGELOG.md SECURITY.md docs/where.md harness/PROTOCOL.md; do
    [ -s "$doc/$file" ] || fail "$file was not installed"
done

# Completions: every shell reads its own, and bash completes commands, units and options.
completions=$prefix_moved/share/bash-completion/completions/misprint
cat >"$prefix/complete" <<'END'
. "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_misprint
echo "${COMPREPLY[*]}"
END
if command -v bash >/dev/null 2>&1; then
    completed() { bash "$prefix/complete" "$completions" "$@"; }
    [ "$(completed misprint adj)" = adjudicate ] || fail 'bash completes no command'
    [ "$(completed misprint fuzz utg)" = utgard-gp ] || fail 'bash completes no unit'
    [ "$(completed misprint fuzz vc4-qpu --camp)" = --campaign ] || fail 'bash completes no option'
    [ -z "$(completed misprint report utg)" ] || fail 'bash completes a unit where a file belongs'
fi
zsh_file=$prefix_moved/share/zsh/vendor-completions/_misprint
fish_file=$prefix_moved/share/fish/vendor_completions.d/misprint.fish
head -1 "$zsh_file" | grep -q '^#compdef misprint$' || fail 'the completions of zsh have no first line'
for option in campaign engine; do
    grep -q -- "fuzz.* -l $option " "$fish_file" || fail "fish does not know fuzz --$option"
done
for shell in zsh:$zsh_file fish:$fish_file; do
    if command -v "${shell%%:*}" >/dev/null 2>&1; then
        "${shell%%:*}" -n "${shell#*:}" || fail "${shell%%:*} cannot read its completions"
    fi
done
"$command" adjudicate vpm-addr-h8 >"$prefix/one" 2>&1 || fail 'the installed `misprint adjudicate` failed'
! grep -q 'not installed' "$prefix/one" || fail 'the installed command does not find the installed cases'
headers=$(find "$prefix_moved/include" -name '*.h' | wc -l)
printf 'installed: %s headers, the command, its pages and completions\n' "$headers"
