#!/bin/sh
# SPDX-License-Identifier: MIT
# One campaign as a Slurm job array: each task fuzzes in a campaign directory of its own, then one more job merges them.
#
#   scripts/slurm/campaign.sh [OPTION...] UNIT DIR [FUZZ-OPTION...]
#
#     --tasks N        how many tasks (default 4)
#     --time T         how long each fuzzes, as misprint says it: 90s, 5m, 2h, 1d (default 1h)
#     --gres NAME:N    the board that each task needs, as a generic resource of the cluster: board:1 (see README.md)
#     --sbatch WORDS   more options for sbatch: '--partition lab --account x'
#     --wait           return only when the merged campaign is there
#
# UNIT and the FUZZ-OPTIONs are those of `misprint fuzz`; a {task} in them becomes the task's number. The same command goes on
# with the same campaign. The parts are DIR/part-N, the merged campaign is DIR/merged, the jobs' output DIR/log.
# MISPRINT: the command to run (default: misprint, from PATH); DIR and it must be reachable on every node.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
say() { printf 'campaign: %s\n' "$*" >&2; }
die() { say "$*"; exit 2; }

tasks=4 time=1h gres='' more='' wait=no
while [ $# -gt 0 ]; do
    case $1 in
    --tasks | --time | --gres | --sbatch)
        [ $# -gt 1 ] || die "$1 wants a value"
        case $1 in
        --tasks) tasks=$2 ;;
        --time) time=$2 ;;
        --gres) gres=$2 ;;
        --sbatch) more=$2 ;;
        esac
        shift
        ;;
    --wait) wait=yes ;;
    -h | --help) sed -n '3,16s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) die "there is no option $1; --help lists them" ;;
    *) break ;;
    esac
    shift
done
[ $# -ge 2 ] || die 'say which unit to fuzz and which directory is to hold the campaign; --help says more'
case $tasks in '' | *[!0-9]* | 0) die "--tasks wants a whole number, 1 or more, not '$tasks'" ;; esac
misprint=${MISPRINT:-misprint}
command -v "$misprint" >/dev/null || die "$misprint: no such command; set MISPRINT"
command -v sbatch >/dev/null || die 'sbatch is not there: run this on a machine of the cluster'
unit=$1 directory=$2
shift 2
"$misprint" units | grep -q "^ *$unit\>" || die "there is no unit '$unit'; misprint units lists them"
mkdir -p "$directory/log"
directory=$(cd "$directory" && pwd)

# The words of the fuzz command, one a line, so that blanks in them survive.
: >"$directory/fuzz-words"
for word in "$@"; do
    case $word in *'
'*) die 'an option of misprint fuzz may not hold the end of a line' ;; esac
    printf '%s\n' "$word" >>"$directory/fuzz-words"
done

# shellcheck disable=SC2086 # --sbatch gives words
array=$(sbatch --parsable --job-name "misprint-$unit" --array "1-$tasks" --ntasks 1 --output "$directory/log/task-%a.txt" ${gres:+--gres "$gres"} $more \
    "$here/task.sh" "$misprint" "$unit" "$directory" "$time")
# The merge runs after the tasks however they ended: what a task that failed had found before is kept.
# shellcheck disable=SC2086
merge=$(sbatch --parsable --job-name "misprint-merge" --dependency "afterany:$array" --ntasks 1 --output "$directory/log/merge.txt" $more \
    ${wait:+$([ $wait = no ] || echo --wait)} "$here/merge.sh" "$misprint" "$directory" "$tasks") || {
    say "the merge failed; see $directory/log/merge.txt"
    exit 3
}
say "tasks: job $array; merge: job $merge; the campaign: $directory/merged"
