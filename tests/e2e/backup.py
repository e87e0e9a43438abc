"""The backup that docs/operating.md describes, its commands word for word, beside a service under
load: it ends, nobody else can read the copy, and a service that starts on the copy knows the same
tokens and finds what was stored before the backup began. A directory that lost its database is
refused until --new.

Usage: backup.py WARPLORED OPERATING_MD FIXTURE"""
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import threading
import time

from daemon import Daemon, make_token, need, scratch, skip

WARPLORED, PAGE, FIXTURE = sys.argv[1:4]
LIVE = "/var/lib/warplore"
ULID = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def documented():
    with open(PAGE) as f:
        return next(b for b in re.findall(r"```sh\n(.*?)```", f.read(), re.S) if "VACUUM INTO" in b)


def ulid(n):
    return "01J0000000" + "".join(ULID[n >> 5 * i & 31] for i in range(15, -1, -1))


class Load:
    """Submissions of one direction each, from several threads, until stopped."""

    def __init__(self, daemon, token):
        self.daemon, self.token, self.stored, self.ended = daemon, token, [0] * 4, False
        self.threads = [threading.Thread(target=self.submit, args=(i,)) for i in range(4)]
        for t in self.threads:
            t.start()

    def submit(self, who):
        while not self.ended:
            n = who << 30 | self.stored[who] + 1
            doc = {"warplore": 1, "id": ulid(n), "directions": [{"id": ulid(n), "text": f"direction {n} " + "x" * 2000}]}
            status, answer, _ = self.daemon.request("POST", "/api/v1/submissions", self.token, json.dumps(doc))
            need(status == 201, f"a submission under load: {status} {answer[:300]}")
            self.stored[who] += 1

    def stop(self):
        self.ended = True
        for t in self.threads:
            t.join()


def main():
    if shutil.which("sqlite3") is None:
        skip("no sqlite3 program")
    with scratch() as folder:
        data, restored = os.path.join(folder, "live"), os.path.join(folder, "backup-today")
        os.mkdir(data)
        token = make_token(WARPLORED, data, "contributor")
        daemon = Daemon(WARPLORED, data)
        with open(FIXTURE) as f:
            need(daemon.request("POST", "/api/v1/submissions", token, f.read())[0] == 201, "the fixture to be stored")
        load = Load(daemon, token)
        while min(load.stored) < 50:
            time.sleep(0.01)
        before = list(load.stored)
        commands = documented().replace(LIVE, data).replace("warplored verify", f"'{WARPLORED}' verify")
        begun = time.monotonic()
        done = subprocess.run(["sh", "-e", "-c", "umask 022\n" + commands], cwd=folder, capture_output=True, text=True, timeout=60)
        took = time.monotonic() - begun
        during = sum(load.stored) - sum(before)
        load.stop()
        need(done.returncode == 0, f"the documented commands: {done.stdout}{done.stderr}")
        need("integrity ok" in done.stdout, "verify to check the copy: " + done.stdout)
        need(during > 0, "submissions to be stored while the backup ran")
        print(f"backup of {sum(before)} submissions took {took:.2f} s, {during} came meanwhile")
        daemon.stop()

        need(stat.S_IMODE(os.stat(restored).st_mode) == 0o700, "the folder to be private")
        for name in ("warplore.db", "auth.db", "service.key"):
            mode = stat.S_IMODE(os.stat(os.path.join(restored, name)).st_mode)
            need(mode == 0o600, f"{name} to have mode 0600, not {mode:o}")
        with open(os.path.join(data, "service.key"), "rb") as a, open(os.path.join(restored, "service.key"), "rb") as b:
            need(a.read() == b.read(), "the same key")
        daemon = Daemon(WARPLORED, restored)
        for who, n in enumerate(before):
            status, answer, _ = daemon.request("GET", "/api/v1/directions/" + ulid(who << 30 | n), token)
            need(status == 200, f"the last record before the backup: {status} {answer[:200]}")
        status, answer, _ = daemon.request("GET", f"/api/v1/search?words=direction", token)
        need(status == 200 and json.loads(answer)["rows"], "the copy to be searched")
        daemon.stop()

        os.unlink(os.path.join(restored, "warplore.db"))
        refused = subprocess.run([WARPLORED, "--data", restored, "--listen", "127.0.0.1:0", "--as-root"], capture_output=True, text=True, timeout=60)
        need(refused.returncode == 1 and "--new" in refused.stderr, "a lost database to be refused: " + refused.stderr)
        daemon = Daemon(WARPLORED, restored, "--new")
        need(daemon.request("GET", "/api/v1/me", token)[0] == 200, "the same tokens in a new memory")
        daemon.stop()


main()
