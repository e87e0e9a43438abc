#!/usr/bin/env python3
"""Exactly once, from a host's programs to the service's rows: programs add records to a spool, `warplore agent run`
delivers them to warplored through a network that duplicates, reorders, cuts and changes what passes and replays it
(bad_network.py), strangers forge, and agent, service and programs are killed with SIGKILL at random moments. In the
end every record whose adding returned is in the service once and byte for byte, nothing else is, both ends verify,
and everything tampered, replayed or wrongly signed was refused and changed nothing.

    kill9_agent.py WARPLORED WARPLORE ADD_DOCUMENTS [--records 10000] [--kills 200] [--runs N] [--seed N]

KILLS counts the agent's and the service's. RUNS of the records are made by `warplore run` with a fake GPU, the
others by three programs. Skipped (77) without libsodium."""
import argparse
import atexit
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from bad_network import Network
from kill9 import ALPHABET, fail, ulid
from kill9_batches import Agent, Host, Sodium

WRITERS = 3
GPU = ('device name="NVIDIA H200" units=132 cc=9.0 clock_mhz=1980\n'
       'kernel name=_Z4gemmPfS_i launches=8 grid=64,64 block=256 base_ns=60000\n')


def document_id(n):
    text = ""
    for _ in range(21):
        text, n = ALPHABET[n % 32] + text, n // 32
    return "01JCD" + text


class Source:
    """The host: its state directory and the processes that work in it."""

    def __init__(self, args, directory, port, mean_s):
        self.args, self.directory = args, directory
        self.state = os.path.join(directory, "state")
        self.env = {"PATH": os.environ["PATH"], "HOME": directory, "WARPLORE_STATE": self.state,
                    "WARPLORE_URL": f"http://127.0.0.1:{port}", "WARPLORE_FAKE": GPU}
        self.env.update({k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")})
        self.log = open(os.path.join(directory, "agent.log"), "ab")
        self.agent, self.writers, self.stopping = None, [None] * WRITERS, False
        share = (args.records - args.runs) // WRITERS
        self.ranges = [[1 + i * share, (i + 1) * share] for i in range(WRITERS)]
        self.ranges[-1][1] = args.records - args.runs
        # The programs go on to add until the last kills.
        self.pause_us = int(args.kills * mean_s * 0.9 / max(share, 1) * 1e6)
        self.run_ok, self.run_killed, self.killed_writers = set(), set(), 0

    def warplore(self, *words, check=True):
        done = subprocess.run([self.args.warplore, *words], env=self.env, capture_output=True, text=True, check=False)
        if check and done.returncode != 0:
            fail(f"warplore {' '.join(words)}: {done.returncode} {done.stdout}{done.stderr}")
        return done.stdout

    def start_agent(self):
        self.agent = subprocess.Popen([self.args.warplore, "agent", "run", "--interval", "1"], env=self.env,
                                      stderr=self.log)

    def stop_agent(self):
        """Ask it to end, once it listens to that."""
        with open(f"/proc/{self.agent.pid}/status", encoding="ascii") as f:
            while not int(re.search(r"SigCgt:\s*(\w+)", f.read())[1], 16) & 1 << 14:
                time.sleep(0.01)
                f.seek(0)
        self.agent.terminate()
        if self.agent.wait(20) != 0:
            fail(f"the agent ends with {self.agent.returncode}")

    def kill_all(self):
        for process in [self.agent, *self.writers]:
            if process:
                process.kill()
                process.wait()

    def kill_agent(self):
        self.agent.kill()
        self.agent.wait()

    def log_of(self, i):
        return os.path.join(self.directory, f"added{i}.log")

    def start_writer(self, i):
        first, last = self.ranges[i]
        self.writers[i] = subprocess.Popen([self.args.add_documents, self.state, self.log_of(i), str(first), str(last),
                                            str(self.pause_us)], env=self.env)

    def kill_writer(self, i):
        if self.writers[i].poll() is None:
            self.writers[i].kill()
            self.killed_writers += self.writers[i].wait() < 0
            self.start_writer(i)

    def writers_end(self):
        for writer in self.writers:
            if writer.wait() != 0:
                fail(f"a program that adds ended with {writer.returncode}")

    def runs(self, pause_s, dice):
        """`warplore run`, again and again, a third of them killed; each run is known by its shape."""
        n = 0
        while len(self.run_ok) < self.args.runs:
            n += 1
            run = subprocess.Popen([self.args.warplore, "run", "--quiet", "--operator", "gemm", "--dims",
                                    f"M={n},N=64", "--dtype", "f32", "--", "true"], env=self.env, stderr=self.log)
            if dice.random() < 0.33:
                time.sleep(dice.uniform(0, 0.1))
                run.kill()
            status = run.wait()
            (self.run_ok if status == 0 else self.run_killed).add(n)
            if status not in (0, -9):
                fail(f"warplore run ended with {status}")
            time.sleep(pause_s)

    def added(self):
        """Of each acknowledged add of the programs: document, hash, number."""
        rows = []
        for i in range(WRITERS):
            with open(self.log_of(i), encoding="ascii") as f:
                rows += [line.split() for line in f]
        return [(document, digest, int(seq)) for document, digest, seq in rows]

    def receipts(self):
        with open(os.path.join(self.state, "receipts.jsonl"), encoding="utf-8") as f:
            rows = [json.loads(line) for line in f if line.endswith("\n")]
        return [row for row in rows if "records" in row]  # the file may begin with what it left out


class World(Host):
    """The service as well; Host.ask reaches it past the bad network."""

    def __init__(self, args, directory, rng, sodium):
        super().__init__(args.warplored, os.path.join(directory, "data"))
        self.args, self.rng, self.sodium = args, rng, sodium
        self.network = Network(rng.random(), lambda: self.service.port)
        mean_s = 0.6 if args.kills > 50 else 0.8
        self.mean_s = mean_s
        self.source = Source(args, directory, self.network.port, mean_s)
        self.network.calm = True
        code = subprocess.run([args.warplored, "enroll", "--data", self.directory], check=True, capture_output=True,
                              text=True).stdout
        self.source.warplore("agent", "enroll", "--code", re.search(r"wle_[\w-]+", code)[0])
        self.network.calm = False
        self.victim = json.loads(self.source.warplore("agent", "status", "--json"))["agent"]
        self.stranger = Agent(self, sodium, 9, 0, rng.random())
        self.kills = {"agent": 0, "service": 0}
        self.forged, self.forgeries = 0, 0

    def sql(self, text):
        path = os.path.join(self.directory, "warplore.db")
        return subprocess.run(["sqlite3", "-readonly", "-cmd", ".timeout 10000", path, text], check=True,
                              capture_output=True, text=True).stdout

    # ---- strangers ----

    def forged_part(self):
        """A record of the stranger's; its number and document are no one else's."""
        self.forged += 1
        document = json.dumps({"warplore": 1, "id": "01JF" + ulid(self.rng)[4:], "kernels": [
            {"id": ulid(self.rng), "operator": "softmax", "name": "forged", "language": "cuda"}]}).encode()
        self.stranger.documents[self.forged] = document
        return self.stranger.part(self.forged)

    def forge(self):
        """A batch that is wrong in one of five ways, each with a document that must never be stored."""
        agent, kind = self.stranger, self.rng.randrange(5)
        body = self.forged_part()
        headers = agent.headers("POST", "/api/v1/batches", body, ulid(self.rng))
        if kind == 0:  # in another agent's name
            headers["Warplore-Agent"] = self.victim
        elif kind == 1:  # by a key that nobody enrolled
            headers = agent.headers("POST", "/api/v1/batches", body, ulid(self.rng), self.sodium.keys()[1])
        elif kind == 2:  # signed for another address
            headers = agent.headers("POST", "/api/v1/submissions", body, ulid(self.rng))
        elif kind == 3:  # another body than was signed
            body = self.forged_part()
        else:  # a record that another key signed, in a batch that is all right
            body = re.sub(rb'"signature": "[^"]{20}', lambda m: m[0][:-20] + b"A" * 20, body, count=1)
            headers = agent.headers("POST", "/api/v1/batches", body, ulid(self.rng))
        status, answer = self.ask("POST", "/api/v1/batches", headers, body)
        if status == 0 or status >= 500:
            return
        rows = (answer or {}).get("records", [])
        by_record = kind == 4 and [(r["state"], r["error"]["code"]) for r in rows] == [("refused", "bad_signature")]
        if status not in (401, 403) and not by_record:
            self.network.broken.append(f"forged in way {kind}: {status} {answer}")
        self.forgeries += 1

    def hostile(self):
        """Replays and forgeries all along."""
        dice = random.Random(self.rng.random())
        while not self.source.stopping:
            self.network.replay_any()
            self.forge()
            time.sleep(dice.uniform(0, 0.1))

    # ---- kills ----

    def kill_something(self):
        what = self.rng.choice(["agent", "service"])
        self.kills[what] += 1
        if what == "agent":
            self.source.kill_agent()
            self.source.start_agent()
        else:
            self.service.kill()
            time.sleep(self.rng.choice([0, 0, self.rng.uniform(0, 0.5)]))
            self.service = type(self.service)(self.program, self.directory)
        if self.rng.random() < 0.4:
            self.source.kill_writer(self.rng.randrange(WRITERS))

    def chaos(self):
        span_s = self.args.kills * self.mean_s
        self.source.start_agent()
        for i in range(WRITERS):
            self.source.start_writer(i)
        pause_s, dice = span_s * 0.4 / max(self.args.runs, 1), random.Random(self.rng.random())
        threads = [threading.Thread(target=self.source.runs, args=(pause_s, dice)),
                   threading.Thread(target=self.hostile)]
        for thread in threads:
            thread.start()
        for _ in range(self.args.kills):
            time.sleep(self.rng.uniform(0, 2 * self.mean_s))
            self.kill_something()
        self.source.writers_end()
        threads[0].join()
        self.source.stopping = True
        threads[1].join()

    def calm_down(self):
        """A good network, and an agent that has heard nothing bad yet."""
        self.network.calm = True
        while self.network.under_way:
            time.sleep(0.1)
        self.source.kill_agent()
        self.source.start_agent()
        end = time.monotonic() + 120
        while (state := json.loads(self.source.warplore("agent", "status", "--json")))["waiting"]:
            if time.monotonic() > end:
                fail(f"{state['waiting']} records still wait: {state}")
            time.sleep(0.2)
        if state["dead"]:
            fail(f"the service refused records: {state}")
        self.source.stop_agent()
        return state

    # ---- what is there ----

    def facts(self):
        return self.sql("SELECT count(*), group_concat(id || hash) FROM (SELECT id, hash FROM fact_document ORDER BY "
                        f"id); SELECT count(*), max(hex(hash)) FROM fact_receipt WHERE agent = '{self.victim}';")

    def attack_everything(self):
        """Every batch that was ever taken, once more and changed, and one in each of its bits: nothing changes."""
        before, unanswered = self.facts(), self.network.unanswered
        taken = list(self.network.seen)
        for request in taken:
            self.network.must_refuse(request, "replayed")
            self.network.replay(request)
        self.network.replay_each_bit(min(taken, key=len))
        for _ in range(50):
            self.forge()
        if self.facts() != before:
            fail("a refused batch left something behind")
        if self.network.unanswered != unanswered:
            fail("a service that nobody kills gave no answer")
        return len(taken)

    def documents(self, token):
        """Every document that the API names, as often as it does."""
        ids, cursor = [], ""
        while True:
            status, page = self.ask("GET", f"/api/v1/submissions?limit=200{cursor}", {"Authorization": "Bearer " +
                                                                                       token})
            if status != 200:
                fail(f"the list of documents: {status} {page}")
            ids += [row["id"] for row in page["rows"]]
            if not page.get("next"):
                return ids
            cursor = "&cursor=" + page["next"]

    def shape_of(self, token, document):
        status, body = self.ask("GET", f"/api/v1/submissions/{document}/raw", {"Authorization": "Bearer " + token})
        if status != 200:
            fail(f"document {document}: {status}")
        # the service's own numbers of chips are a document without runs
        return body["runs"][0]["workload"]["dims"]["M"] if "runs" in body else None

    def check_documents(self, rows):
        """Documents over the API and in ROWS of the database: what was added, once each, and nothing else."""
        token = subprocess.run([self.program, "token", "--data", self.directory, "--role", "reader"], check=True,
                               capture_output=True, text=True).stdout.strip()
        ids, added = self.documents(token), {document: digest for document, digest, _ in self.source.added()}
        programs = {document_id(n + 1) for n in range(self.args.records - self.args.runs)}
        if set(added) != programs:
            fail(f"the programs added {len(added)} documents, not {len(programs)}")
        if len(ids) != len(set(ids)) or sorted(ids) != sorted(rows):
            fail(f"the API has {len(ids)} documents, {len(set(ids))} different ones; the database {len(rows)}")
        if lost := programs - rows.keys():
            fail(f"{len(lost)} documents are lost, the first is {min(lost)}")
        if other := [d for d in programs if rows[d] != added[d]]:
            fail(f"documents with other bytes than were added: {other[:3]}")
        shapes = [self.shape_of(token, document) for document in rows.keys() - programs]
        shapes = sorted(shape for shape in shapes if shape is not None)
        if len(shapes) != len(set(shapes)) or not self.source.run_ok <= set(shapes):
            fail(f"runs that were kept: {sorted(self.source.run_ok)}; stored: {shapes}")
        if extra := set(shapes) - self.source.run_ok - self.source.run_killed:
            fail(f"runs that nobody made: {extra}")
        return len(ids), len(set(shapes) - self.source.run_ok)

    def check_receipts(self):
        """The host's chain is the service's, and names every number that an add returned."""
        kept = self.source.receipts()
        theirs = dict(line.split("|") for line in self.sql(
            f"SELECT number, lower(hex(hash)) FROM fact_receipt WHERE agent = '{self.victim}'").split())
        if len(kept) > len(theirs) or any(theirs.get(str(r["number"])) != r["hash"] for r in kept):
            fail("the host's receipts are not the service's")
        last = max(r["number"] for r in kept)
        named = dict(line.split("|") for line in self.sql(
            "SELECT record, lower(hex(l.hash)) FROM fact_receipt_line l JOIN fact_receipt r ON r.seq = l.receipt "
            f"WHERE l.agent = '{self.victim}' AND state <> 'r' AND number <= {last}").split())
        if any(named.get(str(row["seq"])) != row["hash"] for r in kept for row in r["records"]):
            fail("a record of the host's receipts is not in the service's")
        if missing := [seq for _, digest, seq in self.source.added() if named.get(str(seq)) != digest]:
            fail(f"{len(missing)} acknowledged records are in no receipt, the first is {missing[0]}")
        twice = self.sql("SELECT document FROM fact_receipt_line WHERE state = 's' GROUP BY document "
                         "HAVING count(*) > 1")
        if twice:
            fail(f"stored twice by its receipts: {twice}")
        return len(kept), len(theirs)


def options():
    parser = argparse.ArgumentParser()
    for name in ("warplored", "warplore", "add_documents"):
        parser.add_argument(name)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--records", type=int, default=600)
    parser.add_argument("--runs", type=int)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--keep", action="store_true", help="leave the directory behind")
    args = parser.parse_args()
    args.runs = max(4, args.records // 100) if args.runs is None else args.runs
    return args


def main():
    args, sodium, start = options(), Sodium(), time.monotonic()
    if not shutil.which("sqlite3"):
        print("SKIPPED: no sqlite3 shell")
        sys.exit(77)
    directory = tempfile.mkdtemp(prefix="warplore-crash-")
    world = World(args, directory, random.Random(args.seed), sodium)
    atexit.register(lambda: (world.source.kill_all(), world.service.kill()))
    print(f"seed {args.seed}, {directory}", flush=True)
    world.chaos()
    state = world.calm_down()
    taken = world.attack_everything()
    network, source = world.network, world.source
    if network.broken:
        fail(f"{len(network.broken)} times not refused: {network.broken[:3]}")
    verified = source.warplore("agent", "verify").strip()
    rows = dict(line.split("|") for line in world.sql("SELECT id, hash FROM fact_document").split())
    count = world.sql("SELECT count(*) FROM fact_document").strip()
    documents, unsaid = world.check_documents(rows)
    kept, theirs = world.check_receipts()
    world.service.stop()
    said = subprocess.run([args.warplored, "verify", "--data", world.directory], capture_output=True, text=True,
                          check=False)
    if said.returncode != 0:
        fail("warplored verify: " + said.stderr)
    if not args.keep:
        shutil.rmtree(directory)
    print(f"network: {dict(network.counts)}\nrefused: {dict(sorted(network.refusals.items()))}, "
          f"{network.unanswered} without an answer; {world.forgeries} forgeries")
    print(f"killed: agent {world.kills['agent']}, service {world.kills['service']}, programs that add "
          f"{source.killed_writers}, `warplore run` {len(source.run_killed)}; damaged spans {state['damaged']}")
    print(f"agent: {verified}; service: {said.stdout.strip()}")
    print(f"ok: {args.records} records acknowledged, {documents} documents over the API and {count} rows, of them "
          f"{unsaid} of runs that were killed after adding; {taken} batches taken, {kept} receipts kept of {theirs}; "
          f"{time.monotonic() - start:.0f} s (seed {args.seed})")


main()
