#!/usr/bin/env python3
"""How often `warplore compare A B` gives which verdict on a real GPU: the promises of
docs/compare.md are 99 of 100 repeats without a difference between two copies of one kernel, and 95
of 100 that find 3 %.

    repeats.py WARPLORE N A B [--devices 1] [--lanes 1] [--seconds S] [--json FILE] [-- options of compare]

Repeats run side by side, LANES on each device (CUDA_VISIBLE_DEVICES). A and B are commands. After S
seconds no repeat is begun. FILE holds all answers so far after every repeat: ending it early loses none."""
import argparse
import collections
import concurrent.futures
import json
import os
import queue
import statistics
import subprocess
import sys
import tempfile
import threading
import time


def tell(o, answers):
    good = [a for a in answers if a["verdict"] != "error"]
    print(f"{o.a} against {o.b}:",
          dict(collections.Counter(a["verdict"] for a in answers)))
    for a in answers:
        if a["verdict"] == "error":
            print(a["why"])
            break
    if good:
        middle = statistics.median
        print(f"median over repeats: speedup {middle(a['speedup']['median'] for a in good):.4f}, "
              f"spread of a pair {middle(a['noise']['spread_pct'] for a in good):.2f} %, "
              f"detectable {middle(a.get('detectable_pct', 0) for a in good):.2f} %, "
              f"rounds {middle(a['rounds'] for a in good):.0f}, "
              f"{middle(a['seconds'] for a in good):.0f} s")


def main():
    argv, more = sys.argv[1:], []
    if "--" in argv:
        at = argv.index("--")
        argv, more = argv[:at], argv[at + 1:]
    p = argparse.ArgumentParser()
    p.add_argument("warplore")
    p.add_argument("n", type=int)
    p.add_argument("a")
    p.add_argument("b")
    p.add_argument("--devices", type=int, default=1)
    p.add_argument("--lanes", type=int, default=1, help="repeats side by side on one device: they disturb each other, which makes the test harder")
    p.add_argument("--seconds", type=float, default=1e9)
    p.add_argument("--json")
    o = p.parse_args(argv)
    answers, lock, begun = [], threading.Lock(), time.monotonic()
    devices = queue.Queue()
    for d in range(o.devices * o.lanes):
        devices.put(d % o.devices)

    def keep(answer):
        with lock:
            answers.append(answer)
            if o.json:
                with open(o.json + ".new", "w") as f:
                    json.dump(answers, f)
                os.replace(o.json + ".new", o.json)

    def one(i):
        d = devices.get()
        try:
            if time.monotonic() - begun > o.seconds:
                return
            env = dict(os.environ, CUDA_VISIBLE_DEVICES=str(d))
            with tempfile.TemporaryDirectory() as tmp:  # run folders of one repeat at a time
                done = subprocess.run([o.warplore, "compare", o.a, o.b, "--json", *more],
                                      env=dict(env, TMPDIR=tmp), capture_output=True, text=True)
            if done.returncode != 0:
                print(i, d, "error", done.returncode, file=sys.stderr, flush=True)
                keep({"repeat": i, "device_number": d, "verdict": "error", "why": done.stderr.strip()})
                return
            answer = dict(json.loads(done.stdout), repeat=i, device_number=d)
            print(i, d, answer["verdict"], answer["rounds"], f"{answer['speedup']['median']:.4f}",
                  f"{answer['seconds']:.0f} s", file=sys.stderr, flush=True)
            keep(answer)
        finally:
            devices.put(d)

    with concurrent.futures.ThreadPoolExecutor(o.devices * o.lanes) as pool:
        list(pool.map(one, range(o.n)))  # an exception in a repeat ends this
    tell(o, answers)


main()
