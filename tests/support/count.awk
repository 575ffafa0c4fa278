# SPDX-License-Identifier: MIT
# Counts test cases from ctest's output (first file) and its LastTest.log (second file). A cmocka program
# counts as its test functions, a script as one. A program that fails without naming a function (a crash, a
# sanitizer's stop) is one failure. Prints "PASSED FAILED SKIPPED", then a line for each failure and each
# skip, with the first lines of a script or program that ended early.

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
!reason[current] && (/^FAILED: / || /(Address|Leak)Sanitizer: |: runtime error: /) {
    left = reason[current] = LINES
    sub(/^FAILED: /, "")
}
left { why[current] = why[current] (left-- == LINES ? ": " : " | ") substr($0, 1, 300) }
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
