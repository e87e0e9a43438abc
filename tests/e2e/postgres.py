"""A PostgreSQL of a test's own: a cluster in a new directory, on a free port, started with the programs
of Debian's package and as another user than root, because PostgreSQL refuses to run as root."""
import atexit
import glob
import os
import shutil
import socket
import subprocess
import sys
import time

from daemon import need, skip

OTHER_USERS = ("postgres", "nobody")


def programs():
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    if not found:
        skip("no PostgreSQL")
    return os.path.dirname(found[-1])


def as_user():
    """What runs a command as a user that PostgreSQL takes."""
    if os.getuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        skip("no setpriv")
    for user in OTHER_USERS:
        done = subprocess.run(["id", "-u", user], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return ["setpriv", "--reuid", user, "--regid", done.stdout.strip(), "--clear-groups", "--"]
    return skip("no user beside root")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Postgres:
    """One server. With `of`, a standby of that server."""

    def __init__(self, folder, name, of=None, port=None, networks=()):
        """NETWORKS: from where it takes connections beside this machine."""
        self.bin, self.user = programs(), as_user()
        self.folder, self.port = os.path.join(folder, name), port or free_port()
        os.mkdir(self.folder, 0o700)
        os.chmod(folder, 0o755)
        if self.user:
            shutil.chown(self.folder, self.user[2])
        self.data = self.folder + "/data"
        if of is None:
            self.run("initdb", "-D", self.data, "-A", "trust", "-U", "warplore", "--no-sync")
            settings = (f"listen_addresses = '{'*' if networks else '127.0.0.1'}'\nunix_socket_directories = '{self.folder}'\n"
                        "max_connections = 40\nwal_level = replica\nshared_buffers = 32MB\n")
            self.write("postgresql.conf", settings)
            self.write("pg_hba.conf", "".join(f"host all all {n} trust\n" for n in networks))
        else:
            self.run("pg_basebackup", "-D", self.data, "-R", "-X", "stream", "-c", "fast", "-d",
                     f"host=127.0.0.1 port={of.port} user=warplore application_name=standby")
            self.write("postgresql.conf", f"unix_socket_directories = '{self.folder}'\n")
            self.write("postgresql.auto.conf", "synchronous_standby_names = ''\n")
        self.server = None
        self.start()

    def write(self, name, text):
        subprocess.run([*self.user, "sh", "-c", f"cat >> '{self.data}/{name}'"], input=text, text=True, check=True)

    def run(self, program, *arguments):
        done = subprocess.run([*self.user, f"{self.bin}/{program}", *arguments], capture_output=True, text=True, cwd="/",
                              check=False)
        need(done.returncode == 0, f"{program}: {done.stderr[-1000:]}")
        return done.stdout

    def start(self):
        log = open(self.folder + ".log", "ab")
        self.server = subprocess.Popen([*self.user, f"{self.bin}/postgres", "-D", self.data, "-p", str(self.port)],
                                       stdout=log, stderr=log, cwd="/")
        log.close()
        atexit.register(self.kill)
        end = time.monotonic() + 60
        while subprocess.run([f"{self.bin}/pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)],
                             check=False).returncode != 0:
            need(self.server.poll() is None and time.monotonic() < end, "PostgreSQL to start: " + self.log())
            time.sleep(0.05)

    def log(self):
        with open(self.folder + ".log", errors="replace") as f:
            return f.read()[-2000:]

    def sql(self, text):
        return self.run("psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "warplore", "-d", "postgres", "-At", "-c", text)

    def kill(self):
        """kill -9 of the postmaster and, at once, of its children."""
        if self.server is None or self.server.poll() is not None:
            return
        children = open(f"/proc/{self.server.pid}/task/{self.server.pid}/children").read().split()
        self.server.kill()
        for child in children:
            try:
                os.kill(int(child), 9)
            except ProcessLookupError:
                pass
        self.server.wait()

    def promote(self):
        self.run("pg_ctl", "promote", "-D", self.data, "-w")

    def address(self, *others):
        ports = [self.port, *(o.port for o in others)]
        return "postgresql://warplore@" + ",".join(f"127.0.0.1:{p}" for p in ports) + "/postgres"


if __name__ == "__main__":
    print(__doc__, file=sys.stderr)
