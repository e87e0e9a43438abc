#!/usr/bin/env python3
"""`warplore run` with the fake GPU: what the watched program shows and returns is its own, and what
its kernels did becomes a record, whatever way the program ends.

    run.py WARPLORED WARPLORE

libwarplore_fake.so lies beside WARPLORE; docs/collect.md describes its scripts."""

import json
import os
import pty
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

from daemon import Daemon, make_token, need, scratch, until

DEVICE = 'device name="NVIDIA H200" units=132 cc=9.0 clock_mhz=1980 driver=580.159.04\nseed value=3\n'
GEMM = DEVICE + ("kernel name=_Z4gemmPfS_i launches=200 grid=64,64 block=256 registers=128 "
                 "shared=49152 base_ns=60000 noise=0.01 first=8\n")


class Bench:
    """One folder with its own state, temporary files and environment."""

    def __init__(self, folder, warplore):
        self.folder, self.warplore = folder, os.path.abspath(warplore)
        self.tmp = os.path.join(folder, "tmp")
        os.mkdir(self.tmp)
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("WARPLORE_")}
        self.env.update(HOME=folder, TMPDIR=self.tmp, WARPLORE_STATE=os.path.join(folder, "state"),
                        WARPLORE_URL="http://127.0.0.1:9", LC_ALL="C.UTF-8")
        self.env.pop("CUDA_INJECTION64_PATH", None)
        self.n = 0

    def command(self, options, app):
        return [self.warplore, "run", *options, "--", *app]

    def run(self, script, options, app, **more):
        """What came of it: returncode, stdout, stderr, doc (None: nothing was recorded)."""
        self.n += 1
        out = os.path.join(self.folder, f"doc{self.n}.json")
        env = dict(self.env, WARPLORE_FAKE=script + "\n", **more.pop("env", {}))
        done = subprocess.run(self.command(["--out", out, *options], app), env=env, timeout=120,
                              cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              **more)
        done.doc = None
        if os.path.exists(out):
            with open(out, encoding="utf-8") as f:
                done.doc = json.load(f)
        left = [n for n in os.listdir(self.tmp) if n.startswith("warplore-run-")]
        need(not left, f"nothing left behind by {app}: {left}")
        return done


def text(b):
    return b.decode("utf-8", "replace")


def only_run(done):
    need(done.doc and len(done.doc["runs"]) == 1, "one run: " + text(done.stderr))
    return done.doc["runs"][0]


def what_we_inherit_costs_no_status(b):
    """A parent that ignores SIGCHLD, a file size limit: the program and its check still end as they do."""
    done = b.run(GEMM, ["--operator", "gemm", "--check", "exit 3"], ["sh", "-c", "exit 0"],
                 preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    need(done.returncode == 0, f"status 0, not {done.returncode}")
    need(only_run(done)["correctness"]["message"] == "exit status 3", "the check's own status")
    done = b.run(GEMM, [], ["sh", "-c", "exit 6"],
                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
    need(done.returncode == 6, f"status 6 where no file may be written, not {done.returncode}")


def the_program_is_left_alone(b):
    """Standard output and status are the same bytes with and without us."""
    program = ("import os,sys; d=sys.stdin.buffer.read(); "
               "os.write(1, bytes(range(256))*40 + d[::-1]); os.write(2, b'own words\\n'); "
               "sys.exit(7)")
    app = [sys.executable, "-c", program]
    given = os.urandom(5000)
    plain = subprocess.run(app, input=given, capture_output=True)
    ours = b.run(GEMM, [], app, input=given)
    need(ours.stdout == plain.stdout, "the program's standard output, byte for byte")
    need(ours.returncode == plain.returncode == 7, f"status 7, not {ours.returncode}")
    need(b"own words\n" in ours.stderr, "the program's standard error")
    words = b.run(GEMM, [], ["echo", "-v", "--help", "--", "--nonsense"])
    need(words.stdout == b"-v --help -- --nonsense\n", "arguments after -- are the program's")
    bare = subprocess.run([b.warplore, "run", "--quiet", "--no-upload", "echo", "--", "-q"],
                          env=dict(b.env, WARPLORE_FAKE=GEMM), capture_output=True)
    need(bare.stdout == b"-- -q\n" and bare.stderr == b"", "the first word starts the program")
    quiet = b.run(GEMM, ["--quiet"], ["true"])
    need(quiet.stderr == b"" and quiet.returncode == 0, "--quiet says nothing: " + text(quiet.stderr))


def it_is_recorded(b):
    done = b.run(GEMM + "copy kind=h2d count=3 bytes=1048576 ns=40000\n",
                 ["--operator", "gemm", "--dims", "M=64,N=64", "--dtype", "f32"], ["true"])
    run = only_run(done)
    need(run["workload"] == {"operator": "gemm", "dims": {"M": 64, "N": 64}, "dtype": "f32"},
         "the workload as said")
    need(len(run["samples_ns"]) == 199 and 450000 < run["first_ns"] < 520000,
         "199 samples and the first launch apart")
    need(all(55000 < v < 65000 for v in run["samples_ns"]), "durations of the script")
    need(run["launch"]["registers_per_thread"] == 128, "registers")
    need(run["chip"] == "h200" and done.doc["environments"][0]["soft"]["driver"] == "580.159.04",
         "chip and driver")
    again = b.run(GEMM, ["--operator", "gemm", "--dims", "M=64,N=64", "--dtype", "f32"], ["true"])
    need(only_run(again)["samples_ns"] == run["samples_ns"], "one seed, the same samples")
    need(again.doc["versions"][0]["id"] == done.doc["versions"][0]["id"], "the same version")


def every_end_of_a_program_passes_through(b):
    killed = b.run(GEMM, [], ["sh", "-c", "kill -KILL $$"])
    need(killed.returncode == -signal.SIGKILL, f"killed as it was, not {killed.returncode}")
    need(killed.doc is not None, "what was captured before the kill counts")
    crashed = b.run(GEMM, [], [sys.executable, "-c", "import os; os.abort()"])
    need(crashed.returncode == -signal.SIGABRT, f"SIGABRT, not {crashed.returncode}")
    ended = b.run(GEMM + "ending how=crash\n", [], ["true"])
    need(ended.returncode == -signal.SIGSEGV, f"SIGSEGV, not {ended.returncode}")
    at_once = b.run(GEMM, ["--operator", "gemm"], [sys.executable, "-c", "import os; os._exit(3)"])
    need(at_once.returncode == 3, "_exit(3)")
    missing = b.run(GEMM, [], ["no-such-program"])
    need(missing.returncode == 127 and b"no-such-program: not found" in missing.stderr, "127")
    folder = b.run(GEMM, [], [b.folder])
    need(folder.returncode == 126 and b"not executable" in folder.stderr, "126")
    need(missing.doc is None and folder.doc is None, "nothing is recorded of what did not start")


def a_signal_for_us_alone_reaches_the_program(b):
    ready = os.path.join(b.folder, "ready")
    app = ["sh", "-c", f"trap 'exit 9' TERM; : > {ready}; while :; do sleep 0.01; done"]
    child = subprocess.Popen(b.command(["--no-upload"], app), stderr=subprocess.PIPE,
                             env=dict(b.env, WARPLORE_FAKE=GEMM))
    until(lambda: os.path.exists(ready), 20, "the program to run")
    child.send_signal(signal.SIGTERM)
    child.communicate(timeout=20)
    need(child.returncode == 9, f"the program's own answer to SIGTERM, not {child.returncode}")


def forks_and_threads_are_counted_once(b):
    program = "import os\np=os.fork()\nos.waitpid(p,0) if p else os._exit(0)"
    run = only_run(b.run(GEMM, ["--operator", "gemm"], [sys.executable, "-c", program]))
    need(run["method"]["launches"] == 200, f"200 launches, not {run['method']['launches']}")
    run = only_run(b.run(GEMM + "kernel name=sum launches=200 streams=8 base_ns=5000\n",
                         ["--operator", "gemm", "--kernel-regex", "gemm"], ["true"]))
    need(run["method"]["launches"] == 200, "only the kernel asked for")


def odd_names_and_many_kernels(b):
    done = b.run(DEVICE + "kernel name=кернел_核 launches=20 base_ns=9000\n",
                 ["--operator", "gemm"], ["true"])
    need(only_run(done)["launch"]["kernel"] == "кернел_核", "a name in another script")
    done = b.run(DEVICE + "kernel name=long pad=20000 launches=20 base_ns=9000\n",
                 ["--operator", "gemm"], ["true"])
    name = only_run(done)["launch"]["kernel"]
    need(re.fullmatch(r"longx{8000,}…?", name), f"as much of 20 KB as fits: {len(name)}")
    done = b.run(DEVICE + "kernel name=k kinds=3000 launches=3 base_ns=9000\n",
                 ["--operator", "gemm"], ["true"])
    need(only_run(done)["method"]["launches"] == 9000, "3000 kernels")
    done = b.run(DEVICE + "kernel name=k kinds=300 launches=3 base_ns=9000\n", [], ["true"])
    need(done.doc and done.returncode == 0, "300 kernels without an operator: " + text(done.stderr))


def a_million_launches(b):
    start = time.monotonic()
    done = b.run(DEVICE + "kernel name=tiny launches=1000000 base_ns=2000 noise=0.05\n",
                 ["--operator", "gemm", "--max-samples", "1000"], ["true"])
    took = time.monotonic() - start
    run = only_run(done)
    need(run["method"]["launches"] == 1000000, "a million launches")
    need([run["method"][k] for k in ("dropped", "bad", "no_memory", "write_failed")] == [0] * 4,
         "none of them lost")
    need(len(run["samples_ns"]) <= 1000 and run["method"]["reservoir"] is True, "a reservoir of 1000")
    need(took < 60, f"within a minute, not {took:.1f} s")


def losses_and_refusals_are_said(b):
    done = b.run(GEMM + "loss dropped=5 bad=2\n", ["--operator", "gemm"], ["true"])
    method = only_run(done)["method"]
    need(method["dropped"] == 5 and method["bad"] == 2, "losses in the record")
    need(b"7 records were lost" in done.stderr, "losses said: " + text(done.stderr))
    held = b.run('state code=other_profiler text="ncu"\n' + GEMM, [], ["sh", "-c", "exit 4"])
    need(held.returncode == 4 and b"another profiler" in held.stderr, "another profiler is named")
    old = b.run('state code=vendor_too_old text="driver 470"\n' + GEMM, [], ["true"])
    need(b"too old: driver 470" in old.stderr, "an old driver is named: " + text(old.stderr))
    none = b.run("kernel name=k", ["--capture", "fake"], ["sh", "-c", "echo on; exit 6"])
    need(none.returncode == 6 and none.stdout == b"on\n" and none.doc is None,
         "without a device the program runs, and nothing is recorded")
    need(b"nothing was recorded: no fake device" in none.stderr, "why: " + text(none.stderr))


def counters(b):
    names = "sm__cycles.sum,dram__bytes.sum,sm__bytes.sum"
    script = GEMM + ("counter name=sm__cycles.sum value=1000 spread=0.01\n"
                     "counter name=dram__bytes.sum missing=counter_unsupported\n")
    done = b.run(script, ["--operator", "gemm", "--metrics", names, "--metrics-launches", "5"],
                 ["sh", "-c", "echo once"])
    metrics = only_run(done)["metrics"]
    need(done.stdout == b"once\n", "the second run is not heard")
    need(950 < metrics["sm__cycles.sum"]["value"] < 1050 and metrics["sm__cycles.sum"]["n"] == 5,
         "the median of five launches")
    first = b.run(GEMM + "counter name=dram__bytes.sum value=1000 first=5000000\n",
                  ["--operator", "gemm", "--metrics", "dram__bytes.sum"], ["true"])
    need(only_run(first)["metrics"]["dram__bytes.sum"] ==
         {"value": 1000, "n": 3, "std": only_run(first)["metrics"]["dram__bytes.sum"]["std"], "min": 1000,
          "max": 5001000}, "what only the first counted launch has is not in the value")
    need(only_run(first)["method"]["counter_statistic"] == "median", "how launches were put together")
    for name in ("dram__bytes.sum", "sm__bytes.sum"):
        need(metrics[name] == {"missing": "counter_unsupported"}, f"{name} is missing, not 0")
    need(b"the chip has no sm__bytes.sum" in done.stderr, "what is unknown: " + text(done.stderr))
    need(only_run(done)["method"]["cache"] == "all", "the L2 was cleaned")
    as_it_is = b.run(script, ["--operator", "gemm", "--metrics", names, "--cache-control", "none"], ["true"])
    need(only_run(as_it_is)["method"]["cache"] == "none", "the L2 was left as it was")
    passes = b.run(script + "counting passes=3\n",
                   ["--operator", "gemm", "--metrics", names + ",gpu__time_duration.sum", "--replay",
                    "app", "--metrics-launches", "1"], ["true"])
    need("relative to elapsed time" in json.dumps(only_run(passes)["method"]), "why it is missing")
    need(only_run(passes)["metrics"] == {
        "gpu__time_duration.sum": {"missing": "not_collected"},
        "sm__cycles.sum": {"value": only_run(passes)["metrics"]["sm__cycles.sum"]["value"], "n": 1},
        "dram__bytes.sum": {"missing": "counter_unsupported"},
        "sm__bytes.sum": {"missing": "counter_unsupported"}}, "three passes put together")
    denied = b.run(script + 'counting denied="ask the administrator"\n',
                   ["--operator", "gemm", "--metrics", names], ["true"])
    need(all(m == {"missing": "permission_denied"} for m in only_run(denied)["metrics"].values()),
         "permission denied is a reason")
    need(b"ask the administrator" in denied.stderr, "and the remedy is said: " + text(denied.stderr))
    old = b.run(script + 'counting too_old="no range profiler"\n', ["--operator", "gemm", "--metrics", names], ["true"])
    need(all(m == {"missing": "tool_unavailable"} for m in only_run(old)["metrics"].values()) and
         b"counters: no range profiler" in old.stderr, "a library without counters: " + text(old.stderr))
    need(only_run(old)["samples_ns"], "and the durations are there")


def what_a_chip_lacks_is_one_line(b):
    done = b.run(GEMM, ["--operator", "gemm", "--metrics", "basic,dram__bytes_red.sum"], ["true"])
    lines = [line for line in text(done.stderr).splitlines() if "--metrics" in line]
    need(len(lines) == 2, f"one line for the sets' metrics, one for the slip: {lines}")
    need("no dram__bytes_red.sum; similar names: dram__bytes_read.sum" in lines[0], lines[0])
    need("lacks 45 of the metrics" in lines[1], lines[1])


def nothing_measured_is_said_and_strict_fails(b):
    none = b.run("kernel name=k", ["--capture", "fake", "--strict", "--quiet"], ["true"])
    need(none.returncode == 5 and b"nothing was recorded" in none.stderr,
         f"also with --quiet: {none.returncode} {text(none.stderr)}")
    unseen = b.run(DEVICE, ["--strict"], ["true"])
    need(unseen.returncode == 5 and b"no kernel was seen" in unseen.stderr, text(unseen.stderr))
    other = b.run(GEMM, ["--operator", "gemm", "--kernel-regex", "soft", "--strict"], ["true"])
    need(other.returncode == 5 and b"matches --kernel-regex soft; seen: gemm(" in other.stderr,
         f"which kernels there are: {other.returncode} {text(other.stderr)}")
    need(only_run(other)["error"]["type"] == "profiling", "the record says so, too")
    own = b.run(GEMM, ["--operator", "gemm", "--kernel-regex", "soft", "--strict"], ["false"])
    need(own.returncode == 1, "the program's own status comes first")


def a_profiler_runs_as_it_would_without_us(b):
    tool = os.path.join(b.folder, "nsys")
    with open(tool, "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\necho \"${WARPLORE_CAPTURE-none} ${LD_PRELOAD-none}\"\n")
    os.chmod(tool, 0o755)
    preload = b.env.get("LD_PRELOAD", "none")
    done = b.run(GEMM, ["--metrics", "basic", "--operator", "gemm"], [tool, "profile", "./app"])
    need(text(done.stdout) == f"none {preload}\n", "nothing of ours: " + text(done.stdout))
    need(done.returncode == 0 and done.doc is None, "its status, and no record")
    need(b"nsys is a profiler, and" in done.stderr, "why: " + text(done.stderr))
    need(b.run(GEMM, ["--strict"], [tool]).returncode == 5, "--strict: it was not watched")


def names_that_look_like_slips(b):
    done = b.run(GEMM, ["--operator", "gemn", "--technique", "memry.vectorized_access"], ["true"])
    need(b"did you mean gemm?" in done.stderr, text(done.stderr))
    need(b"did you mean memory.vectorized_access?" in done.stderr, text(done.stderr))
    need(only_run(done)["workload"]["operator"] == "gemn", "and it is recorded as it was said")
    for options in (["--operator", "gemn", "--family", "gemm"], ["--operator", "matmul"],
                    ["--operator", "my_own_thing_entirely"]):
        quiet = b.run(GEMM, options, ["true"])
        need(b"did you mean" not in quiet.stderr, f"{options}: {text(quiet.stderr)}")


def correctness(b):
    def status(command, *options):
        done = b.run(GEMM, ["--operator", "gemm", "--check", command, *options], ["true"])
        need(done.returncode == 0 and done.stdout == b"", "the check takes nobody's place")
        return only_run(done)["correctness"]
    need(status("echo max error 1e-7")["message"].strip() == "max error 1e-7", "what it said is kept")
    need(status("true")["status"] == "pass" and status("exit 3")["status"] == "fail", "pass and fail")
    absent = status("./no-such-check")
    need(absent["status"] == "not_checked" and "no-such-check" in absent["message"],
         f"a check that is not there says nothing about the kernel: {absent}")
    wrong = b.run(GEMM, ["--operator", "gemm", "--check", "echo row 17; echo by 3; exit 1"],
                  ["true"])
    need(b"correctness: fail: exit status 1; row 17; by 3" in wrong.stderr, text(wrong.stderr))
    need(status("sleep 30 & sleep 30", "--check-limit", "1")["status"] == "timeout", "timeout")
    need(len(status("yes | head -c 1000000")["message"]) < 20000, "a bound on what it says")


def wrong_command_lines(b):
    with open(os.path.join(b.folder, "twice.yaml"), "w") as f:
        f.write("operator: gemm\noperator: gemm\n")
    for options, words in ((["--qiet"], b"--quiet"), (["--capture", "abacus"], b"cupti"),
                           (["--replay", "twice"], b"kernel or app"), (["--cache-control", "some"], b"all or none"), (["--warmup", "-1"], b"warmup"),
                           (["--version-kind", "odd"], b"baseline"), (["--dims", "M"], b"--dims"),
                           (["--param", "x"], b"NAME=VALUE"), (["--config", "none.yaml"], b"none.yaml"),
                           (["--kernel-regex", "("], b"kernel-regex"),
                           (["--check-limit", "soon"], b"--check-limit: soon"),
                           (["--check-limit", "0"], b"at least one second"),
                           (["--config", "twice.yaml"], b"twice.yaml: operator: duplicate key"),
                           (["--operator", "gemm", "--hypothesis-file", "gone.txt"],
                            b"--hypothesis-file gone.txt: No such file"),
                           (["--operator", "gemm", "--parent", "gone.cu"],
                            b"--parent gone.cu: neither a file nor a version that the service knows"),
                           (["--metrics", "basics"], b"did you mean basic?"),
                           (["--operator", "gemm", "--source", "gone.cu"], b"gone.cu")):
        done = b.run(GEMM, options, ["sh", "-c", "echo ran"])
        need(done.returncode == 2 and done.stdout == b"", f"{options}: the program does not start")
        need(words in done.stderr, f"{options}: {text(done.stderr)}")


def a_file_says_what_is_measured(b):
    folder = os.path.join(b.folder, "kernel")
    os.mkdir(folder)
    with open(os.path.join(folder, "v1.cu"), "w") as f:
        f.write("__global__ void gemm() {}\n")
    with open(os.path.join(folder, "warplore.yaml"), "w") as f:
        f.write("operator: gemm\nlanguage: cuda\ndims: {M: 128, N: 128}\ndtype: bf16\n")
    done = b.run(GEMM, ["--source", "kernel/v1.cu", "--dims", "M=64"], ["true"])
    run = only_run(done)
    need(run["workload"] == {"operator": "gemm", "dims": {"M": 64, "N": 128}, "dtype": "bf16"},
         f"the file fills what the options leave open: {run['workload']}")
    need(done.doc["versions"][0]["sources"][0]["text"].startswith("__global__"), "the source")
    os.remove(os.path.join(folder, "warplore.yaml"))
    os.mkfifo(os.path.join(folder, "warplore.yaml"))  # nobody named it: it is not waited for
    done = b.run(GEMM, ["--source", "kernel/v1.cu", "--operator", "gemm"], ["sh", "-c", "exit 4"])
    need(done.returncode == 4, "a pipe of that name is no file that says anything")


def our_own_trouble_is_not_the_programs(b):
    for options, status in (([], 0), (["--strict"], 5)):
        done = subprocess.run(b.command(options, ["echo", "fine"]), capture_output=True,
                              env=dict(b.env, WARPLORE_FAKE=GEMM, WARPLORE_STATE="/proc/none"))
        need(done.returncode == status and done.stdout == b"fine\n", f"{options}: status {status}")
        need(b"this run was not kept" in done.stderr, text(done.stderr))
    done = subprocess.run(b.command(["--strict"], ["sh", "-c", "exit 3"]), capture_output=True,
                          env=dict(b.env, WARPLORE_FAKE=GEMM, WARPLORE_STATE="/proc/none"))
    need(done.returncode == 3, "the program's status comes first")


def a_full_disk_for_captures_is_said(b):
    place = os.path.join(b.folder, "small")
    os.mkdir(place)
    own = ["unshare", "-rm", "sh", "-c", f'mount -t tmpfs -o size=8k,nr_inodes=50 tmpfs "{place}" && exec "$@"', "sh"]
    if not shutil.which("unshare") or subprocess.run([*own, "true"], capture_output=True).returncode != 0:
        print("skip a full disk for captures is said: no file system may be mounted")
        return
    fill = f'head -c 8192 /dev/zero > "{place}/fill" 2>/dev/null; exec "$@"'
    done = subprocess.run([*own, "sh", "-c", fill, "sh", *b.command([], ["sh", "-c", "echo out; exit 6"])],
                          capture_output=True, env=dict(b.env, WARPLORE_FAKE=GEMM, TMPDIR=place))
    need(done.returncode == 6 and done.stdout == b"out\n", f"the program as ever: {done.returncode} {text(done.stderr)}")
    fine = subprocess.run([*own, "sh", "-c", fill, "sh", *b.command([], ["echo"])],
                          capture_output=True, env=dict(b.env, WARPLORE_FAKE=GEMM, TMPDIR=place))
    need(fine.returncode == 0 and b"full" in fine.stderr, "the reason: " + text(fine.stderr))


def on_a_terminal(b):
    """Progress and the story on a terminal; not a byte of ours in the program's output."""
    leader, terminal = pty.openpty()
    env = dict(b.env, WARPLORE_FAKE=GEMM)
    child = subprocess.Popen(b.command(["--no-upload"], ["sh", "-c", "sleep 3.2; echo done"]),
                             stdout=subprocess.PIPE, stderr=terminal, env=env)
    os.close(terminal)
    seen = b""
    try:
        while part := os.read(leader, 4096):
            seen += part
    except OSError:
        pass  # the terminal's other side closed
    need(child.communicate()[0] == b"done\n" and child.returncode == 0, "the program's output")
    need(re.search(rb"about \d+ launches", seen), "a progress line: " + text(seen))
    need(b"median" in seen and seen.rindex(b"\r\x1b[K") < seen.index(b"median"), "then the story")


def ctrl_c_is_the_programs(b):
    """From a terminal, SIGINT comes to the program once; it decides, and the run is kept."""
    program = ("import signal,sys,time\nn=[]\nsignal.signal(signal.SIGINT, lambda *_: n.append(1))\n"
               "print('ready', flush=True)\nend=time.time()+20\n"
               "while not n and time.time()<end: time.sleep(0.01)\n"
               "time.sleep(0.3)\nprint('got', len(n), flush=True)\nsys.exit(11)\n")
    out = os.path.join(b.folder, "interrupted.json")
    pid, terminal = pty.fork()
    if pid == 0:
        argv = b.command(["--out", out], [sys.executable, "-c", program])
        os.execve(argv[0], argv, dict(b.env, WARPLORE_FAKE=GEMM))
    seen = b""
    try:
        while part := os.read(terminal, 4096):
            seen += part
            if b"ready" in seen and b"\x03" not in seen:
                os.write(terminal, b"\x03")
                seen += b"\x03"
    except OSError:
        pass
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    need(b"got 1" in seen and status == 11, f"one SIGINT, status {status}: {text(seen)}")
    need(os.path.exists(out), "the run is kept")


def it_arrives(b, warplored):
    data = os.path.join(b.folder, "data")
    os.mkdir(data)
    env = dict(b.env, WARPLORE_FAKE=GEMM)
    options = ["--operator", "gemm", "--dims", "M=64,N=64", "--dtype", "f32", "--language", "cuda"]
    lost = subprocess.run(b.command(options, ["true"]), env=env, capture_output=True)
    need(lost.returncode == 0 and b"kept in the spool, 1 waiting" in lost.stderr,
         "without a service the record waits: " + text(lost.stderr))
    service = Daemon(warplored, data)
    env["WARPLORE_URL"] = f"http://127.0.0.1:{service.port}"
    refused = subprocess.run(b.command(options, ["true"]), capture_output=True,
                             env=dict(env, WARPLORE_TOKEN="wl_0123456789abcdef_nonsense"))
    need(refused.returncode == 0 and b"2 waiting" in refused.stderr,
         "a token that is refused loses nothing: " + text(refused.stderr))
    token = make_token(warplored, data, "contributor")
    done = subprocess.run(b.command(["--verbose", *options], ["sh", "-c", "exit 3"]),
                          capture_output=True, env=dict(env, WARPLORE_TOKEN=token))
    need(done.returncode == 3, "the program's status: " + text(done.stderr))
    need(b"times of the fake GPU are sent to http" in done.stderr, "nobody takes them for real")
    status, body, _ = service.request("GET", "/api/v1/runs", token)
    rows = json.loads(body)["rows"]
    need(status == 200 and len(rows) == 3, f"all three runs arrived: {text(done.stderr)} {rows}")
    service.stop()


def main():
    warplored, warplore = sys.argv[1:3]
    tests = [the_program_is_left_alone, what_we_inherit_costs_no_status, it_is_recorded, every_end_of_a_program_passes_through,
             a_signal_for_us_alone_reaches_the_program, forks_and_threads_are_counted_once,
             odd_names_and_many_kernels, a_million_launches, losses_and_refusals_are_said, counters,
             what_a_chip_lacks_is_one_line, nothing_measured_is_said_and_strict_fails,
             a_profiler_runs_as_it_would_without_us,
             names_that_look_like_slips, correctness, wrong_command_lines, a_file_says_what_is_measured,
             our_own_trouble_is_not_the_programs, a_full_disk_for_captures_is_said, on_a_terminal, ctrl_c_is_the_programs]
    for test in tests:
        with scratch() as folder:
            test(Bench(folder, warplore))
        print("ok  ", test.__name__.replace("_", " "), flush=True)
    with scratch() as folder:
        it_arrives(Bench(folder, warplore), warplored)
    print("ok   it arrives")


if __name__ == "__main__":
    main()
