#!/bin/sh
# SPDX-License-Identifier: MIT
# attack_long.sh PROGRAM ACCEPTED [ATTACK...]: attacks until so many cases were accepted, in the long tier only.
# An interrupted run goes on where it was: the state stays in the build's folder, one file for each build.
set -eu
[ "${MISPRINT_TEST_LONG:-}" = 1 ] || { echo "the long tier only (MISPRINT_TEST_LONG=1)"; exit 77; }
program=$1
accepted=$2
shift 2
build=$(cksum <"$program" | cut -d ' ' -f 1)
state=${MISPRINT_BUILD_DIR:-.}/$(basename "$program")
[ $# -gt 0 ] || exec "$program" --accepted "$accepted" --resume "$state-$build.state"
for attack; do
    "$program" "$attack" --accepted "$accepted" --resume "$state-$attack-$build.state"
done
