"""A full disk: submissions get 503 disk_full, reads go on, the service stays up, and it stores again
when there is room; nothing acknowledged is lost. Runs on a tmpfs of its own inside a user
namespace, so without privileges; skipped (77) where neither is to be had.
Usage: disk_full.py WARPLORED DEMO"""
import errno
import json
import os
import subprocess
import sys
import tempfile

from daemon import Daemon, make_token, need, scratch, skip

DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def document(text, k):
    """The same document with every id its own: K in the last two letters of each."""
    doc = json.loads(text)
    new = {}

    def ids(v):
        if isinstance(v, dict):
            for key, x in v.items():
                if key == "id" and isinstance(x, str) and len(x) == 26:
                    new[x] = x[:3] + DIGITS[k // 1024 % 32] + DIGITS[k // 32 % 32] + DIGITS[k % 32] + x[6:]
                ids(x)
        elif isinstance(v, list):
            for x in v:
                ids(x)

    ids(doc)
    for old, fresh in new.items():
        text = text.replace(old, fresh)
    return new[doc["id"]], text


def fill(room, left):
    """Leaves LEFT bytes, or none where the service, which writes at the same time, took them first."""
    s = os.statvfs(room)
    rest = memoryview(bytes(max(s.f_bavail * s.f_frsize - left, 0)))
    with open(os.path.join(room, "filler"), "wb", buffering=0) as f:
        try:
            while rest:
                rest = rest[f.write(rest):]
        except OSError as e:
            need(e.errno == errno.ENOSPC, f"nothing worse than a full disk: {e}")


def submit(d, token, text):
    status, body, headers = d.request("POST", "/api/v1/submissions", token, text)
    return status, json.loads(body), headers


def main(program, demo, room):
    with open(os.path.join(demo, "kernel-opt-skill.json")) as f:
        text = f.read()
    data = os.path.join(room, "data")
    token = make_token(program, data, "contributor")
    d = Daemon(program, data)
    acknowledged, k, refusals = [], 0, 0
    for left in (4 << 20, 1 << 20, 200 << 10, 0):
        fill(room, left)
        for k in range(k + 1, k + 200):
            name, one = document(text, k)
            status, answer, headers = submit(d, token, one)
            if status != 201:
                break
            acknowledged.append(name)
        need(status == 503 and answer["code"] == "disk_full", f"503 disk_full, not {status} {answer}")
        need(headers["Retry-After"], "a Retry-After")
        need(room not in json.dumps(answer), f"no name of a file in {answer}")
        refusals += 1
        need(d.request("GET", "/api/v1/experiments", token)[0] == 200, "reads to go on")
        os.unlink(os.path.join(room, "filler"))
        status, answer, _ = submit(d, token, one)
        need(status == 201, f"the refused one to be stored when there is room: {status} {answer}")
        acknowledged.append(name)
    need("disk_full" in d.log(), "the log to say so")
    d.child.kill()
    d.child.wait()
    d = Daemon(program, data)
    for name in acknowledged:
        status, answer, _ = submit(d, token, document(text, acknowledged.index(name) + 1)[1])
        need(status == 200 and answer["status"] == "duplicate", f"{name} to be there: {status} {answer}")
    d.stop()
    subprocess.run([program, "verify", "--data", data], check=True)
    os.unlink(d.log_path)
    with tempfile.NamedTemporaryFile() as log:  # elsewhere: it has room
        os.symlink(log.name, d.log_path)
        fill(room, 0)
        d = Daemon(program, data)
        need(d.request("GET", "/api/v1/experiments", token)[0] == 200, "a service to start on a full disk, and be read")
        d.stop()
    print(f"{len(acknowledged)} stored, {refusals} times full, none lost")


if len(sys.argv) == 3:
    with scratch() as place:
        own = ["unshare", "-rm", "sh", "-c", f'mount -t tmpfs -o size=64m tmpfs "{place}" && exec "$@"', "sh"]
        try:
            if subprocess.run([*own, "true"], capture_output=True).returncode != 0:
                skip("no file system of one's own here")
        except FileNotFoundError:
            skip("no unshare")
        sys.exit(subprocess.run([*own, sys.executable, *sys.argv, place]).returncode)
main(*sys.argv[1:4])
