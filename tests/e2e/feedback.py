"""What became of advice, over HTTP and with the command. Somebody asks, says what he did, measures, and
the service knows that its advice worked:

  * the same question gets the same id, a quiet one none; nobody waits for the note;
  * an experiment is the outcome of the answer that it names, else of the one somebody applied, else of
    the newest on the same operator, ISA, language and workload; imports and older experiments are not;
  * a retraction takes the outcome back; a rebuild finds the same outcomes;
  * versions that were proposed are run later, as they are or recorded as versions of somebody's own
    kernel that are set the same: fractions and odds that were stated against what came;
  * odds that were stated stand beside what happened, in the API and on the command line.

Usage: feedback.py WARPLORED WARPLORE SOURCE_DIR"""
import json
import os
import sqlite3
import subprocess
import sys

from daemon import Daemon, make_token, need, scratch, until

WARPLORED, WARPLORE, SOURCE = sys.argv[1:4]
DEMO = os.path.join(SOURCE, "tests", "fixtures", "demo")
QUESTION = "recommend?operator=softmax&chip=sm_86&language=cuda&version=01KAHVBV00XRFTY2QFNSYQFACG&limit=50&explain=true"


def same(have, want, what):
    need(have == want, f"{what}: {want!r}, not {have!r}")


NOTED = 5  # seconds until an answer can be read: a fifth of one, on a machine that is busy


class Service:
    def __init__(self, folder):
        self.folder, self.data, self.ids = folder, os.path.join(folder, "data"), 0
        self.daemon = Daemon(WARPLORED, self.data)
        self.tokens = {role: make_token(WARPLORED, self.data, role) for role in ("reader", "contributor", "curator")}

    def call(self, method, path, body=None, role="contributor"):
        body = json.dumps(body) if body is not None else None
        status, text, _ = self.daemon.request(method, "/api/v1/" + path, self.tokens[role], body)
        return status, json.loads(text)

    def get(self, path, role="reader"):
        status, answer = self.call("GET", path, role=role)
        same(status, 200, f"{path} {answer}")
        return answer

    def advice(self, advice):
        """An answer, once it has been noted."""
        until(lambda: self.call("GET", "advice/" + advice)[0] == 200, NOTED, "answer " + advice)
        return self.get("advice/" + advice)

    def id(self):
        self.ids += 1
        return "01J9" + format(self.ids, "022d")

    def submit(self, **records):
        status, answer = self.call("POST", "submissions", dict(records, warplore=1, id=self.id()))
        need(status in (200, 201), f"taken, not {status}: {answer}")

    def experiment(self, technique, speedup, op="softmax", language="cuda", **more):
        """A stated change from 1000 ns; its id."""
        kernel, x = self.id(), self.id()
        self.submit(kernels=[{"id": kernel, "operator": op, "name": "mine " + x, "language": language}],
                    experiments=[dict({"id": x, "kernel": kernel, "title": technique, "techniques": [technique],
                                       "chip": "a6000", "claim": {"latency_before_ns": 1000 * speedup,
                                                                  "latency_after_ns": 1000}}, **more)])
        return x

    def warplore(self, *words, status=0):
        env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{self.daemon.port}",
                   WARPLORE_TOKEN=self.tokens["contributor"], HOME=self.folder, COLUMNS="120")
        done = subprocess.run([WARPLORE, *words], env=env, capture_output=True, text=True, timeout=60)
        same(done.returncode, status, f"{words} {done.stdout} {done.stderr}")
        return done.stdout

    def metric(self, name):
        text = self.daemon.request("GET", "/metrics", self.tokens["reader"])[1].decode()
        return float(next(line.split()[1] for line in text.splitlines() if line.startswith(f"warplore_{name} ")))

    def sql(self, query):
        db = sqlite3.connect(f"file:{self.data}/warplore.db?mode=ro", uri=True)
        rows = db.execute(query).fetchall()
        db.close()
        return rows

    def links(self):
        """Every outcome as the database has it."""
        return self.sql("SELECT experiment, technique, advice, list, rank, how FROM drv_advice_outcome"
                        " ORDER BY experiment, technique")

    def answers(self):
        return [row[0] for row in self.sql("SELECT id FROM log_advice ORDER BY seq")]


def item_of(answer, technique):
    return next(i for i in answer["items"] if i["technique"] == technique)


def fill(s):
    for name in sorted(os.listdir(DEMO)):
        with open(os.path.join(DEMO, name), encoding="utf-8") as f:
            status, answer = s.call("POST", "submissions", json.load(f), role="curator")
        need(status in (200, 201), f"{name} taken: {answer}")


def asking(s):
    """The id of an answer, and what it listed as worth trying."""
    answer = s.get(QUESTION)
    advice = answer["advice_id"]
    same(s.get(QUESTION)["advice_id"], advice, "the same question of the same caller")
    need(s.get(QUESTION, role="contributor")["advice_id"] != advice, "another caller is told apart")
    need("advice_id" not in s.get(QUESTION + "&quiet=true"), "no id for a quiet question")
    need("advice_id" not in s.get("recommend?operator=softmax&method=seed-score"), "no id for another method")
    kept = s.advice(advice)
    same(kept["question"]["operator"], "softmax", "what was asked")
    same(kept["caller"], s.get("me")["actor"], "who asked")
    listed = [(i["list"], i["technique"], i.get("p_win")) for i in kept["items"]]
    said = [(key, a["technique"], a["p_win"]["value"]) for key in ("advice", "avoid", "untried") for a in answer[key]]
    same(s.metric("advice_remembered_total"), 2, "both answers in the database")
    same(sorted(listed), sorted(said), "what was listed is what is remembered")
    techniques = [a["technique"] for a in answer["advice"]]
    need(len(techniques) >= 4, f"enough to try: {techniques}")
    return advice, techniques


def saying(s, advice, technique):
    """Who may say what, and what is wrong is named."""
    path = f"advice/{advice}/events"

    def refused(status, code, where, body, path=path, role="contributor"):
        have, answer = s.call("POST", path, body, role)
        same((have, answer.get("code"), answer.get("path")), (status, code, where), f"{body} {answer}")

    good = {"event": "applied", "technique": technique}
    status, _ = s.call("POST", path, good, role="reader")
    same(status, 403, "a reader says nothing")
    refused(404, "unknown_advice", "id", good, "advice/01J00000000000000000000000/events")
    refused(400, "invalid_id", "id", good, "advice/x/events")
    refused(400, "unknown_technique", "technique", {"event": "applied", "technique": "memory.nonsense"})
    refused(400, "missing_field", "technique", {"event": "dismissed"})
    refused(400, "invalid_choice", "event", {"event": "liked", "technique": technique})
    refused(400, "unknown_field", "who", dict(good, who="me"))
    refused(400, "wrong_type", "note", dict(good, note=1))
    refused(400, "too_long", "note", dict(good, note="x" * 2001))
    same(s.call("POST", path, {"event": "opened"})[0], 200, "opened as a whole")
    same(s.call("POST", path, good)[0], 200, "applied")
    same(item_of(s.advice(advice), technique)["said"], "applied", "the last word")


def outcomes(s, advice, techniques):
    applied, guessed, named, dismissed = techniques[:4]
    # said twice: a newer answer of the same question does not take what somebody applied
    newer = s.get(QUESTION + "&bottleneck=memory")["advice_id"]
    need(newer != advice, "another question")
    need(any(i["technique"] == guessed for i in s.advice(newer)["items"]), "listed there, too")
    first = s.experiment(applied, 1.5)
    item = item_of(s.advice(advice), applied)
    same((item["came"], item["outcomes"][0]["how"], item["outcomes"][0]["experiment"]), ("worked", "applied", first),
         "an experiment on another chip of the same ISA is the outcome of what was applied")
    second = s.experiment(guessed, 0.5)
    item = item_of(s.advice(newer), guessed)
    same((item["came"], item["outcomes"][0]["how"]), ("did_not", "context"), "the newest answer, when nobody said more")
    same(item_of(s.advice(advice), guessed)["outcomes"], [], "linked once")
    # the command: named wins, even for another operator, and a dismissed one is nobody's outcome
    s.warplore("record", "--operator", "gemm", "--language", "cuda", "--chip", "a6000", "-t", named, "--before",
               "3ms", "--time", "2ms", "--advice", advice, "--no-check")
    item = item_of(s.advice(advice), named)
    same((item["came"], item["outcomes"][0]["how"]), ("worked", "named"), "the answer that it names")
    for which in s.answers():
        s.warplore("advice", "dismissed", which, dismissed, "--note", "the inputs are too small")
    before = len(s.links())
    s.experiment(dismissed, 1.5)
    s.experiment(guessed, 1.5, chip="mi300x")            # another ISA
    s.experiment(guessed, 1.5, language="hip")           # another language
    s.experiment(guessed, 1.5, op="gemm")                # another operator
    s.experiment(guessed, 1.5, evidence="imported")      # somebody else's
    s.experiment(guessed, 1.5, happened_at="2020-01-01")  # before anybody asked
    same(len(s.links()), before, "none of these is an outcome")
    return first, second


def statistics(s):
    stats = s.get("advice/stats")
    worth = next(x for x in stats["lists"] if x["list"] == "advice")
    same((worth["worked"], worth["did_not"], worth["inconclusive"]), (2, 1, 0), "what came of it")
    same((worth["applied"], worth["dismissed"]), (1, len(s.answers())), "what was said of it")
    same(worth["served"], worth["open"] + 3, "the others are open")
    need(worth["hit_rate"]["low"] < 2 / 3 < worth["hit_rate"]["high"], "an interval around two of three")
    calibration = stats["calibration"]
    same(calibration["n"], 3, "three odds to judge")
    same(sum(b["n"] for b in calibration["bins"]), 3, "each in a bin")
    need(0 < calibration["brier"] < 1, "a Brier score")
    same(stats["regret"]["answers"], 2, "two answers were followed")
    need(0 <= stats["regret"]["mean"] <= stats["regret"]["worst"] < 1, "a regret")
    same(s.get("advice/stats?chip=mi300x")["rows"], [], "nobody asked about another chip")
    need(s.get("advice/stats?chip=sm_86&operator=softmax")["rows"], "the chip that was asked about")
    text = s.warplore("stats", "advice", "--chip", "sm_86")
    for words in ("2 worked, 1 did not", "Brier", "Regret:", "Worth trying"):
        need(words in text, f"{words!r} in {text}")
    need("no stored advice matches" in s.warplore("stats", "advice", "--chip", "mi300x"), "nothing is said to be nothing")


def brier(s):
    """Recomputed from the answers alone."""
    terms = [(i["p_win"] - (i["came"] == "worked")) ** 2 for a in s.answers() for i in s.advice(a)["items"]
             if i["came"] in ("worked", "did_not")]
    have = s.get("advice/stats")["calibration"]["brier"]
    need(abs(have - sum(terms) / len(terms)) < 1e-12, f"Brier {have} is that of {terms}")


SHAPE = {"dims": {"M": 4096, "N": 4096}, "dtype": "f32"}


def searched(s):
    """Configurations of one kernel, measured on one chip; {(x, y): version}."""
    kernel, versions = s.id(), {(x, y): s.id() for x in (16, 32, 64, 128) for y in (1, 2, 4, 8)}
    s.submit(kernels=[{"id": kernel, "operator": "stencil", "name": "tuned", "language": "cuda"}],
             versions=[{"id": v, "kernel": kernel, "kind": "candidate", "params": {"block_x": x, "tile_y": y}}
                       for (x, y), v in versions.items()])
    measured(s, versions, "a6000", lambda x, y: 1000 + 3 * abs(x - 64) + 40 * abs(y - 4))
    return kernel, versions


def measured(s, versions, chip, time):
    s.submit(runs=[{"id": s.id(), "version": v, "chip": chip, "workload": SHAPE, "samples_ns": [time(x, y)] * 3,
                    "correctness": {"status": "pass"}} for (x, y), v in versions.items()])


def proposals(s):
    """Versions that were proposed are run later: what was said of them, and what came true."""
    kernel, versions = searched(s)
    question = "recommend?operator=stencil&chip=a100&language=cuda&next=true&explain=true&dims=M%3D4096,N%3D4096&dtype=f32"
    settings = {v: xy for xy, v in versions.items()}
    until(lambda: s.get(question + "&quiet=true").get("start"), 10, "versions to start from")
    answer = s.get(question)
    said = {x["version"]: x for x in answer["start"]}
    kept = s.advice(answer["advice_id"])["versions"]
    starts = [v for v in kept if v["list"] == "start"]
    same({v["version"]: v["fraction"] for v in starts}, {k: x["fraction"] for k, x in said.items()},
         "what was proposed is what is remembered")
    need(len(kept) > len(starts) or all(n["version"] in said for n in answer["next"]), "and what to measure next")
    stats = s.get("advice/stats?operator=stencil")["starts"]
    same((stats["served"], stats["tried"]), (len([v for v in kept if "fraction" in v]), 0), "nothing was tried yet")
    # on the chip asked about other configurations are the fast ones
    slow = lambda x, y: 800 + abs(x - 32) + 90 * abs(y - 2)
    first, second = (v["version"] for v in starts[:2])
    measured(s, {xy: v for xy, v in versions.items() if v not in (first, second)}, "a100", slow)
    measured(s, {settings[first]: first}, "a100", slow)
    # somebody else records the second as a version of his own kernel, and it does not run
    mine, own = s.id(), s.id()
    x, y = settings[second]
    s.submit(kernels=[{"id": mine, "operator": "stencil", "name": "tuned", "language": "hip"}],
             versions=[{"id": own, "kernel": mine, "kind": "candidate", "params": {"tile_y": float(y), "block_x": x}}],
             runs=[{"id": s.id(), "version": own, "chip": "a100", "workload": SHAPE,
                    "error": {"type": "runtime", "message": "too many resources"}}])
    tried = [v for v in s.advice(answer["advice_id"])["versions"] if v["outcomes"]]
    came = {v["version"]: v["outcomes"][0] for v in tried}
    same((came[first]["failed"], came[first]["time_ns"], came[second]["failed"]), (False, slow(*settings[first]), True),
         "a time, and a failure of another version that is set the same")
    best = min(slow(*xy) for xy, v in versions.items() if v != second)
    ran = [v for v in tried if not v["outcomes"][0]["failed"]]
    true = [best / v["outcomes"][0]["time_ns"] for v in ran]
    stats = s.get("advice/stats?chip=a100")["starts"]
    same((stats["tried"], stats["failed"], stats["decided"]), (len(tried), 1, len(ran)), "what came of them")
    need(abs(stats["came"] - sum(true) / len(true)) < 1e-9, f"{stats} came to {true}")
    need(abs(stats["stated"] - sum(v["fraction"]["value"] for v in ran) / len(ran)) < 1e-9, f"{stats} was stated")
    inside = sum(v["fraction"]["low"] <= t <= v["fraction"]["high"] for v, t in zip(ran, true)) / len(ran)
    need(abs(stats["inside"] - inside) < 1e-9, f"{stats} has {inside} inside")
    # a change of one parameter, and an experiment between the two versions
    start = versions[64, 1]
    answer = s.get(f"recommend?version={start}&chip=a6000&dims=M%3D4096,N%3D4096&dtype=f32")
    s.advice(answer["advice_id"])
    move = next(t for t in answer["tune"] if "expected" in t)
    s.submit(experiments=[{"id": s.id(), "kernel": kernel, "title": "a step", "chip": "a6000", "workload": SHAPE,
                           "from_version": start, "to_version": move["to_version"], "claim": {"speedup": 1.2}}])
    moves = s.get("advice/stats")["moves"]
    same((moves["worked"], moves["did_not"], moves["calibration"]["n"]), (1, 0, 1), "it gained")
    need(abs(moves["calibration"]["brier"] - (1 - move["p_win"]["value"]) ** 2) < 1e-9, f"{moves} against {move}")
    text = s.warplore("stats", "advice")
    for words in ("Versions to start from: ", f"{stats['tried']} tried", "Changes of one parameter: ", "1 worked"):
        need(words in text, f"{words!r} in {text}")
    need(f"in run {came[first]['run']}" in s.warplore("advice", kept_id(s, first)), "one answer shows it, too")
    return s.sql("SELECT * FROM drv_advice_trial ORDER BY 1, 2, 3, 4")


def kept_id(s, version):
    return s.sql(f"SELECT a.id FROM log_advice a JOIN log_advice_version v ON v.advice = a.seq"
                 f" WHERE v.version = '{version}' ORDER BY a.seq LIMIT 1")[0][0]


with scratch() as folder:
    s = Service(folder)
    same(s.get("advice/stats")["lists"], [], "nothing was advised yet")
    fill(s)
    advice, techniques = asking(s)
    saying(s, advice, techniques[0])
    first, second = outcomes(s, advice, techniques)
    statistics(s)
    brier(s)
    same(s.call("POST", f"records/{first}/retract", {"reason": "measured the wrong build"}, "curator")[0], 201,
         "retracted")
    item = item_of(s.advice(advice), techniques[0])
    same((item["came"], item["outcomes"][0]["hidden"]), ("open", True), "what was retracted does not count")
    shown, links, trials = s.advice(advice), s.links(), proposals(s)
    need(len(links) == 3, f"three outcomes: {links}")
    s.daemon.stop()
    subprocess.run([WARPLORED, "rebuild", "--data", s.data], check=True, capture_output=True)
    same(s.links(), links, "a rebuild finds the same outcomes")
    same(s.sql("SELECT * FROM drv_advice_trial ORDER BY 1, 2, 3, 4"), trials, "of versions, too")
    s.daemon = Daemon(WARPLORED, s.data)
    same(s.advice(advice), shown, "and shows the same")
    s.daemon.stop()
    small = Daemon(WARPLORED, s.data, "--advice-keep", "0")
    s.daemon = small
    need("advice_id" not in s.get(QUESTION), "nothing is remembered when nothing is to be kept")
    small.stop()
print("ok")
