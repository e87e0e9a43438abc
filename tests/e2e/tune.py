"""Other values of what a version has, in a session: values that were tried stand beside the value now,
another one is proposed, the odds fall with failures, and one failed value does not put its technique
under `avoid`.

Usage: tune.py WARPLORED WARPLORE"""
import json
import os
import subprocess
import sys

from daemon import Daemon, make_token, need, scratch

WARPLORED, WARPLORE = (os.path.abspath(p) for p in sys.argv[1:3])
GAINS = [
    ["session", "start", "gemm_tuned", "--operator", "gemm", "--language", "cuda", "--chip", "h100", "--dims", "M=4096,N=4096,K=4096"],
    ["try", "baseline", "--time", "120us"],
    ["try", "software pipeline with num_stages=3 and block_k=32", "--time", "81us"],
]
FAILURES = [
    ["try", "num_stages=4", "--time", "90us"],
    ["try", "pad shared memory, padding=4", "--time", "95us"],
    ["try", "shared memory swizzle", "--time", "99us"],
]


def main():
    with scratch() as folder:
        data, home = os.path.join(folder, "data"), os.path.join(folder, "home")
        os.mkdir(data)
        os.mkdir(home)
        daemon = Daemon(WARPLORED, data)
        token = make_token(WARPLORED, data, "contributor")
        env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{daemon.port}", HOME=home, NO_COLOR="1", COLUMNS="120",
                   WARPLORE_TOKEN=token, LC_ALL="C.UTF-8")

        def run(*words):
            done = subprocess.run([WARPLORE, *words], cwd=home, env=env, text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=60)
            need(done.returncode == 0, f"{words} to end well: {done.stdout}{done.stderr}")
            return done.stdout

        def get(path):
            status, body = daemon.request("GET", "/api/v1/" + path, token)[:2]
            need(status == 200, f"an answer to {path}: {status} {body[:300]}")
            return json.loads(body)

        def ask(explain="true"):
            return get(f"recommend?version={head}&quiet=true&explain={explain}")

        def row_of(answer, parameter):
            rows = [t for t in answer["tune"] if t.get("parameter") == parameter]
            need(len(rows) == 1, f"one row for {parameter}: {answer['tune']}")
            return rows[0]

        for command in GAINS:
            run(*command)
        head = get("experiments")["rows"][0]["to_version"]
        before = ask()
        stages = row_of(before, "num_stages")
        need((stages["from"], stages["to"]) == (3, 4), f"4 stages after 3: {stages}")
        need(row_of(before, "block_k")["to"] == 64, "a block_k of 64 after 32")

        for command in FAILURES:
            run(*command)
        after = ask()
        stages = row_of(after, "num_stages")
        need(stages["to"] == 2 and stages["tried"][-1]["end"] == "loss", f"4 stages failed: {stages}")
        need(stages["p_win"]["value"] < row_of(before, "num_stages")["p_win"]["value"], "odds to fall with a failed value")
        need(row_of(after, "block_k")["p_win"]["value"] < row_of(before, "block_k")["p_win"]["value"],
             "odds to fall with attempts since the gain")
        need(after["lineage"]["p_win"] < before["lineage"]["p_win"], "the odds of any attempt to fall")
        avoided = {a["technique"] for a in after["avoid"]}
        need("memory.smem_padding" not in avoided, f"padding failed with one value only: {avoided}")
        need(row_of(after, "padding")["to"] == 8, "another padding")
        need("memory.smem_swizzle" in avoided, f"the swizzle itself failed: {avoided}")
        ranks = [t["rank"] for t in after["tune"]] + [a["rank"] for a in after["advice"]]
        need(sorted(ranks) == list(range(1, len(ranks) + 1)), f"one order of both lists: {ranks}")

        short = ask("false")
        need(row_of(short, "num_stages")["from"] == 3 and "tried" not in short["tune"][0], "the short answer to have it")
        need(len(json.dumps(short)) <= 8192, "at most 8 KiB")
        said = run("brief", "gemm_tuned")
        need("num_stages is 3 now; 4 was slower" in said, "the brief to say it: " + said)
        need("num_stages" in run("recommend", "--version", head), "the client to print it")


main()
