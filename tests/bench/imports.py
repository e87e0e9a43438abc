"""An import in figures: PATH goes into a new service by the client, then once more.

  * seconds by the clock, processor seconds and peak memory of client and service,
  * experiments per processor second of the service (aim: 5,000), size of the database,
  * the same for the second import, which must store nothing.

Several builds take turns, so that a load of the machine meets all of them; the last lines have the
medians and their ratio to those of the first build.

Usage: imports.py PATH BUILD [BUILD…] [--rounds N] [--once]
A BUILD is a folder with warplored and warplore. --once leaves out the second import. Nothing is
asserted but that the second import stores nothing: times depend on the machine."""
import argparse
import collections
import json
import os
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from daemon import Daemon, make_token, need, scratch  # noqa: E402


def of_service(pid):
    """Processor seconds and peak memory in MB."""
    with open(f"/proc/{pid}/stat") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    with open(f"/proc/{pid}/status") as f:
        peak = next(int(line.split()[1]) for line in f if line.startswith("VmHWM"))
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), peak / 1e3


def size(folder):
    return sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(folder) for name in names) / 1e6


def imported(program, path, env, service):
    before, began = of_service(service.child.pid)[0], time.monotonic()
    with subprocess.Popen([program, "import", "--json", path], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        text = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - began
    need(child.returncode in (0, 2), f"an import, not exit {child.returncode}")
    records = collections.Counter()
    for f in json.loads(text)["formats"]:
        for kind, states in f["records"].items():
            records[kind] += states["stored"]
    cpu, peak = of_service(service.child.pid)
    return {"s": seconds, "client s": usage.ru_utime + usage.ru_stime, "client MB": usage.ru_maxrss / 1e3,
            "service s": cpu - before, "service MB": peak}, records


def measure(build, path, once):
    with scratch() as folder:
        data = os.path.join(folder, "data")
        service = Daemon(os.path.join(build, "warplored"), data)
        env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{service.port}", XDG_CONFIG_HOME=folder, XDG_STATE_HOME=folder,
                   WARPLORE_TOKEN=make_token(os.path.join(build, "warplored"), data, "curator"))
        first, records = imported(os.path.join(build, "warplore"), path, env, service)
        again, more = ({}, {}) if once else imported(os.path.join(build, "warplore"), path, env, service)
        service.stop()
        need(not sum(more.values()), f"the second import to store nothing, not {dict(more)}")
        first["database MB"] = size(data)
        if records["experiments"]:
            first["experiments/s"] = records["experiments"] / first["service s"]
        return {**first, **{f"again: {k}": v for k, v in again.items()}}, records


def main():
    p = argparse.ArgumentParser()
    p.add_argument("path")
    p.add_argument("builds", nargs="+")
    p.add_argument("--rounds", type=int, default=1)
    p.add_argument("--once", action="store_true")
    a = p.parse_args()
    figures = collections.defaultdict(lambda: collections.defaultdict(list))
    for i in range(a.rounds):
        for build in a.builds[::-1] if i % 2 else a.builds:
            found, records = measure(build, a.path, a.once)
            for k, v in found.items():
                figures[build][k].append(v)
            print(build, ", ".join(f"{k} {v:,.4g}" for k, v in found.items()), flush=True)
    print("stored:", ", ".join(f"{n:,} {kind}" for kind, n in records.items() if n))
    for build, of in figures.items():
        middle = {k: statistics.median(v) for k, v in of.items()}
        first = {k: statistics.median(v) for k, v in figures[a.builds[0]].items()}
        print(f"{build}, median of {a.rounds}:", ", ".join(f"{k} {v:,.4g} ({v / first[k]:.3f})" for k, v in middle.items()))


main()
