#!/bin/sh
# SPDX-License-Identifier: MIT
# Verdicts depend on what a board is: an agent behind exec: is an implementation unless the user says
# otherwise. Fails if the same difference gets the same verdict for both.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/support/support_command.sh
. tests/support/support_command.sh

m=$MISPRINT
board="exec:$m agent --board virtual:manual,vpm-fig8a=in-order,vpm-wait-data=unmapped"

fuzz() { # further arguments
    "$m" fuzz vc4-vpm --board "$board" --cases 150 --quiet --stats "$@"
}

# The manual is definite about Figure 8a and silent about what an unmapped wait reads.
expect 1 'implementation-differs .*vpm-fig8a=in-order' fuzz
expect 1 'implementation-choice .*vpm-wait-data=unmapped' fuzz --campaign "$tmp/program"
expect 1 'manual-erratum .*vpm-fig8a=in-order' fuzz --board-is silicon --campaign "$tmp/silicon"
expect 1 'manual-gap .*vpm-wait-data=unmapped' fuzz --board-is silicon

# every report says so, and the campaign keeps it
expect 1 '' "$m" report "$tmp/program" \
    --md "$tmp/p.md" --html "$tmp/p.html" --json "$tmp/p.json" --junit "$tmp/p.xml"
for form in md html xml; do
    check "$form: a difference" grep -qi 'implementation.differs' "$tmp/p.$form"
    check "$form: no erratum is claimed" test -z "$(grep -iE '(>|type=")manual.erratum[^,<]*(<|")[^/]*fig8a' \
        "$tmp/p.$form")"
done
check 'JSON: the evidence is an implementation' python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
assert {f["evidence"] for f in r["findings"]} == {"implementation"} and not r["silicon"]
assert all(not f["verdict"].startswith("manual") for f in r["findings"])' "$tmp/p.json"
check 'the manual has its say' grep -q 'The manual .* says otherwise' "$tmp/p.md"
expect 0 'follow\|agree' "$m" verify "$tmp/program"
expect 0 'follow\|agree' "$m" verify "$tmp/silicon"
expect 1 'manual erratum' "$m" report "$tmp/silicon" --md -

# the summary says which of the two an implementation contradicts: nobody saw silicon do what figure 8a shows
expect 1 'implementation-differs: it contradicts the manual$' "$m" fuzz vc4-vpm --board "$board" --cases 150
# an emulator that follows the manual does not show that a profile of silicon is wrong; silicon does
literal="exec:$m agent --board virtual:bcm2835,vpm-fifo-depth=manual"
wrong='so the profile is wrong'
for is in implementation silicon; do
    expect 1 'profile-wrong .*vpm-fifo-depth=manual' "$m" fuzz vc4-vpm --profile bcm2835 --board "$literal" \
        --cases 2000 --quiet --stats --board-is $is --campaign "$tmp/literal-$is"
    "$m" report "$tmp/literal-$is" --md "$tmp/literal-$is.md" 2>/dev/null
done
check 'an implementation follows the text' grep -q "the manual's own text\." "$tmp/literal-implementation.md"
check 'it says nothing about the profile' eval '! grep -q "$wrong" "$tmp/literal-implementation.md"'
check 'silicon does' grep -q "$wrong" "$tmp/literal-silicon.md"
check 'a row of findings does not end with a colon' eval '! grep -q ":  |" "$tmp/p.md"'

# what cannot be true is refused
expect 2 'leave out --board-is' "$m" fuzz vc4-vpm --board virtual:bcm2835 --board-is silicon --cases 1
expect 2 "silicon or implementation, not 'board'" \
    "$m" fuzz vc4-vpm --board "$board" --board-is board --cases 1

sum_up
