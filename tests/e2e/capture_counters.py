#!/usr/bin/env python3
"""How the capture library counts a launch, without a GPU: in a Python process beside a CUPTI, a driver
and a checkpoint library that are one fake (fake_counters.c). What happens around each pass is compared
word by word, and the program's memory must be as if nobody had counted.

    capture_counters.py LIBRARY FAKE_CUPTI"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "gpu", "counters"))
import compare  # noqa: E402

LIBRARY, FAKE = (os.path.abspath(a) for a in sys.argv[1:3])
HOST = """
import ctypes, os, threading
folder = os.environ["LD_LIBRARY_PATH"]
cuda = ctypes.CDLL(os.path.join(folder, "libcuda.so.1"))
ctypes.CDLL(os.environ["LIBRARY"]).InitializeInjection()
if os.environ.get("FAKE_COPY"):
    threading.Thread(target=cuda.fake_copy).start()
results = [cuda.fake_launch() for _ in range(int(os.environ["LAUNCHES"]))]
for thread in threading.enumerate()[1:]:
    thread.join()
cuda.fake_log.restype = ctypes.c_char_p
print(cuda.fake_cell(), sum(r != 0 for r in results), cuda.fake_log().decode(), sep="|")
"""
PASS = "read discard start run stop"


def count(launches=1, checkpoint=True, **env):
    """(memory cell, failed launches, log, values of the counted launches, states)"""
    with tempfile.TemporaryDirectory(prefix="count-") as folder:
        names = ["libcupti.so.13", "libcuda.so.1"] + (["libcheckpoint.so"] if checkpoint else [])
        for name in names:
            os.symlink(FAKE, os.path.join(folder, name))
        if not checkpoint:
            subprocess.run(["cc", "-shared", "-o", os.path.join(folder, "libcheckpoint.so"), "-x", "c",
                            "/dev/null"], check=True)
        full = {k: v for k, v in os.environ.items() if not k.startswith(("WARPLORE_", "FAKE_"))}
        full.update({"LIBRARY": LIBRARY, "LD_LIBRARY_PATH": folder, "LAUNCHES": str(launches),
                     "WARPLORE_CUPTI": os.path.join(folder, "libcupti.so.13"),
                     "WARPLORE_CAPTURE": folder, "WARPLORE_COUNTERS": "a.sum,launch__registers_per_thread"},
                    **env)
        done = subprocess.run([sys.executable, "-c", HOST], env=full, capture_output=True, text=True,
                              timeout=60)
        assert done.returncode == 0 and done.stderr == "", done
        cell, failed, log = done.stdout.strip().split("|")
        values, states, _ = compare.read_captures(folder)
        return int(cell), int(failed), log, values, states


def words(states):
    return [(state[0], state[1]) for state in states if state[0] != "attached"]


def main():
    if not os.path.exists(LIBRARY):
        sys.exit(77)
    cell, _, log, values, states = count(launches=3, WARPLORE_COUNTERS_LAUNCHES="1")
    assert log == f"alloc save user {PASS} restore {PASS} restore {PASS} forget free decode run-changed run-changed", log
    assert cell == 3, "a launch was counted, and ran once"
    assert list(values.values()) == [{"a.sum": 7.0, "launch__registers_per_thread": 19.0}], values
    assert [s for s in states if s[0] == "counter done"][0][2] == 3 and words(states) == [("counter done", "")], states

    cell, _, _, values, _ = count(launches=5, FAKE_FIRST="5000000")
    assert [v["a.sum"] for v in values.values()] == [5000007.0, 7.0, 7.0] and cell == 5, values

    cell, _, log, values, states = count(WARPLORE_COUNTERS_SKIP="1", launches=2)
    assert log.startswith("run-changed alloc save user") and cell == 2, log

    cell, _, log, _, states = count(WARPLORE_COUNTERS_CACHE="none")
    one = "start run-changed stop"
    assert log == f"save user {one} restore {one} restore {one} forget decode" and cell == 1, log
    assert ("counter unclean", "") in words(states), states

    cell, _, log, _, states = count(FAKE_NO_MEMORY="1")
    assert "read" not in log and cell == 1, log
    assert any("no device memory" in text for _, text in words(states)), states

    cell, _, log, values, states = count(checkpoint=False)
    assert log == f"alloc kernel {PASS} free decode" and len(values) == 1 and cell == 1, log
    assert any("libcheckpoint.so was not found" in text for _, text in words(states)), states

    _, _, log, values, states = count(WARPLORE_REPLAY="app:0")
    assert log == "alloc app read discard start push run pop stop free decode" and not values, log
    assert words(states)[-1][0] == "counter partial", states

    _, _, log, values, _ = count(FAKE_COPY="1")
    assert log.endswith("forget free decode copy") and len(values) == 1, f"a copy would be undone: {log}"

    cell, failed, log, values, states = count(FAKE_LAUNCH="1")
    assert log == "alloc save user read discard start refuse stop restore forget free refuse", log
    assert (cell, failed) == (0, 1) and not values, "the program sees its own failure, once"

    cell, _, log, values, states = count(FAKE_HOST_OPEN="35")
    assert log == "run-changed" and cell == 1 and not values, log
    assert words(states)[0][0] == "permission", states
    print("ok")


if __name__ == "__main__":
    main()
