"""A stand-in for nvdisasm on hosts without one: it prints what the real one printed of the same
sources (tests/fixtures/isa), for the functions that are asked for by their index in the cubin.

    nvdisasm -c -fun 12,30 FILE"""
import os
import re
import shutil
import stat
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FIXTURES = os.path.join(HERE, "..", "fixtures", "isa")


def functions(path):
    """{symbol index: name} of the functions in a cubin."""
    with open(path, "rb") as f:
        data = f.read()
    assert data[:4] == b"\x7fELF" and struct.unpack_from("<H", data, 18) == (190,), "no cubin"
    table, = struct.unpack_from("<Q", data, 40)
    size, count, _ = struct.unpack_from("<3H", data, 58)
    sections = [struct.unpack_from("<2I4Q2I2Q", data, table + i * size) for i in range(count)]
    symbols = next(s for s in sections if s[1] == 2)
    texts = sections[symbols[6]][4]
    found = {}
    for i in range(symbols[5] // 24):
        name, info, _, index, _, _ = struct.unpack_from("<IBBHQQ", data, symbols[4] + 24 * i)
        if info & 15 == 2 and index != 0:
            found[i] = data[texts + name:data.index(b"\0", texts + name)].decode()
    return found


def recorded():
    """{function: its instruction lines}, as both tools printed them."""
    found = {}
    for name, start in (("sm_90a.cuobjdump.txt", r"\t\tFunction : (\S+)"),
                        ("sm_90a.nvdisasm.txt", r'\t\.section\t\.text\.([^,]+),')):
        with open(os.path.join(FIXTURES, name), encoding="utf-8") as f:
            parts = re.split(start, f.read())
        for function, text in zip(parts[1::2], parts[2::2]):
            found[function] = re.findall(r"^ +/\*[0-9a-f]{4,}\*/ .*$", text, re.M)
    return found


def disassemble(indexes, path):
    names = functions(path)
    print("\t.target\tsm_90a\n")
    for i in indexes.split(","):
        print(f'\t.section\t.text.{names[int(i)]},"ax",@progbits')
        print("\n".join(recorded().get(names[int(i)], [])))


def put(folder):
    """The tools in FOLDER: the real ones if there are any. No program of the tests holds device code."""
    os.makedirs(folder, exist_ok=True)
    for tool, does in (("nvdisasm", f'exec {sys.executable} -B {os.path.abspath(__file__)} "$@"'), ("cuobjdump", "true")):
        path = os.path.join(folder, tool)
        if shutil.which(tool):
            os.symlink(shutil.which(tool), path)
            continue
        with open(path, "w", encoding="utf-8") as f:
            f.write(f"#!/bin/sh\n{does}\n")
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
    return folder


def compile_cubin(out, *flags):
    """The cubin of tests/fixtures/isa/kernels.cu for sm_90a; None without nvcc."""
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if not nvcc:
        return None
    subprocess.run([nvcc, "-O3", "-std=c++17", "-cubin", "-arch=sm_90a", "-DHOPPER", *flags,
                    os.path.join(FIXTURES, "kernels.cu"), "-o", out], check=True)
    return out


if __name__ == "__main__":
    assert sys.argv[1:3] == ["-c", "-fun"] and len(sys.argv) == 5, sys.argv
    disassemble(sys.argv[3], sys.argv[4])
