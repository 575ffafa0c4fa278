#!/bin/sh
# SPDX-License-Identifier: MIT
# Merges the parts of a campaign into a new directory, which then replaces the old one.
set -eu
misprint=$1 directory=$2 tasks=$3

set --
task=1
while [ $task -le "$tasks" ]; do
    if [ -e "$directory/part-$task/misprint.db" ]; then
        set -- "$@" "$directory/part-$task"
    else
        echo "part-$task is missing because its task did not start; see log/task-$task.txt"
    fi
    task=$((task + 1))
done
[ $# -gt 0 ] || { echo 'there are no parts'; exit 3; }
rm -rf "$directory/merged.new"
"$misprint" merge "$@" -o "$directory/merged.new"
rm -rf "$directory/merged.old"
[ ! -e "$directory/merged" ] || mv "$directory/merged" "$directory/merged.old"
mv "$directory/merged.new" "$directory/merged"
rm -rf "$directory/merged.old"
