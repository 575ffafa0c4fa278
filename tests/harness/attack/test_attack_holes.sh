#!/bin/sh
# SPDX-License-Identifier: MIT
# Each attack finds the holes that it was made for. Puts every holes/*/*.hole back into its proof, alone, and
# attacks it for a minute, or for five in an unoptimised build. Prints a table: hole, seconds until it was
# found, number of the case, what broke. A program that dies has found nothing. $1: folder of the programs.
#
# The short tier tries one hole of eight, because each is a program to compile.
#
#   MISPRINT_ATTACK_HOLES    all holes whose names begin with this, and no others
#   MISPRINT_TEST_LONG       1: all holes
set -u
programs=$1
source=$MISPRINT_SOURCE_DIR/tests/harness/attack
seconds=60
[ "${MISPRINT_BUILD_TYPE:-}" != Debug ] || seconds=300
output=$(mktemp) || exit 1
trap 'rm -f "$output"' EXIT

# attack_of NAME: prints the attack that has to find this hole
attack_of() {
    case $1 in
    static-*) echo qpu-static ;;
    dry-*) echo qpu-dry-run ;;
    wrapped-*) echo qpu-wrapped ;;
    amd-*) echo amd-buffer ;;
    *) echo "FAILED: no attack is known for $1.hole" >&2 && exit 1 ;;
    esac
}

step=8
[ "${MISPRINT_TEST_LONG:-}${MISPRINT_ATTACK_HOLES:-}" = '' ] || step=1
holes=
number=0
for hole in "$source"/holes/*/"${MISPRINT_ATTACK_HOLES:-}"*.hole; do
    number=$((number + 1))
    [ $((number % step)) -ne 0 ] || holes="$holes $(basename "$hole" .hole)"
done
# shellcheck disable=SC2046,SC2086 # lists of names, on purpose
cmake --build "$MISPRINT_BUILD_DIR" --target $(printf 'hole_%s ' $holes) >"$output" 2>&1 ||
    { tail -50 "$output"; exit 1; }
tried=0
missed=0
printf '%-32s %8s %12s  %s\n' hole seconds case 'what broke'
for name in $holes; do
    attack=$(attack_of "$name") || exit 1
    "$programs/hole_$name" "$attack" --seconds $seconds >"$output" 2>&1
    status=$?
    tried=$((tried + 1))
    if [ $status -eq 1 ] && grep '^broken: case ' "$output" | grep -qv 'the process that tried it'; then
        took=$(sed -n 's/^seconds  *//p' "$output")
        broken=$(sed -n 's/^broken: case //p' "$output" | head -1)
        printf '%-32s %8s %12s  %.100s\n' "$name" "$took" "${broken%%:*}" "${broken#*: }"
    else
        missed=$((missed + 1))
        printf '%-32s %8s %12s  NOT FOUND (status %d)\n' "$name" $seconds - $status
    fi
done
[ $tried -gt 0 ] || { echo "FAILED: no hole was tried"; exit 1; }
[ $missed -eq 0 ] || { echo "FAILED: $missed of $tried holes not found within $seconds seconds"; exit 1; }
echo "$tried holes found"
