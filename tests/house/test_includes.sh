#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks the structure of the sources:
# - areas include only what is below them: model < harness < oracle < fuzz < cli
# - neither headers nor .c files depend on each other in a circle
# - every header compiles alone
# - the model reads no file, clock or environment
# - every file that comments and pages name exists
# - docs/architecture.md names every folder of the first two levels
# - every source has a licence line
set -eu
cd "${MISPRINT_SOURCE_DIR:-$(dirname "$0")/..}"
cc=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
problems=$work/problems
: >"$problems"
problem() { printf '%s\n' "$*" >>"$problems"; }

# Prints the files that a source includes with quotes.
own_include='s/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p'
sources() { find "$@" -type f \( -name '*.c' -o -name '*.h' -o -name '*.inc' \) | LC_ALL=C sort; }
count=$(sources model harness oracle fuzz cli | wc -l)
[ "$count" -gt 0 ] || { echo 'no source found: nothing was checked'; exit 1; }

# --- areas ---
allowed() {
    case $1 in
    model) echo 'model' ;;
    harness) echo 'model|harness' ;;
    oracle) echo 'model|harness|oracle' ;;
    fuzz) echo 'model|harness|oracle|fuzz' ;;
    cli) echo 'model|harness|oracle|fuzz|cli' ;;
    esac
}
for area in model harness oracle fuzz cli; do
    sources "$area" | xargs -r grep -Hn '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' |
        grep -Ev "\"($(allowed $area))/[^\"]*\"" |
        sed "s%\$%   <- $area may include only \"AREA/...\" of: $(allowed $area)%" >>"$problems" || true
done
# --- rooms ---
find model harness oracle fuzz cli -mindepth 1 -maxdepth 1 -type d >"$work/folders"
while read -r folder; do
    grep -q "^| .*\`$folder\`" docs/architecture.md || problem "$folder: has no row in docs/architecture.md"
done <"$work/folders"
# Included files exist; their paths begin at the root.
sources model harness oracle fuzz cli | xargs -r sed -n "$own_include" | sort -u |
    while read -r header; do
        [ -f "$header" ] || problem "$header: is included but does not exist (write the path from the root)"
    done

# --- the model is pure ---
libc='assert|errno|fenv|float|immintrin|inttypes|limits|math|stdarg|stdbool|stddef|stdint|stdio|stdlib|string'
sources model | xargs -r grep -Hn '^[[:space:]]*#[[:space:]]*include[[:space:]]*<' | grep -Ev "<($libc)\.h>" |
    sed 's/$/   <- not a header the model may use/' >>"$problems" || true
banned='f?open|fdopen|popen|f?close|f?read|f?write|fputs|puts|f?printf|vf?printf|perror|fgets|getline'
banned="$banned|getenv|setenv|time|clock|clock_gettime|gettimeofday|rand|srand|random"
banned="$banned|system|exit|signal|setlocale"
for file in $(sources model); do
    # Comments and strings may contain these names.
    "$cc" -fpreprocessed -dD -E -P -x c "$file" 2>/dev/null | sed 's/"\([^"\\]\|\\.\)*"/""/g' |
        grep -En "(^|[^A-Za-z0-9_.>])($banned)[[:space:]]*\(" |
        sed "s|^|$file: the model must not use I/O, clock or environment: |" >>"$problems" || true
done

# --- no circles between headers ---
for header in $(sources model harness oracle fuzz cli | grep '\.h$'); do
    sed -n "$own_include" "$header" | sed "s|^|$header |"
done >"$work/edges"
tsort "$work/edges" >/dev/null 2>"$work/loops" || sed 's/^tsort: */circle: /' "$work/loops" >>"$problems"

# --- no circles between .c files, by the symbols that the build's objects define and use ---
# The fuzz targets are compiled here, because some are built only for an engine. Those of AFL++ are left out:
# they need its compiler.
mkdir -p "$work/own.dir/fuzz/targets"
for file in fuzz/targets/*.c; do
    case $file in */afl_*) continue ;; esac
    "$cc" -std=gnu11 -D_GNU_SOURCE -DTARGET_UNIT='"vc4-vpm"' -I. -c -o "$work/own.dir/$file.o" "$file" \
        2>"$work/errors" ||
        problem "$file: does not compile: $(sed -n '/error/{p;q}' "$work/errors")"
done
if [ -n "${MISPRINT_BUILD_DIR:-}" ]; then
    for file in $(sources model harness oracle fuzz cli | grep '\.c$'); do
        for object in "$MISPRINT_BUILD_DIR/${file%%/*}"/CMakeFiles/*.dir/"${file#*/}.o"; do
            if [ -f "$object" ]; then printf '%s\n' "$object"; fi
        done
    done >"$work/objects"
    find "$work/own.dir" -name '*.o' >>"$work/objects"
    # Weak symbols count: a hook is a way like any other. What several files define, such as the targets'
    # entry, has no home.
    xargs -r nm -A <"$work/objects" | awk -v build="$MISPRINT_BUILD_DIR" '
        {
            file = $1
            sub(/\.o:.*/, "", file)
            if (!sub(/.*\/own\.dir\//, "", file)) {
                sub(/\/CMakeFiles\/[^\/]*\.dir/, "", file)
                file = substr(file, length(build) + 2)
            }
        }
        $(NF - 1) ~ /^[TDBRCVW]$/ { homes[$NF] += home[$NF] != file; home[$NF] = file }
        $(NF - 1) ~ /^[Uwv]$/ { uses[file " " $NF] = $NF }
        END {
            for (use in uses) {
                split(use, by)
                if (homes[uses[use]] == 1 && by[1] != home[uses[use]])
                    print by[1], home[uses[use]]
            }
        }
    ' | LC_ALL=C sort -u >"$work/uses"
    [ "$(wc -l <"$work/uses")" -gt "$(sources cli | wc -l)" ] ||
        problem "$MISPRINT_BUILD_DIR: has too few objects"
    grep -q '^fuzz/targets/' "$work/uses" || problem 'fuzz/targets: no objects were compiled'
    tsort "$work/uses" >/dev/null 2>"$work/loops" || sed 's/^tsort: */circle: /' "$work/loops" >>"$problems"
else
    echo 'MISPRINT_BUILD_DIR is not set: circles between .c files were not checked'
fi

# --- every header compiles alone, except templates: they have no guard and need parameters ---
for header in $(sources model harness oracle fuzz cli | grep '\.h$'); do
    if ! grep -q '^#ifndef MISPRINT_' "$header"; then
        head -n 12 "$header" | grep -qi template ||
            problem "$header: has no include guard (MISPRINT_...) and does not call itself a template"
        continue
    fi
    printf '#include "%s"\n#include "%s"\n' "$header" "$header" >"$work/alone.c"
    "$cc" -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -I. "$work/alone.c" 2>"$work/errors" ||
        problem "$header: does not compile on its own: $(sed -n '/error/{p;q}' "$work/errors")"
done

# --- files that comments and pages name exist ---
python3 tests/house/mentions.py >"$work/mentions" || sed '$d' "$work/mentions" >>"$problems"

# --- licence lines ---
find model harness oracle fuzz cli tests scripts .ci CMakeLists.txt -type f \
    \( -name '*.c' -o -name '*.h' -o -name '*.inc' -o -name '*.sh' -o -name '*.py' -o -name '*.awk' \
    -o -name CMakeLists.txt -o ! -name '*.*' \) |
    while read -r file; do
        head -n 3 "$file" | grep -q 'SPDX-License-Identifier: MIT' ||
            problem "$file: has no SPDX line among its first three lines"
    done

if [ -s "$problems" ]; then
    cat "$problems"
    printf '%s problems in %s sources\n' "$(wc -l <"$problems")" "$count"
    exit 1
fi
printf '%s sources checked; %s\n' "$count" "$(tail -n 1 "$work/mentions")"
