#!/usr/bin/env python3
"""The tool library as a guest, without a GPU: in a HIP program over a double of the HIP runtime and
rocprofiler-sdk, in both layouts of the sdk. Whatever happens the program goes on and says the same.

    hip_guest.py LIBRARY DOUBLE LACKING_DOUBLE OLDER_DOUBLE PROGRAM"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "gpu", "capture"))
import read_capture  # noqa: E402

LIBRARY, DOUBLE, LACKING, OLDER, PROGRAM = (os.path.abspath(a) for a in sys.argv[1:6])
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
        run.objects = [open(os.path.join(folder, f), "rb").read() for f in os.listdir(folder) if f.endswith(".co")]
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
    shapes = sorted(tuple(v[5:18]) for v in files[0].shapes.values())
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
    s = one("20000", FAKE_SDK=sdk, FAKE_DROPS="3")  # five buffers or more
    assert s["launches"] == 20001 and s["loss"]["dropped"] == 3, s
    s = one("300", FAKE_SDK=sdk, FAKE_BAD="1")
    assert s["launches"] == 201 and s["loss"]["bad"] == 100, s


def ranges(sdk):
    """The text of the range holds for the launches inside it, in the timed and in the counted execution."""
    def by_range(files):
        f = files[0]
        out = {}
        for launch in f.launches:
            text = f.names[f.shapes[launch[2]][18]]
            out[f.name(launch), text] = out.get((f.name(launch), text), 0) + 1
        return out

    mm = "aten::mm, seq = 4, op_id = 7, sizes = [[8, 9], [9, 10]], input_op_ids = [(6,0)]"
    for told, holds in (("forward", None), (mm, "aten::mm, sizes = [[8, 9], [9, 10]]"),
                        ("warplore:gemm M=8|" + mm, "warplore:gemm M=8"), (mm + "|backward", "aten::mm, sizes = [[8, 9], [9, 10]]")):
        found = by_range(run("6", FAKE_SDK=sdk, HIP_PROGRAM_RANGES=told))
        assert found == {("_Z7vecCopyPdS_S_ii", holds): 6, ("other", None): 1}, (told, found)
    found = by_range(run("400", "threads", FAKE_SDK=sdk, HIP_PROGRAM_RANGES="warplore:copy n=1"))
    assert found == {("_Z7vecCopyPdS_S_ii", "warplore:copy n=1"): 400, ("other", None): 1}, found
    for refused in ("marker", "push_external_correlation_id"):
        files = run("6", FAKE_SDK=sdk, FAKE_REFUSE=refused, HIP_PROGRAM_RANGES="warplore:copy n=1")
        assert files[0].ended and sum(by_range(files).values()) == 7, refused


def occupancy(sdk):
    """What the code object says of a kernel, once per launch shape, without counters; and how many waves fit on a
    unit of an MI300X: 4 SIMDs of 8 waves and 512 registers, 64 KiB of LDS."""
    kernel = "_Z7vecCopyPdS_S_ii"
    for threads, vgprs, agprs, sgprs, lds, pct in (
            (256, 4, 4, 16, 0, 100), (256, 128, 0, 16, 0, 50), (256, 100, 0, 16, 0, 50), (256, 128, 128, 16, 0, 25),
            (256, 125, 4, 16, 0, 37.5),  # 128 + 4 is more than a third of 512
            (256, 512, 0, 16, 0, 12.5), (256, 4, 0, 104, 0, 87.5), (256, 4, 0, 16, 33000, 12.5), (256, 4, 0, 16, 8192, 100),
            (64, 4, 0, 16, 0, 100), (64, 4, 0, 16, 4096, 50), (128, 4, 0, 16, 0, 100), (1024, 128, 0, 16, 0, 50),
            (1024, 200, 0, 16, 0, None)):  # a work-group that does not fit is launched nowhere
        with tempfile.NamedTemporaryFile("w", suffix=".feed") as feed:
            feed.write(f"kernel {kernel} {vgprs} {agprs} {sgprs} {lds} 0\n")
            feed.flush()
            f, = run("5", FAKE_SDK=sdk, FAKE_FEED=feed.name, HIP_PROGRAM_KERNEL=f"{kernel} 10 {threads}")
        shape = next(s for s in f.shapes if f.names[f.shapes[s][1]] == kernel)
        found = {f.names[m[1]]: m[4] for m in f.metrics if m[0] == shape}
        wanted = {"vgpr_count": vgprs, "accum_vgpr_count": agprs, "sgpr_count": sgprs, "lds_size": lds, "scratch_size": 0}
        assert found == {**wanted, **({} if pct is None else {"occupancy_theoretical": pct})}, (threads, wanted, pct, found)
        assert len([m for m in f.metrics if m[0] == shape]) == len(found), "once"


def code_objects(sdk):
    """An object is kept once, whole, from a file; one that cannot be read costs nothing but itself."""
    with tempfile.NamedTemporaryFile() as f:
        f.write(b"." * 16 + bytes(range(250)) * 20 + b"." * 9)
        f.flush()
        assert one("3", FAKE_SDK=sdk, FAKE_OBJECT=f.name)["launches"] == 4
        assert run.objects == [bytes(range(250)) * 20], run.objects
        f.truncate(100)
        s = one("3", FAKE_SDK=sdk, FAKE_OBJECT=f.name)
        assert s["launches"] == 4 and run.objects == [] and "code_left_out" in [t[0] for t in s["states"]], s
    assert one("3", FAKE_SDK=sdk)["ended"] and run.objects == []


FEED = """kernel _Z7vecCopyPdS_S_ii 4 4 16 0 0
counter A
counter B
counter C
counter D
counter E
counter UNASKED
"""


def counters(sdk, double):
    """Sums over the dies, in passes of four counters, for the launches that are asked for."""
    with tempfile.NamedTemporaryFile("w", suffix=".feed") as feed:
        feed.write(FEED + "".join(f"value {c} _Z7vecCopyPdS_S_ii {n} {1000 * k + 17 * n}\n"
                                  for k, c in enumerate("ABCDE", 1) for n in range(4)))
        feed.flush()

        def count(replay, **more):
            more = {"WARPLORE_COUNTERS": "A,B,NO_SUCH,C,D,E", "WARPLORE_COUNTERS_KERNELS": "vecCopy",
                    "WARPLORE_COUNTERS_LAUNCHES": "1", **more}
            files = run("4", double=double, FAKE_SDK=sdk, FAKE_FEED=feed.name, WARPLORE_REPLAY=replay, **more)
            s = files[0].summary()
            names = files[0].names
            return s, {(names[m[1]], m[2]): m[4] for m in files[0].metrics}

        facts = {"vgpr_count": 4, "accum_vgpr_count": 4, "sgpr_count": 16, "lds_size": 32, "scratch_size": 0,
                 "occupancy_theoretical": 100}
        s, found = count("app:0")
        assert [x[:2] + x[2:] for x in s["states"] if x[0] != "attached"] == [
            ["counter_unknown", "NO_SUCH", 0, 0], ["counter_partial", None, 1, 2]], s["states"]
        assert found == {("A", 0): 1000, ("B", 0): 2000, ("C", 0): 3000, ("D", 0): 4000,
                         **{(k, 0): v for k, v in facts.items()}}, found
        assert s["launches"] == 0 and s["ended"], "no durations from a counted run"
        assert count("app:1")[1] == {("E", 0): 5000}
        assert count("app:2")[1] == {}
        s, found = count("app:1", WARPLORE_COUNTERS_LAUNCHES="2", WARPLORE_COUNTERS_SKIP="1")
        assert found == {("E", 1): 5017, ("E", 2): 5034}, found
        s, found = count("app:0", FAKE_IDS="1", WARPLORE_COUNTERS="E,B")
        assert found[("E", 0)] == 5000 and found[("B", 0)] == 2000, found
        s, found = count("app:0", WARPLORE_COUNTERS="E,B")
        assert "counter_done" in states(s) and found[("E", 0)] == 5000 and found[("B", 0)] == 2000
        assert count("app:0", WARPLORE_COUNTERS_KERNELS="nothing")[1] == {}
        assert "counter_partial" in states(count("app:0", WARPLORE_COUNTERS_KERNELS="(")[0])
        s, found = count("app:0", FAKE_REFUSE="configure_callback_dispatch_counting_service")
        assert "vendor_error" in states(s) and found == {}, s
        s, found = count("app:0", FAKE_REFUSE="create_counter_config")
        assert states(s).count("counter_unknown") == 6 and found == {}, s


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
        code_objects(sdk)
        ranges(sdk)
        occupancy(sdk)
    counters("500", OLDER)
    counters("10000", DOUBLE)
    s = one("1000000")
    assert s["launches"] == 1000001 and s["ended"] and not any(s["loss"].values()), s
    print("ok")


if __name__ == "__main__":
    main()
