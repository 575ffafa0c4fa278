#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/slurm on a real Slurm of one machine: munged, slurmctld and slurmd run in the foreground with
# their own configuration, keys, sockets and ports, as whoever runs the test, and end with it.
set -u
m=${MISPRINT:?the command under test}
cd "${MISPRINT_SOURCE_DIR:?}" || exit 2
[ "${MISPRINT_INSTRUMENTED:-0}" != 1 ] ||
    { echo 'skipped: under sanitizers the same scripts show nothing new'; exit 77; }
for command in munged slurmctld slurmd sbatch; do
    PATH=$PATH:/usr/sbin command -v $command >/dev/null ||
        { echo "skipped: no $command (Debian's slurm-wlm and munge bring it)"; exit 77; }
done
PATH=$PATH:/usr/sbin
tmp=$(mktemp -d) || exit 2
chmod 755 "$tmp"
daemons=''
finish() {
    # shellcheck disable=SC2086 # a list of process ids
    [ -z "$daemons" ] || kill $daemons 2>/dev/null
    wait
    rm -rf "$tmp"
}
trap finish EXIT
trap 'exit 1' INT TERM
skip() {
    echo "skipped: $1"
    for log in munged slurmctld slurmd; do
        [ ! -s "$tmp/$log.log" ] || { echo "the end of $log's log:"; tail -5 "$tmp/$log.log"; }
    done
    exit 77
}
# shellcheck source=tests/support/support_command.sh
. tests/support/support_command.sh

# --- the cluster: one node, two processors, one board ---
user=$(id -un)
host=$(hostname)
port=$((20000 + $$ % 20000))
mkdir "$tmp/state" "$tmp/spool" "$tmp/munge"
chmod 700 "$tmp/munge"
head -c 128 /dev/urandom >"$tmp/munge/key"
chmod 600 "$tmp/munge/key"
cat >"$tmp/slurm.conf" <<CONF
ClusterName=misprint-test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$tmp/munge/socket
CryptoType=crypto/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
StateSaveLocation=$tmp/state
SlurmdSpoolDir=$tmp/spool
SlurmctldPidFile=$tmp/slurmctld.pid
SlurmdPidFile=$tmp/slurmd.pid
SlurmctldLogFile=$tmp/slurmctld.log
SlurmdLogFile=$tmp/slurmd.log
ReturnToService=2
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=100000
MinJobAge=300
GresTypes=board
NodeName=bench NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=2 Gres=board:1 State=UNKNOWN
PartitionName=all Nodes=bench Default=YES MaxTime=INFINITE State=UP
CONF
echo 'Name=board Count=1' >"$tmp/gres.conf"
export SLURM_CONF="$tmp/slurm.conf"
munged --foreground --force --key-file="$tmp/munge/key" --socket="$tmp/munge/socket" \
    --pid-file="$tmp/munge/pid" --log-file="$tmp/munged.log" \
    --seed-file="$tmp/munge/seed" >"$tmp/munged.log" 2>&1 &
daemons=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -S "$tmp/munge/socket" ] || sleep 0.3; done
[ -S "$tmp/munge/socket" ] || skip 'munged does not start here'
slurmctld -D >>"$tmp/slurmctld.log" 2>&1 &
daemons="$daemons $!"
slurmd -D -N bench >>"$tmp/slurmd.log" 2>&1 &
daemons="$daemons $!"
state=''
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
    state=$(sinfo -h -o %t 2>/dev/null)
    [ "$state" != idle ] || break
    sleep 0.5
done
[ "$state" = idle ] || skip "slurmd does not come up here (its node is '$state')"

# --- a campaign as an array, then once more: it goes on ---
campaign() { # fuzz options
    MISPRINT=$m timeout 120 scripts/slurm/campaign.sh --tasks 2 --time 20s --gres board:1 --wait vc4-vpm \
        "$tmp/c" --cases 400 "$@"
}
# The board says when it is used, so that two at once would show.
cat >"$tmp/board.sh" <<BOARD
#!/bin/sh
mkdir "$tmp/in-use" || { echo "two tasks on one board" >"$tmp/clash"; exit 1; }
trap 'rmdir "$tmp/in-use"' EXIT
python3 scripts/example-board.py
BOARD
chmod +x "$tmp/board.sh"
check 'a campaign of two tasks runs and is merged' campaign --board "exec:$tmp/board.sh"
check 'the board was never used by two tasks at once' test ! -e "$tmp/clash"
check 'each task has its part' test -e "$tmp/c/part-1/misprint.db" -a -e "$tmp/c/part-2/misprint.db"
"$m" report "$tmp/c/merged" --json "$tmp/r.json" 2>/dev/null
cat >"$tmp/sums.py" <<'PY'
import json, sys
r = json.load(open(sys.argv[1]))
tasks, cases = int(sys.argv[2]), int(sys.argv[3])
assert len(r["runs"]) == tasks and r["tally"]["cases"] == cases, (len(r["runs"]), r["tally"]["cases"])
seeds = {x["seed"] for x in r["runs"]}
assert len(seeds) == tasks, "two tasks made the same cases"
assert r["findings"], "nothing was found"
PY
check 'the merged campaign holds all parts' python3 "$tmp/sums.py" "$tmp/r.json" 2 800
check 'the same command goes on' campaign --board "exec:$tmp/board.sh"
"$m" report "$tmp/c/merged" --json "$tmp/r.json" 2>/dev/null
check 'and the merged campaign holds both' python3 "$tmp/sums.py" "$tmp/r.json" 4 1600
check 'a failing task is reported' sh -c \
    "! MISPRINT='$m' timeout 120 scripts/slurm/campaign.sh --tasks 1 --time 1s --wait vc4-vpm '$tmp/bad' \
        --board exec:false"
check 'wrong use is reported' sh -c \
    "! MISPRINT='$m' scripts/slurm/campaign.sh --tasks 0 vc4-vpm '$tmp/x' &&
        ! MISPRINT='$m' scripts/slurm/campaign.sh vc4-vpx '$tmp/x'"

sum_up || { tail -n 5 "$tmp/c/log"/*; exit 1; }
