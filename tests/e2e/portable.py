#!/usr/bin/env python3
"""The command as the archive for GPU hosts brings it: it needs nothing that an old host lacks, it starts,
and what would need more does not link. Skipped (77) without objdump or a compiler.

    portable.py PROGRAM STUBS COMPILER REPOSITORY"""
import os
import re
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
# A libcurl that is older than CURLOPT_PROTOCOLS_STR (7.85) and has no curl_easy_header (7.83).
OLD_CURL = """#include <dlfcn.h>
#include <stdio.h>
static void *real(const char *name) { return dlsym(dlopen(REAL, RTLD_NOW | RTLD_LOCAL), name); }
#define PASS(f) long f(long a, long b, long c) { return ((long (*)(long, long, long))real(#f))(a, b, c); }
PASS(curl_global_init) PASS(curl_easy_init) PASS(curl_easy_cleanup) PASS(curl_easy_reset) PASS(curl_easy_getinfo)
PASS(curl_easy_perform) PASS(curl_easy_strerror) PASS(curl_slist_append) PASS(curl_slist_free_all) PASS(curl_getdate)
int curl_easy_setopt(void *h, int option, long value)
{
    if (option == 10318)
        return 48;
    if (option == 181)
        fprintf(stderr, "protocols %ld\\n", value);
    return ((int (*)(void *, int, long))real("curl_easy_setopt"))(h, option, value);
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

        # libcurl is the host's: none that can be used is said, an old one serves
        ask = [PROGRAM, "recommend", "--operator", "gemm", "--url", "http://127.0.0.1:9"]
        real = next(f for f in subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True).stdout.split()
                    if re.search("/libcurl(-gnutls)?[.]so[.]4$", f))
        for name in ("libcurl.so.4", "libcurl-gnutls.so.4"):
            assert link(name, "", "-shared") == ""
        done = subprocess.run(ask, env={**env, "LD_LIBRARY_PATH": folder}, capture_output=True, text=True)
        assert done.returncode == 3 and "no usable libcurl.so.4" in done.stderr, done
        assert link("libcurl.so.4", OLD_CURL, "-shared", "-fPIC", f'-DREAL="{real}"') == ""
        done = subprocess.run(ask, env={**env, "LD_LIBRARY_PATH": folder}, capture_output=True, text=True)
        assert done.returncode == 3 and "protocols 3\n" in done.stderr and "cannot connect" in done.stderr, done
    print("ok")


main()
