#!/bin/sh
# SPDX-License-Identifier: MIT
# `misprint spec`: the matrix of clauses by implementations has every clause of every unit, the cells that the
# documents, the recordings and the learned profiles give, and links to cases that exist. A learned profile
# without what it needs is an error. The cells of silicon are looked up in `misprint clauses`, the others are
# written here.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
MISPRINT_CORPUS=$MISPRINT_SOURCE_DIR/corpus
export MISPRINT_CORPUS
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
fail() { printf 'FAILED: %s\n' "$*"; exit 1; }

"$MISPRINT" spec --md "$tmp/matrix.md" -o "$tmp/page.html" 2>/dev/null || fail 'misprint spec --md -o'
"$MISPRINT" clauses --json >"$tmp/ledger.json" || fail 'misprint clauses --json'
python3 - "$tmp/matrix.md" "$tmp/page.html" "$tmp/ledger.json" "$MISPRINT_SOURCE_DIR" <<'END' ||
import html, json, os, re, sys
md, page = (open(f, encoding="utf-8").read() for f in sys.argv[1:3])
units = json.load(open(sys.argv[3]))
tables, links = {}, 0
for part in re.split(r"^## ", md, flags=re.M)[1:]:
    rows = [[c.strip() for c in l.strip("|").split("|")] for l in part.splitlines() if l.startswith("|")]
    tables[part.split("\n")[0]] = {r[0]: dict(zip(rows[0][1:], r[1:])) for r in rows[2:]}
    assert all(len(r) == len(rows[0]) for r in rows), part[:200]
for target in re.findall(r"\]\(([^)]+)\)", md):
    links += 1
    assert os.path.isfile(os.path.join(sys.argv[4], target)), target
name = lambda cell: re.sub(r"\[(.*)\]\(.*\)", r"\1", cell)
cells = 0
for u in units:
    table = tables[u["unit"]]
    assert list(table) == [c["id"] for c in u["clauses"]], u["unit"]
    for c in u["clauses"]:
        row = table[c["id"]]
        silicon = {"silicon": "", "stated": " (stated)"}
        known = [r["id"] + silicon[r["evidence"]] for r in c["readings"] if r["evidence"] in silicon]
        assert name(row["silicon"]) == ", ".join(known), (c["id"], row)
        assert name(row["manual"]) == ("silent" if c["silent"] else "manual"), (c["id"], row)
        for profile, reading in c["profiles"].items():
            assert profile == "manual" or name(row[profile]) == reading, (c["id"], profile, row)
        cells += len(row)
        for column, cell in row.items():  # also of clauses whose cases are with another unit
            assert not cell or "](" in cell, (u["unit"], c["id"], column, cell)
vpm, qpu = tables["vc4-vpm"], tables["vc4-qpu"]
expected = [  # what the sources of videocoreiv-sim and VC4C do, read by a person
    (vpm, "vdw-stride-width", "sixteen-bits", "corpus/vc4-vpm/learned/sim-stride-width.case"),
    (vpm, "vpm-read-queue", "redirects", "corpus/vc4-vpm/learned/sim-read-queue.case"),
    (vpm, "vpm-fig8a", "in-order", "corpus/vc4-vpm/learned/vc4c-bytes.case"),
    (vpm, "vpm-stride-zero", "stays", "corpus/vc4-vpm/learned/vc4c-stride-zero.case"),
    (qpu, "sf-per-element", "condition-true", "corpus/vc4-qpu/learned/vc4c-flags.case"),
    (qpu, "ldi-op-text", "add-zero", "corpus/vc4-qpu/learned/vc4c-ldi-carry.case"),
    (qpu, "shift-amount", "mod-32", "corpus/vc4-qpu/learned/sim-shift-amount.case"),
]
for table, clause, reading, case in expected:
    name_of = "vc4c" if "/vc4c-" in case else "videocoreiv-sim"
    assert table[clause][name_of] == f"[{reading}]({case})", table[clause]
assert vpm["vpm-addr-h8"]["videocoreiv-sim"] == "", "it has no 8-bit access, so nothing is known"
assert "- [`vc4-vpm block.y when horizontal != 0 = value << -reading`](" in md
for id in re.findall(r'href="#(case-[^"]+)"', page):
    assert f'id="{id}"' in page, id
assert "<th>manual<br><span class=\"soft\">there is none: Mesa</span></th>" in page  # V3D has no manual
assert "<span class=\"soft\">QPULib&#39;s emulator c2658a5 (2020-12-09), learned 2026-11-25</span>" in page
for table, clause, reading, case in expected:
    anchor = case.replace("corpus/", "case-").replace("/", "-").replace(".case", "")
    assert f'href="#{anchor}"><code>{reading}</code>' in page, anchor
    assert html.escape(open(os.path.join(sys.argv[4], case)).read()) in page, case
print(f"matrix: {len(tables)} units, {cells} cells, {links} links")
END
    fail 'the matrix is not what it should be'

# Faulty learned profiles.
mkdir -p "$tmp/corpus/vc4-vpm/learned"
MISPRINT_CORPUS=$tmp/corpus
learned=$tmp/corpus/vc4-vpm/learned
printf 'misprint-case 1 vc4-vpm\n' >"$learned/it.case"
# refuse WORDS LINE...: a profile of these lines is an error with these words
refuse() {
    words=$1
    shift
    printf '%s\n' "$@" >"$learned/it.profile"
    "$MISPRINT" spec --md - >"$tmp/out" 2>"$tmp/said" && fail "accepted: $*"
    grep -q "$words" "$tmp/said" || fail "\"$words\" is not in: $(cat "$tmp/said")"
}
first='# implementation: it 1' second='# learned: today, by hand'
refuse "implementation: NAME" 'base = manual'
refuse "implementation: NAME" "$first" 'base = manual'
refuse "names a case" "$first" "$second" 'vpm-read-queue = redirects'
refuse "none.case" "$first" "$second" '# case: none' 'vpm-read-queue = redirects'
refuse "redirekts" "$first" "$second" '# case: it' 'vpm-read-queue = redirekts'
printf '%s\n' "$first" "$second" '# case: it' 'vpm-read-queue = redirects' >"$learned/it.profile"
"$MISPRINT" spec --md - >"$tmp/out" 2>/dev/null || fail 'a good profile'
grep -q '^| vpm-read-queue .*| \[redirects\](corpus/vc4-vpm/learned/it.case) |$' "$tmp/out" ||
    fail "$(grep '^| vpm-read-queue' "$tmp/out")"
echo 'faulty learned profiles: all refused'
