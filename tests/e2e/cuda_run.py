#!/usr/bin/env python3
"""Programs that compile their kernels while they run, as Triton, NVRTC and PyTorch do, over a double
of CUPTI and the driver: the machine code of their modules, ranges of NVTX, CUDA graphs.

    cuda_run.py WARPLORED WARPLORE DOUBLE PROGRAM LIBRARY SOURCE_DIR"""
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile

import sass_tools
from daemon import Daemon, make_token, need, scratch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gpu", "capture"))
import read_capture  # noqa: E402

WARPLORED, WARPLORE, DOUBLE, PROGRAM, LIBRARY, SOURCE = (os.path.abspath(a) for a in sys.argv[1:7])
SMALL = "small.module"  # names that end in .cubin would count as the program


class Host:
    def __init__(self, folder):
        self.folder = folder
        libraries = os.path.join(folder, "cuda")
        os.makedirs(libraries)
        for name in ("libcuda.so.1", "libcupti.so.13", "libcheckpoint.so"):
            os.symlink(DOUBLE, os.path.join(libraries, name))
        shutil.copy(os.path.join(SOURCE, "tests", "fixtures", "isa", "float4_copy.sm_90a.cubin"),
                    os.path.join(folder, SMALL))
        data = os.path.join(folder, "data")
        os.mkdir(data)
        self.service = Daemon(WARPLORED, data)
        self.env = {k: v for k, v in os.environ.items()
                    if not k.startswith(("WARPLORE_", "FAKE_", "CUDA_INJECTION", "NVTX_"))}
        self.env.update(HOME=folder, WARPLORE_STATE=os.path.join(folder, "state"), LC_ALL="C.UTF-8",
                        LD_LIBRARY_PATH=libraries, WARPLORE_CUPTI=os.path.join(libraries, "libcupti.so.13"),
                        WARPLORE_URL=f"http://127.0.0.1:{self.service.port}", CUDA_HOME="",
                        WARPLORE_TOKEN=make_token(WARPLORED, data, "contributor"),
                        PATH=sass_tools.put(os.path.join(folder, "bin")) + ":/usr/bin:/bin")
        self.n = 0

    def call(self, *words, want=0, **env):
        done = subprocess.run([WARPLORE, *words], env={**self.env, **env}, cwd=self.folder, text=True,
                              capture_output=True, timeout=120)
        need(done.returncode == want, f"{words}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def run(self, options, *program, **env):
        """(what was said, the record)"""
        self.n += 1
        out = os.path.join(self.folder, f"doc{self.n}.json")
        said = self.call("run", "--out", out, *options, "--", PROGRAM, *program, **env)
        need("the program's own words" in said, said)
        with open(out, encoding="utf-8") as f:
            return said, json.load(f)

    def get(self, path):
        status, body, _ = self.service.request("GET", "/api/v1/" + path, self.env["WARPLORE_TOKEN"])
        need(status == 200, f"{path}: {status} {body}")
        return json.loads(body)


GEMM = ["--operator", "gemm", "--dims", "M=64,N=64,K=64", "--dtype", "bf16", "--language", "triton"]
COPY = ["--operator", "copy", "--dims", "n=4096", "--language", "triton"]


def verdicts(doc):
    return {v["technique"]: v["status"] for v in doc.get("verifications", [])}


def a_version_is_verified(h, cubin):
    """The timed execution keeps modules with --isa, the counting one always does, each module once."""
    claims = ["--technique", "memory.vectorized_access", "--technique", "memory.tma_multicast"]
    program = ("load", SMALL, "load", SMALL, "launch", "float4_copy", "40", "16")
    for options in (["--isa"], ["--metrics", "launch__registers_per_thread"]):
        _, doc = h.run(COPY + options + claims, *program)
        isa = doc["runs"][0]["extra"]["isa"]
        need(isa["tool"] == "nvdisasm" and isa["isa"] == "sm_90a" and isa["opcodes"]["LDG"] == 1, isa)
        need(verdicts(doc) == {"memory.vectorized_access": "verified", "memory.tma_multicast": "missing"},
             doc["verifications"])
    _, doc = h.run(COPY + claims, *program)
    need("--isa" in doc["runs"][0]["extra"]["isa"]["unavailable"], doc["runs"][0]["extra"])
    _, doc = h.run(COPY + claims + ["--isa", "--no-isa"], *program)
    need("isa" not in doc["runs"][0]["extra"], doc["runs"][0]["extra"])
    if not cubin:
        return
    _, doc = h.run(COPY + ["--isa"] + claims, "load", SMALL, "load", cubin, "launch", "tma_load", "40", "16")
    need(verdicts(doc)["memory.tma_multicast"] == "verified", doc["verifications"])
    need(doc["runs"][0]["extra"]["isa"]["opcodes"]["UTMALDG"] >= 2, doc["runs"][0]["extra"]["isa"])
    _, doc = h.run(GEMM + ["--isa", "--technique", "compute.wgmma"], "load", cubin, "launch", "wgmma_pingpong",
                   "40", "40")
    need(doc["runs"][0]["extra"]["isa"]["opcodes"]["HGMMA"] >= 1, doc["runs"][0]["extra"]["isa"])


def why_there_is_none(h):
    program = ("load", SMALL, "launch", "float4_copy", "40", "16")
    _, doc = h.run(COPY + ["--isa", "--technique", "memory.vectorized_access"], *program, PATH="/usr/bin:/bin")
    why = doc["runs"][0]["extra"]["isa"]["unavailable"]
    need("nvdisasm was not found" in why and "1 modules" in why, why)
    need(verdicts(doc) == {"memory.vectorized_access": "unavailable"}, doc["verifications"])
    need("nvdisasm was not found" in doc["verifications"][0]["note"], doc["verifications"])
    _, doc = h.run(COPY + ["--isa"], "load", SMALL, "launch", "another", "40", "16")
    need("none of the loaded modules" in doc["runs"][0]["extra"]["isa"]["unavailable"], doc["runs"][0]["extra"])


def a_line_of_a_profile_is_adopted(h, cubin):
    """The profile keeps what the code of its kernels shows; whoever adopts a line has it verified."""
    program = ["load", SMALL, "launch", "float4_copy", "200", "16", "launch", "other", "20", "16"]
    if cubin:
        program += ["load", cubin, "launch", "tma_load", "100", "16"]
    _, doc = h.run(["--isa"], *program)
    lines = {line["kernel"]: line["shapes"][0] for line in doc["profiles"][0]["lines"]}
    need(lines["float4_copy"]["isa"]["tool"] == "nvdisasm", lines)
    need(lines["float4_copy"]["forms"]["LDG.E.128.CONSTANT"] == 1, lines["float4_copy"]["forms"])
    need("none of the loaded modules" in lines["other"]["isa"]["unavailable"], lines["other"])
    record = os.path.join(h.folder, f"doc{h.n}.json")
    h.call("submit", record)
    profile = doc["profiles"][0]["id"]
    said = " ".join(h.call("profile", profile, "--line", "1").split())
    need("machine code of 1.1:" in said and "memory.vectorized_access" in said, said)
    done = h.call("adopt", profile, "1", *COPY, "--technique", "memory.vectorized_access")
    need("float4_copy" in done, done)
    board = h.get("leaderboard")["rows"]
    need(len(board) == 1 and board[0]["operator"] == "copy" and board[0]["language"] == "triton", board)
    need("float4_copy" in h.call("leaderboard"), "the board names the kernel")
    run = h.get("runs")["rows"][0]
    shown = h.call("show", run["version"])
    need("memory.vectorized_access" in shown and "verified" in shown, shown)
    need("LDG" in json.dumps(h.get("runs/" + run["id"])), "the run has its opcodes")
    print(shown)


# ---- ranges ----

# as getNvtxStr of PyTorch 2.x writes it: inputs that are no tensors have no sizes, ids are (operator, output)
MM = "aten::mm, seq = %d, op_id = %d, sizes = [[128, 256], [256, 512]], input_op_ids = [(1,0), (0,-1)]"


def ranges_replace_the_options(h):
    """A run for each workload that ranges name, with the launches and counters in them alone."""
    gemm = "warplore:gemm M=%d,N=4096,K=4096,dtype=bf16"
    program = []
    for i in range(3):
        program += ["push", gemm % 64, "launch", "matmul", "20", "40", "pop", "launch", "fill", "20", "16",
                    "push", "step", "push", gemm % 128, "launch", "matmul", "30", "40", "pop", "pop"]
    program += ["domain", "warplore:softmax rows=8,cols=4", "launch", "rows", "40", "16", "undomain"]
    said, doc = h.run(["--verbose", "--metrics", "launch__registers_per_thread"], *program)
    need(not doc.get("profiles"), "the author said what is computed")
    runs = {json.dumps(r["workload"]["dims"]): r for r in doc["runs"]}
    need(len(doc["runs"]) == 3 and len(runs) == 3, [r["workload"] for r in doc["runs"]])
    for m, launches in ((64, 60), (128, 90)):
        r = runs[json.dumps({"M": m, "N": 4096, "K": 4096})]
        need(r["workload"]["operator"] == "gemm" and r["workload"]["dtype"] == "bf16", r["workload"])
        need(r["launch"]["kernel"] == "matmul" and r["method"]["launches"] == launches, r["method"])
        need(r["metrics"]["launch__registers_per_thread"]["value"] == 19, r["metrics"])
    need(runs[json.dumps({"rows": 8, "cols": 4})]["launch"]["kernel"] == "rows", "a range of a domain")
    need(said.count("gemm: M=") == 2 and "softmax: rows=8 cols=4" in said, said)
    _, doc = h.run(["--operator", "gemm"], *program)
    need(len(doc["runs"]) == 2, "the ranges of the operator that was named")
    _, doc = h.run(GEMM, *program)
    need(len(doc["runs"]) == 1 and doc["runs"][0]["workload"]["dims"] == {"M": 64, "N": 64, "K": 64},
         "the command line wins")
    said, doc = h.run([], "push", "warplore:gemm M=", "launch", "matmul", "20", "40", "pop")
    need(doc["profiles"] and "range" in said, "a range that cannot be read is named: " + said)
    said, doc = h.run([], *program, NVTX_INJECTION64_PATH="/nonexistent/tool.so")
    need(doc["profiles"] and "that tool gets the ranges" in said, said)


def ranges_of_a_library_in_spawned_processes_count(h):
    """The library comes after the first launches, with a copy of NVTX of its own."""
    out = os.path.join(h.folder, "spawned.json")
    said = h.call("run", "--out", out, "--", sys.executable, "-B", os.path.join(SOURCE, "tests", "e2e", "spawned.py"), LIBRARY,
                  MM % (1, 2))
    need("words [0, 0]" in said, said)
    with open(out, encoding="utf-8") as f:
        profile = json.load(f)["profiles"][0]
    found = {s.get("range"): s["launches"] for s in profile["lines"][0]["shapes"]}
    need(found == {"aten::mm, sizes = [[128, 256], [256, 512]]": 25, None: 10}, found)
    need(profile["method"]["ranges_telling"] == 9 and profile["method"]["processes"] == 2, profile["method"])


def ranges_that_come_to_nothing_are_said(h):
    """How many there were, that no launch was in one, or which library got them."""
    def method(doc):
        return {k: v for k, v in doc["profiles"][0]["method"].items() if k.startswith(("ranges_", "problem"))}

    said, doc = h.run(["--verbose"], "launch", "early", "3", "16", "push", MM % (1, 2), "pop", "push", "step", "pop")
    need(method(doc) == {"ranges_opened": 2, "ranges_telling": 1,
                         "problem_1": "1 ranges say what is computed, and no launch was in one"}, doc["profiles"][0]["method"])
    need("no launch was in one" in said, said)
    _, doc = h.run([], "launch", "early", "3", "16", "push", MM % (1, 2), "launch", "late", "3", "16", "pop")
    need(method(doc) == {"ranges_opened": 1, "ranges_telling": 1}, doc["profiles"][0]["method"])
    _, doc = h.run([], "launch", "early", "3", "16")
    need(method(doc) == {}, doc["profiles"][0]["method"])
    _, doc = h.run([], "push", MM % (1, 2), "launch", "early", "3", "16", "pop", NVTX_INJECTION64_PATH="/nonexistent/tool.so")
    need(method(doc) == {"ranges_went_to": "tool.so"}, doc["profiles"][0]["method"])


def pytorchs_ranges_propose_what_to_adopt(h):
    """Sequence numbers do not tell ranges apart; the innermost range counts."""
    program = []
    for i in range(4):
        program += ["push", "aten::linear, op_id = %d, sizes = [[128, 256], [512, 256], [512]]" % i,
                    "push", MM % (i, i + 1), "launch", "sm90_gemm", "25", "40", "pop", "pop",
                    "push", "aten::add, op_id = %d, sizes = [[128], [128], []]" % i, "launch", "sm90_gemm", "5", "40",
                    "pop", "launch", "sm90_gemm", "1", "40"]
    said, doc = h.run(["--verbose"], *program)
    shapes = doc["profiles"][0]["lines"][0]["shapes"]
    found = {s.get("range"): s["launches"] for s in shapes}
    need(found == {"aten::mm, sizes = [[128, 256], [256, 512]]": 100, "aten::add, sizes = [[128], [128], []]": 20,
                   None: 4}, found)
    need("gemm M=128 K=256 N=512" in said, said)
    need("1.1 --operator gemm --dims M=128,K=256,N=512" in said, said)
    h.call("submit", os.path.join(h.folder, f"doc{h.n}.json"))
    said = h.call("adopt", doc["profiles"][0]["id"], "1.1", want=2)
    need("--operator gemm --dims M=128,K=256,N=512" in said, said)
    need("gemm M=128 K=256 N=512" in h.call("profile", doc["profiles"][0]["id"], "--line", "1"), "each launch shape")


def watch(h, *program, **env):
    """What the capture files of a program hold, read without our reader."""
    with tempfile.TemporaryDirectory(dir=h.folder) as folder:
        library = os.path.join(os.path.dirname(WARPLORE), "libwarplore_cupti.so")
        env = {**h.env, "WARPLORE_CAPTURE": folder, "CUDA_INJECTION64_PATH": library, "NVTX_INJECTION64_PATH": library,
               **env}
        done = subprocess.run([PROGRAM, *program], env=env, cwd=h.folder, text=True, capture_output=True, timeout=60)
        need(done.returncode == 0 and done.stdout.startswith("the program's own words") and not done.stderr, done)
        return [p.summary() for p in read_capture.read(folder)]


def ranges_are_followed_wherever_they_open(h):
    early = watch(h, "push", "warplore:gemm M=1", "launch", "k", "3", "16", "pop", "launch", "k", "2", "16")[0]
    need(early["ranges"] == {"warplore:gemm M=1": 3, None: 2}, early)
    need(early["states"] == [["attached", early["states"][0][1], *early["states"][0][2:]], ["ranges_seen", None, 1, 1]], early["states"])
    need(early["ended"], early)
    deep = ["push", "warplore:gemm M=1"] + ["push", "step"] * 80 + ["launch", "k", "1", "16"] + ["pop"] * 80
    deep += ["launch", "k", "1", "16", "pop", "pop", "pop", "launch", "k", "1", "16"]
    s = watch(h, *deep)[0]
    need(s["ranges"] == {"warplore:gemm M=1": 2, None: 1}, s["ranges"])
    s = watch(h, "init", "push", "warplore:gemm M=1", "fork", "launch", "k", "4", "16", "pop")
    need(len(s) == 1 and s[0]["ranges"] == {"warplore:gemm M=1": 4} and s[0]["ended"], s)
    s = watch(h, "domain", "warplore:gemm M=1", "push", "warplore:gemm M=2", "undomain", "launch", "k", "1", "16", "pop",
              "launch", "k", "1", "16")[0]
    need(s["ranges"] == {"warplore:gemm M=2": 1, None: 1}, s["ranges"])
    s = watch(h, "push", "aten::mm, sizes = [[2, 3], [3", "launch", "k", "1", "16", "pop", "push",
              "warplore:" + "x" * 2000, "launch", "k", "1", "16", "pop", "push", "train", "launch", "k", "1", "16")[0]
    need(s["ranges"] == {} and s["launches"] == 3, "no call is recorded without a range that says something")
    need(watch(h, "push", "warplore:gemm M=1", "launch", "k", "1", "16", WARPLORE_CAPTURE="") == [], "not asked")


def a_million_launches_keep_their_ranges(h):
    """In 16 threads, with kernels' records before those of the calls: none is lost."""
    _, doc = h.run([], "threads", "16", "mm", "62500")
    runs = {r["workload"]["dims"]["M"]: r for r in doc["runs"]}
    need(sorted(runs) == list(range(1, 17)), sorted(runs))
    need({r["method"]["launches"] for r in runs.values()} == {62500}, {r["method"]["launches"] for r in runs.values()})
    lost = {k: v for k, v in doc["runs"][0]["method"].items() if k.startswith("lost")}
    need(not any(lost.values()), lost)


# ---- Triton's cache ----

METADATA = {"hash": "f00", "target": {"backend": "cuda", "arch": 90, "warp_size": 32}, "num_warps": 4, "num_ctas": 1,
            "num_stages": 3, "shared": 0, "name": "float4_copy", "cluster_dims": [1, 1, 1], "maxnreg": None}


def compiled(h, folder, **other):
    """What Triton writes for one compiled kernel."""
    os.makedirs(folder)
    text = {"json": json.dumps({**METADATA, **other}), "ttir": "module {} // " + folder, "ptx": ".version 8.4 // " + folder}
    for end, content in text.items():
        with open(os.path.join(folder, "float4_copy." + end), "w", encoding="utf-8") as f:
            f.write(content)
    shutil.copy(os.path.join(h.folder, SMALL), os.path.join(folder, "float4_copy.cubin"))
    with open(os.path.join(folder, "__grp__float4_copy.json"), "w", encoding="utf-8") as f:
        f.write('{"child_paths": {}}')
    return text


def tritons_cache_is_read(h):
    """The search of the autotuner is a sweep of the run's kernel; the kernel that ran is found among those that
    were compiled, and its machine code needs no option."""
    parts, cache = os.path.join(h.folder, "parts"), os.path.join(h.folder, "cache")
    ran = compiled(h, os.path.join(parts, "RAN"))
    compiled(h, os.path.join(parts, "WIDE"), num_warps=8)
    compiled(h, os.path.join(parts, "SHARED"), shared=65536)
    compiled(h, os.path.join(cache, "EARLIER"), num_stages=9)
    os.utime(os.path.join(cache, "EARLIER"), (1, 1))
    os.makedirs(os.path.join(parts, "TUNED"))
    shutil.copy(os.path.join(SOURCE, "tests", "fixtures", "import", "triton", "row_softmax.autotune.json"),
                os.path.join(parts, "TUNED", "float4_copy.autotune.json"))
    script = f'cp -r "{parts}"/* "{cache}" && exec "$0" "$@"'
    out = os.path.join(h.folder, "triton.json")
    said = h.call("run", "--verbose", "--out", out, *COPY, "--technique", "memory.vectorized_access", "--", "sh", "-c", script,
                  PROGRAM, "launch", "float4_copy", "40", "16", TRITON_CACHE_DIR=cache)
    need("configurations, by triton-autotune" in said, said)
    with open(out, encoding="utf-8") as f:
        doc = json.load(f)
    run, sweeps = doc["runs"][0], doc["sweeps"]
    need(run["launch"]["num_warps"] == 4 and run["launch"]["num_stages"] == 3, run["launch"])
    need(run["launch"]["ptx_hash"] == hashlib.blake2b(ran["ptx"].encode(), digest_size=32).hexdigest(), run["launch"])
    need(run["launch"]["ttir_hash"] == hashlib.blake2b(ran["ttir"].encode(), digest_size=32).hexdigest(), run["launch"])
    need(verdicts(doc) == {"memory.vectorized_access": "verified"}, doc["verifications"])
    need(len(sweeps) == 1 and sweeps[0]["kernel"] == doc["kernels"][0]["id"] and len(doc["kernels"]) == 1, sweeps)
    need(sweeps[0]["workload"]["dims"] == {"n": 4096} and sweeps[0]["chip"] == "h200", sweeps[0])
    names = {p["name"] for p in sweeps[0]["configurations"]["parameters"]}
    need({"BLOCK", "num_warps", "num_stages"} <= names, names)
    h.call("submit", out)
    stored = h.get("sweeps")["rows"]
    need(len(stored) == 1 and stored[0]["kernel"] == doc["kernels"][0]["id"], stored)
    _, doc = h.run(COPY, "launch", "float4_copy", "40", "16", TRITON_CACHE_DIR=os.path.join(h.folder, "none"))
    need("num_warps" not in doc["runs"][0]["launch"] and not doc.get("sweeps"), doc["runs"][0]["launch"])


# ---- graphs ----

def graphs_are_timed_and_say_why_they_are_not_counted(h):
    said, doc = h.run(["--verbose", "--metrics", "launch__registers_per_thread"] + GEMM, "graph", "node", "40")
    need("0 of 1 metrics, 1 not collected: it is launched by CUDA graphs" in said, said)
    run = doc["runs"][0]
    need(run["launch"]["api"] == "graph" and run["method"]["launches"] == 120, run)
    metric = run["metrics"]["launch__registers_per_thread"]
    need(metric.get("missing") == "not_collected", metric)
    need("CUDA graph" in json.dumps(run["method"]), run["method"])
    _, doc = h.run(["--metrics", "launch__registers_per_thread"], "launch", "plain", "40", "16", "graph", "node", "40")
    shapes = {line["kernel"]: line["shapes"][0] for line in doc["profiles"][0]["lines"]}
    need(shapes["plain"]["metrics"]["launch__registers_per_thread"]["value"] == 19, shapes["plain"])
    need("CUDA graph" in json.dumps(shapes["node"]["method"]), shapes["node"])
    need("CUDA graph" not in json.dumps(shapes["plain"]["method"]), shapes["plain"])


def a_first_counted_launch_does_not_bias_what_is_stored(h):
    """The first counted launch of a process has extra DRAM writes (FAKE_FIRST): the median of three has none."""
    _, doc = h.run(COPY + ["--metrics", "dram__bytes_write.sum"], "launch", "plain", "40", "16", FAKE_FIRST="5000000")
    run = doc["runs"][0]
    metric = run["metrics"]["dram__bytes_write.sum"]
    need((metric["value"], metric["n"], metric["min"], metric["max"]) == (7, 3, 7, 5000007), metric)
    need(run["method"]["counter_statistic"] == "median" and run["method"]["cache"] == "all", run["method"])
    h.call("submit", f"doc{h.n}.json")
    lint = h.get(f"runs/{run['id']}/diagnosis").get("lint", [])
    need(not [f for f in lint if f["code"] == "first_launch_counted"], lint)
    _, doc = h.run(COPY + ["--new-experiment", "--metrics", "dram__bytes_write.sum", "--metrics-launches", "1"], "launch", "plain",
                   "40", "16", FAKE_FIRST="5000000")
    need(doc["runs"][0]["metrics"]["dram__bytes_write.sum"]["value"] == 5000007, doc["runs"][0]["metrics"])
    h.call("submit", f"doc{h.n}.json")
    lint = h.get(f"runs/{doc['runs'][0]['id']}/diagnosis")["lint"]
    need([f["code"] for f in lint if f["metric"] == "dram__bytes_write.sum" and f["code"] != "single_sample"] ==
         ["first_launch_counted"], lint)


# ---- the scripts for a GPU host ----

def the_scripts_for_a_gpu_host_run(h):
    """profile.sh with a program that launches as at_run_time.cu does; its record is checked there."""
    tools, pack, out = (os.path.join(h.folder, f) for f in ("tools", "pack", "recorded"))
    os.makedirs(os.path.join(pack, "bin"))
    os.makedirs(tools)
    program = []
    for text, verb in (("fill n=4194304", "launch runtime_fill 100 16"), ("copy n=4194304", "launch scaled_copy 200 16"),
                       ("fill n=262144", "launch runtime_fill 100 16"), ("fill n=524288", "launch runtime_fill 100 16"),
                       ("fill n=1048576", "graph runtime_fill 50")):
        program += ["push", f"warplore:{text},dtype=f32", *verb.split(), "pop"]
    words = " ".join(f"'{w}'" for w in program)
    for folder, name, text in ((tools, "nvidia-smi", "exit 0"), (tools, "at_run_time", f"exec {PROGRAM} {words}"),
                               (os.path.join(pack, "bin"), "warplore", f'exec {WARPLORE} "$@"')):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(f"#!/bin/sh\n{text}\n")
        os.chmod(path, 0o755)
    env = {**h.env, "PATH": tools + ":" + h.env["PATH"], "PROGRAMS": tools}
    script = os.path.join(SOURCE, "tests", "gpu", "profile.sh")
    done = subprocess.run(["sh", script, pack, out, "at_run_time"], env=env, text=True, capture_output=True, timeout=100)
    need(done.returncode == 0, done.stdout + done.stderr)
    record = os.path.join(out, "at_run_time.json")
    with open(record, encoding="utf-8") as f:
        doc = json.load(f)
    doc["runs"] = doc["runs"][1:]
    for broken, want in ((doc, 1), (None, 0)):
        if broken:
            with open(os.path.join(h.folder, "at_run_time-h200.json"), "w", encoding="utf-8") as f:
                json.dump(broken, f)
        path = os.path.join(h.folder, "at_run_time-h200.json") if broken else record
        check = os.path.join(SOURCE, "tests", "gpu", "profile", "check.py")
        done = subprocess.run([sys.executable, "-B", check, path], text=True, capture_output=True, timeout=60)
        need(done.returncode == want and bool(done.stdout) == bool(want), f"{want}: {done.stdout}{done.stderr}")


def main():
    with scratch() as folder:
        h = Host(folder)
        cubin = sass_tools.compile_cubin(os.path.join(folder, "kernels.module"))
        a_version_is_verified(h, cubin)
        why_there_is_none(h)
        a_line_of_a_profile_is_adopted(h, cubin)
        if "ranges: 1" in h.run([], "launch", "plain", "2", "16")[0]:  # the headers were there
            ranges_replace_the_options(h)
            pytorchs_ranges_propose_what_to_adopt(h)
            ranges_of_a_library_in_spawned_processes_count(h)
            ranges_that_come_to_nothing_are_said(h)
            the_scripts_for_a_gpu_host_run(h)
            ranges_are_followed_wherever_they_open(h)
            a_million_launches_keep_their_ranges(h)
        tritons_cache_is_read(h)
        graphs_are_timed_and_say_why_they_are_not_counted(h)
        a_first_counted_launch_does_not_bias_what_is_stored(h)
        h.service.stop()


if __name__ == "__main__":
    main()
