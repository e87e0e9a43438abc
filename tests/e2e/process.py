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


def fails(said, *words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    need(done.returncode in (1, 2) and all(s in done.stderr for s in said), f"{words} to say {said}: {done.returncode} {done.stderr}")


def directories_are_checked(program, room):
    """A directory that cannot be written is named with its option; copies are not kept in what they are copies of."""
    data, other, closed = (os.path.join(room, name) for name in ("places", "other", "closed"))
    serve = (program, "--as-root", "--listen", "127.0.0.1:0", "--data")
    token = make_token(program, data, "reader")
    os.symlink(data, os.path.join(room, "link"))
    for option in ("--journal", "--backup-to"):
        for path, why in ((data, "is the data directory"), (data + "/", "is the data directory"), (data + "/new/deep", "is inside the data directory"),
                          (os.path.join(room, "link", "x"), "is inside the data directory"), (data + "/../places", "is the data directory")):
            fails((option + ": ", why, "another disk"), *serve, data, option, path)
    fails(("--to: ", "is inside"), program, "backup", "--data", data, "--to", data + "/backups")
    need(sorted(os.listdir(data)) == ["auth.db"], f"nothing made: {os.listdir(data)}")
    for command in (("backup", "--to", other), ("dump",), ("verify",)):
        fails((f"{room}/nodir holds no database",), program, *command, "--data", room + "/nodir")
    need(not os.path.exists(room + "/nodir"), "no directory made")
    os.mkdir(closed, 0o500)
    open(os.path.join(room, "file"), "w").close()
    for path in ([closed] if os.geteuid() != 0 else []) + [room + "/file/x"]:
        fails((f"data: cannot write to {path}", "--data"), *serve, path)
        fails((f"journal: cannot write to {path}", "--journal"), *serve, data, "--journal", path)
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chmod(room, 0o711)
        os.chown(closed, nobody.pw_uid, nobody.pw_gid)
        fails((f"data: cannot write to {closed}: Permission denied", "chown"), *serve, closed)
    service = Daemon(program, data, "--journal", data + "-journal")
    need(service.request("GET", "/api/v1/kernels", token)[0] == 200, "a directory beside it with a longer name")
    service.stop()


def main():
    program = sys.argv[1]
    with scratch() as room:
        start_fails(program, os.path.join(room, "few"), "files may be open", "--as-root", limit=70)
        directories_are_checked(program, room)
        if os.geteuid() == 0:
            start_fails(program, os.path.join(room, "as-root"), "does not serve as root")
            root_becomes_the_owner(program, room)


main()
