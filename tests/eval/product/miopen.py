"""Which solver of a library for a convolution that was never measured, through the product? Find databases are
imported by the importer; the times of what was held out are read from a second service that imported only that.

  unseen shape         one problem in five (by the hash of its shape) is held out of each database
  unseen architecture  one database is held out; not judged

The service learns before it is asked, as it does by itself every few hours. The question is about the fastest matrix
multiplication, in the language `library`. The first of the advice that is a solver of the problem counts; what is on no
list has the base rate.
A database of a chip that the catalogue does not know is asked about without a chip."""
import bz2
import glob
import os
import zlib

from common import Service, brier, mean

GAIN, PROBLEMS, QUICK_PROBLEMS, MOST = 1.05, 250, 40, 10000  # asked; lines of a database that are imported


class Database:
    def __init__(self, path):
        with bz2.open(path, "rt") as f:
            lines = f.read().splitlines()
        self.name = os.path.basename(path)[:-len(".bz2")]
        every = len(lines) // MOST + 1
        self.lines = [line for line in lines if zlib.crc32(shape_of(line)) // 7 % every == 0]
        self.held = [line for line in self.lines if zlib.crc32(shape_of(line)) % 5 == 0]
        self.known = [line for line in self.lines if zlib.crc32(shape_of(line)) % 5]

    def put(self, service, lines):
        """Import LINES under the database's name, which says the chip."""
        path = os.path.join(service.folder.name, self.name)
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")
        service.import_files(path, "--licence", "MIT")


def shape_of(line):
    """The problem without its direction and data type: all of those are held out together."""
    return "-".join(line.split("=")[0].split("-")[:-2]).encode()


def truth(run, database, lines):
    """Per workload: its dims and the gain of each solver over the fastest matrix multiplication."""
    with Service(run, "--retrain_hours", "0") as service:
        database.put(service, lines)
        problems = {}
        for e in service.rows("experiments", limit=200):
            if e["outcome"].get("speedup"):
                solvers = problems.setdefault(e["workload"]["id"], (e["workload"], e.get("chip"), {}, e["from_version"]))[2]
                solvers[e["techniques"][0]["name"]] = e["outcome"]["speedup"]
        return list(problems.values())


def ask(service, problems):
    best, odds, won = [], [], []
    for workload, chip, gains, version in problems:
        dims = ",".join(f"{k}={v}" for k, v in workload["dims"].items())
        answer = service.get("recommend", version=version, language="library", chip=chip, dims=dims, dtype=workload.get("dtype"),
                             layout=workload.get("layout"), limit=50, explain="true", quiet="true")
        shown = {}
        for a in answer["advice"] + answer["avoid"] + answer["untried"]:
            if a["technique"] in gains and "p_win" in a:
                shown.setdefault(a["technique"], a["p_win"]["value"])
        for t, g in gains.items():
            odds.append(shown.get(t, answer["knowledge"]["base_rate"]))
            won.append(g > GAIN)
        if max(gains.values()) > GAIN:
            first = next(iter(shown), None)
            best.append(first is not None and gains[first] == max(gains.values()))
    return mean(best), brier(odds, won), len(problems)


def evaluate(run):
    data = [Database(p) for p in sorted(glob.glob(os.path.join(run.data, "miopen", "*.fdb.txt.bz2")))]
    most = QUICK_PROBLEMS if run.quick else PROBLEMS
    tests = {d.name: truth(run, d, d.held)[:most] for d in data}
    data = [d for d in data if tests[d.name]]
    for part in ("unseen shape", "unseen architecture"):
        found = []
        for d in data:
            with Service(run, "--retrain_hours", "0") as service:
                for other in data if part == "unseen architecture" else [d]:
                    if (other is d) == (part == "unseen shape"):
                        other.put(service, other.known)
                service.learn()
                found.append(ask(service, tests[d.name]))
                run.add("miopen", part, d.name.split(".")[0], "best@1", found[-1][0], n=found[-1][2])
                run.add("miopen", part, d.name.split(".")[0], "brier", found[-1][1], n=found[-1][2])
        judged = part == "unseen shape"
        run.add("miopen", part, "worst database", "best@1", min(f[0] for f in found), **({"at_least": .80} if judged else {}))
        run.add("miopen", part, "worst database", "brier", max(f[1] for f in found), **({"at_most": .09} if judged else {}))
