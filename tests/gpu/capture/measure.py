#!/usr/bin/env python3
"""The capture library against real programs on a real GPU, as a table.

    measure.py PROGRAMS LIBRARY [--raw DIR] [--cases] [--overhead ROUNDS] [--training ROUNDS] [--durations] [--million]

PROGRAMS: where measure.sh built the programs of this folder and libbare.so. Each case runs without
and with the library: stdout and exit status must be equal, and the launches recorded are compared
with what the program says it launched. Overheads are paired: without, bare CUPTI and the library in
turns, order changing every round. DIR gets what was measured, a JSON file per stage, from which
tests/gpu/tables.py makes the tables of the docs. Exit status 1 when a case is not as it should be."""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))

import raw  # noqa: E402
import read_capture  # noqa: E402

SOME = "some"  # launches that cannot be told beforehand, in graphs
LOST = "lost"  # the program dies right after its launches: what is there is right, END is not


def case(name, *command, kernel="", launches=None, end=True, state="attached", loss=0, rc=None):
    return {"name": name, "command": command, "kernel": kernel, "launches": launches, "end": end,
            "state": state, "loss": loss, "rc": rc}


CASES = [
    case("tiny, 1 thread", "tiny", "50000"),
    case("tiny, 16 threads", "tiny", "160000", "16"),
    case("3 ms kernels", "long", "50"),
    case("graph, cooperative, cluster", "kinds", "100"),
    case("contexts and devices", "contexts", "1000"),
    case("fork before and after, exec", "forks", "1000"),
    case("return from main", "ends", "return", "3000"),
    case("exit", "ends", "exit", "3000"),
    case("_exit, 0.4 s later", "ends", "late_exit", "3000", end=False),
    case("_exit at once", "ends", "_exit", "3000", launches=LOST, end=False),
    case("abort", "ends", "abort", "3000", launches=LOST, end=False),
    case("SIGSEGV", "ends", "segv", "3000", launches=LOST, end=False),
    case("SIGKILL", "ends", "kill", "3000", launches=LOST, end=False),
    case("SIGSEGV after 200,000", "ends", "segv", "200000", launches=LOST, end=False),
    case("exit with a kernel running", "ends", "unsynced", "3000", loss=1),
    case("illegal address", "ends", "fault", "3000", launches=LOST, loss=None),
    case("cudaDeviceReset", "ends", "reset", "3000"),
    case("exit while threads launch", "ends", "busy", "3000", launches=LOST, end=None, loss=None),
    case("profiler there first", "subscriber", "1000", "first", launches=0,
         state="other_profiler"),
    case("profiler comes later", "subscriber", "1000", "later", launches=1000,
         state="taken_over"),
    case("PyTorch", "torch_plain.py", "1000", kernel="CUDAFunctorOnSelf_add", launches=1000),
    case("PyTorch profiler in the middle", "torch_profiler.py", "3",
         kernel="CUDAFunctorOnSelf_add", launches=200, state="taken_over"),
    case("PyTorch, spawned processes", "torch_spawn.py", "500", kernel="CUDAFunctorOnSelf_add", launches=1000),
    case("PyTorch, a CUDA graph", "torch_graphs.py", "graph", "200", kernel="CUDAFunctorOnSelf_add", launches=603),
    case("torch.compile, CUDA graphs", "torch_graphs.py", "compiled", "50", kernel="triton", launches=SOME),
    case("Triton", "triton_plain.py", "1000", kernel="add_one", launches=1000),
]
MILLION = [
    case("PyTorch, a million", "torch_plain.py", "1000000", kernel="CUDAFunctorOnSelf_add",
         launches=1000000),
    case("Triton, a million", "triton_plain.py", "1000000", kernel="add_one", launches=1000000),
]


class Bench:
    def __init__(self, programs, library):
        self.programs, self.library = os.path.abspath(programs), os.path.abspath(library)
        self.bare = os.path.join(self.programs, "libbare.so")
        self.folder = tempfile.mkdtemp(prefix="capture-")

    def command(self, words):
        if words[0].endswith(".py"):
            return [sys.executable, os.path.join(HERE, words[0]), *words[1:]]
        return [os.path.join(self.programs, words[0]), *words[1:]]

    def run(self, words, inject=None, timeout=120):
        env = {k: v for k, v in os.environ.items() if not k.startswith("WARPLORE_")}
        shutil.rmtree(self.folder, ignore_errors=True)
        os.mkdir(self.folder)
        if inject:
            env["CUDA_INJECTION64_PATH"] = inject
            env["WARPLORE_CAPTURE"] = self.folder
            env["BARE_FILE"] = os.path.join(self.folder, "bare")
        start = time.monotonic()
        done = subprocess.run(self.command(words), env=env, capture_output=True, text=True,
                              timeout=timeout)
        done.wall = time.monotonic() - start
        return done

    def captured(self):
        return read_capture.read(self.folder)


def number(done, word):
    for line in done.stderr.splitlines():
        if line.startswith(word + " "):
            return int(line.split()[1])
    return None


def judge(c, without, with_, processes):
    """What is wrong with a case, and the columns of its row."""
    expected = c["launches"] if c["launches"] is not None else number(with_, "launches")
    got = sum(1 for p in processes for x in p.launches if c["kernel"] in p.name(x))
    if expected == SOME:
        expected = got if any(read_capture.APIS[p.shapes[x[2]][3]] == "graph" for p in processes for x in p.launches) else -1
    loss = [sum(p.loss[i] for p in processes) for i in range(4)]
    states = {read_capture.STATES[s[0]] for p in processes for s in p.states}
    ended = all(p.ended for p in processes)
    same = without.stdout == with_.stdout and without.returncode == with_.returncode
    wrong = []
    if not same:
        wrong.append("the program was changed")
    if expected != LOST and got != expected:
        wrong.append("launches")
    if c["end"] is not None and ended != c["end"]:
        wrong.append("END")
    if c["loss"] is not None and sum(loss) != c["loss"]:
        wrong.append("loss")
    if c["state"] not in states or (c["state"] == "attached" and len(states) > 1):
        wrong.append("states")
    return wrong, [with_.returncode, "same" if same else "DIFFERS", expected, got,
                   loss[0], sum(loss[1:]), "yes" if ended else "no", " ".join(sorted(states))]


COLUMNS = ["status", "program", "launched", "recorded", "dropped", "lost", "end", "states"]


def cases(bench, which, rows):
    bad = 0
    row = "{:32} {:>6} {:>8} {:>9} {:>9} {:>7} {:>5} {:>4}  {}".format
    print(row("case", "status", "program", "launched", "recorded", "dropped", "lost", "END",
              "states"))
    for c in which:
        without = bench.run(c["command"])
        with_ = bench.run(c["command"], bench.library)
        wrong, columns = judge(c, without, with_, bench.captured())
        bad += bool(wrong)
        rows.append({"name": c["name"], "command": c["command"], "wrong": wrong, **dict(zip(COLUMNS, columns))})
        print(row(c["name"], *columns), "WRONG: " + ", ".join(wrong) if wrong else "", flush=True)
        if wrong:
            print("   without:", without.returncode, without.stdout[-200:], without.stderr[-300:])
            print("   with:", with_.returncode, with_.stdout[-200:], with_.stderr[-300:])
    return bad


def that_do_not_open(folder):
    """(what, path): libraries that the CUDA driver is told to load and cannot."""
    text, lacking = os.path.join(folder, "text.so"), os.path.join(folder, "liblacking.so")
    with open(text, "w") as f:
        f.write("no library\n")
    yield "a file that is not there", os.path.join(folder, "nowhere.so")
    yield "a text file", text
    other = os.path.join(folder, "libother.so")
    if shutil.which("cc"):
        for command in (["-o", other], ["-o", lacking, "-Wl,--no-as-needed", other]):
            subprocess.run(["cc", "-shared", "-x", "c", "/dev/null", "-x", "none", *command], check=True)
        os.remove(other)
        yield "a library that lacks another", lacking


def not_opened(bench):
    """Does the program survive?"""
    rows = []
    without = bench.run(["tiny", "1000"])
    for what, path in that_do_not_open(tempfile.mkdtemp(prefix="library-")):
        done = bench.run(["tiny", "1000"], path)
        rows.append({"library": what, "status": done.returncode, "same": (done.returncode, done.stdout) == (
            without.returncode, without.stdout), "said": done.stderr.strip().splitlines()[-1:]})
        print(f"{what:32} status {done.returncode}, {'the same' if rows[-1]['same'] else 'DIFFERS'}", done.stderr[-200:])
    return rows


def overhead(bench, words, rounds, rows, names=("without", "bare", "warplore")):
    which = [(n, {"without": None, "bare": bench.bare, "warplore": bench.library}[n]) for n in names]
    loops, walls = {k: [] for k, _ in which}, {k: [] for k, _ in which}
    for r in range(rounds):
        for name, library in which[r % len(which):] + which[:r % len(which)]:
            done = bench.run(words, library)
            loops[name].append(number(done, "loop_ns") / 1e6)
            walls[name].append(done.wall * 1e3)
            launches = len([x for p in bench.captured() for x in p.launches]) if name == "warplore" else None
            rows.append({"command": words, "round": r, "with": name, "loop_ns": number(done, "loop_ns"),
                         "wall_ns": int(done.wall * 1e9), "status": done.returncode, "recorded": launches})
    print(f"\n{' '.join(words)}: {rounds} rounds, median ms (smallest)")
    for what, v in (("loop", loops), ("process", walls)):
        print(f"  {what:8}", "  ".join(
            f"{k} {statistics.median(v[k]):.1f} ({min(v[k]):.1f})" for k in v))
        for a, b in ((a, b) for i, b in enumerate(names) for a in names[i + 1:]):
            pairs = [x / y for x, y in zip(v[a], v[b])]
            print(f"           {a} / {b}: median of pairs {statistics.median(pairs):.4f},"
                  f" of medians {statistics.median(v[a]) / statistics.median(v[b]):.4f},"
                  f" of smallest {min(v[a]) / min(v[b]):.4f}")


def durations(bench, rounds=3):
    """The program times itself without the library, then the library times it: nothing of the capture is in
    the truth. A round is a pair of both."""
    out = []
    for _ in range(rounds):
        pair = {}
        for name, library in (("without", None), ("with", bench.library)):
            file = os.path.join(bench.programs, "durations.json")
            done = bench.run(["durations", file, "10"], library)
            if done.returncode != 0:
                sys.exit(f"durations: {done.stderr}")
            with open(file) as f:
                pair[name] = json.load(f)
        taken = sorted(x for p in bench.captured() for x in p.launches if "timed" in p.name(x))
        for one in pair["with"]["lengths"]:
            n = len(one["spans_ns"])
            one["recorded_ns"] = [x[1] for x in taken[pair["with"]["warm_up"]:][:n]]
            taken = taken[pair["with"]["warm_up"] + n:]
        out.append(pair)
        print(f"{len(taken)} launches are left over", *(
            f"\n{a['us']:5} us: recorded {statistics.median(a['recorded_ns']):.0f}, span {statistics.median(a['spans_ns']):.0f}, "
            f"of a batch without {statistics.median(b['batches_ns']) / pair['without']['batch']:.0f}"
            for a, b in zip(pair["with"]["lengths"], pair["without"]["lengths"])), flush=True)
        if taken:
            sys.exit("more launches were recorded than the program made")
    return out


def main():
    a = argparse.ArgumentParser()
    a.add_argument("programs")
    a.add_argument("library")
    a.add_argument("--raw")
    a.add_argument("--cases", action="store_true")
    a.add_argument("--million", action="store_true")
    a.add_argument("--durations", action="store_true")
    a.add_argument("--overhead", type=int, default=0)
    a.add_argument("--training", type=int, default=0)
    a = a.parse_args()
    bench, bad = Bench(a.programs, a.library), 0
    if a.cases:
        rows = []
        bad += cases(bench, CASES, rows)
        raw.write(a.raw, "cases", {"cases": rows, "not_opened": not_opened(bench)})
    if a.overhead:
        rows = []
        overhead(bench, ["tiny", "200000"], a.overhead, rows)
        overhead(bench, ["long", "300"], max(3, a.overhead // 3), rows)
        raw.write(a.raw, "overhead", {"runs": rows})
    if a.training:
        rows = []
        overhead(bench, ["torch_step.py"], a.training, rows)
        raw.write(a.raw, "training", {"runs": rows})
    if a.durations:
        raw.write(a.raw, "durations", {"rounds": durations(bench)})
    if a.million:
        rows = []
        bad += cases(bench, MILLION, rows)
        raw.write(a.raw, "million", {"cases": rows})
    shutil.rmtree(bench.folder, ignore_errors=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
