#!/usr/bin/env python3
"""What a record of `profile.sh` must hold: check.py RECORD…, named STAGE.json or STAGE-DEVICE.json. Each
complaint is a line; exit status 1 when there is one. Stages without a rule are passed over."""
import json
import os
import sys


def dims(run):
    return run["workload"]["operator"], tuple(sorted(run["workload"]["dims"].items()))


def launches(run):
    return run["method"]["launches"]


def isa_of(run):
    return run.get("extra", {}).get("isa", {})


def at_run_time(doc):
    """Every launch of the ranges, of runtime and driver, of threads and of a graph; the code of NVRTC."""
    counts = {dims(r): launches(r) for r in doc["runs"]}
    wanted = {("fill", (("n", n),)): c for n, c in ((4194304, 100), (262144, 100), (524288, 100), (1048576, 150))}
    wanted[("copy", (("n", 4194304),))] = 200
    yield counts == wanted, f"launches in ranges: {counts}, not {wanted}"
    by = {dims(r): r for r in doc["runs"]}
    graph, copy = by[("fill", (("n", 1048576),))], by[("copy", (("n", 4194304),))]
    yield graph["launch"]["api"] == "graph", f"a graph's kernels: {graph['launch']}"
    yield "CUDA graphs" in graph["method"].get("not_counted", ""), "why a graph's kernels are not counted"
    yield copy["metrics"] and not any("missing" in m for m in copy["metrics"].values()), "counters of a range"
    opcodes = isa_of(copy).get("opcodes", {})
    yield "LDGSTS" in opcodes or "unavailable" in isa_of(copy), f"the code that NVRTC made: {isa_of(copy)}"


def ranges(doc):
    """PyTorch's ranges name the operator of the matrix products. Those of the optimizer's, of lists of many
    tensors, are longer than a label."""
    shapes = [s for line in doc["profiles"][0]["lines"] for s in line["shapes"]]
    in_range = sum(s["total_ns"] for s in shapes if s.get("range"))
    yield in_range > 0.7 * sum(s["total_ns"] for s in shapes), f"share of time in ranges: {in_range}"
    named = {s["range"].split(",")[0] for s in shapes if s.get("range")}
    yield {"aten::mm", "aten::addmm"} & named, f"operators: {sorted(named)}"


def autotune(doc):
    """The search is a sweep of the run's kernel; the launched kernel is known, and uses the tensor cores."""
    run = doc["runs"][0]
    yield len(doc.get("sweeps", [])) == 1 and doc["sweeps"][0]["kernel"] == doc["kernels"][0]["id"], "one sweep"
    yield run["launch"].get("num_warps") and run["launch"].get("ptx_hash"), f"how it was compiled: {run['launch']}"
    status = {v["technique"]: v["status"] for v in doc.get("verifications", [])}
    yield set(status.values()) <= {"verified", "unavailable"} and status, f"verifications: {status}"


def code(doc):
    """Triton's kernel was disassembled, or the reason names the disassembler."""
    line = next(line for line in doc["profiles"][0]["lines"] if line["kernel"] == "softmax_rows")
    for s in line["shapes"]:
        why = s.get("isa", {}).get("unavailable", "")
        yield "tool" in s.get("isa", {}) or "nvdisasm was not found" in why, f"machine code: {why or 'not kept'}"


RULES = {"at_run_time": at_run_time, "ranges": ranges, "autotune": autotune, "code": code}


def main():
    bad = 0
    for path in sys.argv[1:]:
        name = os.path.basename(path)[:-5].rsplit("-h", 1)[0]
        with open(path, encoding="utf-8") as f:
            doc = json.load(f)
        for good, what in RULES.get(name, lambda _: ())(doc):
            if not good:
                print(f"{path}: {what}")
                bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
