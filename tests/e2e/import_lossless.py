"""Nothing is lost by an import: real memories and wikis (../shared/data beside the checkout, when it
is there) and small files of our own go into a new service by the client. Then

  * the bytes of every file are stored, or the report names the file;
  * every text and number of every JSON file that was taken stands in a record, except for what the
    report says is kept in the file only;
  * the counts are those that the files have;
  * importing again stores nothing and changes no fact;
  * all documents, taken out word for word and imported into another service, give the same facts.

Usage: import_lossless.py WARPLORED WARPLORE SOURCE_DIR
The comparison reads `warplored dump` and shares no code with the importers."""
import bz2
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import time

from daemon import Daemon, make_token, need, scratch

WARPLORED, WARPLORE, SOURCE = sys.argv[1:4]
DATA = os.path.join(SOURCE, "..", "shared", "data")
FIXTURES = os.path.join(SOURCE, "tests", "fixtures", "import")

# what a format keeps in its file only, as its report says: a date that belongs to no entry, and paths
# of the machine it was measured on, of which records hold the file name; the header of a tuning file is
# the words of a source document; the best of a session while it ran
IN_FILE_ONLY = ("updated_at", "source_file", "reference_file", "timeunit", "schema_version", "best_tflops")


def run_import(env, *paths):
    began = time.monotonic()
    r = subprocess.run([WARPLORE, "import", "--json", *paths], env=env, capture_output=True, text=True)
    need(r.returncode in (0, 2), f"an import, not exit {r.returncode}: {r.stderr}")
    return json.loads(r.stdout), time.monotonic() - began, r.returncode


def dump(data):
    return subprocess.run([WARPLORED, "dump", "--data", data], check=True, capture_output=True,
                          text=True).stdout


def leaves(node, key=None):
    if isinstance(node, dict):
        for k, v in node.items():
            yield from leaves(v, k)
    elif isinstance(node, list):
        for v in node:
            yield from leaves(v, key)
    elif isinstance(node, str) and node:
        yield key, node
    elif isinstance(node, (int, float)) and not isinstance(node, bool):
        yield key, node


def keys(node):
    """Names of members: metrics are stored under theirs."""
    if isinstance(node, dict):
        yield from node
    for v in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from keys(v)


def squeeze(text):
    return " ".join(text.split())


def as_stored(leaf):
    """A time with a zone as times are stored; any other text as it is."""
    try:
        at = datetime.datetime.fromisoformat(leaf)
    except ValueError:
        return leaf
    if at.tzinfo is None:
        return leaf
    at = at.astimezone(datetime.timezone.utc)
    return (at.strftime("%Y-%m-%dT%H:%M:%S.%f").rstrip("0").rstrip(".")) + "Z"


SERIES = re.compile(r'"(?:[^"\\]|\\.)*"|[^ ;]+')  # the values of a sweep's columns


def unfolded(record):
    """A record; the columns of a sweep as lists of their values."""
    columns = record.get("record", {}).get("configurations") if record.get("kind") == "sweep" else None
    if columns:
        for holder in [columns, *columns.get("parameters", []), *columns.get("metrics", []), *columns.get("failures", [])]:
            for name in ("values", "times_ns", "samples_ns", "at"):
                if name in holder:
                    holder[name] = [json.loads(v) for v in SERIES.findall(holder[name]) if v != "-"]
    return record


class Stored:
    """All texts and numbers of all records, and the blobs of the artifacts. A file that gives times in
    other units than nanoseconds has SCALES."""

    def __init__(self, lines, scales=(1,)):
        self.scales = scales
        self.blobs, self.strings, self.numbers, texts = set(), set(), set(), []
        self.documents = set()  # hashes of texts that are source documents
        for line in lines.splitlines():
            record = unfolded(json.loads(line))
            if record.get("kind") == "artifact" and "blob" in record:
                self.blobs.add(record["blob"])
                continue
            if record.get("kind") == "source_document":
                self.documents.add(record["blob"])
            self.strings.update(keys(record))
            for _, v in leaves(record):
                if isinstance(v, str):
                    self.strings.add(v)
                    texts.append(squeeze(v))
                else:
                    self.numbers.add(float(v))
        self.text = "\0".join(texts)
        self.rounded = {"%.12g" % n for n in self.numbers} if len(scales) > 1 else set()

    def has(self, leaf):
        if isinstance(leaf, str):
            if leaf.startswith("/") and len(self.scales) > 1:  # a path of another machine
                leaf = os.path.basename(leaf)
            return leaf in self.strings or squeeze(leaf) in self.text or \
                as_stored(leaf) in self.strings or \
                squeeze(json.dumps(leaf, ensure_ascii=False)[1:-1]) in self.text
        return float(leaf) in self.numbers or repr(leaf) in self.text or \
            any("%.12g" % (leaf * scale) in self.rounded for scale in self.scales)


def files_below(path):
    if os.path.isfile(path):
        yield path, os.path.basename(path)
    for folder, _, names in os.walk(path):
        for name in sorted(names):
            full = os.path.join(folder, name)
            yield full, os.path.relpath(full, path)


def find_db_leaves(text):
    """What stands in a find database: problems, solvers, times in milliseconds, workspaces, algorithms."""
    for line in text.splitlines():
        problem, timings = line.split("=")
        yield "problem", problem
        for timing in timings.split(";"):
            solver, rest = timing.split(":")
            yield "solver", solver
            for field in rest.split(","):
                try:
                    yield "number", float(field)
                except ValueError:
                    yield "text", field


def number_or_text(cell):
    try:
        return float(cell)
    except ValueError:
        return cell


def leaves_of(name, raw):
    """The texts and numbers of a file whose format this test reads; None: it reads no such format."""
    if ".fdb.txt" in name:
        return find_db_leaves((bz2.decompress(raw) if name.endswith(".bz2") else raw).decode())
    if name.endswith(".jsonl"):
        return (leaf for line in raw.decode().splitlines() for leaf in leaves(json.loads(line)))
    if name.endswith(".tsv"):
        return ((None, number_or_text(c)) for line in raw.decode().splitlines()[1:] for c in line.split("\t") if c != "-")
    return leaves(json.loads(raw)) if name.endswith(".json") else None


def check_files(paths, stored, report):
    skipped = {line.split(": ")[0] for line in report["skipped"]}
    refused = " ".join(e["text"] for f in report["formats"] for e in f["errors"])
    lost, only_bytes, checked, missing = [], 0, 0, []
    for path in paths:
        for full, name in files_below(path):
            with open(full, "rb") as f:
                raw = f.read()
            if name in skipped:
                continue
            if hashlib.blake2b(raw, digest_size=32).hexdigest() not in stored.blobs:
                missing.append(name)
            # an index repeats the records; a source document is a record with the whole text
            if name in refused or name.endswith("index.json") or \
                    hashlib.blake2b(raw, digest_size=32).hexdigest() in stored.documents:
                continue
            for key, leaf in leaves_of(name, raw) or ():
                checked += 1
                if stored.has(leaf):
                    continue
                only_bytes += 1
                if os.environ.get("VERBOSE"):
                    print(name, key, repr(leaf)[:200])
                if key not in IN_FILE_ONLY:
                    lost.append((name, key, leaf))
    need(not missing, f"the bytes of every file: {missing[:5]}")
    need(not lost, f"every leaf in a record: {len(lost)} are not: {lost[:5]}")
    return checked, only_bytes


def stored_count(report):
    return sum(k["stored"] for f in report["formats"] for k in f["records"].values())


def check_counts(report, want):
    for name, kind, n in want:
        f = next((f for f in report["formats"] if f["format"] == name), None)
        need(f is not None, f"{name} to be recognised")
        got = f["records"].get(kind, {}).get("read", 0)
        need(got == n, f"{name}: {n} {kind}, not {got}")


def take_out(service, token, path):
    """Every document, oldest first, as lines of an export."""
    ids, cursor = [], ""
    while True:
        _, body, _ = service.request("GET", "/api/v1/submissions?limit=200" + cursor, token)
        page = json.loads(body)
        ids += [r["id"] for r in page["rows"]]
        if not page.get("next"):
            break
        cursor = "&cursor=" + page["next"]
    with open(path, "w") as f:
        for seq, name in enumerate(reversed(ids), 1):
            _, raw, _ = service.request("GET", f"/api/v1/submissions/{name}/raw", token)
            f.write(json.dumps({"seq": seq, "id": name, "text": raw.decode()},
                               separators=(",", ":")) + "\n")


def check_move(service, token, facts, folder, role):
    lines, data = os.path.join(folder, "export.jsonl"), os.path.join(folder, "second")
    take_out(service, token, lines)
    other = Daemon(WARPLORED, data)
    env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{other.port}",
               WARPLORE_TOKEN=make_token(WARPLORED, data, role), XDG_CONFIG_HOME=folder)
    _, _, code = run_import(env, lines)
    need(code == 0, "every document of the export to be taken")
    need(dump(data) == facts, "the same facts in the second service")
    other.stop()


def trial(paths, want, refusals, scales=(1,), role="contributor", says=None):
    with scratch() as folder:
        data = os.path.join(folder, "data")
        service = Daemon(WARPLORED, data)
        env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{service.port}",
                   WARPLORE_TOKEN=make_token(WARPLORED, data, role), XDG_CONFIG_HOME=folder)
        report, seconds, code = run_import(env, *paths)
        need((code == 2) == refusals, f"refusals to be {refusals}: exit {code}")
        check_counts(report, want)
        need(stored_count(report) > 0, "records to be stored")
        facts = dump(data)
        checked, only_bytes = check_files(paths, Stored(facts, scales), report)
        again, _, _ = run_import(env, *paths)
        need(stored_count(again) == 0, "the second import to store nothing")
        need(dump(data) == facts, "the second import to change no fact")
        check_move(service, env["WARPLORE_TOKEN"], facts, folder, role)
        if says:
            r = subprocess.run([WARPLORE, *says[0]], env=env, capture_output=True, text=True)
            need(says[1] in " ".join(r.stdout.split()), f"{says}: {r.stdout} {r.stderr}")
        service.stop()
        records = sum(k["read"] for f in report["formats"] for k in f["records"].values())
        print(f"{records} records in {seconds:.2f} s; {checked} texts and numbers, "
              f"{only_bytes} of them in the stored files only")


def check_options():
    """--chip is checked before anything is read."""
    tuning = os.path.join(FIXTURES, "kernel-tuner", "scale_MI250X_T4.json")
    r = subprocess.run([WARPLORE, "import", "--dry-run", "--chip", "mi300z", tuning], capture_output=True, text=True)
    need(r.returncode == 2 and "mi300z" in r.stderr and "mi300x" in r.stderr, f"--chip mi300z refused: {r.stderr}")


check_options()
trial([os.path.join(FIXTURES, n) for n in ("wiki", "methods", "traps")],
      [("gpu-wiki", "insights", 5), ("hardware-wiki", "source_documents", 3),
       ("method-registry", "techniques", 5), ("sass-signatures", "techniques", 4)], True)
trial([os.path.join(FIXTURES, *n) for n in (("co", "run_20260611_140302"), ("at", "row_sum_ws"), ("at", "legacy_ws"),
                                            ("kf", "kernels"), ("spec",))],
      [("v2-run", "experiments", 3), ("v2-run", "attributions", 3), ("v2-run", "verifications", 4),
       ("workspace", "experiments", 8), ("workspace", "directions", 2), ("workspace", "curations", 1),
       ("leaderboard", "experiments", 9), ("hardware-spec", "specs", 30)], True, (1, 1e3, 1e6), "curator")  # it holds a mask
trial([os.path.join(FIXTURES, "kernel-tuner")],
      [("kernel-tuner", "sweeps", 2), ("kernel-tuner", "versions", 2), ("kernel-tuner", "runs", 1)], True, (1, 1e6),
      says=(("history", "convolution"), "sweep of 7 configurations on a100: best 1 ms (block_size_x=64 method=\"copy\" use_padding=1), 2.50x over the median, 3 failed"))
trial([os.path.join(FIXTURES, "miopen")],
      [("miopen", "runs", 17), ("miopen", "versions", 12), ("miopen", "experiments", 8)], True, (1, 1e6))
trial([os.path.join(FIXTURES, "agent-logs")],
      [("agent-logs", "campaigns", 2), ("agent-logs", "versions", 13), ("agent-logs", "experiments", 10)], True)
trial([os.path.join(FIXTURES, "notes")], [("notes", "insights", 7), ("notes", "hypotheses", 5)], False)
trial([os.path.join(FIXTURES, "sources")], [("sources", "kernels", 3), ("sources", "versions", 4)], False)
if os.path.isdir(os.path.join(DATA, "gpu-wiki")):
    trial([os.path.join(DATA, "kernelflow"), os.path.join(DATA, "gpu-wiki")],
          [("gpu-wiki", "insights", 847), ("hardware-wiki", "insights", 21),
           ("hardware-wiki", "source_documents", 9), ("hardware-spec", "specs", 146), ("kernelflow", "experiments", 48),
           ("method-registry", "techniques", 63), ("sass-signatures", "techniques", 63)], False)
else:
    print("the real data is not beside the checkout; small files only")
