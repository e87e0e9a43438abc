"""Everything at once: submissions, importers, agents, decisions, every GET route, advice, exports, projects,
tokens, people of a provider, quotas, hostile clients, backups and their verification, beside stops and starts.
For programs that were built with sanitizers; nothing is suppressed. Any report of a sanitizer, wrong exit status, 5xx that is not
one of BUSY, error in the log, answer that took longer than 60 s, or lost document fails it. With --nodes two
services share a journal in PostgreSQL; else the journal is a directory.

Prints requests per kind and status, and memory, threads and open files at each minute.

Usage: soak.py WARPLORED WARPLORE SOURCE [--seconds N] [--restart SECONDS] [--nodes] [--keep FOLDER]"""
import argparse
import collections
import glob
import http.client
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
import time

from daemon import Daemon, scratch, skip
from postgres import Postgres
from provider import Key, Provider

STALLED_S = 60
# What a service may say when it has no room at the moment; the client comes again.
BUSY = {"project_opening", "large_body", "queue_full", "stopping", "stopped", "too_many_batches", "batch_in_flight",
        "not_yet_applied", "journal_busy"}
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
HERE = os.path.dirname(os.path.abspath(__file__))


class Down(Exception):
    """The service is being stopped."""


class Node:
    """A service with its directory. `up` is false while it is stopped; `starts` counts."""

    def __init__(self, program, data, options):
        self.program, self.data, self.options = program, data, options
        self.up, self.starts, self.peak_kb = False, 0, 0
        self.start()

    def start(self):
        self.daemon = Daemon(self.program, self.data, *self.options)
        self.port, self.pid = self.daemon.port, self.daemon.child.pid
        self.starts += 1
        self.up = True

    def stop(self):
        """The exit status."""
        self.up = False
        self.daemon.child.terminate()
        status = self.daemon.child.wait(300)
        os.rename(self.daemon.log_path, f"{self.daemon.log_path}.{self.starts}")
        return status

    def usage(self):
        """KiB in memory, threads, open files; None between a stop and a start."""
        try:
            text = open(f"/proc/{self.pid}/status").read()
            files = len(os.listdir(f"/proc/{self.pid}/fd"))
            return int(re.search(r"VmRSS:\s+(\d+)", text)[1]), int(re.search(r"Threads:\s+(\d+)", text)[1]), files
        except (OSError, TypeError):
            return None


class Soak:
    """What all workers share: the services, what was acknowledged, what is known, what went wrong."""

    def __init__(self, args, folder):
        self.warplored, self.warplore, self.source = args.warplored, args.warplore, args.source
        self.folder, self.args, self.lock = folder, args, threading.Lock()
        self.over, self.wrong = threading.Event(), []
        self.counts = collections.Counter()  # (kind, status or code)
        self.routes = collections.Counter()  # addresses of GET that were answered with 2xx
        self.worst = (0.0, "")
        self.acknowledged = set()
        self.known = collections.defaultdict(lambda: collections.deque(maxlen=600))
        self.next_id = int(time.time()) << 20
        self.minutes = []
        self.provider = Provider()
        self.key = Key(folder, "ed", "EdDSA")
        self.provider.keys = [self.key]
        self.journal = folder + "/journal"
        if args.nodes:
            self.postgres = Postgres(folder, "pg")
            self.journal = self.postgres.address()
        self.nodes = []
        self.tokens = {}

    def begin(self):
        options = ["--journal", self.journal, "--oidc-issuer", self.provider.url, "--oidc-audience", "warplore",
                   "--oidc-groups", "team=contributor,leads=curator,moe=reader@team/p0", "--query-ms", "60000",
                   "--request-ms", "60000", "--address-per-minute", "120", "--credential-per-minute", "1000000",
                   "--projects-open", "8", "--project-idle-s", "20"]
        first = os.path.join(self.folder, "node0")
        for role in ("reader", "contributor", "curator", "admin"):
            self.tokens[role] = self.token(first, role)
        for i in range(2 if self.args.nodes else 1):
            self.nodes.append(Node(self.warplored, os.path.join(self.folder, f"node{i}"), options))

    def token(self, data, role, *more):
        return self.run(self.warplored, "token", "--data", data, "--role", role, *more).strip()

    # ---- what went wrong ----

    def fail(self, what):
        with self.lock:
            self.wrong.append(what[:1500])
        print("WRONG:", what[:1500], flush=True)
        if len(self.wrong) > 50:
            self.over.set()

    def count(self, kind, status):
        with self.lock:
            self.counts[kind, status] += 1

    def answered(self, route):
        with self.lock:
            self.routes[route] += 1

    # ---- asking ----

    def node(self):
        while not self.over.is_set():
            up = [n for n in self.nodes if n.up]
            if up:
                return random.choice(up)
            time.sleep(0.05)
        raise Down

    def ask(self, kind, method, path, token=None, body=None, want=None, headers=None, node=None, type="application/json"):
        """(status, bytes, headers). WANT: the statuses that are right; None: anything below 500. Raises Down
        when the service was stopped meanwhile, or is busy."""
        node = node or self.node()
        starts, began = node.starts, time.monotonic()
        headers = dict(headers or {})
        if token:
            headers["Authorization"] = "Bearer " + token
        if body is not None:
            headers["Content-Type"] = type
        connection = http.client.HTTPConnection("127.0.0.1", node.port, timeout=STALLED_S)
        try:
            connection.request(method, path, body, headers)
            reply = connection.getresponse()
            status, answer = reply.status, reply.read()
        except (OSError, http.client.HTTPException) as e:
            if not node.up or node.starts != starts:
                self.count(kind, "stop")
                raise Down from e
            if isinstance(e, ConnectionError):  # silent for too long while connections are scarce
                self.count("cut", kind)
                raise Down from e
            self.count(kind, "broken")
            self.fail(f"{kind}: {method} {path}: {e!r} after {time.monotonic() - began:.1f} s")
            raise Down from e
        finally:
            connection.close()
        self.judge(kind, method, path, status, answer, want, time.monotonic() - began)
        return status, answer, reply.headers

    def judge(self, kind, method, path, status, answer, want, took):
        code = ""
        if status >= 400 and answer[:1] == b"{":
            code = json.loads(answer).get("code", "")
        busy = status == 503 and code in BUSY
        self.count(kind, code if busy else status)
        with self.lock:
            self.worst = max(self.worst, (took, f"{kind}: {method} {path[:120]}"))
        if took > STALLED_S:
            self.fail(f"{kind}: {method} {path} took {took:.1f} s")
        if busy:
            time.sleep(0.2)
            raise Down
        if status >= 500 or (want and status not in want):
            self.fail(f"{kind}: {method} {path}: {status} {answer[:600]}")

    def run(self, *command, env=None, want=(0,), timeout=300, node=None):
        """What a program printed. A status that is not WANT is wrong, unless the service went down."""
        starts = node.starts if node else 0
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, errors="replace", check=False,
                              env=dict(os.environ, **env) if env else None)
        if done.returncode not in want:
            if node and (not node.up or node.starts != starts or any(code in done.stdout + done.stderr for code in BUSY)):
                raise Down
            self.fail(f"{command[:4]}: status {done.returncode}: {done.stdout[-300:]} {done.stderr[-900:]}")
        return done.stdout

    def client(self, kind, token, *words, want=(0,), **env):
        """The command, as a person with the token."""
        node = self.node()
        out = self.run(self.warplore, *words, want=want, node=node, timeout=900, env={
            "WARPLORE_URL": f"http://127.0.0.1:{node.port}", "WARPLORE_TOKEN": token, "HOME": self.folder,
            "XDG_CONFIG_HOME": self.folder, "NO_COLOR": "1", **env})
        self.count(kind, "done")
        return out

    # ---- what is known ----

    def id(self):
        with self.lock:
            self.next_id += 1
            n = self.next_id
        return "01JQ00000" + "".join(ALPHABET[n >> 5 * i & 31] for i in range(16, -1, -1))

    def learn(self, doc):
        """Remember the ids of an acknowledged document."""
        with self.lock:
            self.acknowledged.add(doc["id"])
            self.known["submissions"].append(doc["id"])
            for kind, records in doc.items():
                for r in records if isinstance(records, list) else []:
                    if isinstance(r, dict) and "id" in r:
                        self.known[kind].append(r["id"])

    def any_of(self, dice, *kinds):
        for kind in kinds:
            if self.known[kind]:
                return dice.choice(list(self.known[kind]))
        raise Down

    def deliver(self, kind, token, doc, want=(200, 201), project=None):
        """Until it is acknowledged, also by a service that was stopped meanwhile."""
        body = json.dumps(doc)
        headers = {"Warplore-Project": project} if project else {}
        while not self.over.is_set():
            try:
                status, answer, _ = self.ask(kind, "POST", "/api/v1/submissions", token, body, want, headers)
            except Down:
                time.sleep(0.05)
                continue
            if status in (200, 201):
                self.learn(doc)
            return status, answer
        raise Down


def work(soak, name, job, pause, seed):
    """Repeat a job of soak_jobs.py until the end."""
    dice, state = random.Random(seed), {}
    while not soak.over.is_set():
        try:
            job(soak, dice, state)
        except Down:
            pass
        except Exception as e:  # a mistake of the test itself must not end a worker in silence
            soak.fail(f"{name}: {e!r}")
            time.sleep(1)
        soak.over.wait(dice.uniform(0, 2 * pause))


def watch(soak, began):
    """Memory, threads and files of the services; a line per minute."""
    most, minute = [(0, 0, 0)] * len(soak.nodes), 0
    while not soak.over.is_set():
        for i, node in enumerate(soak.nodes):
            most[i] = tuple(map(max, most[i], node.usage() or (0, 0, 0)))
        if time.monotonic() - began >= 60 * (minute + 1):
            minute += 1
            report_minute(soak, minute, most)
            most = [(0, 0, 0)] * len(soak.nodes)
        soak.over.wait(0.5)
    report_minute(soak, minute + 1, most)


def report_minute(soak, minute, most):
    with soak.lock:
        asked, stored = sum(soak.counts.values()), len(soak.acknowledged)
    usage = "  ".join(f"{kb / 1024:.0f} MiB {threads} threads {files} files" for kb, threads, files in most)
    print(f"minute {minute}: {usage}  {asked} done, {stored} documents, {len(soak.wrong)} wrong", flush=True)


def settle(soak, seconds, restart):
    """Stop and start one service after the other until the time is over."""
    end = time.monotonic() + seconds
    while not soak.over.wait(max(0, min(restart, end - time.monotonic()))) and time.monotonic() < end - 5:
        node = random.choice(soak.nodes)
        began = time.monotonic()
        status = node.stop()
        if status != 0:
            soak.fail(f"exit status {status} of {node.data}: {open(f'{node.data}.log.{node.starts}').read()[-1500:]}")
        stopped = time.monotonic()
        node.start()
        soak.count("start", "done")
        print(f"stopped in {stopped - began:.1f} s, started in {time.monotonic() - stopped:.1f} s", flush=True)
    soak.over.set()


def check_stored(soak, node):
    with sqlite3.connect(f"file:{node.data}/warplore.db?mode=ro", uri=True) as db:
        stored = {i for i, in db.execute("SELECT id FROM fact_document")}
    lost = soak.acknowledged - stored
    if lost:
        soak.fail(f"{len(lost)} acknowledged documents are not stored: {sorted(lost)[:5]}")
    print(f"{len(soak.acknowledged)} documents acknowledged, {len(stored)} stored, {len(lost)} lost", flush=True)


def check_end(soak):
    for node in soak.nodes:
        status = node.stop()
        if status != 0:
            soak.fail(f"exit status {status} at the end: {open(f'{node.data}.log.{node.starts}').read()[-1500:]}")
    cuts = 0
    for node in soak.nodes:
        check_stored(soak, node)
        print(soak.run(soak.warplored, "verify", "--data", node.data, timeout=1800).strip(), flush=True)
        for path in glob.glob(node.data + ".log.*"):
            for line in open(path, errors="replace"):
                cuts += " event=cut " in line
                if "level=error" in line or "Sanitizer" in line:
                    soak.fail(f"{os.path.basename(path)}: {line.strip()}")
    seen = sum(n for (kind, _), n in soak.counts.items() if kind == "cut")
    if seen > cuts:
        soak.fail(f"{seen} connections were closed without an answer, and the logs tell of {cuts}")
    dumps = [soak.run(soak.warplored, "dump", "--data", n.data, timeout=900) for n in soak.nodes]
    copy = soak.folder + "/copy"
    soak.run(soak.warplored, "replay", "--journal", soak.journal, "--data", copy, "--accept-credentials", timeout=1800)
    dumps.append(soak.run(soak.warplored, "dump", "--data", copy, timeout=900))
    if len(set(dumps)) != 1:
        soak.fail("the dumps of the nodes and of the journal alone are not equal")


def sanitizers(folder):
    """Let reports go to files; continue after one, so that a run finds all."""
    os.makedirs(folder + "/reports")
    often = f"log_path={folder}/reports/r"
    for name, more in (("TSAN_OPTIONS", "halt_on_error=0:exitcode=66:history_size=4:second_deadlock_stack=1"),
                       ("ASAN_OPTIONS", "exitcode=66"), ("UBSAN_OPTIONS", "print_stacktrace=1"), ("LSAN_OPTIONS", "exitcode=66")):
        os.environ[name] = ":".join(filter(None, [os.environ.get(name), often, more]))


def report(soak, folder):
    kinds = collections.defaultdict(dict)
    for (kind, status), n in sorted(soak.counts.items(), key=str):
        kinds[kind][status] = n
    for kind, by in sorted(kinds.items()):
        print(f"{kind:12} {sum(by.values()):7}  " + "  ".join(f"{s}: {n}" for s, n in by.items()))
    print(f"slowest answer: {soak.worst[0]:.1f} s, {soak.worst[1]}")
    routes = soak.get_routes()
    never = [r for r in routes if not soak.routes[r]]
    print(f"{len(routes)} GET routes; never answered with 2xx: {never or 'none'}")
    reports = sorted(glob.glob(folder + "/reports/*"))
    for path in reports:
        print(open(path, errors="replace").read()[:6000])
        soak.wrong.append("a sanitizer's report: " + path)
    for what in soak.wrong[:20]:
        print("WRONG:", what[:600])
    print("soak:", f"{len(soak.wrong)} wrong" if soak.wrong else "nothing wrong")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("warplored")
    p.add_argument("warplore")
    p.add_argument("source")
    p.add_argument("--seconds", type=float, default=1800)
    p.add_argument("--restart", type=float, default=240)
    p.add_argument("--seed", type=int, default=20)
    p.add_argument("--nodes", action="store_true")
    p.add_argument("--keep", help="an empty folder for everything, which stays")
    args = p.parse_args()
    if shutil.which("openssl") is None:
        skip("no openssl")
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
        return sys.exit(soak_in(args, args.keep))
    with scratch() as folder:
        sys.exit(soak_in(args, folder))


def soak_in(args, folder):
    import soak_jobs
    sanitizers(folder)
    soak = Soak(args, folder)
    soak.get_routes = lambda: soak_jobs.get_routes(soak)
    soak.begin()
    soak_jobs.prepare(soak)
    began = time.monotonic()
    threads = [threading.Thread(target=work, args=(soak, name, job, pause, f"{args.seed} {name} {i}"))
               for name, job, number, pause in soak_jobs.JOBS for i in range(number)]
    threads.append(threading.Thread(target=watch, args=(soak, began)))
    for t in threads:
        t.start()
    settle(soak, args.seconds, args.restart)
    for t in threads:
        t.join()
    check_end(soak)
    report(soak, folder)
    return 1 if soak.wrong else 0


if __name__ == "__main__":
    main()
