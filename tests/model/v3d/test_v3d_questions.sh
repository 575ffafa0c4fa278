#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/v3d-questions.md numbers the 56 contradictions of the sources about V3D. Each number occurs once, and
# has a clause that exists or the reason why it has none. Each clause has a case. The other clauses are of
# what is undefined.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
fail() { printf 'FAILED: %s\n' "$*"; exit 1; }

"$MISPRINT" clauses v3d-qpu --json >"$tmp/clauses.json" || fail 'misprint clauses --json'
python3 - "$MISPRINT_SOURCE_DIR/docs/v3d-questions.md" "$tmp/clauses.json" \
    "$MISPRINT_SOURCE_DIR/corpus/v3d-qpu" <<'END' || fail 'the page is not the ledger'
import json, os, re, sys

page, clauses, corpus = open(sys.argv[1]).read(), json.load(open(sys.argv[2])), sys.argv[3]
known = {c["id"]: c for unit in clauses for c in unit["clauses"]}
rows = [[cell.strip() for cell in line.split("|")[1:-1]]
        for line in page.splitlines() if re.match(r"\| \d+ \|", line)]
bad = []
if [int(r[0]) for r in rows] != list(range(1, 57)):
    bad.append("the numbers are not 1 to 56")
cited = set(re.findall(r"`(v3d-[^`]+)`", page)) & set(known)
for number, question, answer in rows:
    names = re.findall(r"`([^`]+)`", answer)
    cited.update(names)
    if not names and not answer.startswith("no clause: "):
        bad.append(number + " has neither a clause nor a reason")
    bad += [f"{number} names {name}, which is no clause" for name in names if name not in known]
    for name in names:
        if not os.path.exists(f"{corpus}/{name}.case"):
            bad.append(f"{name} has no case")
        if name in known and len(known[name]["readings"]) < 2:
            bad.append(f"{name} has one reading")
for name in known:
    says = known[name]["readings"][0]["says"]
    if name not in cited and not says.startswith("What happens is undefined."):
        bad.append(f"no number names {name}")
print("\n".join(bad))
print(len(rows), "questions,", len(cited), "clauses")
sys.exit(bool(bad))
END

# The list for boards asks each clause that has a case which the proofs let through, and no other. Left out
# are clauses whose readings agree on each chip, or whose text says nothing that a board could contradict, and
# lanes without an invocation, which no board is asked to start.
"$MISPRINT" prove "$MISPRINT_SOURCE_DIR"/corpus/v3d-qpu/*.case >"$tmp/proven"
python3 - "$MISPRINT_SOURCE_DIR/corpus/raspberry-pi-4-5.questions" "$tmp/clauses.json" "$tmp/proven" \
    v3d-batches v3d-nn-mode v3d-msf <<'END' || fail 'the list is not what can be asked'
import json, re, sys

asked = [line.split(":")[0] for line in open(sys.argv[1]) if line.startswith("v3d-")]
known = [c["id"] for unit in json.load(open(sys.argv[2])) for c in unit["clauses"]]
known.sort(key=len, reverse=True)
cases = re.findall(r"^.*/(v3d-[^/]*)\.case: passes$", open(sys.argv[3]).read(), re.M)
can = {next(k for k in known if re.fullmatch(k + r"(-\d+)*", case)) for case in cases}
bad = [f"{c} is asked twice" for c in set(asked) if asked.count(c) > 1]
bad += [f"{c} is asked, and no case of it passes" for c in asked if c not in can]
bad += [f"{c} could be asked" for c in can if c not in asked and c not in sys.argv[4:]]
bad += [] if len(can) > 50 else [f"only {len(can)} clauses have a case that passes"]
print("\n".join(bad))
sys.exit(bool(bad))
END

# The sheet of facts: multop only writes RTOP, so its destination is undefined.
cat >"$tmp/multop.case" <<'END'
misprint-case 1 v3d-qpu
program {
  nop ; multop rf9, rf5, rf6
  nop ; nop ; thrsw
  nop
  nop
}
rf row 5 = all 42cd0700
END
"$MISPRINT" run "$tmp/multop.case" >"$tmp/multop" || fail 'misprint run'
grep -q '^rf 9 = .*(defined 00000000)' "$tmp/multop" || fail 'the destination of multop'

# v3d-denormal=flushed says that fcmp takes zeros for denormal numbers: then all of these are equal.
"$MISPRINT" run "$MISPRINT_SOURCE_DIR/corpus/v3d-qpu/v3d-denormal-2.case" \
    --profile manual,v3d-denormal=flushed >"$tmp/flushed" || fail 'misprint run'
grep -q '^rf 7 = ce374c1b b95a4826 25de32c2' "$tmp/flushed" || fail 'flushed: Z'
grep -q '^rf 9 = ' "$tmp/flushed" && fail 'flushed: N'

# v3d-iid-flnafirst-42=vpm says that no register changes: not r4 either, to which an SFU's result goes. In the
# second program of these, nothing goes to the SFU at all.
flnafirst() {
    printf 'misprint-case 1 v3d-qpu\nprogram {\n  vadd rf10, rf11, rf39\n  %s\n  nop\n  nop\n' "$1"
    printf '  nop ; nop ; thrsw\n  nop\n  nop\n}\nrf fill random 00000002\nacc fill random 00000002\n'
}
flnafirst 'flnafirst rsqrt ; nop' >"$tmp/vpm.case"
flnafirst 'nop' >"$tmp/nop.case"
for case in vpm nop; do
    "$MISPRINT" run "$tmp/$case.case" --profile manual,v3d-iid-flnafirst-42=vpm >"$tmp/out" ||
        fail "misprint run"
    sed 1d "$tmp/out" >"$tmp/$case"
done
cmp -s "$tmp/vpm" "$tmp/nop" || fail 'v3d-iid-flnafirst-42=vpm changes a register'

# The sheet of facts: barrierid's word to syncb is a barrier. Other words are other operations.
for write in 'nop ; mov syncb, 0' 'nop ; mov.ifa syncb, rf5'; do
    printf 'misprint-case 1 v3d-qpu\nprogram {\n%s\n' "$write" >"$tmp/sync.case"
    printf 'nop ; nop ; thrsw\nnop\nnop\n}\n' >>"$tmp/sync.case"
    "$MISPRINT" run "$tmp/sync.case" | grep -q '^end = fault' || fail "$write"
done

# py-videocore7, test_tmu: compare-exchange compares with tmudref and stores tmuoff. 5 becomes 77.
cat >"$tmp/exchange.case" <<'END'
misprint-case 1 v3d-qpu
generation = v3d71
program {
  nop ; nop ; ldunifrf.rf10
  nop ; nop ; ldunifrf.rf11
  mov tmuc, rf11
  mov tmuoff, rf6
  mov tmudref, rf5
  mov tmua, rf10
  nop ; nop ; ldtmu.rf7
  nop ; nop ; thrsw
  nop
  nop
}
uniforms {
  @100
  ffffff9f
}
rf row 5 = all 5
rf row 6 = all 77
memory row 4 = all 5
END
"$MISPRINT" run "$tmp/exchange.case" --profile manual,v3d-atomic-operand=tmudref |
    grep -q '^memory 4 .*00000077' || fail 'tmuoff before tmudref'
exit 0
