"""Reports and files of other workflows, byte for byte: what the client writes about the walkthrough
and about a log of experiences. LORE_BLESS=1 rewrites the files of this folder's reports/; look at
the difference. Beyond that: no table of any report has an empty cell or an N/A without a reason,
whatever the kernel; what was hidden is shown as hidden; files go back in.

Usage: reports.py WARPLORED WARPLORE SOURCE_DIR"""
import csv
import glob
import io
import json
import os
import re
import subprocess
import sys

WARPLORED, WARPLORE, SOURCE = sys.argv[1:4]
sys.path.insert(0, os.path.join(SOURCE, "tests", "e2e"))
from daemon import Daemon, make_token, need, scratch  # noqa: E402

HERE = os.path.join(SOURCE, "tests", "golden", "reports")
FIXTURES = os.path.join(SOURCE, "tests", "fixtures")
KERNEL = "01M7ZS70X0D4HXT6Y08R085HEN"
LOG = os.path.join(HERE, "experiences.json")


class Service:
    def __init__(self, folder, name):
        self.folder, self.data = folder, os.path.join(folder, name)
        os.mkdir(self.data)
        self.token = make_token(WARPLORED, self.data, "curator")
        self.daemon = Daemon(WARPLORED, self.data)
        self.env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{self.daemon.port}",
                        WARPLORE_TOKEN=self.token, NO_COLOR="1", HOME=folder)

    def client(self, *args, good=(0,)):
        r = subprocess.run([WARPLORE, *args], env=self.env, capture_output=True, timeout=120)
        need(r.returncode in good, f"{args}: exit {r.returncode}: {r.stderr.decode()[-2000:]}")
        return r.stdout.decode(), r.stderr.decode()

    def rows(self, noun):
        return json.loads(self.client("list", noun, "--json", "--limit", "200")[0])["rows"]

    def post(self, path, body):
        status, answer, _ = self.daemon.request("POST", path, self.token, json.dumps(body))
        need(status in (200, 201), f"POST {path}: {status} {answer[:400]}")
        return json.loads(answer)

    def submit(self, folder):
        for name in sorted(os.listdir(folder)):
            if name.endswith(".json"):
                with open(os.path.join(folder, name)) as f:
                    self.post("/api/v1/submissions", json.load(f))


def golden(name, text):
    path = os.path.join(HERE, name)
    if os.environ.get("LORE_BLESS"):
        with open(path, "w", newline="") as f:
            f.write(text)
        return
    with open(path, newline="") as f:
        wanted = f.read()
    if wanted != text:
        for number, (a, b) in enumerate(zip(wanted.splitlines(), text.splitlines()), 1):
            need(a == b, f"{name}:{number}:\n  wanted {a}\n  got    {b}")
        need(False, f"{name}: {len(wanted)} characters, not {len(text)}")


CELL = re.compile(r"(?<!\\)\|")
NOTHING = re.compile(r"\s*(N/?A\W*|[-—?]|TBD|TODO|null|none|nan)?\s*", re.IGNORECASE)


def check_cells(text, what):
    """Every cell of every table says something; how many there were."""
    seen, columns = 0, 0
    for line in text.splitlines():
        if not line.startswith("|"):
            columns = 0
            continue
        cells = CELL.split(line)[1:-1]
        columns = columns or len(cells)
        need(len(cells) == columns, f"{what}: {columns} cells in: {line}")
        if set(line) <= set("|-"):
            continue
        for cell in cells:
            need(not NOTHING.fullmatch(cell), f"{what}: an empty cell in: {line}")
            need("N/A" not in cell or re.search(r"N/A — \S", cell), f"{what}: no reason in: {line}")
            seen += 1
    return seen


def walkthrough(folder):
    s = Service(folder, "walkthrough")
    s.submit(os.path.join(FIXTURES, "walkthrough"))
    final = s.client("report", "softmax")[0]
    golden("final.md", final)
    need(check_cells(final, "final report") > 200, "tables in the final report")
    need("**contradicted**" in final, "contradicted claims, to be seen")
    golden("iteration-v2.md", s.client("report", KERNEL, "--template", "iteration", "--version", "v2")[0])
    golden("notes.md", s.client("report", KERNEL, "--template", "notes")[0])
    golden("leaderboard.md", s.client("leaderboard", "--markdown", "--excluded")[0])
    golden("leaderboard.csv", s.client("leaderboard", "--csv")[0])
    golden("state.json", s.client("export", "--state-json", KERNEL)[0])
    out = os.path.join(folder, "workspace")
    s.client("export", "--memory", "softmax", out)
    need(sorted(os.listdir(os.path.join(out, "memory"))) == [f"v{i}.json" for i in range(5)],
         "a file per version, none for ablations")
    with open(os.path.join(out, "memory", "v2.json")) as f:
        golden("memory-v2.json", f.read())
    said = s.client("export", "--memory", "softmax", out, good=(2,))[1]
    need("the file exists" in said, f"no file written over: {said}")
    for wrong, answer in ((["report", "frobnicate"], "no such kernel"),
                          (["report", KERNEL, "--template", "iteration", "--version", "v9"], "no such version"),
                          (["report", KERNEL, "--template", "poem"], "final, iteration, notes")):
        said = s.client(*wrong, good=(1, 2))[1]
        need(answer in said, f"{answer}: {said}")
    hidden(s)
    s.daemon.stop()


def hidden(s):
    """A restart hides versions; the report still shows them, marked."""
    plan = s.post(f"/api/v1/kernels/{KERNEL}/restart", {"seed": 7, "reason": "nothing new left"})
    campaign = s.rows("campaigns")[0]["id"]
    s.post(f"/api/v1/campaigns/{campaign}/close",
           {"stop_reason": "bottleneck_saturated", "reason": "memory is the limit"})
    final = s.client("report", KERNEL)[0]
    check_cells(final, "report after a restart")
    labels = {v["id"]: v["label"] for v in s.rows("versions")}
    names = [labels[v] for v in plan["hidden_versions"]]
    need(names, "a restart that hides something")
    for name in names:
        need(f" {name} (masked) |" in final, f"{name} marked as masked")
        need(f"### {name} (masked)" in final, f"the decision about {name} still told")
    need("| softmax-h200: bottleneck saturated: memory is the limit |" in final, "why it stopped")
    need("nothing new left" in final and "| 7 |" in final, "the restart with seed and reason")
    need(final.count("(masked)") > len(names), "masked rows marked")
    memory = os.path.join(s.folder, "restarted")
    s.client("export", "--memory", KERNEL, memory)
    for i in range(5):
        with open(os.path.join(memory, "memory", f"v{i}.json")) as f:
            need(json.load(f)["masked"] == (f"v{i}" in names), f"masked of v{i}")


def experiences(folder):
    """The log comes back as it went in, and its page has the layout of its own tool."""
    s = Service(folder, "experiences")
    s.client("import", LOG)
    text, said = s.client("export", "--experiences")
    with open(LOG) as f:
        need(f.read() == text, "the same file")
    need("5 of 5 entries had no number" in said, f"that numbers are given: {said}")
    golden("experiences.md", s.client("export", "--experiences-md")[0])
    path = os.path.join(folder, "again.json")
    s.client("export", "--experiences", path)
    with open(path) as f:
        need(f.read() == text, "the same in a file")
    two = json.loads(s.client("export", "--experiences", "--operator", "softmax")[0])
    need([x["optimization"][:3] for x in two] == ["num", "one"], "only what was asked for")
    s.daemon.stop()


def own_records(folder):
    """What never was in such a log: its keys and types, and what it cannot say is said."""
    s = Service(folder, "own")
    s.submit(os.path.join(FIXTURES, "walkthrough"))
    s.submit(os.path.join(FIXTURES, "demo"))
    text, said = s.client("export", "--experiences")
    with open(LOG) as f:
        keys = list(json.load(f)[0])
    entries = json.loads(text)
    for e in entries:
        need(list(e) == keys, f"the log's keys in its order, not {list(e)}")
        need(e["outcome"] in ("success", "failure", "neutral"), f"an outcome: {e['outcome']}")
        need(isinstance(e["speedup"], (float, type(None))), "a speedup with a point, or null")
        need(list(e["metrics_before"]) == list(e["metrics_after"]) ==
             ["memory_sol_pct", "sm_sol_pct", "latency_ms", "achieved_occupancy"], "four metrics")
    need([e["id"] for e in entries] == sorted({e["id"] for e in entries}), "ids that ascend")
    mine = [e for e in entries if e["dims"] == "rows=8192,cols=4096"]
    need([e["iteration"] for e in mine] == ["v1", "v2", "v3", "v4"], "the walkthrough in order")
    need(mine[1]["metrics_before"] == {"memory_sol_pct": 70.62, "sm_sol_pct": 54.23,
                                       "latency_ms": 0.07744, "achieved_occupancy": 91.13},
         f"what was measured before: {mine[1]['metrics_before']}")
    need("neither cuda nor triton" in said, f"languages it does not have: {said[-500:]}")
    s.daemon.stop()


def workspaces(folder):
    """A workspace comes back: what its files say of a version stands in the files written."""
    s = Service(folder, "workspaces")
    source = os.path.join(FIXTURES, "import", "at", "row_sum_ws")
    s.client("import", source)
    kernel = s.rows("kernels")[0]["id"]
    out = os.path.join(folder, "back")
    s.client("export", "--memory", kernel, out)
    for i in range(4):
        with open(os.path.join(source, "memory", f"v{i}.json")) as f, \
                open(os.path.join(out, "memory", f"v{i}.json")) as g:
            wanted, got = json.load(f), json.load(g)
        for part in ("version", "masked", "optimization", "profile_evidence", "quality_gate",
                     "git_commit_hash"):
            need(got[part] == wanted[part], f"v{i} {part}: {got[part]}, not {wanted[part]}")
        for name, value in wanted["performance"].items():
            if name != "comparison_with_previous":
                need(got["performance"][name] == value, f"v{i} {name}: {got['performance']}")
        need(got["correctness"]["status"] == wanted["correctness"]["status"], f"v{i} correctness")
    s.client("import", os.path.join(FIXTURES, "import", "co"))
    run = [k for k in s.rows("kernels") if k["name"] == "softmax.cu"][0]["id"]
    state = json.loads(s.client("export", "--state-json", run)[0])
    with open(glob.glob(os.path.join(FIXTURES, "import", "co", "*", "state.json"))[0]) as f:
        wanted = json.load(f)
    for name in ("iterations_total", "ncu_num", "branches", "noise_threshold_pct", "ptr_size", "dims",
                 "best_metric_ms", "created_at"):
        need(state[name] == wanted[name], f"{name}: {state[name]}, not {wanted[name]}")
    need(list(state) == [k for k in wanted if k != "operator_notes"], "the keys, in their order")
    for ours, theirs in zip(state["history"], wanted["history"], strict=True):
        for name in ("iter", "methods", "validation_passed", "status", "retries"):
            need(ours[name] == theirs[name], f"history {name}: {ours[name]}, not {theirs[name]}")
    need([m["id"] for m in state["effective_methods"]] ==
         [m["id"] for m in wanted["effective_methods"]], "the effective methods")
    need([m["id"] for m in state["implementation_failed_methods"]] ==
         [m["id"] for m in wanted["implementation_failed_methods"]], "what the code does not show")
    s.daemon.stop()


def every_kernel(folder):
    """All reports of all kernels of all fixtures: no cell is empty, no formula leaves as CSV."""
    s = Service(folder, "every")
    s.submit(os.path.join(FIXTURES, "demo"))
    s.submit(os.path.join(FIXTURES, "walkthrough"))
    s.client("import", os.path.join(FIXTURES, "import"), good=(0, 2))
    cells = 0
    kernels = s.rows("kernels")
    for k in kernels:
        for template in ("final", "iteration", "notes"):
            # a kernel without versions has no iteration
            good = (0, 1) if template == "iteration" else (0,)
            text = s.client("report", k["id"], "--template", template, good=good)[0]
            cells += check_cells(text, f"{template} of {k['operator']} {k['id']}")
        json.loads(s.client("export", "--state-json", k["id"])[0])
    cells += check_cells(s.client("leaderboard", "--markdown", "--excluded")[0], "leaderboard")
    table = list(csv.reader(io.StringIO(s.client("leaderboard", "--csv")[0], newline="")))
    need(len(table) > 5 and {len(r) for r in table} == {10}, "ten fields in every row")
    for row in table:
        for field in row:
            need(field and field[0] not in "=+-@\t\r", f"no formula: {field}")
    need(any("no gain reported" in r and "failed attempts" in r[9] for r in table),
         "attempts without a gain are listed")
    print(f"{len(kernels)} kernels, {cells} cells")
    s.daemon.stop()


with scratch() as scratch_folder:
    walkthrough(scratch_folder)
    experiences(scratch_folder)
    own_records(scratch_folder)
    workspaces(scratch_folder)
    every_kernel(scratch_folder)
