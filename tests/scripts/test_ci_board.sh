#!/bin/sh
# SPDX-License-Identifier: MIT
# The shell step for continuous integration (scripts/ci-board) passes a good board, fails a bad one, and
# writes JUnit files. In the long tier it also builds Misprint itself, in a copy of the source.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/support/support_command.sh
. tests/support/support_command.sh
export MISPRINT MISPRINT_CI_OUTPUT="$tmp/ci"

# suites: the number of tests, failures and skipped tests of a JUnit file
suites() {
    python3 -c '
import sys, xml.etree.ElementTree as x
tests = [t for t in x.parse(sys.argv[1]).getroot().iter("testcase")]
count = lambda kind: sum(t.find(kind) is not None for t in tests)
print(len(tests), count("failure") + count("error"), count("skipped"))' "$1"
}

expect 0 'exit status 0$' scripts/ci-board vc4-vpm 'exec:python3 scripts/example-board.py'
check 'the known cases are tests' test "$(suites "$tmp/ci/check-board.xml")" = '48 0 11'
check 'so are the cases of the corpus' test "$(suites "$tmp/ci/replay.xml" | cut -d ' ' -f 2)" = 0

# an emulator with a bug: STRIDE 0 counts as 0
expect 1 ' cases*  vpm-stride-zero$' scripts/ci-board vc4-vpm 'virtual:bcm2835,vpm-stride-zero=stays' \
    corpus/vc4-vpm
expect 1 'exit status 1$' env MISPRINT_CI_PROFILE=bcm2835 scripts/ci-board vc4-vpm \
    'virtual:bcm2835,vpm-stride-zero=stays' corpus/vc4-vpm/vpm-stride-zero.case
check 'its cases are failed tests' test "$(suites "$tmp/ci/check-board.xml" | cut -d ' ' -f 2)" = 2

# a board that cannot start; wrong use
expect 3 'HELLO' scripts/ci-board vc4-vpm exec:false
expect 2 'scripts/ci-board UNIT BOARD' scripts/ci-board vc4-vpm

if [ "${MISPRINT_TEST_LONG:-}" = 1 ]; then
    mkdir "$tmp/project"
    git ls-files -z | xargs -0 cp --parents -t "$tmp/project"
    cp scripts/example-board.py "$tmp/my-board.py"
    cd "$tmp" || exit 2
    unset MISPRINT
    expect 0 'exit status 0$' project/scripts/ci-board vc4-vpm "exec:python3 my-board.py"
fi
sum_up
