#!/usr/bin/env python3
"""A disk that cannot read. A preloaded library makes reads of the database, its log, the journal, the
credentials, the key or a backup fail with EIO: while documents are stored and read, at the start, in
verify, backup, restore and replay. The service answers with a plain error or ends; a command fails; no
answer is wrong; and once the disk reads again, everything acknowledged is there, and nothing else.

    read_faults.py WARPLORED LIBRARY [--rounds N] [--seed N]

Needs Python's standard library only."""
import argparse
import http.client
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
# pylint: disable=wrong-import-position
from daemon import Daemon, copy_key, make_token, need, scratch

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
FILES = ("warplore.db", "warplore.db-wal", ".journal", "auth.db", "service.key", "identity")


def ulid(n):
    return "01J0000000" + "".join(ALPHABET[n >> 5 * i & 31] for i in range(15, -1, -1))


class Disk:
    def __init__(self, folder, library):
        self.rule, self.hit = folder + "/faults", folder + "/faults.failed"
        self.env = {"LD_PRELOAD": library, "READ_FAULTS": self.rule}

    def fails(self, text, skip=0, count=0):
        with open(self.rule + ".new", "w") as f:
            f.write(f"{text} {skip} {count}")
        os.rename(self.rule + ".new", self.rule)

    def works(self):
        if os.path.exists(self.rule):
            os.unlink(self.rule)

    def failures(self):
        n = os.path.getsize(self.hit) if os.path.exists(self.hit) else 0
        if n:
            os.unlink(self.hit)
        return n


class Drill:
    def __init__(self, program, library, folder, rng):
        self.program, self.folder, self.rng = program, folder, rng
        self.data, self.log = folder + "/data", folder + "/journal"
        self.disk = Disk(folder, library)
        os.environ.update(self.disk.env)
        self.token = make_token(program, self.data, "contributor")
        self.sent, self.acknowledged, self.asked = {}, set(), 0
        self.counts = {"answers": 0, "errors": 0, "ends": 0, "starts refused": 0, "commands refused": 0, "reads failed": 0}

    def start(self):
        return Daemon(self.program, self.data, "--journal", self.log, "--readers", "2")

    def post(self, d):
        n = len(self.sent)
        self.sent[ulid(n)] = body = json.dumps({"warplore": 1, "id": ulid(n), "directions": [
            {"id": ulid(n), "text": f"direction {n} " + "x" * self.rng.randrange(3000)}]})
        status, text = self.ask(d, "POST", "/api/v1/submissions", body)
        if status in (200, 201):
            self.acknowledged.add(ulid(n))
        return status, text

    def ask(self, d, method, path, body=None):
        """0: no answer, the service ended or ends."""
        try:
            status, text, _ = d.request(method, path, self.token, body)
        except (OSError, http.client.HTTPException):
            return 0, b""
        self.counts["answers"] += 1
        if status >= 300:
            self.counts["errors"] += 1
            need(status in (500, 503, 401), f"{method} {path}: an error of the service, not {status} {text[:300]}")
            problem = json.loads(text)
            need(problem.get("code") and problem.get("title") and self.folder not in text.decode(),
                 f"{method} {path}: a plain error without paths: {text[:300]}")
        return status, text

    def read_one(self, d):
        name = self.rng.choice(sorted(self.acknowledged))
        status, text = self.ask(d, "GET", f"/api/v1/submissions/{name}/raw")
        need(status != 200 or text.decode() == self.sent[name], f"{name}: the bytes that were sent, or none")
        status, text = self.ask(d, "GET", "/api/v1/submissions?limit=5")
        need(status != 200 or json.loads(text)["rows"], "rows in a list")

    def serve(self):
        """Faults while it runs."""
        d = self.start()
        for _ in range(5):
            self.post(d)
        text = self.rng.choice(FILES)
        self.disk.fails(text, self.rng.choice((0, 0, 1, 5)), self.rng.choice((0, 1, 3)))
        for _ in range(12):
            if d.child.poll() is None:
                self.rng.choice((self.post, self.read_one))(d)
        self.disk.works()
        try:
            ended = d.child.wait(0.3)
        except subprocess.TimeoutExpired:
            ended = None
        if ended is None:
            d.child.terminate()
            ended = d.child.wait(60)
        else:
            self.counts["ends"] += 1
        need(ended in (0, 70), f"an orderly end, not {ended}: {d.log()[-1500:]}")

    def start_badly(self):
        """A fault at the start: it starts, or says why not."""
        self.disk.fails(self.rng.choice(FILES), self.rng.choice((0, 1, 2, 4, 8, 16)), self.rng.choice((0, 1)))
        log = open(self.folder + "/start.log", "w+b")
        child = subprocess.Popen([self.program, "--data", self.data, "--journal", self.log, "--listen", "127.0.0.1:0", "--as-root"],
                                 stdout=log, stderr=log)
        ready = None
        while ready is None and child.poll() is None:
            log.seek(0)
            ready = b"event=ready" in log.read() or None
        self.disk.works()
        if ready:
            child.terminate()
        need(child.wait(60) in ((0, 70) if ready else (1, 70)), f"a start to fail in order: {child.returncode}")
        log.seek(0)
        need(ready or b"warplored: " in log.read(), "a start that fails to say why")
        log.close()
        self.counts["starts refused"] += not ready

    def command(self):
        """A command fails or does the whole."""
        kind = self.rng.choice(("verify", "backup", "replay", "restore"))
        for name in ("copies", "again", "restored"):
            shutil.rmtree(f"{self.folder}/{name}", ignore_errors=True)
        again, copies = self.folder + "/again", self.folder + "/copies"
        words = {"verify": ["--data", self.data, "--scratch", self.folder], "backup": ["--data", self.data, "--to", copies],
                 "replay": ["--journal", self.log, "--data", again],
                 "restore": ["--from", copies, "--data", self.folder + "/restored"]}[kind]
        if kind == "restore":
            subprocess.run([self.program, "backup", "--data", self.data, "--to", copies], check=True, capture_output=True)
        copy_key(self.data, again)
        self.disk.failures()
        self.disk.fails(self.rng.choice((".journal", ".journal", "auth.db") if kind == "replay" else ("warplore.db", "warplore.db", "auth.db")),
                        self.rng.choice((0, 1, 3, 10, 30)), self.rng.choice((0, 1)))
        done = subprocess.run([self.program, kind, *words], capture_output=True, text=True, timeout=120)
        self.disk.works()
        failed = self.disk.failures()
        self.counts["reads failed"] += failed
        need(done.returncode in (0, 1), f"{kind} to end with 0 or 1: {done.returncode} {done.stderr}")
        self.counts["commands refused"] += done.returncode
        if done.returncode != 0:
            need("warplored: " in done.stderr and failed, f"{kind} to say why: {done.stdout}{done.stderr}")
            names = os.listdir(copies) if kind == "backup" and os.path.exists(copies) else []
            need(not [n for n in names if os.path.exists(f"{copies}/{n}/manifest.json")], f"no backup to be left: {names}")
        elif kind == "replay":
            self.need_all(again)
        elif kind in ("backup", "restore"):
            if kind == "backup":
                subprocess.run([self.program, "restore", "--from", copies, "--data", self.folder + "/restored"], check=True, capture_output=True)
            self.need_all(self.folder + "/restored")

    def need_all(self, data):
        db = sqlite3.connect(f"file:{data}/warplore.db?mode=ro", uri=True)
        need(db.execute("PRAGMA integrity_check").fetchone() == ("ok",), f"{data}: a sound database")
        stored = {i for i, in db.execute("SELECT id FROM fact_document WHERE actor <> 'warplored'")}
        db.close()
        need(self.acknowledged <= stored, f"{data}: acknowledged and not there: {sorted(self.acknowledged - stored)[:3]}")
        need(stored <= self.sent.keys(), f"{data}: never sent: {sorted(stored - self.sent.keys())[:3]}")

    def settle(self):
        """The disk reads again: everything is there, and the old token is taken."""
        d = self.start()
        need(d.request("GET", "/api/v1/submissions?limit=1", self.token)[0] == 200, "the old token to be taken")
        status, text = self.post(d)
        need(status == 201, f"a document to be stored: {status} {text[:300]}")
        d.stop()
        self.need_all(self.data)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("library", type=os.path.abspath)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    args = parser.parse_args()
    with scratch() as folder:
        drill = Drill(args.program, args.library, folder, random.Random(args.seed))
        drill.settle()
        for _ in range(args.rounds):
            for part in (drill.serve, drill.start_badly, drill.command):
                drill.disk.failures()
                part()
                drill.counts["reads failed"] += drill.disk.failures()
                drill.settle()
    need(drill.counts["reads failed"] > args.rounds, f"faults that take effect: {drill.counts}")
    print(f"ok: {args.rounds} rounds, {len(drill.acknowledged)} acknowledged, 0 lost, {drill.counts} (seed {args.seed})")


if __name__ == "__main__":
    main()
