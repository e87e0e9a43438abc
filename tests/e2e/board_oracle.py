#!/usr/bin/env python3
"""The leaderboard against an oracle that shares no code with it: every row recomputed from the facts
with a read-only SQLite connection and Python's own median.

    board_oracle.py WARPLORED BENCH_LOAD

Starts a service on an empty directory, fills it with runs by the load generator and with a random
story of its own (checks that fail, time out, are missing or were made on another workload; things
retracted and given back; times too close to call; baselines that nothing beats), and compares best,
correctness, exclusions, rank sets, ties and failed attempts of every row of /api/v1/leaderboard."""

import json
import math
import os
import random
import sqlite3
import statistics
import struct
import subprocess
import sys
import tempfile
import urllib.request
from collections import defaultdict

CHANCE = random.Random(20)
LANGUAGES, CHIPS, SHAPES = ("cuda", "triton", "hip"), ("h200", "a100"), (512, 1024, 2048, 4096)


# ---- the story ----

def ulid():
    return "01JB" + "".join(CHANCE.choice("0123456789ABCDEFGHJKMNPQRSTVWXYZ") for _ in range(22))


def a_run(version, timed):
    shape = CHANCE.choice(SHAPES)
    run = {"id": ulid(), "version": version, "chip": CHANCE.choice(CHIPS), "tool": "events",
           "evidence": CHANCE.choice(("measured", "measured", "measured", "imported")),
           "workload": {"dims": {"M": shape}, "dtype": "f16"}}
    if timed:
        middle = CHANCE.randrange(900, 1100) * shape
        rise = CHANCE.choice((0, 0, 0, 3)) * shape  # a clock that drifts
        run["samples_ns"] = [middle + CHANCE.randrange(60 * shape) + i * rise
                             for i in range(CHANCE.choice((1, 3, 9, 20, 40)))]
    check = CHANCE.choice((None, "not_checked", "pass", "pass", "pass", "pass"))
    if CHANCE.random() < 0.04:
        check = CHANCE.choice(("fail", "timeout"))
    if check is not None:
        run["correctness"] = {"status": check}
    return run


def a_kernel(operator, language):
    kernel = {"id": ulid(), "operator": operator, "name": f"{operator} {language}",
              "language": language}
    versions = [{"id": ulid(), "kernel": kernel["id"], "label": f"v{i}",
                 "kind": "baseline" if i == 0 else "candidate"} for i in range(6)]
    runs = [a_run(v["id"], CHANCE.random() < 0.8) for v in versions
            for _ in range(CHANCE.randrange(1, 9))]
    return {"warplore": 1, "id": ulid(), "kernels": [kernel], "versions": versions, "runs": runs}


def an_optimal_baseline(operator, attempts):
    doc = a_kernel(operator, "cuda")
    doc["versions"] = doc["versions"][:1]
    doc["runs"] = [a_run(doc["versions"][0]["id"], True)]
    doc["runs"][0]["correctness"] = {"status": "pass"}
    doc["experiments"] = [
        {"id": ulid(), "kernel": doc["kernels"][0]["id"], "title": "slower", "evidence": "claimed",
         "chip": doc["runs"][0]["chip"], "workload": doc["runs"][0]["workload"],
         "claim": {"speedup": 0.5 + 0.4 * CHANCE.random()}} for _ in range(attempts)]
    return doc


def decision(action, subjects):
    return {"warplore": 1, "id": ulid(), "curations": [
        {"id": ulid(), "action": action, "subjects": subjects, "reason": "the oracle says so"}]}


def story():
    docs = [a_kernel(f"op{i}", language) for i in range(8) for language in LANGUAGES]
    optimal = [an_optimal_baseline(f"best{i}", attempts) for i, attempts in enumerate((1, 7, 60))]
    runs = [r["id"] for d in docs for r in d["runs"]]
    versions = [v["id"] for d in docs for v in d["versions"]]
    failed = [x["id"] for x in optimal[2]["experiments"]]
    back = decision("retract", CHANCE.sample(runs, 20))
    decisions = [decision("retract", CHANCE.sample(runs, 60)),
                 decision("retract", CHANCE.sample(versions, 12)), back,
                 decision("retract", [back["curations"][0]["id"]]),
                 decision("mask", failed[-3:]), decision("retract", failed[-5:-3])]
    # What comes late: more runs of versions that are retracted, timed or checked already.
    late = [{"warplore": 1, "id": ulid(),
             "runs": [a_run(CHANCE.choice(versions), CHANCE.random() < 0.5) for _ in range(15)]}
            for _ in range(8)]
    return docs + optimal + decisions + late


# ---- the oracle ----

def spread(v):
    """The normal standard deviation that the median absolute deviation stands for."""
    middle = statistics.median(v)
    mad = statistics.median(abs(x - middle) for x in v)
    if mad > 1e-9 * max(abs(x) for x in v):
        return 1.4826 * mad
    return statistics.stdev(v) if len(v) > 1 else 0


def neighbours(v):
    middle, reach = statistics.median(v), 3 * spread(v)
    off = [max(-reach, min(reach, x - middle)) for x in v]
    own = sum(x * x for x in off)
    return sum(x * y for x, y in zip(off, off[1:])) / own if own > 0 else 0


def likeness(r):
    return (1 + min(r, 0.9)) / (1 - min(r, 0.9))


def trend(v):
    """What V rises or falls by when Mann and Kendall's test at 1 % sees it drift."""
    n = len(v)
    if n < 8:
        return 0
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    score = sum((v[j] > v[i]) - (v[j] < v[i]) for i, j in pairs)
    slope = statistics.median((v[j] - v[i]) / (j - i) for i, j in pairs)
    equal = [v.count(x) for x in set(v)]
    variance = (n * (n - 1) * (2 * n + 5) - sum(t * (t - 1) * (2 * t + 5) for t in equal)) / 18
    r = max(0, neighbours([x - slope * i for i, x in enumerate(v)]))
    z = max(0, abs(score) - 1) / math.sqrt(variance * likeness(r)) if variance > 0 else 0
    return abs(slope) * (n - 1) if math.erfc(z / math.sqrt(2)) < 0.01 else 0


def wander(v):
    """How far the running median goes beyond what noise from sample to sample explains."""
    n = len(v)
    steps = [y - x for x, y in zip(v, v[1:])]
    around = statistics.median(steps)
    away = sorted(abs(x - around) for x in steps)
    noise, rank = statistics.median(away), 0.8 * (len(away) - 1)
    if noise <= 0:
        i = int(rank)
        noise = (away[i] + (rank - i) * (away[min(i + 1, len(away) - 1)] - away[i])) / 2
    w = max(n // 10, 3)
    running = [statistics.median(v[i:i + w]) for i in range(n - w + 1)]
    chance = 2 * 1.2533 * 1.0484 * noise / math.sqrt(w) * math.sqrt(2 * math.log(2 * max(n / w, 1)))
    return max(0, max(running) - min(running) - chance, trend(v))


def drifting(samples, low, high):
    """The interval LOW, HIGH widened by what the samples say in their order; at most 64 of them."""
    v, most, warm = [math.log(max(x, 1)) for x in samples], len(samples) // 8, 0
    middle = statistics.median(samples)
    if most:
        above = statistics.median(v[most:]) + 4 * spread(v[most:])
        while warm < most and v[warm] > above:
            warm += 1
    v = v[warm:]
    r = neighbours(v)
    alike = math.sqrt(likeness(r)) if r > 1.6448536269514722 / math.sqrt(len(v)) else 1
    drift = math.exp(1.5 * wander(v))
    return middle * (low / middle) ** alike / drift, middle * (high / middle) ** alike * drift


def interval(samples):
    """Widest k with P(Binomial(n, 1/2) < k) <= 2.5 %, exactly, and drift; None for one sample."""
    v, n = sorted(samples), len(samples)
    if n < 2:
        return None
    k = max([k for k in range(1, n // 2 + 1)
             if 40 * sum(math.comb(n, i) for i in range(k)) <= 2 ** n], default=1)
    return drifting(samples, v[k - 1], v[n - k]) if n >= 4 else (v[k - 1], v[n - k])


class Version:
    """One version in one cell."""

    def __init__(self):
        self.checks, self.times, self.retracted, self.seen = set(), [], 0, 0
        self.elsewhere = False

    def standing(self):
        """(stated, unchecked, time, seq, interval) or None; smaller is better."""
        if self.checks & {"fail", "timeout"} or self.elsewhere or not self.times:
            return None
        stated = min(t[0] for t in self.times)
        time = min(t[1:3] for t in self.times if t[0] == stated)
        samples = next(t[3] for t in self.times if t[1:3] == time)
        return stated, not stated and "pass" not in self.checks, *time, interval(samples), samples

    def code(self, best):
        if "fail" in self.checks:
            return "correctness_failed"
        if "timeout" in self.checks:
            return "correctness_timeout"
        mine = self.standing()
        if mine is not None:
            return "not_checked" if mine[1] and best[1][0:2] == (False, False) else None
        if self.seen == 0 and self.retracted:
            return "retracted"
        return "shape_mismatch" if self.elsewhere and self.times else None


def read(path):
    """Cells by (operator, language, chip, workload): {version: Version}, and failed attempts."""
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    decided = db.execute(
        "SELECT c.id, c.action, s.subject FROM fact_curation c JOIN fact_curation_subject s"
        " ON s.curation = c.seq ORDER BY c.seq").fetchall()
    undone = {subject for _, action, subject in decided if action == "retract"}
    retracted = {s for c, action, s in decided if action == "retract" and c not in undone}
    masked = {s for _, action, s in decided if action == "mask"}
    cells, passed = defaultdict(lambda: defaultdict(Version)), defaultdict(set)
    rows = db.execute(
        "SELECT k.operator, k.language, r.chip, r.workload, r.id, r.version, r.seq, r.evidence,"
        " r.correctness, r.samples_ns FROM fact_run r JOIN fact_version v ON v.id = r.version"
        " JOIN fact_kernel k ON k.id = v.kernel ORDER BY r.seq")
    for operator, language, chip, workload, run, version, seq, evidence, check, blob in rows:
        if operator == "unclassified":
            continue  # it has to be asked for
        v = cells[operator, language, chip, workload][version]
        if run in retracted or version in retracted:
            v.retracted += 1
            continue
        v.seen += 1
        v.checks.add(check)
        if check == "pass":
            passed[version].add(workload)
        if blob:
            samples = struct.unpack(f"<{len(blob) // 8}q", blob)
            stated = evidence not in ("measured", "confirmed")
            v.times.append((stated, statistics.median(samples), seq, samples))
    for cell, versions in cells.items():
        for version, v in versions.items():
            v.elsewhere = bool(passed[version]) and cell[3] not in passed[version]
    attempts = defaultdict(list)
    for experiment, *cell in db.execute(
            "SELECT e.id, k.operator, k.language, e.chip, e.workload FROM fact_experiment e"
            " JOIN fact_kernel k ON k.id = e.kernel WHERE e.claimed_speedup < 0.95"
            " ORDER BY e.seq DESC"):
        if experiment not in masked | retracted:
            attempts[tuple(cell)].append(experiment)
    return cells, attempts


def error(s, upwards):
    """Standard error of a median in logarithms and its degrees of freedom, from its interval and from
    the 10th to 90th percentile, whichever says more."""
    _, _, middle, _, (low, high), samples = s
    n = len(samples)
    missed = 0.5 ** (n - 1) if n < 6 else 0.05
    z = statistics.NormalDist().inv_cdf(1 - missed / 2) * (8 * n - 5) / (8 * n - 7)
    width = math.sqrt((n - 1) * math.expm1(z * z / (n - 1)))
    p10, p90 = (sorted(samples)[0], sorted(samples)[-1]) if n == 1 else (
        statistics.quantiles(samples, n=10, method="inclusive")[i] for i in (0, 8))
    least = math.log(p90 / p10) / 2.5631 * 1.2533 / math.sqrt(n)
    return max(math.log(high / middle if upwards else middle / low) / width, least), n - 1


def tested(a, b):
    return a[0:2] == b[0:2] and a[4] is not None and b[4] is not None


def same(a, b):
    """p of no more than half a percent between two times: Welch's t, made normal by Wallace's rule."""
    fast, slow = (a, b) if a[2] <= b[2] else (b, a)
    off = math.log(slow[2] / fast[2]) - math.log(1.005)
    (x, n), (y, m) = error(fast, True), error(slow, False)
    if off <= 0 or x + y == 0:
        return float(off <= 0)
    freedom = (x * x + y * y) ** 2 / (x ** 4 / n + y ** 4 / m)
    t2 = off * off / (x * x + y * y)
    z = math.sqrt(freedom * math.log1p(t2 / freedom)) * (8 * freedom + 1) / (8 * freedom + 3)
    return math.erfc(z / math.sqrt(2))


def told_apart(times):
    """Pairs (i, j) of TIMES, i the faster, that differ at a false discovery rate of 5 % whatever they
    depend on each other (Benjamini and Yekutieli)."""
    pairs = sorted((same(a, b), i, j) for i, a in enumerate(times) for j, b in enumerate(times)
                   if tested(a, b) and (a[2], i) < (b[2], j))
    c = sum(1 / (k + 1) for k in range(len(pairs)))
    n = max([k + 1 for k, p in enumerate(pairs) if p[0] <= 0.05 * (k + 1) / (len(pairs) * c)],
            default=0)
    return {(i, j) for _, i, j in pairs[:n]}


def may_be_best(standing, best):
    """Versions that are compared with the BEST one, and those that nobody of them is shown to beat."""
    compared = sorted(((v, s) for v, s in standing.items() if tested(s, best[1])),
                      key=lambda x: x[1][2:4])[:50]
    beaten = {j for _, j in told_apart([s for _, s in compared])}
    return len(compared), [v for i, (v, _) in enumerate(compared)
                           if i not in beaten and v != best[0]]


def among(mine, rivals):
    """Lowest and highest rank of MINE among RIVALS, and which of them are not told from it."""
    times = [mine[1]] + [r[1] for r in rivals]
    apart = told_apart(times)
    surely = [(tested(mine[1], r) and (i, 0) in apart) or (not tested(mine[1], r) and (
        r[0:2] < mine[1][0:2] or (r[0:2] == mine[1][0:2] and r[2] < mine[1][2])))
        for i, r in enumerate(times)]
    behind = [(tested(mine[1], r) and (0, i) in apart) or (not tested(mine[1], r) and (
        mine[1][0:2] < r[0:2] or (r[0:2] == mine[1][0:2] and mine[1][2] < r[2])))
        for i, r in enumerate(times)]
    near = [rivals[i - 1][0] for i, r in enumerate(times) if i > 0 and tested(mine[1], r)
            and (i, 0) not in apart and (0, i) not in apart]
    return [1 + sum(surely[1:]), len(times) - sum(behind[1:])], near


def recompute(path):
    cells, attempts = read(path)
    stand = {cell: {v: w.standing() for v, w in versions.items() if w.standing() is not None}
             for cell, versions in cells.items()}
    best = {cell: min(s.items(), key=lambda x: x[1][:4]) for cell, s in stand.items() if s}
    facts = {}
    for cell, versions in cells.items():
        mine = best.get(cell)
        row = facts[cell] = {"version": None, "time": None, "correctness": None, "rank": None, "compared": None,
                             "tied": [], "attempts": []}
        row["out"] = sorted((v, w.code(mine)) for v, w in versions.items() if w.code(mine))
        if mine is None:
            continue
        rivals = [best[c] for c in best if c != cell and (c[0], c[2], c[3]) ==
                  (cell[0], cell[2], cell[3])]
        compared, near = may_be_best(stand[cell], mine) if mine[1][4] else (None, [])
        ranks, others = among(mine, rivals)
        row.update(version=mine[0], time=mine[1][2], tied=sorted(near + others), rank=ranks,
                   compared=compared,
                   correctness="pass" if "pass" in versions[mine[0]].checks else "not_checked")
        if cell[0].startswith("best"):
            row["attempts"] = attempts[cell][:50]
    return facts


# ---- the service ----

def call(url, token, body=None):
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=30) as reply:
            return json.load(reply)
    except urllib.error.HTTPError as e:
        sys.exit(f"{url}: {e.read().decode()}")


def board(url, token):
    said, cursor = {}, ""
    while cursor is not None:
        page = call(f"{url}/api/v1/leaderboard?limit=50{cursor and '&cursor=' + cursor}", token)
        for row in page["rows"]:
            cell = (row["operator"], row["language"], row["chip"], row["workload"]["id"])
            assert cell not in said, f"{cell} stands twice"
            said[cell] = {
                "version": row["best"].get("version"), "time": row.get("time_ns"),
                "correctness": row.get("correctness"), "compared": row.get("compared"),
                "rank": [row["rank"], row["rank_high"]] if "rank" in row else None,
                "tied": sorted(t["version"] for t in row["tied"]),
                "attempts": row["failed_attempts"],
                "out": sorted((x["version"], x["code"]) for x in row["excluded"])}
        cursor = page["next"]
    return said, page["total"]


def token_of(warplored, data, role):
    return subprocess.run([warplored, "token", "--data", data, "--role", role], check=True,
                          capture_output=True, text=True).stdout.strip()


def main():
    warplored, load = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as data:
        token, curator = (token_of(warplored, data, r) for r in ("contributor", "curator"))
        service = subprocess.Popen([warplored, "--data", data, "--listen", "127.0.0.1:0", "--as-root"],
                                   stderr=subprocess.PIPE, text=True)
        try:
            ready = next(line for line in service.stderr if "event=ready" in line)
            url = ready.split("url=")[1].split()[0]
            subprocess.run([load, url.rsplit(":", 1)[1], token, "post", "4", "60", "16"], check=True)
            for document in story():
                call(f"{url}/api/v1/submissions", curator, document)
            said, total = board(url, token)
        finally:
            service.terminate()
            service.stderr.read()
            service.wait()
        facts = recompute(os.path.join(data, "warplore.db"))
    compare(facts, said, total)


def compare(facts, said, total):
    seen = defaultdict(int)
    for row in facts.values():
        for _, code in row["out"]:
            seen[code] += 1
        for what in ("tied", "attempts"):
            seen[what] += len(row[what]) > 0
        seen["no best"] += row["version"] is None
        seen["second"] += row["rank"] is not None and row["rank"][0] > 1
        seen["rank open"] += row["rank"] is not None and row["rank"][0] < row["rank"][1]
        seen["told apart"] += (row["compared"] or 0) > 1 + len(row["tied"])
        seen["unchecked best"] += row["correctness"] == "not_checked"
    wanted = ("correctness_failed", "correctness_timeout", "not_checked", "shape_mismatch",
              "retracted", "tied", "attempts", "no best", "second", "rank open", "told apart",
              "unchecked best")
    assert all(seen[w] > 2 for w in wanted), f"the story tells too little: {dict(seen)}"
    assert total == len(facts), f"{total} rows for {len(facts)} cells"
    wrong = [(cell, said.get(cell), row) for cell, row in facts.items() if said.get(cell) != row]
    assert not wrong, "\n".join([f"{len(wrong)} of {len(facts)} cells differ, the first:",
                                 *map(str, wrong[0])])
    print(f"{len(facts)} cells agree: {dict(seen)}")


main()
