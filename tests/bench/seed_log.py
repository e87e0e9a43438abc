"""The peer of the read benchmarks: an experience log kept as one JSON array in a file, the way a
script that is started once per call works. Every add reads, appends and rewrites the whole file;
every recommend reads the whole file and scores every entry. Written from the description of that
behaviour; it prints milliseconds per call as its users see them (one process per call).

Usage: seed_log.py [at ENTRIES...]"""

import json
import math
import os
import subprocess
import sys
import tempfile
import time


def entry(i):
    chips = ["mi300x", "h100-sxm", "h200", "a100", "sm_86"]
    return {
        "id": i, "date": "2026-05-10", "iteration": "v1", "kernel": ["gemm", "softmax", "mha"][i % 3],
        "backend": ["cuda", "triton"][i % 2], "chip": chips[i % 5], "dims": "M=1024,K=1024,N=1024",
        "bottleneck_before": ["memory_bound", "compute_bound", "latency_bound"][i % 3],
        "dominant_stall": "",
        "metrics_before": {"memory_sol_pct": 40.0, "sm_sol_pct": 50.0, "latency_ms": 0.9445,
                           "achieved_occupancy": 95.0},
        "metrics_after": {"memory_sol_pct": 60.0, "sm_sol_pct": 50.0, "latency_ms": 0.7025,
                          "achieved_occupancy": 95.0},
        "optimization": f"technique-{i % 10}{{p={i % 7}}}",
        "hypothesis": "The change reduces the latency of global memory by reuse in shared memory.",
        "outcome": "success" if i % 3 else "failure", "speedup": 1.34,
        "notes": "Load efficiency rose from 56 to 100 percent; the barrier is the next bottleneck. " * 4,
    }


def score(e, q):
    s = 40 * (e["kernel"] == q["kernel"]) + 50 * ((e["backend"] or "cuda") == q["backend"])
    s += 20 * (e["chip"] == q["chip"]) + 30 * (e["bottleneck_before"] == q["bottleneck"])
    if e["outcome"] == "success" and e["speedup"]:
        s += min(10, int(math.log(e["speedup"] + 1) * 5))
    return s + min(5, e["id"] // 10)


def call(path, what):
    with open(path, encoding="utf-8") as f:
        log = json.load(f)
    if what == "add":
        log.append(entry(max(e["id"] for e in log) + 1))
        with open(path, "w", encoding="utf-8") as f:
            json.dump(log, f, indent=2)
    else:
        q = {"kernel": "softmax", "backend": "cuda", "chip": "sm_86", "bottleneck": "memory_bound"}
        ranked = sorted((e for e in log if score(e, q) > 0), key=lambda e: -score(e, q))
        votes = {}
        for e in ranked:
            if e["outcome"] == "success":
                name = e["optimization"].split("{")[0]
                votes[name] = votes.get(name, 0) + 1
        print(max(votes, key=votes.get), [e["id"] for e in ranked[:5]])


def main():
    if len(sys.argv) == 3 and sys.argv[1] != "at":
        return call(sys.argv[2], sys.argv[1])
    for n in [int(n) for n in sys.argv[2:]] or (1000, 10000, 100000):
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "experiences.json")
            with open(path, "w", encoding="utf-8") as f:
                json.dump([entry(i) for i in range(n)], f, indent=2)
            row = [f"seed_log entries={n}"]
            for what in ("recommend", "add"):
                took = []
                for _ in range(3):
                    start = time.monotonic()
                    subprocess.run([sys.executable, __file__, what, path], check=True,
                                   stdout=subprocess.DEVNULL)
                    took.append((time.monotonic() - start) * 1e3)
                row.append(f"{what}_ms={sorted(took)[1]:.1f}")
            print(" ".join(row), flush=True)


main()
