#!/bin/sh
# SPDX-License-Identifier: MIT
# BITS.md of the kit of amd-buffer: each field of an instruction is where LLVM 19's assembler puts it, in each
# generation.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] && command -v python3 >/dev/null || exit 77
llvm=${MISPRINT_LLVM_MC:-llvm-mc-19}
if ! command -v "$llvm" >/dev/null; then
    echo "SKIPPED: no llvm-mc-19 (scripts/setup test installs Debian's llvm-19)"
    exit 77
fi
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
"$MISPRINT" new-board amd-buffer --lang python -o "$tmp/kit" >/dev/null || exit 1
python3 tests/model/amd/kit_bits.py "$tmp/kit/BITS.md" "$llvm"
