#!/usr/bin/env python3
"""The leaderboard against an oracle that shares no code with it: the best time of every cell,
recomputed from the facts with a read-only SQLite connection and Python's own median.

    board_oracle.py WARPLORED BENCH_LOAD

Starts a service on an empty directory, fills it with runs by the load generator, and compares every
row of /api/v1/leaderboard."""

import json
import os
import sqlite3
import statistics
import struct
import subprocess
import sys
import tempfile
import urllib.request


def recompute(path):
    """(operator, language, chip, workload) -> smallest median of a correct run, in ns."""
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    rows = db.execute(
        "SELECT k.operator, k.language, r.chip, r.workload, r.samples_ns FROM fact_run r"
        " JOIN fact_version v ON v.id = r.version JOIN fact_kernel k ON k.id = v.kernel"
        " WHERE r.correctness = 'pass' AND r.n_samples > 0")
    best = {}
    for *cell, samples in rows:
        time = statistics.median(struct.unpack(f"<{len(samples) // 8}q", samples))
        cell = tuple(cell)
        best[cell] = min(time, best.get(cell, time))
    return best


def get(url, token):
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=30) as reply:
        return json.load(reply)


def board(url, token):
    best, cursor = {}, ""
    while cursor is not None:
        page = get(f"{url}/api/v1/leaderboard?limit=50{cursor and '&cursor=' + cursor}", token)
        for row in page["rows"]:
            cell = (row["operator"], row["language"], row["chip"], row["workload"]["id"])
            assert cell not in best, f"{cell} stands twice"
            best[cell] = row["time_ns"]
        cursor = page["next"]
    return best, page["total"]


def main():
    warplored, load = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as data:
        token = subprocess.run([warplored, "token", "--data", data, "--role", "contributor"],
                               check=True, capture_output=True, text=True).stdout.strip()
        service = subprocess.Popen([warplored, "--data", data, "--listen", "127.0.0.1:0"],
                                   stderr=subprocess.PIPE, text=True)
        try:
            ready = next(line for line in service.stderr if "event=ready" in line)
            url = ready.split("url=")[1].split()[0]
            subprocess.run([load, url.rsplit(":", 1)[1], token, "post", "4", "60", "16"], check=True)
            said, total = board(url, token)
        finally:
            service.terminate()
            service.stderr.read()
            service.wait()
        facts = recompute(os.path.join(data, "warplore.db"))
    assert len(facts) > 100, f"only {len(facts)} cells: the fixture compares nothing"
    assert total == len(facts), f"{total} rows for {len(facts)} cells"
    wrong = [(cell, said.get(cell), time) for cell, time in facts.items() if said.get(cell) != time]
    assert not wrong, f"{len(wrong)} of {len(facts)} cells differ, the first: {wrong[0]}"
    print(f"{len(facts)} cells agree")


main()
