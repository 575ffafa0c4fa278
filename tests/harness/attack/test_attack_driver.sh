#!/bin/sh
# SPDX-License-Identifier: MIT
# The driver of attacks: totals depend neither on the number of processes nor on interruptions, even by kill -9;
# what is broken is found, named and told by the exit status; a state file of something else is refused.
set -u
program=$1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

fail() { echo "FAILED: $*"; exit 1; }

# totals ARGUMENT...: the table without what depends on the machine
totals() { "$program" "$@" 2>errors | grep -v '^seconds\|^cases a second'; }

# expect STATUS ARGUMENT...
expect() {
    wanted=$1
    shift
    "$program" "$@" >output 2>errors
    status=$?
    [ "$status" -eq "$wanted" ] || fail "$* ended with status $status, not $wanted: $(cat output errors)"
}

# ---- totals ----
totals good --cases 50000 --jobs 1 >one
grep -q '^cases  *50000$' one || fail "not 50000 cases: $(cat one)"
for jobs in 2 7; do
    totals good --cases 50000 --jobs $jobs | cmp -s - one || fail "other totals with $jobs processes"
done
totals good --cases 50000 --seed 2 | cmp -s - one && fail "the seed does not matter"
totals good --accepted 100000 --jobs 1 >one
totals good --accepted 100000 --jobs 5 | cmp -s - one || fail "other totals of --accepted with 5 processes"

# ---- interruptions: kill -9 in the middle, several times; then a signal that it hears ----
totals slow --cases 81920 --jobs 2 >whole
for try in 1 2; do
    "$program" slow --cases 81920 --jobs 2 --resume state >/dev/null 2>&1 &
    id=$!
    sleep 3.2
    kill -9 $id 2>/dev/null || fail "it ended before it was killed (try $try)"
    wait $id
    [ -s state ] || fail "no state after three seconds (try $try)"
done 2>/dev/null
before=$(sed -n 's/^next //p' state)
if [ "$before" -eq 0 ] || [ "$before" -ge 20 ]; then
    fail "not in the middle: block $before of 20"
fi
"$program" slow --cases 81920 --jobs 2 --resume state >/dev/null 2>&1 &
id=$!
sleep 0.5
kill -TERM $id
wait $id
status=$?
[ $status -eq 3 ] || fail "SIGTERM: status $status"
cp state middle
totals slow --cases 81920 --jobs 2 --resume state | cmp -s - whole || fail "other totals after interruptions"
totals slow --cases 81920 --resume state | cmp -s - whole || fail "other totals of a run that was complete"

# ---- state files that must not be used ----
expect 2 slow --cases 81920 --seed 2 --resume middle
grep -q 'seed 1.*seed 2' errors || fail "the seeds are not named: $(cat errors)"
expect 2 good --cases 81920 --resume middle
sed 's/^accepted .*/accepted 12345678/' middle >damaged
expect 2 slow --resume damaged
head -c 100 middle >damaged
expect 2 slow --resume damaged
sed 's/^build .*/build 0123456789abcdef/' middle >damaged
expect 2 slow --resume damaged

# ---- what is broken ----
expect 1 bad --cases 100000 --jobs 3
grep -q '^broken: case 20000: number 20000 is bad$' output || fail "not the first: $(cat output)"
grep -q '^the case of 20000$' output || fail "no text: $(cat output)"
grep -q '^broken  *1$' output || fail "it goes on: $(cat output)"
expect 1 bad --cases 100000 --keep-going
grep -q '^broken  *800$' output || fail "not all 800: $(cat output)"
expect 1 bad --case 20100
grep -q '^the case of 20100$' output || fail "no text of one case"
expect 0 bad --case 7
grep -q '^hash' output || fail "no text of a case that is not broken"
expect 1 bad --cases 100000 --resume broken
expect 1 bad --cases 100000 --resume broken
expect 1 dying --cases 100000
grep -q 'case 20000: .*exited with status 55' output || fail "nobody sees that a process dies: $(cat output)"
expect 1 dying --cases 100000 --keep-going

# ---- wrong use ----
expect 0 --help
expect 2 nothing
expect 2 good bad
expect 2 --seconds
expect 2 good --seconds 0
expect 2 good --jobs 100000
expect 2 good --cases x
expect 2 good --cases 5 --accepted 5
expect 2 --resume state
expect 2 --case 5
expect 2 good --resume /nowhere/state
expect 2 good --cases 5 -x
expect 0 good --seconds 1
echo "totals are the same, interrupted or not"
