#!/bin/sh
# SPDX-License-Identifier: MIT
# The command as a user meets it: what it says and returns for right and for wrong use.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'umount "$tmp/small" 2>/dev/null; rm -rf "$tmp"' EXIT
checks=0
failures=0
silicon=corpus/vc4-qpu/silicon

# expect STATUS PATTERN COMMAND...: runs it; its exit status and (standard output and error together) must match.
expect() {
    wanted=$1 pattern=$2
    shift 2
    checks=$((checks + 1))
    "$@" >"$tmp/out" 2>&1 </dev/null
    got=$?
    if [ "$got" != "$wanted" ] || ! grep -q -- "$pattern" "$tmp/out"; then
        failures=$((failures + 1))
        printf 'FAILED: %s\n  wanted status %s and "%s", got status %s and:\n' "$*" "$wanted" "$pattern" "$got"
        head -20 "$tmp/out" | sed 's/^/    /'
    fi
}

# check SENTENCE COMMAND...: the command must succeed.
check() {
    sentence=$1
    shift
    checks=$((checks + 1))
    "$@" >"$tmp/out" 2>&1 </dev/null && return
    failures=$((failures + 1))
    printf 'FAILED: %s (%s)\n' "$sentence" "$*"
    head -20 "$tmp/out" | sed 's/^/    /'
}

m=$MISPRINT

# --- help ---
expect 0 'Exit status: 0 no discrepancy' "$m" --help
expect 2 'Commands:' "$m"
expect 0 'misprint ' "$m" --version
expect 0 '^.TH MISPRINT' "$m" help --man
for command in fuzz replay report run explain reduce record import clauses show units boards asm disasm bench help; do
    expect 0 "^misprint $command" "$m" help $command
    expect 0 "^misprint $command" "$m" $command --help
done

# --- what there is ---
expect 0 'vc4-vpm' "$m" units
expect 0 'virtual:PROFILE' "$m" boards
expect 0 'vpm-addr-h8' "$m" clauses
expect 0 'row-div-4' "$m" show vpm-addr-h8
for words in units boards clauses 'show vpm-addr-h8'; do
    # shellcheck disable=SC2086
    "$m" $words --json >"$tmp/json"
    check "$words --json is one JSON document" python3 -m json.tool "$tmp/json"
done

# --- wrong words ---
expect 2 "did you mean 'replay'" "$m" repaly
expect 2 'did you mean --board' "$m" fuzz vc4-vpm --bord x
expect 2 "did you mean 'vc4-vpm'" "$m" fuzz vc4-vpn
expect 2 "did you mean 'vpm-addr-h8'" "$m" show vpm-adr-h8
expect 2 "did you mean 'bcm2835'" "$m" fuzz vc4-vpm --profile bcm2836 --cases 1
expect 2 "did you mean 'vpm-addr-h8'" "$m" fuzz vc4-vpm --profile manual,vpm-addr-h9=x --cases 1
expect 2 "did you mean 'row-div-4'" "$m" fuzz vc4-vpm --profile vpm-addr-h8=row-div-5 --cases 1
expect 2 'virtual:PROFILE' "$m" fuzz vc4-vpm --board pi --cases 1
expect 2 'whole number' "$m" fuzz vc4-vpm --cases many
expect 2 'a time such as' "$m" fuzz vc4-vpm --time soon
expect 2 'wants a value' "$m" fuzz vc4-vpm --time
expect 2 'something is missing' "$m" fuzz
expect 2 'too many words' "$m" show a b
expect 2 'no engine' "$m" fuzz vc4-vpm --engine none --cases 1

# --- wrong files ---
printf 'nothing of ours\n' >"$tmp/noise"
printf 'misprint-case 1 vc4-vpm\nvmp fill index\n' >"$tmp/field.case"
printf 'misprint-case 1 vc4-vpm\nops {\n  wrong 1\n}\n' >"$tmp/op.case"
printf 'misprint-case 9 vc4-vpm\n' >"$tmp/version.case"
printf 'base = manual\nvpm-addr-h8 = upside-down\n' >"$tmp/profile"
mkdir "$tmp/empty"
head -c 200 $silicon/unpack.trace >"$tmp/cut.trace"
cp $silicon/unpack.trace "$tmp/damaged.trace"
printf 'XXXX' | dd of="$tmp/damaged.trace" bs=1 seek=900 conv=notrunc 2>/dev/null
expect 2 'No such file' "$m" run "$tmp/missing.case"
expect 2 'is no case' "$m" run "$tmp/noise"
expect 2 'neither a case' "$m" replay "$tmp/noise"
expect 2 'line 2, column 1' "$m" run "$tmp/field.case"
expect 2 'line 3' "$m" run "$tmp/op.case"
expect 2 'version 1' "$m" run "$tmp/version.case"
expect 2 'holds no case' "$m" replay "$tmp/empty"
expect 2 'line 2' "$m" fuzz vc4-vpm --profile "$tmp/profile" --cases 1
expect 2 'cut.trace' "$m" replay "$tmp/cut.trace"
expect 2 'noise' "$m" replay --board "trace:$tmp/noise" corpus/vc4-vpm
expect 2 'damaged.trace' "$m" replay "$tmp/damaged.trace"
printf '# by whom\nop,a,b\nfadd,1,2\n' >"$tmp/noise.csv"
expect 2 'noise.csv' "$m" import vc4-alu "$tmp/noise.csv" -o "$tmp/x.trace"
expect 2 'vc4-pack' "$m" import vc4-alo "$tmp/noise.csv" -o "$tmp/x.trace"
expect 2 'no campaign' "$m" report "$tmp/empty"
expect 2 'missing' "$m" report "$tmp/missing"

# --- boards that misbehave ---
expect 3 'exec:true' "$m" fuzz vc4-vpm --board exec:true --cases 10
expect 3 'exec:echo' "$m" fuzz vc4-vpm --board 'exec:echo garbage' --cases 10
expect 3 'exec:' "$m" fuzz vc4-vpm --board 'exec:/no/such/board' --cases 10

# --- places that cannot be written ---
expect 3 'standard output' sh -c "'$m' clauses >/dev/full"
printf 'a file' >"$tmp/file"
expect 2 "$tmp/file" "$m" fuzz vc4-vpm --cases 10 --campaign "$tmp/file"
expect 2 'cannot create' "$m" record corpus/vc4-vpm --board virtual: -o "$tmp/no/such/folder/x.trace"

# --- the main job ---
expect 0 'no silicon\|measured on silicon' "$m" replay $silicon/unpack.trace --profile bcm2835
expect 1 'manual-' "$m" replay $silicon/unpack.trace --profile manual --campaign "$tmp/campaign" --junit "$tmp/junit.xml"
check 'nothing of the silicon is unexplained' sh -c "! '$m' report '$tmp/campaign' | grep -q unexplained:"
check 'JUnit XML was written' grep -q '<testsuite' "$tmp/junit.xml"
expect 1 'manual-' "$m" fuzz vc4-vpm --cases 2000 --seed 7 --campaign "$tmp/campaign"
expect 1 '' "$m" report "$tmp/campaign" --html "$tmp/report.html" --md "$tmp/report.md" --json "$tmp/report.json" --junit "$tmp/report.xml"
check 'the report is one page' grep -q '</html>' "$tmp/report.html"
check 'report.json is JSON' python3 -m json.tool "$tmp/report.json"
expect 3 '/dev/full: cannot write' "$m" report "$tmp/campaign" --html /dev/full

# --- the same seed, the same findings ---
"$m" fuzz vc4-vpm --cases 3000 --seed 11 --json >"$tmp/one.json" 2>/dev/null
"$m" fuzz vc4-vpm --cases 3000 --seed 11 --json >"$tmp/two.json" 2>/dev/null
cat >"$tmp/findings.py" <<'PY'
import json, sys
one, two = (json.dumps(json.load(open(f))["findings"]) for f in sys.argv[1:])
sys.exit(not (one == two and len(one) > 2))
PY
check 'the same seed gives the same findings' python3 "$tmp/findings.py" "$tmp/one.json" "$tmp/two.json"

# --- interrupted ---
"$m" fuzz vc4-vpm --campaign "$tmp/interrupted" >"$tmp/said" 2>&1 &
pid=$!
sleep 2
kill -INT $pid
wait $pid
check 'Ctrl-C ends a campaign with its findings' test $? -eq 1
check 'Ctrl-C prints the summary' grep -q 'findings:' "$tmp/said"
expect 1 'F-' "$m" report "$tmp/interrupted"

# --- a full disk (needs the right to mount) ---
mkdir "$tmp/small"
if mount -t tmpfs -o size=300k none "$tmp/small" 2>/dev/null; then
    expect 3 "$tmp/small" "$m" fuzz vc4-qpu --cases 200000 --campaign "$tmp/small/campaign"
    umount "$tmp/small"
else
    echo 'skipped: the full disk (no right to mount a small one)'
fi

echo "$checks checks, $failures failed"
[ $failures -eq 0 ]
