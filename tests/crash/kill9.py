#!/usr/bin/env python3
"""Kills a real warplored with SIGKILL in the middle of an ingest, again and again, on one data directory, and
checks after each kill: it starts again, every acknowledged document is there byte for byte, nothing is there
that was not sent, nothing twice, integrity_check and the chain of events are ok, and what was under way can be
sent again.

    kill9.py WARPLORED [--rounds 20] [--documents 10000] [--clients 8] [--seed N] [--journal] [--lag MS]

With --journal the service writes a journal into a directory, and after each kill a database made from that
directory alone must have every acknowledged document and the same dump.

Needs nothing but Python's standard library. Power cuts are another matter: a killed process loses nothing
that it handed to the kernel, so this does not test fsync.
"""

import argparse
import hashlib
import http.client
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def ulid(rng):
    return "01JC" + "".join(rng.choices(ALPHABET, k=22))


class Service:
    """One run of warplored on DIR, from its ready line to its end."""

    def __init__(self, program, directory, *options):
        self.process = subprocess.Popen(
            [program, "--data", directory, "--listen", "127.0.0.1:0", "--as-root", "--threads", "32", "--log-level", "info", *options],
            stderr=subprocess.PIPE, text=True, errors="replace")
        self.port = None
        lines = []
        for line in self.process.stderr:
            lines.append(line)
            found = re.search(r"event=ready url=http://127\.0\.0\.1:(\d+)", line)
            if found:
                self.port = int(found.group(1))
                break
        if self.port is None:
            fail("it does not start:\n" + "".join(lines[-20:]))
        # Request lines would fill the pipe.
        threading.Thread(target=self.drain, daemon=True).start()

    def drain(self):
        for line in self.process.stderr:
            if "ERROR: AddressSanitizer" in line or "runtime error" in line or "level=error" in line:
                print(line, end="", file=sys.stderr)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(timeout=60)
        if status != 0:
            fail(f"a graceful stop ended with {status}")


def fail(message):
    print("FAILED:", message, file=sys.stderr)
    sys.exit(1)


def kernel_document(rng):
    kernel, before, after = ulid(rng), ulid(rng), ulid(rng)
    document = {
        "warplore": 1, "id": ulid(rng),
        "kernels": [{"id": kernel, "operator": "softmax", "name": "crash", "language": "cuda"}],
        "versions": [{"id": before, "kernel": kernel, "kind": "baseline"},
                     {"id": after, "kernel": kernel, "kind": "candidate", "parents": [before]}]}
    return document, (kernel, before, after)


def experiment_document(rng, ids):
    kernel, before, after = ids
    run = ulid(rng)
    return {
        "warplore": 1, "id": ulid(rng),
        "runs": [{"id": run, "version": after, "chip": "sm_86", "samples_ns": [rng.randrange(1000, 9000) for _ in range(8)]}],
        "experiments": [{"id": ulid(rng), "kernel": kernel, "from_version": before, "to_version": after,
                         "runs_after": [run], "techniques": ["float4 loads"],
                         "claim": {"latency_before_ns": 5000, "latency_after_ns": rng.randrange(1000, 9000)},
                         "notes": "x" * rng.randrange(0, 800)}]}


def post(connection, token, body):
    connection.request("POST", "/api/v1/submissions", body,
                       {"Authorization": "Bearer " + token, "Content-Type": "application/json"})
    reply = connection.getresponse()
    reply.read()
    return reply.status


class Round:
    """Clients post until everything is sent or the service is gone."""

    def __init__(self, service, token, bodies, kill_after):
        self.service, self.token, self.kill_after = service, token, kill_after
        self.lock = threading.Lock()
        self.todo = list(bodies.items())
        self.acknowledged, self.odd = set(), []
        self.enough = threading.Event()

    def client(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=30)
        while True:
            with self.lock:
                if not self.todo:
                    return
                name, body = self.todo.pop()
            try:
                status = post(connection, self.token, body)
            except (OSError, http.client.HTTPException):
                if self.enough.is_set():
                    return
                connection.close()  # an idle connection that was closed: once more on a new one
                try:
                    status = post(connection, self.token, body)
                except (OSError, http.client.HTTPException):
                    return
            with self.lock:
                if status in (200, 201):
                    self.acknowledged.add(name)
                elif status != 503:
                    self.odd.append((name, status))
                if len(self.acknowledged) >= self.kill_after:
                    self.enough.set()

    def run(self, clients):
        threads = [threading.Thread(target=self.client) for _ in range(clients)]
        for thread in threads:
            thread.start()
        while not self.enough.wait(timeout=0.2):
            if self.service.process.poll() is not None:
                fail(f"the service ended on its own with {self.service.process.returncode}")
        self.service.kill()
        for thread in threads:
            thread.join()
        if self.odd:
            fail(f"unexpected answers: {self.odd[:5]}")


def check(program, directory, sent, acknowledged):
    """After a graceful stop: look at the file itself, with a reader that is not ours."""
    with sqlite3.connect(f"file:{directory}/warplore.db?mode=ro", uri=True) as db:
        if db.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            fail("integrity_check")
        if db.execute("PRAGMA foreign_key_check").fetchall():
            fail("foreign_key_check")
        rows = db.execute("SELECT id, hash FROM fact_document WHERE actor <> 'warplored'").fetchall()
        experiments = db.execute("SELECT count(*), count(DISTINCT id) FROM fact_experiment").fetchone()
        verdicts = db.execute("SELECT count(*) FROM drv_outcome WHERE superseded_us IS NULL").fetchone()[0]
    stored = dict(rows)
    lost = acknowledged - stored.keys()
    if lost:
        fail(f"{len(lost)} acknowledged documents are gone, the first is {min(lost)}")
    if len(stored) != len(rows):
        fail("a document is there twice")
    for name, digest in rows:
        if name not in sent:
            fail(f"document {name} was never sent")
        if digest != hashlib.blake2b(sent[name], digest_size=32).hexdigest():
            fail(f"document {name} has other bytes")
    # Each document but the first holds one experiment, with one verdict.
    if experiments != (len(stored) - 1, len(stored) - 1) or verdicts != experiments[0]:
        fail(f"{len(stored)} documents, {experiments} experiments, {verdicts} verdicts")
    if subprocess.run([program, "verify", "--data", directory], stdout=subprocess.DEVNULL, check=False).returncode != 0:
        fail("warplored verify")
    return len(stored)


def dump(program, directory):
    return subprocess.run([program, "dump", "--data", directory], check=True, capture_output=True).stdout


def check_journal(program, directory, journal, sent, acknowledged):
    """The journal alone has all: a new database made from it, and its dump."""
    copy = directory + "-copy"
    os.mkdir(copy, 0o700)
    shutil.copy(directory + "/service.key", copy)
    subprocess.run([program, "replay", "--journal", journal, "--data", copy], check=True, stdout=subprocess.DEVNULL)
    check(program, copy, sent, acknowledged)
    if dump(program, copy) != dump(program, directory):
        fail("the database made from the journal has another dump")
    shutil.rmtree(copy)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--documents", type=int, default=10000)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--journal", action="store_true")
    parser.add_argument("--lag", type=int, default=0, help="journal_lag")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    directory = tempfile.mkdtemp(prefix="warplore-crash-")
    token = subprocess.run([args.program, "token", "--data", directory, "--role", "contributor"],
                           check=True, capture_output=True, text=True).stdout.strip()
    journal = directory + "-journal"
    options = ["--journal", journal, "--journal-lag", str(args.lag)] if args.journal else []
    first, ids = kernel_document(rng)
    sent = {first["id"]: json.dumps(first).encode()}
    acknowledged = set()
    service = Service(args.program, directory, *options)
    if post(http.client.HTTPConnection("127.0.0.1", service.port), token, sent[first["id"]]) != 201:
        fail("the first document was refused")
    acknowledged.add(first["id"])
    again = {}
    for number in range(1, args.rounds + 1):
        bodies = dict(again)
        while len(bodies) < args.documents:
            document = experiment_document(rng, ids)
            bodies[document["id"]] = json.dumps(document).encode()
        sent.update(bodies)
        this = Round(service, token, bodies, rng.randrange(1, args.documents * 9 // 10))
        this.run(args.clients)
        acknowledged |= this.acknowledged
        # What got no answer is sent again next time: stored or not, it must be taken.
        again = {name: sent[name] for name in list(bodies)[:args.clients * 4] if name not in this.acknowledged}
        Service(args.program, directory, *options).stop()
        stored = check(args.program, directory, sent, acknowledged)
        if args.journal:
            check_journal(args.program, directory, journal, sent, acknowledged)
        print(f"round {number}: {len(this.acknowledged)} acknowledged before the kill, {stored} stored in all, "
              f"{stored - len(acknowledged)} of them unanswered, 0 lost", flush=True)
        service = Service(args.program, directory, *options)
    service.stop()
    shutil.rmtree(directory)
    shutil.rmtree(journal, ignore_errors=True)
    print(f"ok: {args.rounds} kills, {len(acknowledged)} acknowledged, 0 lost (seed {args.seed})")


if __name__ == "__main__":
    main()
