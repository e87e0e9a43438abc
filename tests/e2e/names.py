"""Names that the catalogue does not know: a curator says which technique one means, and old and new records
follow at once.

Usage: names.py WARPLORED WARPLORE"""
import json
import os
import re
import subprocess
import sys

from daemon import Daemon, make_token, need, scratch

WARPLORED, WARPLORE = (os.path.abspath(p) for p in sys.argv[1:3])
MEANT = "memory.vectorized_access"


def main():
    with scratch() as folder:
        data, home = os.path.join(folder, "data"), os.path.join(folder, "home")
        os.mkdir(data)
        os.mkdir(home)
        daemon = Daemon(WARPLORED, data)
        tokens = {role: make_token(WARPLORED, data, role) for role in ("reader", "contributor", "curator", "admin")}
        env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{daemon.port}", HOME=home, NO_COLOR="1", COLUMNS="120",
                   LC_ALL="C.UTF-8")

        def run(*words, role="contributor", ok=0):
            done = subprocess.run([WARPLORE, *words], cwd=home, env=dict(env, WARPLORE_TOKEN=tokens[role]), text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
            need(done.returncode == ok, f"{words} to end with {ok}: {done.returncode} {done.stdout}{done.stderr}")
            return done.stdout + done.stderr

        def answer(*words):
            return json.loads(run(*words, "--json"))

        def techniques():
            rows = answer("list", "experiments", "--sort", "seq")["rows"]
            return [answer("show", row["id"])["techniques"][0] for row in rows]

        def unresolved():
            return {row["name"]: row["experiments"] for row in answer("list", "unresolved")["rows"]}

        run("session", "start", "k", "--operator", "rope", "--language", "cuda", "--chip", "h100", "--dims", "B=8")
        run("try", "baseline", "--time", "120us")
        need('new technique "frobnicate xyzzy"' in run("try", "frobnicate xyzzy", "--time", "81us"), "a new technique")
        run("try", "frobnicate xyzzy", "--time", "70us", "--notes", "again", "--again")
        run("try", "zwim snorf", "--time", "79us")
        need(unresolved() == {"frobnicate_xyzzy": 2, "zwim_snorf": 1}, f"two unknown names: {unresolved()}")

        refused = run("alias", "frobnicate xyzzy", MEANT, ok=4)
        need('only a curator says what the unknown name "frobnicate_xyzzy" means' in refused, "a plain refusal: " + refused)
        run("alias", "frobnicate xyzzy", MEANT, role="reader", ok=4)
        need(len(unresolved()) == 2, "a refusal to change nothing")

        run("alias", "frobnicate xyzzy", MEANT, role="curator")
        run("alias", "zwim snorf", MEANT, "--dry-run", role="admin")
        need(unresolved() == {"zwim_snorf": 1}, f"the name to be resolved at once: {unresolved()}")
        said = run("try", "frobnicate xyzzy", "--time", "75us", "--notes", "once more", "--again")
        need("new technique" not in said, "a receipt without a new technique: " + said)
        got = [(t["name"], t.get("raw")) for t in techniques()]
        old = (MEANT, "frobnicate xyzzy")
        need(got == [old, old, ("zwim_snorf", "zwim snorf"), old], f"old and new records with the technique: {got}")
        rows = answer("list", "experiments", "--technique", MEANT)["rows"]
        need(len(rows) == 3, f"three experiments with the technique: {len(rows)}")
        first = answer("history", "k")["rows"][0]["version"]["id"]
        advice = run("recommend", "--version", first, "--chip", "h100")
        need("Won 2 of 3 times" in advice and "frobnicate" not in advice, "advice under the known name: " + advice)
        said = run("doctor", role="admin")
        need("unchecked: it was closed in order" in said or "unchecked" not in said, "what unchecked means: " + said)

        def decision(said):
            return re.search(r"decision (\w{26})", said)[1]

        taken = rows[0]["id"]
        said = run("retract", taken, "--reason", "a wrong clock", role="curator")
        first = decision(said)
        need(answer("show", taken)["masked"], "the record to be hidden")
        need(f"undo: warplore retract {first}" in said and "has no verdict now" in said, "how to undo it: " + said)
        for reason in ("a wrong clock", "another reason"):
            said = run("retract", taken, "--reason", reason, role="curator")
            need("retracted already:" in said and decision(said) == first and "no verdict" not in said, "one retraction only: " + said)
        said = run("retract", first, "--reason", "it was right", role="curator")
        need(f"took back {first} (retract)" in said and "counts again" in said and "no verdict" not in said, "what it took back: " + said)
        last = decision(said)
        said = run("retract", first, "--reason", "it was right, again", role="curator")
        need("taken back before:" in said and decision(said) == last, "taken back once: " + said)
        need(not answer("show", taken)["masked"], "the record to count again")
        said = run("list", "curations")
        states = {line.split()[0]: line for line in said.splitlines() if line}
        need("undone" in states[first] and "in force" in states[last], "the state of each decision: " + said)
        need(decision(run("retract", taken, "--reason", "a wrong clock", role="curator")) not in (first, last), "a new retraction")
    print("ok")


main()
