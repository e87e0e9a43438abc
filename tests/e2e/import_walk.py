"""Every value of a data file is stored, stands in `extra`, or is named in the report as not read; and
what makes a format worth reading (identity, times, metrics, parameters, errors, ideas) is stored in the
field where it belongs.

A table, tests/fixtures/import/fields.json, names the files of each format and its fields that must be
stored: {"FORMAT": {"files": [GLOB below tests/fixtures/import or the shared data], "options": […],
"stored": [{"from": PLACE, "in": [PLACE…], "scale": 1e6, "map": {"KEEP": "win", "None": null}, "unique": true,
"round": true, "number": true, "where_it_is": true}],
"elsewhere": {PLACE: why}}}. A PLACE of a file is its columns or members with dots, list positions left
out, or table.column of an SQLite file; a PLACE of a record is the same within a submission
("runs.summary.mean_ns"). `unique` compares sets, else every value counts as often as it stands in the
file; `round`: whole numbers are stored; `number`: texts at this place are no values; `where_it_is`: not
every file has it; `of`: only of files with this name; `else`:
places that may hold it as it is written. `elsewhere` names what is kept, but in other words than it was written. "not read" lists the
data files that are of no format: the client must name them. Every other file of the real data must be
of a format, and every importer and map must have two files of ours.

Of texts for people, the values are the numbers in tables and behind a name. Programs are values as a whole.

Each unit is imported alone by the client, and the documents that the report names are read back.
The readers here share no code with the importers. The real data is the folder WARPLORE_DATA, else shared/data
beside a folder that the source is in; without it only the files of ours are walked.

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
DATA = os.environ.get("WARPLORE_DATA") or next(
    (d for up in range(1, 4) if os.path.isdir(d := os.path.join(os.path.abspath(SOURCE), *[".."] * up, "shared", "data"))), "")
PROGRAMS = (".cu", ".cpp", ".hip", ".py")
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
    least = len(header) if mark == "\t" else width  # a short row with tabs lacks any column
    for i, (row, line) in enumerate(rows):
        is_row = least <= len(row) <= len(header)
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


def perf_db_leaves(text):
    for n, line in enumerate(text.splitlines(), 1):
        problem, _, solvers = line.partition("=")
        for solver in solvers.split(";") if solvers else ():
            name, _, values = solver.partition(":")
            yield "problem", problem, f"line {n}"
            yield "solver", name, f"line {n}"
            if values:
                yield "values", values, f"line {n}"


def numbers_of(text):
    """Numbers that are not part of a word or of a path."""
    for v in re.findall(r"(?<![\w./-])[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w/]|\.\d)", text):
        yield cell(v)


def prose_leaves(text):
    """Numbers of a text for people: cells of tables by their column, what stands behind a name."""
    header = None
    for n, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if line.startswith("|"):
            # as |Δ| in a header is no border
            cells = [c.strip().strip("*`").strip() for c in re.split(r"\|(?!Δ\|?)(?<!Δ\|)", line)[1:-1]]
            if all(re.fullmatch(r":?-*:?", c) for c in cells):
                continue
            for name, value in zip(header[1:], cells[1:]) if header and len(header) == len(cells) else ():
                yield from ((name, v, f"line {n}") for v in numbers_of(value))
            header = header or cells
            continue
        header = None
        found = re.match(r"[-*]?\s*\**([\w ()/%-]+?)\**\s*:\**\s+(.*)$", line)
        yield from ((found[1], v, f"line {n}") for v in numbers_of(found[2])) if found else ()


def log_leaves(text):
    """Values of a log of Triton's autotuner."""
    for n, line in enumerate(text.splitlines(), 1):
        for name, value in re.findall(r"(?:^|[ ,;=])(\w+)(?:: |=)(-?[\d.]+)\b", line):
            if "config" in line or "p50" in line:
                yield name, cell(value), f"line {n}"


def leaves_of(name, raw):
    if raw[:16] == b"SQLite format 3\0":
        return sqlite_leaves(raw)
    text = raw.decode("utf-8-sig")
    if ".fdb.txt" in name:
        return find_db_leaves(text)
    if "pdb.txt" in name:
        return perf_db_leaves(text)
    if name.endswith(PROGRAMS):
        return [("program", text, "")]
    if name.endswith((".md", "hypothesis.txt")):
        return prose_leaves(text)
    if name.endswith(".log") and "autotun" in text:
        return log_leaves(text)
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


class Stored:
    """The values of some documents: by place, and all texts as one for what stands within others. The
    documents are added one by one; of an equal value at an equal place only the count is held."""

    def __init__(self):
        self.raw = collections.defaultdict(collections.Counter)  # by place and whether it is below `extra`
        self.keys = (set(), set())
        self.below = {}  # place of a member, by place and name

    def add(self, node, place="", extra=False):
        if isinstance(node, dict):
            self.keys[extra].update(node)
            for k, v in node.items():
                there = self.below.get((place, k))
                if there is None:
                    there = self.below[place, k] = f"{place}.{k}" if place else k
                self.add(v, there, extra or k == "extra")
        elif isinstance(node, list):
            for v in node:
                self.add(v, place, extra)
        elif isinstance(node, (str, int, float)) and not isinstance(node, bool) and node != "":
            self.raw[place, extra][node] += 1

    def close(self):
        """(values by place, Values of fields, Values of extra)"""
        places = collections.defaultdict(collections.Counter)
        for (place, _), values in self.raw.items():
            for v, n in values.items():
                places[place][same(v)] += n
        return places, *(Values({v for (_, e), vs in self.raw.items() if e == extra for v in vs}, self.keys[extra])
                         for extra in (False, True))


class Values:
    def __init__(self, values, keys):
        self.all = {same(v) for v in values} | {squeeze(k) for k in keys}
        self.text = "\0".join(squeeze(v) for v in values if isinstance(v, str))

    def has(self, value, scales):
        if isinstance(value, str):
            return same(value) in self.all or os.path.basename(value) in self.all
        return any(same(value, s) in self.all or s >= 1e3 and same(math.floor(value * s + .5)) in self.all for s in scales)

    def has_within(self, value):
        """Whether a text has it. This takes a search through all texts."""
        if isinstance(value, str):
            return squeeze(value) in self.text or squeeze(json.dumps(value, ensure_ascii=False)[1:-1]) in self.text
        return any(form in self.text for form in (repr(value), "%.17g" % value, "%.15g" % value))


# ---- the trial ----


def said_of(report):
    """What the report names: (texts of what is not read, {where of an entry that was refused}, {where of
    one that is in the file only})."""
    texts = [x["text"] for f in report["formats"] for k in ("errors", "extra", "conflicts") for x in f.get(k, [])]
    refused = [x["text"] for f in report["formats"] for x in f["errors"]]
    kept = {(os.path.basename(m[1]), m[2]) for f in report["formats"] for x in f["extra"]
            if (m := re.match(r"(\S+) (line \d+): ", x["text"]))}
    where = set()
    for text in refused:
        m = re.match(r"(\S+) (line \d+): ((?:[\w.]|\[[^\]]*\])*)", text)
        if m:
            name = os.path.basename(m[1])
            where.update({(name, m[2]), (name, m[3])} if m[3] else {(name, m[2])})
    return "\n".join(texts + report["skipped"]), where, kept


def holders(path):
    """The path itself, and that of each entry it lies in."""
    return [path] + [path[:m.start()] for m in re.finditer(r"[.\[]", path)]


def check_stored(label, rule, found, places, said):
    have = collections.Counter()
    for place in rule["in"]:
        for p in (p for p in places if fnmatch.fnmatchcase(p, place)):
            have.update(places[p])
    want = collections.Counter()
    for place, values in found.items():
        if fnmatch.fnmatchcase(place, rule["from"]):
            for v, n in values.items():
                v = rule.get("map", {}).get(str(v), v)
                if v is None or isinstance(v, str) and rule.get("number"):
                    continue
                v = math.floor(v * rule["scale"] + .5) if rule.get("round") else v
                want[same(v, 1 if rule.get("round") else rule.get("scale", 1))] += n
    need(want, f"{label}: something at {rule['from']} in the file")
    lost = [v for v in want if v not in have] if rule.get("unique") else list(want - have)
    again = {v for place in rule.get("else", []) for v in places.get(place, ())}
    lost = [v for v in lost if not ("scale" in rule and same(float(v) / rule["scale"]) in again)]
    lost = [v for v in lost if not re.search(r"(?<!\w)" + re.escape(v) + r"(?!\w)", said)]
    if os.environ.get("VERBOSE"):
        for v in lost[:5]:
            print(f"{label}: {v!r} stands in", [p for p, values in places.items() if v in values][:8])
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
    stored = Stored()
    for i in ids:
        document = json.loads(service.request("GET", f"/api/v1/submissions/{i}/raw", token)[1])
        document.pop("artifacts", None)
        for sweep in document.get("sweeps", []):
            unfolded(sweep)
        stored.add(document)
    places, fields, extra = stored.close()
    found = collections.defaultdict(collections.Counter)
    said, refused, kept_at = said_of(report)
    where_named, stands = 0, collections.defaultdict(set)
    for name, raw in files_of(path):
        base = os.path.basename(name)
        if base.startswith(("LICENSE", "NOTICE", "README")):
            continue
        steps = {w for n, w in refused if n in (base, os.path.basename(path))}
        if name_is_said(name, said):
            where_named += sum(1 for _ in leaves_of(name, raw)) if not name.endswith(".txt") else 1
            continue
        for place, value, at in leaves_of(name, raw):
            if steps and not steps.isdisjoint(holders(at)):
                where_named += 1
            else:
                found[place][value] += 1
                if kept_at:
                    stands[place, value].add((base, at))
    for rule in format_["stored"]:
        if not fnmatch.fnmatchcase(os.path.basename(path), rule.get("of", "*")):
            continue
        if any(fnmatch.fnmatchcase(p, rule["from"]) for p in found) or not rule.get("where_it_is"):
            check_stored(label, rule, found, places, said)
    scales = {1} | {rule["scale"] for rule in format_["stored"] if "scale" in rule} | set(format_.get("scales", []))
    lost, named, where = (collections.Counter() for _ in range(3))
    for place, values in found.items():
        name = place.rsplit(".", 1)[-1]
        told = place in said or re.search(r"(?<!\w)" + re.escape(name) + r"(?!\w)", said)
        told = told or any(fnmatch.fnmatchcase(place, e) for e in format_.get("elsewhere", {}))
        none = [v for r in format_["stored"] if fnmatch.fnmatchcase(place, r["from"])
                for v, to in r.get("map", {}).items() if to is None]
        for value, times in values.items():
            if value in none:
                continue
            kept = "stored" if fields.has(value, scales) else "extra" if extra.has(value, scales) else \
                "named" if told or kept_at and stands[place, value] <= kept_at else \
                "stored" if fields.has_within(value) else "extra" if extra.has_within(value) else "lost"
            where[kept] += times
            if kept == "named":
                named[place] += times
            if kept != "lost":
                continue
            lost[place] += times
            if os.environ.get("VERBOSE"):
                print(f"{label}: {place}: {value!r}"[:200])
    if os.environ.get("VERBOSE"):
        print(f"{label}: named: {dict(named.most_common(12))}")
    need(not lost, f"{label}: every value in a record or named as not read: {dict(lost.most_common(8))}")
    need(sum(k["stored"] for f in report["formats"] for k in f["records"].values()) > 0, f"{label}: records")
    where["named"] += where_named
    return where, [f["format"] for f in report["formats"] if f["entries"]]


def name_is_said(name, said):
    """Whether the report names the file as not read, or as a file only."""
    return any(re.search(r"(^|/| )" + re.escape(n) + r": [^\n:]*(no importer|does not read it|kept as a file|a log)", said, re.M)
               for n in (name, os.path.basename(name)))


def data_files():
    for d, _, names in os.walk(DATA):
        for n in names:
            if not n.startswith(("LICENSE", "NOTICE", "README")):
                yield os.path.join(d, n)


def check_complete(table, not_read, walked, ours):
    """Every data file was walked or is known as not read; every importer and map has two files of ours."""
    paths = [os.path.join(DATA, p) for p in not_read]
    left = [f for f in data_files() if f not in walked and not any(f.startswith(p + "/") for p in walked) and f not in paths]
    need(not left, f"every file of {DATA} to be of a format: {len(left)} are not: {left[:5]}")
    with open(os.path.join(SOURCE, "collectors/import/importers.c"), encoding="utf-8") as f:
        importers = re.findall(r'^    {"([a-z0-9-]+)",', f.read(), re.M)
    few = {i: len(ours[i]) for i in importers if len(ours[i]) < 2 and i not in ("warplore", "ncu-rep")}
    need(not few, f"two files of ours for every importer: {few}")
    few = {k: len(ours["=" + k]) for k in table if len(ours["=" + k]) < 2}
    need(not few, f"two files of ours for every format of the table: {few}")


def main():
    with open(os.path.join(FIXTURES, "fields.json"), encoding="utf-8") as f:
        table = json.load(f)
    not_read = table.pop("not read")
    only, total, walked, ours = sys.argv[4:], collections.Counter(), set(), collections.defaultdict(set)
    with scratch() as folder:
        data = os.path.join(folder, "data")
        service = Daemon(WARPLORED, data)
        token = make_token(WARPLORED, data, "curator")
        env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{service.port}", WARPLORE_TOKEN=token,
                   XDG_CONFIG_HOME=folder, XDG_STATE_HOME=folder)
        print(f"{'format':24}{'files':>6}{'values':>9}{'stored':>9}{'extra':>8}{'named':>8}")
        for name, format_ in table.items():
            if only and name not in only:
                continue
            where, files = collections.Counter(), 0
            for root in (FIXTURES, DATA) if DATA else (FIXTURES,):
                for path in (p for pattern in format_["files"] for p in sorted(glob.glob(os.path.join(root, pattern)))):
                    counts, formats = walk(f"{name} {os.path.basename(path)}", format_, path, env, service, token)
                    where += counts
                    walked.add(path)
                    files += 1
                    for f in (*formats, "=" + name) if root == FIXTURES else ():
                        ours[f].add(path)
            print(f"{name:24}{files:6}{where.total():9}{where['stored']:9}{where['extra']:8}{where['named']:8}", flush=True)
            total += where + collections.Counter(files=files)
        service.stop()
    if not only:
        check_complete(table, not_read, walked, ours)
    n = sum(total[k] for k in ("stored", "extra", "named"))
    print(f"{total['files']} files of {len(only or table)} formats, {n} values: each is stored, in extra, or named as not read")


main()
