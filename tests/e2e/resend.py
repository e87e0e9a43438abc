"""An agent and a service that is restored from an older backup: what it had acknowledged since then comes
back by itself, once, whether something new waits or not. What no longer fits into the bound of
delivered records is dropped, the oldest first; what was kept long enough, too.
Usage: resend.py WARPLORED WARPLORE"""
import glob
import json
import os
import shutil
import subprocess
import sys

from daemon import Daemon, need, scratch

WARPLORED, WARPLORE = sys.argv[1:3]
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def ulid(n):
    text = ""
    for _ in range(12):
        text = ALPHABET[n % 32] + text
        n //= 32
    return "01JB0000000000" + text


class Host:
    def __init__(self, room):
        self.room, self.state, self.url = room, os.path.join(room, "state"), ""

    def agent(self, *words, code=0):
        env = {"PATH": os.environ["PATH"], "HOME": self.room, "WARPLORE_STATE": self.state, "WARPLORE_URL": self.url,
               "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
        done = subprocess.run([WARPLORE, "agent", *words], env=env, capture_output=True, text=True, timeout=120)
        need(done.returncode == code, f"agent {words} to end with {code}, not {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def add(self, numbers, size=100):
        path = os.path.join(self.room, "document.json")
        for n in numbers:
            with open(path, "w") as f:
                f.write(json.dumps({"warplore": 1, "id": ulid(4 * n + 1), "kernels": [
                    {"id": ulid(4 * n + 2), "operator": "softmax", "name": f"kernel {n} " + "x" * 100,
                     "language": "cuda"}]}) + " " * size)
            self.agent("add", path)

    def sent(self):
        return sorted(glob.glob(self.state + "/spool/sent/*.wsp"))


def dump(data):
    return subprocess.run([WARPLORED, "dump", "--data", data], check=True, capture_output=True, text=True).stdout


def restart(d, data, backup=None):
    d.stop()
    if backup:
        shutil.rmtree(data)
        shutil.copytree(backup, data)
    return Daemon(WARPLORED, data, "--listen", f"127.0.0.1:{d.port}")


def main():
    with scratch() as room:
        data, backup, host = room + "/data", room + "/backup", Host(room)
        d = Daemon(WARPLORED, data)
        host.url = f"http://127.0.0.1:{d.port}"
        code = subprocess.run([WARPLORED, "enroll", "--data", data], check=True, capture_output=True, text=True).stdout
        host.agent("enroll", "--code", code.split()[0], "--label", "gpu01")

        def rows():
            text = d.request("GET", "/api/v1/agents", token)[1]
            return json.loads(text)["rows"][0]
        token = subprocess.run([WARPLORED, "token", "--data", data, "--role", "reader"], check=True,
                               capture_output=True, text=True).stdout.strip()

        host.add(range(20))
        need("20 stored" in host.agent("run", "--once"), "the first records")
        d.stop()
        shutil.copytree(data, backup)
        d = Daemon(WARPLORED, data, "--listen", f"127.0.0.1:{d.port}")
        # large ones fill segments, which move to sent/
        host.add(range(20, 30), size=600 << 10)
        host.agent("run", "--once")
        host.add(range(30, 40))
        need("10 stored" in host.agent("run", "--once"), "records after the backup")
        need(host.sent(), "delivered segments to be kept")
        d.stop()
        want = dump(data)
        need(want.count('"kind":"kernel"') >= 40, "every record in the dump")

        # nothing new waits
        d = Daemon(WARPLORED, data, "--listen", f"127.0.0.1:{d.port}")
        d = restart(d, data, backup)
        said = host.agent("run", "--once")
        need("20 stored, 0 already there" in said and "lost 20 acknowledged records" in said, "the lost ones again: " + said)
        need("0 stored, 0 already there" in host.agent("run", "--once"), "nothing twice")
        host.agent("verify")
        d.stop()
        need(dump(data) == want, "the same records as before")

        # something new waits, and an agent that does not ask first: its receipt says it
        shutil.rmtree(data)
        shutil.copytree(backup, data)
        d = Daemon(WARPLORED, data, "--listen", f"127.0.0.1:{d.port}")
        host.add([40])
        said = host.agent("run", "--once")
        need("21 stored, 0 already there" in said, "old and new: " + said)
        need(rows()["stored"] == 41, f"each once: {rows()}")
        host.agent("verify")
        need(len(glob.glob(host.state + "/receipts-before-*.jsonl")) == 2, "the longer chains to be kept aside")

        # a backup that is not older changes nothing
        d = restart(d, data)
        need("0 stored, 0 already there" in host.agent("run", "--once"), "nothing to do")
        # time over
        need(host.sent(), "something to drop")
        host.agent("run", "--once", "--keep-days", "0")
        need(not host.sent(), "nothing kept after its time")
        host.agent("run", "--once", "--keep-days", "-1", code=2)
        d.stop()


main()
