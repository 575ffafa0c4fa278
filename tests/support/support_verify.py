# SPDX-License-Identifier: MIT
"""Does `misprint verify` find and name every change of a campaign? Usage: support_verify.py MISPRINT FOLDER

Computes a campaign's chain from docs/evidence.md, independently of the project's code. Then changes, removes,
adds and swaps rows of every table, one at a time, and flips bytes of a trace.
"""
import hashlib, json, os, shutil, sqlite3, struct, subprocess, sys

misprint, folder = sys.argv[1], sys.argv[2]
scale = int(os.environ.get("MISPRINT_TEST_SCALE", "100"))
checks = 0


def run(*words):
    return subprocess.run([misprint, *words], capture_output=True, text=True)


def must(good, what):
    global checks
    checks += 1
    if not good:
        sys.exit(f"FAILED: {what}")


def verify(path, *more):
    """Status and the JSON of the one result."""
    done = run("verify", path, "--json", *more)
    return done.returncode, json.loads(done.stdout)["results"][0] if done.stdout else {"said": done.stderr}


# --- the chain by the document --------------------------------------------------------------------

NUMBER, REAL, TEXT, BLOB, NULL = 1, 2, 3, 4, 5
RECORDS = {  # name: table, key, the other columns, order
    "case": ("cases", "id", "run, unit, hash, pairs, label, kept_case, outcome", "1"),
    "dropped": ("dropped", "id", "unit, label, reason, dropped_case", "1"),
    "run": ("runs", "id",
            "command, unit, profile, board_spec, board_kind, board_description, board_provenance,"
            " board_silicon, memory_base, code_base, seed, seconds, machine, interrupted, engine", "1"),
    "tally": ("tally", "run", "name, value", "name"),
    "coverage": ("coverage", "run", "clause, modes", "clause"),
    "progress": ("progress", "run", "seconds, cases, clauses, pairs, findings", "cases"),
    "place": ("places", "board_spec", "folder", "1"),
    "finding": ("findings", "id",
                "unit, verdict, profile, board_spec, board_kind, board_description, board_provenance,"
                " board_silicon, memory_base, code_base, rivals, more_rivals, excused, cut, runs, nearest,"
                " nearest_bits, signature, cases, smallest, size, label, board_outcome", "1"),
    "evidence": ("evidence", "finding",
                 "board_spec, board_kind, board_description, board_provenance, board_silicon, memory_base,"
                 " code_base, cases, label", "board_spec"),
    "reason": ("dropped_count", "reason", "cases", "1"),
    "trials": ("trials", "finding", "cause, rival, cases", "rival"),
    "learned": ("learned", "finding", "rules, alternatives, alternatives_count, explained, experiments", "1"),
    "related": ("related", "finding", "role, label, related_case, outcome", "role"),
}
GROWING = ("case", "dropped")


def number(n):
    return struct.pack("<Q", n & (1 << 64) - 1)


def part(b):
    b = b.encode() if isinstance(b, str) else b
    return number(len(b)) + b


def columns_of(row):
    out = number(len(row))
    for v in row:
        if v is None:
            out += number(NULL)
        elif isinstance(v, int):
            out += number(NUMBER) + number(v)
        elif isinstance(v, float):
            out += number(REAL) + struct.pack("<d", v)
        elif isinstance(v, str):
            out += number(TEXT) + part(v)
        else:
            out += number(BLOB) + part(v)
    return out


def sha(b):
    return hashlib.sha256(b).digest()


def record(db, name, key):
    table, column, others, order = RECORDS[name]
    rows = db.execute(f"SELECT {others} FROM {table} WHERE {column} = ? ORDER BY {order}", (key,)).fetchall()
    values = b"".join(map(columns_of, rows))
    return sha(part("misprint record") + part(name) + part(key) + values + number(len(rows)))


def seal(standing):
    return sha(part("misprint state") + b"".join(map(columns_of, standing)) + number(len(standing)))


def head_by_the_document(path):
    db = sqlite3.connect(path + "/misprint.db")
    link, state = bytes(32), None
    chain = db.execute("SELECT seq, kind, key, digest, link FROM chain ORDER BY seq").fetchall()
    for seq, kind, key, digest, value in chain:
        if kind in GROWING:
            must(record(db, kind, key) == digest, f"{kind} {key} by the document")
        state = digest if kind == "state" else state
        link = sha(part("misprint link") + link + number(seq) + part(kind) + part(key) + digest)
        must(link == value, f"link {seq} by the document")
    standing = db.execute("SELECT kind, key, digest FROM standing ORDER BY kind, key").fetchall()
    for kind, key, digest in standing:
        must(record(db, kind, key) == digest, f"{kind} {key} by the document")
    must(state == seal(standing), "the seal by the document")
    for name, (table, column, _, _) in RECORDS.items():
        keys = {str(k) for (k,) in db.execute(f"SELECT DISTINCT {column} FROM {table}")}
        source = "chain" if name in GROWING else "standing"
        noted = {k for (k,) in db.execute(f"SELECT key FROM {source} WHERE kind = ?", (name,))}
        must(keys == noted, f"each {name} is noted")
    db.close()
    return link.hex()


# --- a campaign with rows in every table ----------------------------------------------------------

campaign, twin = folder + "/campaign", folder + "/twin"
for words in (["fuzz", "vc4-vpm", "--cases", "1500"], ["fuzz", "vc4-vpm", "--cases", "1500"],
              ["fuzz", "vc4-vpm", "--profile", "bcm2835", "--board", "exec:python3 scripts/example-board.py",
               "--cases", "300"],
              ["fuzz", "vc4-vpm", "--board", "virtual:manual;vc4-vpm load.x = value + 1", "--cases", "400"]):
    done = run(*words, "--campaign", campaign, "--quiet")
    must(done.returncode in (0, 1), f"{words}: {done.stderr}")
status, told = verify(campaign)
must(status == 0 and told["good"] and not told["faults"], f"a campaign is valid: {told}")
derived = [f["derived"] for f in told["findings"]]
must(set(derived) <= {"follows", "stands"} and 2 * derived.count("follows") > len(derived),
     f"most verdicts follow: {told['findings']}")
must(told["head"] == head_by_the_document(campaign), "the head by the document")
first_head = told["head"]

db = sqlite3.connect(campaign + "/misprint.db")
db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
tables = [t for (t,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
must(set(tables) == {t for t, _, _, _ in RECORDS.values()} | {"chain", "standing"},
     f"the tables are those of the document: {tables}")
# A case that refutes a learned rule is rare; test_learned_campaign.sh has a campaign with one.
empty = [t for t in tables if t != "related" and not db.execute(f"SELECT COUNT(*) FROM {t}").fetchone()[0]]
must(not empty, f"no table of the test's campaign is empty: {empty}")
keys = {t: [c[1] for c in db.execute(f"PRAGMA table_info({t})") if c[5]] for t in tables}
columns = {t: [c[1] for c in db.execute(f"PRAGMA table_info({t})")] for t in tables}
for name, (table, key, others, _) in RECORDS.items():
    must(set(columns[table]) == {key} | set(others.split(", ")),
         f"the columns of {table} are those of the document")
db.close()


def tampered(what, expected, *statements):
    """Runs SQL on a copy; the verification must say 1, and name one of the words expected."""
    shutil.rmtree(twin, ignore_errors=True)
    os.mkdir(twin)
    shutil.copy(campaign + "/misprint.db", twin)
    db = sqlite3.connect(twin + "/misprint.db")
    changed = 0
    for sql, values in statements:
        changed += db.execute(sql, values).rowcount
    db.commit()
    db.close()
    must(changed != 0, f"{what}: the test changed nothing")
    status, told = verify(twin)
    must(status == 1 and not told["good"] and told["faults"], f"{what}: status {status}, {told}")
    must(any(expected in f["row"] for f in told["faults"]),
         f"{what} is named as '{expected}': {told['faults']}")


def other(v):
    if v is None:
        return b"x"
    if isinstance(v, (int, float)):
        return v + 100000
    return v + "x" if isinstance(v, str) else bytes([v[0] ^ 1]) + v[1:] if v else b"x"


def where(table):
    return " AND ".join(f"{k} = ?" for k in keys[table] or ["rowid"])


for table in tables:
    db = sqlite3.connect(campaign + "/misprint.db")
    order = ", ".join(keys[table])
    rows = db.execute(f"SELECT {order}, {', '.join(columns[table])} FROM {table} ORDER BY {order}").fetchall()
    db.close()
    n = len(keys[table])
    if not rows:
        tampered(f"a row of {table} added", f"table {table}",
                 (f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns[table]))})",
                  ["x"] * len(columns[table])))
        continue
    for at, column in enumerate(columns[table]):
        row = rows[len(rows) // 2]
        tampered(f"{table}.{column} changed",
                 f"(table {table}" if table not in ("chain", "standing") else "table ",
                 (f"UPDATE {table} SET {column} = ? WHERE {where(table)}", (other(row[n + at]), *row[:n])))
    for row in (rows[0], rows[len(rows) // 2], rows[-1])[:3 if scale >= 50 else 1]:
        tampered(f"a row of {table} removed", f"table {table}",
                 (f"DELETE FROM {table} WHERE {where(table)}", row[:n]))
    row = list(rows[-1][n:])
    for k in keys[table]:
        at = columns[table].index(k)
        row[at] = row[at] + 1000 if isinstance(row[at], int) else row[at] + "1"
    for at, column in enumerate(columns[table]):
        if table == "cases" and column == "hash":
            row[at] += 1
    tampered(f"a row of {table} added", f"table {table}",
             (f"INSERT INTO {table} VALUES ({','.join('?' * len(row))})", row))
    if len(rows) > 1 and n == 1:  # all but the keys changes places
        rest = [c for c in columns[table] if c not in keys[table]]
        a, b = rows[0], rows[len(rows) // 2]
        update = f"UPDATE {table} SET {', '.join(c + ' = ?' for c in rest)} WHERE {where(table)}"
        value = lambda r: [r[n + columns[table].index(c)] for c in rest]
        unique = [(f"UPDATE cases SET hash = hash + 7777777 WHERE id = ?", a[:n])] if table == "cases" else []
        if value(a) != value(b):
            tampered(f"rows of {table} swapped", f"table {table}", *unique, (update, (*value(a), *b[:n])),
                     (update, (*value(b), *a[:n])))
db = sqlite3.connect(campaign + "/misprint.db")
most = db.execute("SELECT MAX(seq) FROM chain").fetchone()[0]
db.close()
tampered("a tail of the chain removed", "table", ("DELETE FROM chain WHERE seq > ?", (most - 2,)))
tampered("two links of the chain removed", "links 5 to 6 (table chain)",
         ("DELETE FROM chain WHERE seq IN (5, 6)", ()))
tampered("the chain removed", "the whole chain (table chain)", ("DELETE FROM chain", ()))
print(f"{len(tables)} tables, {sum(map(len, columns.values()))} columns: every change is named")

# --- a forger who computes the whole chain anew ---------------------------------------------------


def rehash(db):
    db.execute("DELETE FROM standing")
    for name, (table, column, _, _) in RECORDS.items():
        for (key,) in db.execute(f"SELECT DISTINCT {column} FROM {table}").fetchall():
            if name not in GROWING:
                db.execute("INSERT INTO standing VALUES (?, ?, ?)",
                           (name, str(key), record(db, name, str(key))))
    standing = db.execute("SELECT kind, key, digest FROM standing ORDER BY kind, key").fetchall()
    state, link = seal(standing), bytes(32)
    last = db.execute("SELECT MAX(seq) FROM chain WHERE kind = 'state'").fetchone()[0]
    chain = db.execute("SELECT seq, kind, key, digest FROM chain ORDER BY seq").fetchall()
    for seq, kind, key, digest in chain:
        digest = record(db, kind, key) if kind in GROWING else state if seq == last else digest
        link = sha(part("misprint link") + link + number(seq) + part(kind) + part(key) + digest)
        db.execute("UPDATE chain SET digest = ?, link = ? WHERE seq = ?", (digest, link, seq))


def forged(what, *statements):
    """The forged chain is valid, but a verdict does not follow, and the earlier head is gone."""
    shutil.rmtree(twin, ignore_errors=True)
    os.mkdir(twin)
    shutil.copy(campaign + "/misprint.db", twin)
    db = sqlite3.connect(twin + "/misprint.db")
    for sql, values in statements:
        must(db.execute(sql, values).rowcount > 0, f"{what}: the test changed something")
    rehash(db)
    db.commit()
    db.close()
    status, told = verify(twin)
    must(not told["faults"], f"{what}: the forged chain is valid: {told['faults']}")
    wrong = [f for f in told["findings"] if f["derived"] == "does not follow"]
    must(status == 1 and wrong, f"{what} does not follow: status {status}, {told['findings']}")
    must(verify(twin, "--head", first_head)[1]["head_found_at"] is None,
         f"{what}: the earlier head is gone")
    return wrong


db = sqlite3.connect(campaign + "/misprint.db")
(links,) = db.execute("SELECT count(*) FROM chain").fetchone()
must(verify(campaign)[1]["links"] == links, f"the chain has {links} links")
made = db.execute("SELECT id, smallest, size, board_outcome, rivals, signature FROM findings"
                  " WHERE verdict = 'manual-erratum' ORDER BY id").fetchall()
db.close()
must(len(made) > 2, "there are errata")
(one, case, size, answer, rivals, signature), other_one = made[0], made[-1]
wrong = forged("a verdict", ("UPDATE findings SET verdict = 'manual-gap' WHERE id = ?", (one,)))
must([f["id"] for f in wrong] == [one] and "manual-erratum" in wrong[0]["why"],
     f"the rules' verdict is named: {wrong}")
forged("a finding's clause", ("UPDATE findings SET rivals = ? WHERE id = ?", (other_one[4], one)))
forged("a finding's differences", ("UPDATE findings SET signature = signature + 1 WHERE id = ?", (one,)))
forged("another finding's case",
       ("UPDATE findings SET smallest = ?, size = ?, board_outcome = ?, signature = ? WHERE id = ?",
                                  (other_one[1], other_one[2], other_one[3], other_one[5], one)))
forged("an answer of the board", ("UPDATE findings SET board_outcome = ? WHERE id = ?", (b"", one)))
print("findings that were forged together with the chain do not follow")

# A chain without its first link does not say what it began with. The others were numbered and computed anew.
shutil.rmtree(twin)
os.mkdir(twin)
shutil.copy(campaign + "/misprint.db", twin)
db = sqlite3.connect(twin + "/misprint.db")
must(db.execute("DELETE FROM chain WHERE seq = 1 AND kind = 'start'").rowcount == 1,
     "a chain has a first link")
db.execute("UPDATE chain SET seq = -seq")
db.execute("UPDATE chain SET seq = -seq - 1")
rehash(db)
db.commit()
db.close()
status, told = verify(twin)
must(status == 1 and [f["row"] for f in told["faults"]] == ["the first link (table chain)"],
     f"a chain without its first link: {status} {told['faults']}")

# A page of the database is overwritten: damaged, not changed.
shutil.rmtree(twin)
shutil.copytree(campaign, twin)
with open(twin + "/misprint.db", "r+b") as f:
    f.seek(5 * 4096)
    f.write(bytes([0xA5]) * 3000)
status, told = verify(twin)
must(status == 1 and "damaged" in told["faults"][0]["row"], f"a damaged database: {status} {told}")

# An empty database beside cases is lost, not new: continuing the campaign would remove the cases.
cases = sorted(os.listdir(twin + "/cases"))
os.truncate(twin + "/misprint.db", 0)
for name in ("-wal", "-shm"):
    if os.path.exists(twin + "/misprint.db" + name):
        os.unlink(twin + "/misprint.db" + name)
status, told = verify(twin)
must(status == 1 and "is empty, but cases/" in told["faults"][0]["row"], f"a lost database: {status} {told}")
done = run("fuzz", "vc4-vpm", "--cases", "10", "--campaign", twin, "--quiet")
must(done.returncode == 2 and "is empty, but cases/" in done.stderr,
     f"a campaign with a lost database does not continue: {done.stderr}")
must(sorted(os.listdir(twin + "/cases")) == cases, "the cases are still there")

# A changed file in cases/: the chain is valid, and the file is named.
shutil.rmtree(twin)
shutil.copytree(campaign, twin)
status, told = verify(twin)
must(status == 0 and told["files"] == {"findings": len(told["findings"]), "same": len(told["findings"]),
                                       "without_row": 0},
     f"all files: {told['files']}")
changed = twin + "/cases/" + told["findings"][0]["id"] + ".case"
text = open(twin + "/cases/" + told["findings"][1]["id"] + ".case").read()
open(changed, "w").write(text)
status, told = verify(twin)
must(status == 0 and told["files"]["same"] == told["files"]["findings"] - 1,
     f"a file of another case: {told['files']}")
done = run("verify", twin)
must(os.path.basename(changed) + " does not" in done.stdout, f"the file is named: {done.stdout}")
open(twin + "/cases/F-000000000000.case", "w").write(text)
done = run("verify", twin)
must("cases/F-000000000000.case: the database has no such finding" in done.stdout,
     f"a file without a row is named: {done.stdout}")

# A report of a changed campaign says so at its top, on standard error and by its status.
db = sqlite3.connect(twin + "/misprint.db")
db.execute("UPDATE findings SET verdict = 'manual-gap' WHERE rowid = 1")
db.commit()
db.close()
done = run("report", twin)
must(done.returncode == 2 and "Do not rely on this report" in done.stdout[:300]
     and "was changed by something other than misprint" in done.stderr,
     f"the report of a changed campaign: {done.returncode}, {done.stderr}")

# --- continuing and merging ------------------------------------------------------------------------

must(verify(campaign, "--head", first_head)[0] == 0, "the head of now is found")
done = run("fuzz", "vc4-vpm", "--cases", "200", "--jobs", "2", "--campaign", campaign, "--quiet")
must(done.returncode in (0, 1), f"the campaign continues: {done.stderr}")
status, told = verify(campaign, "--head", first_head)
must(status == 0 and told["head_found_at"] and told["head"] != first_head,
     f"the earlier head is in the chain: {told}")
must(told["head"] == head_by_the_document(campaign), "the head by the document, after continuing")
status, told = verify(campaign, "--head", "0" * 64)
must(status == 1 and told["head_found_at"] is None, "the head of another campaign is not found")
must(run("verify", campaign, "--head", "12").returncode == 2, "a head that is none")
second = folder + "/second"
must(run("fuzz", "vc4-tmu", "--cases", "300", "--campaign", second, "--quiet").returncode in (0, 1),
     "a second campaign")
both = folder + "/both"
must(run("merge", campaign, second, "-o", both).returncode == 0, "they merge")
status, told = verify(both)
must(status == 0 and told["merged"] == 2 and told["head"] == head_by_the_document(both),
     f"the merged campaign is valid: {told}")
db = sqlite3.connect(both + "/misprint.db")
merges = db.execute("SELECT key, digest FROM chain WHERE kind = 'merge' ORDER BY seq")
origins = [(k, d.hex()) for k, d in merges]
db.close()
must([d for _, d in origins] == [verify(campaign)[1]["head"], verify(second)[1]["head"]]
     and campaign in origins[0][0],
     f"the merged campaign names the heads of its sources: {origins}")
db = sqlite3.connect(second + "/misprint.db")
db.execute("UPDATE runs SET seed = 99")
db.commit()
db.close()
done = run("merge", campaign, second, "-o", folder + "/never")
must(done.returncode == 2 and "run 1" in done.stderr and "verify" in done.stderr,
     f"a changed campaign is not merged: {done.stderr}")
done = run("fuzz", "vc4-tmu", "--cases", "10", "--campaign", second, "--quiet")
must(done.returncode == 2 and "run 1 was changed" in done.stderr,
     f"a changed campaign does not continue: {done.stderr}")
must(run("verify", folder + "/nothing").returncode == 2, "no campaign")

# --- traces ---------------------------------------------------------------------------------------

trace = folder + "/t.trace"
done = run("record", campaign + "/cases", "--board", "virtual:bcm2835", "-o", trace)
must(done.returncode == 0, f"a trace is recorded: {done.stderr}")
status, told = verify(trace)
must(status == 0 and told["records"] > 1 and len(told["head"]) == 64, f"a trace is whole: {told}")
must(verify(trace, "--head", told["head"])[0] == 0 and verify(trace, "--head", "1" * 64)[0] == 1,
     "a trace's head")
whole = open(trace, "rb").read()
step = max(1, len(whole) // max(40, 4 * scale))
bad = folder + "/bad.trace"
for at in list(range(0, 64)) + list(range(64, len(whole), step)) + list(range(len(whole) - 60, len(whole))):
    with open(bad, "wb") as f:
        f.write(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1:])
    done = run("verify", bad)
    must(done.returncode in (1, 2) and (bad in done.stdout + done.stderr),
         f"byte {at} of the trace: status {done.returncode}, {done.stdout}")
    must(done.returncode == 1 or 8 <= at < 12,
         f"byte {at} of the trace is tampering, or another version: {done.stderr}")
done = run("verify", __file__)
must(done.returncode == 2 and "not a trace" in done.stderr,
     f"a file that is no trace is wrong input, not tampering: status {done.returncode}, {done.stderr}")
print(f"a trace of {len(whole)} bytes: every change is found")
print(f"{checks} checks")
