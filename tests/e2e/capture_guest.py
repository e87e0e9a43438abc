#!/usr/bin/env python3
"""The capture library as a guest, without a GPU: loaded into a Python process, beside a CUPTI that
misbehaves in the ways real ones do. Whatever happens the host goes on and says the same.

    capture_guest.py LIBRARY FAKE_CUPTI FAKE_CUPTI_THAT_LACKS_A_FUNCTION FAKE_CUPTI_12

With REAL_CUPTI_12, the path of a real libcupti.so.12, that one is asked too."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "gpu", "capture"))
import read_capture  # noqa: E402

LIBRARY, FAKE, LACKING, FAKE_12 = (os.path.abspath(a) for a in sys.argv[1:5])
HOST = """
import ctypes, os, sys
first = os.environ.get("LOAD_FIRST")
if first: ctypes.CDLL(first)
lib = ctypes.CDLL(os.environ["LIBRARY"])
print(lib.InitializeInjection(), lib.InitializeInjection())
if os.environ.get("FORK"):
    pid = os.fork()
    if pid == 0:
        sys.exit(0)
    os.waitpid(pid, 0)
if os.environ.get("LEAVE"):
    sys.stdout.flush(); os._exit(0)
"""


def run(capture=True, **env):
    """A host's stdout and the capture files it left."""
    folder = tempfile.mkdtemp(prefix="guest-")
    full = {k: v for k, v in os.environ.items() if not k.startswith(("WARPLORE_", "FAKE_"))}
    full.update({"LIBRARY": LIBRARY, "WARPLORE_CUPTI": FAKE}, **env)
    if capture:
        full.setdefault("WARPLORE_CAPTURE", folder)
    try:
        done = subprocess.run([sys.executable, "-c", HOST], env=full, capture_output=True,
                              text=True, timeout=60, cwd=folder)
        assert done.returncode == 0, done
        assert done.stdout == "1 1\n" and done.stderr == "", done
        return read_capture.read(folder)
    finally:
        shutil.rmtree(folder)


def one(**env):
    files = run(**env)
    assert len(files) == 1, files
    return files[0].summary()


def states(summary):
    return [s[0] for s in summary["states"]]


def exports():
    nm = shutil.which("nm")
    if not nm:
        return
    out = subprocess.run([nm, "-D", LIBRARY], capture_output=True, text=True, check=True).stdout
    defined = re.findall(r"^[0-9a-f]+ [A-Z] (\S+)$", out, re.M)
    assert defined == ["InitializeInjection", "InitializeInjectionNvtx2"], defined
    wanted = set(re.findall(r"^ +U (\w+)", out, re.M))
    never = {"exit", "_exit", "abort", "printf", "puts", "putchar", "fprintf", "perror", "signal",
             "sigaction", "syslog", "system", "__assert_fail", "__printf_chk", "__fprintf_chk"}
    assert not wanted & never, wanted & never
    assert not [w for w in wanted if w.startswith(("cupti", "cu"))], "linked to CUDA"


def cuda_12():
    """A CUPTI of CUDA 12 gives durations, has no counters, and is the one that is opened where the program
    or the driver is of CUDA 12."""
    s = one(WARPLORE_CUPTI=FAKE_12, FAKE_LAUNCHES="5000")
    assert states(s) == ["attached"] and s["cupti"] == 22, s
    assert s["launches"] == 4999 and s["loss"]["bad"] == 1, s
    assert s["kernels"] == {"even": 2499, "odd": 2500}, s
    assert s["apis"] == {"stream": 2499, "graph": 2500}, s  # what follows a record is no part of it
    s = one(WARPLORE_CUPTI=FAKE_12, WARPLORE_COUNTERS="a.sum")
    assert states(s) == ["vendor_too_old"] and "12.6 Update 2" in s["states"][0][1], s
    newest = one()["cupti"]
    assert newest >= 130000, newest
    with tempfile.TemporaryDirectory(prefix="guest-") as folder:
        os.symlink(FAKE, os.path.join(folder, "libcupti.so.13"))
        os.symlink(FAKE_12, os.path.join(folder, "libcupti.so.12"))
        runtime = {n: shutil.copy(LIBRARY, os.path.join(folder, f"libcudart.so.{n}")) for n in (11, 12, 13)}
        for name, expected in (("", newest), (runtime[11], newest), (runtime[12], 22), (runtime[13], newest)):
            s = one(WARPLORE_CUPTI="", LD_LIBRARY_PATH=folder, LOAD_FIRST=name, FAKE_LAUNCHES="3")
            assert s["cupti"] == expected and s["launches"] == 2, (name, s)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", os.path.join(folder, "libcuda.so.1"), "-x", "c", "-"],
                       input=b"int cuDriverGetVersion(int *v) { *v = 12080; return 0; }", check=True)
        s = one(WARPLORE_CUPTI="", LD_LIBRARY_PATH=folder, LOAD_FIRST=os.path.join(folder, "libcuda.so.1"))
        assert s["cupti"] == 22 and s["driver"] == 12080, s
        os.remove(os.path.join(folder, "libcupti.so.12"))
        s = one(WARPLORE_CUPTI="", LD_LIBRARY_PATH=folder, LOAD_FIRST=runtime[12])
        assert s["cupti"] == newest, s
    if os.environ.get("REAL_CUPTI_12"):
        s = one(WARPLORE_CUPTI=os.environ["REAL_CUPTI_12"])
        assert 19 <= s["cupti"] <= 28, s
        assert states(s) == ["vendor_error"] and "(15)" in s["states"][0][1], s  # no driver is initialized
        if s["cupti"] < 24:
            s = one(WARPLORE_CUPTI=os.environ["REAL_CUPTI_12"], WARPLORE_COUNTERS="a.sum")
            assert states(s) == ["vendor_too_old"] and "12.6 Update 2" in s["states"][0][1], s


def main():
    if not os.path.exists(LIBRARY):
        sys.exit(77)
    exports()
    assert run(capture=False) == []
    assert run(WARPLORE_CAPTURE="relative") == []
    assert run(WARPLORE_CAPTURE="/nonexistent/folder") == []

    s = one(FAKE_LAUNCHES="5000", FAKE_DROPPED="3")
    assert states(s) == ["attached"] and s["ended"], s
    assert s["launches"] == 4999 and s["loss"]["bad"] == 1, s
    assert s["kernels"] == {"even": 2499, "odd": 2500}, s
    assert s["apis"] == {"stream": 2499, "graph": 2500}, s
    assert s["loss"]["dropped"] > 0 and s["loss"]["dropped"] % 3 == 0, s

    s = one(FAKE_VERSION="18")  # CUDA 11.8
    assert states(s) == ["vendor_too_old"] and "at least 19 (CUDA 12)" in s["states"][0][1], s
    s = one(FAKE_VERSION="140000")
    assert states(s) == ["vendor_error"], s
    s = one(WARPLORE_CUPTI=LACKING)
    assert states(s) == ["vendor_error"] and "cuptiActivitySetAttribute" in s["states"][0][1], s
    s = one(FAKE_SUBSCRIBE="39", FAKE_LAUNCHES="10")
    assert states(s) == ["other_profiler"] and s["launches"] == 0 and s["ended"], s
    s = one(FAKE_ENABLE="35", FAKE_LAUNCHES="10")
    assert states(s) == ["permission"] and s["launches"] == 0, s
    s = one(FAKE_ENABLE="999")
    assert states(s) == ["vendor_error"] and "999" in s["states"][0][1], s
    s = one(FAKE_SUBSCRIBE="0,39", FAKE_LAUNCHES="10")
    assert states(s) == ["attached", "taken_over"] and s["launches"] == 9, s
    s = one(WARPLORE_CUPTI="/nonexistent/libcupti.so", LOAD_FIRST=FAKE, FAKE_LAUNCHES="10")
    assert states(s) == ["attached"] and s["launches"] == 9, s
    s = one(WARPLORE_CUPTI="/nonexistent/libcupti.so", CUDA_HOME="", CUDA_PATH="")
    assert "attached" not in states(s) and s["ended"], s  # whatever else is found has no driver

    cuda_12()
    s = one(FORK="1", FAKE_LAUNCHES="10")
    assert s["launches"] == 9 and s["ended"], s
    s = one(LEAVE="1", FAKE_LAUNCHES="10")
    assert states(s) == ["attached"] and not s["ended"], s
    print("ok")


if __name__ == "__main__":
    main()
