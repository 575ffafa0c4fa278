#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks the code that compilers generate for harness/vc4/gpu_memory.h at -O3. On device memory of a 64-bit
# ARM kernel there may be no call of the C library, no access of vectors or register pairs, and no zeroing
# of cache lines. The same header without "volatile" must give such code, which shows that the check works.
set -u
source=${MISPRINT_SOURCE_DIR:?}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0 looked=0
bad() { printf 'FAILED: %s\n' "$*"; failures=$((failures + 1)); }

mkdir -p "$work/plain/harness/vc4"
sed 's/volatile //g' "$source/harness/vc4/gpu_memory.h" >"$work/plain/harness/vc4/gpu_memory.h"
cat >"$work/uses.c" <<'END'
#ifdef PLAIN
#define volatile
#endif
#include "harness/vc4/gpu_memory.h"
void write_any(volatile uint32_t *to, const uint32_t *from, size_t words) { gpu_write(to, from, words); }
void write_row(volatile uint32_t *to, const uint32_t *from) { gpu_write(to, from, 16); }
void fill_any(volatile uint32_t *to, size_t words) { gpu_fill(to, 0, words); }
void fill_row(volatile uint32_t *to) { gpu_fill(to, 0x7B7B7B7B, 16); }
void read_any(uint32_t *to, const volatile uint32_t *from, size_t words) { gpu_read(to, from, words); }
void read_row(uint32_t *to, const volatile uint32_t *from) { gpu_read(to, from, 16); }
END

# forbidden: calls; vectors and pairs of aarch64; vectors and strings of x86-64; vectors and multiples of
# 32-bit ARM
forbidden='mem(set|cpy|move|cmp)|[^a-z]q[0-9]|[^a-z]v[0-9]+\.|[^a-z](ldp|stp|dc)[^a-z]'
forbidden="$forbidden|[xyz]mm[0-9]|[^a-z]rep|[^a-z](v?ld|v?st)m|vld|vst"
found() { grep -E "^[[:space:]]+[a-z]" "$work/out.s" | grep -v '^[[:space:]]*[.@#]' | grep -qE "$forbidden"; }

for compiler in "${CC:-cc}" aarch64-linux-gnu-gcc arm-linux-gnueabihf-gcc \
    'arm-linux-gnueabi-gcc -march=armv6 -marm -mfpu=vfp -mfloat-abi=softfp' \
    'clang --target=aarch64-linux-gnu -isystem /usr/aarch64-linux-gnu/include'; do
    options="$compiler -std=c11 -O3 -DNDEBUG -S -o $work/out.s"
    # shellcheck disable=SC2086 # a command's words
    $options -DPLAIN -I"$work/plain" "$work/uses.c" 2>"$work/errors" || { echo "not here: $compiler"; \
        continue; }
    found || bad "$compiler: plain loops have no forbidden code"
    # shellcheck disable=SC2086
    $options -Wall -Werror -I"$source" "$work/uses.c" || { bad "$compiler does not compile the header"; \
        continue; }
    ! found || { bad "$compiler generates:"; grep -E "$forbidden" "$work/out.s"; }
    looked=$((looked + 1))
done
[ $looked -gt 0 ] || bad 'no compiler'
[ $failures -eq 0 ] || exit 1
echo "$looked compilers generate single accesses of words and pairs of words for GPU memory"
