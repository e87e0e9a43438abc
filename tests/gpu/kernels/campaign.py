#!/usr/bin/env python3
"""Run the campaign of campaign.yaml: one `warplore run` per row, in order.

    campaign.py BUILD WARPLORE OUT [--only folder,…] [--metrics none|basic|full] [--counted row,…]
                [--iterations N] [--seconds N] [--recorded DIR] [--campaign ID] [--capture NAME]
                [--again] [--dry-run]

BUILD holds the programs that build.sh made, OUT gets one record per row (NAME.json), what the
program printed (NAME.stdout, with its check) and said (NAME.stderr), and campaign.json: how each row
ended. A row that fails is a row that failed: its record is kept and the next one runs. Rows whose
record is there, or in --recorded (NNN-NAME.json), are skipped, so that a campaign can be taken up
again (--again repeats them); after --seconds no new row is begun. The exit status is 0 when every row was recorded."""
import argparse
import glob
import json
import os
import shlex
import subprocess
import sys
import time

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT_S = 300  # one row: two runs of a program that takes a few seconds


def read_options():
    p = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].strip())
    p.add_argument("build")
    p.add_argument("warplore")
    p.add_argument("out")
    p.add_argument("--only", default="", help="folders or names of rows, with commas")
    p.add_argument("--metrics", help="instead of the file's")
    p.add_argument("--counted", help="rows that get counters, with commas (default: all)")
    p.add_argument("--iterations", type=int, help="at most so many launches that count")
    p.add_argument("--seconds", type=float, default=1e9)
    p.add_argument("--recorded", default="", help="where ship.py put the rows of before")
    p.add_argument("--campaign", help="id of the campaign record")
    p.add_argument("--capture")
    p.add_argument("--again", action="store_true")
    p.add_argument("--dry-run", action="store_true")
    return p.parse_args()


def rows_of(campaign, only):
    """(operator, row, kind) in the order of measurement; versions of one operator side by side."""
    for op in campaign["operators"]:
        for kind in ("versions", "ablations", "library"):
            for row in op.get(kind, []):
                names = {op["folder"], op["folder"] + "_" + row["version"]}
                if not only or names & only:
                    yield op, row, kind


def path(name):
    return os.path.join(HERE, name)


def summary_of(file):
    """The comment or docstring that opens a version, without the version's own name."""
    lines = []
    for line in open(path(file), encoding="utf-8"):
        text = line.strip().lstrip("/").strip('"').strip()
        if not text or text.startswith(("#", "import")):
            break
        lines.append(text)
        if lines and line.rstrip().endswith('"""'):
            break
    return " ".join(lines).partition(": ")[2] or " ".join(lines)


def sibling(op, version):
    return next(r for r in op["versions"] if r["version"] == version)


def claim(o, name, row):
    """A copy of the hypothesis for the record: with the time when it was claimed, and without its
    parent, which the run says itself."""
    lines = open(path(row["hypothesis"]), encoding="utf-8").read().splitlines()
    copy = os.path.join(o.out, name + ".hypothesis.yaml")
    with open(copy, "w", encoding="utf-8") as f:
        for line in lines + [f'claimed_at: "{row["claimed"]}"']:
            if not line.startswith("parent:"):
                f.write(line + "\n")
    return copy


def command(o, campaign, op, row, kind):
    name = f"{op['folder']}_{row['version']}"
    stdout = os.path.join(o.out, name + ".stdout")
    iterations = row.get("iterations", campaign["iterations"])
    if o.iterations:
        iterations = min(iterations, o.iterations)
    metrics = o.metrics or campaign["metrics"]
    if o.counted is not None and name not in o.counted.split(","):
        metrics = "none"
    say = [("operator", op["operator"]), ("kernel", f"{op['folder']}_{row['language']}"),
           ("dims", op["shape"]), ("dtype", op["dtype"]), ("layout", op.get("layout")),
           ("language", row["language"]), ("source", path(row["file"])),
           ("label", row.get("name", row["version"])), ("summary", summary_of(row["file"])),
           ("kernel-regex", row["kernel_regex"]), ("warmup", campaign["warmup"]),
           ("iterations", iterations + campaign["warmup"]),
           ("technique", row.get("technique")), ("ablates", row.get("ablates")),
           ("metrics", metrics), ("metrics-skip", campaign["warmup"]),
           ("campaign", o.campaign), ("capture", o.capture), ("author", "warplore campaign"),
           ("out", os.path.join(o.out, name + ".json")),
           ("check", f"cat {shlex.quote(stdout)}; grep -q ' pass$' {shlex.quote(stdout)}")]
    if row.get("parent"):
        say.append(("parent", path(sibling(op, row["parent"])["file"])))
    if row.get("hypothesis"):
        say.append(("hypothesis-file", claim(o, name, row)))
    if row["language"] == "cuda":
        say.append(("build", "flags=-O3 -std=c++17 -lineinfo"))
    if kind == "library":
        say += [("version-kind", "library"), ("role", "reference")]
    elif kind == "ablations":
        say += [("version-kind", "ablation"), ("role", "ablation")]
    elif not row.get("parent"):
        say += [("version-kind", "baseline"), ("role", "baseline")]
    program = [os.path.join(o.build, name)] if row["language"] == "cuda" else \
        [sys.executable, path(row["file"])]
    options = [text for key, value in say if value is not None
               for text in (f"--{key}", str(value))]
    return name, stdout, [o.warplore, "run", *options, "--quiet", "--strict", "--", *program,
                          "--check", "--warmup", str(campaign["warmup"]),
                          "--iterations", str(iterations)]


def is_recorded(o, name):
    return os.path.exists(os.path.join(o.out, name + ".json")) or o.recorded and \
        glob.glob(os.path.join(o.recorded, f"[0-9][0-9][0-9]-{name}.json"))


def run(o, name, stdout, argv):
    """How a row ended: the program's status, the check's, and whether there is a record."""
    start, stderr = time.monotonic(), os.path.join(o.out, name + ".stderr")
    record = os.path.join(o.out, name + ".json")
    if os.path.exists(record):
        os.remove(record)
    status = None
    with open(stdout, "wb") as out, open(stderr, "wb") as err:
        try:
            status = subprocess.run(argv, stdout=out, stderr=err, timeout=LIMIT_S).returncode
        except subprocess.TimeoutExpired:
            err.write(f"ended after {LIMIT_S} s\n".encode())
        except OSError as e:
            err.write(f"{e}\n".encode())
    passed = b" pass\n" in open(stdout, "rb").read()
    return {"name": name, "exit": status, "check": "pass" if passed else "fail",
            "recorded": os.path.exists(record), "seconds": round(time.monotonic() - start, 1),
            "said": open(stderr, errors="replace").read()[-2000:]}


def main():
    o = read_options()
    o.build, o.out = os.path.abspath(o.build), os.path.abspath(o.out)
    os.makedirs(o.out, exist_ok=True)
    campaign = yaml.safe_load(open(path("campaign.yaml"), encoding="utf-8"))
    only, begun, ended, left = set(filter(None, o.only.split(","))), time.monotonic(), [], []
    for op, row, kind in rows_of(campaign, only):
        name, stdout, argv = command(o, campaign, op, row, kind)
        if is_recorded(o, name) and not o.again:
            continue
        if o.dry_run:
            print(shlex.join(argv), ">", shlex.quote(stdout))
            continue
        if time.monotonic() - begun > o.seconds:
            left.append(name)
            continue
        r = run(o, name, stdout, argv)
        ended.append(r)
        print(f"{name:36} exit {r['exit']} check {r['check']} "
              f"{'recorded' if r['recorded'] else 'NOT RECORDED'} {r['seconds']} s", flush=True)
        with open(os.path.join(o.out, "campaign.json"), "w", encoding="utf-8") as f:
            json.dump({"ended": ended, "left": left}, f, indent=1)
    if left:
        print(f"no time for {len(left)}: {' '.join(left)}")
    bad = [r["name"] for r in ended if r["exit"] != 0 or not r["recorded"] or r["check"] != "pass"]
    if bad:
        print(f"not well: {' '.join(bad)}")
    sys.exit(0 if not left and all(r["recorded"] for r in ended) else 1)


main()
