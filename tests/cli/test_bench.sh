#!/bin/sh
# SPDX-License-Identifier: MIT
# `misprint bench`: the figures of the benches that need no long time are numbers that fit each other, and fit
# the time that passed here. How fast the build is does not matter.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}" "${MISPRINT_BUILD_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
[ "${MISPRINT_INSTRUMENTED:-0}" = 0 ] || { echo 'takes minutes with sanitizers'; exit 77; }
MISPRINT_CORPUS=$MISPRINT_SOURCE_DIR/corpus
export MISPRINT_CORPUS
python3 - "$MISPRINT" <<'END'
import json, os, subprocess, sys, time

def bench(*words):
    start = time.monotonic()
    out = subprocess.run([sys.argv[1], "bench", *words], stdout=subprocess.PIPE, text=True, check=True).stdout
    return out, time.monotonic() - start

def near(a, b, share=0.01):
    return abs(a - b) <= share * max(abs(a), abs(b))

# Ten million instructions a run (`about` says so) cannot take longer than the command.
out, seconds = bench("qpu-run", "--json", "--quiet")
(row,) = json.loads(out)["benches"]
assert row["name"] == "qpu-run" and 0 < row["lowest"] <= row["median"] <= row["highest"], row
assert 1e7 / row["highest"] < seconds, (row, seconds)
# Figures name the machine as its kernel does.
with open("/proc/cpuinfo") as file:
    names = [line.split(":", 1)[1].strip() for line in file if line.startswith(("model name", "Model"))]
assert not names or json.loads(out)["machine"].startswith(names[0] + "; misprint "), (names[:1], out)

# The transform that silicon runs to its end does so here, too: no word of it stops a QPU.
if os.environ.get("MISPRINT_TEST_DATA"):
    out, seconds = bench("qpu-fft", "--json", "--quiet")
    (row,) = json.loads(out)["benches"]
    assert row["name"] == "qpu-fft" and 0 < row["lowest"] <= row["median"] <= row["highest"], row

# The slowest of seven starts is shorter than all of them together. An unknown name is wrong use.
out, seconds = bench("store-start", "--json", "--quiet")
(row,) = json.loads(out)["benches"]
assert row["name"] == "store-start" and row["in"] == "seconds" and row["limit"] == 1, row
assert 0 < row["value"] < seconds, (row, seconds)
unknown = subprocess.run([sys.argv[1], "bench", "store-end"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
assert unknown.returncode == 2 and b"store-end" in unknown.stderr and not unknown.stdout, unknown

# Boards: larger batches, each for its share of the time.
out, seconds = bench("board", "--board", "virtual:bcm2835", "--unit", "vc4-vpm", "--time", "1", "--json")
doc = json.loads(out)
sizes = [row["at_once"] for row in doc["figures"]]
assert doc["board"] == "virtual:bcm2835" and sizes == sorted(set(sizes)) and sizes[0] == 1, doc
assert len(sizes) > 2 and seconds >= 1, (sizes, seconds)
for row in doc["figures"]:
    assert near(row["cases_per_second"], row["launches_per_second"] * row["at_once"]), row
    # One process, mostly at work: a case takes no more processor time than time.
    assert 0 < row["processor_us_per_case"] <= 1.1e6 / row["cases_per_second"], row
    # A virtual board launches nothing on hardware and proves nothing.
    assert row["dry_run_us_per_case"] == 0, row
    assert near(row["outside_launches_us_per_case"], row["processor_us_per_case"]), row
    assert 1e3 / row["launches_per_second"] <= row["slowest_ms"] * 1.01 <= 1e3 * seconds, row

# Coverage: each kind of feedback saves cases. The seeds are fixed, so the counts are too.
out, seconds = bench("coverage", "--unit", "svp64-swizzle", "--json", "--quiet")
none, touched, separated = json.loads(out)["coverage"]
clauses = json.loads(subprocess.run([sys.argv[1], "clauses", "svp64-swizzle", "--json"],
                                    stdout=subprocess.PIPE, check=True).stdout)
assert [r["feedback"] for r in (none, touched, separated)] == ["without", "touched", "touched and separated"]
assert none["times_as_fast"] == 1, none
for row in (none, touched, separated):
    assert row["unit"] == "svp64-swizzle" and row["clauses"] == none["clauses"], row
    assert row["clauses"] <= row["median_clauses"] <= len(clauses[0]["clauses"]), row
    assert row["clauses"] <= row["median_cases"] <= 40000, row
    assert near(row["times_as_fast"], none["median_cases"] / row["median_cases"]), row
assert none["median_cases"] > touched["median_cases"] > separated["median_cases"], (none, touched, separated)
if os.environ.get("MISPRINT_TEST_LONG"):
    again, _ = bench("coverage", "--unit", "svp64-swizzle", "--json", "--quiet")
    assert again == out, (again, out)

# Planted errata: JSON and the table count the same, with and without the corpus.
options = ("planted", "--unit", "svp64-swizzle", "--cases", "200", "--time", "60", "--quiet")
found = json.loads(bench(*options, "--json")[0])
table, _ = bench(*options)
assert len(found) == sum(line.startswith("| `svp64-swizzle` |") for line in table.splitlines()), table
for row in found:
    assert row["unit"] == "svp64-swizzle" and 0 < row["cases"] <= 200, row
    assert f"`{row['planted']}`" in table, row
    if row["verdict"] != "missed":
        assert 0 <= row["first_case"] <= row["cases"] and row["first_seconds"] <= row["seconds"], row
kinds = {row["kind"] for row in found}
for line in table.splitlines():
    cells = [cell.strip() for cell in line.strip("| ").split("|")]
    if len(cells) == 11 and cells[0] in kinds:
        rows = [row for row in found if row["kind"] == cells[0]]
        assert int(cells[1]) == len(rows) == sum(map(int, cells[2:9])), (line, len(rows))
        assert int(cells[2]) == sum(row["verdict"] == "exact" for row in rows), line
        kinds.remove(cells[0])
assert not kinds, kinds
assert sum(row["verdict"] == "exact" for row in found) > len(found) / 2, table
bare = json.loads(bench(*options, "--no-corpus", "--json")[0])
assert [row["planted"] for row in bare] == [row["planted"] for row in found]
assert [row["first_case"] for row in bare] != [row["first_case"] for row in found]

# Rules: the bench itself checks that its rules change nothing. Rules at points that values pass often cost
# time.
row, = json.loads(bench("rules", "--unit", "svp64-swizzle", "--time", "2", "--json")[0])["units"]
assert row["values only"] > row["one rule"] > row["eight rules"] > 0, row
assert row["rare rule"] > 0 and row["usual rule"] > 0, row
command = [sys.argv[1], "points", "svp64-swizzle"]
assert row["point"] in subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout, row

# The ways to attach a board. The bench itself checks that a board that crashes on one case in 1,000 loses no
# other case.
plugin = os.environ["MISPRINT_BUILD_DIR"] + "/tests/plugin_model.so"
row, = json.loads(bench("boards", "--unit", "svp64-swizzle", "--board", "plugin:" + plugin, "--time", "0.4",
                        "--json")[0])["units"]
for way in "virtual", "exec agent", "plug-in inline", "plug-in child", "child quiet", "exec quiet", \
        "exec inline quiet":
    assert row[way] > 0, row
for way in "child", "exec", "exec inline":
    assert row[way + " crashes"] > 0, row
    ms = 1e6 / row[way + " crashes"] - 1e6 / row[way + " quiet"]
    assert near(row[way + " crashes, ms each"], ms), (row, ms)
table, _ = bench("boards", "--unit", "svp64-swizzle", "--board", "plugin:" + plugin, "--time", "0.4")
assert "crashes on one case in 1,000" in table and table.count("\n  svp64-swizzle") == 2, table
print(len(sizes), "batch sizes,", len(found), "planted errata")
END
