#!/bin/sh
# SPDX-License-Identifier: MIT
# Long tier: the tests notice at least 90 % of 20 mutants, always the same ones.
set -eu
[ "${MISPRINT_TEST_LONG:-}" = 1 ] || { echo 'long tier: set MISPRINT_TEST_LONG=1'; exit 77; }
cd "${MISPRINT_SOURCE_DIR:-$(dirname "$0")/../..}"
git rev-parse --git-dir >/dev/null 2>&1 || { echo 'not a git repository'; exit 77; }
exec scripts/mutants test --seed 1 --count 20 --work "${MISPRINT_BUILD_DIR:-build}/mutants"
