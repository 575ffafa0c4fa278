# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Shared by the tests that run small programs of V3D. Makes the folder $tmp.
[ -x "$MISPRINT" ] || exit 77
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
fail() { printf 'FAILED: %s\n' "$*"; cat "$tmp/out"; exit 1; }

# Runs a program with an end under a profile. $1: other lines of the case, $2: the profile, $3: the program.
run() {
    printf 'misprint-case 1 v3d-qpu\n%s\nprogram {\n%s\n' "$1" "$3" >"$tmp/case"
    printf 'nop ; nop ; thrsw\nnop\nnop\n}\n' >>"$tmp/case"
    "$MISPRINT" run "$tmp/case" --profile "$2" >"$tmp/out" || fail "misprint run: $3"
}
# Does the outcome have a line that begins so?
has() { grep -q "^$1" "$tmp/out" || fail "not there: $1"; }
