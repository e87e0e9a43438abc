"""What `warplore import` answers: one JSON value, also when the service refuses documents; one bad
time costs that time; a line for each file, progress and questions on a terminal.

Usage: import_answers.py WARPLORED WARPLORE"""
import json
import os
import pty
import re
import subprocess
import sys

from daemon import Daemon, make_token, need, scratch

WARPLORED, WARPLORE = sys.argv[1:3]
AUTHOR = {"name": "somebody", "kind": "human"}


def cache(entries):
    return json.dumps({"device_name": "NVIDIA A100-PCIE-40GB", "kernel_name": "gemm_kernel", "problem_size": [4096, 4096],
                       "tune_params_keys": ["tile"], "tune_params": {}, "cache": entries})


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def run(env, *words):
    """The exit code and the report: json.loads fails when there is more than one value."""
    r = subprocess.run([WARPLORE, "import", "--json", *words], env=env, capture_output=True, text=True)
    return r.returncode, json.loads(r.stdout), r.stderr


def on_a_terminal(env, *words, answers=()):
    """Everything that the command shows on a terminal; ANSWERS are (what it asks, what to type)."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(WARPLORE, [WARPLORE, "import", *words], dict(env, TERM="xterm", NO_COLOR="1"))
    seen, waiting = b"", list(answers)
    try:
        while part := os.read(terminal, 65536):
            seen += part
            if waiting and waiting[0][0] in seen:
                os.write(terminal, waiting.pop(0)[1] + b"\n")
    except OSError:
        pass  # the other side closed
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    need(not waiting, f"to be asked {waiting}: {seen.decode()}")
    return status, seen.decode()


def refused_documents(env, folder):
    """An export in which three documents have one id: the service takes the first one only."""
    lines = []
    for i in range(3):
        document = {"warplore": 1, "id": "01JABCDEFGHJKMNPQRSTVWXYZ0", "author": AUTHOR, "kernels": [
            {"id": f"01JABCDEFGHJKMNPQRSTVWXYZ{i}", "operator": "gemm", "language": "cuda", "name": f"k{i}"}]}
        lines.append(json.dumps({"seq": i + 1, "text": json.dumps(document)}))
    code, report, said = run(env, write(folder, "export.jsonl", "\n".join(lines) + "\n"))
    found = report["formats"][0]
    need(code == 2, f"exit 2, not {code}: {said}")
    need(len(found["documents"]) == 1 and len(found["refusals"]) == 2, found)
    for refusal in found["refusals"]:
        need(refusal["document"] == "01JABCDEFGHJKMNPQRSTVWXYZ0" and refusal["problem"]["status"] == 409, refusal)
    need("refused as a whole" in said, "people are told, too: " + said)


def a_bad_time(env, folder, service, token):
    text = cache({"1": {"tile": 1, "time": 0}, "2": {"tile": 2, "time": 2.5}, "3": {"tile": 3, "time": 0, "times": [1.0, 2.0]}})
    code, report, said = run(env, write(folder, "zero.json", text))
    found = report["formats"][0]
    need(code == 0 and found["refused"] == 0 and found["entries"] == 3, f"{code} {said} {found}")
    need(any("stated time of 0" in d["text"] and d["count"] == 2 for d in found["traps"]), found["traps"])
    sweep = json.loads(service.request("GET", "/api/v1/sweeps", token)[1])["rows"][0]
    rows = json.loads(service.request("GET", f"/api/v1/sweeps/{sweep['id']}/configurations", token)[1])["rows"]
    need(len(rows) == 3, f"all three configurations are stored: {rows}")
    alone = run(env, write(folder, "only.json", cache({"1": {"tile": 7, "time": 0}})))
    need(alone[0] == 0, f"a search without a time at all: {alone}")


def terminal(env, folder):
    many = os.path.join(folder, "many")
    os.mkdir(many)
    for i in range(30):
        write(many, f"t{i:02d}_A100.json", cache({str(k): {"tile": 100 * i + k, "time": 1.0 + k} for k in range(3)}))
    write(many, "t00_bad.json", cache({"1": {"tile": 1, "time": True}}))
    code, seen = on_a_terminal(env, many)
    need(code == 2, f"exit 2, not {code}: {seen}")
    lines = re.findall(r"many/t\d\d_\w+\.json +kernel-tuner", seen)
    need(len(lines) == 19 and re.search(r"… 12 more .* 36 ", seen), f"19 files and the rest: {seen}")
    need(re.search(r"many/t00_bad.json +kernel-tuner +1 +1", seen), "what was refused in which file: " + seen)
    plain = subprocess.run([WARPLORE, "import", "--dry-run", many], env=env, capture_output=True, text=True).stdout
    need("many/t01" not in plain, "no list of files in a pipe: " + plain)
    large = write(folder, "large_A100.json", cache({
        str(i): {"tile": i, "time": 1 + i / 7, "times": [1 + k / 3 for k in range(32)]} for i in range(40000)}))
    code, seen = on_a_terminal(env, large, large)
    need(code == 0, f"exit {code}: {seen}")
    need(re.search(r"\r1 of 2 paths: \d+ of \d+ MB, \d+ entries, \d+/s, \d+ s left", seen), "progress: " + seen[:2000])
    need(seen.rindex("\r\x1b[K") < seen.index("kernel-tuner"), "then the report")


def questions(env, folder):
    table = write(folder, "table.csv", "op,lang,M,N,K,time,ok\nmatmul,triton,64,64,64,310.5,True\nmatmul,triton,32,32,32,61.5,True\n")
    code, seen = on_a_terminal(env, "--suggest", table, answers=((b"chip", b"h1000"), (b"did you mean", b"h100-sxm"),
                                                               (b"unit", b"us")))
    need("h100-sxm" in seen and "unit: us" in seen, f"the answers are in the map, exit {code}: {seen}")


def main():
    with scratch() as folder:
        data = os.path.join(folder, "data")
        service = Daemon(WARPLORED, data)
        token = make_token(WARPLORED, data, "contributor")
        env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{service.port}", WARPLORE_TOKEN=token,
                   WARPLORE_STATE=os.path.join(folder, "state"), XDG_CONFIG_HOME=folder)
        refused_documents(env, folder)
        a_bad_time(env, folder, service, token)
        terminal(env, folder)
        questions(env, folder)
        service.stop()


main()
