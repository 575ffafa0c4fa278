#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a fuzz target on its seed corpus, which is made from the units' tables and the corpus:
# replay_target.sh TARGET MAKE_SEEDS DRIVER
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$2" "$1" "$work" "$(dirname "$0")/../corpus"
"$3" "$work/$1"
