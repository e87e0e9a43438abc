#!/usr/bin/env python3
"""The way from a GPU host to the tables of the docs, without a GPU: programs that only say what they took stand
for the real ones, so every figure is known beforehand.

    gpu_tables.py WARPLORE SOURCE_DIR"""
import json
import os
import subprocess
import sys
import tempfile

WARPLORE, SOURCE = (os.path.abspath(a) for a in sys.argv[1:3])
GPU = os.path.join(SOURCE, "tests", "gpu")

# Kernels of 0, 25 and 250 us. What the front end needs is 900 ns, a gap 600 ns more; capture makes kernels 1 % longer.
DURATIONS = """#!{python}
import json, os, struct, sys
D, N, B = {{0: 40, 25: 25000, 250: 250000}}, int(sys.argv[2]), 50
longer = 1.01 if os.environ.get("WARPLORE_CAPTURE") else 1
json.dump({{"batch": B, "warm_up": 2, "tick_ns": 32, "lengths": [
    {{"us": us, "batches_ns": [B * (d + 1500)] * N, "spans_ns": [int(d * (longer if d > 40 else 1))] * (N * B)}} for us, d in D.items()]}},
    open(sys.argv[1], "w"))
folder = os.environ.get("WARPLORE_CAPTURE")
if folder:
    f = open(os.path.join(folder, "1-1.capture"), "wb")
    def frame(kind, body):
        f.write(struct.pack("<4I", 0x3150434C, kind, len(body), 0) + body + bytes(-len(body) % 8))
    frame(1, struct.pack("<2I2Q16s2I", 1, 1, 0, 0, b"cupti", 0, 0))
    for ident, name in ((1, b"hold"), (2, b"timed")):
        frame(2, struct.pack("<2I", ident, len(name)) + name)
        frame(4, struct.pack("<19I", ident, ident, 0, 1, 0, *[1] * 9, *[0] * 5))
    at = 0
    for d in D.values():
        for i in range(2 + N * B):
            if i % B == 2:
                at += 1000000; frame(5, struct.pack("<2Q2I", at, 999999, 1, 7))
            at += 1000000
            frame(5, struct.pack("<2Q2I", at, int(d * (longer if d > 40 else 1)) + 900, 2, 7))
    frame(10, b"")
print("done")
"""
# 10 ms alone, 12 under the bare loop, 11.4 under the library.
TINY = """#!{python}
import os, sys
library = os.environ.get("CUDA_INJECTION64_PATH", "")
ns = 12000000 if "bare" in library else 11400000 if library else 10000000
print("loop_ns", ns, file=sys.stderr)
print("sum 1")
"""


FAKE = 'device name="NVIDIA H200" units=132 cc=9.0 uuid=GPU-00112233\n'
COPY = """#!/bin/sh
WARPLORE_FAKE='{fake}seed value='$$'
kernel name=copy launches=60 base_ns={ns} noise=0.003 grid=128 block=256
' exec /bin/true
"""
SMI = """#!/bin/sh
case "$*" in *name,driver*) echo "NVIDIA H200, 580.1" ;; *driver*) echo 580.1 ;; *) echo "GPU 0" ;; esac
"""


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    os.chmod(path, 0o755)


def accept(folder):
    """The raw files that accept.sh makes with these programs."""
    programs, out, path, pack = (os.path.join(folder, n) for n in ("programs", "out", "path", "pack"))
    for d in (programs, path, os.path.join(pack, "bin"), os.path.join(pack, "lib", "warplore")):
        os.makedirs(d)
    for name in ("kinds", "contexts", "ends", "forks", "subscriber", "libbare.so"):
        write(os.path.join(programs, name), "#!/bin/sh\n")
    for name, text in (("durations", DURATIONS), ("tiny", TINY), ("long", TINY)):
        write(os.path.join(programs, name), text.format(python=sys.executable))
    for pct in (0, 1, 2, 3, 10):
        write(os.path.join(programs, f"copy{pct}"), COPY.format(fake=FAKE, ns=530 * (100 + pct)))
    write(os.path.join(path, "nvidia-smi"), SMI)
    os.symlink(WARPLORE, os.path.join(pack, "bin", "warplore"))
    env = {k: v for k, v in os.environ.items() if not k.startswith("WARPLORE_")}
    env.update(PATH=f"{path}:{env['PATH']}", PROGRAMS=programs, WARPLORE_FAKE=FAKE, REPEATS="1", LIMIT="100", HOME=folder)
    done = subprocess.run([os.path.join(GPU, "accept.sh"), pack, out, "durations", "overhead", "compare"], env=env,
                          text=True, capture_output=True, timeout=100)
    said = done.stdout + done.stderr
    assert done.returncode == 0 and said.count("ok ") == 3, said + "".join(
        open(os.path.join(out, n), encoding="utf-8").read() for n in os.listdir(out) if n.endswith(".log"))
    return os.path.join(out, "raw"), done.stdout


def tables(source, *words, bless=False, env=None):
    done = subprocess.run([sys.executable, "-B", os.path.join(GPU, "tables.py"), source, *words], text=True,
                          capture_output=True, env={**os.environ, **({"LORE_BLESS": "1"} if bless else {})}, timeout=60)
    return done.returncode, done.stdout + done.stderr


def main():
    with tempfile.TemporaryDirectory(prefix="gpu-tables-") as folder:
        raw, said = accept(folder)
        for row in ("| H200 | 26.1 | 1.0000 | 1.0100 | 1.0100 |", "| H200 | 253 | 1.0000 | 1.0100 | 1.0100 |",
                    "is recorded with 0.94 µs, its span is 0.04 µs, and one follows the other every 1.54 µs; `%globaltimer` steps by 32 ns",
                    "| H200 | 200,000 tiny launches | a bare CUPTI loop | 0.950 | 7 |",
                    "| H200 | 200,000 tiny launches | no collector | 1.140 | 7 |"):
            assert row in said, f"{row} in {said}"

        for line in ("goal met: durations: off, from 25 us on: 0.01002, at most 0.02",
                     "goal met: overhead: tiny launches over a bare CUPTI loop: 0.95, at most 1.1"):
            assert line in said, f"{line} in {said}"
        slow = os.path.join(folder, "slow")
        os.makedirs(slow)
        with open(os.path.join(raw, "overhead.json"), encoding="utf-8") as f:
            kept = json.load(f)
        for one in kept["runs"]:
            one["loop_ns"] *= 2 if one["with"] == "warplore" else 1
        with open(os.path.join(slow, "overhead.json"), "w", encoding="utf-8") as f:
            json.dump(kept, f)
        code, said_slow = tables("--of", slow)
        assert code == 1 and "GOAL MISSED: overhead" in said_slow, f"{code}: {said_slow}"
        for row in ("two copies | 2 | 0 | 0 | 2 | 0", "B does 10 % more work | 2 | 0 | 2 | 0 | 0"):
            assert row in said, f"{row} in {said}"

        page = os.path.join(folder, "docs", "notes", "performance.md")
        fixture = os.path.join(folder, "tests", "fixtures", "gpu", "durations-h200.json")
        os.makedirs(os.path.dirname(page))
        os.makedirs(os.path.dirname(fixture))
        with open(page, "w", encoding="utf-8") as f:
            f.write("before\n<!-- durations -->\nNothing yet.\n<!-- /durations -->\nafter\n")
        code, said = tables(folder, "durations")
        assert code == 77 and "no tests/fixtures/gpu/durations-*.json" in said, f"{code}: {said}"
        with open(os.path.join(raw, "durations.json"), encoding="utf-8") as f:
            kept = json.load(f)
        with open(fixture, "w", encoding="utf-8") as f:
            json.dump(kept, f)
        code, said = tables(folder, "durations")
        assert code == 1 and "says 'Nothing yet.'" in said, f"{code}: {said}"
        assert tables(folder, "durations", bless=True)[0] == 0
        assert tables(folder, "durations") == (0, "durations: 8 lines of docs/notes/performance.md are those of the raw data\n"), tables(folder, "durations")
        text = open(page, encoding="utf-8").read()
        assert text.startswith("before\n") and text.endswith("after\n") and "| H200 | 26.1 | 1.0000 |" in text, text
        with open(page, "w", encoding="utf-8") as f:
            f.write(text.replace("26.1", "26.3"))
        code, said = tables(folder, "durations")
        assert code == 1 and "26.3" in said and "26.1" in said, f"another figure: {said}"
    print("ok")


main()
