#!/usr/bin/env python3
"""What AMD's profilers recorded on real machines, through the double: our record must equal theirs.

    hip_recorded.py WARPLORED WARPLORE DOUBLE PROGRAM ROOT

Reads rocprof-compute's CSV, rocpd databases and rocprofv3's CSV from WARPLORE_DATA/rocprof (default:
ROOT/../shared/data); skipped (77) where they are not."""
import collections
import csv
import gzip
import json
import os
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile

import amd_machine
from daemon import Daemon, make_token, need, skip

WARPLORED, WARPLORE, DOUBLE, PROGRAM, ROOT = (os.path.abspath(a) for a in sys.argv[1:6])
DATA = os.path.join(os.environ.get("WARPLORE_DATA") or os.path.join(ROOT, "..", "shared", "data"), "rocprof")
VEC_COPY = "_Z7vecCopyPdS_S_ii"
MIB = 1 << 20


class Recording:
    """Of one kernel: registers, durations by launch, counters by launch."""

    def __init__(self, symbol, groups, threads, registers):
        self.symbol, self.groups, self.threads, self.registers = symbol, groups, threads, registers
        self.ns, self.counters = [], collections.defaultdict(list)

    def feed(self, path):
        with open(path, "w", encoding="utf-8") as f:
            f.write("kernel %s %d %d %d %d %d\n" % (self.symbol, *self.registers))
            f.writelines(f"launch {self.symbol} {ns}\n" for ns in self.ns)
            f.writelines(f"counter {c}\n" for c in self.counters)
            f.writelines(f"value {c} {self.symbol} {i} {v!r}\n" for c, values in self.counters.items()
                         for i, v in enumerate(values))


def of_compute_csv(names):
    """rocprof-compute's wide table; its times have six digits left, so the durations are not used."""
    rows = list(csv.DictReader(open(os.path.join(DATA, "vcopy_MI300X_A1", "pmc_perf.csv"), encoding="utf-8")))
    first = rows[0]
    r = Recording(VEC_COPY, int(first["Grid_Size"]) // int(first["Workgroup_Size"]), int(first["Workgroup_Size"]),
                  [int(first[k]) for k in ("Arch_VGPR", "Accum_VGPR", "SGPR", "LDS_Per_Workgroup",
                                           "Scratch_Per_Workitem")])
    for name in names:
        if name in first:
            r.counters[name] = [float(row[name]) for row in rows]
    return r


def of_rocpd(names):
    with tempfile.NamedTemporaryFile(suffix=".db") as f:
        with gzip.open(os.path.join(DATA, "rocpd", "vcopy_mi300x.db.gz")) as packed:
            shutil.copyfileobj(packed, f)
        f.flush()
        db = sqlite3.connect(f.name)
        db.row_factory = sqlite3.Row
        kernels = db.execute("SELECT * FROM kernels ORDER BY dispatch_id").fetchall()
        k = kernels[0]
        r = Recording(VEC_COPY, k["grid_x"] // k["workgroup_x"], k["workgroup_x"],
                      [k[c] for c in ("vgpr_count", "accum_vgpr_count", "sgpr_count", "lds_size", "scratch_size")])
        r.ns = [row["end"] - row["start"] for row in kernels]
        for row in db.execute("SELECT counter_name, value FROM counters_collection ORDER BY dispatch_id"):
            if row["counter_name"] in names:
                r.counters[row["counter_name"]].append(row["value"])
        db.close()
    return r


def of_rocprofv3(_):
    path = os.path.join(DATA, "rocprofv3", "counter_collection.csv")
    row = next(r for r in csv.DictReader(open(path, encoding="utf-8")) if r["Kernel_Name"].startswith("subtract"))
    r = Recording("_Z15subtract_kernelPfPKfS1_ii", int(row["Grid_Size"]) // int(row["Workgroup_Size"]),
                  int(row["Workgroup_Size"]), [int(row[k]) for k in ("VGPR_Count", "Accum_VGPR_Count", "SGPR_Count",
                                                                     "LDS_Block_Size", "Scratch_Size")])
    r.ns = [int(row["End_Timestamp"]) - int(row["Start_Timestamp"])]
    r.counters[row["Counter_Name"]] = [float(row["Counter_Value"])]
    return r


def sets():
    said = subprocess.run([WARPLORE, "run", "--list-metrics"], capture_output=True, text=True, check=True).stdout
    amd = said[said.index("\nAMD\n"):]
    return {w for w in amd.split() if "_" in w}


def record(folder, r, launches, metrics="full", **more):
    env = amd_machine.environment(folder, DOUBLE, **more)
    feed, out = os.path.join(folder, "feed"), os.path.join(folder, "doc.json")
    r.feed(feed)
    env.update(FAKE_FEED=feed, HIP_PROGRAM_KERNEL=f"{r.symbol} {r.groups} {r.threads}")
    subprocess.run([WARPLORE, "run", "--no-upload", "--out", out, "--operator", "copy", "--kernel-regex",
                    "^" + re.escape(r.symbol) + "$", "--metrics", metrics, "--metrics-launches", str(launches),
                    "--", PROGRAM, str(launches)], env=env, cwd=folder, check=True,
                   stdout=subprocess.DEVNULL, timeout=300)
    with open(out, encoding="utf-8") as f:
        doc = json.load(f)
    run = next(run for run in doc["runs"] if run["launch"]["symbol"] == r.symbol)
    run["document"] = json.dumps(doc)
    return run


ROCPROFV3 = """#!{python}
# stands for rocprofv3: writes its table for the one counter that is asked for, and runs the program
import os, subprocess, sys
name, folder = sys.argv[2], sys.argv[sys.argv.index("-d") + 1]
rows = {rows!r}
os.makedirs(os.path.join(folder, "host"), exist_ok=True)
with open(os.path.join(folder, "host", "77_counter_collection.csv"), "w") as f:
    f.write('"Dispatch_Id","Kernel_Name","Grid_Size","Workgroup_Size","Counter_Name","Counter_Value"\\n')
    f.writelines(f'{{i}},"{{k}}",{{g}},{{w}},"{{name}}",{{v}}\\n' for i, (k, g, w, v) in enumerate(rows.get(name, [])))
sys.exit(subprocess.call(sys.argv[sys.argv.index("--") + 1:]))
"""


def where_our_library_cannot_count(r):
    """rocprofv3 is asked, once per counter; what it counts of other kernels is not taken."""
    with tempfile.TemporaryDirectory() as folder:
        amd_machine.sysfs(os.path.join(folder, "sys"))
        items = r.groups * r.threads
        rows = {c: [("other, kernel", 64, 64, 7), *((r.symbol + ".kd", items, r.threads, v) for v in values)]
                for c, values in r.counters.items()}
        path = os.path.join(folder, "rocprofv3")
        with open(path, "w", encoding="utf-8") as f:
            f.write(ROCPROFV3.format(python=sys.executable, rows=rows))
        os.chmod(path, 0o755)
        run = record(folder, r, 3, metrics="SQ_WAVES,TCC_HIT_sum,TCC_MISS_sum,SQ_NONE", PATH=folder + ":/usr/bin:/bin",
                     FAKE_REFUSE="configure_callback_dispatch_counting_service")
    for c in ("SQ_WAVES", "TCC_HIT_sum", "TCC_MISS_sum"):
        need(abs(value(run["metrics"][c]) - statistics.median(r.counters[c])) < 1e-6, (c, run["metrics"][c], r.counters[c]))
    need(run["metrics"]["SQ_NONE"]["missing"], run["metrics"])
    need("rocprofv3" in json.dumps(run), run)


def value(metric):
    return metric["value"] if isinstance(metric, dict) else metric


def equals(name, r):
    """Every figure of recording R is in the record of a run of as many launches."""
    with tempfile.TemporaryDirectory() as folder:
        amd_machine.sysfs(os.path.join(folder, "sys"))
        launches = max(len(r.ns), *(len(v) for v in r.counters.values()))
        run = record(folder, r, launches)
    need(run["launch"]["grid"] == f"{r.groups}x1x1" and run["launch"]["block"] == f"{r.threads}x1x1", run["launch"])
    need(run["launch"]["registers_per_thread"] == r.registers[0] + r.registers[1], run["launch"])
    if r.ns:
        ours = [run["first_ns"], *run["samples_ns"]][-launches:]  # a single launch is both
        need(ours == r.ns, f"{name}: durations {ours}, recorded {r.ns}")
    got = {k: value(v) for k, v in run["metrics"].items() if not (isinstance(v, dict) and "missing" in v)}
    for counter, values in r.counters.items():
        middle = statistics.median(values)
        need(abs(got[counter] - middle) <= 1e-9 * abs(middle), f"{name}: {counter} {got[counter]}, recorded {values}")
    need(got["vgpr_count"] == r.registers[0] and got["sgpr_count"] == r.registers[2], got)
    for counter in sets() - set(r.counters):
        if counter not in ("vgpr_count", "accum_vgpr_count", "sgpr_count", "lds_size", "scratch_size"):
            need(counter not in got, f"{name}: {counter} was not recorded")
    return run, got


def quantities(run):
    """What the service makes of the counters and durations of a run: {canonical name: value}."""
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "data")
        token = make_token(WARPLORED, data, "contributor")
        service = Daemon(WARPLORED, data)
        document = run.pop("document")
        status, body, _ = service.request("POST", "/api/v1/submissions", token, document)
        need(status in (200, 201), body)
        status, body, _ = service.request("GET", f"/api/v1/runs/{run['id']}/diagnosis", token)
        need(status == 200, body)
        service.stop()
    return {q["name"]: q.get("value") for q in json.loads(body)["quantities"]}


def moves_eight_mib_each_way(got):
    bubble, small, reads = got["TCC_BUBBLE_sum"], got["TCC_EA0_RDREQ_32B_sum"], got["TCC_EA0_RDREQ_sum"]
    read = 128 * bubble + 64 * (reads - bubble - small) + 32 * small
    write = 64 * got["TCC_EA0_WRREQ_64B_sum"] + 32 * (got["TCC_EA0_WRREQ_sum"] - got["TCC_EA0_WRREQ_64B_sum"])
    need(round(write / MIB, 2) == 8.00 and 8.00 <= read / MIB < 8.03, f"{read / MIB} MiB in, {write / MIB} out")
    need(got["SQ_WAVES"] == 16384, got["SQ_WAVES"])
    hit = 100 * got["TCC_HIT_sum"] / (got["TCC_HIT_sum"] + got["TCC_MISS_sum"])
    need(33 < hit < 35, f"L2 hits: {hit} %")


def main():
    if not os.path.isdir(DATA):
        skip(f"no recordings in {DATA}")
    names = sets()
    for name, read in (("rocprof-compute", of_compute_csv), ("rocpd", of_rocpd)):
        r = read(names)
        need(len(r.counters) >= 40, f"{name}: {len(r.counters)} of the full set's counters were recorded")
        run, got = equals(name, r)
        moves_eight_mib_each_way(got)
    q = quantities(run)
    need(round(q["dram_read_bytes"] / MIB, 1) == 8.0 and round(q["dram_write_bytes"] / MIB, 2) == 8.00, q)
    need(q["waves"] == 16384 and 33 < q["l2_hit_pct"] < 35 and q["registers_per_thread"] == 8, q)
    ns = statistics.median(run["samples_ns"])
    need(q["duration_ns"] == ns and abs(q["dram_read_bytes_per_s"] / (q["dram_read_bytes"] / ns * 1e9) - 1) < 1e-9, q)
    print(f"recorded vecCopy on an MI300X: {q['dram_read_bytes'] / MIB:.2f} MiB read, {q['dram_write_bytes'] / MIB:.2f} "
          f"written, {q['waves']:.0f} waves, {q['dram_throughput_pct']:.1f} % of the memory's bandwidth")
    where_our_library_cannot_count(of_rocpd(names))
    need(equals("rocprofv3", of_rocprofv3(names))[1]["SQ_WAVES"] == 16384, "waves")
    print("ok")


if __name__ == "__main__":
    main()
