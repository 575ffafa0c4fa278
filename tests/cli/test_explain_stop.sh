#!/bin/sh
# SPDX-License-Identifier: MIT
# When the reader of its output has gone, as after Ctrl-C, `misprint explain` starts no other board.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
m=$MISPRINT
# shellcheck source=tests/support/support_command.sh
. "$MISPRINT_SOURCE_DIR/tests/support/support_command.sh"

cat >"$tmp/unread.py" <<'END'
import os, subprocess, sys
read, write = os.pipe()
os.close(read)
sys.exit(subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=write).returncode)
END
status=0
python3 "$tmp/unread.py" "$m" explain "$MISPRINT_SOURCE_DIR"/corpus/vc4-vpm/cond-vpm-write.case \
    "$MISPRINT_SOURCE_DIR"/corpus/vc4-vpm/seed-byte-modes.case \
    "$MISPRINT_SOURCE_DIR"/corpus/vc4-qpu/clz-zero.case --board "exec:echo started >>'$tmp/starts'
        exec '$m' agent --board virtual:bcm2835" >"$tmp/out" 2>&1 || status=$?
check 'its exit status is that of a command that SIGPIPE ended' test $status = 141
check 'it says nothing more' test ! -s "$tmp/out"
check 'the board of vc4-qpu was not started' test "$(wc -l <"$tmp/starts")" = 1
sum_up
