"""Clocks that are wrong: an agent ten years behind, ten ahead, and one whose clock jumps an hour
back and forth every second; a service whose clock is set back. Nothing is lost, nothing waits for
ever, a wrong clock costs at most two more requests, and the receipts verify.
Usage: clock.py WARPLORED WARPLORE SHIFTED_CLOCK_LIBRARY"""
import json
import os
import re
import subprocess
import sys
import time

from daemon import Daemon, make_token, need, scratch

WARPLORED, WARPLORE, LIBRARY = sys.argv[1:4]
TEN_YEARS = 10 * 365 * 86400
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def ulid(n):
    return "01JB" + "0" * 20 + ALPHABET[n // 32] + ALPHABET[n % 32]


def shifted(env, path):
    sanitizers = env.get("ASAN_OPTIONS", "")
    return {**env, "LD_PRELOAD": LIBRARY, "SHIFTED_CLOCK": path,
            "ASAN_OPTIONS": sanitizers + ":verify_asan_link_order=0"}


def write(path, text):
    with open(path + ".new", "w") as f:
        f.write(text)
    os.rename(path + ".new", path)


class Host:
    def __init__(self, tmp, port):
        self.tmp, self.clock, self.n = tmp, os.path.join(tmp, "host.clock"), 0
        self.env = shifted({"PATH": os.environ["PATH"], "HOME": tmp,
                            "WARPLORE_STATE": os.path.join(tmp, "state"),
                            "WARPLORE_URL": f"http://127.0.0.1:{port}",
                            **{k: v for k, v in os.environ.items() if k == "ASAN_OPTIONS"}}, self.clock)

    def agent(self, *words):
        done = subprocess.run([WARPLORE, "agent", *words], env=self.env, capture_output=True, text=True, timeout=120)
        need(done.returncode == 0, f"agent {words[0]} to end well: {done.returncode} {done.stdout}{done.stderr}")
        return done.stdout

    def add(self):
        path = os.path.join(self.tmp, "document.json")
        with open(path, "w") as f:
            json.dump({"warplore": 1, "id": ulid(2 * self.n), "kernels": [
                {"id": ulid(2 * self.n + 1), "operator": "softmax", "name": f"k{self.n}", "language": "cuda"}]}, f)
        self.agent("add", path)
        self.n += 1


def count(service, token, name):
    text = service.request("GET", "/metrics", token)[1].decode()
    return int(float(re.search(rf"^warplore_{name} (\S+)$", text, re.M)[1]))


def main():
    with scratch() as tmp:
        data, service_clock = os.path.join(tmp, "data"), os.path.join(tmp, "service.clock")
        write(service_clock, "0")
        os.environ.update({k: v for k, v in shifted(dict(os.environ), service_clock).items()
                           if k in ("LD_PRELOAD", "SHIFTED_CLOCK", "ASAN_OPTIONS")})
        service = Daemon(WARPLORED, data)
        token = make_token(WARPLORED, data, "reader")
        host = Host(tmp, service.port)
        write(host.clock, "0")
        said = subprocess.run([WARPLORED, "enroll", "--data", data, "--label", "h"], check=True,
                              capture_output=True, text=True).stdout
        host.agent("enroll", "--code", re.search(r"wle_[\w-]+", said)[0])
        for seconds in (-TEN_YEARS, TEN_YEARS, 0):
            write(host.clock, str(seconds))
            host.add()
            refused = count(service, token, "batch_requests_refused_total")
            host.agent("run", "--once")
            tries = count(service, token, "batch_requests_refused_total") - refused
            need(tries == 0 if seconds == 0 else 1 <= tries <= 2,  # none would mean that no clock was wrong
                 f"a clock off by {seconds} s to cost one try or two, not {tries}")
            need(count(service, token, "batch_records_stored_total") == host.n, f"all stored at {seconds} s")
        print("ten years behind and ahead: stored")

        write(host.clock, "jump 3600")
        agent = subprocess.Popen([WARPLORE, "agent", "run", "--interval", "1"], env=host.env,
                                 stderr=subprocess.DEVNULL)
        for _ in range(8):
            host.add()
            time.sleep(0.4)
        end = time.monotonic() + 60
        while count(service, token, "batch_records_stored_total") < host.n and time.monotonic() < end:
            time.sleep(0.2)
        agent.terminate()
        need(agent.wait(20) == 0, "the agent to end well")
        need(count(service, token, "batch_records_stored_total") == host.n, "all stored by a clock that jumps")
        print("a clock that jumps an hour every second: stored")

        write(host.clock, "0")
        write(service_clock, str(-30 * 86400))
        for _ in range(3):
            host.add()
            host.agent("run", "--once")
        status = json.loads(host.agent("status", "--json"))
        need(status["waiting"] == 0 and status["dead"] == 0 and status["damaged"] == 0, f"nothing left: {status}")
        need(count(service, token, "batch_records_stored_total") == host.n, "all stored by a service set back")
        rows = json.loads(service.request("GET", "/api/v1/submissions?limit=200", token)[1])["rows"]
        need({r["id"] for r in rows if r["actor"] != "warplored"} == {ulid(2 * i) for i in range(host.n)}, "each document once")
        print(host.agent("verify").strip())
        service.stop()
        done = subprocess.run([WARPLORED, "verify", "--data", data], capture_output=True, text=True)
        need(done.returncode == 0, f"the service's chain to hold: {done.stdout}{done.stderr}")
        print(done.stdout.strip())


main()
