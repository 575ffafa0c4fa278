# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Shared by the tests of the command. They set $tmp to a folder of their own, source this, and end with
# sum_up.
: "${tmp:?}"
checks=0
failures=0

fail() {
    failures=$((failures + 1))
    printf 'FAILED: %s\n' "$1"
    head -20 "$2" | sed 's/^/    /'
}

# expect STATUS PATTERN COMMAND...: runs it; its exit status must be STATUS, and its output must match
# PATTERN. Standard output and error stay in $tmp/out.
expect() {
    wanted=$1 pattern=$2
    shift 2
    checks=$((checks + 1))
    "$@" >"$tmp/out" 2>&1 </dev/null
    got=$?
    if [ "$got" != "$wanted" ] || ! grep -q -- "$pattern" "$tmp/out"; then
        fail "$*
  wanted status $wanted and \"$pattern\", got status $got and:" "$tmp/out"
    fi
}

# check SENTENCE COMMAND...: the command must succeed. It may read $tmp/out; its own output goes elsewhere.
check() {
    sentence=$1
    shift
    checks=$((checks + 1))
    "$@" >"$tmp/checked" 2>&1 </dev/null || fail "$sentence ($*)" "$tmp/checked"
}

sum_up() {
    echo "$checks checks, $failures failed"
    [ "$failures" -eq 0 ]
}
