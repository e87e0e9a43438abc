"""The drill: a database of some size, submissions at a steady rate, and backups one after another
meanwhile. A backup restored elsewhere has what the service had at its moment, and nothing else. With --judge
no submission fails, and the slowest hundredth of them takes at most twice as long as without backups.

Usage: backup_drill.py WARPLORED BENCH_SCALE BENCH_LOAD [--megabytes N] [--rate PER_SECOND]
       [--seconds S] [--rounds N] [--judge] [--folder F: its data directory is filled once and used again]"""
import argparse
import json
import os
import re
import sqlite3
import subprocess
import tempfile
import time

from daemon import Daemon, make_token, need

CLIENTS = 48
STEP = 2000  # experiments; whole documents of bench_scale
FLOOR_MS = 50  # under this a p99 says more of the machine's other work than of the backup


def size_of(data):
    path = os.path.join(data, "warplore.db")
    return os.path.getsize(path) if os.path.exists(path) else 0


def fill(program, data, megabytes):
    experiments = STEP
    while size_of(data) < megabytes << 20:
        done = subprocess.run([program, data, str(experiments)], capture_output=True, text=True)
        need(done.returncode == 0, "the database to be filled: " + done.stderr)
        experiments += STEP * (1 + int(experiments * max(0, (megabytes << 20) / size_of(data) - 1)) // STEP)


class Load:
    def __init__(self, program, daemon, token, a):
        self.judge = a.judge
        self.child = subprocess.Popen(
            [program, str(daemon.port), token, "post", str(CLIENTS), str(a.rate * a.seconds), "1", str(a.rate)],
            stdout=subprocess.PIPE, text=True)

    def p99(self):
        line = self.child.communicate()[0]
        print("  ", line.strip())
        failed = int(re.search(r"failed=(\d+)", line).group(1))
        need(failed == 0 if self.judge else self.child.returncode in (0, 1), "no submission to fail: " + line)
        return float(re.search(r"p99_ms=([\d.]+)", line).group(1))


def median(values):
    return sorted(values)[len(values) // 2]


def dump(program, data):
    return subprocess.run([program, "dump", "--data", data], check=True, capture_output=True, text=True).stdout.splitlines()


def ids_up_to(data, documents):
    """The records that the first DOCUMENTS documents of DATA brought."""
    db = sqlite3.connect(f"file:{data}/warplore.db?mode=ro", uri=True)
    tables = [t for t, in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'fact_%'")]
    of = [t for t in tables if {"id", "document", "digest"} <= {c[1] for c in db.execute(f"PRAGMA table_info({t})")}]
    return {i for t in of for i, in db.execute(f"SELECT id FROM {t} WHERE document <= ?", (documents,))}


def compare(program, live, restored):
    db = sqlite3.connect(f"file:{restored}/warplore.db?mode=ro", uri=True)
    (documents,) = db.execute("SELECT max(seq) FROM fact_document").fetchone()
    lines, known = dump(program, live), ids_up_to(live, documents)
    then = [line for line in lines if json.loads(line).get("record", {}).get("id") in known]
    need(then == dump(program, restored), "the dump of the copy to equal the service's up to its point")
    return documents, len(then), len(lines) - len(then)


def main():
    p = argparse.ArgumentParser()
    for name in ("warplored", "scale", "load"):
        p.add_argument(name)
    p.add_argument("--megabytes", type=int, default=20)
    p.add_argument("--rate", type=int, default=100)
    p.add_argument("--seconds", type=int, default=5)
    p.add_argument("--rounds", type=int, default=1)
    p.add_argument("--folder")
    p.add_argument("--judge", action="store_true", help="fail when a submission fails or p99 more than doubles; for a quiet machine")
    a = p.parse_args()
    with tempfile.TemporaryDirectory(prefix="warplore-e2e-", dir=a.folder) as folder:
        data = os.path.join(a.folder or folder, "live")
        fill(a.scale, data, a.megabytes)
        print(f"{size_of(data) >> 20} MiB, {a.rate} submissions a second for {a.seconds} s")
        token, to = make_token(a.warplored, data, "contributor"), os.path.join(folder, "backups")
        Daemon.READY_S = 600  # a large database on a busy machine
        daemon = Daemon(a.warplored, data)
        alone, beside, made = [], [], 0
        for _ in range(a.rounds):
            alone.append(Load(a.load, daemon, token, a).p99())
            load = Load(a.load, daemon, token, a)
            while load.child.poll() is None:
                begun = time.monotonic()
                done = subprocess.run([a.warplored, "backup", "--data", data, "--to", to, "--keep", "1"], capture_output=True, text=True)
                need(done.returncode == 0, "the backup: " + done.stderr)
                made += 1
                took = time.monotonic() - begun
            beside.append(load.p99())
            print(f"   {made} backups so far, the last in {took:.1f} s")
        one, two = median(alone), median(beside)
        print(f"p99 {one:.1f} ms without and {two:.1f} ms beside backups")
        need(not a.judge or two <= max(2 * one, FLOOR_MS), "p99 beside backups to be at most twice that without")
        restored = os.path.join(folder, "restored")
        begun = time.monotonic()
        subprocess.run([a.warplored, "restore", "--from", to, "--data", restored], check=True, capture_output=True)
        print(f"restored in {time.monotonic() - begun:.1f} s")
        daemon.stop()
        documents, records, later = compare(a.warplored, data, restored)
        print(f"equal up to document {documents}: {records} lines; {later} came later")
        copy = Daemon(a.warplored, restored)
        need(copy.request("GET", "/api/v1/me", token)[0] == 200, "the token to hold on the copy")
        copy.stop()


main()
