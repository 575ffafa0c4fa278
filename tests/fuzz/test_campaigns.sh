#!/bin/sh
# SPDX-License-Identifier: MIT
# Commands on campaigns and on fuzzers' folders: go on, merge, minimize, show dropped cases, replay.
set -u
m=${MISPRINT:?the command under test}
cd "${MISPRINT_SOURCE_DIR:?}" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/support/support_command.sh
. tests/support/support_command.sh

query() { # campaign, expression over the report's JSON `r`
    "$m" report "$1" --json "$tmp/query.json" 2>/dev/null
    python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); sys.exit(not ('"$2"'))' "$tmp/query.json"
}

# --- the same command goes on ---
expect 1 '2,000 cases' "$m" fuzz vc4-vpm --cases 2000 --campaign "$tmp/a"
expect 1 '2,000 cases' "$m" fuzz vc4-vpm --cases 2000 --campaign "$tmp/a"
check 'no seed is used twice' query "$tmp/a" '[str(x["seed"]) for x in r["runs"]] == ["1", "2"]'
check 'coverage over time is kept, and never shrinks' query "$tmp/a" \
    'all(x["engine"] == "builtin" and x["progress"] for x in r["runs"]) and
     r["runs"][1]["progress"][0]["pairs"] >= r["runs"][0]["progress"][-1]["pairs"]'
check 'cases add up' query "$tmp/a" 'r["tally"]["cases"] == 4000'

# --- a run waits while another process is about to write to a campaign that has no log yet ---
expect 1 '50 cases' "$m" fuzz vc4-vpm --cases 50 --campaign "$tmp/shared"
python3 - "$tmp/shared/misprint.db" >"$tmp/writing" 2>&1 <<'WRITER' &
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
print(db.execute("PRAGMA journal_mode=DELETE").fetchone())
db.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
time.sleep(2)
WRITER
for _ in 1 2 3 4 5 6 7 8 9 10; do
    grep -q locked "$tmp/writing" && break
    sleep 0.5
done
expect 1 '50 cases' "$m" fuzz vc4-vpm --cases 50 --campaign "$tmp/shared"
check 'the writer had the lock' grep -q locked "$tmp/writing"
wait

# --- several runs at the same time on one campaign have different seeds ---
for i in 1 2 3 4 5 6; do
    "$m" fuzz vc4-vpm --cases 50 --campaign "$tmp/together" --quiet >"$tmp/together.$i" 2>&1 &
done
wait
check 'each has a seed of its own' query "$tmp/together" \
    'sorted(int(x["seed"]) for x in r["runs"]) == [1, 2, 3, 4, 5, 6] and r["tally"]["cases"] == 300'

expect 0 'those of all findings match the database' "$m" verify "$tmp/together"

# --- without a campaign the seeds are the given ones ---
"$m" fuzz vc4-vpm --cases 40 --jobs 2 --seed 7 --json >"$tmp/seven.json" 2>/dev/null
check 'the given one and the next ones' python3 -c \
    'import json, sys; sys.exit([int(x["seed"]) for x in json.load(open(sys.argv[1]))["runs"]] != [7, 8])' \
    "$tmp/seven.json"

# --- an error is reported once, before a directory is made ---
for wrong in '--changes 9' '--changes 0' '--profile nope'; do
    for what in 'fuzz vc4-vpm --jobs 3 --cases 9' 'replay corpus/vc4-vpm'; do
        # shellcheck disable=SC2086 # lists of words, on purpose
        expect 2 'misprint: ' "$m" $what $wrong --campaign "$tmp/wrong"
        check "$what $wrong: one line" test "$(wc -l <"$tmp/out")" = 1
        check "$what $wrong: no directory" test ! -e "$tmp/wrong"
    done
done

# --- smallest cases are reduced; the README's first session is right ---
smaller() { # campaign: do its cases become smaller still?
    for one in "$1"/cases/*.case; do
        "$m" reduce "$one" -o "$tmp/reduced" 2>/dev/null
        grep -v '^#' "$one" | cmp -s - "$tmp/reduced" || echo "$one"
    done
}
expect 1 'F-48bd09afa393  manual-erratum  *[0-9]* cases  vpm-fig8a=in-order' "$m" fuzz vc4-vpm --cases 2000 \
    --stats --campaign "$tmp/first"
expect 1 '^vpm 0 word 1: model 1D89F5CD, board 1D89F561$' "$m" explain "$tmp/first/cases/F-48bd09afa393.case"
check 'no kept case can be reduced' test -z "$(smaller "$tmp/first")"

# --- jobs find the same: the store has each case in the finding of the joint attribution ---
for unit in vc4-vpm vc4-qpu; do
    "$m" fuzz $unit --cases 600 --jobs 2 --campaign "$tmp/jobs-$unit" --json >"$tmp/jobs.json" 2>/dev/null
    "$m" report "$tmp/jobs-$unit" --json "$tmp/stored.json" >/dev/null 2>&1
    check "$unit: as many cases of each finding" python3 -c '
import json, sys
told, stored = ({f["id"]: f["cases"] for f in json.load(open(p))["findings"]} for p in sys.argv[1:])
sys.exit(not told or told != stored)' "$tmp/jobs.json" "$tmp/stored.json"
done

# --- several jobs are reported as one run ---
expect 1 '  400 cases, ' "$m" fuzz vc4-vpm --cases 400 --jobs 2 --stats
check 'with one line of all jobs' test "$(grep -c 'cases/s in 2 jobs$' "$tmp/out")" = 1
"$m" fuzz vc4-vpm --cases 400 --jobs 2 --no-corpus --stats >"$tmp/two" 2>/dev/null
check 'and one paragraph on the evidence of all' sh -c \
    '[ "$(grep -c "^[0-9]* cases were kept as evidence" "$1")" = 1 ] && ! grep -q "^job " "$1"' - "$tmp/two"
for seed in 1 2; do
    "$m" fuzz vc4-vpm --cases 200 --seed $seed --no-corpus --stats 2>/dev/null
done >"$tmp/each"
kept() { sed -n 's/^\([0-9]*\) cases* w[a-z]* kept as evidence; \([0-9]*\) differ.*/\1 \2/p' "$1" |
    awk '{ cases += $1; different += $2 } END { print cases, different }'; }
check 'with as many cases as the jobs have alone' test \
    "$(kept "$tmp/two")" = "$(kept "$tmp/each")" -a "$(kept "$tmp/two" | cut -d' ' -f1)" -gt 200

# One cause is one finding, whichever job found it; equal commands find the same.
found() { "$m" fuzz --stats "$@" 2>/dev/null | grep '^  F-'; }
expect 1 '^13 findings' "$m" fuzz vc4-vpm --seed 3 --cases 1000 --jobs 2
found vc4-qpu --seed 5 --cases 600 --jobs 2 --campaign "$tmp/jobs" >"$tmp/once"
found vc4-qpu --seed 5 --cases 600 --jobs 2 --campaign "$tmp/jobs-again" >"$tmp/twice"
check 'jobs in a new campaign find the same each time' cmp "$tmp/once" "$tmp/twice"
one_cause_one_finding() {
    test -z "$(grep -E 'manual-(erratum|gap)' "$1" | sed 's/ (.*//; s/.* cases\? *//' | sort | uniq -d)"
}
check 'no cause has two findings' one_cause_one_finding "$tmp/once"
# a new attribution while causes are isolated moves the finding in hand
expect 1 '' "$m" fuzz vc4-qpu --cases 2000 --seed 218 --no-corpus
expect 1 '' "$m" fuzz vc4-qpu --cases 5000 --campaign "$tmp/open"
# a question that a case alone leaves open makes no other finding
expect 1 '^[0-9]* inputs: [0-9]* with the same finding as before$' "$m" replay "$tmp/open/cases"
# two causes in one case are two findings, even if one of them has several explanations
cat >"$tmp/products.py" <<'PY'
import json, sys
sets = {f["id"]: [{(c["clause"], c["reading"]) for c in cause} for cause in f["explanation"]["causes"]]
        for f in json.load(open(sys.argv[1]))["findings"] if not f["explanation"]["only_undefined"]}
for id, causes in sets.items():
    small = [c for other, of in sets.items() if other != id for c in of if causes and len(c) < len(causes[0])]
    if causes and all(set().union(*(c for c in small if c <= cause)) == cause for cause in causes):
        sys.exit(id + " is made of other findings")
sys.exit(not any(len(causes) > 1 for causes in sets.values()))
PY
"$m" report "$tmp/open" --json "$tmp/open.json" >/dev/null 2>&1
check 'no finding is made of the causes of others' python3 "$tmp/products.py" "$tmp/open.json"

# --- what is said of a cause follows from what was tried; the boards follow what the test chooses ---
# Nothing tells `setup-lost` from `undefined`, which leaves undefined what it says.
lost=vpm-concurrent=setup-lost
expect 1 "manual-erratum .* $lost (no case distinguishes it from vpm-concurrent=undefined)\$" \
    "$m" fuzz vc4-vpm --stats --cases 2000 --board "virtual:manual,$lost" --campaign "$tmp/lost"
expect 1 '^  perhaps (or vpm-concurrent=undefined): .* The setup has no effect' "$m" fuzz vc4-vpm \
    --cases 2000 --board "virtual:manual,$lost"
expect 1 '^  or explained by vpm-concurrent=setup-lost$' "$m" explain corpus/vc4-vpm/vpm-concurrent.case \
    --board "virtual:manual,$lost"
check 'explain says which reading only leaves the bits undefined' grep -q \
    '^  left undefined by vpm-concurrent=undefined$' "$tmp/out"
expect 1 '' "$m" fuzz vc4-vpm --stats --cases 2000 --board "virtual:manual,$lost"
check 'the other set is listed' grep -q '^  or: vpm-concurrent=undefined$' "$tmp/out"
check 'and the cases whose bits the reading leaves undefined are no reproduced ones' grep -q \
    'the model reproduces [0-9]* of them, and leaves the differing bits of [0-9]* undefined:$' "$tmp/out"
rivals='{x["reading"]: x["cases"] > 0 for x in r["findings"][0]["explanation"]["trials"]["rivals"]}'
status='[f["explanation"]["status"] for f in r["findings"]]'
check 'the campaign keeps what was tried' query "$tmp/lost" "$status"' == ["fits"] and
    '"$rivals"' == {"manual": True, "undefined": False} and
    r["findings"][0]["clauses"][0]["followed"] == "setup-lost"'
expect 1 'manual-erratum .* vpm-fig8a=in-order$' "$m" fuzz vc4-vpm --stats --cases 2000 \
    --board virtual:manual,vpm-fig8a=in-order --campaign "$tmp/order"
passed='r["findings"][0]["explanation"]["trials"]["passed"]'
check 'a cause that the board could have refuted' query "$tmp/order" \
    "$status"' == ["tried"] and "follows reading" in r["findings"][0]["meaning"]
    and '"$passed > 20"
# What a cause was tried against stays known when a shorter run goes on.
"$m" fuzz vc4-vpm --cases 20 --board virtual:manual,vpm-fig8a=in-order --campaign "$tmp/order" \
    >"$tmp/out" 2>&1
check 'counts do not get lower' query "$tmp/order" "$passed > 20"

# --- a replay reports first what changed, and all of it ---
mkdir "$tmp/changed"
for i in $(seq 1 45); do cp "$tmp/first/cases/F-48bd09afa393.case" "$tmp/changed/a$i.case"; done
cp "$tmp/first/cases/F-7517d7214393.case" "$tmp/changed/F-000000000000.case"
sed 's/^# finding F-[0-9a-f]*/# finding F-000000000000/' "$tmp/first/cases/F-7517d7214393.case" \
    >"$tmp/changed/z.case"
expect 1 'and 5 more of the same' "$m" replay "$tmp/changed"
"$m" replay "$tmp/changed" >"$tmp/replayed" 2>&1
check 'changed inputs come before the same ones' sh -c \
    'sed -n "/inputs:/,/^  same finding/p" "$1" | grep -c "^  other finding" | grep -qx 2' - "$tmp/replayed"

# --- the cases of a campaign are compared as they were, unless options say otherwise ---
planted=virtual:manual,vpm-stride-zero=stays
expect 1 'vpm-stride-zero=stays' "$m" fuzz vc4-vpm --stats --cases 3000 --board $planted --campaign "$tmp/own"
"$m" replay corpus/vc4-qpu/silicon/unpack.trace --campaign "$tmp/several" --quiet >"$tmp/out" 2>&1
"$m" fuzz vc4-vpm --cases 400 --seed 2 --campaign "$tmp/several" --quiet >"$tmp/out" 2>&1
set -- "$tmp"/several/cases/F-*.case
# each is compared as it was; the outcomes of silicon come from the store
expect 1 "^$# inputs: $# with the same finding as before\$" "$m" replay "$tmp/several/cases"
check 'both comparisons' test "$(grep -c 'against trace:.*silicon)\|against virtual:' "$tmp/out")" -eq 2
expect 1 'had different profiles or boards' "$m" explain "$1"
expect 1 "^as the campaign .*/own: profile manual, board $planted\$" "$m" replay "$tmp/own/cases"
expect 1 "^as the campaign .*/own: profile manual, board $planted\$" "$m" explain "$tmp"/own/cases/F-*.case
expect 0 "profile manual,vpm-stride-zero=stays (yours), board $planted\$" "$m" replay "$tmp/own/cases" \
    --profile manual,vpm-stride-zero=stays
expect 0 'profile manual, board virtual:manual (yours)' "$m" replay "$tmp/own" --board virtual:manual
check 'JSON has no such line' sh -c '"$1" replay "$2" --json | python3 -m json.tool' - "$m" "$tmp/own/cases"
expect 1 '' "$m" fuzz vc4-vpm --cases 500 --board "exec:$m agent --board $planted" --campaign "$tmp/other"
expect 2 "started only if you name it: say --board 'exec:$m agent --board $planted'" "$m" replay \
    "$tmp/other/cases"
expect 2 'started only if you name it' "$m" explain "$tmp"/other/cases/F-*.case
expect 1 "against exec:$m agent" "$m" replay "$tmp/other/cases" --board "exec:$m agent --board $planted"
expect 0 'as the campaign' "$m" replay "$tmp/other/cases" --board virtual:manual

# --- merge ---
expect 1 '' "$m" fuzz vc4-vpm --cases 1500 --seed 9 --campaign "$tmp/b"
expect 1 '' "$m" fuzz amd-buffer --cases 500 --campaign "$tmp/b"
expect 0 '2 campaigns, 4 runs, 6000 cases' "$m" merge "$tmp/a" "$tmp/b" -o "$tmp/both"
cat >"$tmp/sums.py" <<'PY'
import json, os, subprocess, sys
m, both, *parts = sys.argv[1:]
def report(c): return json.loads(subprocess.run([m, "report", c, "--json", "-"], capture_output=True).stdout)
cases = {}
sizes = {}
for part in parts:
    for f in report(part)["findings"]:
        cases[f["id"]] = cases.get(f["id"], 0) + f["cases"]
        text = f["smallest_case"]
        sizes.setdefault(f["id"], []).append(text)
merged = report(both)
assert {f["id"] for f in merged["findings"]} <= set(cases), "a finding is of neither"
assert sum(f["cases"] for f in merged["findings"]) == sum(cases.values()), "cases do not add up"
assert any(len(s) > 1 for s in sizes.values()), "no finding is in both: that shows nothing"
for f in merged["findings"]:
    assert f["smallest_case"] in sizes[f["id"]]
    assert os.path.exists(f"{both}/cases/{f['id']}.case")
    assert sum(b["cases"] for b in f["boards"]) == f["cases"], "evidence does not add up"
PY
check 'a merged campaign holds the sums' python3 "$tmp/sums.py" "$m" "$tmp/both" "$tmp/a" "$tmp/b"
expect 0 '"cases": 6000' "$m" merge "$tmp/a" "$tmp/b" -o "$tmp/json" --json
expect 2 'already holds a campaign' "$m" merge "$tmp/a" -o "$tmp/both"
expect 2 'is given twice' "$m" merge "$tmp/a" "$tmp/a" -o "$tmp/twice"
expect 2 'is given twice' "$m" merge "$tmp/a" "$tmp/b" -o "$tmp/b"
expect 2 'no such directory' "$m" merge "$tmp/a" "$tmp/none" -o "$tmp/no"
expect 0 '4 runs, 6000 cases' "$m" merge "$tmp/both" -o "$tmp/again"
expect 2 'would be counted twice' "$m" merge "$tmp/both" "$tmp/a" -o "$tmp/more1"
expect 2 'would be counted twice' "$m" merge "$tmp/b" "$tmp/again" -o "$tmp/more2"
expect 1 '500 cases' "$m" fuzz vc4-vpm --cases 500 --campaign "$tmp/seed1"
expect 2 'from the same seed 1, .*counted twice' "$m" merge "$tmp/a" "$tmp/seed1" -o "$tmp/more3"
check 'a merge that fails leaves nothing' eval '! ls -d "$tmp"/more?'
# without generated cases, only the chains show it
expect 1 '' "$m" replay corpus/vc4-vpm --board $planted --campaign "$tmp/part1"
expect 1 '' "$m" replay corpus/vc4-vpm --board $planted --campaign "$tmp/part2"
expect 0 '' "$m" merge "$tmp/part1" "$tmp/part2" -o "$tmp/pair"
expect 0 '' "$m" merge "$tmp/pair" "$tmp/a" -o "$tmp/three"
for second in part1 pair; do
    expect 2 'contains what another .*links of' "$m" merge "$tmp/three" "$tmp/$second" -o "$tmp/never.$second"
done
check 'a bad input makes no directory' test ! -e "$tmp/no"
expect 2 'name the directory' "$m" merge "$tmp/a"
expect 1 '100 cases' "$m" fuzz vc4-vpm --cases 100 --campaign "$tmp/both"

# --- minimize ---
expect 0 'kept' "$m" minimize corpus/vc4-vpm "$tmp/a/cases" -o "$tmp/small"
expect 0 'kept' "$m" minimize "$tmp/a/cases" corpus/vc4-vpm -o "$tmp/small2"
check 'the order of the corpus does not matter' diff -r "$tmp/small" "$tmp/small2"
expect 0 ' 0 dropped' "$m" minimize "$tmp/small" -o "$tmp/small3"
check 'minimizing again changes nothing' diff -r "$tmp/small" "$tmp/small3"
expect 2 'is not empty' "$m" minimize corpus/vc4-vpm -o "$tmp/small"
expect 0 '"kept"' "$m" minimize corpus/amd-buffer -o "$tmp/small4" --json

# --- the folders of fuzzing engines ---
cat >"$tmp/folders.py" <<'PY'
import hashlib, os, sqlite3, struct, sys
database, root = sys.argv[1:]
connection = sqlite3.connect(database)
blobs = [row[0] for row in connection.execute("SELECT smallest FROM findings ORDER BY id")][:5]
blobs += [row[0] for row in connection.execute("SELECT kept_case FROM cases ORDER BY id")]
assert len(blobs) > 20
instance = root + "/afl/diff_vc4-vpm/default/"
for folder in ("crashes", "hangs", "queue", "queue/.state"):
    os.makedirs(instance + folder)
for name in ("fuzzer_stats", "plot_data", "cmdline", "crashes/README.txt", "queue/.state/x"):
    open(instance + name, "w").write("not a case\n")
def put(name, data): open(name, "wb").write(data)
for i, blob in enumerate(blobs[:4]): put(f"{instance}crashes/id:{i:06},sig:06,src:000000,op:havoc", blob)
put(instance + "hangs/id:000000,src:000001", blobs[4])
for i, blob in enumerate(blobs[5:9]): put(f"{instance}queue/id:{i:06},orig:seed", blob)
def batch(*cases): return b"\xb5MB\x01" + b"".join(struct.pack("<I", len(b)) + b for b in cases)
put(instance + "queue/id:000099,src:000000", batch(*blobs[:3]))
put(instance + "crashes/id:000099,sig:06,src:000000", batch(b"", b"", blobs[0]))  # the third one differs
libfuzzer = root + "/lib/vc4-vpm/"
os.makedirs(libfuzzer + "corpus")
for i, kind in enumerate(("crash", "timeout", "leak", "oom", "slow-unit")):
    put(f"{libfuzzer}{kind}-{hashlib.sha1(blobs[i]).hexdigest()}", blobs[i])
for blob in blobs[9:12]: put(libfuzzer + "corpus/" + hashlib.sha1(blob).hexdigest(), blob)
os.makedirs(root + "/bare")
put(root + "/bare/crash-0123", blobs[0])
PY
check 'the engines folders were made' python3 "$tmp/folders.py" "$tmp/a/misprint.db" "$tmp"
"$m" replay "$tmp/afl" --json >"$tmp/afl.json" 2>"$tmp/err"
"$m" replay "$tmp/lib" --json --junit "$tmp/lib.xml" >"$tmp/lib.json" 2>>"$tmp/err"
cat >"$tmp/inputs.py" <<'PY'
import collections, json, sys
import xml.etree.ElementTree as xml
afl, lib = (json.load(open(f)) for f in sys.argv[1:3])
def kinds(r): return dict(collections.Counter(i["origin"] for i in r["inputs"]))
assert kinds(afl) == {"crash": 5, "hang": 1, "corpus": 5}, kinds(afl)
assert afl["tally"]["cases"] == 4 + 1 + 4 + 3 + 3, "each batch holds three cases"
assert kinds(lib) == {"crash": 1, "hang": 2, "leak": 1, "out-of-memory": 1, "corpus": 3}, kinds(lib)
for r in (afl, lib):
    ids = {f["id"] for f in r["findings"]}
    for i in r["inputs"]:
        assert set(i["findings"]) <= ids and i["unit"] == "vc4-vpm"
        gone = "gone" if i["origin"] != "corpus" else "nothing"
        assert i["today"] == ("finding" if i["findings"] else gone), i
    assert any(i["findings"] for i in r["inputs"])
by_bytes = {i["path"].rsplit("/", 1)[1]: i for i in afl["inputs"]}
batch = by_bytes["id:000099,src:000000"]["findings"]
single = set().union(*(by_bytes[f"id:{k:06},sig:06,src:000000,op:havoc"]["findings"] for k in range(3)))
assert set(batch) == single, "a batch shows what its cases show"
third = by_bytes["id:000099,sig:06,src:000000"]["findings"]
assert third == by_bytes["id:000000,sig:06,src:000000,op:havoc"]["findings"] != [], "the third of a batch"
suite = xml.parse(sys.argv[3]).getroot().find("testsuite[@name='inputs']")
assert len(suite) == len(lib["inputs"]) == int(suite.get("tests"))
failures = len(suite.findall("testcase/failure"))
assert int(suite.get("failures")) == sum(i["discrepancy"] for i in lib["inputs"]) == failures
PY
check 'replay reports what each input does' python3 "$tmp/inputs.py" "$tmp/afl.json" "$tmp/lib.json" \
    "$tmp/lib.xml"
expect 2 'say --unit' "$m" replay "$tmp/bare"
mkdir "$tmp/b/engines" "$tmp/a/engines"
cp "$tmp/bare/"* "$tmp/a/engines"
cp "$tmp/bare/"* "$tmp/b/engines"
expect 1 '1 input: 1 different' "$m" replay "$tmp/a/engines" # of the unit of its campaign ...
expect 2 'say --unit' "$m" replay "$tmp/b/engines"         # ... if that has only one
expect 1 '1 input' "$m" replay "$tmp/bare" --unit vc4-vpm --profile manual

# --- cases of a campaign: the same finding in the same comparison, none under the right profile ---
expect 1 'same finding' "$m" replay "$tmp/b/cases" --profile manual
expect 0 'now equal' "$m" replay "$tmp/small" --profile bcm2835
mkdir "$tmp/moved"
# Findings that their own cases establish. Others also need evidence that a replay does not have
# (vpm-concurrent).
first='' second=''
for case in "$tmp/a/cases/"*.case; do
    grep -q '^  with ' "$case" && continue
    if [ -z "$first" ]; then
        first=$(basename "$case")
    elif [ -z "$second" ]; then
        second=$(basename "$case")
    fi
done
sed '1d' "$tmp/a/cases/$second" >"$tmp/moved/$first"
expect 1 'another finding than before' "$m" replay "$tmp/moved"
mkdir "$tmp/renamed"
cp "$tmp/a/cases/$first" "$tmp/renamed/regression.case"
cp "$tmp/a/cases/$first" "$tmp/renamed/x.case.1.2.part" # what a killed process left is no case
expect 1 '1 input: 1 with the same finding as before' "$m" replay "$tmp/renamed"

# --- the corpus, as continuous integration runs it ---
# Under each unit's best-known profile no case differs; under the manual many do. The manual is tried with the
# two units that take the least time.
for unit in $("$m" units | awk '/^[^ ]/ && $1 ~ /-/ { print $1 }'); do
    folder=corpus/$unit/
    profile=$("$m" units | awk -v unit="$unit" \
        '/^[^ ]/ { mine = $1 == unit } mine && /default virtual board/ { print $2 }')
    expect 0 "^0 findings" "$m" replay "$folder" --profile "${profile:-none}" --junit "$tmp/$unit.xml"
    check "JUnit has each case of corpus/$unit" sh -c \
        "[ \$(grep -c 'name=\"$folder.*\\.case\"></testcase>' '$tmp/$unit.xml') -eq \
            \$(find '$folder' -name '*.case' | wc -l) ]"
    case $unit in vc4-vpm | svp64-swizzle) ;; *) continue ;; esac
    expect 1 '^[1-9][0-9]* findings*[ :]' "$m" replay "$folder" --profile manual --board virtual:
done

# --- an empty corpus fails ---
mkdir "$tmp/empty"
expect 2 'is an empty folder' "$m" replay "$tmp/empty"
expect 2 'is an empty folder' "$m" minimize "$tmp/empty" -o "$tmp/x"

# --- each case is counted once; of few differing ones none is skipped ---
expect 1 '^13 cases were kept as evidence; 3 differ\. ' "$m" replay --stats corpus/amd-buffer/silicon
expect 1 '13 cases, .* 3 different' "$m" replay corpus/amd-buffer/silicon
"$m" fuzz vc4-vpm --cases 50 --stats >"$tmp/few" 2>&1
check 'every differing case of a short run is searched' sh -c \
    "grep -q ' [1-9][0-9]* different\$' '$tmp/few' && ! grep -q 'not searched' '$tmp/few'"

# --- dropped cases ---
sed -n '/^```python refuse$/,/^```$/p' harness/PROTOCOL.md | sed '1d;$d' >"$tmp/refuse.py"
"$m" fuzz vc4-vpm --board "exec:python3 $tmp/refuse.py" --cases 1200 --campaign "$tmp/refused" >/dev/null 2>&1
expect 0 '1200 cases had no outcome and were not compared; 800 kept' "$m" dropped "$tmp/refused"
expect 0 '1200  refused: not there yet' "$m" dropped "$tmp/refused"
expect 0 '^# refused: not there yet' "$m" dropped "$tmp/refused" 7
"$m" dropped "$tmp/refused" 7 >"$tmp/seven.case"
expect 0 'end = ' "$m" run "$tmp/seven.case"
check 'and as JSON' sh -c "'$m' dropped '$tmp/refused' --json | python3 -m json.tool"
expect 2 'no dropped case 2000' "$m" dropped "$tmp/refused" 2000
expect 2 'is not a number' "$m" dropped "$tmp/refused" seven
expect 0 '0 cases' "$m" dropped "$tmp/a"

sum_up
