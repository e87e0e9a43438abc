#!/usr/bin/env python3
"""What goes to a GPU host starts there with glibc 2.28 (RHEL 8, Ubuntu 20.04): no symbol of a later one,
and no library that such hosts lack or have by another name.

    old_glibc.py FILE…"""
import re
import subprocess
import sys

OLDEST = (2, 28)
THERE = re.compile(r"lib(c|m|dl|pthread|gcc_s)\.so\.\d$|ld-linux-[a-z0-9-]+\.so\.\d$")


def objdump(option, path):
    return subprocess.run(["objdump", option, path], capture_output=True, text=True, check=True).stdout


def too_new(path):
    """What PATH needs that a host with glibc 2.28 does not have."""
    wanted = re.findall(r"\*UND\*.*\(?GLIBC_([0-9.]+)\)? +(\w+)", objdump("-T", path))
    assert wanted, f"{path}: no versioned symbols were found"
    libraries = re.findall(r"NEEDED +(\S+)", objdump("-p", path))
    return ([f"{name}@{v}" for v, name in wanted if tuple(map(int, v.split("."))) > OLDEST] +
            [name for name in libraries if not THERE.match(name)])


if __name__ == "__main__":
    bad = {path: found for path in sys.argv[1:] if (found := too_new(path))}
    assert not bad, f"not on a host with glibc 2.28 (see collectors/portable): {bad}"
    print("ok")
