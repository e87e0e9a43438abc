"""A journal in a directory holds everything acknowledged: the directory alone makes a database with
the same facts, tokens and receipts, also as it was at a time. A torn end is cut, damage inside is
refused with the entry's number, and a database and a journal that do not belong together are
refused. A database from before moves into a new journal.

Usage: journal.py WARPLORED"""
import glob
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from datetime import datetime, timezone

from daemon import Daemon, copy_key, make_key, make_token, need, scratch, until

WARPLORED = sys.argv[1]
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def ulid(n):
    return "01J0000000" + "".join(ALPHABET[n >> 5 * i & 31] for i in range(15, -1, -1))


def direction(n):
    return json.dumps({"warplore": 1, "id": ulid(n), "directions": [{"id": ulid(n), "text": f"direction {n} " + "x" * 200}]})


def submit(daemon, token, body, wanted=201):
    status, answer, _ = daemon.request("POST", "/api/v1/submissions", token, body)
    need(status == wanted, f"{wanted} for a submission, not {status}: {answer[:300]}")
    return json.loads(answer)


def run(*arguments, status=0):
    done = subprocess.run([WARPLORED, *arguments], capture_output=True, text=True, check=False)
    need(done.returncode == status, f"{arguments}: status {status}, not {done.returncode}: {done.stderr}")
    return done.stdout if status == 0 else done.stderr


def dump(data):
    return run("dump", "--data", data)


def replayed(journal, data, of, *options):
    """A database made from the journal with the key of the directory OF."""
    copy_key(of, data)
    run("replay", "--journal", journal, "--data", data, *options)
    run("verify", "--data", data)
    return dump(data)


def refused(data, journal, wanted, *options):
    done = subprocess.run([WARPLORED, "--data", data, "--listen", "127.0.0.1:0", "--as-root", "--journal", journal, *options],
                          capture_output=True, text=True, timeout=60, check=False)
    need(done.returncode not in (0, 70) and wanted in done.stderr, f"a refusal with {wanted}, not {done.stderr[-500:]}")


def events(data):
    with sqlite3.connect(f"file:{data}/warplore.db?mode=ro", uri=True) as db:
        return db.execute("SELECT actor, kind, subject, detail, at_us FROM fact_event"
                          " WHERE kind NOT IN ('migration', 'rebuild')").fetchall()


def facts(data):
    """Rows with what the service adds, which a dump leaves out."""
    with sqlite3.connect(f"file:{data}/warplore.db?mode=ro", uri=True) as db:
        return [db.execute("SELECT * FROM " + t).fetchall()
                for t in ("fact_document", "fact_document_owner", "fact_receipt", "fact_agent", "fact_agent_revoked")]


def segment(journal):
    return sorted(glob.glob(journal + "/*.journal"))[-1]


def first_life(folder):
    """A service with a journal from its first start: documents, a decision, tokens, an agent's code."""
    data, journal = folder + "/data", folder + "/journal"
    token = make_token(WARPLORED, data, "curator")
    d = Daemon(WARPLORED, data, "--journal", journal)
    for n in range(40):
        submit(d, token, direction(n))
    submit(d, token, direction(3), 200)
    submit(d, token, "{\"warplore\":1}", 400)
    then = datetime.now(timezone.utc).isoformat().replace("+00:00", "Z")
    time.sleep(0.01)
    submit(d, token, json.dumps({"warplore": 1, "id": ulid(1000), "curations": [
        {"id": ulid(1000), "action": "retract", "subjects": [ulid(5)], "reason": "wrong"}]}))
    later = make_token(WARPLORED, data, "reader")
    run("enroll", "--data", data, "--label", "gpu01")
    # credentials that another process made are entries within a moment
    until(lambda: sum(b"code" == k for k in re.findall(rb"\0(token|code)\0", open(segment(journal), "rb").read())),
          10, "the code in the journal")
    d.stop()
    return data, journal, token, later, then


def restored(folder, data, journal, token, later, then):
    copy = folder + "/copy"
    need(replayed(journal, copy, data) == dump(data), "equal dumps")
    need(facts(copy) == facts(data), "equal rows, times and owners included")
    need(events(copy) == events(data), "equal events")
    d = Daemon(WARPLORED, copy, "--journal", journal)
    need(d.request("GET", "/api/v1/submissions", later)[0] == 200, "the second token works")
    submit(d, token, direction(50))
    d.stop()
    # the first database follows the journal that the copy wrote to
    d = Daemon(WARPLORED, data, "--journal", journal)
    need(d.request("GET", "/api/v1/submissions/" + ulid(50), token)[0] == 200, "it catches up at its start")
    d.stop()
    need(dump(copy) == dump(data), "both are equal again")
    early = replayed(journal, folder + "/early", data, "--until", then)
    need(ulid(39) in early and ulid(1000) not in early, "the database as it was at a time")
    d = Daemon(WARPLORED, folder + "/early")
    submit(d, token, direction(60))
    d.stop()
    run("replay", "--journal", journal, "--data", copy, status=2)


def belonging(folder, data, journal):
    refused(data, "none", "made from a journal")
    another, empty = folder + "/another", folder + "/empty"
    os.mkdir(empty)
    for wrong, said in ((another, another + " does not exist"), (empty, empty + " is empty")):
        refused(data, wrong, said)
        refused(data, wrong, "--leave-journal")
        for options in ((), ("--accept-credentials",)):
            need(said in run("replay", "--journal", wrong, "--data", folder + "/made", *options, status=2), "no journal to replay")
    need("--journal is missing" in run("replay", "--data", folder + "/made", status=2), "no journal named")
    need("the first entry of this journal is of 20" in
         run("replay", "--journal", journal, "--data", folder + "/made", "--until", "2020-01-01T00:00:00Z", "--accept-credentials", status=2),
         "a time before the journal")
    need(not os.path.exists(another) and not os.listdir(empty) and not os.path.exists(folder + "/made"), "nothing made by refusals")
    other = folder + "/alone"
    token = make_token(WARPLORED, other, "contributor")
    d = Daemon(WARPLORED, other)
    submit(d, token, direction(70))
    d.stop()
    refused(other, journal, "was not made from it")
    # a database from before its journal
    d = Daemon(WARPLORED, other, "--journal", folder + "/moved")
    submit(d, token, direction(71))
    d.stop()
    need(replayed(folder + "/moved", folder + "/moved-copy", other) == dump(other), "a database moved into its journal")
    need(facts(folder + "/moved-copy") == facts(other), "with times and owners")
    d = Daemon(WARPLORED, other, "--leave-journal")
    submit(d, token, direction(72))
    d.stop()


def keys(folder, data, journal):
    """Only the key with which a journal was begun goes on with it; a refusal says what to do."""
    none, wrong, mine = folder + "/none", folder + "/wrong", dump(data)
    for done in (run("replay", "--journal", journal, "--data", none, status=2), run("replay", "--journal", journal, "--data", none, status=2)):
        need(none + "/service.key is missing" in done and f"to {none}/service.key" in done and "replay again" in done,
             f"what to do without the key: {done}")
    need(not os.path.exists(none), "nothing to be made beside a journal that has a key")
    need(replayed(journal, none, data) == mine, "the key put there, as the refusal says")
    stranger = make_key(WARPLORED, folder + "/stranger")
    copy_key(stranger, wrong)
    done = run("replay", "--journal", journal, "--data", wrong, status=2)
    need("is not the key with which" in done and "replay again" in done and "start once" not in done, f"another key: {done}")
    need(os.listdir(wrong) == ["service.key"], "nothing made beside another key")
    refused(wrong, journal, "start once with --accept-credentials")
    copy_key(data, wrong)
    refused(wrong, journal, "service.key is not the one that it had")
    d = Daemon(WARPLORED, wrong, "--journal", journal, "--accept-credentials")
    d.stop()
    need(dump(wrong) == mine, "the right key instead, as the refusal says")
    # a database of the journal, but another key
    shutil.copy(data + "/service.key", folder + "/right.key")
    copy_key(stranger, data)
    refused(data, journal, "is not the key with which", "--accept-credentials")
    shutil.copy(folder + "/right.key", data + "/service.key")
    need("service.key is not the one that it had" in run("verify", "--data", data, status=1), "the key of a stranger found")
    d = Daemon(WARPLORED, data, "--journal", journal, "--accept-credentials")
    d.stop()
    verify_sees_the_key(folder, data, stranger)
    # the key is lost for good: everything else is not
    alone = folder + "/lost-key"
    need("stands alone" in run("replay", "--journal", journal, "--data", alone, "--accept-credentials"), "a database without its key")
    need(dump(alone) == mine, "all documents without the key")
    d = Daemon(WARPLORED, alone, "--journal", folder + "/next")
    d.stop()
    need(replayed(folder + "/next", folder + "/next-copy", alone) == mine, "a new journal with the new key")


def verify_sees_the_key(folder, data, stranger):
    """With and without what `identity` notes."""
    copy = folder + "/checked"
    for noted in (True, False):
        shutil.copytree(data, copy)
        key, kept = copy + "/service.key", folder + "/kept.key"
        if not noted:
            os.unlink(copy + "/identity")
        run("verify", "--data", copy)
        shutil.move(key, kept)
        said = run("verify", "--data", copy, status=1)
        need("service.key is missing" in said and "backup" in said, f"a missing key: {said}")
        copy_key(stranger, copy)
        said = run("verify", "--data", copy, status=1)
        need("is not the one that it had" in said if noted else "is not the key with which" in said, f"another key: {said}")
        for wrong in (b"nonsense", open(kept, "rb").read()):
            with open(key, "wb") as f:
                f.write(wrong)
            os.chmod(key, 0o644)
            need("service.key" in run("verify", "--data", copy, status=1), "a key that is none, or that all may read")
        shutil.move(kept, key)
        run("verify", "--data", copy)
        shutil.rmtree(copy)


def lagging(folder):
    """With a lag the disk of the journal comes later. What a power cut took from it comes back from the
    database, byte for byte, also into a torn file; credentials and decisions, too."""
    data, journal = folder + "/lagging", folder + "/lagging-journal"
    token = make_token(WARPLORED, data, "curator")
    d = Daemon(WARPLORED, data, "--journal", journal, "--journal-lag", "100")
    submit(d, token, direction(1))
    until(lambda: json.loads(d.request("GET", "/readyz")[1])["unsynced"] == 0, 10, "the disk to follow within the lag")
    d.stop()
    safe = len(open(segment(journal), "rb").read())
    d = Daemon(WARPLORED, data, "--journal", journal, "--journal-lag", "60000")
    for n in range(2, 12):
        submit(d, token, direction(n))
    reader = make_token(WARPLORED, data, "reader")
    run("enroll", "--data", data, "--label", "gpu01")
    until(lambda: re.search(rb"\0code\0", open(segment(journal), "rb").read()), 10, "the code in the journal")
    status, _, headers = d.request("POST", "/api/v1/submissions", token, json.dumps({
        "warplore": 1, "id": ulid(1000), "curations": [{"id": ulid(1000), "action": "retract", "subjects": [ulid(5)], "reason": "wrong"}]}))
    need(status == 201 and int(headers["Warplore-Synced"]) < int(headers["Warplore-Seq"]) - 10, f"what the disk has: {dict(headers)}")
    ready, metrics = json.loads(d.request("GET", "/readyz")[1]), d.request("GET", "/metrics", token)[1].decode()
    need(ready["lag_ms"] == 60000 and ready["unsynced"] >= 13, f"the lag and what it leaves open: {ready}")
    need("warplore_journal_lag_seconds 60" in metrics and f"warplore_journal_unsynced {ready['unsynced']}" in metrics, "the same in metrics")
    d.child.kill()
    d.child.wait()
    path = segment(journal)
    whole = open(path, "rb").read()
    for keep in (safe, safe + 1, (safe + len(whole)) // 2, len(whole) - 1):
        os.truncate(path, keep)
        shutil.rmtree(folder + "/cut", ignore_errors=True)
        shutil.copytree(data, folder + "/cut")
        d = Daemon(WARPLORED, folder + "/cut", "--journal", journal)
        need("event=journal_restored" in d.log(), "a log line about what came back")
        need(open(path, "rb").read() == whole, "the same bytes again")
        need(d.request("GET", "/api/v1/submissions", reader)[0] == 200, "the last token works")
        d.stop()
    need(replayed(journal, folder + "/lagging-copy", data) == dump(folder + "/cut"), "equal dumps from the restored journal")
    for what in (facts, events):
        need(what(folder + "/lagging-copy") == what(folder + "/cut"), f"equal {what.__name__}")
    # a journal that lost what its disk had is still refused, as is a lag without files
    os.truncate(path, safe - 1)
    refused(folder + "/cut", journal, "does not hold entry")
    refused(folder + "/cut", "none", "only a journal in a directory can have one", "--journal-lag", "5")


def damaged(folder, data, journal):
    path = segment(journal)
    whole = open(path, "rb").read()
    # a torn end: whatever is there of the last group
    with open(path, "ab") as f:
        f.write(whole[16:32] + whole[80:332])
    d = Daemon(WARPLORED, data, "--journal", journal)
    need("event=journal_cut" in d.log(), "a log line about the cut")
    d.stop()
    need(open(path, "rb").read() == whole, "the torn end is gone")
    # the last entries are lost, but the database has them
    with open(path, "r+b") as f:
        f.truncate(len(whole) - 100)
    refused(data, journal, "does not hold entry")
    # damage inside
    at = len(whole) // 2
    with open(path, "wb") as f:
        f.write(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1:])
    refused(data, journal, "is damaged")
    copy_key(data, folder + "/no")
    need(re.search(r"journal entry \d+ is damaged", run("replay", "--journal", journal, "--data", folder + "/no", status=1)),
         "the number of the damaged entry")
    with open(path, "wb") as f:
        f.write(whole)


def fill(folder, left):
    room = os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize - left
    if room > 0:
        with open(folder + "/filler", "ab") as f:
            f.write(b"x" * room)


def unwritable(folder, token):
    """The journal's disk is full: writes are refused with the reason, reads go on."""
    small = folder + "/small"
    os.mkdir(small)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", small], capture_output=True).returncode != 0:
        print("no file system of one's own: a full disk is not tried")
        return
    data = folder + "/full"
    token = make_token(WARPLORED, data, "contributor")
    d = Daemon(WARPLORED, data, "--journal", small + "/journal")
    for left in (8192, 4096, 0):
        fill(small, left)
        status, answer, headers = d.request("POST", "/api/v1/submissions", token, big(80 + left))
        need(status == 503 and b"journal" in answer and headers["Retry-After"], f"503 with the reason: {status} {answer}")
        need(folder.encode() not in answer, "no name of a file in the answer")
        need(d.request("GET", "/api/v1/submissions", token)[0] == 200, "reads go on")
        os.unlink(small + "/filler")
        submit(d, token, big(80 + left))
    d.stop()
    need(replayed(small + "/journal", folder + "/full-copy", data) == dump(data), "equal dumps after a full disk")
    subprocess.run(["umount", small], check=False)


def big(n):
    rng = random.Random(n)
    return json.dumps({"warplore": 1, "id": ulid(n), "directions": [
        {"id": ulid(n), "text": "".join(rng.choices(ALPHABET, k=20000))}]})


def main():
    with scratch() as folder:
        data, journal, token, later, then = first_life(folder)
        restored(folder, data, journal, token, later, then)
        belonging(folder, data, journal)
        keys(folder, data, journal)
        damaged(folder, data, journal)
        lagging(folder)
        unwritable(folder, token)
    print("ok")


if __name__ == "__main__":
    if len(sys.argv) == 2 and shutil.which("unshare") and \
            subprocess.run(["unshare", "-rm", "true"], capture_output=True, check=False).returncode == 0:
        sys.exit(subprocess.run(["unshare", "-rm", sys.executable, "-B", *sys.argv, "own"], check=False).returncode)
    main()
