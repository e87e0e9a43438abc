"""Every number of reports in Markdown and of hypothesis.txt stands in a record after an import: two
cases of version directories go into a new service by the client; what comes back from `warplored
dump` is searched for each number of each line. Exempt are rule lines, headings, the machine's name
(stored as a hash) and the ISA (implied by the chip). Importing again stores nothing.

Usage: import_reports.py WARPLORED WARPLORE SOURCE_DIR"""
import json
import os
import re
import subprocess
import sys

from daemon import Daemon, make_token, need, scratch

WARPLORED, WARPLORE, SOURCE = sys.argv[1:4]
CASES = os.path.join(SOURCE, "tests", "fixtures", "import", "fm")
NUMBER = re.compile(r"\d[\d,]*\.?\d*(?:[eE][-+]?\d+)?")
EXEMPT = re.compile(r"^\|[-:| ]+\|$|^#|^\| \| 0 \||^\| \*\*(Host|Arch)\*\*")


def numbers(text):
    for found in NUMBER.findall(text):
        for part in [found.replace(",", "")] + found.split(","):
            try:
                yield "%.9g" % float(part)
            except ValueError:
                pass


def collect(node, out):
    if isinstance(node, dict):
        for key, value in node.items():
            collect(key, out)
            collect(value, out)
    elif isinstance(node, list):
        for value in node:
            collect(value, out)
    elif isinstance(node, str):
        out.update(numbers(node))
    elif isinstance(node, (int, float)) and not isinstance(node, bool):
        out.update(["%.9g" % abs(node), "%.9g" % (abs(node) / 1e6)])  # times are in nanoseconds


def stored_numbers(data):
    out = set()
    dump = subprocess.run([WARPLORED, "dump", "--data", data], check=True, capture_output=True,
                          text=True).stdout
    for line in dump.splitlines():
        fact = json.loads(line)
        if fact["kind"] != "artifact":
            collect(fact["record"], out)
    return out


def check_case(case, stored):
    checked, lost = 0, []
    for folder, _, names in os.walk(case):
        for name in sorted(names):
            if not name.endswith((".md", ".txt")):
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as f:
                lines = f.read().splitlines()
            for at, line in enumerate(lines, 1):
                if EXEMPT.match(line):
                    continue
                for found in NUMBER.findall(line):
                    checked += 1
                    parts = list(numbers(found))
                    if parts[0] not in stored and any(p not in stored for p in parts[1:]):
                        lost.append((folder, name, at, found))
    need(checked > 300, f"numbers in {case}: {checked}")
    need(not lost, f"every number in a record: {len(lost)} are not: {lost[:5]}")
    return checked


def run_import(env, case):
    r = subprocess.run([WARPLORE, "import", "--json", case], env=env, capture_output=True, text=True)
    need(r.returncode == 0, f"an import, not exit {r.returncode}: {r.stderr}")
    formats = json.loads(r.stdout)["formats"]
    need([f["format"] for f in formats] == ["version-directories"], "one format")
    return sum(k["stored"] for f in formats for k in f["records"].values())


def main():
    total = 0
    for case in sorted(os.listdir(CASES)):
        with scratch() as folder:
            data = os.path.join(folder, "data")
            service = Daemon(WARPLORED, data)
            env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{service.port}",
                       WARPLORE_TOKEN=make_token(WARPLORED, data, "contributor"),
                       XDG_CONFIG_HOME=folder)
            need(run_import(env, os.path.join(CASES, case)) > 20, "records of " + case)
            need(run_import(env, os.path.join(CASES, case)) == 0, "nothing new the second time")
            service.stop()
            total += check_case(os.path.join(CASES, case), stored_numbers(data))
    print(f"{total} numbers, all in records")


main()
