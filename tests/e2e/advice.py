"""Advice over the board of the demo and the campaign: every operator, chip and language is asked for.
No answer advises what the version that it is about has already, no expected gain is above that
version's headroom, no technique is there that the place cannot use, and nearly every question gets
three or more pieces of advice or is told to stop. Without explain=true an answer has at most 8 KiB
and the same first advice. The brief of each of them has at most the bytes that were asked for, and
every name and id in its brackets is a record. What is retracted is cited no more.

Usage: advice.py WARPLORED SOURCE_DIR"""
import glob
import json
import os
import re
import subprocess
import sys
from urllib.parse import quote, urlencode

from daemon import Daemon, make_token, need, scratch

WARPLORED, SOURCE = sys.argv[1:3]
PRODUCTS = {"gemm", "mha"}  # the operators of the two with a matrix product
# questions; those about a version with three or more pieces of advice, or a stop
ASKED, ANSWERED = 20, 18


def check(question, answer, timed):
    about = answer.get("about") or {"techniques": []}
    has = {t["name"] for t in about["techniques"] if "out_version" not in t}
    advice = answer["advice"]
    again = has & {a["technique"] for a in advice + answer["untried"]}
    need(not again, f"{question}: advises what is there: {again}")
    most = about.get("headroom", {}).get("at_most", float("inf"))
    for a in advice if about.get("by") == "champion" else ():
        need(a["gain"]["high"] <= most * 1.0001, f"{question}: {a['technique']} above {most}: {a['gain']}")
        need(question["operator"] in PRODUCTS or a["technique"] != "compute.tensor_core", f"{question}: matrix cores")
    need(not about.get("done") or not advice, f"{question}: advice beyond the limit")
    need("by" in about or not timed, f"{question}: about no version")
    return len(advice) >= 3 or bool(about.get("done"))


def check_brief(question, ask):
    sizes = {}
    for most in (500, 700, 1500, 6000):
        status, text, _ = ask("brief?quiet=true&" + urlencode(dict(question, max_bytes=most)))
        need(status == 200 and len(text) <= most, f"{question}: {status}, {len(text)} bytes, not {most}")
        sizes[most] = json.loads(text)
    names = [s["section"] for s in sizes[6000]["sections"]]
    need(names[0] == "standing" and {"next", "check"} <= set(names) | {"next" if b"Stop:" in text else ""}, f"{question}: {names}")
    cited = {c.removeprefix("run ") for s in sizes[6000]["sections"] for line in s["lines"]
             for c in (re.findall(r"\[([^\[\]]*)\]\.?$", line) or [""])[0].split(", ") if c}
    for c in cited:
        status, text, _ = ask(("versions/" if ":" in c else "records/") + quote(c))
        need(status == 200, f"{question} cites {c}: {text[:200]}")
    return len(cited)


def check_retracted(question, daemon, ask, curator):
    """No answer cites an experiment that was retracted."""
    asked = urlencode(question)
    answers = [f"recommend?explain=true&{asked}", f"brief?quiet=true&{asked}", "failures?", f"leaderboard?{asked}"]
    ids = sorted(set(re.findall(r"\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b", ask(answers[0])[1].decode())))
    cited = [i for i in ids if ask(f"experiments/{i}")[0] == 200]
    need(len(cited) > 5, f"{question} cites {cited}")
    for i in cited:
        status, text, _ = daemon.request("POST", f"/api/v1/records/{i}/retract", curator, json.dumps({"reason": "a wrong clock"}))
        need(status == 201, f"retract {i}: {status} {text[:200]}")
    for path in answers:
        status, text, _ = ask(path)
        left = [i for i in cited if i in text.decode()]
        need(status == 200 and not left, f"{path} cites {left}, which were retracted")


def main(folder):
    data = os.path.join(folder, "data")
    files = [f for d in ("demo", "h200") for f in sorted(glob.glob(os.path.join(SOURCE, "tests", "fixtures", d, "*.json")))]
    subprocess.run([WARPLORED, "load", "--data", data, *files], check=True, stdout=subprocess.DEVNULL)
    token, curator = make_token(WARPLORED, data, "reader"), make_token(WARPLORED, data, "curator")
    daemon = Daemon(WARPLORED, data)

    def ask(path):
        return daemon.request("GET", "/api/v1/" + path, token)

    def get(path):
        status, text, _ = ask(path)
        need(status == 200, f"{path}: {status} {text[:200]}")
        return json.loads(text)

    rows = get("leaderboard?limit=200")["rows"]
    questions = sorted({(r["operator"], r["chip"], r["language"]) for r in rows if r.get("chip")})
    timed = {(r["operator"], r["language"]) for r in rows if r["best"]}
    answered = cited = 0
    for question in (dict(zip(("operator", "chip", "language"), q)) for q in questions):
        whole, short = get("recommend?explain=true&" + urlencode(question)), get("recommend?" + urlencode(question))
        answered += check(question, whole, (question["operator"], question["language"]) in timed)
        size = len(json.dumps(short, separators=(",", ":"), ensure_ascii=False).encode())
        cited += check_brief(question, ask)
        need(size <= 8192, f"{question}: {size} bytes")
        names = [[a["technique"] for a in answer["advice"]] for answer in (whole, short)]
        need(names[0][:len(names[1])] == names[1], f"{question}: {names}")
    need(len(questions) == ASKED and answered >= ANSWERED, f"{answered} of {len(questions)} questions answered")
    need(cited > 10 * len(questions), f"{cited} citations")
    check_retracted({"operator": "softmax", "chip": "h200", "language": "cuda"}, daemon, ask, curator)
    daemon.stop()
    print(f"{len(questions)} questions, {answered} with three or more pieces of advice or a stop")


with scratch() as scratch_folder:
    main(scratch_folder)
