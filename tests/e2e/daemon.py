"""A warplored of a test's own: a new data directory, tokens, a free port, its log. Used by the
Python tests of this folder; needs nothing beside the standard library."""
import atexit
import http.client
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time


def need(ok, what):
    """A check that says what it wanted; unlike assert it is never compiled away."""
    if not ok:
        print("FAILED:", what)
        sys.exit(1)


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def until(ready, seconds, what):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = ready()
        if answer:
            return answer
        time.sleep(0.02)
    need(False, f"{what} within {seconds} s")


class Daemon:
    READY_S = 60

    def __init__(self, program, data, *options, umask=0o077, host="127.0.0.1", within=()):
        """WITHIN: a command that runs the program elsewhere, where its address is HOST."""
        self.program, self.data, self.host = program, data, host
        self.log_path = data.rstrip("/") + ".log"
        log = open(self.log_path, "wb")
        self.child = subprocess.Popen([*within, program, "--data", data, "--listen", host + ":0", "--as-root", *options],
                                      stdout=log, stderr=log, umask=umask)
        log.close()
        atexit.register(self.child.kill)  # a failed test leaves nothing running; no effect once reaped
        self.port = int(until(self._ready, self.READY_S, "a ready line in " + self.log_path))

    def _ready(self):
        need(self.child.poll() is None, "warplored to start: " + self.log())
        found = re.findall(r"event=ready url=http://[0-9.]+:(\d+)", self.log())
        return found[-1] if found else None

    def log(self):
        with open(self.log_path, errors="replace") as f:
            return f.read()

    def request(self, method, path, token=None, body=None, timeout=30, headers=None):
        c = http.client.HTTPConnection(self.host, self.port, timeout=timeout)
        headers = dict(headers or {})
        if token:
            headers["Authorization"] = "Bearer " + token
        if body is not None:
            headers["Content-Type"] = "application/json"
        c.request(method, path, body, headers)
        reply = c.getresponse()
        answer = (reply.status, reply.read(), reply.headers)
        c.close()
        return answer

    def raw(self, data, timeout=30):
        """Everything that comes back until the service closes."""
        s = socket.create_connection((self.host, self.port), timeout=timeout)
        s.sendall(data)
        out = b""
        try:
            while chunk := s.recv(65536):
                out += chunk
        except ConnectionResetError:
            pass
        s.close()
        return out

    def stop(self):
        self.child.terminate()
        need(self.child.wait(60) == 0, "exit status 0: " + self.log()[-3000:])


def make_token(program, data, role):
    return subprocess.run([program, "token", "--data", data, "--role", role], check=True,
                          capture_output=True, text=True).stdout.strip()


def copy_key(of, data):
    """A node of a journal has the service.key of the others."""
    os.makedirs(data, mode=0o700, exist_ok=True)
    shutil.copy(of + "/service.key", data)


def make_key(program, folder):
    """A directory of a service that ran once, for its service.key."""
    Daemon(program, folder).stop()
    return folder


def scratch():
    return tempfile.TemporaryDirectory(prefix="warplore-e2e-")
