"""A network that does everything a network must not do, for kill9_agent.py: whole requests go through it, one
connection each; it duplicates them, holds them back, delivers them late and out of order, loses replies, cuts both
in the middle, changes bits of both, and replays what it saw."""
import re
import random
import socket
import threading
import time
from collections import Counter

# What happens to a request, and how often of 100.
HARMS = {"passed": 42, "twice at once": 10, "slow": 8, "late": 10, "reply lost": 8, "request cut": 6,
         "reply cut": 5, "request changed": 7, "reply changed": 4}
SIGNED = [b"Agent", b"Batch", b"Created", b"Digest", b"Signature"]


def status_of(reply):
    found = re.match(rb"HTTP/1\.1 (\d\d\d) ", reply)
    return int(found[1]) if found else 0


def code_of(reply):
    found = re.search(rb'"code": ?"(\w+)"', reply)
    return found[1].decode() if found else "?"


def flip(data, at, rng):
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1:]


def tampered(request, rng):
    """One bit of what the agent signed: the body, a header of the signature, or the address."""
    head = request.index(b"\r\n\r\n")
    where = rng.randrange(8)
    if where < len(SIGNED):
        name = b"\r\nWarplore-" + SIGNED[where] + b": "
        at = request.index(name) + len(name)
        return flip(request, rng.randrange(at, request.index(b"\r\n", at)), rng)
    if where == len(SIGNED) or head + 4 == len(request):
        at = request.index(b"/api/v1/")
        return flip(request, rng.randrange(at, at + len(b"/api/v1/batches")), rng)
    return flip(request, rng.randrange(head + 4, len(request)), rng)


def is_batch(request):
    return request.startswith(b"POST /api/v1/batches ")


class Network:
    def __init__(self, seed, upstream):
        self.rng, self.upstream, self.calm = random.Random(seed), upstream, False
        self.counts, self.refusals, self.broken = Counter(), Counter(), []
        self.unanswered, self.seen, self.under_way = 0, [], 0
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self.one, args=(client,), daemon=True).start()

    @staticmethod
    def read(client):
        """A whole request that asks for one reply, or None."""
        data = b""
        while b"\r\n\r\n" not in data:
            chunk = client.recv(65536)
            if not chunk:
                return None
            data += chunk
        head, body = data.split(b"\r\n\r\n", 1)
        length = int(re.search(rb"(?i)content-length: (\d+)", head + b"\r\ncontent-length: 0")[1])
        while len(body) < length:
            chunk = client.recv(65536)
            if not chunk:
                return None
            body += chunk
        head = re.sub(rb"(?i)\r\nhost: [^\r]*", b"\r\nHost: 127.0.0.1", head)
        return head + b"\r\nConnection: close\r\n\r\n" + body

    def one(self, client):
        with self.lock:
            self.under_way += 1
        try:
            with client:
                client.settimeout(60)
                request = self.read(client)
                if request is not None:
                    self.harm(client, request)
        except OSError:
            pass  # the client sees a closed connection
        finally:
            with self.lock:
                self.under_way -= 1

    def send(self, request):
        """The service's reply, or what of it came before the service was killed."""
        out = b""
        try:
            with socket.create_connection(("127.0.0.1", self.upstream()), timeout=30) as s:
                s.sendall(request)
                while chunk := s.recv(65536):
                    out += chunk
        except OSError:
            pass
        if is_batch(request) and status_of(out) == 200:
            with self.lock:
                self.seen.append(request)
        return out

    def must_refuse(self, request, what):
        """Nothing but a refusal, or no answer at all."""
        reply = self.send(request)
        status = status_of(reply)
        with self.lock:
            if status == 0 or status >= 500:
                self.unanswered += 1
            elif "changed" in what and code_of(reply) == "replayed_batch":
                self.broken.append(f"{what}: passed for the one that was taken before: {request[:900]!r}")
            elif 400 <= status < 500:
                self.refusals[what + ": " + code_of(reply)] += 1
            else:
                self.broken.append(f"{what}: {status} {reply[-300:]!r}")
        return reply

    def harm(self, client, request):
        with self.lock:
            what = "passed" if self.calm else self.rng.choices(list(HARMS), HARMS.values())[0]
            self.counts[what] += 1
            dice = random.Random(self.rng.random())
        if what == "slow":
            time.sleep(dice.uniform(0, 0.8))
        if what == "twice at once":
            client.sendall(self.twice(request, dice))
        elif what == "late":
            client.close()
            time.sleep(dice.uniform(0.05, 3))
            self.send(request)
        elif what == "request cut":
            self.cut(request, dice)
        elif what == "request changed":
            reply = self.must_refuse(tampered(request, dice), what)
            if dice.random() < 0.2:  # an agent that hears of it waits for a person, so mostly it does not
                client.sendall(reply)
        else:
            reply = self.send(request)
            if what == "reply cut":
                reply = reply[:dice.randrange(len(reply) + 1)]
            if what == "reply changed" and reply:
                reply = flip(reply, dice.randrange(len(reply)), dice)
            if what != "reply lost":
                client.sendall(reply)

    def twice(self, request, dice):
        replies = []
        copies = [threading.Thread(target=lambda: replies.append(self.send(request))) for _ in range(2)]
        for copy in copies:
            copy.start()
        for copy in copies:
            copy.join()
        if is_batch(request) and [status_of(r) for r in replies].count(200) > 1:
            self.broken.append(f"one batch was taken twice: {replies!r:.600}")
        return dice.choice(replies)

    def cut(self, request, dice):
        body = request.index(b"\r\n\r\n") + 4
        try:
            with socket.create_connection(("127.0.0.1", self.upstream()), timeout=30) as s:
                s.sendall(request[:dice.randrange(body, len(request))] if body < len(request) else request[:-3])
        except OSError:
            pass

    def replay(self, request):
        """Something that was taken before, as it was and changed."""
        with self.lock:
            dice = random.Random(self.rng.random())
        if dice.random() < 0.5:
            self.must_refuse(request, "replayed")
        else:
            self.must_refuse(tampered(request, dice), "replayed and changed")

    def replay_each_bit(self, request):
        """REQUEST with each bit changed, one at a time, of everything that the agent signed."""
        head, spans = request.index(b"\r\n\r\n"), []
        for name in [b"POST "] + [b"\r\nWarplore-" + name + b": " for name in SIGNED]:
            start = request.index(name) + len(name)
            spans.append(range(start, min(request.index(end, start) for end in (b" ", b"\r\n") if
                                          end in request[start:head + 2])))
        for at in [at for span in spans for at in span] + list(range(head + 4, len(request))):
            for bit in range(8):
                changed = request[:at] + bytes([request[at] ^ (1 << bit)]) + request[at + 1:]
                self.must_refuse(changed, "each bit changed")

    def replay_any(self):
        with self.lock:
            request = self.rng.choice(self.seen) if self.seen else None
        if request:
            self.replay(request)
