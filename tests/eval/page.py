#!/usr/bin/env python3
"""Put the figures of `./dev eval --out FIGURES` into the tables of docs/notes/evaluation.md.

    page.py FIGURES PAGE"""
import json
import re
import sys

METHODS = [("moves", "leave one chip out", ["hit@1", "hit@3", "regret@1", "brier", "ece", "auc"]),
           ("moves", "leave one chip out, any states", ["hit@1", "hit@3", "regret@1", "brier", "ece", "auc"]),
           ("moves", "leave one chip out, engineers' logs", ["hit@1", "hit@3", "regret@1", "brier", "ece", "auc"]),
           ("moves", "leave one kernel out", ["hit@1", "hit@3", "regret@1", "brier", "ece", "auc"]),
           ("moves", "leave one kernel out, any states", ["hit@1", "hit@3", "regret@1", "brier", "ece", "auc"]),
           ("moves", "leave one vendor out", ["hit@1", "hit@3", "regret@1", "brier", "ece", "auc"]),
           ("moves", "100 own results", ["hit@1", "hit@3", "regret@1", "brier", "ece", "auc"]),
           ("shapes", "unseen shape", ["hit@1", "best@1", "regret@1", "brier", "ece", "auc"]),
           ("replay", "time-ordered replay", ["brier", "ece", "auc", "cover90"])]


def show(value):
    return "–" if value is None else f"{value:.3f}"


def goals(figures):
    yield "| suite | part | method | measure | figure | goal | |"
    yield "|---|---|---|---|---|---|---|"
    for f in figures:
        goal = f.get("at_least", f.get("at_most"))
        if goal is None:
            continue
        sign, word = ("≥" if "at_least" in f else "≤"), "holds" if f["holds"] else "**missed**"
        yield f"| {f['suite']} | {f['part']} | {f['method']} | {f['measure']} | {show(f['value'])} | {sign} {goal:g} | {word} |"


def methods(figures):
    for suite, part, measures in METHODS:
        rows = {}
        for f in figures:
            if (f["suite"], f["part"]) == (suite, part):
                rows.setdefault(f["method"], {})[f["measure"]] = f["value"]
        if not rows:
            continue
        yield f"| {suite}: {part} | " + " | ".join(measures) + " |"
        yield "|---" * (len(measures) + 1) + "|"
        for name, row in rows.items():
            yield f"| {name} | " + " | ".join(show(row.get(m)) for m in measures) + " |"
        yield ""


def main():
    figures = json.load(open(sys.argv[1]))
    if figures["quick"]:
        sys.exit("figures of a quick look do not belong on the page")
    text = open(sys.argv[2], encoding="utf-8").read()
    for name, lines in (("goals", goals), ("methods", methods)):
        body = "\n".join(lines(figures["figures"])).strip()
        text, n = re.subn(f"<!-- {name} -->.*<!-- /{name} -->", lambda _: f"<!-- {name} -->\n{body}\n<!-- /{name} -->", text, flags=re.S)
        if n != 1:
            sys.exit(f"{sys.argv[2]}: no place for {name}")
    open(sys.argv[2], "w", encoding="utf-8").write(text)


main()
