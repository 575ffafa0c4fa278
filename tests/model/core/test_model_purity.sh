#!/bin/sh
# SPDX-License-Identifier: MIT
# The compiled model keeps no state and calls nothing that does: its objects have no writable data, and of
# libc they call only functions that compute. Reads the symbols of libmisprint-model.a, which macros cannot
# hide.
set -eu
library=${MISPRINT_BUILD_DIR:?}/model/libmisprint-model.a
[ "${MISPRINT_INSTRUMENTED:-0}" = 0 ] || { echo 'skipped: sanitizers add symbols'; exit 77; }
command -v objdump >/dev/null 2>&1 || { echo 'no objdump'; exit 77; }
objects=$(objdump -t "$library" | grep -c 'file format') || { echo "no object in $library"; exit 1; }

status=0
# .data.rel.ro holds constant tables of pointers, which the loader relocates and then write-protects.
sections='\.(data|bss|tdata|tbss)'
state=$(objdump -t "$library" | awk -v sections="$sections" '
    /file format/ { object = $1 }
    $0 ~ "[ \t]" sections && !/\.data\.rel\.ro/ && !/ d  / && $0 !~ "[ \t]0+ " sections "$" {
        print object " " $0
    }')
if [ -n "$state" ]; then
    printf 'writable state in the model:\n%s\n' "$state"
    status=1
fi

# The functions that the model calls. <ctype.h> and strcasecmp depend on the locale, which is state of the
# host program; model/text/character.h replaces them.
defined=$(objdump -t "$library" | awk '$0 !~ /\*UND\*/ && $2 ~ /^[gwu]/ { print $NF }' | sort -u)
calls=$(objdump -t "$library" | awk '/\*UND\*/ { print $NF }' | sort -u | grep -Fxv "$defined" || true)
# clang replaces memcmp and strcpy by bcmp and stpcpy.
pure='bcmp|stpcpy|mem(cpy|move|set|cmp|chr|mem|rchr)'
pure=$pure'|str(len|nlen|cmp|ncmp|chr|rchr|str|spn|cspn|pbrk|tol|toll|toul|toull|tod|tof)|v?snprintf'
pure=$pure'|__(isoc99_|isoc23_)?(strtol|strtoll|strtoul|strtoull)|qsort|bsearch|__assert_fail|abort'
pure=$pure'|__errno_location|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_'
pure=$pure'|(fma|floor|ceil|trunc|rint|nearbyint|round|fabs|sqrt|exp2|log2|ldexp|frexp|scalbn|fmin|fmax)[fl]?'
pure=$pure'|(copysign|log|exp|sin|cos|pow)[fl]?|__(add|sub|mul|div)[sd]f3|__cpu_model'
pure=$pure'|__cpu_(indicator_init|features2?)|__[a-z]*(di|ti|si)[0-9]?'
# Texts grow, and outcomes are made before a run, both through memory.c. Nothing else allocates, so no run
# does.
allocating='text|outcome|memory'
allocation='malloc|calloc|realloc|reallocarray|aligned_alloc|posix_memalign|free'
allocation=$allocation'|strdup|strndup|asprintf|vasprintf'
impure=$(printf '%s\n' "$calls" | grep -Ev "^($pure|$allocation)?$" || true)
if [ -n "$impure" ]; then
    printf 'the model calls functions that are not on the list in %s:\n%s\n' "$0" "$impure"
    status=1
fi
allocates=$(objdump -t "$library" | awk '/file format/ { object = $1 } /\*UND\*/ { print object, $NF }' |
    grep -E " ($allocation)$" | grep -Ev "^($allocating)\.c\.o" || true)
if [ -n "$allocates" ]; then
    printf 'these objects allocate, but only %s may:\n%s\n' "$allocating" "$allocates"
    status=1
fi
printf '%s objects, %s outside symbols\n' "$objects" "$(printf '%s\n' "$calls" | wc -l)"
exit $status
