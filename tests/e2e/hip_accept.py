#!/usr/bin/env python3
"""tests/gpu/amd/accept.py itself, over the double: `hip_accept.py WARPLORE DOUBLE ROOT`. Its stages run,
and what it makes to be sent back is whole. Skipped (77) without hipcc."""
import os
import subprocess
import sys
import tarfile

import amd_machine
from daemon import need, scratch
from hip_run import build

WARPLORE, DOUBLE, ROOT = (os.path.abspath(a) for a in sys.argv[1:4])


def main():
    with scratch() as folder:
        amd_machine.sysfs(os.path.join(folder, "sys"))
        build(os.path.join(ROOT, "tests/gpu/amd/vec_copy.hip"), folder)
        for name, target in (("bin/warplore", WARPLORE), ("lib/warplore/libwarplore_hip.so",
                             os.path.join(os.path.dirname(WARPLORE), "libwarplore_hip.so"))):
            os.makedirs(os.path.dirname(os.path.join(folder, "pack", name)), exist_ok=True)
            os.symlink(target, os.path.join(folder, "pack", name))
        env = amd_machine.environment(folder, DOUBLE, QUICK="1", PROGRAMS=folder)
        out = os.path.join(folder, "out")
        done = subprocess.run([sys.executable, "-B", os.path.join(ROOT, "tests/gpu/amd/accept.py"),
                               os.path.join(folder, "pack"), out], env=env, capture_output=True, text=True, timeout=300)
        need(done.returncode == 0, done.stdout + done.stderr + "".join(
            open(os.path.join(out, f), encoding="utf-8").read()[-1500:] for f in os.listdir(out) if f.endswith(".log")))
        need("send-back.tar.gz" in done.stdout, done.stdout)
        with tarfile.open(os.path.join(out, "send-back.tar.gz")) as tar:
            names = set(tar.getnames())
        need({"machine.log", "durations.json", "counters.json", "compare.log", "million.json",
              "facts.json", "range.json"} <= names, names)
    print("ok")


if __name__ == "__main__":
    main()
