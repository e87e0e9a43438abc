#!/usr/bin/env python3
"""An AMD GPU from end to end without one: a HIP program over the double, `warplore doctor`, `run` and
`compare`, delivery, and the board of the service.

    hip_run.py WARPLORED WARPLORE DOUBLE PROGRAM

PROGRAM: one that gcc built, or a .hip file that is built here by hipcc; skipped (77) without hipcc."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

import amd_machine
from daemon import Daemon, make_token, need, scratch, skip

WARPLORED, WARPLORE, DOUBLE, PROGRAM = (os.path.abspath(a) for a in (sys.argv + [""] * 4)[1:5])
KERNEL = {"symbol": "_Z7vecCopyPdS_S_ii", "grid": "4096x1x1", "block": "256x1x1", "registers_per_thread": 24,
          "static_shared_bytes": 64, "dynamic_shared_bytes": 32}


def build(source, folder):
    """The program that hipcc makes; gfx90a is the newest target that Debian's knows."""
    hipcc = shutil.which("hipcc") or skip("no hipcc")
    program = os.path.join(folder, "vec_copy")
    subprocess.run([hipcc, "--offload-arch=gfx90a", "-O2", "-o", program, source], check=True,
                   env={**os.environ, "HIP_PLATFORM": "amd"})
    os.environ["VEC_COPY_UNCHECKED"] = "1"
    return program


class Host:
    def __init__(self, folder, **files):
        self.folder = folder
        amd_machine.sysfs(os.path.join(folder, "sys"), **files)
        self.env = amd_machine.environment(folder, DOUBLE)
        self.n = 0

    def client(self, *words, want=0, warplore=WARPLORE, **env):
        done = subprocess.run([warplore, *words], env={**self.env, **env}, cwd=self.folder, capture_output=True,
                              text=True, timeout=120)
        need(done.returncode == want, f"{words} to exit {want}, not {done.returncode}: {done.stdout}{done.stderr}")
        return done

    def run(self, *options, program=("200",), **more):
        """(what was said, the document; None: nothing was recorded)"""
        self.n += 1
        out = os.path.join(self.folder, f"doc{self.n}.json")
        done = self.client("run", "--out", out, *options, "--", PROGRAM, *program, **more)
        if not os.path.exists(out):
            return done, None
        with open(out, encoding="utf-8") as f:
            return done, json.load(f)


def the_machine_is_named(h):
    said = h.client("doctor", want=3).stdout
    need("AMD Instinct MI300X (mi300x), driver 6.8.5, HIP 6.3" in said, said)
    need("libwarplore_hip.so" in said, said)
    need("attributes" in h.client("doctor", want=3, LD_LIBRARY_PATH="").stdout, "no runtime: sysfs alone")
    need("render and video" in h.client("doctor", want=3, FAKE_DEVICES="0").stdout, "a device that may not be used")
    said = h.client("doctor", want=3, FAKE_CRASH="1").stdout
    need("(mi300x)" in said and "ended with signal 6" in said, "a runtime that ends its process: " + said)


def a_run_is_recorded(h, sdk):
    done, doc = h.run("--operator", "copy", "--dims", "n=1048576", "--dtype", "f64", "--kernel-regex", "vecCopy",
                      FAKE_SDK=sdk)
    need(done.stdout == "the program's own words\n", done)
    run, environment = doc["runs"][0], doc["environments"][0]
    need(run["chip"] == "mi300x" and doc["kernels"][0]["language"] == "hip", run)
    need(run["method"]["timer"] == "hip activity" and run["method"]["backend_version"] == int(sdk), run["method"])
    need(len(run["samples_ns"]) == 199 and run["first_ns"] == 12345 and run["samples_ns"][:2] == [12355, 12365],
         run["samples_ns"][:3])
    need(environment["hard"] == {"compute_partition": "SPX", "memory_partition": "NPS1", "power_cap_w": 750},
         environment["hard"])
    launch = {k: run["launch"][k] for k in KERNEL}
    need(launch == KERNEL, launch)
    need(run["extra"]["copies"]["host_to_device"]["bytes"] == 8 << 20, run["extra"]["copies"])
    need(run["method"]["sm_clock_mhz_median"] == 2087 and run["method"]["power_w_max"] == 412 and
         run["method"]["temperature_c_max"] == 61, run["method"])
    need(run["metrics"]["occupancy_theoretical"] == 100 and run["metrics"]["vgpr_count"] == 24, run["metrics"])
    isa = run["extra"]["isa"]
    if shutil.which("llvm-objdump") and PROGRAM.endswith("vec_copy"):
        need(isa["tool"] == "llvm-objdump" and isa["instructions"] > 20 and isa["spill_instructions"] == 0 and
             isa["opcodes"]["global_load_dwordx2"] == 1 and isa["opcodes"]["global_store_dwordx2"] == 1, isa)
    else:
        need("unavailable" in isa, isa)
    specs = {s["metric"]: s["value"] for s in doc["specs"]}
    need(specs["compute_units"] == 304 and specs["peak_clock"] == 2100 and specs["warp_size"] == 64, specs)
    for volatile in ("id", "measured_at"):
        run.pop(volatile)
    for volatile in ("app_wall_us", "backend_version", "clock_samples"):
        run["method"].pop(volatile)
    return run


def a_partition_is_not_the_chip(folder):
    os.makedirs(os.path.join(folder, "cpx"))
    h = Host(os.path.join(folder, "cpx"), current_compute_partition="CPX\n", current_memory_partition="NPS4\n")
    _, doc = h.run("--no-upload")
    need(doc["environments"][0]["hard"]["compute_partition"] == "CPX", doc["environments"])
    need(not doc.get("specs"), "its numbers are not the chip's")


def the_users_tool_is_kept(h):
    """A list of tools: ours comes first."""
    ours = os.path.realpath(os.path.join(os.path.dirname(WARPLORE), "libwarplore_hip.so"))
    for before, after in (("/mine.so:/other.so", f"{ours}:/mine.so:/other.so"), ("", ours), (ours, ours)):
        said = h.client("run", "--no-upload", "--", "sh", "-c", "echo $ROCP_TOOL_LIBRARIES", ROCP_TOOL_LIBRARIES=before)
        need(said.stdout == after + "\n", (before, said.stdout))
    said = h.client("run", "--no-upload", "--", "./rocprofv3", ROCP_TOOL_LIBRARIES="/mine.so", want=127)
    need("is a profiler" in said.stderr, said.stderr)


def what_does_not_open_is_not_set(h):
    """The sdk ends the program when a tool library does not open: so it is tried first, and left out."""
    folder = os.path.join(h.folder, "broken")
    os.makedirs(folder)
    warplore = shutil.copy(WARPLORE, folder)
    with open(os.path.join(folder, "libwarplore_hip.so"), "wb") as f:
        f.write(b"no library")
    done, doc = h.run(warplore=warplore)
    need(done.stdout == "the program's own words\n" and doc is None, done)
    need("libwarplore_hip.so" in done.stderr and "unwatched" in done.stderr, done.stderr)
    said = h.client("doctor", want=3, warplore=warplore).stdout
    need("libwarplore_hip.so: file too short" in said, said)


def two_programs_are_compared(h):
    slow = os.path.join(h.folder, "slow")
    with open(slow, "w", encoding="utf-8") as f:
        f.write(f"#!/bin/sh\nFAKE_NS=13000 exec {PROGRAM} 40\n")
    os.chmod(slow, 0o755)
    fast = os.path.join(h.folder, "fast")
    with open(fast, "w", encoding="utf-8") as f:
        f.write(f"#!/bin/sh\nFAKE_NS=12345 exec {PROGRAM} 40\n")
    os.chmod(fast, 0o755)
    got = json.loads(h.client("compare", slow, fast, "--json", "--kernel-regex", "vecCopy").stdout)
    need(got["verdict"] == "win" and got["chip"] == "mi300x", {k: got.get(k) for k in ("verdict", "chip", "device")})


def ranges_replace_the_options(h):
    """A roctx range says what is computed, as one of NVTX does; PyTorch's is a proposal for `adopt`."""
    done, doc = h.run("--no-upload", "--verbose", HIP_PROGRAM_RANGES="forward|warplore:copy n=1048576,dtype=f64")
    workload = doc["runs"][0]["workload"]
    need((workload["operator"], workload["dims"], workload["dtype"]) == ("copy", {"n": 1048576}, "f64"), workload)
    need(len(doc["runs"]) == 1 and doc["runs"][0]["method"]["launches"] == 200 and not doc.get("profiles"), doc["runs"])
    text = "aten::mm, seq = 3, op_id = 7, sizes = [[64, 32], [32, 16]]"
    _, doc = h.run("--no-upload", HIP_PROGRAM_RANGES=text)
    shapes = [s for line in doc["profiles"][0]["lines"] for s in line["shapes"]]
    need([s.get("range") for s in shapes] == ["aten::mm, sizes = [[64, 32], [32, 16]]", None], shapes)


def it_is_on_the_board(folder, h):
    data = os.path.join(folder, "data")
    token = make_token(WARPLORED, data, "contributor")
    service = Daemon(WARPLORED, data)
    counters = {"SQ_WAVES": 16384, "TCC_BUBBLE_sum": 65536, "TCC_EA0_RDREQ_sum": 65786, "TCC_EA0_RDREQ_32B_sum": 0}
    feed = os.path.join(folder, "feed")
    with open(feed, "w", encoding="utf-8") as f:
        f.writelines(f"counter {c}\nvalue {c} {KERNEL['symbol']} 0 {v}\n" for c, v in counters.items())
    h.client("run", "--operator", "copy", "--dims", "n=1048576", "--dtype", "f64", "--kernel-regex", "vecCopy",
             "--check", "true", "--metrics", ",".join(counters), "--metrics-launches", "1", "--", PROGRAM, "200", FAKE_FEED=feed,
             WARPLORE_URL=f"http://127.0.0.1:{service.port}", WARPLORE_TOKEN=token)
    status, body, _ = service.request("GET", "/api/v1/leaderboard?chip=mi300x", token)
    rows = json.loads(body)["rows"]
    need(status == 200 and len(rows) == 1, body)
    text = json.dumps(rows[0])
    need('"hip"' in text and '"mi300x"' in text, text)
    run = json.loads(service.request("GET", "/api/v1/runs", token)[1])["rows"][0]["id"]
    body = service.request("GET", f"/api/v1/runs/{run}/diagnosis", token)[1]
    found = {q["name"]: q.get("value") for q in json.loads(body)["quantities"]}
    need(found["waves"] == 16384 and found["dram_read_bytes"] == 128 * 65536 + 64 * 250, found)
    need(found["duration_ns"] == 12375, "the median of the run without counters: " + str(found))
    need(abs(found["dram_read_bytes_per_s"] - found["dram_read_bytes"] / 12375e-9) < 1e3, found)
    service.stop()


def main():
    global PROGRAM
    with scratch() as folder, tempfile.TemporaryDirectory() as built:
        if PROGRAM.endswith(".hip"):
            PROGRAM = build(PROGRAM, built)
            KERNEL.update(symbol="_Z7vecCopyPKdPdi", dynamic_shared_bytes=0)
        h = Host(folder)
        the_machine_is_named(h)
        records = [a_run_is_recorded(h, sdk) for sdk in ("500", "10000")]
        need(records[0] == records[1], "both layouts give the same record")
        a_partition_is_not_the_chip(folder)
        the_users_tool_is_kept(h)
        what_does_not_open_is_not_set(h)
        two_programs_are_compared(h)
        if not PROGRAM.endswith("vec_copy"):
            ranges_replace_the_options(h)
        it_is_on_the_board(folder, h)
    print("ok")


if __name__ == "__main__":
    main()
