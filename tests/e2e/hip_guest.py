#!/usr/bin/env python3
"""The tool library as a guest, without a GPU: in a HIP program over a double of the HIP runtime and
rocprofiler-sdk, in both layouts of the sdk. Whatever happens the program goes on and says the same.

    hip_guest.py LIBRARY DOUBLE LACKING_DOUBLE PROGRAM"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "gpu", "capture"))
import read_capture  # noqa: E402

LIBRARY, DOUBLE, LACKING, PROGRAM = (os.path.abspath(a) for a in sys.argv[1:5])
SDKS = ["500", "10000"]
WORDS = "the program's own words\n"


def run(*words, status=0, capture=True, double=DOUBLE, **env):
    """The capture files that the program left."""
    folder = tempfile.mkdtemp(prefix="guest-")
    full = {k: v for k, v in os.environ.items() if not k.startswith(("WARPLORE_", "FAKE_"))}
    full.update({"ROCP_TOOL_LIBRARIES": LIBRARY, "LD_LIBRARY_PATH": os.path.dirname(double)}, **env)
    if capture:
        full.setdefault("WARPLORE_CAPTURE", folder)
    try:
        done = subprocess.run([PROGRAM, *words], env=full, capture_output=True, text=True,
                              timeout=120, cwd=folder)
        assert done.returncode == status, (done, status)
        assert done.stdout == WORDS and done.stderr == "", done
        return read_capture.read(folder)
    finally:
        shutil.rmtree(folder)


def one(*words, **more):
    files = run(*words, **more)
    assert len(files) == 1, files
    return files[0].summary()


def states(summary):
    return [s[0] for s in summary["states"]]


def exports():
    out = subprocess.run(["nm", "-D", LIBRARY], capture_output=True, text=True, check=True).stdout
    defined = re.findall(r"^[0-9a-f]+ [A-Z] (\S+)$", out, re.M)
    assert defined == ["rocprofiler_configure"], defined
    wanted = set(re.findall(r"^ +U (\w+)", out, re.M))
    never = {"exit", "_exit", "abort", "printf", "puts", "putchar", "fprintf", "perror", "signal",
             "sigaction", "syslog", "system", "malloc", "__assert_fail", "__printf_chk", "__fprintf_chk"}
    assert not wanted & never, wanted & never
    assert not [w for w in wanted if w.startswith(("hip", "hsa", "rocprofiler"))], "linked to ROCm"


def what_the_record_holds(sdk):
    """Everything that the double says, and both layouts give the same."""
    files = run("5000", FAKE_SDK=sdk)
    s = files[0].summary()
    assert states(s) == ["attached"] and s["ended"] and s["cupti"] == int(sdk), s
    assert s["kernels"] == {"_Z7vecCopyPdS_S_ii": 5000, "other": 1}, s
    assert s["loss"] == {"dropped": 0, "bad": 0, "no_memory": 0, "write_failed": 0}, s
    copied = (1, 8 << 20, 1000 + (8 << 20) // 10)
    assert s["totals"] == {"h2d": copied, "d2h": copied}, s["totals"]
    assert s["devices"] == [[0, "AMD Instinct MI300X", "%032x" % 51974, 9, 4, 304, 64]], s["devices"]
    shapes = sorted(tuple(v[5:]) for v in files[0].shapes.values())
    # grid in work-groups; registers, static and dynamic shared bytes, local bytes
    assert shapes == [(1, 1, 1, 100, 1, 1, 0, 0, 0, 24, 64, 0, 0),
                      (4096, 1, 1, 256, 1, 1, 0, 0, 0, 24, 64, 32, 0)], shapes
    starts = sorted(launch[0] for launch in files[0].launches)
    assert [l[1] for l in sorted(files[0].launches)][:3] == [12345, 12355, 12365]
    assert abs(starts[0] - files[0].start[3]) < 10_000_000_000, "one clock"
    return s["kernels"], shapes


def refusals(sdk):
    for name in ("query_available_agents", "create_context", "configure_callback_tracing_service",
                 "create_buffer", "configure_buffer_tracing_service", "start_context"):
        s = one("10", FAKE_SDK=sdk, FAKE_REFUSE=name)
        assert states(s) == ["vendor_error"] and s["ended"] and s["launches"] == 0, s
        assert s["states"][0][1] == f"rocprofiler_{name}: refused by the double (15)", s
    for name in ("get_timestamp", "stop_context", "flush_buffer"):  # we can do without
        s = one("10", FAKE_SDK=sdk, FAKE_REFUSE=name)
        assert states(s) == ["attached"] and s["ended"] and s["launches"] == 11, s
    s = one("10", double=LACKING, FAKE_SDK=sdk)
    assert states(s) == ["vendor_too_old"] and s["states"][0][1] == "rocprofiler_flush_buffer", s


def ends(sdk):
    assert one("10", "7", status=7, FAKE_SDK=sdk)["launches"] == 11
    s = one("10", "fork", FAKE_SDK=sdk)
    assert s["launches"] == 11 and s["ended"], s
    for how, status in (("leave", 0), ("crash", -6)):
        s = one("10", how, status=status, FAKE_SDK=sdk)
        assert states(s) == ["attached"] and s["launches"] == 11 and not s["ended"], s
    s = one("40000", "threads", FAKE_SDK=sdk)
    assert s["launches"] == 40001 and s["ended"] and not any(s["loss"].values()), s
    s = one("300", FAKE_SDK=sdk, FAKE_BAD="1")
    assert s["launches"] == 201 and s["loss"]["bad"] == 100, s


def main():
    exports()
    assert run("3", capture=False) == []
    assert run("3", WARPLORE_CAPTURE="relative") == []
    assert run("3", WARPLORE_CAPTURE="/nonexistent/folder") == []
    records = [what_the_record_holds(sdk) for sdk in SDKS]
    assert records[0] == records[1], records
    for sdk in SDKS:
        refusals(sdk)
        ends(sdk)
    s = one("1000000")
    assert s["launches"] == 1000001 and s["ended"] and not any(s["loss"].values()), s
    print("ok")


if __name__ == "__main__":
    main()
