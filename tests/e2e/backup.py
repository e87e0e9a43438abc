"""The commands of docs/operating.md that back up and restore, word for word, beside a service under
load: nobody else can read the copy, and a service that starts on it knows the same tokens and finds
what was stored before the backup began. Every flipped bit of a backup is found by its manifest.
Directories whose files were lost or exchanged are refused, with what to do. A service makes backups
by itself, and after an unclean end it only reads a damaged database.

Usage: backup.py WARPLORED OPERATING_MD FIXTURE [FLIPS]"""
import json
import os
import random
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
import time

from daemon import Daemon, make_token, need, scratch, until

WARPLORED, PAGE, FIXTURE = map(os.path.abspath, sys.argv[1:4])
FLIPS = int(sys.argv[4]) if len(sys.argv) > 4 else 40
LIVE, BACKUPS = "/var/lib/warplore", "/mnt/backups"
ULID = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def documented():
    with open(PAGE) as f:
        return next(b for b in re.findall(r"```sh\n(.*?)```", f.read(), re.S) if "warplored backup" in b)


def ulid(n):
    return "01J0000000" + "".join(ULID[n >> 5 * i & 31] for i in range(15, -1, -1))


class Load:
    """Submissions of one direction each, from several threads, until stopped."""

    def __init__(self, daemon, token):
        self.daemon, self.token, self.stored, self.ended = daemon, token, [0] * 4, False
        self.threads = [threading.Thread(target=self.submit, args=(i,)) for i in range(4)]
        for t in self.threads:
            t.start()

    def submit(self, who):
        while not self.ended:
            n = who << 30 | self.stored[who] + 1
            doc = {"warplore": 1, "id": ulid(n), "directions": [{"id": ulid(n), "text": f"direction {n} " + "x" * 2000}]}
            status, answer, _ = self.daemon.request("POST", "/api/v1/submissions", self.token, json.dumps(doc))
            need(status == 201, f"a submission under load: {status} {answer[:300]}")
            self.stored[who] += 1

    def stop(self):
        self.ended = True
        for t in self.threads:
            t.join()


def only(folder):
    names = os.listdir(folder)
    need(len(names) == 1, f"one entry in {folder}: {names}")
    return os.path.join(folder, names[0])


def restore_says(source, folder):
    done = subprocess.run([WARPLORED, "restore", "--from", source, "--data", folder], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


def beside_load(folder, data, token):
    """The documented commands while submissions come."""
    daemon = Daemon(WARPLORED, data)
    with open(FIXTURE) as f:
        need(daemon.request("POST", "/api/v1/submissions", token, f.read())[0] == 201, "the fixture to be stored")
    load = Load(daemon, token)
    while min(load.stored) < 50:
        time.sleep(0.01)
    before = list(load.stored)
    commands = documented().replace("-o warplore -g warplore ", "").replace(LIVE, data).replace(BACKUPS, folder + "/backups").replace("warplored ", f"'{WARPLORED}' ")
    begun = time.monotonic()
    done = subprocess.run(["sh", "-e", "-c", "umask 022\n" + commands], cwd=folder, capture_output=True, text=True, timeout=60)
    took = time.monotonic() - begun
    during = sum(load.stored) - sum(before)
    load.stop()
    need(done.returncode == 0, f"the documented commands: {done.stdout}{done.stderr}")
    need("integrity ok" in done.stdout, "verify to check the copy: " + done.stdout)
    need(during > 0, "submissions to be stored while the backup ran")
    print(f"backup and restore of {sum(before)} submissions took {took:.2f} s, {during} came meanwhile")
    until(lambda: b"last_backup_at" in daemon.request("GET", "/healthz")[1], 10, "the service to know of the backup")
    need(b"warplore_backup_last_bytes" in daemon.request("GET", "/metrics", token)[1], "its size in the metrics")
    daemon.stop()
    return before


def private(folder):
    for where in (folder, only(folder)):
        need(stat.S_IMODE(os.stat(where).st_mode) == 0o700, f"{where} to be private")
    for name in ("warplore.db", "auth.db", "service.key", "manifest.json"):
        mode = stat.S_IMODE(os.stat(os.path.join(only(folder), name)).st_mode)
        need(mode == 0o600, f"{name} to have mode 0600, not {mode:o}")


def flips(backup, folder):
    """Each flipped bit, in any file of the backup, is found, and the target stays empty."""
    names, rng = sorted(os.listdir(backup)), random.Random(19)
    sizes = [os.path.getsize(os.path.join(backup, n)) for n in names]
    for n in range(FLIPS):
        # every fourth in a small file, which would else be hit too rarely
        name = rng.choice(names) if n % 4 == 0 else rng.choices(names, sizes)[0]
        path = os.path.join(backup, name)
        at, bit = rng.randrange(os.path.getsize(path)), 1 << rng.randrange(8)
        with open(path, "r+b") as f:
            f.seek(at)
            byte = f.read(1)[0]
            f.seek(at)
            f.write(bytes([byte ^ bit]))
        code, said = restore_says(backup, folder)
        need(code == 1 and ("manifest" in said), f"a flipped bit at {at} of {name} to be found: {code} {said}")
        need(not os.path.exists(folder) or os.listdir(folder) == [], "nothing to be left")
        with open(path, "r+b") as f:
            f.seek(at)
            f.write(bytes([byte]))
    code, said = restore_says(backup, folder)
    need(code == 0, "the repaired backup to be restored: " + said)
    code, said = restore_says(backup, folder)
    need(code == 2 and "not empty" in said, "a second restoration to be refused: " + said)
    print(f"{FLIPS} flipped bits of a backup, all found by its manifest")


def refused(data, code, *words):
    done = subprocess.run([WARPLORED, "--data", data, "--listen", "127.0.0.1:0", "--as-root"], capture_output=True, text=True, timeout=60)
    need(done.returncode == 1 and all(w in done.stderr for w in words), f"{code}: {done.returncode} {done.stderr}")


def stored(daemon, token, n):
    doc = {"warplore": 1, "id": ulid(n), "directions": [{"id": ulid(n), "text": "one more"}]}
    return daemon.request("POST", "/api/v1/submissions", token, json.dumps(doc))


def exchanged(data, backup, token):
    """DATA was restored from BACKUP, is used, and then loses or exchanges its files."""
    daemon = Daemon(WARPLORED, data)
    need(stored(daemon, token, 7 << 40)[0] == 201, "a submission on the copy")
    daemon.stop()
    old, db = os.path.join(backup, "warplore.db"), os.path.join(data, "warplore.db")
    shutil.copy(db, db + ".kept")
    shutil.copy(old, db)
    refused(data, "an older database", "older than it was", "--accept-rollback")
    Daemon(WARPLORED, data, "--accept-rollback").stop()
    shutil.copy(db + ".kept", db)  # newer than noted, with the same history up to there
    Daemon(WARPLORED, data).stop()
    for name in ("service.key", "auth.db"):
        path = os.path.join(data, name)
        os.rename(path, path + ".kept")
        refused(data, "a lost file", name + " is missing", "--accept-credentials")
        if name == "auth.db":
            make_token(WARPLORED, data, "reader")
        else:
            with open(path, "w", opener=lambda p, flags: os.open(p, flags, 0o600)) as f:
                f.write("A" * 88)
        refused(data, "another file", name + " is not the one", "--accept-credentials")
        os.rename(path + ".kept", path)
    with tempfile.TemporaryDirectory() as other:
        Daemon(WARPLORED, other).stop()
        make_token(WARPLORED, other, "contributor")
        daemon = Daemon(WARPLORED, other)
        need(stored(daemon, make_token(WARPLORED, other, "contributor"), 8 << 40)[0] == 201, "a submission elsewhere")
        daemon.stop()
        shutil.copy(os.path.join(other, "warplore.db"), db)
    refused(data, "a foreign database", "another database")
    shutil.copy(db + ".kept", db)
    os.unlink(db)
    refused(data, "a lost database", "--new")
    daemon = Daemon(WARPLORED, data, "--new")
    need(daemon.request("GET", "/api/v1/me", token)[0] == 200, "the same tokens in a new memory")
    daemon.stop()


def by_itself(folder, token, data):
    """Backups on schedule; after a kill with damaged pages the service reads only."""
    to = os.path.join(folder, "own")
    daemon = Daemon(WARPLORED, data, "--backup-to", to, "--backup-keep", "2")
    until(lambda: "event=backup " in daemon.log(), 30, "a backup without a command")
    need(len(os.listdir(to)) == 1, "one backup")
    daemon.child.kill()
    daemon.child.wait()
    path = os.path.join(data, "warplore.db")
    db = sqlite3.connect(path)  # checkpoints the log
    pages = [r for r, in db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'log_advice_item_technique'")]
    size = db.execute("PRAGMA page_size").fetchone()[0]
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    open(path + "-wal", "ab").close()
    with open(path, "r+b") as f:
        for page in pages:
            f.seek((page - 1) * size)
            f.write(b"\xff" * size)
    daemon = Daemon(WARPLORED, data)
    until(lambda: "event=storage_damaged" in daemon.log(), 30, "the damage to be found")
    need(to in daemon.log(), "the log to name the last good backup: " + daemon.log())
    status, answer, _ = stored(daemon, token, 9 << 40)
    need(status == 503 and json.loads(answer)["code"] == "database_damaged", f"a write to be refused: {status} {answer[:300]}")
    need(daemon.request("GET", "/api/v1/directions", token)[0] == 200, "reads to be answered")
    need(json.loads(daemon.request("GET", "/healthz")[1])["storage"] == "damaged", "healthz to say so")
    need(b"warplore_storage_damaged 1" in daemon.request("GET", "/metrics", token)[1], "metrics to say so")
    daemon.stop()
    daemon = Daemon(WARPLORED, data)
    until(lambda: "event=storage_damaged" in daemon.log(), 30, "the damage to be found again after a clean stop")
    daemon.stop()


def main():
    with scratch() as folder:
        data, restored = os.path.join(folder, "live"), os.path.join(folder, "live-restored")
        os.mkdir(data)
        token = make_token(WARPLORED, data, "contributor")
        before = beside_load(folder, data, token)
        private(folder + "/backups")
        backup = only(folder + "/backups")
        with open(os.path.join(data, "service.key"), "rb") as a, open(os.path.join(restored, "service.key"), "rb") as b:
            need(a.read() == b.read(), "the same key")
        daemon = Daemon(WARPLORED, restored)
        for who, n in enumerate(before):
            status, answer, _ = daemon.request("GET", "/api/v1/directions/" + ulid(who << 30 | n), token)
            need(status == 200, f"the last record before the backup: {status} {answer[:200]}")
        status, answer, _ = daemon.request("GET", f"/api/v1/search?words=direction", token)
        need(status == 200 and json.loads(answer)["rows"], "the copy to be searched")
        daemon.stop()
        again = os.path.join(folder, "again")
        flips(backup, again)
        by_itself(folder, token, restored)
        exchanged(again, backup, token)


main()
