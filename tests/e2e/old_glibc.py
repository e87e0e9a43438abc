#!/usr/bin/env python3
"""The capture libraries need no symbol of a glibc after 2.28: `old_glibc.py LIBRARY…`"""
import re
import subprocess
import sys

OLDEST = (2, 28)


def newer(library):
    out = subprocess.run(["objdump", "-T", library], capture_output=True, text=True, check=True).stdout
    wanted = re.findall(r"\*UND\*.*\(?GLIBC_([0-9.]+)\)? +(\w+)", out)
    assert wanted, f"{library}: no versioned symbols were found"
    return [f"{name}@{v}" for v, name in wanted if tuple(map(int, v.split("."))) > OLDEST]


bad = {library: newer(library) for library in sys.argv[1:]}
assert not any(bad.values()), f"newer than glibc 2.28 (see collectors/capture/glibc.h): {bad}"
print("ok")
