#!/bin/sh
# SPDX-License-Identifier: MIT
# One task of the job array that campaign.sh submits. Finding discrepancies (status 1) is success.
set -u
misprint=$1 unit=$2 directory=$3 time=$4
task=${SLURM_ARRAY_TASK_ID:?is run by sbatch --array}

# Each task has a million seeds, so no two tasks make the same cases, however often the campaign is continued.
set -- --seed "$((task * 1000000))"
while IFS= read -r word; do
    while :; do # {task} is replaced by the task's number
        case $word in
        *'{task}'*) word=${word%%'{task}'*}$task${word#*'{task}'} ;;
        *) break ;;
        esac
    done
    case $word in --seed | --seed=* | -s*) [ "${1:-}" != --seed ] || shift 2 ;; esac # the user chose one
    set -- "$@" "$word"
done <"$directory/fuzz-words"

echo "task $task on $(hostname), generic resources: ${SLURM_JOB_GRES:-${SLURM_STEP_GRES:-none}}"
exec_status=0
"$misprint" fuzz "$unit" --campaign "$directory/part-$task" --time "$time" --quiet "$@" || exec_status=$?
echo "ended with status $exec_status"
[ $exec_status -le 1 ]
