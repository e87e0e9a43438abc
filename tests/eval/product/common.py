"""What the evaluations of the product share: a service of their own, measures with intervals, and the
table of figures. Each suite is a module with a function evaluate(run); run.py starts them.

An evaluation goes the way of a user: it starts warplored on an empty directory, imports files with
`warplore import` (or posts documents), asks over HTTP, and takes answers in the order shown."""
import http.client
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from urllib.parse import urlencode

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "e2e"))
from daemon import Daemon, make_token  # noqa: E402

SEED, DRAWS = 20, 2000  # of the bootstrap


# ---- the service ----

class Service:
    """A warplored with a data directory that is deleted at the end: `with Service(run) as s`."""

    def __init__(self, run, *options):
        self.run, self.options = run, options

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="warplore-eval-")
        data = os.path.join(self.folder.name, "data")
        os.mkdir(data)
        self.daemon = Daemon(self.run.warplored, data, *self.options)
        self.token = make_token(self.run.warplored, data, "admin")
        self.url = f"http://127.0.0.1:{self.daemon.port}"
        self.connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=120)
        return self

    def __exit__(self, *error):
        self.connection.close()
        self.daemon.child.terminate()
        self.daemon.child.wait(60)
        self.folder.cleanup()

    def learn(self):
        """Learn from what is stored, as a service with --retrain_hours does by itself: then two runs would differ."""
        self.connection.close()
        self.daemon.stop()
        subprocess.run([self.run.warplored, "retrain", "--data", self.daemon.data], check=True, stdout=subprocess.DEVNULL)
        self.daemon = Daemon(self.run.warplored, self.daemon.data, *self.options)
        self.url = f"http://127.0.0.1:{self.daemon.port}"
        self.connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=120)
        while self.get("recommend", operator="gemm", chip="h200", quiet="true").get("start_state") == "reading":
            pass

    def request(self, method, path, body=None):
        """Status and JSON of the answer, on one connection that stays open while the service keeps it."""
        headers = {"Authorization": "Bearer " + self.token}
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            self.connection.request(method, "/api/v1/" + path, body, headers)
            reply = self.connection.getresponse()
        except (http.client.RemoteDisconnected, ConnectionError):  # closed after a while of silence; asking again
            self.connection.close()                                # is safe, because a document is stored once
            self.connection.request(method, "/api/v1/" + path, body, headers)
            reply = self.connection.getresponse()
        return reply.status, json.loads(reply.read() or b"null")

    def get(self, path, **query):
        """The answer to GET; parameters that are None are left out."""
        text = urlencode({k: v for k, v in query.items() if v is not None})
        status, answer = self.request("GET", path + ("?" + text if text else ""))
        if status != 200:
            raise RuntimeError(f"{path}?{text}: {status} {answer}")
        return answer

    def rows(self, path, **query):
        """Every row of a list, page by page."""
        out, answer = [], self.get(path, **query)
        while True:
            out += answer["rows"]
            if not answer.get("next"):
                return out
            answer = self.get(path, **query, cursor=answer["next"])

    def post(self, document):
        """Store a document; its id and version of the format are added when absent."""
        document.setdefault("warplore", 1)
        status, answer = self.request("POST", "submissions", json.dumps(document))
        if status not in (200, 201):
            raise RuntimeError(f"document refused: {status} {answer}")
        return answer

    def import_files(self, *words):
        """`warplore import WORDS --json`: its report."""
        env = dict(os.environ, WARPLORE_URL=self.url, WARPLORE_TOKEN=self.token, HOME=self.folder.name)
        done = subprocess.run([self.run.warplore, "import", "--json", *words], env=env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder.name)
        try:
            return json.loads(done.stdout)  # also with status 2: single records were refused, as the report says
        except json.JSONDecodeError:
            raise RuntimeError(f"import {words}: {done.returncode} {done.stdout[-2000:]}{done.stderr[-2000:]}") from None


ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def ulid(n):
    """The id with number N: ids of one run are numbered, so that runs are alike."""
    out = ""
    for _ in range(26):
        out, n = ALPHABET[n % 32] + out, n // 32
    return out


# ---- measures ----

def mean(v):
    v = list(v)
    return sum(v) / len(v) if v else math.nan


def auc(scores, positive):
    """How well SCORES rank the positive before the rest, ties counted half; NaN without both kinds."""
    yes = [s for s, p in zip(scores, positive) if p]
    no = [s for s, p in zip(scores, positive) if not p]
    won = sum((a > b) + 0.5 * (a == b) for a in yes for b in no)
    return won / (len(yes) * len(no)) if yes and no else math.nan


def brier(stated, happened):
    return mean((p - bool(y)) ** 2 for p, y in zip(stated, happened))


def ece(stated, happened, bins=10):
    """Mean distance of stated and realised shares over bins of equal width."""
    inside = [[] for _ in range(bins)]
    for p, y in zip(stated, happened):
        inside[min(bins - 1, int(p * bins))].append((p, bool(y)))
    return sum(abs(sum(p - y for p, y in b)) for b in inside) / max(1, len(stated))


def wilson(k, n):
    """The 95 % interval of a share of K in N."""
    if n == 0:
        return math.nan, math.nan
    z, p = 1.96, k / n
    middle, half = p + z * z / (2 * n), z * math.sqrt((p * (1 - p) + z * z / (4 * n)) / n)
    return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


def bootstrap(groups, statistic, draws=DRAWS, seed=SEED):
    """The 95 % interval of STATISTIC(list of groups): groups (sessions, cells) are drawn with replacement.
    Draws without a value are left out; (NaN, NaN) when there are too few groups or values."""
    rng, values = random.Random(seed), []
    for _ in range(draws if len(groups) > 1 else 0):
        value = statistic([groups[rng.randrange(len(groups))] for _ in groups])
        if not math.isnan(value):
            values.append(value)
    values.sort()
    if len(values) < draws / 2:
        return math.nan, math.nan
    return values[int(0.025 * len(values))], values[min(len(values) - 1, int(0.975 * len(values)))]


def within_90(place):
    """Whether the wins at a place lie inside the central 90 % of what its odds foretell: beta-binomial, with the
    mean and width of the stated interval (5 and 95 % quantiles). N is small, so discreteness makes it generous."""
    p, n, k = place["p"], place["n"], place["wins"]
    spread = max((place["high"] - place["low"]) / 3.29, 1e-6)
    strength = max(p * (1 - p) / spread ** 2 - 1, 1e-3)
    a, b = max(p * strength, 1e-6), max((1 - p) * strength, 1e-6)

    def beta(x, y):
        return math.lgamma(x) + math.lgamma(y) - math.lgamma(x + y)

    share = [math.exp(math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) + beta(i + a, n - i + b) - beta(a, b))
             for i in range(n + 1)]
    return sum(share[:k + 1]) > 0.05 and sum(share[k:]) > 0.05


def place_of(odds, won):
    """What an answer said of a technique (p_win), and which of the attempts with it won."""
    return {"p": odds["value"], "low": odds["low"], "high": odds["high"], "wins": sum(won), "n": len(won)}


def over_groups(groups, of):
    """Mean over groups of OF(group), where it has a value, and its interval."""
    values = [x for x in (of(g) for g in groups) if not math.isnan(x)]
    return mean(values), bootstrap(values, mean)


# ---- figures ----

class Run:
    """One run of the evaluation: programs, data, options and the figures found."""

    def __init__(self, warplored, warplore, data, quick=False, details=False):
        self.warplored, self.warplore, self.data = warplored, warplore, data
        self.quick, self.details, self.figures = quick, details, []

    def say(self, text=""):
        print(text, flush=True)

    def add(self, suite, part, method, measure, value, interval=None, n=None, at_least=None, at_most=None):
        """A figure. INTERVAL: (low, high), 95 %. N: cells, sessions or answers behind it. METHOD: "product", or
        a baseline beside it. With a goal it is judged; a value that could not be measured misses it."""
        f = {"suite": suite, "part": part, "method": method, "measure": measure,
             "value": None if math.isnan(value) else round(value, 4)}
        if interval and not math.isnan(interval[0]):
            f["low"], f["high"] = round(interval[0], 4), round(interval[1], 4)
        if n is not None:
            f["n"] = n
        if at_least is not None:
            f.update(at_least=at_least, holds=value >= at_least)
        if at_most is not None:
            f.update(at_most=at_most, holds=value <= at_most)
        self.figures.append(f)
        goal = f"at least {at_least:g}" if at_least is not None else f"at most {at_most:g}" if at_most is not None else ""
        judged = "" if "holds" not in f or self.quick else "holds" if f["holds"] else "MISSED"
        span = f"[{f['low']:.3f}, {f['high']:.3f}]" if "low" in f else ""
        shown = "–" if f["value"] is None else f"{value:.3f}"
        self.say(f"{suite:12} {part:28} {method:22} {measure:30} {shown:>7} {span:16} {'' if n is None else f'n {n}':8} {goal:13} {judged}")

    def add_coverage(self, suite, part, groups, often=5):
        """Do stated intervals hold at places that the memory did not know? GROUPS: lists of place_of."""
        every = [q for g in groups for q in g]
        many = [[q for q in g if q["n"] >= often] for g in groups]

        def share(of):
            return lambda drawn: mean(of(q) for g in drawn for q in g)

        def held(q):
            return q["low"] <= q["wins"] / q["n"] <= q["high"]

        for measure, chosen, of in (("coverage, by its own spread", groups, within_90),
                                    (f"share inside, {often} tries or more", many, held),
                                    ("mean width of the interval", groups, lambda q: q["high"] - q["low"])):
            self.add(suite, part, "product", measure, share(of)(chosen), bootstrap(chosen, share(of)),
                     len(every) if chosen is groups else sum(map(len, many)))

    def missed(self):
        return [f for f in self.figures if f.get("holds") is False]
