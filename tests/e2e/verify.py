"""`warplored verify` on a directory with every kind of fact: it finds each fact column that is edited by
SQL, and with --deep each flipped bit of the database file that changes a row, an index or a word of
the full-text index. Flips that change none of them are counted apart, and so are those in tables
that no document says (the log of answers). `GET …/raw` serves no bytes but those that arrived.

Usage: verify.py WARPLORED WARPLORE SOURCE_ROOT [FLIPS [COLUMNS: at most so many, 0 for all]]"""
import glob
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys

from daemon import Daemon, make_token, need, scratch, until

WARPLORED, WARPLORE, ROOT = map(os.path.abspath, sys.argv[1:4])
FLIPS = int(sys.argv[4]) if len(sys.argv) > 4 else 30
COLUMNS = int(sys.argv[5]) if len(sys.argv) > 5 else 30
# Tables that are the service's own record, and not said by any document.
OWN = ("log_", "drv_model", "drv_advice_")
ULID = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def agent(folder, data, port):
    env = {**os.environ, "HOME": folder, "WARPLORE_STATE": folder + "/state", "WARPLORE_URL": f"http://127.0.0.1:{port}"}
    code = subprocess.run([WARPLORED, "enroll", "--data", data, "--label", "gpu-7"], check=True, capture_output=True, text=True).stdout
    document = folder + "/batch.json"
    with open(document, "w") as f:
        json.dump({"warplore": 1, "id": "01JB00000000000000000AGEN1", "kernels": [
            {"id": "01JB00000000000000000KERN1", "operator": "softmax", "name": "of an agent", "language": "cuda"}]}, f)
    for words in (["enroll", "--code", re.search(r"wle_[\w-]+", code)[0]], ["add", document], ["run", "--once"]):
        done = subprocess.run([WARPLORE, "agent", *words], env=env, capture_output=True, text=True)
        need(done.returncode == 0, f"agent {words}: {done.stdout}{done.stderr}")
    listed = subprocess.run([WARPLORED, "agents", "--data", data], check=True, capture_output=True, text=True).stdout
    subprocess.run([WARPLORED, "agents", "--data", data, "--revoke", listed.split()[0]], check=True, capture_output=True)


def fill(folder, data):
    """A stopped directory with rows in all tables of facts."""
    token = make_token(WARPLORED, data, "curator")
    daemon, stored = Daemon(WARPLORED, data), 0
    for where in ("tests/http/fixtures", "tests/fixtures/demo", "tests/fixtures/walkthrough", "tests/fixtures/submissions"):
        for path in sorted(glob.glob(f"{ROOT}/{where}/*.json")):
            with open(path, "rb") as f:
                stored += daemon.request("POST", "/api/v1/submissions", token, f.read())[0] == 201
    need(stored > 20, f"the fixtures to be stored: {stored}")
    rows = json.loads(daemon.request("GET", "/api/v1/experiments?limit=3", token)[1])["rows"]
    status, answer, _ = daemon.request("POST", f"/api/v1/experiments/{rows[0]['id']}/mask", token, '{"masked": true, "reason": "noise"}')
    need(status in (200, 201), f"a mask: {status} {answer[:300]}")
    daemon.request("GET", "/api/v1/recommend?operator=softmax&chip=rtx3090", token)
    agent(folder, data, daemon.port)
    until(lambda: b"agent_revoked" in daemon.request("GET", "/api/v1/events?limit=200", make_token(WARPLORED, data, "admin"))[1],
          20, "the revocation to be an event")
    daemon.stop()
    sqlite3.connect(data + "/warplore.db").execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for end in ("-wal", "-shm"):
        if os.path.exists(data + "/warplore.db" + end):
            os.unlink(data + "/warplore.db" + end)


def verify(data, *options):
    done = subprocess.run([WARPLORED, "verify", *options, "--data", data, "--scratch", os.path.dirname(data)], capture_output=True, text=True, timeout=300)
    need(done.returncode in (0, 1), f"verify to end with 0 or 1, not {done.returncode}: {done.stdout}{done.stderr}")
    return done.returncode, (done.stdout + done.stderr).strip()


class Copy:
    """A copy of the directory whose database is made anew for each damage."""

    def __init__(self, folder, data):
        self.source, self.data = data, os.path.join(folder, "damaged")
        shutil.copytree(data, self.data)
        self.path = os.path.join(self.data, "warplore.db")

    def fresh(self):
        for end in ("", "-wal", "-shm", "-journal"):
            if os.path.exists(self.path + end):
                os.unlink(self.path + end)
        shutil.copy(os.path.join(self.source, "warplore.db"), self.path)
        return self.path


def other(value, declared):
    """A value of the column's type that differs."""
    if value is None:
        return {"INTEGER": 7, "REAL": 1.5, "BLOB": b"x"}.get(declared, "x")
    if isinstance(value, (int, float)):
        return value + 1000003
    if isinstance(value, bytes):
        return (bytes([value[0] ^ 1]) + value[1:]) if value else b"x"
    last = value[-1:] or "a"
    return value[:-1] + ("b" if last != "b" else "c")


def edits(path):
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    tables = [t for t, in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'fact_%' ORDER BY name")]
    empty = [t for t in tables if not db.execute(f"SELECT count(*) FROM {t}").fetchone()[0]]
    all_of = [(t, name, declared) for t in tables if t not in empty
              for _, name, declared, *_ in db.execute(f"PRAGMA table_info({t})")]
    return all_of, empty


def columns(copy):
    """Each fact column, in one row of its table, without the constraints of the schema."""
    all_of, empty = edits(copy.fresh())
    rng, missed = random.Random(3), []
    chosen = all_of if COLUMNS == 0 or COLUMNS >= len(all_of) else rng.sample(all_of, COLUMNS)
    for table, column, declared in chosen:
        db = sqlite3.connect(copy.fresh())
        db.execute("PRAGMA ignore_check_constraints = ON")
        key = [c[1] for c in db.execute(f"PRAGMA table_info({table})") if c[5]]
        of_row = " AND ".join(f"{k} = ?" for k in key)
        row = rng.choice(db.execute(f"SELECT {', '.join(key)} FROM {table}").fetchall())
        (value,) = db.execute(f"SELECT {column} FROM {table} WHERE {of_row}", row).fetchone()
        db.execute(f"UPDATE {table} SET {column} = ? WHERE {of_row}", (other(value, declared), *row))
        db.commit()
        db.close()
        code, said = verify(copy.data)
        if code == 0:
            missed.append(f"{table}.{column}")
    print(f"{len(chosen)} of {len(all_of)} fact columns edited, {len(chosen) - len(missed)} found;"
          f" missed: {', '.join(missed) or 'none'}; empty tables: {', '.join(empty) or 'none'}")
    need(not missed, f"every edited column to be found: {missed}")


def image(path):
    """All that can be read of a database: its schema, rows, and words. An error is another image."""
    try:
        db = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
        db.execute("PRAGMA cell_size_check = ON")
        db.execute("PRAGMA writable_schema = OFF")
        db.text_factory = bytes
        out = {"schema": [tuple(r) for r in db.execute("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema ORDER BY rowid")],
               "numbers": [db.execute(f"PRAGMA {p}").fetchone() for p in ("user_version", "application_id", "encoding")],
               "check": db.execute("PRAGMA integrity_check").fetchall()}
        for kind, name, *_ in out["schema"]:
            if kind == b"table" and name not in (b"drv_search_data", b"drv_search_idx"):
                out[name.decode()] = db.execute(f"SELECT * FROM {name.decode()}").fetchall()
        db.execute("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, drv_search, instance)")
        out["words"] = db.execute("SELECT * FROM words").fetchall()
        out["ranks"] = db.execute("SELECT block FROM drv_search_data WHERE id = 1").fetchall()
        db.close()
        return out
    except (sqlite3.Error, UnicodeDecodeError, OverflowError) as e:
        return {"error": str(e)}


def flips(copy):
    whole, rng = image(copy.fresh()), random.Random(11)
    need("words" in whole, f"the sound database to be read: {whole.get('error')}")
    size = os.path.getsize(copy.path)
    unused, own, found, missed, needless = 0, 0, 0, [], 0
    for _ in range(FLIPS):
        at, bit = rng.randrange(size), 1 << rng.randrange(8)
        with open(copy.fresh(), "r+b") as f:
            f.seek(at)
            byte = f.read(1)[0]
            f.seek(at)
            f.write(bytes([byte ^ bit]))
        now = image(copy.path)
        changed = [k for k in {**whole, **now} if whole.get(k) != now.get(k)]
        code, said = verify(copy.data, "--deep")
        if not changed:
            unused += 1
            needless += code != 0
        elif all(k.startswith(OWN) for k in changed):
            own += 1
        elif code == 0:
            missed.append(f"byte {at} bit {bit}: {changed}")
        else:
            found += 1
    print(f"{FLIPS} flipped bits: {found} changed a row, an index or a word and were found, {len(missed)} were missed;"
          f" {own} only in the service's own records; {unused} in unused bytes, {needless} of them reported")
    need(not missed, "every flip that changes something to be found: " + "; ".join(missed))


def raw(copy):
    """A document whose stored bytes changed is not served, and its neighbours are."""
    db = sqlite3.connect(copy.fresh())
    (seq, one, packed), (other_id,) = (db.execute("SELECT seq, id, zstd FROM fact_document ORDER BY length(zstd) DESC").fetchone(),
                                       db.execute("SELECT id FROM fact_document ORDER BY length(zstd)").fetchone())
    at = len(packed) // 2
    db.execute("UPDATE fact_document SET zstd = ? WHERE seq = ?", (packed[:at] + bytes([packed[at] ^ 4]) + packed[at + 1:], seq))
    db.commit()
    db.close()
    token = make_token(WARPLORED, copy.data, "reader")
    daemon = Daemon(WARPLORED, copy.data)
    need(daemon.request("GET", f"/api/v1/submissions/{one}/raw", token)[0] == 500, "damaged bytes not to be served")
    need(daemon.request("GET", f"/api/v1/submissions/{other_id}/raw", token)[0] == 200, "the others to be served")
    daemon.stop()


def main():
    with scratch() as folder:
        data = os.path.join(folder, "live")
        os.mkdir(data)
        fill(folder, data)
        for options in ([], ["--deep"]):
            code, said = verify(data, *options)
            need(code == 0, f"the directory to be sound {options}: {said}")
        print(said, f"({os.path.getsize(data + '/warplore.db')} bytes)")
        copy = Copy(folder, data)
        columns(copy)
        flips(copy)
        raw(copy)


main()
