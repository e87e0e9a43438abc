#!/usr/bin/env python3
"""A program run without --operator becomes one profile: two processes, 72 kernels, copies. It is on
no board, until somebody adopts a line of it.

    profile.py WARPLORED WARPLORE"""
import json
import os
import subprocess
import sys

from daemon import Daemon, make_token, need, scratch

SCRIPT = """device name="NVIDIA H200" units=132 cc=9.0 clock_mhz=1980 driver=580.159.04
seed value=3
only name=true
kernel name=_ZN7cutlass6KernelINS_4GemmEEEvNT_6ParamsE launches=200 grid=64,64 block=256 registers=128 shared=49152 base_ns=900000 noise=0.01 first=8
kernel name=_Z4fillPfi launches=400 grid=64 block=256 base_ns=2000 noise=0.01
kernel name=_Z4fillPfi launches=40 grid=32 block=256 base_ns=1000 noise=0.01
kernel name=small kinds=70 launches=20 grid=64,64 block=256 base_ns=6000 noise=0.01 gap_ns=3000
copy kind=h2d count=3 bytes=1048576 ns=40000
"""


class Bench:
    def __init__(self, folder, warplored, warplore):
        data = os.path.join(folder, "data")
        os.mkdir(data)
        self.service = Daemon(warplored, data)
        self.warplore, self.folder = warplore, folder
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("WARPLORE_")}
        self.env.update(HOME=folder, WARPLORE_STATE=os.path.join(folder, "state"), LC_ALL="C.UTF-8",
                        WARPLORE_URL=f"http://127.0.0.1:{self.service.port}", WARPLORE_FAKE=SCRIPT,
                        WARPLORE_TOKEN=make_token(warplored, data, "contributor"))
        self.env.pop("CUDA_INJECTION64_PATH", None)

    def call(self, *words, status=0):
        done = subprocess.run([self.warplore, *words], env=self.env, cwd=self.folder, text=True,
                              capture_output=True, timeout=120)
        need(done.returncode == status, f"{words}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def get(self, path):
        status, body, _ = self.service.request("GET", "/api/v1/" + path, self.env["WARPLORE_TOKEN"])
        need(status == 200, f"{path}: {status} {body}")
        return json.loads(body)


def one_profile_for_two_processes(b):
    screen = b.call("run", "--verbose", "--", "sh", "-c", "/bin/true & /bin/true; wait")
    print(screen)
    for wanted in ("2 processes on NVIDIA H200 #0", "4080 launches of 72 kernels", "Kernel<Gemm>",
                   "process 2:", "copies: host to device 6 times, 6.3 MB", "more kernels",
                   "and 57 more kernels", "warplore adopt"):
        need(wanted in screen, f"the first screen says {wanted!r}")
    need(screen.index("Kernel<Gemm>") < screen.index("fill"), "the longest kernel comes first")
    rows = b.get("profiles")["rows"]
    need(len(rows) == 1 and rows[0]["process_count"] == 2 and rows[0]["chip"] == "h200", rows)
    need(not b.get("runs")["rows"] and not b.get("kernels")["rows"], "no run of an unnamed kernel")
    board = b.get("leaderboard")
    need(not board["rows"] and "unclassified" not in board, f"nothing on a board: {board}")
    return rows[0]["id"]


def a_record_on_disk_is_shown_without_a_service(b):
    b.call("run", "--out", "kept.json", "--", "sh", "-c", "/bin/true; true")
    offline = dict(b.env, WARPLORE_URL="http://127.0.0.1:9")
    for words, wanted in ((["kept.json"], "Kernel<Gemm>"), (["kept.json", "--line", "2"], "2.2")):
        done = subprocess.run([b.warplore, "profile", *words], env=offline, cwd=b.folder, text=True,
                              capture_output=True, timeout=60)
        need(done.returncode == 0 and wanted in done.stdout, f"{words}: {done.stdout}{done.stderr}")


def options_about_a_version_need_an_operator(b):
    for option in (["--label", "v4"], ["--check", "true"], ["--param", "tile=64"], ["--technique", "x"],
                   ["--role", "baseline"], ["--version-kind", "baseline"], ["--build", "flags=-O3"],
                   ["--new-experiment"], ["--iterations", "9"], ["--family", "gemm"]):
        said = b.call("run", *option, "--", "true", status=2)
        need(f"{option[0]} needs --operator" in said and "`warplore adopt`" in said, f"{option}: not dropped: {said}")


def what_it_holds(b, profile):
    p = b.get("profiles/" + profile)
    first, fill = p["lines"][0], p["lines"][1]
    need(first["launches"] == 400 and first["processes"] == 2, first)
    need(first["process_min_ns"] + first["process_max_ns"] == first["total_ns"], "two processes")
    need(first["total_ns"] / p["total_ns"] > 0.9, "a GEMM of 900 us is above a fill of 2 us")
    need([s["launches"] for s in fill["shapes"]] == [800, 80], f"two launch shapes: {fill}")
    need(0 < p["idle_pct"] < 50, f"idle {p['idle_pct']}")
    need("samples_ns" not in first["shapes"][0], "samples are in the record")
    line = b.call("profile", profile, "--line", "2")
    need("2.1" in line and "2.2" in line and "64" in line and "32" in line, line)
    need(b.call("profile", profile).count("\n") < 30, "a screen")
    need(profile in b.call("profiles") and profile in b.call("list", "profiles"), "lists")
    need("Kernel<Gemm>" in b.call("show", profile), "show knows it")


def both_medians_are_said(b):
    """Two processes: the one with the most time is the slower one, but launches less often."""
    one = SCRIPT.split("kernel")[0] + "kernel name=k launches={} grid=64 block=256 base_ns={} noise=0.001\n"
    b.call("run", "--out", "two.json", "--", "sh", "-c",
           f"WARPLORE_FAKE='{one.format(400, 40000)}' /bin/true & WARPLORE_FAKE='{one.format(390, 60000)}' /bin/true; wait")
    b.call("submit", "two.json")
    profile = b.get("profiles")["rows"][0]["id"]
    shape = b.get("profiles/" + profile)["lines"][0]["shapes"][0]
    need(39e3 < shape["median_ns"] < 41e3 and shape["processes"] == 2, shape)
    done = b.call("adopt", profile, "1", "--operator", "copy")
    need("samples of the process with the most time; the profile's" in done and
         "is over all 790 launches of 2 processes" in done, done)
    run = b.get("runs")["rows"][0]
    method = b.get("records/" + run["id"])["record"]["method"]
    need(method["profile_processes"] == 2 and 39e3 < method["profile_median_ns"] < 41e3, method)


def variants_of_a_kernel_are_shapes(b):
    """Triton compiles a kernel again for other constants: its name and grid stay the same."""
    script = SCRIPT.split("kernel")[0] + "".join(
        f"kernel name=softmax_rows launches=100 grid=64 block=256 registers={r} base_ns={ns}\n"
        for r, ns in ((20, 10000), (40, 45000)))
    b.call("run", "--out", "variants.json", "--", "env", f"WARPLORE_FAKE={script}", "/bin/true")
    with open(os.path.join(b.folder, "variants.json"), encoding="utf-8") as f:
        shapes = json.load(f)["profiles"][0]["lines"][0]["shapes"]
    need([(s["launches"], s["launch"]["registers_per_thread"], s["median_ns"]) for s in shapes] ==
         [(100, 40, 45000), (100, 20, 10000)], shapes)


def a_line_is_adopted(b, profile):
    options = ["--operator", "gemm", "--dims", "M=4096,N=4096,K=4096", "--dtype", "bf16"]
    need("--operator" in b.call("adopt", profile, "1", status=2), "what does it compute?")
    need("lines 1 to 72" in b.call("adopt", profile, "99", *options, status=2), "no such line")
    need("2.1 to 2.2" in b.call("adopt", profile, "2", *options, status=2), "which launch shape?")
    need("Kernel<Gemm>" in b.call("adopt", profile, "1", *options, "--dry-run"), "a dry run")
    need(not b.get("runs")["rows"], "sends nothing")
    done = b.call("adopt", profile, "1", *options, "--language", "cutlass")
    need("gemm: M=4096 N=4096 K=4096 bf16" in done and "199 samples of the process" in done and "the profile's" not in done, done)
    b.call("adopt", profile, "1", *options, "--language", "cutlass")
    rows = b.get("runs")["rows"]
    need(len(rows) == 1, f"the same again is a duplicate: {rows}")
    board = b.get("leaderboard")["rows"]
    need(len(board) == 1 and board[0]["operator"] == "gemm", f"on the board: {board}")
    need(board[0]["language"] == "cutlass" and 880e3 < board[0]["time_ns"] < 920e3, board[0])
    need("Kernel<Gemm>" in b.call("leaderboard"), "the board names the kernel")
    kernel = b.get("kernels")["rows"][0]
    need(kernel["name"] == "Kernel<Gemm>", f"the kernel's own name: {kernel}")
    print(b.call("leaderboard"))


def recorded_programs_are_read(b):
    """PyTorch with two processes and a Triton program, as an H100 gave them."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fixtures", "collect", "profiles")
    for name, words in (("pytorch-eager", ("2 processes", "18120 launches of 34 kernels", "18.1 %", "sdpa_sm90_flash_bprop", "4.671 us")),
                        ("triton", ("1 process", "414 launches of 9 kernels", "94.6 %", "softmax_rows"))):
        said = b.call("profile", os.path.join(folder, f"{name}-h100.json"))
        need(all(w in said for w in words), f"{name}: {words} in {said}")
        b.call("submit", os.path.join(folder, f"{name}-h100.json"))
    need(len(b.get("profiles")["rows"]) == 3 and len(b.get("leaderboard")["rows"]) == 1, "stored, and on no board")


def main():
    with scratch() as folder:
        b = Bench(folder, *map(os.path.abspath, sys.argv[1:3]))
        profile = one_profile_for_two_processes(b)
        a_record_on_disk_is_shown_without_a_service(b)
        options_about_a_version_need_an_operator(b)
        what_it_holds(b, profile)
        a_line_is_adopted(b, profile)
        recorded_programs_are_read(b)
        both_medians_are_said(b)
        variants_of_a_kernel_are_shapes(b)
        b.service.stop()


if __name__ == "__main__":
    main()
