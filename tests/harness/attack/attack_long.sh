#!/bin/sh
# SPDX-License-Identifier: MIT
# attack_long.sh PROGRAM ACCEPTED [ATTACK...]: attacks until ACCEPTED cases were accepted. Only in the long
# tier. Continues an interrupted run: the build's folder keeps the state, in one file for each build.
set -eu
[ "${MISPRINT_TEST_LONG:-}" = 1 ] || { echo "runs only in the long tier (MISPRINT_TEST_LONG=1)"; exit 77; }
program=$1
accepted=$2
shift 2
build=$(cksum <"$program" | cut -d ' ' -f 1)
state=${MISPRINT_BUILD_DIR:-.}/$(basename "$program")
[ $# -gt 0 ] || exec "$program" --accepted "$accepted" --resume "$state-$build.state"
for attack; do
    "$program" "$attack" --accepted "$accepted" --resume "$state-$attack-$build.state"
done
