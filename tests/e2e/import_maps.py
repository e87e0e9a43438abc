"""`warplore import` reads files with rows by maps: a map of the user's, a proposed one, a saved one.

Usage: import_maps.py WARPLORED WARPLORE"""
import json
import os
import subprocess
import sys

from daemon import Daemon, make_token, need, scratch

WARPLORED, WARPLORE = sys.argv[1:3]
TABLE = """op,gpu,lang,M,N,K,latency_us,ok,note
matmul,NVIDIA H100 80GB HBM3,triton,4096,4096,4096,310.5,True,first
matmul,NVIDIA H100 80GB HBM3,triton,2048,2048,2048,61.5,False,edge is wrong
"""
MAP = """map: ours
kind: runs
operator: {value: softmax}
language: {value: cuda}
chip: {column: board, default: a100}
dims: {rows: r, cols: c}
version: v
time: {column: t, unit: ms, statistic: median}
"""


def warplore(env, *words, code=0):
    r = subprocess.run([WARPLORE, *words], env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    need(r.returncode == code, f"exit {code} of {words}, not {r.returncode}: {r.stdout[-600:]} {r.stderr[-600:]}")
    return r.stdout


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def rows(env, what, *options):
    return json.loads(warplore(env, "list", what, "--json", *options))["rows"]


def main():
    with scratch() as folder:
        data = os.path.join(folder, "data")
        service = Daemon(WARPLORED, data)
        env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{service.port}",
                   WARPLORE_TOKEN=make_token(WARPLORED, data, "curator"),
                   XDG_CONFIG_HOME=os.path.join(folder, "config"), XDG_STATE_HOME=folder)
        table = write(folder, "bench.csv", TABLE)
        wrong = write(folder, "wrong.yaml", MAP.replace("{value: softmax}", "softmax"))
        said = subprocess.run([WARPLORE, "import", "--map", wrong, write(folder, "rc.csv", "r,c,v,t,board\n8,8,v1,1,a100\n")],
                              env=env, capture_output=True, text=True)
        need(said.returncode == 2 and "operator: {value: softmax}" in said.stdout + said.stderr, f"a word that is no column: {said}")
        need(not rows(env, "runs"), "nothing of a row whose operator the map misses")
        warplore(env, "import", table, code=2)  # nobody knows these columns
        out = warplore(env, "import", "--suggest", table)
        need("#   latency_us" in out and "time: {column: latency_us, unit: us" in out, f"a proposal: {out}")
        need("run: gemm, kernel gemm [triton]" in out and "mean 310.5 us" in out, f"records: {out}")
        need(os.path.exists(os.path.join(folder, "config", "warplore", "maps", "bench.yaml")), "a saved map")
        report = json.loads(warplore(env, "import", "--json", table))
        need(report["formats"][0]["records"]["runs"]["stored"] == 2, f"two runs: {report}")
        again = json.loads(warplore(env, "import", "--json", table))
        need(again["formats"][0]["records"]["runs"]["stored"] == 0, f"nothing new: {again}")
        runs = rows(env, "runs")
        need({r["chip"] for r in runs} == {"h100-sxm"}, f"the chip: {runs}")

        own = write(folder, "own.tsv", "v\tboard\tr\tc\tt\nv1\tA100\t16\t32\t1.5\nv2\t-\t16\t32\t1.25\n")
        mine = write(folder, "own.yaml", MAP)
        warplore(env, "import", "--map", mine, own)
        board = rows(env, "runs", "-c", "a100")
        need(len(board) == 2 and {r["operator"] for r in board} == {"softmax"}, f"runs by the map: {board}")
        write(folder, "wrong.yaml", MAP + "opperator: x\n")
        r = subprocess.run([WARPLORE, "import", "--map", os.path.join(folder, "wrong.yaml"), own], env=env,
                           capture_output=True, text=True)
        need(r.returncode == 2 and "did you mean operator?" in r.stderr, f"the error of a map: {r.stderr}")
        out = warplore(env, "import", "--suggest", write(folder, "x.jsonl", '{"t": 1}\n{"t": 2}\n'), code=1)
        need('operator: "?"' in out and "#   chip: On which chip" in out, f"questions: {out}")
        service.stop()
    print("files are read by maps of the user's, proposed and saved ones")


main()
