"""What the memory learns about itself: `warplored retrain` finds numbers that do better than the priors
on experiments that taught nothing, a service that starts on them uses and shows them, and a memory
with a handful of experiments says that there is nothing to learn from.
Usage: retrain.py WARPLORED SOURCE"""
import glob
import json
import os
import re
import subprocess
import sys

from daemon import Daemon, make_token, need, scratch

WARPLORED, SOURCE = sys.argv[1:3]


def run(*words):
    done = subprocess.run([WARPLORED, *words], capture_output=True, text=True, timeout=300)
    need(done.returncode == 0, f"warplored {words[0]} to end well: {done.stderr}")
    return done.stdout


def numbers(data):
    service = Daemon(WARPLORED, data)
    token = make_token(WARPLORED, data, "reader")
    status, body = service.request("GET", "/api/v1/recommend?operator=softmax&chip=h200-sxm&explain=true", token)[:2]
    service.stop()
    need(status == 200, f"an answer: {status}")
    return {n["name"]: n for n in json.loads(body)["model"]["numbers"]}


with scratch() as tmp:
    small, data = os.path.join(tmp, "small"), os.path.join(tmp, "data")
    fixtures = sorted(glob.glob(SOURCE + "/tests/fixtures/demo/*.json"))
    campaign = sorted(glob.glob(SOURCE + "/tests/fixtures/h200/*.json"))
    os.mkdir(small)
    os.mkdir(data)
    run("load", "--data", small, *campaign[:6])
    said = run("retrain", "--data", small)
    need("evidence@1: nothing learned:" in said and "judged experiments" in said, f"too little to learn from: {said}")
    run("load", "--data", data, *fixtures, *campaign)
    before = numbers(data)
    need(all(n["value"] == n["prior"] for n in before.values()), "priors before anything was learned")
    said = run("retrain", "--data", data)
    need("evidence@1: learned" in said, f"something learned: {said}")
    losses = [float(x) for x in re.findall(r"log loss ([0-9.]+)", said)]
    after = numbers(data)
    changed = [name for name, n in after.items() if n["value"] != n["prior"]]
    if "so the priors stay in use" in said:
        need(not changed, f"the priors to stay: {changed}")
    else:
        need(losses[1] < losses[0], f"learned numbers to do better: {said}")
        need(changed, "learned numbers in the answer")
    for name, n in after.items():
        need(n["prior"] == before[name]["prior"], f"the prior of {name} to stay")
print("ok")
