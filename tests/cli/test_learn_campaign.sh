#!/bin/sh
# SPDX-License-Identifier: MIT
# `misprint learn --campaign DIR` continues where it was interrupted or killed, and refuses what it cannot
# continue.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/support/support_command.sh
. tests/support/support_command.sh

m=$MISPRINT
board='virtual:manual,vpm-fig8a=in-order,vpm-stride-zero=stays'
d=$tmp/d
learn() { "$m" learn vc4-vpm --board "$board" --campaign "$d" --quiet "$@"; }

# holds FILE CONDITION: is the Python condition on the document `j` true?
holds() { python3 -c 'import json, sys; j = json.load(open(sys.argv[1])); assert eval(sys.argv[2]), j' "$@"; }

# keeps FILE...: documents of one campaign, oldest first: nothing that was learned is lost, no count falls
keeps() {
    python3 -c '
import json, sys
runs = [json.load(open(name)) for name in sys.argv[1:]]
for before, after in zip(runs, runs[1:]):
    for count in "cases", "differing", "experiments", "seconds":
        assert before[count] <= after[count], (count, before, after)
    texts = [change["text"] for change in after["learned"]]
    for change in before["learned"]:
        assert change["text"] in texts, (change, after)
' "$@"
}

# Three runs: the cases of two run out, when nothing and when one thing is learned.
expect 1 'before 100000 fresh cases in a row agreed; repeat the command to continue' learn --cases 1
cp "$d/learn.json" "$tmp/first"
expect 1 'learned: 1$' learn --cases 10
cp "$d/learn.json" "$tmp/second"
expect 0 '"end": "agrees"' learn --time 60 --json -o "$tmp/mine"
cp "$tmp/out" "$tmp/end"
check 'standard output and the file are the same' cmp "$d/learn.json" "$tmp/end"
check 'nothing that was learned is lost' keeps "$tmp/first" "$tmp/second" "$tmp/end"
check '--cases counts for one run' holds "$tmp/second" 'j["cases"] == 11'
check 'both deviations are learned' holds "$tmp/end" 'len(j["learned"]) == 2 and not j["set_aside"]'
expect 0 '0 different' "$m" fuzz vc4-vpm --stats --board "$board" --profile "$tmp/mine" --cases 5000 --seed 9

# A run that has ended says so. A new seed continues it.
expect 0 'this run has ended' "$m" learn vc4-vpm --board "$board" --campaign "$d" -o "$tmp/again"
check 'the same profile' cmp "$tmp/mine" "$tmp/again"
check 'the same result' cmp "$d/learn.json" "$tmp/end"
expect 1 'before 100000 fresh cases' learn --seed 2 --cases 64

# A repeated command replaces the profile that the campaign wrote, but nothing that a person wrote.
d=$tmp/repeated
for cases in 10 40; do
    expect 1 'before 100000 fresh cases in a row agreed; repeat the command' learn --cases $cases \
        -o "$tmp/repeated.profile"
done
expect 0 'cases agree' learn -o "$tmp/repeated.profile"
check 'the last profile is there' grep -q '^vpm-stride-zero = stays' "$tmp/repeated.profile"
cp "$tmp/repeated.profile" "$tmp/edited"
echo '# checked by hand' >>"$tmp/repeated.profile"
expect 2 'repeated.profile: exists, and its content is not a profile that this campaign wrote; name a new' \
    learn -o "$tmp/repeated.profile"
check 'an edited profile stays' grep -q '^# checked by hand' "$tmp/repeated.profile"
expect 2 'edited: exists, and is not replaced; name a new file' \
    "$m" learn vc4-vpm --board "$board" -o "$tmp/edited"
d=$tmp/d

# wait_for PROCESS FILE: until learn.json has something learned, and is not as in FILE
wait_for() {
    until grep -q '"kind"' "$d/learn.json" 2>/dev/null && ! cmp -s "$d/learn.json" "$2"; do
        kill -0 "$1" 2>/dev/null || return 1
        sleep 0.02
    done
}

# Two runs are killed, once something is learned. (On a fast machine a run may end before.)
d=$tmp/killed
last=/dev/null
for signal in KILL TERM; do
    "$m" learn vc4-vpm --board "$board" --campaign "$d" --quiet >"$tmp/out" 2>&1 &
    check "SIG$signal: something is learned" wait_for $! "$last"
    kill "-$signal" $!
    wait $! 2>/dev/null
    last=$tmp/after-$signal
    cp "$d/learn.json" "$last"
    holds "$last" 'j["end"] == "interrupted"' 2>/dev/null || echo "note: the run ended before SIG$signal"
done
check 'SIGTERM: the result' grep -q 'interrupted before\|cases agree' "$tmp/out"
expect 0 'cases agree' learn -o "$tmp/killed-mine"
check 'nothing that was learned is lost' keeps "$tmp/after-KILL" "$tmp/after-TERM" "$d/learn.json"
expect 0 '0 different' "$m" fuzz vc4-vpm --stats --board "$board" --profile "$tmp/killed-mine" \
    --cases 5000 --seed 9

# The same interruptions give the same result.
for d in "$tmp/one" "$tmp/two"; do
    learn --cases 40 >/dev/null
    learn --cases 40 >/dev/null
    sed -i '/"seconds"/d' "$d/learn.json"
done
check 'equal runs are equal' cmp "$tmp/one/learn.json" "$tmp/two/learn.json"

# What cannot be continued is refused, and stays as it is.
d=$tmp/d
cp "$d/learn.json" "$tmp/good"
expect 2 'd/learn.json: holds a run with unit vc4-vpm, not vc4-tmu; use the same unit' \
    "$m" learn vc4-tmu --board virtual:manual --campaign "$d"
expect 2 'holds a run with board virtual:manual,.*, not virtual:manual; use the same board' \
    "$m" learn vc4-vpm --board virtual:manual --campaign "$d"
expect 2 'on top of profile manual; use the same --profile' learn --profile bcm2835
expect 2 'on top of profile manual; use the same --profile' learn --rule 'vc4-vpm write.row = value ^ 1'
check 'the file stays' cmp "$d/learn.json" "$tmp/good"

# damaged PATTERN SED: a file that the sed script damages is refused with this message
damaged() {
    sed "$2" "$tmp/good" >"$d/learn.json"
    cp "$d/learn.json" "$tmp/bad"
    expect 2 "d/learn.json: $1" learn
    check 'the damaged file stays' cmp "$d/learn.json" "$tmp/bad"
}
damaged 'has version 2, but this misprint reads version 1' 's/"version": 1/"version": 2/'
damaged "is not a run of .misprint learn.: its member 'format'" 's/misprint-learn/misprint-verify/'
damaged 'line 10: .*; the file is damaged: restore it, or remove it to begin anew' '9q'
damaged "'learned', entry 1: .*; the file is damaged" '/"text"/s/=/=no-/'
damaged "'cases' is missing or wrong; the file is damaged" 's/^  "cases": .*/  "cases": -1,/'
damaged "'unexplained' is missing or wrong; the file is damaged" 's/^  "unexplained": .*/  "other": []/'
: >"$d/learn.json"
expect 2 'd/learn.json: line 1: .*; the file is damaged' learn
rm "$d/learn.json"
mkdir "$d/learn.json"
expect 2 'd/learn.json: is a directory' learn
rmdir "$d/learn.json"

# Two processes do not share a directory; a file is no directory.
"$m" learn vc4-vpm --board "$board" --campaign "$d" --quiet >"$tmp/out" 2>&1 &
check 'the first process writes' wait_for $! /dev/null
kill -STOP $!
if kill -0 $! 2>/dev/null && holds "$d/learn.json" 'j["end"] == "interrupted"' 2>/dev/null; then
    expect 2 "d: another .misprint learn. uses it; wait for it" learn
fi
kill -KILL $!
wait $! 2>/dev/null
expect 2 'mine: cannot open: Not a directory; --campaign needs a directory' \
    "$m" learn vc4-vpm --board virtual:manual --campaign "$tmp/mine"
expect 2 'cannot create: No such file' "$m" learn vc4-vpm --board virtual:manual \
    --campaign "$tmp/none/none"

# A full disk is an error, and the file from before stays.
printf '{' >"$d/learn.json.1.1.part"
cp "$tmp/second" "$d/learn.json"
expect 3 'd/learn.json: cannot write: .*; make room and try again' sh -c "
    ulimit -f 1; exec '$m' learn vc4-vpm --board '$board' --campaign '$d' --quiet >/dev/null"
check 'the file from before stays' cmp "$d/learn.json" "$tmp/second"
rm "$d/profiles"
check 'no temporary file stays' test "$(ls "$d")" = learn.json

sum_up
