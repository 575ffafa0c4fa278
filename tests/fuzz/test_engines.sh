#!/bin/sh
# SPDX-License-Identifier: MIT
# Short campaigns with libFuzzer and AFL++ find an injected fault; Ctrl-C ends them and their
# processes; errors name the command that installs what is missing. Needs the target `engines` to be
# built; skips what is not there. In the long tier the campaigns are longer.
set -u
if [ "${MISPRINT_TEST_LONG:-0}" = 1 ]; then long=12 short=6; else long=4 short=3; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
misprint=${MISPRINT:?}
engines=${MISPRINT_BUILD_DIR:?}/libexec/misprint
planted='vpm-stride-zero=stays'
ran=0
fail() { printf '%s\n' "$*"; exit 1; }

# Wrong use, or something missing: one line and status 2.
refused() {
    words=$1
    shift
    "$@" >"$work/out" 2>"$work/err"
    status=$?
    if [ $status -ne 2 ] || [ "$(wc -l <"$work/err")" -ne 1 ] || ! grep -q -- "$words" "$work/err"; then
        fail "status $status, not 2 and one line with '$words': $(cat "$work/err")"
    fi
}
refused 'there is no engine' "$misprint" fuzz vc4-vpm --engine honggfuzz --campaign "$work/none"
refused 'needs --campaign' "$misprint" fuzz vc4-vpm --engine libfuzzer
refused 'target engines' env MISPRINT_ENGINES="$work" "$misprint" fuzz vc4-vpm --engine libfuzzer \
    --campaign "$work/none" --time 1
refused 'apt-get install afl++' env PATH=/nonexistent "$misprint" fuzz vc4-vpm --engine afl \
    --campaign "$work/none" --time 1

campaign() {
    engine=$1
    MISPRINT_CORPUS=$work/none "$misprint" fuzz vc4-vpm --stats --engine "$engine" --jobs 2 --time $long \
        --board "virtual:manual,$planted" --campaign "$work/$engine" \
        >"$work/out" 2>"$work/err"
    status=$?
    [ $status -eq 1 ] || fail "$engine: status $status: $(cat "$work/err" "$work/$engine"/engines/*.log)"
    grep -q "^misprint: $engine starts from new cases\$" "$work/err" ||
        fail "$engine: it does not say what it starts from: $(cat "$work/err")"
    grep -q "manual-erratum .* $planted\$" "$work/out" ||
        fail "$engine: the injected fault was not found: $(cat "$work/out")"
    "$misprint" report "$work/$engine" | grep -q "vpm-stride-zero" ||
        fail "$engine: the campaign's report does not say $planted"
    [ -n "$(ls "$work/$engine/engines/corpus")" ] || fail "$engine: its corpus is empty"
    pgrep -f "$work/$engine" >/dev/null && fail "$engine: processes are left"
    ran=$((ran + 1))
}

# Ctrl-C ends a run soon, keeps all findings and leaves no process. The same command continues it.
interrupted() {
    engine=$1
    "$misprint" fuzz vc4-vpm --stats --engine "$engine" --board "virtual:manual,$planted" \
        --campaign "$work/$engine" >"$work/out" 2>"$work/err" &
    campaign=$!
    sleep 2
    kill -INT $campaign
    wait $campaign
    status=$?
    [ $status -eq 1 ] || fail "$engine, interrupted: status $status: $(cat "$work/err")"
    grep -q \
        "starts from new cases, [1-9][0-9]* of misprint's corpus, [1-9][0-9]* of this campaign" \
        "$work/err" ||
        fail "$engine: it does not go on from what was kept: $(cat "$work/err")"
    grep -q "$planted" "$work/out" || fail "$engine: going on found nothing: $(cat "$work/out")"
    pgrep -f "$work/$engine" >/dev/null && fail "$engine, interrupted: processes are left"
}

# Engines cannot use a board that is more than a profile. The campaign runs on that board itself.
# --time limits the searches for causes, too.
deviating() {
    engine=$1 started=$(date +%s)
    MISPRINT_BOARD=nonsense MISPRINT_BLIND=1 "$misprint" fuzz vc4-vpm --json --engine "$engine" \
        --time $short --board 'virtual:manual~lane-drop:vpm:3' \
        --campaign "$work/$engine-deviating" >"$work/out" 2>"$work/err"
    status=$?
    [ $status -eq 1 ] ||
        fail "$engine, a board with an injected fault: status $status: $(cat "$work/err" \
            "$work/$engine-deviating"/engines/*.log)"
    grep -Eq 'unexplained|undocumented' "$work/out" ||
        fail "$engine: the deviation was not found: $(cat "$work/out")"
    [ $(($(date +%s) - started)) -lt $((short + 60)) ] || fail "$engine: --time $short did not end it"
    grep -q '"engine_cases": [1-9]' "$work/out" || fail "$engine: JSON does not say how many cases it ran"
}

for engine in libfuzzer afl; do
    if [ ! -x "$engines/$engine/diff_vc4-vpm" ]; then
        echo "$engine: its targets are not built (target engines)"
    elif [ $engine = afl ] && ! command -v afl-fuzz >/dev/null; then
        echo 'afl: no afl-fuzz'
    else
        campaign "$engine"
        interrupted "$engine"
        deviating "$engine"
    fi
done
[ $ran -gt 0 ] ||
    { echo 'neither libFuzzer nor AFL++ targets are built: `cmake --build BUILD --target engines`'; exit 77; }
echo "$ran engines"
