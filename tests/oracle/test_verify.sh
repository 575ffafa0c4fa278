#!/bin/sh
# SPDX-License-Identifier: MIT
# `misprint verify`: every change of a campaign's rows and of a trace's bytes is found and named; support_verify.py says how.
set -eu
m=${MISPRINT:?the command under test}
cd "${MISPRINT_SOURCE_DIR:?}"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 tests/support/support_verify.py "$m" "$tmp"
