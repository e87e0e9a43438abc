"""The brief of a kernel with two logs of KernelFlow, which compare each attempt with the one before and do not
say what it was made from. Gains count within one log; only what gained may be in the best version; what was kept
is no change; to win back a loss, also one that no record shows, is no gain.

Usage: brief_logs.py WARPLORED WARPLORE"""
import glob
import json
import os
import subprocess
import sys

from daemon import Daemon, make_token, need, scratch

WARPLORED, WARPLORE = (os.path.abspath(p) for p in sys.argv[1:3])


def entry(tags, iteration, before, after, outcome="positive"):
    evidence = {"baseline_iteration": iteration - 1 if iteration else None, "baseline_median_ms": before,
                "current_median_ms": after}
    return {"tags": tags, "first_iteration": iteration, "last_iteration": iteration, "count": 1,
            "last_outcome": outcome, "last_reason": "x", "evidence": evidence}


# one log: 1.0 -> 0.8 -> 0.88 -> 0.7 -> 0.75; another: 0.9 -> 0.85 -> 0.82; and an attempt after one that no entry shows
MEMORY = {"version": 1, "updated_at": "2026-04-17T19:49:56", "scopes": {"s": {
    "meta": {"backend": "cuda", "source_file": "/home/a/blur.cu", "reference_file": "", "arch": "sm_86",
             "dims_args": ["--rows=4096", "--cols=1024"]},
    "positive": {
        "a0": entry(["baseline"], 0, None, 1.0), "b0": entry(["baseline"], 0, None, 0.9),
        "a1": entry(["vectorized_float4_io"], 1, 1.0, 0.8),
        "a3": entry(["loop_unroll", "preserve_coalescing"], 3, 0.88, 0.7),
        "b1": entry(["fast_math"], 1, 0.9, 0.85), "b2": entry(["constant_memory_filter_cache"], 2, 0.85, 0.82),
        "c5": entry(["warp_shuffle", "keep_shared_memory_tiling"], 5, 1.2, 0.95)},
    "negative": {"a2": entry(["shared_memory_swizzle"], 2, 0.8, 0.88, "negative"),
                 "a4": entry(["fill_me_tag"], 4, 0.7, 0.75, "negative")},
    "rejected": {}}}}


def main():
    with scratch() as folder:
        path = os.path.join(folder, "memory.json")
        with open(path, "w", encoding="utf-8") as f:
            json.dump(MEMORY, f)
        data = os.path.join(folder, "data")
        daemon = Daemon(WARPLORED, data)
        token = make_token(WARPLORED, data, "contributor")
        env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{daemon.port}", HOME=folder, NO_COLOR="1",
                   WARPLORE_TOKEN=token, LC_ALL="C.UTF-8")

        def run(*words):
            done = subprocess.run([WARPLORE, *words], cwd=folder, env=env, text=True, capture_output=True, timeout=60)
            need(done.returncode == 0, f"{words} to end well: {done.stdout}{done.stderr}")
            return done.stdout

        def get(path):
            status, body = daemon.request("GET", "/api/v1/" + path, token)[:2]
            need(status == 200, f"an answer to {path}: {status} {body[:300]}")
            return json.loads(body)

        run("import", path)
        kernel = get("kernels")["rows"][0]["id"]
        brief = run("brief", "-k", kernel)
        for words in ("Best version: blur.cu v3 in cuda, 700 us", "Over the first version of its own log (1 ms): 1.43x",
                      "Other logs of this kernel began at 900 us", "7 attempts on this kernel: 3 gained, in several logs",
                      "Its own step: compute.loop_unroll (v3", "does not say what it was made from",
                      "which may be in it: memory.vectorized_access (v1 1.25x)", "It kept: memory.coalesced_access",
                      "its time is only stated, without a run", "Gained in another log of this kernel: fast_math 1.06x",
                      "tried on this kernel already, and none gained over this version"):
            need(words in brief, f"{words!r} in {brief}")
        for words in ("swizzle (v2", "since the last gain", "The last 7", "fill_me_tag", "constant_memory"):
            need(words not in brief, f"no {words!r} in {brief}")
        effects = {x["title"]: x["outcome"]["effect"] for x in get("experiments?limit=50")["rows"]}
        need(effects["warp_shuffle + keep_shared_memory_tiling"] == "neutral", f"no gain from a slow start: {effects}")
        tried = get("experiments?technique=memory.tiling_smem")["rows"]
        need(not tried, f"what was kept is no attempt: {tried}")
        daemon.stop()
        say_ranges(folder, env)


def say_ranges(folder, env):
    """A typical range that somebody stated is said as a range, not as its middle."""
    data = os.path.join(folder, "demo")
    demo = sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fixtures", "demo", "*.json")))
    subprocess.run([WARPLORED, "load", "--data", data, *demo], check=True, stdout=subprocess.DEVNULL)
    token = make_token(WARPLORED, data, "contributor")
    daemon = Daemon(WARPLORED, data)
    env = dict(env, WARPLORE_URL=f"http://127.0.0.1:{daemon.port}", WARPLORE_TOKEN=token)
    brief = subprocess.run([WARPLORE, "brief", "-o", "moe_fused_gate", "-c", "mi300x"], cwd=folder, env=env, text=True,
                           capture_output=True, timeout=60).stdout
    for words in ("moe_fused_gate (mi300x); typically 1.2 to 4.5x as stated.", "v6 on mi300x, typically 1.2 to 4.5x as stated ["):
        need(words in brief, f"{words!r} in {brief}")
    need("2.32x" not in brief, f"no middle of a range in {brief}")
    brief = subprocess.run([WARPLORE, "brief", "-o", "topk_per_row"], cwd=folder, env=env, text=True,
                           capture_output=True, timeout=60).stdout
    need("Won 2 of 3 times on other operators. Never tried" in brief, f"no median of a range and a time in {brief}")
    need("(the same change brought launch.more_parallelism)" in subprocess.run(
        [WARPLORE, "brief", "-o", "softmax", "-c", "mi300x"], cwd=folder, env=env, text=True,
        capture_output=True, timeout=60).stdout, "what else the change brought")
    daemon.stop()


main()
