"""Where to start on a chip that was never tuned: two chips' tuning files are imported, a third is asked
about. The first version offered is a good one, each result that comes back leads on, and nothing is
proposed that has a result or that is known to fail. With the real tuning files (../shared/data/tuning)
the same for convolution without the A4000: five proposals reach 0.9 of its optimum, and while a service
that starts again has not read the versions, its answers say so. They are left out where the files are
not there.
Usage: start.py WARPLORED WARPLORE SOURCE [--proposals N]"""
import gzip
import json
import math
import os
import subprocess
import sys

from daemon import Daemon, make_token, need, scratch

WARPLORED, WARPLORE, SOURCE = sys.argv[1:4]
PROPOSALS = int(sys.argv[5]) if len(sys.argv) > 5 else 5
REAL = os.path.join(SOURCE, "..", "shared", "data", "tuning")
NEIGHBOURS = ["convolution_A100", "convolution_A6000", "convolution_RTX_3090", "convolution_MI250X"]
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def ulid(n):
    out = ""
    for _ in range(26):
        out, n = ALPHABET[n % 32] + out, n // 32
    return out


class Memory:
    """A service with one token that may do everything here, and the client that speaks to it."""

    def __init__(self, data):
        # learning in the background would make two runs of this test different
        self.data, self.service = data, Daemon(WARPLORED, data, "--retrain_hours", "0")
        self.token = make_token(WARPLORED, data, "contributor")
        self.n = 0

    def client(self, *words):
        env = dict(os.environ, WARPLORE_TOKEN=self.token)
        url = f"http://127.0.0.1:{self.service.port}"
        done = subprocess.run([WARPLORE, *words, "--url", url], env=env, capture_output=True, text=True, timeout=900)
        need(done.returncode == 0, f"warplore {words[0]} to end well: {done.stdout[-2000:]}{done.stderr}")
        return done.stdout

    def ask(self, query):
        status, body = self.service.request("GET", "/api/v1/recommend?quiet=true&explain=true&" + query, self.token, timeout=120)[:2]
        need(status == 200, f"an answer to {query}: {status} {body[:300]}")
        return json.loads(body)

    def version_of(self, row):
        """The version that a row proposes; of a configuration that no version has, one is made."""
        if "version" in row:
            return row["version"]
        need(row["sweep"] and row["configuration"] >= 0, f"a configuration of a sweep: {row}")
        self.n += 1
        version = {"id": ulid(70000 + self.n), "kernel": row["kernel"], "kind": "candidate", "label": row["label"],
                   "params": row["params"]}
        self.post({"versions": [version]})
        return version["id"]

    def post(self, records):
        self.n += 1
        body = json.dumps({"warplore": 1, "id": ulid(9000 + self.n), **records})
        status, answer = self.service.request("POST", "/api/v1/submissions", self.token, body)[:2]
        need(status == 201, f"a result to be stored: {status} {answer[:300]}")

    def tell(self, row, chip, workload, ms):
        """A run: its time, or that it did not build."""
        version = self.version_of(row)
        self.n += 1
        run = {"id": ulid(5000 + self.n), "version": version, "chip": chip, "workload": {"dims": workload},
               "evidence": "measured", "tool": "test"}
        if ms is None:
            run["error"] = {"type": "compilation", "message": "does not fit"}
        else:
            run["samples_ns"] = [round(ms * 1e6) + i for i in range(5)]
        self.post({"runs": [run]})


def search(memory, query, chip, time_of, known_bad, proposals):
    """Measure what is proposed; the best fraction of the optimum after each."""
    best, seen, reached = math.inf, set(), []
    optimum = time_of.pop("optimum")
    for _ in range(proposals):
        answer = memory.ask(f"{query}&chip={chip}&next=true")
        for row in answer["next"]:
            need(row["label"] not in seen, f"{row['label']}: it was measured already")
            need(row["label"] not in known_bad, f"{row['label']}: known to fail")
        first = answer["next"][0]
        seen.add(first["label"])
        ms = time_of[first["label"]]
        memory.tell(first, chip, answer["place"]["workload"]["dims"], ms)
        best = min(best, ms or math.inf)
        reached.append(optimum / best)
    return reached


# ---- a small world ----

SPACE = [(b, t, s) for b in (16, 32, 64, 128) for t in (1, 2, 4, 8) for s in (0, 1)]


def small_time(chip, block, tile, shmem):
    if tile == 8 and shmem == 1:
        return None  # does not fit, on any of them
    best_block = {"A100": 64, "A6000": 32, "A4000": 32}[chip]
    return abs(math.log2(block / best_block)) * 0.2 + 1 / math.sqrt(tile) + 0.3 * (1 - shmem) + 0.1


def label(block, tile, shmem):
    return f"block_size_x={block} tile_size_x={tile} use_shmem={shmem}"


def cache_file(path, chip, device):
    cache = {}
    for block, tile, shmem in SPACE:
        ms = small_time(chip, block, tile, shmem)
        cache[f"{block},{tile},{shmem}"] = {
            "block_size_x": block, "tile_size_x": tile, "use_shmem": shmem, "time": ms if ms else "CompilationFailedConfig",
            "times": [ms, ms] if ms else [], "verification_time": 0, "timestamp": "2024-01-01 10:00:00+00:00"}
    with open(path, "w") as f:
        json.dump({"device_name": device, "kernel_name": "convolution_kernel", "problem_size": [4096, 4096],
                   "tune_params_keys": ["block_size_x", "tile_size_x", "use_shmem"], "cache": cache}, f)


def small(tmp):
    files, data = os.path.join(tmp, "files"), os.path.join(tmp, "small")
    os.mkdir(files)
    os.mkdir(data)
    cache_file(files + "/a.json", "A100", "NVIDIA A100-PCIE-40GB")
    cache_file(files + "/b.json", "A6000", "NVIDIA RTX A6000")
    memory = Memory(data)
    memory.client("import", files, "--licence", "MIT")
    times = {label(*c): small_time("A4000", *c) for c in SPACE}
    optimum = min(t for t in times.values() if t)
    bad = {name for name, t in times.items() if t is None}

    answer = memory.ask("operator=convolution&chip=a4000")
    start = answer["start"]
    need(answer["knowledge"]["level"] == "near", f"near results: {answer['knowledge']}")
    need(answer["place"]["workload_assumed"] and answer["place"]["measured"] == 0, f"a place: {answer['place']}")
    need(optimum / times[start[0]["label"]] > 0.85, f"a good start: {start[0]['label']}")
    need(not any(s["measured_here"] or s["label"] in bad for s in start), "starts that run, and are new here")
    need({f["chip"] for f in start[0]["from"]} == {"a100-40gb", "a6000"} or len(start[0]["from"]) == 2,
         f"both chips to speak for it: {start[0]['from']}")
    need(all(f.get("run") or f.get("sweep") for f in start[0]["from"]), "each with its run or sweep")
    need("next" not in answer and not any("reach" in t for t in answer.get("tune", [])), "only what was asked for")

    moves = memory.ask(f"chip=a4000&version={memory.version_of(start[-1])}")["tune"]
    need({m["technique"] for m in moves} <= {"compute.launch_config", "compute.thread_coarsening",
                                            "memory.tiling_smem", "use_shmem"}, f"names of the importer: {moves}")
    need(not any(m["to"] == 8 and m["parameter"] == "tile_size_x" and "use_shmem=1" in start[-1]["label"]
                 for m in moves), "no move to what does not build")

    reached = search(memory, "operator=convolution", "a4000", dict(times, optimum=optimum), bad, 8)
    print("small world:", " ".join(f"{r:.2f}" for r in reached))
    need(reached[4] >= 0.9, f"0.9 of the optimum after five: {reached}")
    answer = memory.ask("operator=convolution&chip=a4000")
    need(answer["knowledge"]["level"] == "exact", f"results of its own: {answer['knowledge']}")
    need(any(s["measured_here"] for s in answer["start"]), "the best measured here among the starts")

    text = memory.client("recommend", "--operator", "convolution", "--chip", "a4000", "--next")
    need("Measure next" in text and text.count("\n") < 40, f"advice on one screen: {text}")
    memory.service.stop()


# ---- a lineage ----

def lineage(tmp):
    """Padding won on one kernel and failed in the lineage of another: for that one it is said, and comes last."""
    data = os.path.join(tmp, "lineage")
    os.mkdir(data)
    memory = Memory(data)
    mine, other, v0, v1, w0, w1 = (ulid(100 + i) for i in range(6))

    def experiment(n, kernel, a, b, technique, before, after):
        return {"id": ulid(200 + n), "kernel": kernel, "from_version": a, "to_version": b, "title": technique,
                "techniques": [technique], "chip": "a4000", "claim": {"latency_before_ns": before, "latency_after_ns": after}}
    body = json.dumps({
        "warplore": 1, "id": ulid(99),
        "kernels": [{"id": mine, "operator": "gemm", "name": "mine", "language": "cuda"},
                    {"id": other, "operator": "gemm", "name": "other", "language": "cuda"}],
        "versions": [{"id": v0, "kernel": mine, "kind": "baseline", "label": "v0"}, {"id": w0, "kernel": other, "kind": "baseline"},
                     {"id": v1, "kernel": mine, "kind": "candidate", "parents": [{"version": v0, "kind": "derived_from"}]},
                     {"id": w1, "kernel": other, "kind": "candidate"}],
        "experiments": [experiment(0, other, w0, w1, "memory.smem_padding", 3000, 1000),
                        experiment(1, other, w0, w1, "compute.loop_unroll", 1100, 1000),
                        experiment(2, mine, v0, v1, "memory.smem_padding", 1000, 1200)]})
    status, answer = memory.service.request("POST", "/api/v1/submissions", memory.token, body)[:2]
    need(status == 201, f"the experiments to be stored: {status} {answer[:300]}")
    without = [a["technique"] for a in memory.ask("operator=gemm&chip=a4000")["advice"]]
    need(without[0] == "memory.smem_padding", f"what won most first: {without}")
    answer = memory.ask(f"chip=a4000&version={v0}")
    last = answer["advice"][-1]
    need(len(answer["advice"]) == len(without) and last["technique"] == "memory.smem_padding", f"it comes last: {answer['advice']}")
    need(last["repeats"]["experiment"] == ulid(202) and "slower" in last["repeats"]["reason"],
         f"what failed, and how: {last['repeats']}")
    need(not any("repeats" in a for a in answer["advice"][:-1]), "nothing is said of the others")
    state = answer["lineage"]
    need((state["attempts"], state["since_gain"], state["gained"]) == (1, 1, False), f"the lineage: {state}")
    memory.service.stop()


# ---- the real files ----

def begin_again(memory):
    """Advice is given before all versions are read: until then each answer says so instead of naming none."""
    memory.service.stop()
    memory.service = Daemon(WARPLORED, memory.data, "--retrain_hours", "0")
    said = 0
    while "start_state" in (answer := memory.ask("operator=convolution&chip=a4000")):
        need(answer["start_state"] == "reading", f"a known state: {answer['start_state']}")
        said += 1
    need(answer.get("start"), f"versions, once nothing says that they are missing; {said} answers did")
    print(f"started again: {said} answers came before the versions")



def real(tmp):
    data = os.path.join(tmp, "real")
    truth = os.path.join(REAL, "convolution_A4000.json.gz")
    if not os.path.exists(truth):
        print("the real tuning files are not there: left out")
        return
    os.mkdir(data)
    memory = Memory(data)
    for name in NEIGHBOURS:
        memory.client("import", os.path.join(REAL, name + ".json.gz"), "--licence", "MIT")
    with gzip.open(truth) as f:
        file = json.load(f)
    times = {}
    for entry in file["cache"].values():
        # the filter's size is the problem's
        name = " ".join(sorted(f"{k}={entry[k]}" for k in file["tune_params_keys"] if not k.startswith("filter_")))
        times[name] = entry["time"] if isinstance(entry["time"], (int, float)) else None
    optimum = min(t for t in times.values() if t)

    class Truth(dict):
        def __missing__(self, key):  # a configuration of another search: not in this space
            return None
    reached = search(memory, "operator=convolution", "a4000", Truth(times, optimum=optimum), set(), PROPOSALS)
    print("convolution without the A4000:", " ".join(f"{r:.2f}" for r in reached))
    need(reached[4] >= 0.9, f"0.9 of the optimum after five: {reached}")
    begin_again(memory)
    memory.service.stop()


with scratch() as tmp:
    lineage(tmp)
    small(tmp)
    real(tmp)
print("ok")
