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
            need(done.returncode == ok, f"{words} to end with {ok}: {done.returncode} {done.stdout}{done.stderr}")
            return done.stdout + done.stderr * (ok != 0)

        def answer(*words):
            return json.loads(run(*words, "--json"))

        advice_and_start(run, answer)
        measured_and_stated(run, answer)
        daemon.stop()
    print("ok")


main()
