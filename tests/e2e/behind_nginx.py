"""What `warplored nginx-config` prints, in a real nginx: its syntax, and requests through TLS with a body,
with a bad one, with framing that the two could read differently, and beside silent clients. Only
the port and the certificate are replaced. Skipped (77) without nginx or openssl.
Usage: behind_nginx.py WARPLORED DEMO"""
import atexit
import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time

from daemon import Daemon, make_token, need, scratch, skip, until

NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
MAIN = """pid {room}/pid; error_log {room}/error.log; daemon off; worker_processes 1;
events {{ worker_connections 2000; }}
http {{
    access_log off;
    client_body_temp_path {room}/1; proxy_temp_path {room}/2; fastcgi_temp_path {room}/3;
    uwsgi_temp_path {room}/4; scgi_temp_path {room}/5;
    include {room}/site;
}}
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Front:
    """nginx with the printed site."""

    def __init__(self, program, room, behind):
        self.port = free_port()
        site = subprocess.run([program, "nginx-config", "--listen", f"127.0.0.1:{behind}", "--hosts",
                               "lore.example, other.example"], check=True, capture_output=True,
                              text=True).stdout
        need("server_name lore.example  other.example;" in site, "two names that nginx understands")
        site, n = re.subn(r"listen 443 ", f"listen 127.0.0.1:{self.port} ", site)
        site, m = re.subn(r"/etc/ssl/warplore\.", f"{room}/w.", site)
        need(n == 1 and m == 2, "a port and a certificate in the site")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                        "/CN=lore.example", "-addext", "subjectAltName=DNS:lore.example", "-keyout",
                        f"{room}/w.key", "-out", f"{room}/w.crt"], check=True, capture_output=True)
        for name, text in (("site", site), ("conf", MAIN.format(room=room))):
            with open(os.path.join(room, name), "w") as f:
                f.write(text)
        self.call = [NGINX, "-e", f"{room}/error.log", "-p", room, "-c", f"{room}/conf"]
        checked = subprocess.run([*self.call, "-t"], capture_output=True, text=True)
        need(checked.returncode == 0, "nginx to take the site: " + checked.stderr)
        self.trust = ssl.create_default_context(cafile=f"{room}/w.crt")
        self.child = subprocess.Popen(self.call)
        atexit.register(self.child.terminate)
        until(self._up, 20, "nginx to listen")

    def _up(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
            return True
        except OSError:
            return False

    def request(self, method, path, token=None, body=None, host="lore.example", more=()):
        c = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=30, context=self.trust)
        c.sock = self.tls()
        headers = {"Host": host, **dict(more)}
        if token:
            headers["Authorization"] = "Bearer " + token
        if body is not None:
            headers["Content-Type"] = "application/json"
        c.request(method, path, body, headers)
        reply = c.getresponse()
        answer = reply.status, reply.read(), reply.headers
        c.close()
        return answer

    def tls(self):
        plain = socket.create_connection(("127.0.0.1", self.port), 30, ("127.0.0.2", 0))
        return self.trust.wrap_socket(plain, server_hostname="lore.example")

    def raw(self, data):
        s = self.tls()
        s.sendall(data)
        out = b""
        try:
            while chunk := s.recv(65536):
                out += chunk
        except OSError:
            pass
        s.close()
        return out

    def stop(self):
        self.child.terminate()
        self.child.wait(30)


def requests_pass(front, token, demo):
    status, body, headers = front.request("GET", "/healthz")
    need(status == 200 and json.loads(body)["status"] == "ok", f"health: {status} {body}")
    need("frame-ancestors 'none'" in headers["Content-Security-Policy"], "the policy to pass")
    need(front.request("GET", "/api/v1/me")[0] == 401, "401 without a token")
    with open(os.path.join(demo, "kernel-opt-skill.json")) as f:
        text = f.read()
    status, body, _ = front.request("POST", "/api/v1/submissions", token, text)
    need(status == 201, f"a submission to be stored: {status} {body[:300]}")
    padded = text.rstrip() + " " * (7 << 20)
    status, body, _ = front.request("POST", "/api/v1/submissions", token, padded)
    need(status == 200 and json.loads(body)["status"] == "duplicate",
         f"7 MiB to arrive and to say the same as the first: {status} {body[:300]}")
    padded = text.rstrip() + " " * (48 << 20)
    status, body, _ = front.request("POST", "/api/v1/submissions", token, padded)
    need(status == 413 and json.loads(body)["code"] == "body_too_big", f"the service's own 413: {status}")
    for _ in range(50):
        need(front.request("GET", "/api/v1/experiments?limit=1", token)[0] == 200, "kept connections")


def names_and_addresses_pass(front, d):
    need(front.request("GET", "/healthz", host="other.example")[0] == 200, "the second name")
    status, body, _ = front.request("GET", "/healthz", host="evil.example")
    need(status == 400 and json.loads(body)["code"] == "bad_host", f"a name of nobody: {status} {body}")
    front.request("GET", "/healthz?spoofed", more={"X-Forwarded-For": "203.0.113.9"})
    need("peer=127.0.0.2 via=127.0.0.1" in d.log(), "the client's address in the log: " + d.log()[-400:])
    need("203.0.113.9" not in d.log(), "no address that the client made up")


def framing_agrees(front, d):
    head = b"GET /healthz HTTP/1.1\r\nHost: lore.example\r\n"
    inner = b"GET /smuggled HTTP/1.1\r\nHost: lore.example\r\n\r\n"
    length = b"Content-Length: %d\r\n" % len(inner)
    for odd in (b"Transfer-Encoding: chunked\r\n" + length, length + length, b": x\r\n" + length,
                b"X: a\r\n b\r\n" + length, b" x\r\n" + length, b"\xe9: a\r\n" + length,
                b"Content-Length : %d\r\n" % len(inner), b"Content-Length: +%d\r\n" % len(inner),
                b"".join(b"X-%d: 1\r\n" % i for i in range(70)) + length, b"X: a\n" + length):
        front.raw(head + b"Connection: close\r\n" + odd + b"\r\n" + inner)
    need("/smuggled" not in d.log(), "no request out of another's body")
    need(front.request("GET", "/healthz")[0] == 200, "an answer after all that")


def silent_clients_do_not_hurt(front):
    # 15: the site allows 20 at a time from one address
    silent = [front.tls() for _ in range(15)]
    for s in silent:
        s.sendall(b"GET / HTTP/1.1\r\n")
    start = time.monotonic()
    need(front.request("GET", "/healthz")[0] == 200, "an answer beside silent clients")
    need(time.monotonic() - start < 2, "it at once")
    for s in silent:
        s.close()


def cut_connections_are_asked_again(program, room):
    """A service with too few threads cuts connections; the client must not see it, whatever it wrote."""
    asked = []
    with socket.create_server(("127.0.0.1", 0)) as backend:
        def serve():
            while True:
                try:
                    s = backend.accept()[0]
                except OSError:
                    return
                with s:
                    asked.append(s.recv(65536).split(b" ")[0])
                    if len(asked) % 2 == 0:
                        s.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        threading.Thread(target=serve, daemon=True).start()
        front = Front(program, room, backend.getsockname()[1])
        for method, body in (("GET", None), ("POST", "{}")) * 5:
            status, text, _ = front.request(method, "/api/v1/submissions", "wl_x", body)
            need((status, text) == (200, b"ok"), f"{method} to be asked again: {status}")
        front.stop()
        need(len(asked) == 20, f"each twice: {asked}")


def main():
    program, demo = sys.argv[1:3]
    if not os.path.exists(NGINX) or shutil.which("openssl") is None:
        skip("no nginx or no openssl")
    with scratch() as room:
        os.chmod(room, 0o711)  # nginx's workers are somebody else when root starts it
        data = os.path.join(room, "data")
        # the client is 127.0.0.2, which is no proxy
        d = Daemon(program, data, "--hosts", "lore.example,other.example", "--trusted-proxies", "127.0.0.1")
        front = Front(program, room, d.port)
        try:
            requests_pass(front, make_token(program, data, "contributor"), demo)
            names_and_addresses_pass(front, d)
            framing_agrees(front, d)
            silent_clients_do_not_hurt(front)
        finally:
            front.stop()
        d.stop()
        cut_connections_are_asked_again(program, room)


main()
