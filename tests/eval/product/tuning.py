"""How good is advice on tuned kernels, through the product? Experience goes in by documents and importers,
questions go over HTTP, and proposals count in the order shown. One chip is left out at a time:

  moves     of the others the service knows what forty simulated engineers wrote down. Which change of one
            parameter gains more than 5 %? (Protocol P1: random starts, untried moves at random, kept when 2 %
            faster, at most 30 attempts.) Asked at versions that an engineer comes by.
  complete  the same, but every configuration of the other chips is known; not judged
  transfer  the others' tuning files are imported: the best fraction of the optimum after 3, 5, 10 and 20
            proposals, each measured before the next is asked for. What the chip's file lacks does not build."""
import glob
import gzip
import json
import math
import os
import random
import statistics

from common import Service, auc, brier, ece, mean, over_groups, ulid

GAIN, KEEP, ENGINEERS, ATTEMPTS, DRAWS, PROPOSALS = 1.05, 1.02, 40, 30, 200, 20
STATES, QUICK_STATES = 100, 15  # asked about, of each chip
CHIPS = {"RTX_2080_Ti": "rtx2080ti", "RTX_3090": "rtx3090"}  # by the file's name; else that in lower case
GOALS = {"hit@1": {"at_least": .78}, "hit@3": {"at_least": .95}, "auc": {"at_least": .88}, "brier": {"at_most": .10},
         "ece": {"at_most": .045}}


class Memory(Service):
    """A service that is told results one by one."""

    n = 0

    def next_id(self):
        self.n += 1
        return ulid(20_000_000 + self.n)

    def tell(self, row, chip, workload, ms):
        """A run of what ROW proposes: its time, or that it did not build."""
        version = row.get("version")
        if not version:
            version = self.next_id()
            self.post({"id": self.next_id(), "versions": [{"id": version, "kernel": row["kernel"], "kind": "candidate",
                                                           "label": row["label"], "params": row["params"]}]})
        place = {k: workload[k] for k in ("dims", "dtype", "layout") if workload.get(k)}
        run = {"id": self.next_id(), "version": version, "chip": chip, "workload": place, "evidence": "measured", "tool": "test"}
        run.update(outcome(ms))
        self.post({"id": self.next_id(), "runs": [run]})


def outcome(ms):
    if ms is None:
        return {"error": {"type": "compilation", "message": "does not fit"}}
    return {"samples_ns": [round(ms * 1e6) + i for i in range(5)]}


class Cell:
    """A kernel tuned on a chip: times by configuration, None where it failed."""

    def __init__(self, path):
        with gzip.open(path) as f:
            file = json.load(f)
        self.path, self.name = path, os.path.basename(path).split(".")[0]
        self.kernel, chip = self.name.split("_", 1)
        self.chip = CHIPS.get(chip, chip.lower())
        self.kernel_name, self.problem = file["kernel_name"], file["problem_size"]
        rows = list(file["cache"].values())
        # the filter's size is the problem's
        self.params = sorted(k for k in file["tune_params_keys"] if not k.startswith("filter_"))
        means = [(r["time"], statistics.fmean(r["times"])) for r in rows if not isinstance(r["time"], str) and r.get("times")]
        by_samples = sum(abs(a - b) > 0.01 * a for a, b in means) <= 0.1 * len(means)
        self.time = {}
        for r in rows:
            failed = isinstance(r["time"], str)
            time = None if failed else statistics.fmean(r["times"]) if by_samples and r.get("times") else r["time"]
            self.time[tuple(r[k] for k in self.params)] = time
        self.best = min(t for t in self.time.values() if t)
        self.values = [sorted({s[p] for s in self.time}) for p in range(len(self.params))]

    def moves(self, state):
        """To the next value of one parameter, either way: parameter, up, state."""
        out = []
        for p, values in enumerate(self.values):
            at = values.index(state[p])
            for to in (at - 1, at + 1):
                if 0 <= to < len(values):
                    other = state[:p] + (values[to],) + state[p + 1:]
                    if other in self.time:
                        out.append((p, to > at, other))
        return out

    def gain(self, a, b):
        return self.time[a] / self.time[b] if self.time[b] else 0.0

    def walk(self, rng):
        """What one engineer tries: pairs of states, in order."""
        state = rng.choice([s for s in self.time if self.time[s]])
        tried, out = set(), []
        while len(out) < ATTEMPTS:
            left = [m for m in self.moves(state) if (state, m[2]) not in tried]
            if not left:
                break
            p, up, to = rng.choice(left)
            tried.add((state, to))
            out.append((state, to, p, up))
            if self.gain(state, to) >= KEEP:
                state = to
        return out

    def label(self, state):
        return " ".join(f"{k}={v}" for k, v in zip(self.params, state))


class Records:
    """Documents of the product for configurations of one operator."""

    def __init__(self, cell, name):
        self.n, self.version, self.documents = 0, {}, []
        self.kernel = self.id()
        self.new()["kernels"] = [{"id": self.kernel, "operator": cell.kernel, "name": name, "language": "opencl"}]
        for state in cell.time:
            self.version_of(cell, state)

    def id(self):
        self.n += 1
        return ulid(10_000_000 + self.n)

    def new(self):
        self.documents.append({"id": self.id()})
        return self.documents[-1]

    def version_of(self, cell, state):
        key = (tuple(cell.params), state)
        if key not in self.version:
            self.version[key] = self.id()
            if len(self.documents[-1].get("versions", [])) >= 2000:
                self.new()
            self.documents[-1].setdefault("versions", []).append(
                {"id": self.version[key], "kernel": self.kernel, "kind": "candidate", "label": cell.label(state),
                 "params": dict(zip(cell.params, state))})
        return self.version[key]

    def workload(self, cell):
        size = cell.problem if isinstance(cell.problem, list) else [cell.problem]
        return {"dims": {f"n{i}": v for i, v in enumerate(size)}, "dtype": "fp32"}

    def log(self, cell, rng):
        """What engineers write down of a cell: a run of each version, an experiment of each attempt."""
        walks = [cell.walk(rng) for _ in range(ENGINEERS)]
        for walk in walks:
            for a, b, _, _ in walk:
                self.version_of(cell, a), self.version_of(cell, b)
        run, place = {}, {"chip": cell.chip, "workload": self.workload(cell)}
        for walk in walks:
            out = self.new()
            out.update(runs=[], experiments=[])
            for a, b, p, up in walk:
                for s in (a, b):
                    if s in run:
                        continue
                    run[s] = {"id": self.id(), "version": self.version_of(cell, s), "evidence": "measured", "tool": "test",
                              **place, **outcome(cell.time[s])}
                    out["runs"].append(run[s])
                out["experiments"].append(
                    {"id": self.id(), "kernel": self.kernel, "from_version": self.version_of(cell, a),
                     "to_version": self.version_of(cell, b), "runs_before": [run[a]["id"]], "runs_after": [run[b]["id"]],
                     "techniques": [("raise " if up else "lower ") + cell.params[p]], **place})


def visited(cell, most):
    """States that engineers come by, in a fixed order."""
    rng, seen = random.Random(f"test {cell.name}"), {}
    for _ in range(ENGINEERS):
        seen.update((a, None) for a, *_ in cell.walk(rng))
    states = [s for s in seen if len(cell.moves(s)) >= 3]
    rng.shuffle(states)
    return states[:most]


class Scores:
    """Proposals of one chip in the order shown, each with its odds, against what they gain."""

    def __init__(self, name):
        self.name, self.states, self.odds, self.won = name, [], [], []
        self.failed = []  # of all changes there are: whether it was proposed, and whether it fails

    def add(self, gains, odds):
        self.odds += odds
        self.won += [g > GAIN for g in gains]
        if max(gains, default=0) > GAIN:
            self.states.append(gains)

    def of(self, measure):
        if measure.startswith("hit@"):
            return mean(max(s[:int(measure[4:])]) > GAIN for s in self.states)
        return {"proposals that fail": lambda: mean(fails for shown, fails in self.failed if shown),
                "changes that fail": lambda: mean(fails for _, fails in self.failed),
                "regret@1": lambda: mean(1 - max(1, s[0]) / max(s) for s in self.states),
                "random hit@1": lambda: mean(mean(g > GAIN for g in s) for s in self.states),
                "auc": lambda: auc(self.odds, self.won), "brier": lambda: brier(self.odds, self.won),
                "ece": lambda: ece(self.odds, self.won)}[measure]()


def ask_states(memory, cell, records, states):
    """Changes to the next value, and to any value. What no answer proposes comes last, with odds of 0."""
    near, any_value = Scores(cell.name), Scores(cell.name)
    for state in states:
        answer = memory.get("recommend", version=records.version_of(cell, state), chip=cell.chip, limit=50, explain="true", quiet="true")
        odds = {}
        for m in (t for t in answer.get("tune", []) if "reach" in t):
            p = cell.params.index(m["parameter"])
            odds[state[:p] + (m["to"],) + state[p + 1:]] = m["p_win"]["value"]
        steps = [m[2] for m in cell.moves(state)]
        order = [s for s in odds if s in steps] + [s for s in steps if s not in odds]
        near.add([cell.gain(state, s) for s in order], [odds.get(s, 0) for s in order])
        near.failed += [(s in odds, cell.time[s] is None) for s in steps]
        order = [s for s in odds if s in cell.time]
        any_value.add([cell.gain(state, s) for s in order], [odds[s] for s in order])
    return near, any_value


def others(cells, cell):
    return [c for c in cells if c.kernel == cell.kernel and c.chip != cell.chip]


def moves(run, cells, cell, states):
    records = Records(cell, cell.kernel_name)
    for other in others(cells, cell):
        records.log(other, random.Random(f"log {other.name}"))
    with Memory(run, "--retrain_hours", "0") as memory:
        for document in records.documents:
            memory.post(document)
        memory.learn()
        return ask_states(memory, cell, records, visited(cell, states))


def complete(run, cells, cell, states):
    with Memory(run, "--retrain_hours", "0") as memory:
        memory.import_files(*[c.path for c in others(cells, cell)], "--licence", "MIT")
        records = Records(cell, memory.get("kernels")["rows"][0]["name"])  # the same kernel: the same configurations
        for document in records.documents:
            memory.post(document)
        memory.learn()
        return ask_states(memory, cell, records, visited(cell, states))


def blind(cell):
    """The mean of random searches."""
    rng, times = random.Random(f"random {cell.name}"), list(cell.time.values())
    return mean(max(cell.best / t if t else 0 for t in rng.choices(times, k=PROPOSALS)) for _ in range(DRAWS))


def transfer(run, cells, cell, _):
    with Memory(run, "--retrain_hours", "0") as memory:
        memory.import_files(*[c.path for c in others(cells, cell)], "--licence", "MIT")
        memory.learn()
        best, reached, inside = math.inf, [], []
        for _ in range(PROPOSALS):
            answer = memory.get("recommend", operator=cell.kernel, chip=cell.chip, next="true", explain="true", quiet="true")
            first = answer["next"][0]
            ms = cell.time.get(tuple(first["params"].get(k) for k in cell.params))
            memory.tell(first, cell.chip, answer["place"]["workload"], ms)
            if "fraction" in first and ms:
                inside.append(first["fraction"]["low"] <= cell.best / ms <= first["fraction"]["high"])
            best = min(best, ms or math.inf)
            reached.append(cell.best / best)
        return reached, blind(cell), inside


def report_moves(run, part, found, judged):
    near = [n for n, _ in found]
    for measure in ("hit@1", "hit@3", "regret@1", "auc", "brier", "ece", "random hit@1", "proposals that fail", "changes that fail"):
        value, span = over_groups(near, lambda s: s.of(measure))
        run.add("tuning", part, "product", measure, value, span, len(near), **(GOALS.get(measure, {}) if judged else {}))
        if run.details:
            run.say("    " + " ".join(f"{s.name}={s.of(measure):.3f}" for s in near))
    value, span = over_groups([a for _, a in found], lambda s: s.of("hit@1"))
    run.add("tuning", part, "product", "hit@1, to any value", value, span, len(near))


def report_transfer(run, part, found, _):
    for n, goal in ((3, None), (5, .93), (10, .935), (20, .97)):
        value, span = over_groups(found, lambda r: r[0][n - 1])
        run.add("tuning", part, "product", f"after {n}", value, span, len(found), **({"at_least": goal} if goal else {}))
        if run.details:
            run.say("    " + " ".join(f"{r[0][n - 1]:.3f}" for r in found))
    run.add("tuning", part, "random", "after 20", *over_groups(found, lambda r: r[1]), len(found))
    run.add("tuning", part, "product", "worst place after 20", min(r[0][-1] for r in found), at_least=.80)
    run.add("tuning", part, "product", "places below random", sum(r[0][-1] < r[1] for r in found), at_most=0)
    run.add("tuning", part, "product", "inside the 90 % interval", *over_groups(found, lambda r: mean(r[2])), len(found))


PARTS = {"engineers' logs": (moves, report_moves, True), "all moves known": (complete, report_moves, False),
         "transfer": (transfer, report_transfer, True)}


def evaluate(run):
    cells = [Cell(p) for p in sorted(glob.glob(os.path.join(run.data, "tuning", "*.json.gz"))) if "_T4" not in p]
    asked = [c for c in cells if others(cells, c)]
    for part, (of, report, judged) in PARTS.items():
        report(run, part, [of(run, cells, c, QUICK_STATES if run.quick else STATES) for c in asked], judged)
