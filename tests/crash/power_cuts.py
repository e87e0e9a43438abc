"""Power cuts: a program's writes are recorded, and any state is made that a cut could have left: what
was synced is there, and of what was not, some writes, in part or not at all, and some of the changes
of names, in their order. From each state the program must start, and have what it acknowledged.

ingest: documents are loaded one by one. backup: backups are made, and one that was reported can be
restored. migrate: a database of an old schema is opened. journal: documents are loaded with a journal in
a directory, which alone must have them, too. lag: the same with a journal_lag; the directory may lack what
was acknowledged within the lag, and has it after a start. adopt: a database gets a journal. segments: a journal goes
on in its next file; lag_segments: the same with a journal_lag. Each folder of the tree counts as a disk of its own.

Usage: power_cuts.py WARPLORED RECORDER_LIBRARY SOURCE_ROOT [--cuts N] [--seed N] [--scenario NAME] [--ignore-syncs]"""
import argparse
import base64
import json
import os
import random
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile

SECTOR = 512
ULID = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def need(ok, what):
    if not ok:
        print("FAILED:", what)
        sys.exit(1)


def ulid(n):
    return "01J0000000" + "".join(ULID[n >> 5 * i & 31] for i in range(15, -1, -1))


def read_log(path):
    ops = []
    with open(path, "rb") as f:
        while head := f.read(15):
            kind, size, offset, n = struct.unpack("<cHQI", head)
            name = f.read(size).decode()
            ops.append((kind.decode(), name, offset, f.read(n)))
    return ops


class Tree:
    """The files of a directory, what is on disk for certain, and what may be."""

    def __init__(self, start, ignores_syncs=False):
        self.ignores_syncs = ignores_syncs
        self.files, self.pending = {}, {}  # by number: bytes on disk; writes after them
        self.names, self.changes = {}, {}  # on disk; after them, in order, by disk
        self.now = {}                      # names as the process sees them
        for folder, _, found in os.walk(start):
            for name in found:
                path = os.path.join(folder, name)
                self.now[os.path.relpath(path, start)] = n = len(self.files)
                with open(path, "rb") as f:
                    self.files[n], self.pending[n] = bytearray(f.read()), []
        self.names = dict(self.now)

    def change(self, kind, *args):
        self.changes.setdefault(args[0].split("/")[0], []).append((kind, *args))
        self.rename(self.now, kind, *args)

    @staticmethod
    def rename(names, kind, a, b):
        if kind == "link":
            names[a] = b
        elif kind == "unlink":
            names.pop(a, None)
        elif a in names:
            names[b] = names.pop(a)
        else:  # a folder
            for path in [p for p in names if p.startswith(a + "/")]:
                names[b + path[len(a):]] = names.pop(path)

    def apply(self, op):
        kind, path, offset, data = op
        if kind == "c":
            n = len(self.files)
            self.files[n], self.pending[n] = bytearray(), []
            self.change("link", path, n)
        elif kind == "d":
            self.change("unlink", path, None)
        elif kind == "r":
            self.change("move", path, data.decode())
        elif kind in "wt" and path in self.now:
            self.pending[self.now[path]].append((kind, offset, data))
        elif kind == "s" and self.ignores_syncs:
            return
        elif kind == "s" and path in self.now:
            n = self.now[path]
            for w in self.pending[n]:
                self.put(self.files[n], w)
            self.pending[n] = []
        elif kind == "s":  # a directory: the order of all changes is kept by every journal of a file system
            for disk in list(self.changes) if path == "." else [path.split("/")[0]]:
                for c in self.changes.pop(disk, []):
                    self.rename(self.names, *c)

    @staticmethod
    def put(f, write):
        kind, offset, data = write
        if kind == "t":
            del f[offset:]
            f.extend(b"\0" * (offset - len(f)))
            return
        f.extend(b"\0" * (offset - len(f)))
        f[offset:offset + len(data)] = data

    def after_cut(self, rng, to):
        names = dict(self.names)
        for changes in self.changes.values():
            for c in changes[:rng.randint(0, len(changes))]:
                self.rename(names, *c)
        keep = rng.choice((0, 0.3, 0.7, 1))
        for path, n in names.items():
            f = bytearray(self.files[n])
            for kind, offset, data in self.pending[n]:
                if kind == "t" or len(data) <= SECTOR:
                    if rng.random() < keep:
                        self.put(f, (kind, offset, data))
                    continue
                for at in range(0, len(data), SECTOR):  # a write may be torn
                    if rng.random() < keep:
                        self.put(f, (kind, offset + at, data[at:at + SECTOR]))
            whole = os.path.join(to, path)
            os.makedirs(os.path.dirname(whole), mode=0o700, exist_ok=True)
            with open(os.open(whole, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
                out.write(f)


def run(a, words, tree=None, log=None):
    env = dict(os.environ)
    if tree:
        env.update(LD_PRELOAD=a.recorder, RECORD_DIR=tree, RECORD_TO=log)
    return subprocess.run([a.warplored, *words], capture_output=True, text=True, env=env, timeout=120)


def documents(folder, count, first):
    paths = []
    for n in range(first, first + count):
        paths.append(os.path.join(folder, f"{n}.json"))
        with open(paths[-1], "w") as f:
            json.dump({"warplore": 1, "id": ulid(n), "directions": [{"id": ulid(n), "text": f"direction {n} " + "x" * 900}]}, f)
    return paths


def stored(data):
    db = sqlite3.connect(f"file:{data}/warplore.db?mode=ro", uri=True)
    need(db.execute("PRAGMA integrity_check").fetchone() == ("ok",), f"{data}: a sound database")
    return {i for i, in db.execute("SELECT id FROM fact_document")}


def starts(a, data, folder, *options):
    done = run(a, ["load", "--data", data, *options, *documents(folder, 1, 1 << 50)])
    need(done.returncode == 0, f"{data}: to start after a cut: {done.stderr}")
    a.restored += "event=journal_restored" in done.stderr


def loaded(said):
    return {ulid(int(os.path.basename(line.split(": ")[0])[:-5])) for line in said if ".json: " in line}


def load(a, folder, paths, *options):
    done = run(a, ["load", "--data", folder + "/tree/data", *options, *paths], folder + "/tree", folder + "/log")
    need(done.returncode == 0, "the documents to be loaded: " + done.stderr)


def ingest(a, folder):
    data = folder + "/tree/data"
    os.mkdir(data)
    shutil.copytree(folder + "/tree", folder + "/start")
    for part in range(3):  # a clean end between
        load(a, folder, documents(folder, 12, 100 * part))

    def check(cut, said):
        starts(a, cut + "/data", folder)
        wanted = loaded(said)
        lost = wanted - stored(cut + "/data")
        need(not lost, f"{cut}: {len(lost)} acknowledged documents are lost")
        return len(wanted)
    return check


def backup(a, folder):
    data = folder + "/tree/data"
    run(a, ["load", "--data", data, *documents(folder, 30, 0)])
    shutil.copytree(folder + "/tree", folder + "/start")
    for _ in range(2):
        done = run(a, ["backup", "--data", data, "--to", folder + "/tree/copies", "--keep", "1"], folder + "/tree", folder + "/log")
        need(done.returncode == 0, "a backup: " + done.stderr)

    def check(cut, said):
        made = [line.split(": ")[0] for line in said if ", checked, in" in line]
        if made:
            shutil.rmtree(folder + "/restored", ignore_errors=True)
            done = run(a, ["restore", "--from", cut + "/copies", "--data", folder + "/restored"])
            need(done.returncode == 0, f"{cut}: a reported backup to be restored: {done.stderr}")
            need(len(stored(folder + "/restored")) == 30, "all documents of the backup")
        starts(a, cut + "/data", folder)
        return len(made)
    return check


def migrate(a, folder):
    data = folder + "/tree/data"
    os.makedirs(data)
    db = sqlite3.connect(data + "/warplore.db")
    for part in ("migrations/0001_init.sql", "tests/fixtures/schema/0001.sql"):
        with open(os.path.join(a.root, part)) as f:
            db.executescript(f.read())
    db.execute("PRAGMA user_version = 1")
    db.close()
    before = stored(data)
    shutil.copytree(folder + "/tree", folder + "/start")
    done = run(a, ["load", "--data", data, *documents(folder, 2, 0)], folder + "/tree", folder + "/log")
    need(done.returncode == 0, "the old database to be migrated: " + done.stderr)

    def check(cut, said):
        starts(a, cut + "/data", folder)
        need(before <= stored(cut + "/data"), f"{cut}: documents of the old database are lost")
        return len(said)
    return check


def replayed(a, folder, directory, key, dump=None):
    """The documents and the dump, if wanted, of a database made from a copy of a journal with the KEY of
    the first directory."""
    for name in ("alone", "again"):
        shutil.rmtree(f"{folder}/{name}", ignore_errors=True)
    os.mkdir(folder + "/again", 0o700)
    if os.path.exists(key):
        shutil.copy(key, folder + "/again")
    if os.path.exists(directory):
        shutil.copytree(directory, folder + "/alone")
    done = run(a, ["replay", "--journal", folder + "/alone", "--data", folder + "/again"])
    if done.returncode == 2 and re.search(r"journal: \S+ (is empty|does not exist)", done.stderr):
        return set(), None
    need(done.returncode == 0, f"{directory}: to be replayed: {done.stderr}")
    return stored(folder + "/again"), dump and run(a, [dump, "--data", folder + "/again"]).stdout


def need_both(a, folder, cut, wanted):
    """What was acknowledged is in the journal alone, and in the database once it was started; of every
    eighth cut, both databases are compared."""
    key = cut + "/data/service.key"
    lost = wanted - replayed(a, folder, cut + "/journal", key)[0]
    need(not lost, f"{cut}: {len(lost)} acknowledged documents are not in the journal")
    starts(a, cut + "/data", folder, "--journal", cut + "/journal")
    lost = wanted - stored(cut + "/data")
    need(not lost, f"{cut}: {len(lost)} acknowledged documents are not in the database")
    a.done += 1
    if a.done % 8 == 0:
        need(replayed(a, folder, cut + "/journal", key, "dump")[1] == run(a, ["dump", "--data", cut + "/data"]).stdout,
             f"{cut}: a database made from the journal to be equal")


def journal(a, folder):
    os.mkdir(folder + "/tree/data")
    shutil.copytree(folder + "/tree", folder + "/start")
    for part in range(3):
        load(a, folder, documents(folder, 12, 100 * part), "--journal", folder + "/tree/journal")

    def check(cut, said):
        wanted = loaded(said)
        need_both(a, folder, cut, wanted)
        return len(wanted)
    return check


LAG_MS = 20
LAG = ["--journal-lag", str(LAG_MS)]


def lag(a, folder):
    os.mkdir(folder + "/tree/data")
    shutil.copytree(folder + "/tree", folder + "/start")
    for part in range(3):
        load(a, folder, documents(folder, 24, 100 * part), "--journal", folder + "/tree/journal", *LAG)
    return behind(a, folder)


def behind(a, folder):
    """What is older than the lag is in the journal; the rest is there after a start."""
    def check(cut, said):
        wanted = loaded(said)
        sure = loaded(line for line, at in zip(said, a.times) if at + 1000 * LAG_MS <= a.times[-1])
        lost = sure - replayed(a, folder, cut + "/journal", cut + "/data/service.key")[0]
        need(not lost, f"{cut}: {len(lost)} documents acknowledged longer ago than the lag are not in the journal")
        starts(a, cut + "/data", folder, "--journal", cut + "/journal", *LAG)
        need_both(a, folder, cut, wanted)
        return len(wanted)
    return check


def adopt(a, folder):
    run(a, ["load", "--data", folder + "/tree/data", *documents(folder, 30, 0)])
    shutil.copytree(folder + "/tree", folder + "/start")
    load(a, folder, documents(folder, 6, 100), "--journal", folder + "/tree/journal")
    before = stored(folder + "/start/data")

    def check(cut, said):
        done = run(a, ["load", "--data", cut + "/data", "--journal", cut + "/journal", *documents(folder, 1, 1 << 50)])
        if done.returncode != 0:
            need(not said and "was not made from it" in done.stderr, f"{cut}: {done.stderr}")
            shutil.rmtree(cut + "/journal")  # it was begun, and the database does not know it
            starts(a, cut + "/data", folder, "--journal", cut + "/journal")
        need_both(a, folder, cut, before | loaded(said))
        return len(before) + len(said)
    return check


def segments(a, folder, *options):
    """The first file is full within a few large documents."""
    os.mkdir(folder + "/tree/data")
    rng, paths = random.Random(a.seed), documents(folder, 26, 0)
    for path in paths:
        with open(path) as f:
            document = json.load(f)
        document["artifacts"] = [{"name": "noise", "base64": base64.b64encode(rng.randbytes(3 << 20)).decode()}]
        with open(path, "w") as f:
            json.dump(document, f)
    done = run(a, ["load", "--data", folder + "/tree/data", "--journal", folder + "/tree/journal", *paths[:20]])
    need(done.returncode == 0, "the large documents to be loaded: " + done.stderr)
    shutil.copytree(folder + "/tree", folder + "/start")
    load(a, folder, paths[20:] + documents(folder, 6, 100), "--journal", folder + "/tree/journal", *options)
    need(len([n for n in os.listdir(folder + "/tree/journal") if n.endswith(".journal")]) == 2, "a second segment")

    def check(cut, said):
        wanted = loaded(said)
        need_both(a, folder, cut, wanted)
        return len(wanted)
    return check


def lag_segments(a, folder):
    segments(a, folder, *LAG)
    return behind(a, folder)


def cuts(a, scenario, rng):
    with tempfile.TemporaryDirectory(prefix="warplore-cuts-") as folder:
        os.mkdir(folder + "/tree")
        check = scenario(a, folder)
        ops = read_log(folder + "/log")
        tree, done, said, acknowledged = Tree(folder + "/start", a.ignore_syncs), 0, "", 0
        a.times, a.restored = [], 0
        for n, at in enumerate(sorted(rng.randint(0, len(ops)) for _ in range(a.cuts))):
            if n % 250 == 249:
                print(f"{scenario.__name__}: {n} cuts, {acknowledged} acknowledgements held", flush=True)
            for op in ops[done:at]:
                if op[0] == "a":
                    said += op[3].decode()
                    a.times.append(op[2])
                tree.apply(op)
            done = at
            shutil.rmtree(folder + "/cut", ignore_errors=True)
            os.makedirs(folder + "/cut/data")
            tree.after_cut(rng, folder + "/cut")
            acknowledged += check(folder + "/cut", said.splitlines())
        need(scenario is not lag or a.restored, "a journal that lost its end, and got it back")
        print(f"{scenario.__name__}: {a.cuts} cuts in {len(ops)} operations, {acknowledged} acknowledgements held")


def main():
    p = argparse.ArgumentParser()
    for name in ("warplored", "recorder", "root"):
        p.add_argument(name, type=os.path.abspath)
    p.add_argument("--cuts", type=int, default=15)
    p.add_argument("--seed", type=int, default=19)
    p.add_argument("--scenario", help="names with commas; the segments are run only when they are named")
    p.add_argument("--ignore-syncs", action="store_true", help="as if nothing were ever synced: the test must then fail")
    a = p.parse_args(namespace=argparse.Namespace(done=0))
    for scenario in (ingest, backup, migrate, journal, lag, adopt, segments, lag_segments):
        if scenario.__name__ in (a.scenario or "ingest,backup,migrate,journal,lag,adopt").split(","):
            cuts(a, scenario, random.Random(a.seed))


main()
