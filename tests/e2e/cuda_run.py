#!/usr/bin/env python3
"""Programs that compile their kernels while they run, as Triton, NVRTC and PyTorch do, over a double
of CUPTI and the driver: the machine code of their modules, ranges of NVTX, CUDA graphs.

    cuda_run.py WARPLORED WARPLORE DOUBLE PROGRAM SOURCE_DIR"""
import json
import os
import shutil
import subprocess
import sys

import sass_tools
from daemon import Daemon, make_token, need, scratch

WARPLORED, WARPLORE, DOUBLE, PROGRAM, SOURCE = (os.path.abspath(a) for a in sys.argv[1:6])
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


def main():
    with scratch() as folder:
        h = Host(folder)
        cubin = sass_tools.compile_cubin(os.path.join(folder, "kernels.module"))
        a_version_is_verified(h, cubin)
        why_there_is_none(h)
        a_line_of_a_profile_is_adopted(h, cubin)
        h.service.stop()


if __name__ == "__main__":
    main()
