"""Before each attempt, `check-idea` says stop, known elsewhere, won here, or that the plan is new: a small lineage,
through the command and its exit statuses. (tests/eval/product replays sessions of agents.)
Usage: check_idea.py WARPLORED WARPLORE SOURCE [--attempts N]: also times a kernel with N attempts"""
import json
import os
import subprocess
import sys
import time
from urllib.parse import quote

from daemon import Daemon, make_token, need, scratch

WARPLORED, WARPLORE, SOURCE = sys.argv[1:4]
MANY = int(sys.argv[5]) if len(sys.argv) > 5 else 0
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def ulid(n):
    out = ""
    for _ in range(26):
        out, n = ALPHABET[n % 32] + out, n // 32
    return out


class Memory:
    def __init__(self, data):
        self.service = Daemon(WARPLORED, data)
        self.token = make_token(WARPLORED, data, "contributor")
        self.n = 0

    def id(self):
        self.n += 1
        return ulid(self.n)

    def store(self, **lists):
        body = json.dumps(dict(lists, warplore=1, id=self.id()))
        status, answer = self.service.request("POST", "/api/v1/submissions", self.token, body, timeout=120)[:2]
        need(status == 201, f"a document to be stored: {status} {answer[:300]}")

    def kernel(self, name, operator="gemm"):
        k, v = self.id(), self.id()
        self.store(kernels=[{"id": k, "operator": operator, "name": name, "language": "cuda"}],
                   versions=[{"id": v, "kernel": k, "kind": "baseline"}])
        return k, v

    def attempt(self, kernel, parent, idea, before, after, error=None, chip="h100-sxm", **more):
        """Stores a new version made from PARENT by IDEA, and returns it."""
        lists = self.attempt_lists(kernel, parent, idea, before, after, error, chip, **more)
        self.store(**lists)
        return lists["versions"][0]["id"]

    def attempt_lists(self, kernel, parent, idea, before, after, error=None, chip="h100-sxm", **more):
        version, run, hypothesis = self.id(), self.id(), self.id()
        record = {"id": run, "version": version, "chip": chip, "evidence": "measured", "tool": "test",
                  "workload": {"dims": {"M": 4096}}}
        if error:
            record["error"] = {"type": error, "message": "no"}
        else:
            record["samples_ns"] = [after + i for i in range(-2, 3)]
        experiment = {"id": self.id(), "kernel": kernel, "from_version": parent, "to_version": version, "chip": chip,
                      "workload": {"dims": {"M": 4096}}, "hypothesis": hypothesis, "runs_after": [run], **more}
        if not error:
            experiment["claim"] = {"latency_before_ns": before, "latency_after_ns": after}
        return {"versions": [{"id": version, "kernel": kernel, "kind": "candidate",
                              "parents": [{"version": parent, "kind": "derived_from"}]}],
                "runs": [record], "experiments": [experiment],
                "hypotheses": [{"id": hypothesis, "claim": idea, "from_version": parent}]}

    def ask(self, **query):
        path = "/api/v1/check-idea?" + "&".join(f"{k}={quote(str(v))}" for k, v in query.items())
        status, body = self.service.request("GET", path, self.token)[:2]
        need(status == 200, f"an answer to {path}: {status} {body[:300]}")
        return json.loads(body)

    def command(self, *words):
        env = dict(os.environ, WARPLORE_TOKEN=self.token)
        done = subprocess.run([WARPLORE, "check-idea", *words, "--url", f"http://127.0.0.1:{self.service.port}"],
                              env=env, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout + done.stderr


def lineage(memory):
    mine, v0 = memory.kernel("mine")
    other, w0 = memory.kernel("other")
    tiles = {"techniques": [{"name": "memory.tiling_smem", "params": {"tile": "64"}}]}
    memory.attempt(mine, v0, "wider tiles for the K loop", 100000, 112000, author="ada", **tiles)
    memory.attempt(mine, v0, "keep the accumulators in registers", 100000, 81000)
    memory.attempt(mine, v0, "unroll the epilogue", 100000, 0, error="compilation")
    memory.attempt(other, w0, "pad the shared tile by one column", 100000, 70000)
    for words, status, said in [
            (["-t", "memory.tiling_smem", "-k", mine], 10, ["stop: ", "0.893x", "tile=64", "ada"]),
            (["wider", "tiles", "for", "the", "K", "loop", "-k", mine, "-c", "h100-sxm"], 10, ["stop: ", "the same words"]),
            (["Unrolling the epilogue", "-k", mine], 10, ["did not compile"]),
            (["wider tiles for the K loop", "-k", mine, "-c", "mi300x"], 11, ["known", "on h100"]),
            (["pad the shared tile by one column", "-k", mine], 11, ["known", "1 won", "on kernel other"]),
            (["pad the shared tile by one column", "-o", "gemm"], 12, ["won here"]),
            (["keep the accumulators in registers", "-k", mine, "-d", "M=4096"], 12, ["won here", "1.23x"]),
            (["keep the accumulators in registers", "-k", mine, "-d", "M=8"], 11, ["another workload"]),
            (["a swizzle of the block order", "-k", mine], 0, ["new: nothing like it, and no memory.l2_grouped_ordering, among 3 attempts"])]:
        code, text = memory.command(*words)
        need(code == status and all(s in " ".join(text.split()) for s in said), f"{words}: {status} and {said}, got {code}: {text}")
        need(text.count("\n") <= 6, f"a few lines: {text}")


def many(memory):
    kernel, v0 = memory.kernel("many")
    for first in range(0, MANY, 500):
        lists = {}
        for i in range(first, min(MANY, first + 500)):
            words_of = f"attempt {i}: change {i * 7919 % 1009} of the {['load', 'store', 'loop', 'tile'][i % 4]} path by {i % 13}"
            for kind, rows in memory.attempt_lists(kernel, v0, words_of, 100000, 101000 + i % 50,
                                                   techniques=[{"name": "memory.tiling_smem", "params": {"tile": str(i % 97)}}] if i % 2 else []).items():
                lists.setdefault(kind, []).extend(rows)
        memory.store(**lists)
    used = lambda: sum(int(x) for x in open(f"/proc/{memory.service.child.pid}/stat").read().split()[13:15])
    before, times = used(), []
    for i in range(20):
        start = time.monotonic()
        memory.ask(text=f"swap the load path for one with {i} banks", kernel=kernel, **{"from": v0})
        times.append(1000 * (time.monotonic() - start))
    cpu = (used() - before) * 1000 / os.sysconf("SC_CLK_TCK") / len(times)
    print(f"{MANY} attempts on one kernel: {cpu:.0f} ms of processor time, median {sorted(times)[10]:.1f} ms, slowest {max(times):.1f} ms")


with scratch() as tmp:
    memory = Memory(os.path.join(tmp, "data"))
    lineage(memory)
    if MANY:
        many(memory)
    memory.service.stop()
