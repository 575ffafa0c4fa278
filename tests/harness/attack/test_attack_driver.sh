#!/bin/sh
# SPDX-License-Identifier: MIT
# The driver of attacks: its totals depend neither on the number of processes nor on interruptions, even by
# kill -9; it finds, names and reports broken cases; it refuses the state file of another run.
set -u
program=$1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

fail() { echo "FAILED: $*"; exit 1; }

# totals ARGUMENT...: prints the table without the lines that depend on the machine
totals() { "$program" "$@" 2>errors | grep -v '^seconds\|^cases a second'; }

# expect STATUS ARGUMENT...: fails unless the program ends with this status
expect() {
    wanted=$1
    shift
    "$program" "$@" >output 2>errors
    status=$?
    [ "$status" -eq "$wanted" ] || fail "$* ended with status $status, not $wanted: $(cat output errors)"
}

# ---- totals ----
totals good --cases 50000 --jobs 1 >one
grep -q '^cases  *50000$' one || fail "the table does not show 50000 cases: $(cat one)"
for jobs in 2 7; do
    totals good --cases 50000 --jobs $jobs | cmp -s - one || fail "totals differ with $jobs processes"
done
totals good --cases 50000 --seed 2 | cmp -s - one && fail "another seed gives the same totals"
totals good --accepted 100000 --jobs 1 >one
totals good --accepted 100000 --jobs 5 | cmp -s - one || fail "totals of --accepted differ with 5 processes"

# ---- interruptions: kill -9 twice, then SIGTERM, which it handles ----
totals slow --cases 81920 --jobs 2 >whole
for try in 1 2; do
    "$program" slow --cases 81920 --jobs 2 --resume state >/dev/null 2>&1 &
    id=$!
    sleep 3.2
    kill -9 $id 2>/dev/null || fail "the attack ended before it was killed (try $try)"
    wait $id
    [ -s state ] || fail "no state file after three seconds (try $try)"
done 2>/dev/null
before=$(sed -n 's/^next //p' state)
if [ "$before" -eq 0 ] || [ "$before" -ge 20 ]; then
    fail "it was not interrupted in the middle, but at block $before of 20"
fi
"$program" slow --cases 81920 --jobs 2 --resume state >/dev/null 2>&1 &
id=$!
sleep 0.5
kill -TERM $id
wait $id
status=$?
[ $status -eq 3 ] || fail "SIGTERM ended it with status $status, not 3"
cp state middle
totals slow --cases 81920 --jobs 2 --resume state | cmp -s - whole ||
    fail "totals differ after interruptions"
totals slow --cases 81920 --resume state | cmp -s - whole ||
    fail "totals of a complete run differ when it is resumed"

# ---- state files that it refuses ----
expect 2 slow --cases 81920 --seed 2 --resume middle
grep -q 'seed 1.*seed 2' errors || fail "the message does not name both seeds: $(cat errors)"
expect 2 good --cases 81920 --resume middle
sed 's/^accepted .*/accepted 12345678/' middle >damaged
expect 2 slow --resume damaged
head -c 100 middle >damaged
expect 2 slow --resume damaged
sed 's/^build .*/build 0123456789abcdef/' middle >damaged
expect 2 slow --resume damaged

# ---- broken cases ----
expect 1 bad --cases 100000 --jobs 3
grep -q '^broken: case 20000: number 20000 is bad$' output ||
    fail "it does not report the first broken case: $(cat output)"
grep -q '^the case of 20000$' output || fail "the text of the broken case is missing: $(cat output)"
grep -q '^broken  *1$' output || fail "it did not stop at the first broken case: $(cat output)"
expect 1 bad --cases 100000 --keep-going
grep -q '^broken  *800$' output || fail "it did not find all 800 broken cases: $(cat output)"
expect 1 bad --case 20100
grep -q '^the case of 20100$' output || fail "--case prints no text"
expect 0 bad --case 7
grep -q '^hash' output || fail "--case prints no text of a case that is not broken"
expect 1 bad --cases 100000 --resume broken
expect 1 bad --cases 100000 --resume broken
expect 1 dying --cases 100000
grep -q 'case 20000: .*exited with status 55' output ||
    fail "it does not report that a process exited: $(cat output)"
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
