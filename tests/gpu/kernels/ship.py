#!/usr/bin/env python3
"""Put the records of a campaign beside those that are shipped.

    ship.py OUT LEDGER FIXTURES

OUT is campaign.py's folder, LEDGER the client's ledger.jsonl after it, FIXTURES the shipped records:
NNN-<row>.json, numbered in the order of measuring, which is the order of loading. Records are copied
as they are, but for the session: the record that begins a kernel gets a campaign, and the kernel's
experiments name it. One that is there already must be the same. The ledger gets the lines of the shipped
runs. A record that names a path or a home of the machine it was made on is refused: `warplore run`
was told something that it should not have been."""
import glob
import hashlib
import json
import os
import re
import sys

PRIVATE = re.compile(rb'(?<![\w.*/:])/(?:work|tmp|home|root|mnt|opt|usr|var|srv|data|etc)/[\w.]'
                     rb"|[\w.]+@[\w-]+\.\w+|\b(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d+){2,3}\b")


def records(out):
    """(created_at, row, bytes) of every submission in OUT, oldest first."""
    found = []
    for file in glob.glob(os.path.join(out, "*.json")):
        with open(file, "rb") as f:
            text = f.read()
        document = json.loads(text)
        if "warplore" in document:
            found.append((document["created_at"], os.path.basename(file), text))
    return sorted(found)


def identifier(text):
    """An id that depends on TEXT alone, with no time in it."""
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:10], "big")
    return "0" * 10 + "".join("0123456789ABCDEFGHJKMNPQRSTVWXYZ"[number >> s & 31] for s in range(75, -5, -5))


def with_sessions(found):
    """FOUND with one campaign for each kernel that has experiments, in its first record."""
    documents = [(at, row, json.loads(text)) for at, row, text in found]
    sessions = {}
    for _, _, document in documents:
        for e in document.get("experiments", []):
            s = sessions.setdefault(e["kernel"], {"started_at": e["happened_at"], "workload": e["workload"]})
            s["ended_at"] = e["happened_at"]
    for at, row, document in documents:
        kernel = document["kernels"][0]
        session = sessions.get(kernel["id"])
        label = f"{kernel['name']} on {document['runs'][0]['chip']}"
        for e in document.get("experiments", []):
            e["campaign"] = identifier(label)
        if session and "written" not in session:
            session["written"] = True
            document["campaigns"] = [{"id": identifier(label), "label": label, "kernel": kernel["id"],
                "chip": document["runs"][0]["chip"], "workload": session["workload"], "author": document["author"]["name"],
                "started_at": session["started_at"], "ended_at": session["ended_at"], "stop_reason": "user"}]
        yield at, row, json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def shipped(folder):
    """{row: path} of what is shipped, and the last number."""
    there, last = {}, 0
    for file in sorted(glob.glob(os.path.join(folder, "[0-9][0-9][0-9]-*.json"))):
        number, _, row = os.path.basename(file).partition("-")
        there[row], last = file, max(last, int(number))
    return there, last


def write_ledger(ledger, folder):
    runs = set()
    for file in shipped(folder)[0].values():
        with open(file, encoding="utf-8") as f:
            runs |= {run["id"] for run in json.load(f)["runs"]}
    target, lines = os.path.join(folder, "ledger.jsonl"), []
    for source in (target, ledger):
        if os.path.exists(source):
            with open(source, encoding="utf-8") as f:
                lines += [line for line in f if line not in lines and json.loads(line)["run"] in runs]
    with open(target, "w", encoding="utf-8") as f:
        f.writelines(lines)
    return len(lines)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    out, ledger, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    there, number = shipped(folder)
    for _, row, text in with_sessions(records(out)):
        plain = re.sub(rb"\\[nrt]", b"  ", text)  # a line that begins with @triton.jit is no address
        private = PRIVATE.search(plain)
        if private:
            sys.exit(f"{row} names {plain[private.start():private.end() + 40]!r}: not shipped")
        if row in there:
            with open(there[row], "rb") as f:
                if f.read() != text:
                    sys.exit(f"{row} is shipped with another measurement")
            continue
        number += 1
        with open(os.path.join(folder, f"{number:03}-{row}"), "wb") as f:
            f.write(text)
    print(f"{number} records, {write_ledger(ledger, folder)} lines of the ledger")


main()
