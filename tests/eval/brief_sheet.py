"""Fifty briefs to read: ten questions to each of demo, campaign, agent-logs, kernelflow and tuning,
loaded by the importers and answered by `warplore brief` in at most 6,000 bytes. A data set that is
absent is left out.

Usage: brief_sheet.py WARPLORED WARPLORE SOURCE_DIR [DATA_DIR] > sheet.md"""
import glob
import json
import os
import subprocess
import sys

WARPLORED, WARPLORE, SOURCE = map(os.path.abspath, sys.argv[1:4])
DATA = sys.argv[4] if len(sys.argv) > 4 else os.path.join(SOURCE, "..", "shared", "data")
sys.path.insert(0, os.path.join(SOURCE, "tests", "e2e"))
from daemon import Daemon, make_token, need, scratch  # noqa: E402

QUESTIONS, MOST = 10, 6000  # per data set; bytes of an answer
# of the shipped records: each kind of question that a person has
ASKED = {
    "demo": ["-o softmax -c sm_86 -l cuda", "-o softmax -c mi300x", "-o topk_softmax -c mi300x", "-o topk_per_row",
             "-o gated_rmsnorm_quant -c mi300x", "-o moe_fused_gate -c mi300x", "-o gemm -c h100", "-o rmsnorm -c b200",
             "-o flash_attention -c h200 --bottleneck memory", "-o softmax -c a100 -d M=4096,N=1024 --dtype f32"],
    "campaign": ["-o gemm -c h200", "gemm_f32_cuda", "-o softmax -c h200", "transpose_cuda", "reduction_cuda", "-o mha -c h200",
                 "-o histogram -c h200", "stencil_cuda", "-o rmsnorm -c h200 -l triton", "-o gemm -c h100 -d M=8192,N=8192,K=8192 --dtype bf16"],
}


def files(name):
    """The files of a data set and the command that loads them."""
    if name in ASKED:
        folder = "h200" if name == "campaign" else name
        return sorted(glob.glob(os.path.join(SOURCE, "tests", "fixtures", folder, "*.json")))
    pattern = {"kernelflow": "gsm_*.json", "tuning": "*.json.gz", "agent-logs": "*"}[name]
    return sorted(glob.glob(os.path.join(DATA, name, pattern)))


def questions(name, get):
    """Kernels with most experiments or searches first, then chips where nothing ran."""
    if name in ASKED:
        return ASKED[name]
    kernels = [k for k in get("kernels?limit=200")["rows"] if k["language"] != "library"]
    kernels.sort(key=lambda k: (-(k.get("experiments") or 0), k["id"]))
    by_operator = {}
    for k in kernels:
        by_operator.setdefault(k["operator"], []).append(k)
    asked = []
    while any(by_operator.values()) and len(asked) < QUESTIONS - 2:
        for rows in by_operator.values():
            if rows and len(asked) < QUESTIONS - 2:
                asked.append(f"-k {rows.pop(0)['id']}")
    sweeps = get("sweeps?limit=200")["rows"]
    for s in sweeps:
        text = f"-o {s['operator']} -c {s['chip']}"
        if len(asked) < QUESTIONS - 2 and text not in asked:
            asked.append(text)
    operators = list(by_operator)
    elsewhere = [f"-o {op} -c {chip}" for chip in ("b200", "mi300x", "h100-sxm", "l40s") for op in operators]
    return (asked + elsewhere)[:QUESTIONS]


def sheet(name, folder):
    found = files(name)
    if not found:
        print(f"# {name}: absent\n")
        return
    data = os.path.join(folder, name)
    daemon = None
    if name in ASKED:
        subprocess.run([WARPLORED, "load", "--data", data, *found], check=True, stdout=subprocess.DEVNULL)
    token = make_token(WARPLORED, data, "contributor")
    daemon = Daemon(WARPLORED, data)
    env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{daemon.port}", WARPLORE_TOKEN=token, HOME=folder)

    def client(*words):
        return subprocess.run([WARPLORE, *words], env=env, cwd=folder, capture_output=True, text=True)

    def get(path):
        status, text, _ = daemon.request("GET", "/api/v1/" + path, token)
        need(status == 200, f"{path}: {status} {text[:200]}")
        return json.loads(text)

    if name not in ASKED:
        client("import", *found)
        need(get("stats"), "statistics")
    print(f"# {name}\n")
    for i, question in enumerate(questions(name, get)):
        answer = client("brief", *question.split())
        size = len(answer.stdout.encode())
        need(answer.returncode == 0 and size <= MOST, f"{name}, {question}: {answer.returncode}, {size} bytes")
        print(f"## {name} {i + 1}: `warplore brief {question}` ({size} bytes)\n\n{answer.stdout or answer.stderr}")
    daemon.stop()


with scratch() as scratch_folder:
    for set_name in ("demo", "campaign", "agent-logs", "kernelflow", "tuning"):
        sheet(set_name, scratch_folder)
