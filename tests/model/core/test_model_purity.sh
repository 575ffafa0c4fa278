#!/bin/sh
# SPDX-License-Identifier: MIT
# The compiled model keeps no state and calls nothing that does: no writable data in its objects, and of libc only functions
# that compute. Reads the symbols of libmisprint-model.a, so nothing hides behind a macro or an inline function.
set -eu
library=${MISPRINT_BUILD_DIR:?}/model/libmisprint-model.a
[ "${MISPRINT_INSTRUMENTED:-0}" = 0 ] || { echo 'instrumented build: the sanitizers add symbols of their own'; exit 77; }
command -v objdump >/dev/null 2>&1 || { echo 'no objdump'; exit 77; }
objects=$(objdump -t "$library" | grep -c 'file format') || { echo "no object in $library"; exit 1; }

status=0
# .data.rel.ro holds constant tables with pointers in them; the loader fills it in once and then write-protects it.
state=$(objdump -t "$library" | awk '/file format/ { object = $1 } $0 ~ /[ \t]\.(data|bss|tdata|tbss)/ && $0 !~ /\.data\.rel\.ro/ && $0 !~ / d  / {
    if ($0 !~ /[ \t]0+ \.(data|bss|tdata|tbss)$/) print object " " $0 }')
if [ -n "$state" ]; then
    printf 'writable state in the model:\n%s\n' "$state"
    status=1
fi

# What the model needs from outside itself. The functions of <ctype.h> and strcasecmp ask the locale, which is
# state of the host program: model/text/character.h has what the model needs of them.
defined=$(objdump -t "$library" | awk '$0 !~ /\*UND\*/ && $2 ~ /^[gwu]/ { print $NF }' | sort -u)
calls=$(objdump -t "$library" | awk '/\*UND\*/ { print $NF }' | sort -u | grep -Fxv "$defined" || true)
# clang writes bcmp and stpcpy for memcmp and strcpy.
pure='bcmp|stpcpy|mem(cpy|move|set|cmp|chr|mem|rchr)|str(len|nlen|cmp|ncmp|chr|rchr|str|spn|cspn|pbrk|tol|toll|toul|toull|tod|tof)|v?snprintf|__(isoc99_|isoc23_)?(strtol|strtoll|strtoul|strtoull)|qsort|bsearch|__assert_fail|abort|__errno_location|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|(fma|floor|ceil|trunc|rint|nearbyint|round|fabs|sqrt|exp2|log2|ldexp|frexp|scalbn|fmin|fmax|copysign|log|exp|sin|cos|pow)[fl]?|__(add|sub|mul|div)[sd]f3|__cpu_(model|indicator_init|features2?)|__[a-z]*(di|ti|si)[0-9]?'
# Texts grow, and outcomes are made before a run and kept after it, both through memory.c; nothing else in the model allocates, so no run does.
allocating='text|outcome|memory'
allocation='malloc|calloc|realloc|aligned_alloc|posix_memalign|free|strdup|strndup|asprintf|vasprintf|reallocarray'
impure=$(printf '%s\n' "$calls" | grep -Ev "^($pure|$allocation)?$" || true)
if [ -n "$impure" ]; then
    printf 'the model calls what it must not (I/O, clock, or not on the list in %s):\n%s\n' "$0" "$impure"
    status=1
fi
allocates=$(objdump -t "$library" | awk '/file format/ { object = $1 } /\*UND\*/ { print object, $NF }' |
    grep -E " ($allocation)$" | grep -Ev "^($allocating)\.c\.o" || true)
if [ -n "$allocates" ]; then
    printf 'allocates, though only these objects may (%s):\n%s\n' "$allocating" "$allocates"
    status=1
fi
printf '%s objects, %s outside symbols\n' "$objects" "$(printf '%s\n' "$calls" | wc -l)"
exit $status
