#!/bin/sh
# SPDX-License-Identifier: MIT
# attack_long.sh PROGRAM ACCEPTED: attacks until so many cases were accepted, in the long tier only. An
# interrupted run goes on where it was: the state stays in the build's folder, one file for each build of the program.
set -eu
[ "${MISPRINT_TEST_LONG:-}" = 1 ] || { echo "the long tier only (MISPRINT_TEST_LONG=1)"; exit 77; }
build=$(cksum <"$1" | cut -d ' ' -f 1)
exec "$1" --accepted "$2" --resume "${MISPRINT_BUILD_DIR:-.}/$(basename "$1")-$build.state"
