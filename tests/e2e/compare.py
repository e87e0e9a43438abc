"""`warplore compare A B` of programs and `warplore calibrate`, whole, on the fake GPU.

usage: compare.py WARPLORED WARPLORE

A program here is a shell script that takes a new script of the fake GPU for each of its runs, so a
session has what a real one has: noise within a process, another place in memory for each process,
drift over the session. All random numbers come from fixed seeds. Needs libwarplore_fake.so beside
WARPLORE; nothing outside the scratch folder is touched."""
import atexit
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

from daemon import Daemon, make_token, need, skip

WARPLORED, WARPLORE = (os.path.abspath(a) for a in sys.argv[1:3])
SCRATCH = tempfile.mkdtemp(prefix="warplore-compare-")
atexit.register(shutil.rmtree, SCRATCH, True)
STATE = os.path.join(SCRATCH, "state")
APP = os.path.join(SCRATCH, "gpuapp")
HOST = os.path.join(SCRATCH, "host.txt")
DEVICE = 'device name="NVIDIA H200" units=132 cc=9.0 uuid=GPU-00112233\n'
RUNS = 60  # more than any session here starts of one program

PROGRAM = """#!/bin/sh
read n < "$0.n"
echo $((n + 1)) > "$0.n"
for a; do echo "$a" >> "$0.args"; done
[ $((n + 1)) = %d ] && exit 3
WARPLORE_FAKE="$0.$n" exec %s
"""


def order():
    """The place in the session of the n-th run of A and of B: a warm-up of each, then ABBA BAAB."""
    places = {"a": [0], "b": [1]}
    for i, side in enumerate("abbabaab" * RUNS):
        places[side].append(2 + i)
    return places


PLACES = order()


def kernel(name="softmax", base=70000.0, launches=40, registers=32, more=""):
    return (f"kernel name={name} launches={launches} base_ns={base:.0f} noise=0.005 first=3 "
            f"grid=128,1,1 block=256,1,1 registers={registers} {more}\n")


class Program:
    """Side SIDE's program; factor 0.97 takes 3 % less time."""

    def __init__(self, name, side, seed, factor=1.0, between=0.004, drift=0.0, fails_at=0, extra="",
                 kernels=None, **how):
        self.path = os.path.join(SCRATCH, name)
        noise = random.Random(seed)
        with open(self.path, "w") as f:
            f.write(PROGRAM % (fails_at, APP))
        os.chmod(self.path, 0o755)
        with open(self.path + ".n", "w") as f:
            f.write("0\n")
        for run in range(RUNS):
            t = PLACES[side][run] / 50
            scale = factor * (1 + drift * t) * (1 + noise.gauss(0, between))
            with open(f"{self.path}.{run}", "w") as f:
                f.write(DEVICE + f"only name=gpuapp\nseed value={noise.getrandbits(40)}\n" + extra)
                for k in kernels or [{}]:
                    values = {**how, **k}
                    f.write(kernel(**{**values, "base": values.get("base", 70000.0) * scale}))

    def runs(self):
        with open(self.path + ".n") as f:
            return int(f.read())


def warplore(*args, host=True, want=0, **env):
    e = {k: v for k, v in os.environ.items() if not k.startswith("WARPLORE")}
    e.update(XDG_STATE_HOME=STATE, TMPDIR=SCRATCH, **env)
    if host:
        e["WARPLORE_FAKE"] = HOST
    done = subprocess.run([WARPLORE, *args], env=e, cwd=SCRATCH, capture_output=True, text=True,
                          timeout=120)
    need(done.returncode == want,
         f"{args} to exit {want}, not {done.returncode}: {done.stdout}{done.stderr}")
    return done


def compare(a, b, *more, want=0):
    return json.loads(warplore("compare", a.path, b.path, "--json", *more, want=want).stdout)


def refused(a, b, words, *more):
    said = warplore("compare", a.path, b.path, *more, want=2).stderr
    for word in words:
        need(word in said, f"{word!r} in {said!r}")


def pair(seed, factor=1.0, **how):
    return (Program("a", "a", seed, **how),
            Program("b", "b", seed + 500000, factor=factor, **how))


def test_a_program_against_itself_is_no_difference():
    for seed in range(20):
        got = compare(*pair(seed, drift=0.02))
        need(got["verdict"] in ("neutral", "inconclusive"), f"seed {seed}: {got['verdict']}")


def test_three_percent_are_found_whichever_is_faster():
    found = {"win": 0, "loss": 0}
    for seed in range(20):
        want = "win" if seed % 2 else "loss"
        got = compare(*pair(100 + seed, factor=0.97 if seed % 2 else 1 / 0.97, drift=0.02))
        found[want] += got["verdict"] == want
        truth = 1 / 0.97 if seed % 2 else 0.97
        need(abs(got["speedup"]["median"] - truth) < 0.015, f"seed {seed}: {got['speedup']}")
    need(sum(found.values()) >= 19, f"19 of 20 found, not {found}")


def test_an_answer_says_what_it_rests_on():
    a = Program("a", "a", 7)
    b = Program("b", "b", 8, factor=0.9, registers=40)
    got = compare(a, b)
    need(got["verdict"] == "win" and got["ended_by"] == "decided", got["verdict"])
    need(got["rounds"] == 5 and got["pairs"] == 10, "a clear win ends at the first look")
    need(len(got["a"]["times_ns"]) == 10 and a.runs() == 11, "a warm-up and ten processes")
    need(got["speedup"]["low"] < got["speedup"]["median"] < got["speedup"]["high"], "an interval")
    need({"fact": "registers", "a": "32", "b": "40"} in got["differs"], got["differs"])
    need(got["min_effect_pct"] == 0.5 and got["min_effect_from"] == "default", "the default effect")
    need(0.5 < got["detectable_pct"] < 4, got["detectable_pct"])
    need(got["a"]["kernels"][0]["grid"] == [128, 1, 1], got["a"]["kernels"])
    a, b = pair(9, factor=0.9)
    text = warplore("compare", a.path, b.path).stdout
    for word in ("win: B is faster", "speedup", "detectable", "minimum effect"):
        need(word in text, f"{word} in {text}")


def test_drift_is_noticed_and_not_taken_for_a_difference():
    got = compare(*pair(11, drift=0.06, between=0.001))
    need(got["verdict"] in ("neutral", "inconclusive"), got["verdict"])
    need(got["noise"]["drifts"] and got["noise"]["drift_pct"] > 0.5, got["noise"])
    need(any("drifted" in n for n in got["notes"]), got["notes"])


def test_lost_records_are_counted_and_told():
    two = [{"name": "big"}, {"name": "small", "base": 9000.0}]
    a = Program("a", "a", 12, kernels=two)
    b = Program("b", "b", 13, factor=0.95, kernels=two, extra="loss dropped=3\n")
    got = compare(a, b)
    need(got["verdict"] == "win", got["verdict"])
    need(got["a"]["lost_records"] == 0 and got["b"]["lost_records"] >= 30, got["b"]["lost_records"])
    need(any("were lost" in n and n.startswith("B") for n in got["notes"]), got["notes"])


def test_a_program_that_fails_is_named():
    for side in "ab":
        for run in (1, 4):
            programs = [Program(s, s, 14, fails_at=run if s == side else 0) for s in "ab"]
            refused(*programs, [side.upper() + " (", "ended with status 3",
                                "its first run" if run == 1 else "run 4"])
            need(programs["ab".index(side)].runs() == run, "nothing runs after it")
    a = Program("a", "a", 14)
    said = warplore("compare", a.path, "./nowhere", want=2).stderr
    need("./nowhere: not found" in said, said)
    said = warplore("compare", HOST, a.path, want=2).stderr
    need("not executable" in said, said)
    said = warplore("compare", a.path, "/bin/true", want=2).stderr
    need("no kernel launch was seen" in said, said)


def test_different_launch_counts_are_not_guessed_about():
    def programs():
        return (Program("a", "a", 15, launches=40), Program("b", "b", 16, factor=0.5, launches=80))

    a, b = programs()
    refused(a, b, ["40 iterations and B 80", "--per-launch"])
    need(a.runs() == 1 and b.runs() == 1, "nothing beyond the warm-ups")
    got = compare(*programs(), "--per-launch")
    need(got["verdict"] == "win" and got["speedup"]["median"] > 1.9, got["speedup"])
    got = compare(*programs(), "--iterations", "40")
    need(got["verdict"] in ("neutral", "inconclusive"), got["speedup"])


def test_kernels_of_one_iteration_are_one_time():
    whole = [{"name": "fused"}]
    split = [{"name": "first", "base": 40000.0}, {"name": "second", "base": 40000.0}]
    a = Program("a", "a", 17, kernels=split)
    b = Program("b", "b", 18, kernels=whole)
    got = compare(a, b)
    need(got["verdict"] == "win" and abs(got["speedup"]["median"] - 8 / 7) < 0.02, got["speedup"])
    need({"fact": "kernels per iteration", "a": "2", "b": "1"} in got["differs"], got["differs"])
    a, b = Program("a", "a", 17, kernels=split), Program("b", "b", 18, kernels=whole)
    got = compare(a, b, "--kernel-regex-a", "^second$")
    need(got["verdict"] == "loss", "one of A's kernels alone is faster")
    a, b = Program("a", "a", 17), Program("b", "b", 18)
    refused(a, b, ["no kernel matches", "seen: softmax"], "--kernel-regex", "gemm")
    refused(a, b, ["--kernel-regex"], "--kernel-regex", "(")


def test_a_calibrated_machine_has_its_own_floor():
    said = warplore("calibrate", want=2).stderr
    need("name a program" in said, said)
    need("no noise floors are stored" in warplore("calibrate", "--show").stdout, "none yet")
    p = Program("a", "a", 21, between=0.01)
    # both sides are one program, so its runs are those of the whole session
    floor = json.loads(warplore("calibrate", "--json", "--", p.path).stdout)["rows"][0]
    need(0.7 < floor["floor_pct"] < 3 and floor["pairs"] == 24, floor)
    need(floor["chip"] == "h200" and floor["duration"] == "10 to 100 us", floor)
    need(p.runs() == 50, f"two warm-ups and 48 processes, not {p.runs()}")
    kept = json.loads(warplore("calibrate", "--show", "--json").stdout)["rows"]
    need(kept == [floor], kept)
    need("10 to 100 us" in warplore("calibrate", "--show").stdout, "a table")
    got = compare(*pair(22, factor=0.985))
    need(abs(got["min_effect_pct"] - floor["floor_pct"]) < 1e-9, got["min_effect_pct"])
    need("noise floor" in got["min_effect_from"], got["min_effect_from"])
    got = compare(*pair(22), "--min-effect", "2")
    need(got["min_effect_pct"] == 2 and got["verdict"] == "neutral", got["verdict"])
    got = compare(*pair(22, base=700000.0))
    need(got["min_effect_from"] == "default", "no floor for longer kernels")
    path = os.path.join(STATE, "warplore", "noise_floor.json")
    with open(path, "w") as f:
        f.write("{")
    a, b = pair(23)
    refused(a, b, ["noise_floor.json"])
    need(a.runs() == 0, "nothing runs with a damaged file")
    os.remove(path)


def test_a_budget_ends_it():
    got = compare(*pair(31, factor=0.992, between=0.006), "--rounds", "6")
    need(got["rounds"] <= 6 and got["rounds_at_most"] == 6, got["rounds"])
    a, b = pair(31)
    refused(a, b, ["--rounds"], "--rounds", "3")
    refused(a, b, ["--confidence"], "--confidence", "100")
    refused(a, b, ["--seconds"], "--seconds", "soon")
    need(a.runs() == 0, "wrong options start nothing")


def test_strict_is_for_gates():
    for factor, code in ((0.9, 0), (1 / 0.9, 1)):
        compare(*pair(41, factor=factor), "--strict", want=code)


def test_words_are_split_without_a_shell():
    a, b = pair(51, factor=0.9)
    warplore("compare", f"{a.path} --n 'two words'", b.path, "--", "$HOME", "-x")
    with open(a.path + ".args") as f:
        need(f.read().split("\n")[:4] == ["--n", "two words", "$HOME", "-x"], "A's arguments")
    with open(b.path + ".args") as f:
        need(f.read().split("\n")[:2] == ["$HOME", "-x"], "B's arguments")
    refused(Program("a", "a", 1), Program("b 'c", "b", 1), ["quote"])


def test_no_gpu_and_ids_are_told_apart():
    a, b = pair(61)
    said = warplore("compare", a.path, b.path, host=False, want=2).stderr
    need("no GPU" in said and a.runs() == 0, said)
    said = warplore("compare", "--capture", "rocm", a.path, b.path, want=2).stderr
    need("rocm" in said, said)
    one = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
    said = warplore("compare", one, a.path, want=2).stderr
    need("only compared with a program" in said, said)
    said = warplore("compare", one, one, "more", want=2).stderr
    need("two versions" in said, said)
    other = Program("b", "b", 1, extra='state code=other_profiler text="another profiler is here"\n')
    refused(Program("a", "a", 1), other, ["no kernel launch was seen", "another profiler is here"])


def sources():
    """Two version files and a hypothesis; the options that record."""
    for name, text in (("v1.cu", "// one load\n"), ("v2.cu", "// four loads\n"),
                       ("why.txt", "Wide loads: four floats at a time\nFewer instructions.\n")):
        with open(os.path.join(SCRATCH, name), "w") as f:
            f.write(text)
    return ["--source-a", "v1.cu", "--source-b", "v2.cu", "--operator", "softmax",
            "--dims", "M=4096,N=1024", "--dtype", "f32", "--language", "cuda", "--hypothesis-file",
            "why.txt", "--technique", "memory.vectorized_access", "--no-isa"]


def test_a_comparison_becomes_a_confirmed_experiment():
    got = compare(*pair(71, factor=0.9), *sources(), "--out", "record.json")
    with open(os.path.join(SCRATCH, "record.json")) as f:
        doc = json.load(f)
    need(len(doc["kernels"]) == 1 and len(doc["environments"]) == 1, "one kernel, one environment")
    need([v["parents"][0]["version"] for v in doc["versions"] if v.get("parents")] ==
         [doc["versions"][0]["id"]], doc["versions"])
    a, b = doc["runs"]
    for run, side in ((a, "a"), (b, "b")):
        need(run["samples_ns"] == [round(t) for t in got[side]["times_ns"]], "a sample a process")
        need(run["method"]["order"] == "ABBA" and run["tool"] == "warplore compare", run["method"])
    x, = doc["experiments"]
    need((x["runs_before"], x["runs_after"]) == ([a["id"]], [b["id"]]), "its runs")
    need((x["from_version"], x["to_version"]) == (a["version"], b["version"]), "its versions")
    need(x["evidence"] == "confirmed", x["evidence"])
    need(x["extra"]["comparison"]["verdict"] == got["verdict"], "the comparison with it")
    need(SCRATCH not in json.dumps(doc), "no path of this machine leaves it")
    need(all(run["extra"]["command"] for run in (a, b)), "the words of each side, to repeat it")
    need(doc["hypotheses"][0]["claim"].startswith("Wide loads"), doc["hypotheses"])


def test_a_record_that_cannot_be_made_is_refused_before_anything_runs():
    a, b = pair(72)
    refused(a, b, ["--source-b"], "--source-a", "v1.cu")
    refused(a, b, ["--out"], "--out", "x.json")
    refused(a, b, ["--operator"], "--source-a", "v1.cu", "--source-b", "v2.cu")
    more = ["--operator", "softmax", "--source-a", "v1.cu", "--source-b"]
    refused(a, b, ["nowhere.cu"], *more, "nowhere.cu")
    refused(a, b, ["nothing was changed"], *more, "v1.cu")
    need(a.runs() == 0 and b.runs() == 0, "nothing was started")


def test_the_service_takes_it_and_pairs_the_samples():
    data = os.path.join(SCRATCH, "data")
    daemon = Daemon(WARPLORED, data)
    token = make_token(WARPLORED, data, "contributor")
    where = {"WARPLORE_URL": f"http://127.0.0.1:{daemon.port}", "WARPLORE_TOKEN": token}
    a, b = pair(73, factor=0.9)
    text = warplore("compare", a.path, b.path, *sources(), **where).stdout
    need("delivered to" in text, text)
    status, body, _ = daemon.request("GET", "/api/v1/experiments?operator=softmax", token)
    rows = json.loads(body)["rows"]
    need(status == 200 and len(rows) == 1, body)
    status, body, _ = daemon.request("GET", f"/api/v1/experiments/{rows[0]['id']}", token)
    x = json.loads(body)
    need(x["paired"] and x["paired"]["verdict"] == "confirmed_win", body[:2000])
    need(x["paired"]["n"] == 10, x["paired"])
    need(x["outcome"]["effect"] == "win" and x["evidence"] == "confirmed", x["outcome"])
    daemon.stop()


def main():
    if not os.path.exists(os.path.join(os.path.dirname(WARPLORE), "libwarplore_fake.so")):
        skip("libwarplore_fake.so was not built")
    os.symlink("/bin/true", APP)
    with open(HOST, "w") as f:
        f.write(DEVICE)
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print("ok", name)
    need(not [n for n in os.listdir(SCRATCH) if n.startswith("warplore-run-")], "no run folder left")


main()
