#!/bin/sh
# SPDX-License-Identifier: MIT
# compare_builds.sh MISPRINT-A MISPRINT-B: two builds of the command, by different compilers or at different
# levels of optimisation, must give the same bits: the outcome of every case of the corpus, and the findings
# of a replay and of a seeded fuzz run. Run from the root of the source.
set -eu
a=$1
b=$2
export MISPRINT_STATE= # keep no findings
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scale=${MISPRINT_TEST_SCALE:-100}
fuzz_cases=$((100 * scale))
[ "$fuzz_cases" -gt 0 ] || fuzz_cases=100
compared=0

# Removes what may differ between two runs of one command: times, rates, folders.
normalise='
import json, re, sys
volatile = re.compile(r"second|time|elapsed|rate|per_s|date|campaign|machine|host|path|version")
def strip(v):
    if isinstance(v, dict):
        return {k: strip(x) for k, x in v.items() if not volatile.search(k)}
    return [strip(x) for x in v] if isinstance(v, list) else v
for line in sys.stdin.read().splitlines(True) if sys.argv[1] == "lines" else [sys.stdin.read()]:
    if line.strip():
        print(json.dumps(strip(json.loads(line)), sort_keys=True, indent=1))
'

# answer COMMAND FILE ARGUMENTS...: writes the output in comparable form. Discrepancies (status 1) are an
# answer too.
answer() {
    command=$1 output=$2
    shift 2
    status=0
    "$command" "$@" --json >"$output.raw" 2>"$output.err" || status=$?
    if [ "$status" -gt 1 ]; then
        printf '%s %s: status %s\n' "$command" "$*" "$status"
        cat "$output.err"
        return 1
    fi
    echo "status $status" >"$output"
    python3 -c "$normalise" whole <"$output.raw" >>"$output" 2>/dev/null ||
        python3 -c "$normalise" lines <"$output.raw" >>"$output" || {
        printf '%s %s: not JSON\n' "$command" "$*"
        return 1
    }
}

same() {
    answer "$a" "$work/a" "$@"
    answer "$b" "$work/b" "$@"
    compared=$((compared + 1))
    cmp -s "$work/a" "$work/b" || {
        printf 'different answers to: misprint %s\n' "$*"
        diff -u "$work/a" "$work/b" | head -n 60
        exit 1
    }
}

# Each unit under `manual` and the best-known profile. Outcomes of single cases compare every register, flag
# and byte.
"$a" units --json | python3 -c 'import json, sys
for u in json.load(sys.stdin):
    print(u["name"], u["best_profile"])' >"$work/units"
while read -r unit best; do
    cases=$(find "corpus/$unit" -name '*.case' | LC_ALL=C sort)
    # shellcheck disable=SC2086 # one word a file, on purpose
    for profile in manual "$best"; do same run $cases --profile "$profile"; done
    same replay "corpus/$unit" --profile "$best"
    [ "${MISPRINT_TEST_LONG:-}" != 1 ] || same replay "corpus/$unit" --profile manual
    same fuzz "$unit" --profile manual --cases "$fuzz_cases" --seed 20
done <"$work/units"
printf '%s answers compared, all equal\n' "$compared"
