#!/usr/bin/env python3
"""Put judged figures of `./dev eval --out FIGURES` and `./dev eval product --out FIGURES` into the table of
docs/notes/evaluation.md.

    page.py PAGE FIGURES…"""
import json
import re
import sys


def show(f):
    value = "–" if f["value"] is None else f"{f['value']:.3f}"
    return value + (f" [{f['low']:.3f}, {f['high']:.3f}]" if "low" in f else "")


def goals(figures):
    yield "| suite | part | measure | figure | goal | |"
    yield "|---|---|---|---|---|---|"
    for f in figures:
        if "holds" in f:
            goal = f"≥ {f['at_least']:g}" if "at_least" in f else f"≤ {f['at_most']:g}"
            measure = f["measure"] + ("" if f["method"] == "product" else f", {f['method']}")
            yield f"| {f['suite']} | {f['part']} | {measure} | {show(f)} | {goal} | {'holds' if f['holds'] else '**missed**'} |"


def main():
    page, *files = sys.argv[1:]
    read = [json.load(open(path, encoding="utf-8")) for path in files]
    if any(r["quick"] for r in read):
        sys.exit("figures of a quick look do not belong on the page")
    body = "\n".join(goals(f for r in read for f in r["figures"]))
    text, n = re.subn("<!-- goals -->.*<!-- /goals -->", lambda _: f"<!-- goals -->\n{body}\n<!-- /goals -->",
                      open(page, encoding="utf-8").read(), flags=re.S)
    if n != 1:
        sys.exit(f"{page}: no place for goals")
    open(page, "w", encoding="utf-8").write(text)


main()
