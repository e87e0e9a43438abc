"""A long file is imported in bounded memory, in an archive as well; an import that is killed goes on
where it was; and the whole again stores nothing. So are long files of agents' memories.

Usage: import_long.py WARPLORED WARPLORE"""
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time

from daemon import Daemon, make_token, need, scratch

WARPLORED, WARPLORE = sys.argv[1:3]
LINES = 9500  # 9 MB: longer than what is read as a whole
with open(WARPLORE, "rb") as program:  # sanitizers need memory of their own
    LIMIT_KB = 120 * 1024 * (4 if b"__asan_init" in program.read() else 1)
SOLVERS = (("ConvBinWinogradRxS", "Winograd"), ("GemmFwdRest", "GEMM"))


def find_db(lines):
    for i in range(lines):
        size = i % 100 + 7
        timings = ";".join("%s:%d.%06d,0,miopenConvolutionFwdAlgo%s,%s" % (
            solver, j + 1, i, algorithm, "cache" * 80)
                           for j, (solver, algorithm) in enumerate(SOLVERS))
        yield "%d-%d-%d-3x3-64-%d-%d-%d-1x1-1x1-1x1-0-NCHW-FP32-F=%s\n" % (
            i // 1000 + 1, size, size, size, size, i % 1000 + 1, timings)


def experiences(path, megabytes):
    """Experiences of the kernel optimisation skill; returns how many."""
    n = 0
    with open(path, "w") as f:
        f.write("[")
        while f.tell() < megabytes << 20:
            f.write(",\n" * (n > 0) + json.dumps({
                "id": n, "date": "2026-01-02", "iteration": f"v{n}", "kernel": "gemm", "backend": "cuda", "chip": "H100",
                "dims": f"M={64 + n % 4096},N={n}", "bottleneck_before": "memory", "outcome": "success", "speedup": 1.25,
                "metrics_before": {"latency_ms": 1.5}, "metrics_after": {"latency_ms": 1.2}, "optimization": "vectorized loads",
                "hypothesis": f"wide loads help in case {n} " + "because " * 50, "notes": "n " * 100}))
            n += 1
        f.write("]")
    return n


def strategies(path, megabytes):
    """A strategy memory of KernelFlow; returns how many entries it has."""
    n = 0
    with open(path, "w") as f:
        f.write('{"version": 1, "scopes": {')
        while f.tell() < megabytes << 20:
            entries = {f"fp{n + i}": {"tags": ["vectorized_loads"], "last_iteration": i, "last_reason": "why " * 50,
                                      "evidence": {"baseline_median_ms": 2.5, "current_median_ms": 2.0}} for i in range(50)}
            f.write(", " * (n > 0) + json.dumps(f"scope{n}") + ": " + json.dumps({
                "meta": {"backend": "cuda", "source_file": f"/x/matmul{n}.cu", "dims_args": ["--M=4096"], "arch": "sm_90"},
                "positive": entries, "negative": {}, "rejected": {}}))
            n += len(entries)
        f.write("}}")
    return n


def memories(env, folder):
    for name, write in (("experiences", experiences), ("kernelflow", strategies)):
        path = os.path.join(folder, name + ".json")
        n = write(path, 40)
        report, most = run(env, "--dry-run", path)
        need(report["format"] == name and report["entries"] == n and report["refused"] == 0, (name, n, report["entries"]))
        need(report["records"]["experiments"]["read"] == n, report["records"])
        need(most < LIMIT_KB, f"{most} kB of memory for {name}")
        os.remove(path)


def peak_kb(pid):
    try:
        for line in open(f"/proc/{pid}/status"):
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


def run(env, *words):
    """The report as JSON, and the most memory that the command had."""
    most = 0
    with tempfile.TemporaryFile("w+") as out, subprocess.Popen(
            [WARPLORE, "import", "--json", *words], env=env, stdout=out) as p:
        while p.poll() is None:
            most = max(most, peak_kb(p.pid))
            time.sleep(0.02)
        need(p.returncode == 0, f"import {words}: exit {p.returncode}")
        out.seek(0)
        return json.load(out)["formats"][0], most


def stored(report):
    return sum(kind.get("stored", 0) for kind in report["records"].values())


def kill_after_documents(env, path, journal, wanted):
    """Start an import and kill it when the journal says that WANTED documents were acknowledged."""
    with subprocess.Popen([WARPLORE, "import", path], env=env, stdout=subprocess.DEVNULL) as p:
        while p.poll() is None:
            files = os.listdir(journal) if os.path.isdir(journal) else []
            if any(os.path.getsize(os.path.join(journal, f)) >= 27 * wanted for f in files):
                p.kill()
            time.sleep(0.01)
        need(p.returncode == -9, f"the import was to be killed, not to end with {p.returncode}")


def main():
    with scratch() as tmp:
        data = os.path.join(tmp, "data")
        path = os.path.join(tmp, "gfx90a68.HIP.fdb.txt")
        packed = os.path.join(tmp, "more.tar.gz")
        text = "".join(find_db(LINES))
        open(path, "w").write(text)
        with tarfile.open(packed, "w:gz", compresslevel=1) as tar:
            member = tarfile.TarInfo("deep/gfx90a68.HIP.fdb.txt")
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text.encode()))
        service = Daemon(WARPLORED, data)
        env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{service.port}",
                   WARPLORE_TOKEN=make_token(WARPLORED, data, "contributor"),
                   WARPLORE_STATE=os.path.join(tmp, "state"), XDG_CONFIG_HOME=tmp)
        journal = os.path.join(tmp, "state", "imports")
        kill_after_documents(env, path, journal, 10)
        started = time.time()
        report, most = run(env, path)
        seconds = time.time() - started
        need(report["entries"] == LINES, report["entries"])
        all_documents = len(report["documents"])
        need(stored(report) < 3 * LINES, "the second import began at the beginning")
        need(most < LIMIT_KB, f"{most} kB of memory")
        need(not os.listdir(journal), "a complete import leaves no journal")
        again, most = run(env, packed)
        need(again["entries"] == LINES and stored(again) == 0, again["records"])
        need(len(again["documents"]) >= all_documents + 10,
             "documents that the killed import had sent are not sent again")
        need(most < LIMIT_KB, f"{most} kB of memory for an archive")
        memories(env, tmp)
        service.stop()
        print(f"{LINES} lines in {seconds:.1f} s, at most {most / 1024:.0f} MB")


main()
