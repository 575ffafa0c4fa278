#!/bin/sh
# SPDX-License-Identifier: MIT
# `misprint where vc4-vpm`. The expectations come from the VideoCore IV guide and from published programs.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
command -v python3 >/dev/null || exit 77
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/support/support_command.sh
. tests/support/support_command.sh

w() { "$MISPRINT" where vc4-vpm "$@"; }
expect 0 '^50 comparisons$' python3 tests/cli/where_vpm.py "$MISPRINT"
expect 0 '00001a00  wr_setup h32 stride=1$' w 'wr_setup 00001a00'
expect 0 '00001a00  wr_setup h32 stride=1$' w 'wr_setup 0x1a00'
expect 0 '│0000│1111│2222│.*│ffff│$' w 'wr_setup 1a00'
expect 0 'profile manual and profile bcm2835, which agree' w 'wr_setup 1a00'
# figure 8a prints element 3 twice: the literal manual differs from the silicon
expect 0 'profile bcm2835, which differs' w 'wr_setup h8 y=1'
expect 0 'vpm-addr-h8=row-div-4, which differs' w 'wr_setup h8 y=1'
expect 0 'assumed .* because this setup alone moves nothing' w 'wr_setup c0000040'
expect 2 'takes setups in quotes' w
expect 2 "did you mean 'h32'" w 'wr_setup h322 y=1'
expect 2 "'read': where takes setups" w read
expect 2 "unknown operation 'wr_stup'\|did you mean 'wr_setup'" w 'wr_stup 1a00'
sum_up
