"""What a session says where times are stated, measured, or withdrawn: advice leaves out what its start
has, a stated time is called stated, and a retraction is told by every answer about its run.

Usage: stated.py WARPLORED WARPLORE"""
import json
import os
import subprocess
import sys

from daemon import Daemon, make_token, need, scratch

WARPLORED, WARPLORE = (os.path.abspath(p) for p in sys.argv[1:3])
AT = ["--operator", "attention", "--chip", "h100-sxm", "--dims", "B=4,H=16,S=2048,D=64", "--dtype", "bf16"]


def advice_and_start(run, answer):
    """Only stated times: the start, what is in it, and its evidence."""
    run("session", "start", "attn_fwd", "--language", "cuda", *AT)
    run("try", "baseline", "--time", "120us")
    run("try", "pipeline", "--time", "100us", "--technique", "memory.async_copy")
    run("session", "end")
    run("session", "start", "attn_other", "--language", "cuda", *AT)
    run("try", "baseline", "--time", "220us")
    run("try", "pipeline", "--time", "180us", "--technique", "memory.async_copy")
    for words in (AT, []):
        got = answer("recommend", *words)
        need(got["about"]["version"] and got["about"]["evidence"] == "claimed", f"advice about the best one: {got}")
        need("memory.async_copy" not in [a["technique"] for a in got["advice"]], f"no advice of what it has: {got['advice']}")
    for words in (AT, AT[:2]):
        text = run("brief", *words)
        need("attn_fwd v1" in text and "1. memory.async_copy" not in text, f"a brief without what it has: {text}")
    text = run("recommend", *AT)
    need("100 us, as stated" in text and "measured" not in text.split("Worth")[0], f"a stated time to be called so: {text}")
    run("session", "end")


def measured_and_stated(run, answer):
    """A stated time that is faster than the best measured one."""
    run("session", "start", "softmax_row", "--operator", "softmax", "--language", "cuda", "--chip", "h100",
        "--dims", "M=4096,N=4096", "--dtype", "f32")
    run("try", "baseline", "--samples", "120.1us,120.2us,120.3us,120.2us,120.1us")
    run("try", "float4 loads", "--samples", "81us,81.1us,81.2us,81.1us,81.1us", "--params", "vec=4")
    run("try", "tile 128", "--time", "60us", "--params", "tile=128")
    text = run("recommend")
    need("the best measured on h100" in text and "81.1 us" in text, f"what was measured: {text}")
    need("the best stated here: 60 us" in text, f"what is only stated: {text}")


def withdrawn(run, answer):
    """The run of `float4 loads` is retracted: no answer about it is silent on that."""
    one = [e for e in answer("list", "experiments", "--operator", "softmax")["rows"] if e["title"] == "float4 loads"][0]
    fresh = run("check-idea", "float4 loads", "--kernel", "softmax_row", "--chip", "h100", ok=None)
    need("withdrawn" not in fresh, f"nothing withdrawn yet: {fresh}")
    of = [v["id"] for v in answer("show", one["id"])["after"]]
    run("retract", of[0], "--reason", "clock was low")
    text = run("diagnose", of[0])
    need("This run was retracted: clock was low" in text, f"the retraction in the diagnosis: {text}")
    text = run("show", one["id"])
    need("not measured: its run after was retracted" in text and "n=5, retracted" in text, f"why there is no result: {text}")
    for words in (["--kernel", "softmax_row"], ["--operator", "softmax"]):
        text = run("check-idea", "float4 loads", "--chip", "h100", *words, ok=None)
        need(text.startswith("known: tried here once, and the result was withdrawn"), f"that it was tried: {text}")
    need("withdrawn" not in run("check-idea", "warp shuffle", "--kernel", "softmax_row", "--chip", "h100", ok=None),
         "nothing of another idea")
    run("session", "end")


def first_time(run, answer):
    """A first time is the baseline, whatever is said about it; words resolve in the plural; the unmasked stays so."""
    run("session", "start", "row_max", "--operator", "softmax", "--language", "cuda", "--chip", "h100", "--dims", "M=64,N=64")
    said = run("try", "baseline", "--samples", "120us,121us,120us", "--bottleneck", "memory", "--hypothesis", "a row fits into registers")
    need("the baseline" in said and "new technique" not in said, f"the baseline: {said}")
    need("recorded before" in run("try", "baseline", "--samples", "120us,121us,120us", "--bottleneck", "memory",
                                  "--hypothesis", "a row fits into registers"), "the same attempt to be stored once")
    need("not measured" not in run("session", "log"), "the log of a baseline")
    need(any(h["claim"] == "a row fits into registers" for h in answer("list", "hypotheses")["rows"]), "its hypothesis to be kept")
    run_of = [r for r in answer("list", "runs")["rows"] if r.get("kernel_name") == "row_max"]
    need(answer("show", run_of[0]["id"])["labels"] == ["memory"], "its bottleneck to be kept")
    said = run("try", "async copies", "--time", "100us")
    need("new technique" not in said, f"a known technique: {said}")
    run("try", "our own trick", "--time", "130us", "--new-technique")
    text = run("recommend", "--operator", "layernorm", "--chip", "h100")
    need("our_own_trick" not in text, f"no word of ours on another operator: {text}")
    need("our_own_trick" in run("recommend", "--operator", "softmax", "--chip", "h100"), "on its own operator")
    made = answer("list", "experiments")["rows"][0]["id"]
    run("unmask", made, "--reason", "a slip", ok=2)
    run("mask", made, "--reason", "a slip")
    run("unmask", made, "--reason", "not so")
    run("session", "end")
    run("session", "start", "zero", "--operator", "softmax", "--language", "cuda", "--chip", "h100", "--dims", "M=0,N=64", ok=2)
    for command in ("chip", "specs"):
        need("h100-sxm" in run(command, "h100"), f"{command}: the variants that have numbers")


def busy_memory(run, answer):
    """A counter at 84 % of its peak bounds a gain on a chip without specs, also the interval of advice."""
    def version(n, kind):
        return {"id": f"01J00000000000000000000VR{n}", "kernel": f"01J00000000000000000000KR{n // 2}", "kind": kind, "label": f"v{n % 2}"}

    def ran(n, ns, dram):
        return {"id": f"01J00000000000000000000RN{n}", "version": f"01J00000000000000000000VR{n}", "chip": "h100",
                "workload": {"dims": {"rows": 4096}, "dtype": "f16"}, "samples_ns": [ns + i for i in range(5)],
                "metrics": {"dram_throughput_pct": dram, "sm_throughput_pct": 30}}
    doc = {"warplore": 1, "id": "01J00000000000000000000S01",
           "kernels": [{"id": f"01J00000000000000000000KR{n}", "operator": "layernorm", "name": f"norm{n}", "language": "cuda"} for n in range(2)],
           "versions": [version(n, "candidate" if n % 2 else "baseline") for n in range(4)],
           "runs": [ran(0, 60000, 50), ran(1, 40000, 84)],
           "experiments": [{"id": "01J00000000000000000000EX0", "kernel": "01J00000000000000000000KR1", "title": "persistent",
                            "from_version": "01J00000000000000000000VR2", "to_version": "01J00000000000000000000VR3",
                            "techniques": ["launch.persistent_kernel"], "chip": "h100", "claim": {"speedup": 1.5}}]}
    with open("busy.json", "w", encoding="utf-8") as f:
        json.dump(doc, f)
    run("submit", os.path.abspath("busy.json"))
    got = answer("recommend", "norm0", "--chip", "h100")
    need(abs(got["about"]["headroom"]["at_most"] - 1 / 0.84) < 1e-9, f"headroom by the counter: {got['about']}")
    gains = [a["gain"] for a in got["advice"]]
    need(gains and all(g["high"] <= 1 / 0.84 + 1e-9 for g in gains), f"no gain above it: {gains}")
    need("DRAM is at 84 %" in run("brief", "norm0", "--chip", "h100"), "what is left in the brief")


def main():
    with scratch() as folder:
        data, home = os.path.join(folder, "data"), os.path.join(folder, "home")
        os.mkdir(data)
        os.mkdir(home)
        daemon = Daemon(WARPLORED, data)
        env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{daemon.port}", HOME=home, NO_COLOR="1", COLUMNS="160",
                   WARPLORE_TOKEN=make_token(WARPLORED, data, "curator"), LC_ALL="C.UTF-8")

        def run(*words, ok=0):
            done = subprocess.run([WARPLORE, *words], cwd=home, env=env, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
            need(ok is None or done.returncode == ok, f"{words} to end with {ok}: {done.returncode} {done.stdout}{done.stderr}")
            return done.stdout

        def answer(*words):
            return json.loads(run(*words, "--json"))

        advice_and_start(run, answer)
        measured_and_stated(run, answer)
        withdrawn(run, answer)
        first_time(run, answer)
        os.chdir(home)
        busy_memory(run, answer)
        daemon.stop()
    print("ok")


main()
