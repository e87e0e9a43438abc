#!/usr/bin/env python3
"""The tables of the docs about durations, counters, overhead and loss, from the raw data of GPU hosts alone.

    tables.py SOURCE_DIR NAME…     compare what stands between <!-- NAME --> and <!-- /NAME --> on the page with the
                                   raw data; LORE_BLESS=1 writes it instead
    tables.py --of DIR             print the tables of the raw files in DIR (tests/gpu/accept.sh makes them), and
                                   whether the goals are met; 1 when one is missed

A table's raw data is in tests/fixtures/gpu/STAGE-DEVICE.json, or in a fixture that TABLES names. Exit status: 77
when there is none (its name is printed), 1 when the page says something else."""
import collections
import glob
import json
import os
import re
import statistics
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "counters"))
import compare  # noqa: E402

median = statistics.median


def chip(kept):
    """"H200" of a raw file."""
    return re.sub(r"^NVIDIA | .*", "", kept.get("device", "?").split(",")[0])


def where(kepts):
    return ["", "Measured on " + "; ".join(
        " ".join(filter(None, (k.get("device", "?").split(",")[0], k.get("driver") and f"(driver {k['driver']})",
                               k.get("measured_at", "")[:10]))) for k in kepts) + "."]


def table(heads, rows):
    """Markdown; a head that starts with ">" makes its column right-aligned."""
    lines = [[h.lstrip(">") for h in heads], ["--:" if h.startswith(">") else "---" for h in heads]] + rows
    return ["| " + " | ".join(str(c) for c in line) + " |" if i != 1 else "|" + "|".join(line) + "|"
            for i, line in enumerate(lines)]


def us(ns):
    return f"{ns / 1000:,.{max(0, 3 - len(str(int(ns / 1000))))}f}"


# ---- durations ----


def lengths(pair):
    """What one round says of each length, and of the kernel without work."""
    def facts(with_, without, batch):
        return {"us": with_["us"], "recorded": median(with_["recorded_ns"]), "span": median(with_["spans_ns"]),
                "span_without": median(without["spans_ns"]), "period": median(without["batches_ns"]) / batch}

    all_ = [facts(a, b, pair["without"]["batch"]) for a, b in zip(pair["with"]["lengths"], pair["without"]["lengths"])]
    empty = next(f for f in all_ if f["us"] == 0)
    for f in all_:
        f["by_span"] = (f["recorded"] - (empty["recorded"] - empty["span"])) / f["span"] if f["span"] else 0
        f["by_batch"] = ((f["recorded"] - empty["recorded"]) / (f["period"] - empty["period"])
                         if f["period"] != empty["period"] else 0)
    return all_, empty


def durations(*kepts):
    rows, constants = [], []
    for kept in kepts:
        rounds = [lengths(pair) for pair in kept["rounds"]]
        tick = max(pair["with"]["tick_ns"] for pair in kept["rounds"])
        of = lambda key: median(empty[key] for _, empty in rounds)  # noqa: E731
        constants.append(f"{chip(kept)}: a kernel without work is recorded with {us(of('recorded'))} µs, its span is "
                         f"{us(of('span'))} µs, and one follows the other every {us(of('period'))} µs; "
                         f"`%globaltimer` steps by {tick} ns.")
        for at, first in enumerate(rounds[0][0]):
            if first["us"] == 0:
                continue
            all_ = [lengths_[at] for lengths_, _ in rounds]
            middle = lambda key: median(f[key] for f in all_)  # noqa: E731
            rows.append([chip(kept), us(middle("recorded")), f"{middle('by_span'):.4f}", f"{middle('by_batch'):.4f}",
                         f"{median(f['span'] / f['span_without'] for f in all_):.4f}"])
    return table(["chip", ">recorded µs", ">over `%globaltimer`", ">over batches", ">kernel with / without capture"],
                 rows) + [""] + constants + where(kepts)


# ---- overhead and loss ----


def ratio(runs, command, key, a, b):
    """The median of the paired ratios of A to B, and how many pairs."""
    by = {(r["round"], r["with"]): r[key] for r in runs if r["command"] == command and r[key]}
    pairs = [by[n, a] / by[n, b] for n, name in by if name == a and (n, b) in by]
    return (median(pairs), len(pairs)) if pairs else None


def overhead(*kepts):
    rows = []
    for kept in kepts:
        wanted = [("200,000 tiny launches", ["tiny", "200000"], "loop_ns", "warplore", "bare", "a bare CUPTI loop"),
                  ("200,000 tiny launches", ["tiny", "200000"], "loop_ns", "warplore", "without", "no collector"),
                  ("kernels of 3 ms", ["long", "300"], "loop_ns", "warplore", "without", "no collector"),
                  ("the whole process", ["long", "300"], "wall_ns", "warplore", "without", "no collector"),
                  ("a training step of PyTorch", ["torch_step.py"], "loop_ns", "warplore", "without", "no collector"),
                  ("a training step of PyTorch", ["torch_step.py"], "loop_ns", "warplore", "bare", "bare CUPTI")]
        for what, command, key, a, b, other in wanted:
            found = ratio(kept["runs"], command, key, a, b)
            if found:
                rows.append([chip(kept), what, other, f"{found[0]:.3f}", found[1]])
    return table(["chip", "what", "Warplore over", ">ratio", ">pairs"], rows) + where(kepts)


def million(*kepts):
    rows = [[chip(k), c["name"], f"{c['launched']:,}", f"{c['recorded']:,}", c["dropped"], c["lost"]]
            for k in kepts for c in k["cases"]]
    return table(["chip", "program", ">launched", ">recorded", ">dropped", ">lost"], rows) + where(kepts)


def cases(*kepts):
    rows = [[chip(k), c["name"], c["status"], c["program"], c["recorded"], c["dropped"] + c["lost"],
             ", ".join(c["wrong"]) or "as it should be"] for k in kepts for c in k["cases"]]
    opened = [[chip(k), one["library"], one["status"], "as without it" if one["same"] else "CHANGED"]
              for k in kepts for one in k["not_opened"]]
    good = sum(not c["wrong"] for k in kepts for c in k["cases"])
    return (table(["chip", "case", ">status", "output", ">recorded", ">lost", "verdict"], rows) +
            ["", f"{good} of {len(rows)} are as they should be. A library that does not open:", ""] +
            table(["chip", "library", ">status", "the program"], opened) + where(kepts))


# ---- counters ----


def first_launch(*kepts):
    columns = [(chip(k), way) for k in kepts for way in ("user", "application")]
    rows = [list(all_) for all_ in zip(*(compare.first_launch(k, way)
                                         for k in kepts for way in ("ours", "ours_application")))]
    names = ("first counted launch of the process", "first counted launch of another kernel, at most",
             "median of the process's first three launches", "mean of the process's first three launches")
    return table(["MB of DRAM writes beyond later launches", *(f">{c}, {w} replay" for c, w in columns)],
                 [[n, *(f"{v:.1f}" for v in row)] for n, row in zip(names, rows)])


def first(*kepts):
    """Median over processes of what launch 0 and launch 1 write beyond the median of the later ones."""
    rows = []
    for kept in kepts:
        for kernel, metrics in dict.fromkeys((r["kernel"], r["metrics"]) for r in kept["rows"]):
            of = [r for r in kept["rows"] if (r["kernel"], r["metrics"]) == (kernel, metrics)]
            writes = [r["values"]["dram__bytes_write.sum"] for r in of]
            writes = [w for w in writes if len(w) > 3 and None not in w]
            if writes:
                more = [[(w[at] - median(w[2:])) / 1e6 for w in writes] for at in (0, 1)]
                rows.append([chip(kept), f"`{kernel}`", metrics, of[0]["passes"], *(f"{median(m):.1f}" for m in more)])
    return table(["chip", "counted first", ">metrics", ">passes", ">launch 0, MB more", ">launch 1, MB more"], rows) + where(kepts)


def counters(*kepts):
    rows = [[of[0][0], *(n for _, n in of)] for of in zip(*map(compare.figures, kepts))]
    return table(["names within 3 % on every kernel", *(f">{chip(k)}" for k in kepts)], rows)


# ---- compare ----


def sessions(*kepts):
    rows = []
    for kept in kepts:
        for pct in sorted({s["more_pct"] for s in kept["sessions"]}):
            of = collections.Counter(s["verdict"] for s in kept["sessions"] if s["more_pct"] == pct)
            what = "two copies" if pct == 0 else f"B does {pct} % more work"
            rows.append([what, sum(of.values()), *(of[v] for v in ("win", "loss", "neutral", "inconclusive"))])
    return table(["", ">sessions", ">win", ">loss", ">neutral", ">inconclusive"], rows)


PAGE, NOTES = "docs/performance.md", "docs/notes/performance.md"
TABLES = {  # name: page, patterns of the raw files, function
    "durations": (NOTES, ["gpu/durations-*.json"], durations),
    "cases": (NOTES, ["gpu/cases-*.json"], cases),
    "overhead": (PAGE, ["gpu/overhead-*.json"], overhead),
    "training": (NOTES, ["gpu/training-*.json"], overhead),
    "million": (NOTES, ["gpu/million-*.json"], million),
    "counters": (NOTES, ["collect/counters-h100.json", "collect/counters-h200.json"], counters),
    "first_launch": (NOTES, ["collect/counters-h100.json", "collect/counters-h200.json"], first_launch),
    "first": (NOTES, ["gpu/first-*.json"], first),
    "sessions": ("docs/compare.md", ["compare/h200.json"], sessions),
    "compare": (NOTES, ["gpu/compare-*.json"], sessions),
}


def farthest(kept):
    """How far durations of 25 us and more are from either truth."""
    rounds = [lengths(pair)[0] for pair in kept["rounds"]]
    return max(abs(median(r[at][by] for r in rounds) - 1) for by in ("by_span", "by_batch")
               for at, first in enumerate(rounds[0]) if first["recorded"] >= 25000)


def lost(kept):
    return sum(abs(c["launched"] - c["recorded"]) + c["dropped"] + c["lost"] for c in kept["cases"])


GOALS = [  # stage, what, value, the most it may be
    ("durations", "off, from 25 us on", farthest, 0.02),
    ("overhead", "tiny launches over a bare CUPTI loop",
     lambda k: ratio(k["runs"], ["tiny", "200000"], "loop_ns", "warplore", "bare")[0], 1.1),
    ("training", "a training step over one without", lambda k: ratio(k["runs"], ["torch_step.py"], "loop_ns", "warplore", "without")[0], 1.03),
    ("million", "launches lost", lost, 0),
    ("cases", "programs that a library changes", lambda k: sum(bool(c["wrong"]) for c in k["cases"]), 0),
    ("cases", "programs that a library that does not open changes", lambda k: sum(not one["same"] for one in k["not_opened"]), 0),
]


def goals(folder):
    """Whether each goal whose stage was measured is met; says so."""
    met = True
    for stage, what, value, most in GOALS:
        path = os.path.join(folder, stage + ".json")
        if not os.path.exists(path):
            continue
        v = value(*read([path]))
        met = met and v <= most
        print(f"{'goal met' if v <= most else 'GOAL MISSED'}: {stage}: {what}: {v:.4g}, at most {most:g}")
    return met


def read(paths):
    out = []
    for path in paths:
        with open(path, encoding="utf-8") as f:
            out.append(json.load(f))
    return out


def check(source, name):
    """77: no raw data; 1: the page differs; 0."""
    page, patterns, make = TABLES[name]
    found = [sorted(glob.glob(os.path.join(source, "tests/fixtures", p))) for p in patterns]
    for pattern, paths in zip(patterns, found):
        if not paths:
            print(f"skipped: no tests/fixtures/{pattern}; `tests/gpu/accept.sh PACK OUT {name}` makes it on a GPU host")
            return 77
    lines = make(*read(p for paths in found for p in paths))
    path = os.path.join(source, page)
    with open(path, encoding="utf-8") as f:
        text = f.read()
    block = re.compile(rf"(<!-- {name} -->\n)(.*?)(\n?<!-- /{name} -->)", re.S)
    has = block.search(text)
    if not has:
        print(f"{page} has no place for {name}: <!-- {name} --> and <!-- /{name} -->")
        return 1
    if os.environ.get("LORE_BLESS"):
        with open(path, "w", encoding="utf-8") as f:
            f.write(block.sub(lambda m: m.group(1) + "\n".join(lines) + f"\n<!-- /{name} -->", text))
        return 0
    if has.group(2) == "\n".join(lines):
        print(f"{name}: {len(lines)} lines of {page} are those of the raw data")
        return 0
    for said, is_ in zip(has.group(2).splitlines() + [""] * len(lines), lines):
        if said != is_:
            print(f"{page}: {name}: says {said!r}, the raw data says {is_!r}")
            break
    else:
        print(f"{page}: {name}: has more lines than the raw data")
    return 1


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--of":
        for name, (_, patterns, make) in TABLES.items():
            path = os.path.join(sys.argv[2], name + ".json")
            if patterns[0].startswith("gpu/") and os.path.exists(path):
                print(f"\n{name}\n\n" + "\n".join(make(*read([path]))))
        print()
        sys.exit(0 if goals(sys.argv[2]) else 1)
    if len(sys.argv) < 3 or any(n not in TABLES for n in sys.argv[2:]):
        sys.exit(__doc__)
    sys.exit(max(check(sys.argv[1], name) for name in sys.argv[2:]))


if __name__ == "__main__":
    main()
