# SPDX-License-Identifier: MIT
# Counts test cases from ctest's own output (first file) and its LastTest.log (second file): a cmocka program counts as its test
# functions, a script as one. A program that failed without naming a failed function (a crash, a sanitizer's stop) is one failure.
# Prints "PASSED FAILED SKIPPED", then a line for each failure and each skip; of a script or a program that ended early, what it said first.

BEGIN { LINES = 5 } # of a reason
FNR == NR {
    if (match($0, /Test +#[0-9]+: [^ ]+/)) {
        name = substr($0, RSTART, RLENGTH)
        sub(/.*: /, "", name)
        if ($0 ~ /\*\*\*Skipped/)
            result[name] = "skipped"
        else if ($0 ~ / Passed +[0-9.]+ sec/)
            result[name] = "passed"
        else
            result[name] = "failed"
        order[++entries] = name
    }
    next
}

/^[0-9]+\/[0-9]+ Testing: / { current = $3; listing = 0 }
/^\[  PASSED  \] [0-9]+ test\(s\)/ { passed[current] += $4; seen[current] = 1 }
/^\[  SKIPPED \] [0-9]+ test\(s\)/ { skipped[current] += $4; seen[current] = 1; listing = "skipped"; next }
/^\[  FAILED  \] [0-9]+ test\(s\)/ { failed[current] += $4; seen[current] = 1; listing = "FAILED"; next }
!told[current] && (/^FAILED: / || /(Address|Leak)Sanitizer: |: runtime error: /) { telling = told[current] = LINES; sub(/^FAILED: /, "") }
telling { why[current] = why[current] (telling-- == LINES ? ": " : " | ") substr($0, 1, 300) }
/^\[  (SKIPPED|FAILED ) \] / && listing { note[++notes] = listing ": " current ": " $NF }

END {
    for (i = 1; i <= entries; i++) {
        name = order[i]
        if (result[name] == "skipped") {
            skips++
            note[++notes] = "skipped: " name
        } else if (result[name] == "passed") {
            passes += seen[name] ? passed[name] : 1
            skips += skipped[name]
        } else {
            passes += passed[name]
            skips += skipped[name]
            failures += failed[name] ? failed[name] : 1
            if (!failed[name])
                note[++notes] = "FAILED: " name why[name]
        }
    }
    printf "%d %d %d\n", passes, failures, skips
    for (i = 1; i <= notes; i++)
        print note[i]
}
