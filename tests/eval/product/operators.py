"""One operator left out: are the techniques that won there ranked before those that lost there, by a
memory of the other operators? Asked over the campaign of this repository and over KernelFlow's
published memory, and held against the rate of each technique on the other operators."""
import glob
import json
import os

from common import Service, auc, brier, over_groups, place_of

HERE = os.path.dirname(os.path.abspath(__file__))
CAMPAIGN = os.path.join(HERE, "..", "..", "fixtures", "h200")


class Rates:
    """How often each technique won on the operators that are known."""

    def __init__(self, rows):
        self.tried, self.won = {}, {}
        for technique, won in rows:
            self.tried[technique] = self.tried.get(technique, 0) + 1
            self.won[technique] = self.won.get(technique, 0) + won
        self.base = (sum(self.won.values()) + 1) / (sum(self.tried.values()) + 3)

    def of(self, t):
        return (self.won.get(t, 0) + 2 * self.base) / (self.tried.get(t, 0) + 2)


def outcomes(s, **query):
    """(technique, won, operator) of every judged experiment that counts (no copy), and the places they are from."""
    rows, places = [], {}
    for x in s.rows("experiments", **query):
        if x["outcome"]["effect"] in ("win", "neutral", "loss") and not x["masked"]:
            won = x["outcome"]["effect"] == "win" and x["outcome"]["correctness"] not in ("fail", "timeout")
            rows += [(t["name"], won, x["operator"]) for t in x["techniques"]]
            places.setdefault(x["operator"], []).append((x.get("chip"), x["language"]))
    return rows, places


def without(document, operator, kernels):
    """The document's records without those that belong to kernels of OPERATOR."""
    gone = {k["id"] for k in document.get("kernels", []) if k["operator"] == operator} | kernels
    kernels |= gone
    out = dict(document)
    lost = set()
    for kind in ("kernels", "versions", "campaigns", "experiments", "directions", "sweeps"):
        kept = [r for r in document.get(kind, []) if r.get("kernel", r["id"] if kind == "kernels" else None) not in gone]
        lost |= {r["id"] for r in document.get(kind, [])} - {r["id"] for r in kept}
        out[kind] = kept
    for kind in ("runs", "hypotheses", "attributions", "verifications", "insights", "curations"):
        out[kind] = [r for r in document.get(kind, []) if not mentions(r, lost)]
        lost |= {r["id"] for r in document.get(kind, [])} - {r["id"] for r in out[kind]}
    return {k: v for k, v in out.items() if v != []}


def mentions(record, ids):
    text = json.dumps(record)
    return any(i in text for i in ids)


def ask(s, operator, chip, language):
    answer = s.get("recommend", operator=operator, chip=chip, language=language, limit=50, explain="true")
    p = {}
    for name in ("advice", "untried", "avoid"):
        for a in answer[name]:
            p.setdefault(a["technique"], a["p_win"])
    return p, [a["technique"] for a in (answer["advice"] + answer["untried"])[:3]]


def judge(s, operator, place, truth):
    """One operator: what the memory without it says of the techniques that were tried there."""
    known, _ = outcomes(s)
    rates = Rates([(t, won) for t, won, _ in known])
    said, first = ask(s, operator, *place)
    p = {t: odds["value"] for t, odds in said.items()}
    tried = {}
    for t, won in truth:
        tried.setdefault(t, []).append(won)
    names = sorted(tried)
    best = sorted(rates.tried, key=lambda t: (-rates.of(t), t))[:3]
    won = {t for t in names if any(tried[t])}
    return {"operator": operator, "n": len(truth), "won": len(won),
            "auc": auc([p.get(t, -1) for t in names], [t in won for t in names]),
            "rate": auc([rates.of(t) for t in names], [t in won for t in names]),
            "hit": float(bool(set(first) & won)) if won else float("nan"),
            "rate_hit": float(bool(set(best) & won)) if won else float("nan"),
            "places": [place_of(said[t], tried[t]) for t in names if t in said],
            "odds": [(p[t], w) for t in names if t in p for w in tried[t]],
            "rate_odds": [(rates.of(t), w) for t in names if t in p for w in tried[t]]}


def usual(places):
    return max(sorted(set(places), key=str), key=places.count)


def campaign(s, operator):
    gone = set()
    for path in sorted(glob.glob(os.path.join(CAMPAIGN, "*.json"))):
        with open(path, encoding="utf-8") as f:
            document = json.load(f)
        document = without(document, operator, gone) if operator else document
        if any(isinstance(v, list) and v for v in document.values()):
            s.post(document)


def kernelflow(s, folder, scopes):
    """Import the published memories; SCOPES: the keys to keep, None: all."""
    for path in sorted(glob.glob(os.path.join(folder, "gsm_*.json"))):
        with open(path, encoding="utf-8") as f:
            memory = json.load(f)
        memory["scopes"] = {k: v for k, v in memory["scopes"].items() if scopes is None or k in scopes}
        out = os.path.join(s.folder.name, os.path.basename(path))
        with open(out, "w", encoding="utf-8") as f:
            json.dump(memory, f)
        if memory["scopes"]:
            s.import_files("--format", "kernelflow", out)


def scopes_by_operator(s):
    out = {}
    for x in s.rows("experiments"):
        of = s.get("experiments/" + x["id"])["record"].get("provenance", {})
        if of.get("system") == "kernelflow":
            out.setdefault(x["operator"], set()).add(of["external_id"].split("/")[0])
    return out


def usual(places):
    return max(sorted(set(places), key=str), key=places.count)


def report(run, part, cells):
    def add(method, measure, key):
        value, span = over_groups(cells, lambda c: c[key])
        run.add("operators", part, method, measure, value, span, sum(c[key] == c[key] for c in cells))

    add("product", "AUC on the operator left out", "auc")
    add("rate of the technique", "AUC on the operator left out", "rate")
    add("product", "hit@3", "hit")
    add("rate of the technique", "hit@3", "rate_hit")
    for method, key in (("product", "odds"), ("rate of the technique", "rate_odds")):
        value, span = over_groups(cells, lambda c: brier(*zip(*c[key])) if c[key] else float("nan"))
        run.add("operators", part, method, "Brier", value, span, sum(len(c[key]) for c in cells))
    run.add_coverage("operators", part, [c["places"] for c in cells])
    if run.details:
        for c in cells:
            run.say(f"  {c['operator']:24} {c['n']:4} tried, {c['won']} won; AUC {c['auc']:.2f}, by rate {c['rate']:.2f}; hit {c['hit']}")


def evaluate(run):
    folder = os.path.join(run.data, "kernelflow")
    with Service(run) as s:
        kernelflow(s, folder, None)
        flow, flow_places = outcomes(s)
        scopes = scopes_by_operator(s)
    with Service(run) as s:
        campaign(s, None)
        done, places = outcomes(s)
    for part, rows, at in (("campaign", done, places), ("kernelflow", flow, flow_places)):
        cells = []
        for operator in sorted(at):
            with Service(run) as s:
                campaign(s, operator)
                kernelflow(s, folder, set().union(*(v for k, v in scopes.items() if k != operator)))
                cells.append(judge(s, operator, usual(at[operator]), [(t, w) for t, w, op in rows if op == operator]))
        report(run, part, cells)
