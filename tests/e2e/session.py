"""A session of six attempts, as docs/tour.md tells it: 120 us, 81 us, a slower one, a wrong result, a
compile error, 70.1 us. Every answer says 1.71x; the compile error is a failure; each command again
changes nothing; a program that is run in the session's directory is recorded into it.

Usage: session.py WARPLORED WARPLORE"""
import json
import os
import subprocess
import sys

from daemon import Daemon, make_token, need, scratch

WARPLORED, WARPLORE = (os.path.abspath(p) for p in sys.argv[1:3])
GAIN = 120 / 70.1
COMMANDS = [
    ["session", "start", "rope_kv_append", "--operator", "rope", "--language", "cuda", "--chip", "h100",
     "--dims", "B=8,S=4096"],
    ["try", "baseline", "--time", "120us"],
    ["try", "float4 loads", "--time", "81us"],
    ["try", "software pipeline", "--time", "83us"],
    ["try", "skip the mask", "--error", "wrong"],
    ["try", "more unroll", "--error", "compile"],
    ["try", "two rows per block", "--time", "70.1us"],
]


def main():
    with scratch() as folder:
        data, home = os.path.join(folder, "data"), os.path.join(folder, "home")
        os.mkdir(data)
        os.mkdir(home)
        daemon = Daemon(WARPLORED, data)
        env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{daemon.port}", HOME=home, NO_COLOR="1", COLUMNS="120",
                   WARPLORE_TOKEN=make_token(WARPLORED, data, "contributor"), LC_ALL="C.UTF-8")

        def run(*words, ok=0, **more):
            done = subprocess.run([WARPLORE, *words], cwd=home, env=dict(env, **more), text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
            need(done.returncode == ok, f"{words} to end with {ok}: {done.returncode} {done.stdout}{done.stderr}")
            return done.stdout

        def answer(*words):
            return json.loads(run(*words, "--json"))

        def counts():
            return {k: v for k, v in answer("stats").items() if isinstance(v, (int, dict)) and k != "uptime_s"}

        said = [run(*c) for c in COMMANDS]
        need("1.71x over the first (v0)" in said[-1], "the last attempt to say 1.71x: " + said[-1])
        need("loss, 0.98x over v1" in said[3], "a slower version to be a loss: " + said[3])
        before = answer("history", "rope_kv_append")
        records = [answer("list", noun)["rows"] for noun in ("versions", "runs", "experiments")]

        # each command again changes nothing
        for command, first in zip(COMMANDS, said):
            again = run(*command)
            if command[0] == "try":
                need(again.split("  (recorded before")[0].split("\n")[0] == first.split("\n")[0],
                     f"{command} again to say the same: {again}")
        need([answer("list", noun)["rows"] for noun in ("versions", "runs", "experiments")] == records,
             "no new records after a retry")
        need(answer("history", "rope_kv_append") == before, "the same history after a retry")
        need([len(r) for r in records] == [6, 6, 5], f"six versions, six runs, five experiments: {[len(r) for r in records]}")

        # nor in the next session
        run("session", "end")
        run("session", "start", "rope_kv_append")
        for command in COMMANDS[1:]:
            need("recorded before" in run(*command), f"{command} in the next session to be the same attempt")
        need(answer("history", "rope_kv_append") == before, "the same history after a retry in the next session")

        # one gain everywhere
        def near(v, what):
            need(v is not None and abs(v / GAIN - 1) < 1e-9, f"{what} to be {GAIN}: {v}")

        best = [s for s in before["rows"] if s["champion"]][0]
        need(best["version"]["label"] == "v5", "v5 to be the champion")
        near(best["speedup_vs_first"], "history")
        row = answer("leaderboard")["rows"][0]
        need(row["best"]["label"] == "v5", "v5 to lead the board")
        near(row["speedup"]["value"], "the board")
        near(json.loads(run(*COMMANDS[-1], "--json"))["speedup_vs_first"], "the receipt")
        for command in (("history", "rope_kv_append"), ("leaderboard",), ("report", "rope_kv_append"),
                        ("compare", "rope_kv_append:v0", "rope_kv_append:v5"), ("session", "status"), ("session", "log")):
            said = run(*command)
            need("1.71x" in said or "1.71×" in said, f"{command} to say 1.71x: {said}")
        need("compilation" in run("failures"), "the compile error among the failures")
        need("did not compile" in run("list") and "incorrect" not in run("list"), "the list to name the compile error")
        report = run("report", "rope_kv_append")
        for line in ("The first version; no experiment made it.", "| Standing, no decision is recorded | win 1.48× vs v0; later versions start from it |",
                     "| Standing, no decision is recorded | did not compile; no later version starts from it |",
                     "| Standing, no decision is recorded | wrong result; no later version starts from it |"):
            need(line in report, f"the report to say: {line}")
        need(report.count("N/A") < 12, f"a report without empty rows: {report}")

        # a program that is run here belongs to the session
        run("run", "--capture", "fake", "--", "true",
            WARPLORE_FAKE='device name="NVIDIA H100 80GB HBM3"\nkernel name=rope launches=50 base_ns=60000\n')
        session = json.load(open(os.path.join(home, ".warplore", "session.json"), encoding="utf-8"))
        rows = answer("list", "experiments", "--campaign", session["session"])["rows"]
        need(len(rows) == 6, f"the run as the sixth experiment of the session: {len(rows)}")
        need(rows[0]["from_version"] == best["version"]["id"], "the run to start from the champion")

        # a check of the winner, or samples of it, are further runs of the version that exists
        was = [len(answer("list", noun)["rows"]) for noun in ("versions", "runs", "experiments")]
        for more in (("--checked-against", "torch"), ("--time", "81.2us", "--checked-against", "torch"),
                     ("--samples", "81us,80.9us,81.1us,81us,81us", "--hypothesis", "fewer requests")):
            said = run("try", "float4 loads", *more)
            need(said.startswith("v1 ") and "v1: one more run recorded" in said and "loss" not in said,
                 f"one more run of v1: {said}")
        need("recorded before" in run("try", "float4 loads", "--checked-against", "torch"), "the same check once")
        now = [len(answer("list", noun)["rows"]) for noun in ("versions", "runs", "experiments")]
        need(now == [was[0], was[1] + 3, was[2] + 1],
             f"three more runs, no version; samples measure what was stated: {was} {now}")
        v1 = [r for r in answer("history", "rope_kv_append")["rows"] if r["version"].get("label") == "v1"][0]
        need(v1["experiment"]["outcome"]["correctness"] == "pass", f"v1 to be checked: {v1}")

        # a label belongs to one version
        run("try", "another", "--time", "75us", "--label", "v1", ok=2)

        run("session", "end")
        run("session", "end")
        run("try", "late", "--time", "60us", ok=2)
    print("ok")


main()
