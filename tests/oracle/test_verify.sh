#!/bin/sh
# SPDX-License-Identifier: MIT
# `misprint verify` names every change of a campaign's rows and of a trace's bytes (support_verify.py).
set -eu
m=${MISPRINT:?the command under test}
cd "${MISPRINT_SOURCE_DIR:?}"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 tests/support/support_verify.py "$m" "$tmp"
