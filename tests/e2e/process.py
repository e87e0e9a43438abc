"""The user and the limits of the process: root serves only where it is told to, and becomes the owner of
the data directory otherwise; too few open files are said at the start. What needs root is left out without.
Usage: process.py WARPLORED"""
import os
import pwd
import resource
import subprocess
import sys

from daemon import Daemon, make_token, need, scratch


def start_fails(program, data, said, *options, limit=None):
    def lower():
        if limit:
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    done = subprocess.run([program, "--data", data, "--listen", "127.0.0.1:0", *options], capture_output=True,
                          text=True, timeout=60, preexec_fn=lower)
    need(done.returncode == 2 and said in done.stderr, f"{said!r} and status 2, not {done.returncode}: {done.stderr}")
    need(not os.path.exists(os.path.join(data, "warplore.db")), "nothing to be made by a start that is refused")


def root_becomes_the_owner(program, room):
    nobody = pwd.getpwnam("nobody")
    data = os.path.join(room, "owned")
    os.mkdir(data, 0o700)
    os.chmod(room, 0o711)
    os.chown(data, nobody.pw_uid, nobody.pw_gid)
    token = make_token(program, data, "reader")
    service = Daemon(program, data)
    status = open(f"/proc/{service.child.pid}/status").read()
    for line in ("Uid:", "Gid:"):
        ids = next(x for x in status.splitlines() if x.startswith(line)).split()[1:]
        need(set(ids) == {str(nobody.pw_uid if line == "Uid:" else nobody.pw_gid)}, f"{line} nobody's, not {ids}")
    need(next(x for x in status.splitlines() if x.startswith("Groups:")).split()[1:] == [], "no other group")
    need(service.request("GET", "/api/v1/kernels", token)[0] == 200, "an answer")
    service.stop()
    for name in os.listdir(data):
        need(os.stat(os.path.join(data, name)).st_uid == nobody.pw_uid, f"{name} to be nobody's")


def main():
    program = sys.argv[1]
    with scratch() as room:
        start_fails(program, os.path.join(room, "few"), "files may be open", "--as-root", limit=70)
        if os.geteuid() == 0:
            start_fails(program, os.path.join(room, "as-root"), "does not serve as root")
            root_becomes_the_owner(program, room)


main()
