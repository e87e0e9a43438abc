"""What a person does with a profiler's file: imports it, looks at the profile, asks what limits a
kernel of it, makes a run of a line, and asks again. A binary report of Nsight Compute goes through its
own command, of which a script stands in here; a database in an archive, and one longer than what is kept
in memory, are read like any other. Importing again stores nothing.

Usage: import_profilers.py WARPLORED WARPLORE SOURCE_DIR"""
import gzip
import json
import os
import shutil
import sqlite3
import subprocess
import sys

from daemon import Daemon, make_token, need, scratch

WARPLORED, WARPLORE, SOURCE = sys.argv[1:4]
FIXTURES = os.path.join(SOURCE, "tests", "fixtures", "import")


def run(env, *words, code=0):
    r = subprocess.run([WARPLORE, *words], env=env, capture_output=True, text=True)
    need(r.returncode == code, f"{' '.join(words)}: exit {code}, not {r.returncode}: {r.stderr}{r.stdout}")
    return r.stdout + r.stderr


def imported(env, *words):
    """The profile that an import stored, with its kernels."""
    before = {p["id"] for p in json.loads(run(env, "profiles", "--json"))["rows"]}
    run(env, "import", *words)
    after = {p["id"] for p in json.loads(run(env, "profiles", "--json"))["rows"]} - before
    need(len(after) == 1, f"{words}: one new profile, not {len(after)}")
    report = json.loads(run(env, "import", "--json", *words))
    need(all(k["stored"] == 0 for f in report["formats"] for k in f["records"].values()), f"{words}: nothing again")
    return after.pop()


def nvidia(env):
    profile = imported(env, os.path.join(FIXTURES, "ncu", "raw_2025.csv"))
    text = run(env, "profile", profile)
    need("scale_rows" in text and "on NVIDIA H100" in text, f"kernels and device in {text}")
    found = run(env, "diagnose", profile, "1")
    need("Memory-Bound" in found, f"what limits line 1, in {found}")
    profile_of_advice = imported(env, os.path.join(FIXTURES, "ncu", "details_2022.csv"))
    need("in --json: rules 2" in run(env, "profile", profile_of_advice), "the profiler's own advice is kept")
    need("the profile has 2" in run(env, "diagnose", profile, "3", code=1), "a line that is not there")
    run(env, "adopt", profile, "1", code=2)
    made = run(env, "adopt", profile, "1", "--operator", "scale", "--dims", "rows=4096", "--dtype", "f32", "--json")
    need(json.loads(made)["status"] == "stored", f"a run of line 1: {made}")
    runs = json.loads(run(env, "list", "runs", "--json"))["rows"]
    need(len(runs) == 1 and runs[0]["evidence"] == "imported", f"one run, imported: {runs}")
    need("Memory-Bound" in run(env, "diagnose", runs[0]["id"]), "what limits the run")
    need("no time" in run(env, "adopt", profile, "2", "--operator", "sum"), "a run without a time, said so")


def amd(env):
    profile = imported(env, os.path.join(FIXTURES, "rocprof-compute", "rocm5"))
    found = run(env, "diagnose", profile, "1")
    need("l2_hit_pct" not in found.split("Quantities")[0], f"a hit rate of 70 % is no finding: {found}")
    answer = json.loads(run(env, "diagnose", profile, "1.1", "--json"))
    hit = next(q for q in answer["quantities"] if q["name"] == "l2_hit_pct")
    need(abs(hit["value"] - 100 * 210.5 / (210.5 + 90.5)) < 1e-9, f"the hit rate of its channels: {hit}")
    calls = imported(env, os.path.join(FIXTURES, "rocprofv3", "2025", "312_hip_api_stats.csv"))
    need("it has no kernels\nalso kept, in --json: statistics 2" in run(env, "profile", calls), "calls without kernels")
    made = run(env, "adopt", profile, "1", "-o", "triad", "-d", "N=65536", "--dtype", "f64")
    need("median" in made, f"a run with a time: {made}")


def reports(env, folder):
    """A script stands in for ncu: it prints what the real one printed."""
    report = os.path.join(folder, "bench.ncu-rep")
    with open(report, "wb") as f:
        f.write(b"NVR\0\1")
    tool = os.path.join(folder, "ncu")
    with open(tool, "w", encoding="utf-8") as f:
        f.write(f'#!/bin/sh\n[ "$*" = "--import {report} --csv --page raw" ] || exit 1\n'
                f'sed s/bench/reported/ {FIXTURES}/ncu/raw_2025.csv\n')
    os.chmod(tool, 0o755)
    said = run(dict(env, PATH="/usr/bin:/bin", CUDA_HOME="/nowhere"), "import", report, code=2)
    need("ncu --import bench.ncu-rep --csv --page raw" in said, f"how to print it: {said}")
    imported(env, "--ncu", tool, report)
    need("did not succeed" in run(env, "import", "--ncu", "/bin/false", report, code=2), "a command that fails")
    left = [n for n in os.listdir(folder) if n.startswith("warplore-")]
    need(not left, f"nothing left in TMPDIR: {left}")


def databases(env, folder):
    """A copy with so many launches that it is not read into memory, as it is and packed."""
    big = os.path.join(folder, "big.sqlite")
    shutil.copy(os.path.join(FIXTURES, "nsys", "2025.sqlite"), big)
    db = sqlite3.connect(big)
    columns = [r[1] for r in db.execute("PRAGMA table_info(CUPTI_ACTIVITY_KIND_KERNEL)") if r[1] not in ("start", "end")]
    for _ in range(15):
        db.execute('INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, "end", {0}) SELECT start + (SELECT max("end")'
                   ' FROM CUPTI_ACTIVITY_KIND_KERNEL), "end" + (SELECT max("end") FROM CUPTI_ACTIVITY_KIND_KERNEL),'
                   ' {0} FROM CUPTI_ACTIVITY_KIND_KERNEL'.format(", ".join(columns)))
    db.commit()
    launches = db.execute("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL").fetchone()[0]
    db.close()
    need(os.path.getsize(big) > 9 << 20, "a file longer than what is kept in memory")
    profile = imported(env, big)
    shown = json.loads(run(env, "profile", profile, "--json"))
    need(shown["launches"] == launches, f"{launches} launches, not {shown['launches']}")
    need(len(shown["lines"]) == 2, "two kernels")
    with open(big, "rb") as f, gzip.open(big + ".gz", "wb", 1) as out:
        shutil.copyfileobj(f, out)
    report = json.loads(run(env, "import", "--json", big + ".gz"))
    need(all(k["duplicates"] == 1 for f in report["formats"] for k in f["records"].values() if sum(k.values())),
         f"the packed file has the same profile: {report['formats']}")


def main():
    with scratch() as folder:
        data = os.path.join(folder, "data")
        service = Daemon(WARPLORED, data)
        token = make_token(WARPLORED, data, "curator")
        env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{service.port}", WARPLORE_TOKEN=token,
                   XDG_CONFIG_HOME=folder, XDG_STATE_HOME=folder, TMPDIR=folder)
        nvidia(env)
        amd(env)
        reports(env, folder)
        databases(env, folder)
        service.stop()
    print("profilers' files: imported, shown, diagnosed, adopted")


main()
