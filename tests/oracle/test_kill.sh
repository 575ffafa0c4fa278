#!/bin/sh
# SPDX-License-Identifier: MIT
# Campaigns that are killed, whose disk is full, or whose folder becomes read-only lose nothing that was
# reported, end with a clear message, and go on with the same command. 200 kills in the long tier, else 20.
set -eu
m=${MISPRINT:?the command under test}
cd "${MISPRINT_SOURCE_DIR:?}"
tmp=$(mktemp -d)
trap 'umount "$tmp/small" 2>/dev/null || true; chmod -R u+w "$tmp" 2>/dev/null || true; rm -rf "$tmp"' EXIT
failures=0 checks=0

check() { # what, command...
    what=$1
    shift
    checks=$((checks + 1))
    if ! "$@"; then
        failures=$((failures + 1))
        printf 'FAILED: %s: %s\n' "$what" "$*"
        [ ! -s "$tmp/said" ] || head -5 "$tmp/said"
    fi
}

# --- kill -9 ---
kills=$((20 * ${MISPRINT_TEST_SCALE:-100} / 100))
[ "$kills" -ge 4 ] || kills=4
[ "$kills" -le 20 ] || kills=20
[ "${MISPRINT_TEST_LONG:-0}" != 1 ] || kills=200
mkdir "$tmp/one" "$tmp/two"
check 'kill -9' python3 tests/support/support_kill.py "$m" "$tmp/one" $kills 1 1
check 'kill -9 with two jobs' python3 tests/support/support_kill.py "$m" "$tmp/two" $((kills / 2)) 2 2

# Every finding that the log reports is in the report, unless a later line withdraws it.
nothing_lost() { # campaign
    "$m" report "$1" --json - >"$tmp/report.json" 2>"$tmp/said" || [ $? -eq 1 ]
    sed -n 's/^\(F-[0-9a-f]*\) withdrawn.*/\1/p' "$1/log.txt" | sort -u >"$tmp/withdrawn"
    sed -n 's/^\(F-[0-9a-f]*\) [^w].*/\1/p' "$1/log.txt" | sort -u |
        comm -23 - "$tmp/withdrawn" >"$tmp/reported"
    while read -r id; do
        grep -q "\"$id\"" "$tmp/report.json" || { echo "$id is lost"; return 1; }
    done <"$tmp/reported"
    [ -s "$tmp/reported" ]
}
goes_on() { # campaign
    "$m" fuzz vc4-qpu --cases 500 --campaign "$1" >"$tmp/said" 2>&1 || [ $? -eq 1 ]
}
stopped_clearly() { # status, campaign
    [ "$1" -eq 3 ] && grep -q "^misprint: $2.*: " "$tmp/said"
}

# After a failure of the store, a run lists the findings that the store has. The store may have more, which
# the log reports: the run's last reconciliation moved them into findings that it could not store.
listed_are_stored() { # campaign
    python3 - "$tmp/listed.json" "$tmp/report.json" "$1/log.txt" <<'PY'
import json, sys
listed, stored = ({f["id"]: f["cases"] for f in json.load(open(name))["findings"]} for name in sys.argv[1:3])
log = open(sys.argv[3]).read()
wrong = [i for i in listed if stored.get(i) != listed[i]]
unreported = [i for i in stored if i not in listed and i not in log]
if not listed or wrong or unreported:
    sys.exit(f"{len(listed)} listed; not stored so: {wrong}; stored, not listed, not reported: {unreported}")
PY
}

# --- a full disk: a limit on file sizes, then (if it may be mounted) a small file system ---
status=0
(ulimit -f 600; exec "$m" fuzz vc4-qpu --campaign "$tmp/limited" --time 60) >"$tmp/said" 2>&1 || status=$?
check 'a file that may not grow stops the campaign with status 3' stopped_clearly $status "$tmp/limited"
check 'it says what to do' grep -q 'make room' "$tmp/said"
check 'nothing that was reported is lost' nothing_lost "$tmp/limited"
check 'with room the campaign goes on' goes_on "$tmp/limited"
mkdir "$tmp/small"
if mount -t tmpfs -o size=700k none "$tmp/small" 2>/dev/null; then
    status=0
    "$m" fuzz vc4-qpu --campaign "$tmp/small/c" --time 60 --jobs 2 --json >"$tmp/listed.json" 2>"$tmp/said" ||
        status=$?
    check 'a full disk stops the campaign with status 3 and a reason' stopped_clearly $status "$tmp/small/c"
    check 'nothing that was reported is lost on a full disk' nothing_lost "$tmp/small/c"
    check 'the findings that it lists are stored, with as many cases' listed_are_stored "$tmp/small/c"
    mount -o remount,size=20m "$tmp/small"
    check 'the campaign goes on once there is room' goes_on "$tmp/small/c"
    umount "$tmp/small"
else
    echo 'skipped: the full disk (no right to mount a small one)'
fi

# --- a campaign killed before its findings were reconciled does not claim one cause for each ---
"$m" fuzz vc4-vpm --campaign "$tmp/cut" >/dev/null 2>&1 &
pid=$!
for _ in $(seq 20); do ls "$tmp"/cut/cases/*.case >/dev/null 2>&1 || sleep 0.3; done
kill -9 $pid
wait $pid 2>/dev/null || true
summary() { "$m" report "$tmp/cut" --md - | grep -q "$1"; }
check 'a killed campaign says that it is not reconciled' summary 'A run was cut short'
"$m" fuzz vc4-vpm --campaign "$tmp/cut" --cases 200 >/dev/null 2>&1 || true
unfinished() { summary 'A run was cut short'; }
check 'the next run reconciles it' eval '! unfinished'

# --- a folder that becomes read-only while the campaign runs (not as root, who may still write) ---
run_as='' can=yes
if [ "$(id -u)" -eq 0 ]; then
    run_as='setpriv --reuid=65534 --regid=65534 --clear-groups'
    chmod 755 "$tmp"
    $run_as true 2>/dev/null || can=no
    $run_as test -x "$m" 2>/dev/null || can=no
fi
if [ $can = yes ]; then
    mkdir -m 777 "$tmp/open"
    # The board delays its first answer, so that the folder is read-only before the first finding.
    mkfifo -m 666 "$tmp/go"
    cat >"$tmp/waits.py" <<'PY'
import os, struct, subprocess, sys
board = subprocess.Popen(["python3", sys.argv[1]], stdout=subprocess.PIPE)
head = board.stdout.read(8)
os.write(1, head + board.stdout.read(struct.unpack("<I", head[4:])[0] + 4))
open(sys.argv[2]).readline()
while data := board.stdout.read1(1 << 16):
    os.write(1, data)
PY
    # shellcheck disable=SC2086 # a list of words, on purpose
    $run_as "$m" fuzz vc4-vpm --campaign "$tmp/open/c" --cases 2000 \
        --board "exec:python3 $tmp/waits.py scripts/example-board.py $tmp/go" >"$tmp/said" 2>&1 &
    pid=$!
    for _ in $(seq 20); do [ -d "$tmp/open/c/dropped" ] || sleep 0.2; done
    sleep 0.3
    chmod -R a-w "$tmp/open/c"
    echo go >"$tmp/go"
    status=0
    wait $pid || status=$?
    check 'a read-only folder stops the campaign with status 3' stopped_clearly $status "$tmp/open/c"
    chmod -R u+w "$tmp/open/c"
    reports() { "$m" report "$tmp/open/c" --json "$tmp/report.json" || [ $? -eq 1 ]; } # 1: there are findings
    check 'there is a report once the folder may be written' reports
    status=0
    $run_as "$m" fuzz vc4-vpm --campaign "$tmp/open/c" --cases 2000 >"$tmp/said" 2>&1 || status=$?
    check 'the campaign goes on' test $status -eq 1
else
    echo 'skipped: the read-only folder (cannot run as another user than root)'
fi

echo "$checks checks, $failures failed"
[ $failures -eq 0 ]
