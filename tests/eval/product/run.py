#!/usr/bin/env python3
"""The evaluation through the product: `./dev eval product`. Exits 1 when a goal is missed, 77 when no
named suite has its data.

    run.py WARPLORED WARPLORE [--data DIR] [--quick] [--details] [--out FILE] [suite…]"""
import argparse
import importlib
import json
import os
import sys
import time

from common import Run

# suite: module with evaluate(run), and the folders of the data that it needs
SUITES = {
    "agent_logs": ("agent_logs", ["agent-logs"]),
    "operators": ("operators", ["kernelflow"]),
    "tuning": ("tuning", ["tuning"]),
    "miopen": ("miopen", ["miopen"]),
}
HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("warplored")
    p.add_argument("warplore")
    p.add_argument("--data", default=os.environ.get("WARPLORE_DATA", os.path.join(HERE, "..", "..", "..", "..", "shared", "data")))
    p.add_argument("--quick", action="store_true", help="a look: part of the work, goals are not judged")
    p.add_argument("--details", action="store_true")
    p.add_argument("--out", help="write every figure there, as JSON")
    p.add_argument("suites", nargs="*", choices=[[], *SUITES])
    a = p.parse_intermixed_args()
    run = Run(os.path.abspath(a.warplored), os.path.abspath(a.warplore), os.path.abspath(a.data), a.quick, a.details)
    ran = False
    for name in a.suites or SUITES:
        module, needs = SUITES[name]
        missing = [f for f in needs if not os.path.isdir(os.path.join(run.data, f))]
        if missing:
            run.say(f"{name}: left out, no {missing[0]} in {run.data}")
            continue
        start, ran = time.monotonic(), True
        run.say(f"## {name}")
        importlib.import_module(module).evaluate(run)
        run.say(f"{name}: {time.monotonic() - start:.0f} s\n")
    if a.out:
        with open(a.out, "w", encoding="utf-8") as f:
            json.dump({"quick": run.quick, "figures": run.figures}, f, indent=1)
    if not ran:
        sys.exit(77)
    sys.exit(1 if run.missed() and not run.quick else 0)


main()
