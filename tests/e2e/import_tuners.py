"""Searches of tuners in and out again: every format becomes sweeps that the lists show once; a sweep
goes out as a T4 file and comes back as the same search; times go out in Bencher's format and as
OpenMetrics; lists go out as CSV, which no spreadsheet takes for formulas, and as JSON lines.

Usage: import_tuners.py WARPLORED WARPLORE SOURCE_DIR"""
import csv
import glob
import io
import json
import os
import re
import subprocess
import sys

from daemon import Daemon, make_token, need, scratch

WARPLORED, WARPLORE, SOURCE = sys.argv[1:4]
FIXTURES = os.path.join(SOURCE, "tests", "fixtures", "import")


class Client:
    def __init__(self, folder, name):
        data = os.path.join(folder, name)
        self.service = Daemon(WARPLORED, data)
        self.env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{self.service.port}",
                        WARPLORE_TOKEN=make_token(WARPLORED, data, "contributor"), XDG_CONFIG_HOME=folder,
                        XDG_STATE_HOME=folder)

    def __call__(self, *args, codes=(0,)):
        r = subprocess.run([WARPLORE, *args], env=self.env, capture_output=True, text=True)
        need(r.returncode in codes, f"{args}: exit {r.returncode}: {r.stderr}")
        return r.stdout

    def rows(self, *args):
        return [json.loads(line) for line in self("list", *args, "--jsonl").splitlines()]

    def take(self, *paths):
        report = json.loads(self("import", "--json", "--project", "", *paths, codes=(0, 2)))
        return sum(k["stored"] for f in report["formats"] for k in f["records"].values())


def sweep_of(rows, kernel, chip=None):
    found = [r for r in rows if r["kernel_name"] == kernel and r.get("chip") == chip]
    need(len(found) == 1, f"one sweep of {kernel} on {chip}: {[r['id'] for r in found]}")
    return found[0]


def check_lists(client):
    rows = client.rows("sweeps")
    need(len({r["id"] for r in rows}) == len(rows), "each sweep once")
    need(sweep_of(rows, "blur", "rtx3060ti")["summary"]["best_ns"] == 205750, "KTT's microseconds")
    need(sweep_of(rows, "scan", "a4000")["summary"]["failed"] == 1, "a failure of KTT")
    need(sweep_of(rows, "row_softmax")["summary"]["best_ns"] == 21250, "Triton's milliseconds")
    # two searches without any time are two
    for kernel in ("row_softmax", "add_rows"):
        need("best_ns" not in sweep_of(rows, kernel, "mi300x")["summary"], f"{kernel}: no time")
    board = json.loads(client("leaderboard", "--json"))["rows"]
    need(all(r.get("time_ns") for r in board), "a time in each row of the board")
    places = [(r["operator"], r.get("chip"), json.dumps(r["workload"]), r["kernel"]) for r in board]
    need(len(set(places)) == len(places), "each search once on the board")
    run = next(r for r in client.rows("runs") if r["kernel_name"] == "blur")
    shown = json.loads(client("show", run["id"], "--json"))
    need("dram__throughput.avg.pct_of_peak_sustained_elapsed" in json.dumps(shown), "counters of the best run")


def configurations(path):
    """What a T4 file says, as comparable values."""
    with open(path, encoding="utf-8") as f:
        t4 = json.load(f)
    return sorted((json.dumps(r["configuration"], sort_keys=True), r["invalidity"], r.get("error"),
                   json.dumps(r["times"]["runtimes"]),
                   json.dumps(sorted((m["name"], str(m["value"])) for m in r["measurements"])))
                  for r in t4["results"])


def check_t4(client, other, folder):
    for n, sweep in enumerate(r for r in client.rows("sweeps") if r["summary"]["timed"]):
        first, second = (os.path.join(folder, f"{sweep['kernel_name']}_{n}{k}.json") for k in "ab")
        client("export", "--t4", sweep["id"], first)
        with open(first, encoding="utf-8") as f:
            t4 = json.load(f)
        need(len(t4["results"]) == sweep["summary"]["configurations"], f"{first}: every configuration")
        need(set(r["invalidity"] for r in t4["results"]) <=
             {"timeout", "compile", "runtime", "correctness", "constraints", "correct"}, "words of the schema")
        # back into the same service it is the same search
        before = len(client.rows("sweeps"))
        client.take(first)
        need(len(client.rows("sweeps")) == before, f"{first}: no further search")
        # and in another service nothing of it is lost
        need(other.take(first) > 0, f"{first}: taken by another service")
        there = [r for r in other.rows("sweeps") if r["tool"] == sweep["tool"]
                 and r["kernel_name"] == sweep["kernel_name"] and r.get("chip") == sweep.get("chip")]
        need(len(there) == 1, f"{first}: one sweep there: {[(r['kernel_name'], r.get('chip')) for r in other.rows('sweeps')]}")
        need(there[0].get("workload_label") == sweep.get("workload_label"), f"{first}: its workload")
        other("export", "--t4", there[0]["id"], second)
        need(configurations(first) == configurations(second), f"{first}: the same configurations")
        need(other.take(first) == 0, f"{first}: again, nothing is stored")


def check_flashinfer(client, other, folder):
    """A kernel's runs as FlashInfer Trace are the same runs in another service."""
    client.take(os.path.join(SOURCE, "tests/fixtures/import/maps/flashinfer"))

    def runs_of(service):
        return sorted((r["operator"], r["language"], r.get("chip"), json.dumps(r["workload"]["dims"], sort_keys=True),
                       r["workload"].get("dtype"), r.get("time_ns"), r["correctness"], r["error_type"] or "")
                      for r in service.rows("runs") if r["tool"] == "flashinfer-trace")

    for n, kernel in enumerate({r["kernel"] for r in client.rows("runs") if r["tool"] == "flashinfer-trace"}):
        target = os.path.join(folder, f"flashinfer{n}")
        client("export", "--flashinfer", kernel, target)
        for path in glob.glob(os.path.join(target, "definitions", "*.json")):
            with open(path, encoding="utf-8") as f:
                made = json.load(f)
            shapes = {k: t["shape"] for k, t in {**made["inputs"], **made["outputs"]}.items()}
            need(made["op_type"] != "gemm" or shapes == {"A": ["M", "K"], "B": ["K", "N"], "C": ["M", "N"]},
                 f"{path}: tensors: {shapes}")
        client("export", "--flashinfer", kernel, target, codes=(1, 2, 3, 4, 5, 6))  # nothing is written over
        need(other.take(target) > 0, f"{target}: taken by another service")
    need(runs_of(client) == runs_of(other), f"the same runs: {runs_of(client)}, not {runs_of(other)}")
    need(any(r[5] for r in runs_of(other)), "times")
    # a champion that nobody checked: its solution, and its workload to run
    client("record", "tiles", "--operator", "gemm", "--kernel", "unchecked_gemm", "--language", "cuda", "--chip", "h200",
           "--dims", "M=64,N=64,K=64", "--dtype", "f16", "--time", "9us")
    target = os.path.join(folder, "unchecked")
    client("export", "--flashinfer", "unchecked_gemm", target)
    need(os.listdir(os.path.join(target, "solutions")), "its solution")
    need(not os.path.exists(os.path.join(target, "traces")), "no trace")
    with open(glob.glob(os.path.join(target, "workloads", "*"))[0], encoding="utf-8") as f:
        need(json.loads(f.readline())["workload"]["axes"] == {"M": 64, "N": 64, "K": 64}, "its workload")
    client("record", "tiles", "--operator", "gemm", "--kernel", "unmade_gemm", "--language", "cuda", "--chip", "h200",
           "--dims", "M=64,N=64,K=64", "--error", "compile")
    client("export", "--flashinfer", "unmade_gemm", os.path.join(folder, "unmade"))


def check_metrics(client):
    bmf = json.loads(client("export", "--bmf", "champions"))
    times = [m["latency"] for m in bmf.values()]
    need(any(m["value"] == 21250 for m in times), f"champions in nanoseconds: {bmf}")
    need(all(m.get("lower_value", 0) <= m["value"] <= m.get("upper_value", m["value"]) for m in times), "bounds")
    need(json.loads(client("export", "--bmf", "runs")), "runs")
    for what in ("champions", "runs"):
        lines = client("export", "--openmetrics", what).splitlines()
        need(lines[-1] == "# EOF", "the end of OpenMetrics")
        seen, family = set(), None
        for line in lines[:-1]:
            if line.startswith("# TYPE "):
                family = line.split()[2]
                need(line.endswith(" gauge") and family.endswith("_seconds"), line)
            if line.startswith("#"):
                continue
            m = re.fullmatch(r'(\w+)\{((?:\w+="(?:[^"\\\n]|\\["\\n])*",?)+)\} (\S+)(?: (\S+))?', line)
            need(m and m[1] == family, f"a sample: {line}")
            need(m[2] not in seen or m[1] != family, f"a series stands once: {line}")
            need(0 < float(m[3]) < 1, f"seconds: {line}")
    need("21.25" not in client("export", "--openmetrics", "champions"), "no microseconds")
    client("export", "--bmf", "everything", codes=(2,))
    client("export", "--t4", "01J00000000000000000000000", codes=(1,))


def check_csv(client):
    for noun in ("sweeps", "runs", "versions", "kernels", "chips", "operators", "techniques", "documents",
                 "submissions", "experiments"):
        text = client("list", noun, "--csv")
        table = list(csv.reader(io.StringIO(text)))
        need(all(len(row) == len(table[0]) for row in table), f"{noun}: rows of one length")
        need(noun == "experiments" or len(table) - 1 == len(client.rows(noun)), f"{noun}: every row")
        for row in table:
            for cell in row:
                number = re.fullmatch(r"-?\d+(\.\d+)?([eE][-+]?\d+)?", cell)
                need(number or cell[:1] not in ("=", "+", "-", "@", "\t"), f"{noun}: a formula {cell!r}")
    table = list(csv.DictReader(io.StringIO(client("list", "kernels", "--csv"))))
    need(any(r["name"] == "'=cmd" for r in table), "a formula has a quote before it")
    client("list", "kernels", "--csv", "--jsonl", codes=(2,))


def main():
    with scratch() as folder:
        client, other = Client(folder, "here"), Client(folder, "there")
        formula = os.path.join(folder, "=cmd.autotune.json")
        with open(formula, "w", encoding="utf-8") as f:
            f.write('{"key": [7], "configs_timings": [[{"kwargs": {"B": 1}}, [0.5]]]}')
        paths = [os.path.join(FIXTURES, n) for n in ("kernel-tuner", "ktt", "triton")] + [formula]
        need(client.take(*paths) > 0, "records")
        need(client.take(*paths) == 0, "nothing when imported again")
        check_lists(client)
        check_csv(client)
        check_metrics(client)
        check_t4(client, other, folder)
        check_flashinfer(client, other, folder)
        client.service.stop()
        other.service.stop()


main()
