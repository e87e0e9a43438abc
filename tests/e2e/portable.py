#!/usr/bin/env python3
"""The command as the archive for GPU hosts brings it: it needs nothing that an old host lacks, it starts,
and what would need more does not link. Skipped (77) without objdump or a compiler.

    portable.py PROGRAM STUBS COMPILER REPOSITORY"""
import os
import shutil
import subprocess
import sys
import tempfile

import old_glibc

PROGRAM, STUBS, COMPILER, REPOSITORY = sys.argv[1:5]
NEWER = "#include <unistd.h>\nint main(void) { return gettid() == 0; }"  # glibc 2.30
STARTED = """#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
__attribute__((constructor)) static void first(void) { puts("first"); }
int main(int n, char **v)
{
    struct stat a, b;
    return n == 2 && stat(v[1], &a) == 0 && lstat(v[1], &b) == 0 && a.st_ino == b.st_ino && a.st_size == 5 &&
           fstatat(-1, v[1], &a, 0) == 0 && stat("/nonexistent", &a) == -1 ? 0 : 1;
}
"""


def main():
    if not shutil.which("objdump") or not os.path.exists(PROGRAM):
        sys.exit(77)
    assert old_glibc.too_new(PROGRAM) == [], old_glibc.too_new(PROGRAM)
    env = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LD_BIND_NOW": "1"}
    version = subprocess.run([PROGRAM, "--version"], env=env, capture_output=True, text=True, timeout=60)
    assert version.returncode == 0 and version.stdout.startswith("warplore "), version
    assert subprocess.run([PROGRAM, "help"], env=env, capture_output=True, timeout=60).returncode == 0

    hardening = os.path.join(REPOSITORY, "tests/e2e/hardening.py")
    assert subprocess.run([sys.executable, "-B", hardening, PROGRAM]).returncode in (0, 77)

    with tempfile.TemporaryDirectory(prefix="portable-") as folder:
        def link(name, source, *more):
            done = subprocess.run([COMPILER, "-D_GNU_SOURCE", "-o", os.path.join(folder, name), *more, "-x", "c", "-"],
                                  input=source, capture_output=True, text=True)
            return done.stderr if done.returncode else ""

        assert link("newer", NEWER) == ""
        assert any(s.startswith("gettid@") for s in old_glibc.too_new(os.path.join(folder, "newer")))
        stubs = [f"-L{STUBS}", "-Wl,--allow-shlib-undefined"]
        assert "gettid" in link("refused", NEWER, *stubs), "a newer function was linked"
        wrapped = ["-Wl,--wrap=main", os.path.join(REPOSITORY, "collectors/portable/glibc.c")]
        assert link("started", STARTED, *stubs, *wrapped) == "", link("started", STARTED, *stubs, *wrapped)
        started = os.path.join(folder, "started")
        assert old_glibc.too_new(started) == [], old_glibc.too_new(started)
        with open(os.path.join(folder, "five"), "w", encoding="ascii") as f:
            f.write("12345")
        done = subprocess.run([started, os.path.join(folder, "five")], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout) == (0, "first\n"), done
    print("ok")


main()
