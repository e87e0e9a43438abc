"""A folder that was copied and imported under two names counts once: on the board, in advice, in the
statistics, as a plan tried before. Its kernels are two. The folders are the fixtures of every format
whose kernels belong to a project.

Usage: import_copies.py WARPLORED WARPLORE SOURCE_DIR"""
import json
import os
import shutil
import subprocess
import sys

from daemon import Daemon, make_token, need, scratch

WARPLORED, WARPLORE, SOURCE = sys.argv[1:4]
FIXTURES = os.path.join(SOURCE, "tests", "fixtures", "import")
CASES = ["at/row_sum_ws", "co/run_20260611_140302", "fm/rowmax", "fm/paged_gather", "kf/kernels"]
COUNTED = ["experiments", "runs", "wins", "losses", "neutral", "inconclusive", "not_measured"]
ROW = ["operator", "language", "chip", "workload", "time_ns", "speedup", "tied", "versions", "runs",
       "experiments", "won", "neutral", "lost", "status"]


class Case:
    def __init__(self, folder):
        data = os.path.join(folder, "data")
        self.service = Daemon(WARPLORED, data)
        self.token = make_token(WARPLORED, data, "curator")
        self.env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{self.service.port}",
                        WARPLORE_TOKEN=self.token, XDG_CONFIG_HOME=folder)

    def get(self, path):
        status, body = self.service.request("GET", path, self.token)[:2]
        need(status == 200, f"{path}: {status} {body[:300]}")
        return json.loads(body)

    def import_folder(self, path):
        """Entries that the fixture has for being refused do not matter here."""
        r = subprocess.run([WARPLORE, "import", "--json", path], env=self.env, capture_output=True,
                           text=True)
        need(r.returncode in (0, 2), f"an import of {path}, not exit {r.returncode}: {r.stderr}")
        formats = json.loads(r.stdout)["formats"]
        said = [line for f in formats for line in f["names"]]
        need(any(f"project {os.path.basename(path)}, from the folder's name" in str(line)
                 for line in said), f"the report names the project: {said[:5]}")

    def shown(self):
        totals = self.get("/api/v1/stats")["totals"]
        board = self.get("/api/v1/leaderboard?limit=200")["rows"]
        operators = sorted({row["operator"] for row in board})
        advice = [[(a["technique"], a["tried"], a["won"], a["lost"]) for a in
                   self.get(f"/api/v1/recommend?operator={op}&quiet=true&explain=true")["advice"]]
                  for op in operators]
        tried = [len(self.get(f"/api/v1/check-idea?operator={op}&technique={a[0]}")["rows"])
                 for op, list_ in zip(operators, advice) for a in list_[:3]]
        return {"totals": [totals[name] for name in COUNTED], "advice": advice, "tried": tried,
                "board": [[row.get(name) for name in ROW] for row in board]}, totals


def check(case):
    with scratch() as folder:
        one, two = (os.path.join(folder, name) for name in ("attention", "norm"))
        for place in (one, two):  # some formats name the operator after the inner folder
            shutil.copytree(os.path.join(FIXTURES, case),
                            os.path.join(place, os.path.basename(case)))
        c = Case(folder)
        c.import_folder(one)
        first, totals = c.shown()
        need(totals["experiments"] > 0 and totals["copies"] == 0, f"{case}: {totals}")
        c.import_folder(two)
        second, after = c.shown()
        for part in first:
            need(first[part] == second[part], f"{case}: {part}: {first[part]} became {second[part]}")
        need(after["kernels"] == 2 * totals["kernels"], f"{case}: kernels of two projects: {after}")
        need(after["copies"] == totals["experiments"] + totals["runs"], f"{case}: copies: {after}")
        kernels = c.get("/api/v1/kernels?project=norm&limit=200")["rows"]
        need(len(kernels) == totals["kernels"], f"{case}: kernels of one project: {kernels}")
        c.service.stop()
        return totals["experiments"] + totals["runs"]


def main():
    print(sum(check(case) for case in CASES), "experiments and runs in two places count once")


main()
