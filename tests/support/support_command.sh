# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What the tests of the command have in common; they set $tmp, a folder of their own, before they source this. In the end: sum_up.
: "${tmp:?}"
checks=0
failures=0

not_so() {
    failures=$((failures + 1))
    printf 'FAILED: %s\n' "$1"
    head -20 "$2" | sed 's/^/    /'
}

# expect STATUS PATTERN COMMAND...: runs it; its exit status and (standard output and error together, which stay in $tmp/out) must match.
expect() {
    wanted=$1 pattern=$2
    shift 2
    checks=$((checks + 1))
    "$@" >"$tmp/out" 2>&1 </dev/null
    got=$?
    if [ "$got" != "$wanted" ] || ! grep -q -- "$pattern" "$tmp/out"; then
        not_so "$*
  wanted status $wanted and \"$pattern\", got status $got and:" "$tmp/out"
    fi
}

# check SENTENCE COMMAND...: the command must succeed. It may look at $tmp/out: what it says itself goes elsewhere.
check() {
    sentence=$1
    shift
    checks=$((checks + 1))
    "$@" >"$tmp/checked" 2>&1 </dev/null || not_so "$sentence ($*)" "$tmp/checked"
}

sum_up() {
    echo "$checks checks, $failures failed"
    [ "$failures" -eq 0 ]
}
