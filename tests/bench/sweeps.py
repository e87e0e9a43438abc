"""Sweeps in figures: two tuning files go into a new service by the client.

  * size of the database beside the compressed files (aim: at most 3 times),
  * time to import a file of 4,362 configurations with 32 samples (aim: 1 s),
  * time of a kernel page and of a history with 11,130 configurations (aim: 100 ms),
  * time to import 100,000 configurations with 32 samples, and the memory that the service takes for it,
  * configurations per second of all cache files of FOLDER in one import (aim: 50,000), by the clock and by
    the processor seconds of client and service, beside those of Python's json for the same files.

Usage: sweeps.py WARPLORED WARPLORE FOLDER [FILE FILE]
FOLDER has tuning files (*.json.gz). Nothing is asserted: times depend on the machine."""
import gzip
import json
import os
import resource
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from daemon import Daemon, make_token, scratch  # noqa: E402

WARPLORED, WARPLORE, FOLDER = sys.argv[1:4]
FILES = sys.argv[4:6] or ["convolution_A100.json.gz", "convolution_MI250X.json.gz"]
PAGES = ("kernels/{k}", "sweeps?kernel={k}", "sweeps/{s}", "sweeps/{s}/configurations?limit=200", "kernels/{k}/history")


def size(folder):
    return sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(folder) for name in names)


def timed(command, env):
    began = time.monotonic()
    r = subprocess.run(command, env=env, capture_output=True, text=True)
    return time.monotonic() - began, r


def large(folder, n, samples):
    """A made-up cache file of N configurations."""
    path = os.path.join(folder, f"made_up_{n}_A100.json")
    cache, x = {}, 12345
    for i in range(n):
        times = []
        for _ in range(samples):
            x = (1103515245 * x + 12345) % 2**31
            times.append(round(1 + (i * 7919 % n) / n + x / 2**31 / 50, 6))
        cache[str(i)] = {"tile": i % 30, "block": 32 * (i // 30 % 53), "unroll": i // 1590,
                         "time": sum(times) / samples, "times": times, "GFLOP/s": 1000 / times[0]}
    with open(path, "w") as f:
        json.dump({"device_name": "NVIDIA A100-PCIE-40GB", "kernel_name": "gemm_kernel", "problem_size": [n, 4096],
                   "tune_params_keys": ["tile", "block", "unroll"], "tune_params": {}, "cache": cache}, f)
    return path


def pages(service, token, name):
    """Times of what is asked about the kernel NAME: the median of five."""
    def ask(path):
        status, body, _ = service.request("GET", "/api/v1/" + path, token)
        return json.loads(body) if status == 200 else print(path, status, body[:300])
    kernel = next(k["id"] for k in ask("kernels?limit=200")["rows"] if k["name"] == name)
    sweep = ask(f"sweeps?kernel={kernel}")["rows"][0]
    print(f"{name}: {sweep['summary']}")
    for path in PAGES:
        path = path.format(k=kernel, s=sweep["id"])
        took = []
        for _ in range(5):
            began = time.monotonic()
            ask(path)
            took.append(time.monotonic() - began)
        print(f"GET {path.replace(kernel, 'KERNEL').replace(sweep['id'], 'SWEEP')}: {1000 * sorted(took)[2]:.1f} ms")


def children():
    """Processor seconds of the children that have ended."""
    r = resource.getrusage(resource.RUSAGE_CHILDREN)
    return r.ru_utime + r.ru_stime


def service_seconds(pid):
    with open(f"/proc/{pid}/stat") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rate(folder):
    """All cache files, unpacked, go into a new service."""
    paths, texts = [], []
    for name in sorted(os.listdir(FOLDER)):
        if name.endswith(".json.gz") and "_T4" not in name:
            paths.append(os.path.join(folder, name[:-3]))
            with gzip.open(os.path.join(FOLDER, name)) as f, open(paths[-1], "wb") as out:
                texts.append(f.read())
                out.write(texts[-1])
    data = os.path.join(folder, "rate")
    service = Daemon(WARPLORED, data)
    env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{service.port}", WARPLORE_TOKEN=make_token(WARPLORED, data, "curator"),
               WARPLORE_STATE=os.path.join(folder, "state"))
    before = children(), service_seconds(service.child.pid)
    seconds, r = timed([WARPLORE, "import", "--json", *paths], env)
    client, server = children() - before[0], service_seconds(service.child.pid) - before[1]
    n = sum(f["entries"] for f in json.loads(r.stdout)["formats"])
    began = time.process_time()
    for text in texts:
        json.loads(text)
    peer = time.process_time() - began
    service.stop()
    print(f"{len(paths)} files, {n} configurations, {sum(map(len, texts)) / 1e6:.0f} MB: {n / seconds:,.0f}/s by the clock, "
          f"{n / (client + server):,.0f}/s by processor seconds ({client:.2f} s client, {server:.2f} s service); "
          f"{(client + server) / peer:.2f} times the {peer:.2f} s of Python's json")


with scratch() as folder:
    rate(folder)
    data = os.path.join(folder, "data")
    service = Daemon(WARPLORED, data)
    token = make_token(WARPLORED, data, "curator")
    env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{service.port}", WARPLORE_TOKEN=token)
    packed = 0
    for name in FILES:
        path = os.path.join(FOLDER, name)
        packed += os.path.getsize(path)
        seconds, r = timed([WARPLORE, "import", "--json", path], env)
        print(f"{name}: imported in {seconds:.2f} s, exit {r.returncode} {r.stderr.strip()[:300]}")
    service.stop()
    print(f"database {size(data) / 1e6:.2f} MB, files {packed / 1e6:.2f} MB compressed: {size(data) / packed:.2f} times")
    service = Daemon(WARPLORED, data)
    env["WARPLORE_URL"] = f"http://127.0.0.1:{service.port}"
    for n in (11130, 100000):
        seconds, r = timed([WARPLORE, "import", "--json", large(folder, n, 32)], env)
        print(f"{n} configurations x 32 samples: imported in {seconds:.2f} s, exit {r.returncode} {r.stderr.strip()[:300]}")
        if n == 11130:
            pages(service, token, "gemm")
    with open(f"/proc/{service.child.pid}/status") as f:
        print("service: at most {:.0f} MB of memory".format(next(int(line.split()[1]) for line in f if line.startswith("VmHWM")) / 1e3))
    service.stop()
