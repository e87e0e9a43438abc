"""An agent and a service with a bad network between them: enrolment, 200 records while both are
killed again and again, replies lost, deliveries late and twice; tampered, forged, replayed and
redirected requests. Exactly 200 documents in the end, and a chain of receipts that verifies.
Usage: agent.py WARPLORED WARPLORE [RECORDS [KILLS]]"""
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import threading
import time

from daemon import Daemon, make_token, need, scratch, until

WARPLORED, WARPLORE = sys.argv[1:3]
RECORDS = int(sys.argv[3]) if len(sys.argv) > 3 else 200
KILLS = int(sys.argv[4]) if len(sys.argv) > 4 else 10
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Proxy:
    """Passes whole requests to the service, one connection each, and does them harm."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.upstream = 0
        self.harm = lambda request: request  # bytes to send; None: hold it back
        self.lose = False  # the reply
        self.requests = []
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self.one, args=(client,), daemon=True).start()

    def one(self, client):
        with client:
            try:
                data = b""
                while b"\r\n\r\n" not in data:
                    chunk = client.recv(65536)
                    if not chunk:
                        return
                    data += chunk
                head, body = data.split(b"\r\n\r\n", 1)
                length = int(re.search(rb"(?i)content-length: (\d+)", head + b"\r\ncontent-length: 0")[1])
                while len(body) < length:
                    body += client.recv(65536)
                head = re.sub(rb"(?i)\r\nhost: [^\r]*", b"\r\nHost: 127.0.0.1", head)
                request = head + b"\r\nConnection: close\r\n\r\n" + body
                self.requests.append(request)
                request = self.harm(request)
                if request is None:
                    return
                reply = self.send(request)
                if not self.lose:
                    client.sendall(reply)
            except OSError:
                pass  # the client sees a closed connection

    def send(self, request):
        with socket.create_connection(("127.0.0.1", self.upstream), timeout=30) as s:
            s.sendall(request)
            out = b""
            while chunk := s.recv(65536):
                out += chunk
            return out

    def batches(self):
        return [r for r in self.requests if r.startswith(b"POST /api/v1/batches")]


def status_of(reply):
    return int(reply.split(b" ", 2)[1]) if reply else 0


def ulid(n):
    text = ""
    for _ in range(12):
        text = ALPHABET[n % 32] + text
        n //= 32
    return "01JB0000000000"[:14] + text


def document(n):
    return json.dumps({"warplore": 1, "id": ulid(4 * n + 1), "kernels": [
        {"id": ulid(4 * n + 2), "operator": "softmax", "name": f"kernel {n}", "language": "cuda"}]})


class Host:
    def __init__(self, tmp, proxy):
        self.tmp, self.state, self.proxy = tmp, os.path.join(tmp, "state"), proxy
        self.env = {"PATH": os.environ["PATH"], "HOME": tmp, "WARPLORE_STATE": self.state,
                    "WARPLORE_URL": f"http://127.0.0.1:{proxy.port}"}
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
            if name in os.environ:
                self.env[name] = os.environ[name]

    def agent(self, *words, code=0):
        done = subprocess.run([WARPLORE, "agent", *words], env=self.env, capture_output=True, text=True,
                              timeout=120)
        need(code is None or done.returncode == code,
             f"agent {words[0]} to end with {code}, not {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def add(self, numbers):
        paths = []
        for n in numbers:
            paths.append(os.path.join(self.tmp, f"{n}.json"))
            with open(paths[-1], "w") as f:
                f.write(document(n))
        self.agent("add", *paths)

    def status(self):
        return json.loads(self.agent("status", "--json"))

    def daemon(self):
        return subprocess.Popen([WARPLORE, "agent", "run", "--interval", "1"], env=self.env,
                                stderr=subprocess.DEVNULL)


def documents(service, token):
    ids, after = set(), ""
    while True:
        status, body, _ = service.request("GET", f"/api/v1/submissions?limit=200{after}", token)
        need(status == 200, f"the list of documents: {status} {body[:300]}")
        page = json.loads(body)
        ids.update(row["id"] for row in page["rows"] if row["actor"] != "warplored")  # ships with the service
        if not page.get("next"):
            return ids
        after = "&cursor=" + page["next"]


def new_code(data, label):
    said = subprocess.run([WARPLORED, "enroll", "--data", data, "--label", label], check=True,
                          capture_output=True, text=True).stdout
    return re.search(r"wle_[\w-]+", said)[0]


def enroll(host, data):
    code = new_code(data, "gpu-7")
    host.agent("enroll", "--code", code)
    need("HTTP 4" in host.agent("enroll", "--new-key", "--code", code, code=None), "a used code to be refused")
    return code


def survive_kills(host, proxy, data, service):
    """Kill the agent, the service or both while records are added; lose a third of the replies."""
    dice, added, agent = random.Random(5), 0, None
    for kill in range(KILLS):
        chunk = (RECORDS - added) if kill == KILLS - 1 else RECORDS // KILLS
        agent = agent or host.daemon()
        host.add(range(added, added + chunk))
        added += chunk
        proxy.lose = dice.random() < 0.33
        time.sleep(dice.uniform(0.02, 0.6))
        if kill % 3 != 1:
            agent.kill()
            agent.wait()
            agent = None
        if kill % 3 != 0:
            service.child.kill()
            service.child.wait()
            service = Daemon(WARPLORED, data)
            proxy.upstream = service.port
        proxy.lose = False
    if agent:
        agent.terminate()
        need(agent.wait(10) == 0, "the agent to end well when asked")
    host.agent("run", "--once")
    return service


def late_and_twice(host, proxy, service, token):
    """A batch held back by the network arrives after its records came in another one."""
    before = documents(service, token)
    host.add([10000, 10001])
    proxy.harm = lambda request: None
    host.agent("run", "--once", code=3)
    held = proxy.batches()[-1]
    proxy.harm = lambda request: request
    host.agent("run", "--once")
    need(len(documents(service, token)) == len(before) + 2, "both to be stored")
    reply = proxy.send(held)
    need(status_of(reply) == 200 and reply.count(b'"duplicate"') == 2, f"late: {reply[-500:]}")
    need(status_of(proxy.send(held)) == 409, "the same request once more to be a replay")
    need(len(documents(service, token)) == len(before) + 2, "nothing to be stored twice")
    host.add([10002])
    host.agent("run", "--once")  # its receipt does not follow the last one kept
    need(any(b"/receipts?after=" in r.split(b"\r\n")[0] for r in proxy.requests),
         "the receipts between to be fetched")


def hostile(host, data, proxy, service, token):
    before = documents(service, token)
    host.add([20000])

    def flip(where):
        def harm(request):
            head, body = request.split(b"\r\n\r\n", 1)
            at = where(head, body)
            return request[:at] + bytes([request[at] ^ 1]) + request[at + 1:]
        return harm

    harms = {
        "a byte of the body": flip(lambda head, body: len(head) + 4 + len(body) // 2),
        "its last byte": flip(lambda head, body: len(head) + 4 + len(body) - 1),
        "the signature": flip(lambda head, body: head.index(b"Warplore-Signature: ") + 25),
        "the batch": flip(lambda head, body: head.index(b"Warplore-Batch: ") + 40),
        "the time": flip(lambda head, body: head.index(b"Warplore-Created: ") + 26),
        "the digest": flip(lambda head, body: head.index(b"Warplore-Digest: ") + 30),
        "the agent": flip(lambda head, body: head.index(b"Warplore-Agent: ") + 40),
    }
    for name, harm in harms.items():
        proxy.harm = harm
        said = host.agent("run", "--once", code=4)
        need("401" in said, f"{name} changed: {said}")
        need(documents(service, token) == before, f"nothing to be stored with {name} changed")
        need(host.status()["waiting"] == 1, "the record to wait")
    proxy.harm = lambda request: request
    captured = proxy.batches()[-1]
    moved = captured.replace(b"POST /api/v1/batches", b"POST /api/v1/submissions", 1)
    need(status_of(proxy.send(moved)) in (401, 415), "a signed request not to work elsewhere")

    keys = [os.path.join(host.state, name) for name in ("agent.key", "agent.key.right")]
    os.rename(*keys)
    other = os.path.join(host.tmp, "other")
    host.agent("enroll", "--state-dir", other, "--code", new_code(data, "gpu-8"))
    shutil.copy(os.path.join(other, "agent.key"), keys[0])
    need("401" in host.agent("run", "--once", code=4), "another key to be refused")
    need(documents(service, token) == before, "nothing to be stored under another key")
    os.rename(keys[1], keys[0])
    host.agent("run", "--once")
    need(len(documents(service, token)) == len(before) + 1, "the record to arrive in the end")


def revoked(host, data, service, token):
    before = documents(service, token)
    subprocess.run([WARPLORED, "agents", "--data", data, "--revoke", host.status()["agent"]], check=True,
                   capture_output=True)
    time.sleep(1.1)
    host.add([30000])
    host.agent("run", "--once", code=4)
    need(documents(service, token) == before and host.status()["waiting"] == 1, "a revoked agent's record to wait")
    need(host.status()["last"]["alarm"], "an alarm")


def main():
    with scratch() as tmp:
        data = os.path.join(tmp, "data")
        proxy = Proxy()
        service = Daemon(WARPLORED, data)
        proxy.upstream = service.port
        token = make_token(WARPLORED, data, "reader")
        host = Host(tmp, proxy)
        code = enroll(host, data)
        need(code.encode() not in b"".join(proxy.batches()), "the code to be used once")
        service = survive_kills(host, proxy, data, service)
        ids = documents(service, token)
        need(ids == {ulid(4 * n + 1) for n in range(RECORDS)}, f"exactly {RECORDS} documents, not {len(ids)}")
        state = host.status()
        need(state["waiting"] == 0 and state["dead"] == 0 and state["damaged"] == 0, f"all delivered: {state}")
        late_and_twice(host, proxy, service, token)
        hostile(host, data, proxy, service, token)
        print(host.agent("verify").strip())
        revoked(host, data, service, token)
        host.agent("verify")
        service.stop()
        print(subprocess.run([WARPLORED, "verify", "--data", data], check=True, capture_output=True,
                             text=True).stdout.strip())


main()
