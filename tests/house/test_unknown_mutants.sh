#!/bin/sh
# SPDX-License-Identifier: MIT
# Long tier: scripts/unknown-mutants makes boards that `bench unknown` notices.
set -eu
[ "${MISPRINT_TEST_LONG:-}" = 1 ] || { echo 'long tier: set MISPRINT_TEST_LONG=1'; exit 77; }
: "${MISPRINT:?path of the misprint command}"
cd "${MISPRINT_SOURCE_DIR:-$(dirname "$0")/../..}"
git rev-parse --git-dir >/dev/null 2>&1 || { echo 'not a git repository'; exit 77; }
work=${MISPRINT_BUILD_DIR:-build}/unknown
scripts/unknown-mutants --unit svp64-swizzle --seed 1 --count 2 --work "$work"
"$MISPRINT" bench unknown --boards "$work/boards-1.jsonl" --time 2 --json >"$work/rows.json"
python3 - "$work/rows.json" <<'END'
import json, sys
rows = json.load(open(sys.argv[1]))
assert len(rows) == 2 and all(row["shown"] and row["hidden"] == [] for row in rows), rows
assert all(row["kind"] in ("decoding", "addresses", "arithmetic", "elsewhere") for row in rows), rows
END
