#!/usr/bin/env python3
"""The AMD part of accept.sh: everything that needs an AMD GPU, on a host with an unpacked `./dev pack`
archive, ROCm 6.2 or later and hipcc. Planned to take 25 minutes; nobody has run it yet.

    accept.py PACK OUT [stage…]

Each stage writes OUT/STAGE.log and says whether it is as it should be. At the end stands which file to
send to the project. PROGRAMS: a folder in which `vec_copy` lies already built. QUICK: small numbers, for
a trial of this script. Exit status: 77 without a GPU, 1 when a stage is not as it should be."""
import csv
import glob
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tarfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PACK, OUT = (os.path.abspath(a) for a in sys.argv[1:3])
WARPLORE = os.path.join(PACK, "bin", "warplore")
SYSFS = os.environ.get("WARPLORE_SYSFS", "/sys")
QUICK = bool(os.environ.get("QUICK"))
N = 1 << 20
MIB = 1 << 20
PMC = ["SQ_WAVES", "TCC_BUBBLE_sum", "TCC_EA0_RDREQ_sum", "TCC_EA0_RDREQ_32B_sum", "TCC_EA0_WRREQ_sum",
       "TCC_EA0_WRREQ_64B_sum", "TCC_HIT_sum", "TCC_MISS_sum"]
log = None


def say(*words):
    print(*words, file=log, flush=True)


def need(ok, what):
    say("ok " if ok else "NOT", what)
    if not ok:
        raise AssertionError(str(what))


def sh(*words, want=0, env=None):
    done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, **(env or {})}, timeout=1200)
    say("$", *words, "->", done.returncode, *(x for x in (done.stdout[-2000:], done.stderr[-2000:]) if x))
    if want is not None:
        need(done.returncode == want, f"{words[0]} ends with {want}")
    return done


def vec_copy():
    program = os.path.join(os.environ.get("PROGRAMS", OUT), "vec_copy")
    if not os.path.exists(program):
        sh("hipcc", "-O3", "-o", program, os.path.join(HERE, "vec_copy.hip"))
    return program


def run(name, *words, options=(), want=0):
    """The record of a run of vec_copy."""
    out = os.path.join(OUT, name + ".json")
    sh(WARPLORE, "run", "--no-upload", "--out", out, "--operator", "copy", "--kernel-regex", "vecCopy", *options,
       "--", vec_copy(), *map(str, words), want=want)
    with open(out, encoding="utf-8") as f:
        return json.load(f)


# ---- stages ----

def machine():
    for words in (["rocminfo"], ["rocm-smi", "-a"], ["amd-smi", "static"], ["hipcc", "--version"], ["uname", "-a"]):
        if shutil.which(words[0]):
            sh(*words, want=None)
    for pattern in ("class/kfd/kfd/topology/nodes/*/properties", "class/kfd/kfd/topology/nodes/*/gpu_id",
                    "class/drm/renderD*/device/current_*_partition", "class/drm/renderD*/device/hwmon/hwmon*/*_label"):
        for path in sorted(glob.glob(os.path.join(SYSFS, pattern))):
            with open(path, errors="replace", encoding="utf-8") as f:
                say(path, f.read())
    for path in sorted(glob.glob(os.path.join(SYSFS, "class/drm/renderD*/device/gpu_metrics"))):
        with open(path, "rb") as f:
            say(path, f.read(128).hex())
    said = sh(WARPLORE, "doctor", want=None).stdout
    need("libwarplore_hip.so" in said and "chip not known" not in said, "doctor names the chip and the library")


def durations():
    """Our durations are those of the events around the launches, less what lies between them."""
    launches, size = (50, N) if QUICK else (2000, 64 * N)
    bare = [float(x) for x in sh(vec_copy(), str(launches), str(size), "events").stdout.split()]
    doc = run("durations", launches, size, "events")
    r = doc["runs"][0]
    ours, events = statistics.median(r["samples_ns"]) / 1000, statistics.median(bare)
    say(f"median: {ours:.2f} us by warplore, {events:.2f} us by events; {16 * size} bytes: "
        f"{16 * size / ours / 1e6:.3f} TB/s; method {json.dumps(r['method'])}")
    need(r["method"]["launches"] == launches, "every launch is there")
    need(0.8 * events - 10 < ours < 1.05 * events or QUICK, "the durations agree")
    need(not any(r["method"][k] for k in ("dropped", "bad", "no_memory", "write_failed")), "nothing was lost")
    say(json.dumps(doc["environments"]), json.dumps(doc.get("specs")))


def facts():
    """What is known without counters: the occupancy is the runtime's, and a roctx range makes a run of its own."""
    said = sh(vec_copy(), "1", str(N), "occupancy").stdout
    groups, threads = next(map(int, line.split()[1:]) for line in said.splitlines() if line.startswith("occupancy "))
    metrics = run("facts", 20, N)["runs"][0]["metrics"]
    say(json.dumps(metrics))
    need(groups > 0 and threads > 0, f"the runtime says {groups} work-groups of 256, {threads} threads")
    need(metrics["occupancy_theoretical"] == 100 * groups * 256 / threads, f"{metrics['occupancy_theoretical']} % of the waves")
    out = os.path.join(OUT, "range.json")
    said = sh(WARPLORE, "run", "--no-upload", "--out", out, "--", vec_copy(), "20", str(N), "range").stdout
    if "no roctx" in said:
        return say("no librocprofiler-sdk-roctx: ranges were not tried")
    with open(out, encoding="utf-8") as f:
        workload = json.load(f)["runs"][0]["workload"]
    return need((workload["operator"], workload["dims"], workload["dtype"]) == ("copy", {"n": N}, "f64"), str(workload))


def ends():
    run("status", 10, N, 7, want=7)
    run("abort", 10, N, "abort", want=-signal.SIGABRT)
    sh(vec_copy(), "10", str(N), "7", want=7, env={"ROCP_TOOL_LIBRARIES": os.path.join(PACK, "lib/warplore/libwarplore_hip.so")})


def million():
    launches = 10000 if QUICK else 1000000
    m = run("million", launches, 1024)["runs"][0]["method"]
    need(m["launches"] == launches and m["ended"], f"{m['launches']} launches")
    need(not any(m[k] for k in ("dropped", "bad", "no_memory", "write_failed")), "nothing was lost")


def overhead():
    """What capture costs a program that only launches."""
    launches, ratios = (1000 if QUICK else 200000), []
    for _ in range(1 if QUICK else 9):
        start = time.monotonic()
        sh(vec_copy(), str(launches), "1024")
        bare = time.monotonic() - start
        wall = run("overhead", launches, 1024)["runs"][0]["method"]["app_wall_us"] / 1e6
        ratios.append(wall / bare)
    say("wall time with capture over without:", sorted(ratios), "median", statistics.median(ratios))


def counters():
    """vecCopy moves 8 MiB each way in 16,384 waves; and the same as rocprofv3 counts."""
    doc = run("counters", 20, N, options=("--metrics", "full", "--metrics-launches", "3"))
    metrics = {k: v["value"] if isinstance(v, dict) else v for k, v in doc["runs"][0]["metrics"].items()
               if not (isinstance(v, dict) and "missing" in v)}
    say(json.dumps(doc["runs"][0]["metrics"]))
    if not QUICK:
        reads, wide, small = (metrics[k] for k in ("TCC_EA0_RDREQ_sum", "TCC_BUBBLE_sum", "TCC_EA0_RDREQ_32B_sum"))
        read = 128 * wide + 64 * (reads - wide - small) + 32 * small
        write = 32 * (metrics["TCC_EA0_WRREQ_sum"] + metrics["TCC_EA0_WRREQ_64B_sum"])
        say(f"{read / MIB:.3f} MiB read, {write / MIB:.3f} MiB written, {metrics['SQ_WAVES']} waves")
        need(7.9 < read / MIB < 8.4 and 7.9 < write / MIB < 8.4 and metrics["SQ_WAVES"] == N // 64, "8 MiB each way")
    if not shutil.which("rocprofv3"):
        return say("no rocprofv3 to compare with")
    for name in PMC:
        folder = os.path.join(OUT, "rocprofv3", name)
        sh("rocprofv3", "--pmc", name, "--output-format", "csv", "-d", folder, "--", vec_copy(), "20", str(N), want=None)
        values = [float(row["Counter_Value"]) for path in glob.glob(folder + "/**/*counter_collection.csv", recursive=True)
                  for row in csv.DictReader(open(path, encoding="utf-8")) if "vecCopy" in row["Kernel_Name"]]
        say(name, "rocprofv3", values[:3], "warplore", metrics.get(name))
    return None


def compare():
    """A program against itself, and against one that has three percent more to do."""
    sides, size = {}, N if QUICK else 32 * N
    for side, n in (("a", size), ("same", size), ("more", int(size * 1.03))):
        sides[side] = os.path.join(OUT, side)
        with open(sides[side], "w", encoding="utf-8") as f:
            f.write(f"#!/bin/sh\nexec {vec_copy()} 200 {n}\n")
        os.chmod(sides[side], 0o755)
    for other, verdicts in (("same", ("neutral", "inconclusive")), ("more", ("loss",))):
        got = [json.loads(sh(WARPLORE, "compare", sides["a"], sides[other], "--json", "--kernel-regex", "vecCopy").stdout)
               for _ in range(1 if QUICK else 10)]
        say(other, [g["verdict"] for g in got], [g["speedup"] for g in got])
        good = sum(g["verdict"] in verdicts for g in got)
        need(QUICK or good >= 9, f"{good} of {len(got)} say {verdicts}")


STAGES = [machine, durations, facts, ends, million, overhead, counters, compare]


def main():
    global log
    if not glob.glob(os.path.join(SYSFS, "class/kfd/kfd/topology/nodes/*/properties")):
        sys.exit(77)
    os.makedirs(OUT, exist_ok=True)
    os.environ["WARPLORE_STATE"] = os.path.join(OUT, "state")
    bad = 0
    for stage in STAGES:
        if len(sys.argv) > 3 and stage.__name__ not in sys.argv[3:]:
            continue
        path, start, word = os.path.join(OUT, stage.__name__ + ".log"), time.monotonic(), "ok"
        with open(path, "w", encoding="utf-8") as log:
            try:
                stage()
            except Exception as e:  # the next stage may still tell something
                say("stopped:", repr(e))
                word, bad = "NOT", 1
        print(f"{word} {stage.__name__}, {time.monotonic() - start:.0f} s: {path}")
    sent = os.path.join(OUT, "send-back.tar.gz")
    with tarfile.open(sent, "w:gz") as tar:
        for path in sorted(glob.glob(os.path.join(OUT, "*.log")) + glob.glob(os.path.join(OUT, "*.json"))):
            tar.add(path, os.path.basename(path))
    print(f"\nPlease send {sent} to the project: logs and records, with host names and device ids hashed.\n"
          "Look into it first: it has what rocminfo and rocm-smi say of this machine.")
    sys.exit(bad)


if __name__ == "__main__":
    main()
