#!/usr/bin/env python3
"""Three nodes on one journal in PostgreSQL with a synchronous standby, under load, and a fault in every
round: kill -9 of a node, of PostgreSQL, a partition between a node and PostgreSQL (each node has a network
name space of its own; the link is down, or passes one direction only), or the loss of the primary with
promotion of its standby. After each round every acknowledged document is at every node, nothing is there
twice, and the facts of all nodes are equal, order and times included. A node that is cut off acknowledges
nothing.

    nodes_drill.py WARPLORED [--rounds 50] [--seed N] [--faults node,postgres,partition,promote]

Starts PostgreSQL itself; skipped (77) where it is not installed, and
without root. Needs Python's standard library only.
"""
import argparse
import atexit
import collections
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
# pylint: disable=wrong-import-position
from daemon import Daemon, copy_key, make_token, need, scratch, skip, until
from postgres import Postgres, free_port

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CLIENTS, EACH = 6, 12


class Network:
    """A name space of a node's own, with two links into ours: one for clients, and one to PostgreSQL,
    which a partition takes down, or lets pass in one direction only."""
    made = 0

    def __init__(self):
        self.n = Network.made
        Network.made += 1
        self.holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        atexit.register(self.holder.kill)
        self.within = ["nsenter", "--net", "--target", str(self.holder.pid)]
        ours = os.readlink("/proc/self/ns/net")
        until(lambda: os.readlink(f"/proc/{self.holder.pid}/ns/net") != ours, 10, "a name space")
        self.host, self.postgres = self.link("c", 18), self.link("p", 19)
        self.postgres = self.postgres[:-1] + "1"

    def link(self, kind, second):
        a, b, net = f"{kind}{self.n}", f"{kind}{self.n}n", f"10.{second}.{self.n}."
        ip("link", "add", a, "type", "veth", "peer", "name", b, "netns", str(self.holder.pid))
        ip("addr", "add", net + "1/24", "dev", a)
        ip("link", "set", a, "up")
        for words in (("addr", "add", net + "2/24", "dev", b), ("link", "set", b, "up"), ("link", "set", "lo", "up")):
            ip(*words, within=self.within)
        return net + "2"

    def cut(self, one_way):
        if one_way:  # what the node sends arrives; nothing comes back
            ip("route", "add", "blackhole", f"10.19.{self.n}.2/32")
        else:
            ip("link", "set", f"p{self.n}", "down")

    def mend(self, one_way):
        if one_way:
            ip("route", "del", "blackhole", f"10.19.{self.n}.2/32")
        else:
            ip("link", "set", f"p{self.n}", "up")


def ip(*words, within=()):
    subprocess.run([*within, "ip", *words], check=True)


def in_own_network():
    """Start this program again in a network of its own, where it may add links."""
    if os.getuid() != 0 or not all(map(shutil.which, ("ip", "unshare", "nsenter"))):
        skip("network name spaces need root, and the programs ip, unshare, nsenter")
    if "NODES_DRILL" not in os.environ:
        os.environ["NODES_DRILL"] = "1"
        os.execvp("unshare", ["unshare", "--net", "--", sys.executable, "-B", *sys.argv])
    ip("link", "set", "lo", "up")


class Cluster:
    """A primary and its synchronous standby on two fixed ports."""

    def __init__(self, folder):
        self.folder, self.n = folder, 0
        self.ports = [free_port(), free_port()]
        self.primary = Postgres(folder, "pg0", port=self.ports[0], networks=["10.0.0.0/8"])
        self.standby = None
        self.add_standby()

    def add_standby(self):
        self.n += 1
        port = self.ports[1] if self.primary.port == self.ports[0] else self.ports[0]
        self.standby = Postgres(self.folder, f"pg{self.n}", of=self.primary, port=port)
        self.primary.sql("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        self.primary.sql("SELECT pg_reload_conf()")
        until(lambda: "sync" in self.primary.sql("SELECT sync_state FROM pg_stat_replication"), 60, "a synchronous standby")

    def kill(self):
        self.primary.kill()

    def restart(self):
        self.primary.start()

    def promote(self):
        """The primary is gone for good; a new standby comes later."""
        self.primary = self.standby
        self.primary.promote()
        self.standby = None


class Node:
    def __init__(self, program, data, cluster):
        self.program, self.data, self.network = program, data, Network()
        self.journal = "postgresql://warplore@" + ",".join(f"{self.network.postgres}:{p}" for p in cluster.ports) + "/postgres"
        self.daemon = None
        self.start()

    def start(self):
        for _ in range(20):  # PostgreSQL may be away for a moment
            try:
                self.daemon = Daemon(self.program, self.data, "--journal", self.journal, "--allow-remote",
                                     host=self.network.host, within=self.network.within)
                return
            except SystemExit:
                time.sleep(1)
        need(False, "a node to start")

    def kill(self):
        self.daemon.child.kill()
        self.daemon.child.wait()


class Drill:
    def __init__(self, program, folder, rng):
        self.rng, self.program = rng, program
        self.cluster = Cluster(folder)
        datas = [f"{folder}/node{i}" for i in range(3)]
        self.token = make_token(program, datas[0], "contributor")
        self.nodes = [Node(program, datas[0], self.cluster)]
        for d in datas[1:]:
            copy_key(datas[0], d)
            self.nodes.append(Node(program, d, self.cluster))
        for n in self.nodes:
            until(lambda n=n: n.daemon.request("GET", "/api/v1/submissions", self.token)[0] == 200, 20, "the token everywhere")
        self.sent, self.acknowledged, self.retries = 0, {}, 0
        self.lock = threading.Lock()

    # ---- load ----

    def document(self):
        with self.lock:
            self.sent += 1
            n = self.sent
        name = "01J0000000" + "".join(ALPHABET[n >> 5 * i & 31] for i in range(15, -1, -1))
        return name, json.dumps({"warplore": 1, "id": name, "directions": [{"id": name, "text": f"direction {n} " + "x" * 300}]})

    def post(self, node, body):
        try:
            return node.daemon.request("POST", "/api/v1/submissions", self.token, body, timeout=60)[0]
        except OSError:
            return 0
        except Exception as e:  # http.client: a connection that broke in the middle
            if type(e).__module__ != "http.client":
                raise
            return 0

    def client(self, seed):
        rng = random.Random(seed)
        for _ in range(EACH):
            name, body = self.document()
            while True:
                status = self.post(rng.choice(self.nodes), body)
                if status in (200, 201):
                    break
                need(status in (0, 503), f"an answer of 200, 201 or 503, not {status}")
                with self.lock:
                    self.retries += 1
                time.sleep(0.1)
            with self.lock:
                self.acknowledged[name] = body
            if rng.random() < 0.2:  # again, at another node
                self.post(rng.choice(self.nodes), body)

    # ---- faults ----

    def fault_node(self):
        some = self.rng.sample(self.nodes, self.rng.randint(1, 2))
        for n in some:
            n.kill()
        time.sleep(self.rng.random())
        for n in some:
            n.start()

    def fault_postgres(self):
        self.cluster.kill()
        time.sleep(self.rng.random())
        self.cluster.restart()

    def fault_partition(self):
        node, one_way, answers = self.rng.choice(self.nodes), self.rng.random() < 0.5, []
        name, body = self.document()
        node.network.cut(one_way)
        asked = threading.Thread(target=lambda: answers.append(self.post(node, body)))
        asked.start()
        time.sleep(1 + 12 * self.rng.random())
        need(not answers or answers[0] in (0, 503), f"no acknowledgement of a node that is cut off: {answers}")
        node.network.mend(one_way)
        asked.join()
        if answers[0] in (200, 201):
            with self.lock:
                self.acknowledged[name] = body

    def fault_promote(self):
        self.cluster.kill()
        time.sleep(self.rng.random())
        self.cluster.promote()

    # ---- rounds ----

    def settled(self):
        for n in self.nodes:
            n.daemon.need_alive = n.daemon.child.poll() is None
            need(n.daemon.need_alive, "a node that still runs: " + n.daemon.log()[-2000:])
        heads = [json.loads(n.daemon.request("GET", "/readyz")[1]) for n in self.nodes]
        last = int(self.cluster.primary.sql("SELECT coalesce(max(seq), 0) FROM journal"))
        return all(h["applied"] == last for h in heads)

    def facts(self, node):
        with sqlite3.connect(f"file:{node.data}/warplore.db?mode=ro", uri=True) as db:
            return db.execute("SELECT seq, id, hash, received_us, actor FROM fact_document ORDER BY seq").fetchall()

    def check(self):
        until(self.settled, 90, "every node at the end of the journal")
        all_facts = [self.facts(n) for n in self.nodes]
        need(all_facts[0] == all_facts[1] == all_facts[2], "equal facts at all nodes")
        ids = collections.Counter(row[1] for row in all_facts[0])
        need(max(ids.values()) == 1, "no document twice")
        lost = self.acknowledged.keys() - ids.keys()
        need(not lost, f"{len(lost)} acknowledged documents are gone: {sorted(lost)[:3]}")
        counts = self.cluster.primary.sql("SELECT count(*), max(seq), count(DISTINCT hash),"
                                          " count(*) FILTER (WHERE kind = 'document') FROM journal").strip().split("|")
        need(counts[0] == counts[1] == counts[2] and int(counts[3]) == len(ids), f"a whole journal: {counts}, {len(ids)} documents")

    def round(self, kind):
        threads = [threading.Thread(target=self.client, args=(self.rng.random(),)) for _ in range(CLIENTS)]
        for t in threads:
            t.start()
        time.sleep(0.1 + self.rng.random())
        getattr(self, "fault_" + kind)()
        for t in threads:
            t.join()
        self.check()
        if self.cluster.standby is None:
            self.cluster.add_standby()

    def dumps(self):
        return [subprocess.run([self.program, "dump", "--data", n.data], check=True, capture_output=True).stdout
                for n in self.nodes]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--faults", default="node,postgres,partition,promote")
    args = parser.parse_args()
    in_own_network()
    rng, kinds = random.Random(args.seed), args.faults.split(",")
    with scratch() as folder:
        drill = Drill(args.program, folder, rng)
        done = collections.Counter()
        for number in range(args.rounds):
            kind = kinds[number % len(kinds)]
            begin = time.monotonic()
            drill.round(kind)
            done[kind] += 1
            print(f"round {number + 1} {kind}: {len(drill.acknowledged)} acknowledged, {drill.retries} retries, 0 lost, "
                  f"{time.monotonic() - begin:.1f} s", flush=True)
        for n in drill.nodes:
            n.daemon.stop()
        dumps = drill.dumps()
        need(dumps[0] == dumps[1] == dumps[2], "equal dumps")
    print(f"ok: {dict(done)}, {len(drill.acknowledged)} acknowledged, 0 lost, dumps of 3 nodes equal (seed {args.seed})")


if __name__ == "__main__":
    main()
