#!/usr/bin/env python3
"""Agents send signed batches to a warplored that is killed with SIGKILL again and again, out of order, with records
that were acknowledged before, replayed, tampered with and signed by strangers. In the end every record is there
exactly once, every acknowledgement was kept, every chain of receipts is whole and signed, and what was not an
agent's own was refused every time.

    kill9_batches.py WARPLORED [--kills 30] [--records 1000] [--agents 4] [--seed N] [--journal]

With --journal, the directory of the journal alone makes a database with the same facts, agents and receipts.

Signs with libsodium by ctypes: an implementation of the protocol beside the client's. Skipped (77) without it.
"""

import argparse
import base64
import ctypes
import ctypes.util
import hashlib
import http.client
import json
import os
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time

from kill9 import Service, dump, fail, ulid

MEDIA = "application/vnd.warplore.batch"
STATES = {"stored": b"s", "duplicate": b"d", "refused": b"r"}


def blake2b(data):
    return hashlib.blake2b(data, digest_size=32).digest()


class Sodium:
    """Ed25519 of libsodium."""

    def __init__(self):
        name = ctypes.util.find_library("sodium") or "libsodium.so.23"
        try:
            self.lib = ctypes.CDLL(name)
        except OSError:
            print("SKIPPED: no libsodium")
            sys.exit(77)
        self.lib.sodium_init()

    def keys(self):
        public, secret = ctypes.create_string_buffer(32), ctypes.create_string_buffer(64)
        self.lib.crypto_sign_keypair(public, secret)
        return public.raw, secret.raw

    def sign(self, message, secret):
        out = ctypes.create_string_buffer(64)
        self.lib.crypto_sign_detached(out, None, message, ctypes.c_ulonglong(len(message)), secret)
        return out.raw

    def holds(self, signature, message, public):
        return self.lib.crypto_sign_verify_detached(signature, message, ctypes.c_ulonglong(len(message)), public) == 0


class Host:
    """The service that is up at the moment, if one is."""

    def __init__(self, program, directory, options=()):
        self.program, self.directory, self.options = program, directory, options
        self.service = Service(program, directory, *options)
        self.stopping = False

    def replace(self):
        self.service.kill()
        self.service = Service(self.program, self.directory, *self.options)

    def ask(self, method, path, headers, body=b""):
        """Status and JSON; 0 when nobody answered."""
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=30)
            connection.request(method, path, body, headers)
            reply = connection.getresponse()
            text = reply.read()
            connection.close()
            return reply.status, json.loads(text)
        except (OSError, http.client.HTTPException, ValueError):
            return 0, None


class Agent:
    """One agent with its records, each sent until a receipt names it."""

    def __init__(self, host, sodium, number, records, seed):
        self.host, self.sodium, self.rng = host, sodium, random.Random(seed)
        self.public, self.secret = sodium.keys()
        code = subprocess.run([host.program, "enroll", "--data", host.directory], check=True, capture_output=True,
                              text=True).stdout.strip()
        status, answer = host.ask("POST", "/api/v1/agents", {"Content-Type": "application/json"}, json.dumps(
            {"code": code, "public_key": base64.b64encode(self.public).decode(), "label": f"gpu{number}"}).encode())
        if status != 201:
            fail(f"enrolling: {status} {answer}")
        self.id, self.service_key = answer["id"], base64.b64decode(answer["service_key"])
        self.documents = {seq: self.document() for seq in range(1, records + 1)}
        self.todo, self.acknowledged, self.refusals = list(self.documents), set(), 0
        self.receipts = {}

    def document(self):
        return json.dumps({"warplore": 1, "id": ulid(self.rng), "kernels": [
            {"id": ulid(self.rng), "operator": "softmax", "name": "crash", "language": "cuda"}]}).encode()

    def part(self, seq):
        document = self.documents[seq]
        signature = self.sodium.sign(b"warplore-record-v1\0" + self.id.encode() + struct.pack("<Q", seq) +
                                     blake2b(document), self.secret)
        line = {"seq": seq, "bytes": len(document), "signature": base64.b64encode(signature).decode()}
        return json.dumps(line).encode() + b"\n" + document + b"\n"

    def headers(self, method, path, body, batch, secret=None):
        created, digest = str(int(time.time())), blake2b(body).hex()
        message = f"{self.id}\n{batch}\n{created}\n{method} {path}\n{digest}".encode()
        signature = self.sodium.sign(b"warplore-batch-v1\0" + message, secret or self.secret)
        return {"Warplore-Agent": self.id, "Warplore-Batch": batch, "Warplore-Created": created,
                "Warplore-Digest": digest, "Warplore-Signature": base64.b64encode(signature).decode(),
                "Content-Type": MEDIA}

    def must_refuse(self, headers, body, codes):
        """Nothing but a refusal, or no answer at all."""
        status, answer = self.host.ask("POST", "/api/v1/batches", headers, body)
        if status in (0, 503):
            return
        if (answer or {}).get("code") not in codes:
            fail(f"expected {codes}, got {status} {answer}")
        self.refusals += 1

    def attack(self, headers, body):
        kind = self.rng.randrange(4)
        if kind == 0:
            self.must_refuse(headers, body, ["replayed_batch"])
        elif kind == 1:
            at = self.rng.randrange(len(body))
            self.must_refuse(headers, body[:at] + bytes([body[at] ^ 1]) + body[at + 1:], ["bad_digest"])
        elif kind == 2:
            stranger = self.headers("POST", "/api/v1/batches", body, ulid(self.rng), self.sodium.keys()[1])
            self.must_refuse(stranger, body, ["bad_signature"])
        else:
            changed = dict(headers, **{"Warplore-Batch": ulid(self.rng)})
            self.must_refuse(changed, body, ["bad_signature"])

    def check_receipt(self, receipt, records):
        """Signed, and over exactly what it says."""
        data = (b"warplore-receipt-v1\0" + bytes.fromhex(receipt["previous"]) + self.id.encode() +
                receipt["batch"].encode() + struct.pack("<Q", receipt["number"]))
        for row in records:
            data += struct.pack("<Q", row["seq"]) + bytes.fromhex(row["hash"]) + STATES[row["state"]]
        if blake2b(data).hex() != receipt["hash"]:
            fail(f"receipt {receipt['number']} does not cover its records")
        signature = base64.b64decode(receipt["signature"])
        if not self.sodium.holds(signature, bytes.fromhex(receipt["hash"]), self.service_key):
            fail(f"receipt {receipt['number']} is not signed by the service")

    def send(self):
        size = min(self.rng.randrange(1, 20), len(self.todo))
        seqs = self.rng.sample(self.todo, size)
        if self.acknowledged:  # delivered again, in between
            seqs += self.rng.sample(sorted(self.acknowledged), min(3, len(self.acknowledged)))
        body = b"".join(self.part(seq) for seq in seqs)
        headers = self.headers("POST", "/api/v1/batches", body, ulid(self.rng))
        status, answer = self.host.ask("POST", "/api/v1/batches", headers, body)
        if status in (0, 503):
            time.sleep(0.01)
            return
        if status != 200:
            fail(f"a good batch: {status} {answer}")
        self.check_receipt(answer["receipt"], answer["records"])
        self.receipts[answer["receipt"]["number"]] = answer["receipt"]["hash"]
        for seq, row in zip(seqs, answer["records"]):
            if row["seq"] != seq or row["state"] not in ("stored", "duplicate"):
                fail(f"record {seq}: {row}")
            self.acknowledged.add(seq)
        self.todo = [seq for seq in self.todo if seq not in self.acknowledged]
        if self.rng.random() < 0.5:
            self.attack(headers, body)

    def run(self):
        while self.todo:
            self.send()

    def check_chain(self):
        path, last, number = f"/api/v1/agents/{self.id}/receipts", "00" * 32, 0
        while True:
            status, page = self.host.ask("GET", f"{path}?after={number}",
                                         self.headers("GET", path, b"", ulid(self.rng)))
            if status != 200:
                fail(f"receipts: {status} {page}")
            for row in page["rows"]:
                number += 1
                if row["number"] != number or row["previous"] != last:
                    fail(f"receipt {row['number']} does not follow receipt {number - 1}")
                if self.receipts.get(number, row["hash"]) != row["hash"]:
                    fail(f"receipt {number} is another than was given")
                self.check_receipt(row, row["records"])
                last = row["hash"]
            if page["next"] is None:
                break
        if self.receipts and number < max(self.receipts):
            fail(f"receipts after {number} are gone")
        return number


def check_rows(program, directory, agents):
    sent = {json.loads(d)["id"]: blake2b(d).hex() for a in agents for d in a.documents.values()}
    with sqlite3.connect(f"file:{directory}/warplore.db?mode=ro", uri=True) as db:
        rows = db.execute("SELECT id, hash FROM fact_document WHERE actor <> 'warplored'").fetchall()
    if len(rows) != len(sent) or dict(rows) != sent:
        fail(f"{len(rows)} documents are stored, {len(sent)} were sent")
    done = subprocess.run([program, "verify", "--data", directory], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        fail("warplored verify: " + done.stderr)
    return done.stdout.strip()


def check_journal(program, directory, journal, agents):
    """A database made from the journal has the same receipts, agents and credentials."""
    copy = directory + "-copy"
    os.mkdir(copy, 0o700)
    shutil.copy(directory + "/service.key", copy)
    subprocess.run([program, "replay", "--journal", journal, "--data", copy], check=True, stdout=subprocess.DEVNULL)
    check_rows(program, copy, agents)
    if dump(program, copy) != dump(program, directory):
        fail("the database made from the journal has another dump")
    for file, tables in (("warplore.db", ("fact_receipt", "fact_receipt_line", "fact_agent")), ("auth.db", ("agent", "code"))):
        rows = []
        for place in (directory, copy):
            with sqlite3.connect(f"file:{place}/{file}?mode=ro", uri=True) as db:
                rows.append([sorted(db.execute("SELECT * FROM " + t).fetchall(), key=repr) for t in tables])
        if rows[0] != rows[1]:
            fail(f"the database made from the journal has other rows in {tables}")
    shutil.rmtree(copy)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--records", type=int, default=1000)
    parser.add_argument("--journal", action="store_true")
    parser.add_argument("--agents", type=int, default=4)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    args = parser.parse_args()
    rng = random.Random(args.seed)
    sodium = Sodium()
    directory = tempfile.mkdtemp(prefix="warplore-crash-")
    journal = directory + "-journal"
    host = Host(args.program, directory, ["--journal", journal] if args.journal else [])
    agents = [Agent(host, sodium, i, args.records, rng.random()) for i in range(args.agents)]
    broken = []

    def work(agent):
        try:
            agent.run()
        except BaseException as why:  # fail() ends a thread alone
            broken.append(why)

    threads = [threading.Thread(target=work, args=(agent,)) for agent in agents]
    for thread in threads:
        thread.start()
    kills = 0
    total = args.agents * args.records
    moments = sorted(rng.randrange(total * 95 // 100) for _ in range(args.kills))
    while any(thread.is_alive() for thread in threads) and not broken:
        time.sleep(rng.uniform(0, 0.004))
        if kills < args.kills and sum(len(a.acknowledged) for a in agents) >= moments[kills]:
            host.replace()
            kills += 1
    for thread in threads:
        thread.join()
    if broken:
        sys.exit(1)
    receipts = sum(agent.check_chain() for agent in agents)
    host.service.stop()
    said = check_rows(args.program, directory, agents)
    if args.journal:
        check_journal(args.program, directory, journal, agents)
        shutil.rmtree(journal)
    shutil.rmtree(directory)
    print(f"ok: {kills} kills, {total} records once each, {receipts} receipts, "
          f"{sum(a.refusals for a in agents)} forgeries refused; {said} (seed {args.seed})")


if __name__ == "__main__":
    main()
