#!/usr/bin/env python3
"""The capture library against real programs on a real GPU, as a table.

    measure.py PROGRAMS LIBRARY [--cases] [--overhead ROUNDS] [--durations] [--million]

PROGRAMS: where measure.sh built the programs of this folder and libbare.so. Each case runs without
and with the library: stdout and exit status must be equal, and the launches recorded are compared
with what the program says it launched. Overheads are paired: without, bare CUPTI and the library in
turns, order changing every round. Exit status 1 when a case is not as it should be."""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import read_capture

HERE = os.path.dirname(os.path.abspath(__file__))
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


def cases(bench, which):
    bad = 0
    row = "{:32} {:>6} {:>8} {:>9} {:>9} {:>7} {:>5} {:>4}  {}".format
    print(row("case", "status", "program", "launched", "recorded", "dropped", "lost", "END",
              "states"))
    for c in which:
        without = bench.run(c["command"])
        with_ = bench.run(c["command"], bench.library)
        wrong, columns = judge(c, without, with_, bench.captured())
        bad += bool(wrong)
        print(row(c["name"], *columns), "WRONG: " + ", ".join(wrong) if wrong else "", flush=True)
        if wrong:
            print("   without:", without.returncode, without.stdout[-200:], without.stderr[-300:])
            print("   with:", with_.returncode, with_.stdout[-200:], with_.stderr[-300:])
    return bad


def overhead(bench, words, rounds):
    which = [("without", None), ("bare", bench.bare), ("warplore", bench.library)]
    loops, walls = {k: [] for k, _ in which}, {k: [] for k, _ in which}
    for r in range(rounds):
        for name, library in which[r % 3:] + which[:r % 3]:
            done = bench.run(words, library)
            loops[name].append(number(done, "loop_ns") / 1e6)
            walls[name].append(done.wall * 1e3)
    print(f"\n{' '.join(words)}: {rounds} rounds, median ms (smallest)")
    for what, v in (("loop", loops), ("process", walls)):
        print(f"  {what:8}", "  ".join(
            f"{k} {statistics.median(v[k]):.1f} ({min(v[k]):.1f})" for k in v))
        for a, b in (("bare", "without"), ("warplore", "without"), ("warplore", "bare")):
            pairs = [x / y for x, y in zip(v[a], v[b])]
            print(f"           {a} / {b}: median of pairs {statistics.median(pairs):.4f},"
                  f" of medians {statistics.median(v[a]) / statistics.median(v[b]):.4f},"
                  f" of smallest {min(v[a]) / min(v[b]):.4f}")


def durations(bench):
    """Events around one kernel also time the way in and out, the same for a kernel of any length
    that is not too short to hide its launch: the first row says how much, the others check it."""
    between = 0
    print("\nagainst CUDA events, medians in ns; what events add is taken from the first row")
    for us in (10, 20, 50, 200, 3000):
        times = os.path.join(bench.programs, "times")
        done = bench.run(["long", "400", str(us), times], bench.library)
        with open(times) as f:
            events = statistics.median(float(x) for x in f)
        took = [x[1] for p in bench.captured() for x in p.launches][1:]
        mine = statistics.median(took)
        between = between or events - mine
        print(f"  {us:5} us: events {events:.0f}  recorded {mine:.0f}  ratio {mine / events:.4f}"
              f"  without what events add {mine / (events - between):.4f}"
              f"  ({len(took)} launches, status {done.returncode})")


def main():
    a = argparse.ArgumentParser()
    a.add_argument("programs")
    a.add_argument("library")
    a.add_argument("--cases", action="store_true")
    a.add_argument("--million", action="store_true")
    a.add_argument("--durations", action="store_true")
    a.add_argument("--overhead", type=int, default=0)
    a = a.parse_args()
    bench, bad = Bench(a.programs, a.library), 0
    if a.cases:
        bad += cases(bench, CASES)
    if a.overhead:
        overhead(bench, ["tiny", "200000"], a.overhead)
        overhead(bench, ["long", "300"], a.overhead)
    if a.durations:
        durations(bench)
    if a.million:
        bad += cases(bench, MILLION)
    shutil.rmtree(bench.folder, ignore_errors=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
