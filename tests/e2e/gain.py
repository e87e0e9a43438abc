#!/usr/bin/env python3
"""One definition of gain: random sessions are told to a service, and all its answers must say the same
numbers for the same question, which are those that this file works out by itself.

    gain.py WARPLORED WARPLORE [SEED [KERNELS]]

A session is a kernel with a baseline, wins, losses, no gains, ties, wrong results, build errors, branches
and ablations, on several chips and workloads, measured or stated, some versions timed more than once, some
retracted or masked. For each kernel, chip and workload: the champion by history, leaderboard, frontier and
the report; the gain over the first, the parent and the best before by history, compare, leaderboard, the
experiment's verdict and the report."""

import json
import math
import random
import re
import subprocess
import sys

from daemon import Daemon, make_token, need, scratch

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CHIPS, SHAPES, BAD = ("h200", "a100"), (1024, 2048, 4096), ("fail", "timeout")


class Session:
    def __init__(self, chance, n):
        self.chance, self.n = chance, n
        self.kernel = {"id": self.ulid(), "operator": f"op{n}", "name": f"k{n}",
                       "language": chance.choice(("cuda", "triton"))}
        self.places = [(c, s) for c in CHIPS[:chance.choice((1, 1, 2))]
                       for s in SHAPES[:chance.choice((1, 2, 3))]]
        self.stated = chance.choice((0, 0, 1, 0.5))  # how often a time is typed, not measured
        self.versions, self.runs, self.experiments, self.hidden = [], [], [], set()
        for i in range(chance.randrange(3, 9)):
            self.attempt(i)

    def ulid(self):
        return "01JC" + "".join(self.chance.choice(ALPHABET) for _ in range(22))

    def attempt(self, i):
        c = self.chance
        parent = None if i == 0 else c.choice(self.versions)
        kind = "baseline" if i == 0 else c.choices(("candidate", "branch", "ablation"), (7, 2, 1))[0]
        v = {"id": self.ulid(), "kernel": self.kernel["id"], "label": f"v{i}", "kind": kind}
        if parent:
            v["parents"] = [{"version": parent["id"], "kind": "ablation_of" if kind == "ablation" else "derived_from"}]
        self.versions.append(v)
        base = {p: min((r["ns"] for r in self.at(parent, p)), default=None) for p in self.places} if parent else {}
        factor = c.choice((0.5, 0.7, 0.9, 0.96, 0.99, 1.0, 1.0, 1.02, 1.2, 2.0))
        check, broken = c.choices((None, "pass", "fail"), (3, 5, 1))[0], i > 0 and c.random() < 0.1
        for place in self.places:
            if i > 0 and c.random() < 0.15:
                continue  # not timed there
            ns = round((base.get(place) or 120000 + 10 * place[1]) * factor)
            made = [self.run(v, place, ns + c.randrange(0, 40) * (k > 0), check, broken)
                    for k in range(c.choice((1, 1, 1, 2)))]
            if parent and c.random() < 0.8:
                self.experiment(parent, v, place, made)

    def at(self, version, place):
        return [r for r in self.runs if version and r["version"] == version["id"] and r["place"] == place and r["ns"]]

    def run(self, v, place, ns, check, broken):
        workload = {"dims": {"M": place[1]}, "dtype": "f16"}
        r = {"id": self.ulid(), "version": v["id"], "chip": place[0], "tool": "events", "workload": workload}
        if broken:
            r["error"] = {"type": "compilation", "message": "does not compile"}
        elif self.chance.random() < self.stated:
            r.update(evidence="claimed", summary={"median_ns": ns})
        else:
            r.update(evidence="measured", samples_ns=[ns + d for d in (0, 3, -3, 6, -6, 0, 1, -1, 0)])
        if check and not broken:
            r["correctness"] = {"status": check}
        self.runs.append({**r, "place": place, "ns": 0 if broken else ns, "check": r.get("correctness", {}).get("status"), "measured": "samples_ns" in r})
        return r

    def experiment(self, parent, v, place, made):
        before = self.at(parent, place)
        x = {"id": self.ulid(), "kernel": self.kernel["id"], "title": f"{v['label']} on M={place[1]}",
             "from_version": parent["id"], "to_version": v["id"], "chip": place[0], "workload": made[0]["workload"],
             "techniques": [self.chance.choice(("float4 loads", "loop unrolling", "shared memory tiling"))],
             "runs_before": [r["id"] for r in before], "runs_after": [r["id"] for r in made],
             "evidence": "claimed" if self.stated == 1 else "measured"}
        self.experiments.append({**x, "place": place})

    def document(self):
        bare = lambda rows: [{k: v for k, v in r.items() if k not in ("place", "ns", "check", "measured")} for r in rows]
        return {"warplore": 1, "id": self.ulid(), "kernels": [self.kernel], "versions": self.versions,
                "runs": bare(self.runs), "experiments": bare(self.experiments)}

    def decisions(self):
        """Retract a version, and mask all experiments of another."""
        for v in self.versions[1:]:
            made = [x["id"] for x in self.experiments if x["to_version"] == v["id"]]
            dice = self.chance.random()
            if dice < 0.06 or (dice < 0.12 and made):
                self.hidden |= {(v["id"], p) for p in self.places if dice < 0.06 or any(
                    x["to_version"] == v["id"] and x["place"] == p for x in self.experiments)}
                action, subjects = ("retract", [v["id"]]) if dice < 0.06 else ("mask", made)
                yield {"warplore": 1, "id": self.ulid(), "curations": [
                    {"id": self.ulid(), "action": action, "subjects": subjects, "reason": "a test"}]}
                if dice < 0.06:
                    self.runs = [r for r in self.runs if r["version"] != v["id"]]

    # ---- the truth ----

    def time(self, version, place):
        return min(((not r["measured"], r["ns"]) for r in self.at(version, place)), default=(0, None))[1]

    def may_lead(self, v, place):
        mine = [r for r in self.runs if r["version"] == v["id"]]
        here = [r["check"] for r in mine if r["place"] == place]
        on_workload = {r["check"] for r in mine if r["place"][1] == place[1]}
        elsewhere = "pass" in {r["check"] for r in mine} and "pass" not in on_workload
        return (v["kind"] != "ablation" and (v["id"], place) not in self.hidden and not set(here) & set(BAD) and
                not elsewhere and self.time(v, place) is not None)

    def rank(self, v, place):
        measured = any(r["measured"] for r in self.at(v, place))
        first = min((i for i, r in enumerate(self.runs) if r in self.at(v, place) and r["ns"] == self.time(v, place)
                     and r["measured"] == measured))
        checked = not measured or "pass" in {r["check"] for r in self.runs
                                            if r["version"] == v["id"] and r["place"] == place}
        return (not measured, not checked, self.time(v, place), first)

    def first(self, place):
        bad = lambda v: set(r["check"] for r in self.runs if r["version"] == v["id"] and r["place"] == place) & set(BAD)
        timed = [v for v in self.versions if self.time(v, place) and (v["id"], place) not in self.hidden and not bad(v)]
        return next((v for v in timed if v["kind"] == "baseline"), timed[0] if timed else None)

    def best(self, among, place):
        return min((v for v in among if self.may_lead(v, place)), key=lambda v: self.rank(v, place), default=None)

    def gain(self, base, v, place):
        a, b = self.time(base, place) if base else None, self.time(v, place)
        return a / b if a and b and base is not v else None


class Asked:
    def __init__(self, daemon, token, warplore, seed, home):
        self.home, self.daemon, self.token, self.warplore, self.seed, self.compared = home, daemon, token, warplore, seed, 0
        self.wrong = []

    def get(self, path):
        status, body, _ = self.daemon.request("GET", "/api/v1/" + path, self.token)
        need(status == 200, f"GET {path}: {status} {body[:300]}")
        return json.loads(body)

    def cli(self, *args):
        done = subprocess.run([self.warplore, *args], text=True, capture_output=True, env={
            "WARPLORE_URL": f"http://127.0.0.1:{self.daemon.port}", "WARPLORE_TOKEN": self.token, "NO_COLOR": "1",
            "LC_ALL": "C.UTF-8", "HOME": self.home, "COLUMNS": "400"})
        need(done.returncode == 0, f"{args}: {done.stdout}{done.stderr}")
        return done.stdout

    def same(self, what, got, want, off=1e-9):
        self.compared += want is not None
        close = got == want or (isinstance(got, (int, float)) and isinstance(want, (int, float)) and
                                math.isclose(got, want, rel_tol=off))
        if not close:
            self.wrong.append(f"seed {self.seed}: {what}: says {got}, is {want}")


def check_place(ask, s, place, workload):
    """Every answer about one kernel on one chip and workload."""
    name = f"{s.kernel['name']} {place}"
    at = f"workload={workload}&chip={place[0]}"
    first, champion = s.first(place), s.best(s.versions, place)
    history = ask.get(f"kernels/{s.kernel['id']}/history?{at}")
    steps = {r["version"]["id"]: r for r in history["rows"]}
    champion_id = champion and champion["id"]
    ask.same(f"{name}: champion by history", history.get("champion"), champion_id)
    row = next((r for r in ask.get(f"leaderboard?operator={s.kernel['operator']}&workload={workload}&chip={place[0]}")["rows"]), {})
    ask.same(f"{name}: champion by leaderboard", row.get("best", {}).get("version"), champion_id)
    ask.same(f"{name}: champion's time by leaderboard", row.get("time_ns"), champion and s.time(champion, place))
    ask.same(f"{name}: champion by frontier", ask.get(f"kernels/{s.kernel['id']}/frontier?{at}").get("champion"), champion_id)
    if champion and champion is not first:
        ask.same(f"{name}: champion's gain over the first by leaderboard", (row.get("speedup") or {}).get("value"), s.gain(first, champion, place))
        ask.same(f"{name}: base of the leaderboard", (row.get("speedup") or {}).get("base_version"), first["id"])
    for i, v in enumerate(s.versions):
        step, label = steps[v["id"]], f"{name}: {v['label']}"
        ids = {"first": first, "parent": next((p for p in s.versions if v.get("parents") and p["id"] == v["parents"][0]["version"]), None),
               "best_before": s.best(s.versions[:i], place)}
        for base, b in ids.items():
            want = s.gain(b, v, place)
            ask.same(f"{label}: gain over {base} by history", step.get(f"speedup_vs_{base}"), want)
            if want and ask.compared % 3 == 0:
                time = ask.get(f"versions/{b['id']}/compare/{v['id']}?{at}")["time"]
                ask.same(f"{label}: gain over {base} by compare", time.get("speedup"), want)
        for x in s.experiments:
            once = len(s.at(v, place)) == 1 and ids["parent"] and len(s.at(ids["parent"], place)) == 1
            if x["to_version"] == v["id"] and x["place"] == place and once:
                got = ask.get(f"experiments/{x['id']}")["outcome"].get("speedup")
                ask.same(f"{label}: gain over parent by its verdict", got, s.gain(ids["parent"], v, place))


def check_report(ask, s):
    """The report is about one place; its champion and gains are those of the history."""
    rows = ask.get(f"kernels/{s.kernel['id']}/history")["rows"]
    cells = {}
    for line in ask.cli("report", s.kernel["id"]).splitlines():
        found = re.match(r"\| (Metric|Speedup \(×\) vs [a-z ]+) \| (.*) \|$", line)
        if found:
            cells[found.group(1)] = found.group(2).split(" | ")
    heads = [h.split(" ")[0] for h in cells["Metric"]]
    champion = next((r["version"]["label"] for r in rows if r["champion"]), None)
    best = next((h.split(" ")[0] for h in cells["Metric"] if "best)" in h), None)
    ask.same(f"{s.kernel['name']}: champion by the report", best, champion)
    for r in rows:
        for title, base in (("baseline", "first"), ("parent", "parent"), ("champion before", "best_before")):
            want, label = r.get(f"speedup_vs_{base}"), r["version"]["label"]
            row = cells.get(f"Speedup (×) vs {title}")  # left out when no version has one
            said = re.match(r"([\d.]+)×", row[heads.index(label)]) if row and label in heads else None
            if label in heads:
                ask.same(f"{s.kernel['name']}: {label}: gain over {base} by the report", said and float(said.group(1)),
                         want and float(f"{want:.3f}" if abs(want - 1) < 0.01 else f"{want:.2f}"))


def check_session(ask, s):
    runs = [r for v in s.versions for r in ask.get(f"runs?version={v['id']}&limit=100")["rows"]]
    workloads = {r["workload"]["dims"]["M"]: r["workload"]["id"] for r in runs}
    for place in s.places:
        if place[1] in workloads and any(s.time(v, place) for v in s.versions):
            check_place(ask, s, place, workloads[place[1]])
    check_report(ask, s)


def main():
    warplored, warplore = sys.argv[1:3]
    seed, kernels = int((sys.argv + [None] * 2)[3] or 7), int((sys.argv + [None] * 3)[4] or 60)
    chance = random.Random(seed)
    with scratch() as data:
        token = make_token(warplored, data, "curator")
        daemon = Daemon(warplored, data)
        ask = Asked(daemon, token, warplore, seed, data)
        for n in range(kernels):
            s = Session(chance, n)
            for doc in [s.document(), *s.decisions()]:
                status, body, _ = daemon.request("POST", "/api/v1/submissions", token, json.dumps(doc))
                need(status in (200, 201), f"submission: {status} {body[:500]}")
            check_session(ask, s)
        daemon.stop()
    print("\n".join(ask.wrong[:40]))
    need(not ask.wrong, f"{len(ask.wrong)} of {ask.compared} answers differ")
    need(ask.compared > 20 * kernels, f"only {ask.compared} answers were compared")
    print(f"{ask.compared} answers about {kernels} kernels agree")


if __name__ == "__main__":
    main()
