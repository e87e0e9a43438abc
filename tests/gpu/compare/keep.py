#!/usr/bin/env python3
"""Repeats of comparisons as a fixture: what tests/unit/stats/test_compare_h200.c decides once more.

    keep.py FIXTURE DRIVER CUDA MORE_PCT,GPUS,LANES,ANSWERS…

ANSWERS: what repeats.py --json wrote, MORE_PCT what its second program does more, GPUS and LANES
how it ran. Kept are the times of all processes in order and what was answered, one session a line."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import raw  # noqa: E402


def session(answer, more_pct, gpus, lanes):
    def short(v):
        return int(v) if v == int(v) else v

    def times(side):
        return [short(v) for v in answer[side]["times_ns"]]

    return {"more_pct": int(more_pct), "gpus": int(gpus), "lanes": int(lanes), "verdict": answer["verdict"],
            "rounds": answer["rounds"], "ended_by": answer["ended_by"], "low": answer["speedup"]["low"],
            "median": answer["speedup"]["median"], "high": answer["speedup"]["high"],
            "seconds": round(answer["seconds"], 1),
            "lost": answer["a"]["lost_records"] + answer["b"]["lost_records"],
            "a_ns": times("a"), "b_ns": times("b")}


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    fixture, driver, cuda, *parts = sys.argv[1:]
    sessions = []
    for part in parts:
        more_pct, gpus, lanes, file = part.split(",", 3)
        with open(file, encoding="utf-8") as f:
            answers = json.load(f)
        bad = [a["why"] for a in answers if a["verdict"] == "error"]
        if bad:
            sys.exit(f"{file}: {len(bad)} repeats failed: {bad[0]}")
        sessions += [session(a, more_pct, gpus, lanes) for a in sorted(answers, key=lambda a: a["repeat"])]
    what = "`warplore compare` of two programs, repeated by tests/gpu/compare/repeats.py: the times of every process in order, and what was answered"
    head = {"what": what, "device": raw.device().get("device", "NVIDIA H200"), "driver": driver, "cuda": cuda, "programs": "tests/gpu/compare/copies.cu"}
    lines = ",\n".join("  " + json.dumps(s, separators=(",", ":")) for s in sessions)
    with open(fixture, "w", encoding="utf-8") as f:
        f.write("{\n" + "".join(f" {json.dumps(k)}: {json.dumps(v)},\n" for k, v in head.items()) +
                f' "sessions": [\n{lines}\n ]\n}}\n')


main()
