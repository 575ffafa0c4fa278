#!/bin/sh
# SPDX-License-Identifier: MIT
# `misprint spec`: the page has the whole ledger, each clause once, with its cases, and a browser opens it.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
MISPRINT_CORPUS=$MISPRINT_SOURCE_DIR/corpus
export MISPRINT_CORPUS
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
fail() { printf 'FAILED: %s\n' "$*"; exit 1; }

"$MISPRINT" spec -o "$tmp/page.html" 2>/dev/null || fail 'misprint spec -o'
"$MISPRINT" spec --html "$tmp/again.html" 2>/dev/null || fail 'misprint spec --html'
cmp "$tmp/page.html" "$tmp/again.html" || fail 'misprint spec --html is another page than -o'
"$MISPRINT" clauses --json >"$tmp/ledger.json" || fail 'misprint clauses --json'
python3 - "$tmp/page.html" "$tmp/ledger.json" "$MISPRINT_CORPUS" <<'END' || fail 'the page is not the ledger'
import collections, html, json, pathlib, re, sys
page = open(sys.argv[1], encoding="utf-8").read()
plain = html.unescape(re.sub(r"<[^>]*>", "", page))
clauses = {c["id"]: c for u in json.load(open(sys.argv[2])) for c in u["clauses"]}
ids = collections.Counter(re.findall(r'id="([^"]+)"', page))
assert max(ids.values()) == 1, [i for i in ids if ids[i] > 1]
articles = re.findall(r'<article class="finding [^"]*" id="([^"]+)"', page)
assert sorted(articles) == sorted(clauses), set(articles) ^ set(clauses)
assert re.findall(r'<tr><td><a href="#([^"]+)">', page) == articles  # the filter hides both
assert all(target in ids for target in re.findall(r'href="#([^"]+)"', page))
assert all(", ".join(c["modes"]) in plain for c in clauses.values())
rows = re.findall(r'<tr><td><a href="#([^"]+)">.*?data-h="Readings">(.*?)</td>', page, re.S)
listed = {c: re.findall(r"<code>([^<]*)</code>", readings) for c, readings in rows}
assert listed == {i: [r["id"] for r in c["readings"]] for i, c in clauses.items()}
for c in clauses.values():
    said = [r[k] for r in c["readings"] for k in ("says", "source")]
    said += [c[k] for k in ("title", "where", "proposed", "workaround")]
    for sentence in filter(None, said):
        assert sentence.replace("`", "") in plain, (c["id"], sentence)
cases = 0
for file in pathlib.Path(sys.argv[3]).glob("*/*.case"):
    if re.sub(r"-\d$", "", file.stem) in clauses and file.stem in clauses:
        cases += 1
        assert file.read_text() in html.unescape(page), file
assert cases > len(clauses) * 3 / 4, cases
print(f"spec: {len(clauses)} clauses, {cases} cases, {len(page)} characters")
END
MISPRINT_CORPUS=$tmp/none "$MISPRINT" spec >"$tmp/bare.html" 2>"$tmp/said" ||
    fail 'misprint spec without cases'
if ! grep -q 'not installed' "$tmp/said" || ! grep -q 'shows no separating cases' "$tmp/bare.html"; then
    fail 'the missing cases are not mentioned'
fi
"$MISPRINT" spec -o "$tmp/nowhere/page.html" 2>/dev/null
[ $? -eq 2 ] || fail 'a place that cannot be written is wrong use'
"$MISPRINT_SOURCE_DIR/scripts/page-check" "$tmp/page.html"
status=$?
[ "$status" -eq 77 ] && echo 'no Chromium: the page was not opened in a browser' && exit 0
exit "$status"
