#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a campaign as a Slurm job array: each task fuzzes in a campaign directory of its own, then a job merges
# them.
#
#   scripts/slurm/campaign.sh [OPTION...] UNIT DIR [FUZZ-OPTION...]
#
#     --tasks N        how many tasks (default 4)
#     --time T         how long each task fuzzes, as for misprint: 90s, 5m, 2h, 1d (default 1h)
#     --gres NAME:N    a board for each task, as a generic resource of the cluster: board:1 (see README.md)
#     --sbatch WORDS   more options for sbatch: '--partition lab --account x'
#     --wait           return when the merged campaign is complete
#
# UNIT and the FUZZ-OPTIONs are those of `misprint fuzz`; {task} in them becomes the task's number. The same
# command continues the campaign. The parts are DIR/part-N, the merged campaign is DIR/merged, the jobs'
# output DIR/log. MISPRINT: the command to run (default: misprint, from PATH). Every node must reach it and
# DIR.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
say() { printf 'campaign: %s\n' "$*" >&2; }
die() { say "$*"; exit 2; }

tasks=4 time=1h gres='' more='' wait=no
while [ $# -gt 0 ]; do
    case $1 in
    --tasks | --time | --gres | --sbatch)
        [ $# -gt 1 ] || die "$1 needs a value"
        case $1 in
        --tasks) tasks=$2 ;;
        --time) time=$2 ;;
        --gres) gres=$2 ;;
        --sbatch) more=$2 ;;
        esac
        shift
        ;;
    --wait) wait=yes ;;
    -h | --help) sed -n '3,/^set /s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) die "unknown option $1; --help lists them" ;;
    *) break ;;
    esac
    shift
done
[ $# -ge 2 ] || die 'missing UNIT or DIR; --help explains them'
case $tasks in '' | *[!0-9]* | 0) die "--tasks needs a whole number, 1 or more, not '$tasks'" ;; esac
misprint=${MISPRINT:-misprint}
command -v "$misprint" >/dev/null || die "$misprint: no such command; set MISPRINT to its path"
command -v sbatch >/dev/null || die 'sbatch is not installed; run this on a machine of the cluster'
unit=$1 directory=$2
shift 2
"$misprint" units | grep -q "^ *$unit\>" || die "unknown unit '$unit'; misprint units lists them"
mkdir -p "$directory/log"
directory=$(cd "$directory" && pwd)

# One option on each line, so that blanks in them survive.
: >"$directory/fuzz-words"
for word in "$@"; do
    case $word in *'
'*) die 'an option of misprint fuzz must not contain a line break' ;; esac
    printf '%s\n' "$word" >>"$directory/fuzz-words"
done

# shellcheck disable=SC2086 # --sbatch gives several words
array=$(sbatch --parsable --job-name "misprint-$unit" --array "1-$tasks" --ntasks 1 \
    --output "$directory/log/task-%a.txt" ${gres:+--gres "$gres"} $more "$here/task.sh" \
    "$misprint" "$unit" "$directory" "$time")
# The merge runs however the tasks ended, so it includes what a failed task had found.
# shellcheck disable=SC2086
merge=$(sbatch --parsable --job-name "misprint-merge" --dependency "afterany:$array" --ntasks 1 \
    --output "$directory/log/merge.txt" $more ${wait:+$([ $wait = no ] || echo --wait)} \
    "$here/merge.sh" "$misprint" "$directory" "$tasks") || {
    say "the merge failed; see $directory/log/merge.txt"
    exit 3
}
say "tasks: job $array; merge: job $merge; the campaign: $directory/merged"
