"""Real sessions of tuning agents, replayed in order: before each attempt `recommend` is asked about the
version that the session stands at, then the attempt is imported. Was the idea that followed ranked by
its success?

Is an idea that failed before recognised when it comes again? `check-idea` is asked about each idea on the same way.

The words of an outcome are taken out of the ideas first, because some were written after their run. A
success is more than 2 % faster than the best so far. Two memories: *in time* has the sessions that began
earlier and this session's past; *others known* has every other session and this session's past."""
import json
import os
import re

from common import Service, auc, brier, ece, mean, over_groups, place_of, wilson
from outcome_words import strip

SUCCESS = 1.02
COLUMNS = ["iter", "kernel", "tflops", "decision", "bottleneck", "idea_summary", "timestamp"]


# ---- the sessions, as the importer reads them ----

class Session:
    """Attempts of one log in order, from the documents that the importer makes of it."""

    def __init__(self, folder, document):
        self.folder = folder  # "cuda/logs/<task>/<model>"
        runs = {r["version"]: r for r in document["runs"]}
        made = {x["to_version"]: x for x in document.get("experiments", [])}
        self.attempts, self.device = [], document["campaigns"][0]["config"]["device"]
        for v in sorted(document["versions"], key=lambda v: v["ordinal"]):
            run, x = runs[v["id"]], made.get(v["id"], {})
            self.attempts.append({
                "iter": (v.get("extra") or {}).get("agent-logs", {}).get("iter", ""), "kernel": v["label"],
                "tflops": run.get("metrics", {}).get("tflops", {}).get("value", 0),
                "decision": decision_of(v, run, x), "bottleneck": (x.get("bottleneck") or {}).get("raw_label", ""),
                "idea_summary": " ".join(strip(v.get("summary", "")).split()), "timestamp": v.get("created_at", "")})
        self.started = min(a["timestamp"] for a in self.attempts if a["timestamp"])
        best = 0
        for a in self.attempts:
            ran = a["decision"] in ("KEEP", "DISCARD") and a["tflops"] > 0
            a["success"] = ran and best > 0 and a["tflops"] > SUCCESS * best
            best = max(best, a["tflops"] if ran else 0)

    def write(self, root, n):
        """The first N attempts as a log below ROOT; returns the folder."""
        path = os.path.join(root, self.folder)
        os.makedirs(path, exist_ok=True)
        with open(os.path.join(path, "results.tsv"), "w", encoding="utf-8") as f:
            f.write("\t".join(COLUMNS) + "\n")
            for a in self.attempts[:n]:
                f.write("\t".join(str(a[c]) or "-" for c in COLUMNS) + "\n")
        with open(os.path.join(path, "task_config.json"), "w", encoding="utf-8") as f:
            json.dump({"device": self.device}, f)
        return path


def decision_of(version, run, experiment):
    if version["kind"] == "library":
        return "REFERENCE"
    return run.get("error", {}).get("code") or experiment.get("claim", {}).get("outcome") or "KEEP"


def read_sessions(run):
    root, out = os.path.join(run.data, "agent-logs"), []
    folders = sorted(os.path.relpath(d, root) for d, _, files in os.walk(root) if "results.tsv" in files)
    for folder in folders:
        with Service(run) as s:
            s.import_files(os.path.join(root, folder))
            whole = {"versions": [], "runs": [], "experiments": [], "campaigns": []}
            for row in s.rows("submissions"):
                document = s.get(f"submissions/{row['id']}/raw")
                for kind in whole if "campaigns" in document else ():
                    whole[kind] += document[kind]
            out.append(Session(folder, whole))
    return sorted(out, key=lambda s: s.started)


# ---- one question ----

def ask(s, head, attempt, bottleneck):
    labels = attempt["bottleneck"] if bottleneck and attempt["bottleneck"].endswith("_bound") else None
    return s.get("recommend", version=head["version"], chip=head["chip"], workload=head["workload"],
                 bottleneck=labels, limit=50, explain="true")


def is_stopped(s, head, attempt):
    text = attempt["idea_summary"]
    if not words_of(text):
        return False
    return s.get("check-idea", text=text, kernel=head["kernel"], **{"from": head["version"]})["answer"] == "stop"


def words_of(text):
    return re.findall(r"[a-z0-9_]+", text.lower())


def shown(answer, tune):
    """The rows of an answer in the order shown, without or with other values of what the head has."""
    rows = answer["advice"] + (answer.get("tune", []) if tune else [])
    return sorted(rows, key=lambda a: a["rank"]) + answer["untried"]


def scores_of(answer, tune=True):
    """What the answer says of each technique: its probability, and its place in the order shown."""
    p, place = {}, {}
    for offset, rows in ((0, shown(answer, tune)), (500, answer["avoid"])):
        for i, a in enumerate(rows):
            p.setdefault(a["technique"], a["p_win"]["value"])
            place.setdefault(a["technique"], -offset - i)
    return p, place


class Rates:
    """How often each technique succeeded so far: the baseline."""

    def __init__(self):
        self.tried, self.won, self.all, self.wins = {}, {}, 0, 0

    def add(self, techniques, success):
        self.all += 1
        self.wins += success
        for t in techniques:
            self.tried[t] = self.tried.get(t, 0) + 1
            self.won[t] = self.won.get(t, 0) + success

    def of(self, t):
        base = (self.wins + 1) / (self.all + 4)
        return (self.won.get(t, 0) + 2 * base) / (self.tried.get(t, 0) + 2)

    def best(self, n):
        return sorted(self.tried, key=lambda t: (-self.of(t), t))[:n]


def newest(s, campaign_of):
    """The newest experiment of the session; campaign_of keeps the session's id."""
    if campaign_of.get("id") is None:
        campaign_of["id"] = s.get("campaigns", limit=1)["rows"][0]["id"]
    rows = s.get("experiments", campaign=campaign_of["id"], limit=1)["rows"]
    return rows[0]


def head_of(s, x):
    return {"version": x["to_version"], "kernel": x["kernel"], "chip": x["chip"], "workload": x["workload"]["id"]}


def baseline_head(s):
    run = next(r for r in s.get("runs", limit=20)["rows"] if r["role"] == "baseline")  # the newest come first
    return {"version": run["version"], "kernel": run["kernel"], "chip": run["chip"], "workload": run["workload"]["id"]}


def replay(run, s, session, root, rates, bottleneck=True):
    """Ask before each attempt, then import it. Returns one row per attempt with a parent."""
    out, head, campaign = [], None, {}
    has = {}  # techniques of the line of each version, from what was applied on the way
    for n, a in enumerate(session.attempts, 1):
        answer = ask(s, head, a, bottleneck) if head else None
        stopped = head is not None and is_stopped(s, head, a)
        s.import_files("--project", "eval", session.write(root, n))
        if head is None:
            if a["tflops"] > 0 and a["decision"] in ("KEEP", "DISCARD"):
                head = baseline_head(s)
                has[head["version"]] = set()
            continue
        x = newest(s, campaign)
        uses = s.get("experiments/" + x["id"])["record"].get("techniques", [])
        applied = [t["name"] for t in uses if t.get("status", "applied") == "applied"]
        out_again = {t["name"] for t in uses} - set(applied)
        p, place = scores_of(answer)
        bare_p, bare_place = scores_of(answer, tune=False)
        measured = x["outcome"]["effect"] in ("win", "loss", "neutral")
        out.append({"success": a["success"], "words": words_of(a["idea_summary"]), "stopped": stopped, "techniques": applied, "p": p, "place": place, "answer": answer,
                    "bare_p": bare_p, "bare_place": bare_place, "parameters": parameters_of(uses),
                    "won": x["outcome"]["effect"] == "win", "measured": measured,
                    "rate": {t: rates.of(t) for t in applied}, "rate_top": rates.best(3),
                    "has": has[head["version"]]})
        rates.add(applied, a["success"])
        if a["decision"] == "KEEP" and a["tflops"] > 0:
            has[x["to_version"]] = has[head["version"]] - out_again | set(applied)
            head = head_of(s, x)
    return out


# ---- figures ----

def best_score(row, scores, absent):
    return max((scores.get(t, absent) for t in row["techniques"]), default=absent)


def session_auc(rows, score):
    named = [r for r in rows if r["techniques"]]
    return auc([score(r) for r in named], [r["success"] for r in named])


def hits(rows, first_of, states):
    """Share of STATES ("all": every state before a success; "last": the one right before it) where the
    technique of the next success is among the first three."""
    out = []
    for i, r in enumerate(rows):
        later = next((x for x in rows[i:] if x["success"] and x["techniques"]), None)
        if later and (states == "all" or later is r):
            out.append(bool(set(first_of(r)) & set(later["techniques"])))
    return mean(out)


def first_three(row, tune=True):
    """The first three techniques in the order shown."""
    return list(dict.fromkeys(a["technique"] for a in shown(row["answer"], tune)))[:3]


def any_odds(row):
    """What the answer says of any attempt in this state; it stands for ideas that no list has."""
    return row["answer"].get("lineage", {}).get("p_win", -1)


def by_odds(row):
    return best_score(row, row["p"], any_odds(row))


def parameters_of(uses):
    return {(t["name"], p) for t in uses for p in t.get("params", {})}


def parameters_listed(rows):
    """Of the successes that set a parameter: those whose parameter is in `tune`, whatever the value."""
    listed = [{(a["technique"], a.get("parameter")) for a in r["answer"].get("tune", [])} for r in rows]
    return mean(bool(set(r["parameters"]) & t) for r, t in zip(rows, listed) if r["success"] and r["parameters"])


def already_there(rows):
    said = [a["technique"] in r["has"] for r in rows for a in r["answer"]["advice"]]
    return mean(said)


def show(run, sessions, logs):
    """Each success: its techniques, whether the head had them, and what the answer said."""
    for session, rows in zip(sessions, logs):
        run.say(f"{session.folder}: {len(rows)} attempts, {sum(r['success'] for r in rows)} successes, "
                f"AUC {session_auc(rows, lambda r: best_score(r, r['p'], -1)):.2f}")
        for i, r in enumerate(rows):
            if r["success"]:
                run.say(f"  {i:3} {' '.join(r['techniques']) or '-'}; there {sorted(set(r['techniques']) & r['has'])}; place "
                        f"{best_score(r, r['place'], -999)}, p {best_score(r, r['p'], -1):.2f}; first {first_three(r)}")


def places_of(rows):
    """What was said of each technique before the session's first attempt, and what came of it."""
    said, won = {}, {}
    for kind in ("advice", "untried", "avoid"):
        for a in rows[0]["answer"][kind]:
            said.setdefault(a["technique"], a["p_win"])
    for r in rows:
        for t in r["techniques"] if r["measured"] else ():
            won.setdefault(t, []).append(r["won"])
    return [place_of(said[t], v) for t, v in won.items() if t in said]


def jaccard(a, b):
    a, b = set(a), set(b)
    return len(a & b) / len(a | b) if a | b else 0


def numbers_of(words):
    return {n for w in words for n in re.findall(r"\d+", w)}


def report_repeats(run, logs):
    """An exact repeat has the words of a failed attempt in the same order. A near one shares 0.7 of all words and has
    the same numbers: another value is another attempt."""
    counts = {"exact repeats": [], "near repeats": [], "later successes": [], "other attempts": []}
    for rows in logs:
        failed = []
        for r in rows:
            near = max((jaccard(r["words"], f) for f in failed if numbers_of(f) == numbers_of(r["words"])), default=0)
            kind = ("later successes" if r["success"] else "exact repeats" if r["words"] and r["words"] in failed
                    else "near repeats" if near >= 0.7 else "other attempts")
            counts[kind].append(r["stopped"])
            failed += [] if r["success"] else [r["words"]]
    goals = {"exact repeats": {"at_least": 1}, "near repeats": {"at_least": 0.8}, "later successes": {"at_most": 0.05}}
    for kind, flagged in counts.items():
        run.add("agent_logs", "check-idea says stop", "product", kind, mean(flagged), wilson(sum(flagged), len(flagged)),
                len(flagged), **goals.get(kind, {}))


def report(run, part, logs, judged):
    goal = (lambda x: x) if judged else (lambda x: None)

    def add(method, measure, of, n=None, **goals):
        value, span = over_groups(logs, of)
        run.add("agent_logs", part, method, measure, value, span, n if n is not None else len(logs), **goals)

    add("product", "AUC in a session, by odds", lambda rows: session_auc(rows, by_odds), at_least=goal(0.62))
    add("product", "AUC, unlisted ideas last", lambda rows: session_auc(rows, lambda r: best_score(r, r["p"], -1)))
    add("without tune", "AUC, unlisted ideas last", lambda rows: session_auc(
        rows, lambda r: best_score(r, r["bare_p"], -1)))
    add("product", "AUC, listed ideas only", lambda rows: session_auc(
        [r for r in rows if any(t in r["p"] for t in r["techniques"])], by_odds))
    add("product", "AUC by place in the order shown", lambda rows: session_auc(
        rows, lambda r: best_score(r, r["place"], -999)))
    add("without tune", "AUC by place in the order shown", lambda rows: session_auc(
        rows, lambda r: best_score(r, r["bare_place"], -999)))
    add("rate of the technique", "AUC in a session", lambda rows: session_auc(rows, lambda r: max(r["rate"].values())))
    add("product", "hit@3, before the success", lambda rows: hits(rows, first_three, "last"), at_least=goal(0.40))
    add("product", "hit@3, every state before it", lambda rows: hits(rows, first_three, "all"))
    add("without tune", "hit@3, before the success", lambda rows: hits(rows, lambda r: first_three(r, False), "last"))
    add("product", "tune has the parameter of a success", parameters_listed)
    for name, half in (("1st, 3rd, …", logs[::2]), ("2nd, 4th, …", logs[1::2])):
        for measure, of in (("AUC in a session, by odds", lambda rows: session_auc(rows, by_odds)),
                            ("hit@3, before the success", lambda rows: hits(rows, first_three, "last"))):
            value, span = over_groups(half, of)
            run.add("agent_logs", part, f"product, {name} session", measure, value, span, len(half))
    add("rate of the technique", "hit@3, before the success", lambda rows: hits(rows, lambda r: r["rate_top"], "last"))
    add("rate of the technique", "hit@3, every state before it", lambda rows: hits(rows, lambda r: r["rate_top"], "all"))
    add("product", "advice already in the head", already_there)
    add("log", "attempts that name a technique", lambda rows: mean(bool(r["techniques"]) for r in rows))
    add("log", "of them in the head already", lambda rows: mean(
        bool(set(r["techniques"]) & r["has"]) for r in rows if r["techniques"]))
    add("log", "successes with one that is new", lambda rows: mean(
        bool(set(r["techniques"]) - r["has"]) for r in rows if r["techniques"] and r["success"]))
    add("log", "of them on no list", lambda rows: mean(
        not any(t in r["p"] for t in r["techniques"]) for r in rows if r["techniques"]))
    stated = [(by_odds(r), r["won"]) for rows in logs for r in rows if r["measured"] and r["techniques"]]
    stated = [(p, w) for p, w in stated if p >= 0]
    run.add("agent_logs", part, "product", "Brier of the odds", brier(*zip(*stated)) if stated else float("nan"), n=len(stated))
    run.add("agent_logs", part, "product", "ECE of the odds", ece(*zip(*stated)) if stated else float("nan"), n=len(stated))


def evaluate(run):
    sessions = read_sessions(run)
    run.say(f"{len(sessions)} sessions, {sum(len(s.attempts) for s in sessions)} attempts, "
            f"{sum(a['success'] for s in sessions for a in s.attempts)} successes")
    with Service(run) as s:
        rates, logs = Rates(), []
        for session in sessions:
            logs.append(replay(run, s, session, os.path.join(s.folder.name, "logs"), rates))
    if run.details:
        show(run, sessions, logs)
    report(run, "in time", logs, True)
    report_repeats(run, logs)
    if run.quick:
        return
    logs = []
    for session in sessions:
        with Service(run) as s:
            root, rates = os.path.join(s.folder.name, "logs"), Rates()
            for other in sessions:
                if other is not session:
                    s.import_files("--project", "eval", other.write(root, len(other.attempts)))
            for x in s.rows("experiments"):
                rates.add([t["name"] for t in x["techniques"]], x["outcome"]["effect"] == "win")
            logs.append(replay(run, s, session, root, rates))
    report(run, "others known", logs, False)
    run.add_coverage("agent_logs", "session left out", [places_of(rows) for rows in logs])
