"""Every value of a data file is stored, stands in `extra`, or is named in the report as not read; and
what makes a format worth reading (identity, times, metrics, parameters, errors, ideas) is stored in the
field where it belongs.

A table, tests/fixtures/import/fields.json, names the files of each format and its fields that must be
stored: {"FORMAT": {"files": [GLOB below tests/fixtures/import or the shared data], "options": […],
"stored": [{"from": PLACE, "in": [PLACE…], "scale": 1e6, "map": {"KEEP": "win"}, "unique": true,
"round": true, "number": true, "where_it_is": true}],
"elsewhere": {PLACE: why}}}. A PLACE of a file is its columns or members with dots, list positions left
out, or table.column of an SQLite file; a PLACE of a record is the same within a submission
("runs.summary.mean_ns"). `unique` compares sets, else every value counts as often as it stands in the
file; `round`: whole numbers are stored; `number`: texts at this place are no values; `where_it_is`: not
every file has it. `elsewhere` names what is kept, but in other words than it was written.

Each unit is imported alone by the client, and the documents that the report names are read back.
The readers here share no code with the importers.

Usage: import_walk.py WARPLORED WARPLORE SOURCE_DIR [FORMAT…]; VERBOSE=1 lists what was not found"""
import bz2
import collections
import csv
import fnmatch
import glob
import gzip
import io
import json
import lzma
import math
import os
import re
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import zipfile

from daemon import Daemon, make_token, need, scratch

WARPLORED, WARPLORE, SOURCE = sys.argv[1:4]
FIXTURES = os.path.join(SOURCE, "tests", "fixtures", "import")
DATA = os.path.join(SOURCE, "..", "shared", "data")
SERIES = re.compile(r'"(?:[^"\\]|\\.)*"|[^ ;]+')  # the values of a sweep's columns

# ---- files ----


def unpacked(name, raw):
    """(name, bytes) of what an archive holds; the file itself when it is none."""
    if raw[:2] == b"\x1f\x8b":
        return unpacked(name, gzip.decompress(raw))
    if raw[:3] == b"BZh":
        return unpacked(name, bz2.decompress(raw))
    if raw[:6] == b"\xfd7zXZ\0":
        return unpacked(name, lzma.decompress(raw))
    if raw[:4] == b"\x28\xb5\x2f\xfd":
        return unpacked(name, subprocess.run(["zstd", "-dc"], input=raw, check=True, capture_output=True).stdout)
    if raw[:4] == b"PK\x03\x04":
        z = zipfile.ZipFile(io.BytesIO(raw))
        return [x for n in z.namelist() if not n.endswith("/") for x in unpacked(n, z.read(n))]
    if raw[257:262] == b"ustar":
        t = tarfile.open(fileobj=io.BytesIO(raw))
        return [x for m in t.getmembers() if m.isfile() for x in unpacked(m.name, t.extractfile(m).read())]
    return [(name, raw)]


def leaves(node, place="", path=""):
    """(place, value, path) of everything in a JSON document; the path as the client's reports write it."""
    if isinstance(node, dict):
        for k, v in node.items():
            step = f".{k}" if re.fullmatch(r"\w+", k) else f'["{k}"]'
            yield from leaves(v, f"{place}.{k}" if place else k, (path + step).lstrip("."))
    elif isinstance(node, list):
        for i, v in enumerate(node):
            yield from leaves(v, place, f"{path}[{i}]")
    elif isinstance(node, (str, int, float)) and not isinstance(node, bool) and node != "":
        yield place, node, path


def cell(text):
    """A number as a number, with its thousands as people write them; other cells as text."""
    for form in (text, text.replace(",", "")):
        try:
            return float(form) if math.isfinite(float(form)) else text
        except ValueError:
            pass
    return text


def table_leaves(text):
    """Cells of a table with separators. Lines before it that have fewer separators are chatter."""
    lines = text.splitlines(True)
    count = {s: max((x.count(s) for x in lines[:200]), default=0) for s in "\t,;|"}
    mark = next((s for s in "\t,;|" if count[s] and sum(x.count(s) >= count[s] * .5 for x in lines) > len(lines) * .4), ",")
    reader, line, rows = csv.reader(lines, delimiter=mark), 1, []
    for row in reader:
        rows.append((row, line))
        line = reader.line_num + 1
    width = collections.Counter(len(r) for r, _ in rows).most_common(1)[0][0]
    first = next((i for i, (r, _) in enumerate(rows) if len(r) >= width), 0)
    header = rows[first][0]  # rows may lack their last cells
    for i, (row, line) in enumerate(rows):
        is_row = width <= len(row) <= len(header)
        for value in row if not is_row and i > 0 else ():  # a row cut short, or a line that is none
            if value.strip():
                yield "other", cell(value.strip()), f"line {line}"
        for name, value in zip(header, row) if is_row and i > first else ():
            if value.strip() and value != "-":
                yield name.strip(), cell(value.strip()), f"line {line}"


def sqlite_leaves(raw):
    with tempfile.NamedTemporaryFile() as f:
        f.write(raw)
        f.flush()
        db = sqlite3.connect(f"file:{f.name}?immutable=1", uri=True)
        for (table,) in db.execute("select name from sqlite_master where type='table'").fetchall():
            rows = db.execute(f'select * from "{table}"')
            names = [d[0] for d in rows.description]
            for row in rows:
                for name, value in zip(names, row):
                    if value is not None and value != "" and not isinstance(value, bytes):
                        yield f"{table}.{name}", value, table


def find_db_leaves(text):
    for n, line in enumerate(text.splitlines(), 1):
        problem, _, timings = line.partition("=")
        for timing in timings.split(";") if timings else ():
            solver, _, rest = timing.partition(":")
            yield "problem", problem, f"line {n}"
            yield "solver", solver, f"line {n}"
            for i, field in enumerate(rest.split(",")):
                yield f"field{i}", cell(field), f"line {n}"


def leaves_of(name, raw):
    if raw[:16] == b"SQLite format 3\0":
        return sqlite_leaves(raw)
    text = raw.decode("utf-8-sig")
    if ".fdb.txt" in name:
        return find_db_leaves(text)
    try:
        return leaves(json.loads(text))
    except ValueError:
        pass
    lines = [(n, x) for n, x in enumerate(text.splitlines(), 1) if x.strip()]
    return lines_leaves(lines) if lines and lines[0][1].startswith(("{", "[")) else table_leaves(text)


def lines_leaves(lines):
    """Of JSON lines; one that is no JSON is a text."""
    for n, line in lines:
        try:
            yield from ((p, v, f"line {n}") for p, v, _ in leaves(json.loads(line)))
        except ValueError:
            yield "other", line, f"line {n}"


def files_of(path):
    names = [path] if os.path.isfile(path) else \
        [os.path.join(d, n) for d, _, found in os.walk(path) for n in sorted(found)]
    for full in names:
        with open(full, "rb") as f:
            yield from unpacked(os.path.relpath(full, os.path.dirname(path)), f.read())


# ---- records ----


def unfolded(sweep):
    """A sweep with its columns as lists of values."""
    columns = sweep.get("configurations", {})
    for holder in [columns, *columns.get("parameters", []), *columns.get("metrics", []), *columns.get("failures", [])]:
        for name in ("values", "times_ns", "samples_ns", "at"):
            if name in holder:
                holder[name] = [json.loads(v) for v in SERIES.findall(holder[name]) if v != "-"]
    return sweep


def squeeze(text):
    return " ".join(str(text).split())


def same(value, scale=1):
    return "%.10g" % (value * scale) if isinstance(value, (int, float)) else squeeze(value)


def keys_of(node):
    if isinstance(node, dict):
        yield from node
    for v in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from keys_of(v)


class Stored:
    """The values of some documents: by place, and all texts as one for what stands within others."""

    def __init__(self, documents):
        self.places = collections.defaultdict(collections.Counter)
        self.all, texts = set(), []
        for d in documents:
            d.pop("artifacts", None)
            for sweep in d.get("sweeps", []):
                unfolded(sweep)
            self.all.update(squeeze(k) for k in keys_of(d))
            for place, value, _ in leaves(d):
                self.places[place][same(value)] += 1
                self.all.add(same(value))
                if isinstance(value, str):
                    texts.append(squeeze(value))
        self.text = "\0".join(texts)

    def has(self, value, scales):
        if isinstance(value, str):
            return same(value) in self.all or squeeze(value) in self.text or \
                squeeze(json.dumps(value, ensure_ascii=False)[1:-1]) in self.text or \
                os.path.basename(value) in self.all
        return any(same(value, s) in self.all or s >= 1e3 and same(math.floor(value * s + .5)) in self.all for s in scales) or repr(value) in self.text or \
            "%.17g" % value in self.text or "%.15g" % value in self.text


# ---- the trial ----


def said_of(report):
    """What the report names: (texts of what is not read, {where of an entry that was refused})."""
    texts = [x["text"] for f in report["formats"] for k in ("errors", "extra", "conflicts") for x in f.get(k, [])]
    refused = [x["text"] for f in report["formats"] for x in f["errors"]]
    where = set()
    for text in refused:
        m = re.match(r"(\S+) (line \d+): ((?:[\w.]|\[[^\]]*\])*)", text)
        if m:
            name = os.path.basename(m[1])
            where.update({(name, m[2]), (name, m[3])} if m[3] else {(name, m[2])})
    return "\n".join(texts + report["skipped"]), where


def check_stored(label, rule, found, stored, said):
    have = collections.Counter()
    for place in rule["in"]:
        for p in (p for p in stored.places if fnmatch.fnmatchcase(p, place)):
            have.update(stored.places[p])
    want = collections.Counter()
    for place, values in found.items():
        if fnmatch.fnmatchcase(place, rule["from"]):
            for v, n in values.items():
                v = rule.get("map", {}).get(str(v), v)
                if isinstance(v, str) and rule.get("number"):
                    continue
                v = math.floor(v * rule["scale"] + .5) if rule.get("round") else v
                want[same(v, 1 if rule.get("round") else rule.get("scale", 1))] += n
    need(want, f"{label}: something at {rule['from']} in the file")
    lost = [v for v in want if v not in have] if rule.get("unique") else list(want - have)
    lost = [v for v in lost if not re.search(r"(?<!\w)" + re.escape(v) + r"(?!\w)", said)]
    if os.environ.get("VERBOSE"):
        for v in lost[:5]:
            print(f"{label}: {v!r} stands in", [p for p, values in stored.places.items() if v in values][:8])
    need(not lost, f"{label}: {rule['from']} to stand in {rule['in']}: {len(lost)} of {len(want)} do not: {lost[:5]}")


def walk(label, format_, path, env, service, token):
    r = subprocess.run([WARPLORE, "import", "--json", *format_.get("options", []), path], env=env,
                       capture_output=True, text=True)
    need(r.returncode in (0, 2), f"{label}: an import, not exit {r.returncode}: {r.stderr}")
    try:
        report = json.loads(r.stdout)
    except ValueError:
        need(False, f"{label}: one JSON report, not {r.stdout[:600]} {r.stderr[:300]}")
    ids = [i for f in report["formats"] for i in f["documents"]]
    stored = Stored([json.loads(service.request("GET", f"/api/v1/submissions/{i}/raw", token)[1]) for i in ids])
    found = collections.defaultdict(collections.Counter)
    said, refused = said_of(report)
    for name, raw in files_of(path):
        base = os.path.basename(name)
        if base.startswith(("LICENSE", "NOTICE", "README")):
            continue
        steps = [w for n, w in refused if n in (base, os.path.basename(path))]
        for place, value, where in leaves_of(name, raw):
            if not any(where == w or where.startswith((w + ".", w + "[")) for w in steps):
                found[place][value] += 1
    for rule in format_["stored"]:
        if any(fnmatch.fnmatchcase(p, rule["from"]) for p in found) or not rule.get("where_it_is"):
            check_stored(label, rule, found, stored, said)
    scales = {1} | {rule["scale"] for rule in format_["stored"] if "scale" in rule} | set(format_.get("scales", []))
    lost = collections.Counter()
    n = 0
    for place, values in found.items():
        name = place.rsplit(".", 1)[-1]
        told = place in said or re.search(r"(?<!\w)" + re.escape(name) + r"(?!\w)", said)
        for value, times in values.items():
            n += times
            if told or any(fnmatch.fnmatchcase(place, e) for e in format_.get("elsewhere", {})) or \
                    stored.has(value, scales):
                continue
            lost[place] += times
            if os.environ.get("VERBOSE"):
                print(f"{label}: {place}: {value!r}"[:200])
    need(not lost, f"{label}: every value in a record or named as not read: {dict(lost.most_common(8))}")
    need(sum(k["stored"] for f in report["formats"] for k in f["records"].values()) > 0, f"{label}: records")
    return n


def main():
    with open(os.path.join(FIXTURES, "fields.json"), encoding="utf-8") as f:
        table = json.load(f)
    only, n, files = sys.argv[4:], 0, 0
    with scratch() as folder:
        data = os.path.join(folder, "data")
        service = Daemon(WARPLORED, data)
        token = make_token(WARPLORED, data, "curator")
        env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{service.port}", WARPLORE_TOKEN=token,
                   XDG_CONFIG_HOME=folder, XDG_STATE_HOME=folder)
        for name, format_ in table.items():
            if only and name not in only:
                continue
            paths = [p for pattern in format_["files"] for root in (FIXTURES, DATA)
                     for p in sorted(glob.glob(os.path.join(root, pattern)))]
            need(any(p.startswith(FIXTURES) for p in paths), f"{name}: a file of ours")
            for path in paths:
                n += walk(f"{name} {os.path.basename(path)}", format_, path, env, service, token)
                files += 1
        service.stop()
    print(f"{files} files of {len(table)} formats, {n} values: each is stored, in extra, or named as not read")


main()
