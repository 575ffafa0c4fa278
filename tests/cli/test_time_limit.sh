#!/bin/sh
# SPDX-License-Identifier: MIT
# --time ends a wait for a board that hangs, long before the 60 s that the board may take for an answer. What
# was found before is kept. The case that was waited for counts as no hang.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}" "${MISPRINT_BUILD_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
m=$MISPRINT
export MISPRINT_BOARD_TIMEOUT=60
# shellcheck source=tests/support/support_command.sh
. "$MISPRINT_SOURCE_DIR/tests/support/support_command.sh"
cd "$tmp" || exit 2

# limited SECONDS STATUS PATTERN WORDS...: runs a command with this --time. It must end long before the 60 s.
limited() {
    seconds=$1 status=$2 pattern=$3
    shift 3
    began=$(date +%s)
    expect "$status" "$pattern" "$m" "$@" --time "$seconds"
    check "misprint $* ends soon after --time" test $(($(date +%s) - began)) -lt 30
    check "misprint $* says why" grep -q 'it had not answered for [0-9.]* s when the time was over' out
}

model=$MISPRINT_BUILD_DIR/tests/plugin_model.so
for way in plugin exec; do
    board="plugin:$model,"
    [ $way = plugin ] || board="exec:exec '$m' agent --board 'plugin:$model',inline,"
    limited 4 3 '^1 finding' fuzz vc4-vpm --profile bcm2835,vpm-fig8a=manual --board "${board}hang=1000" \
        --campaign $way
    check 'the log has the reason' grep -q 'when the time was over' $way/log.txt
    expect 0 '^0 cases had no outcome' "$m" dropped $way
    limited 1 3 'nothing was compared' fuzz vc4-vpm --board "${board}hang=1"
    limited 1 3 'nothing was compared' learn vc4-vpm --board "${board}hang=1"
    limited 1 3 'nothing was compared' adjudicate vc4-vpm --board "${board}hang=1"
done

# what learn learned before is kept
echo 4000000000 >every # one case in so many hangs
board="exec:exec '$m' agent --board \"plugin:$model,inline,hang=\$(cat every)\""
expect 1 '^learned: 1' "$m" learn vc4-vpm --profile bcm2835,vpm-fig8a=manual --board "$board" --campaign c \
    --cases 64
echo 1 >every
limited 1 1 '^learned: 1' learn vc4-vpm --profile bcm2835,vpm-fig8a=manual --board "$board" --campaign c
sum_up
