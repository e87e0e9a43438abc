"""Briefs about logs of agents: a kernel whose log has gains and no times has a best version and what is in it;
what a kept step says to be without is taken out; a faster kernel's techniques are named; attempts that failed
under other words are dead ends; and what a kernel that does as well is built on is none.

Usage: brief_agents.py WARPLORED WARPLORE"""
import os
import subprocess
import sys

from daemon import Daemon, make_token, need, scratch

WARPLORED, WARPLORE = (os.path.abspath(p) for p in sys.argv[1:3])
HEAD = "iter\tkernel\ttflops\tdecision\tbottleneck\tidea_summary"
LOGS = {
    "cuda/logs/gdn_f16_B2_T4_H8_K128_V128/a": """
iter001	iter001_base	0.01	KEEP	launch_bound	first version
iter002	iter002_tiles	0.02	KEEP	launch_bound	larger tile size, 64 threads
iter003	iter003_worse	0.01	DISCARD	launch_bound	__ldg loads
iter004	iter004_shuffle	0.03	KEEP	launch_bound	warp shuffle reduction
iter005	iter005_again	0.033	KEEP	launch_bound	larger tile size, 128 threads""",
    "cuda/logs/gemm_f16fp32_4096x4096x4096/a": """
iter000	iter000_cublas	400	KEEP	baseline	cuBLAS reference
iter001	iter001_base	100	KEEP	memory_bound	SIMT kernel, tiles in shared memory
iter002	iter002_persistent	120	KEEP	memory_bound	persistent kernel, --maxrregcount=128
iter003	iter003_np	140	KEEP	memory_bound	Non-persistent, unroll 4, 64 threads
iter004	iter004_copy	0	COMPILE_FAIL	memory_bound	128-bit copy requires an aligned source
iter005	iter005_odd	0	DISCARD	memory_bound	another idea - RUNTIME ERROR""",
    "croqtile/logs/gemm_f16fp32_4096x4096x4096/a": """
iter001	iter001_wgmma	200	KEEP	memory_bound	WGMMA F16 kernel, 1p2c
iter002	iter002_1p1c	150	DISCARD	memory_bound	1p1c
iter003	iter003_wider	140	DISCARD	memory_bound	1p3c""",
    "helion/logs/gemm_f16fp32_4096x4096x4096/a": """
iter001	iter001_base	90	KEEP	memory_bound	first version
iter002	iter002_roles	50	DISCARD	memory_bound	fast math""",
}


def main():
    with scratch() as folder:
        for name, rows in LOGS.items():
            os.makedirs(os.path.join(folder, "logs", name))
            with open(os.path.join(folder, "logs", name, "results.tsv"), "w") as f:
                f.write(HEAD + rows + "\n")
            with open(os.path.join(folder, "logs", name, "task_config.json"), "w") as f:
                f.write('{"device": "NVIDIA H100 PCIe"}')
        data = os.path.join(folder, "data")
        daemon = Daemon(WARPLORED, data)
        env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{daemon.port}", HOME=folder, NO_COLOR="1",
                   WARPLORE_TOKEN=make_token(WARPLORED, data, "contributor"), LC_ALL="C.UTF-8")

        def run(*words):
            done = subprocess.run([WARPLORE, *words], cwd=folder, env=env, text=True, capture_output=True, timeout=60)
            need(done.returncode == 0, f"{words} to end well: {done.stdout}{done.stderr}")
            return done.stdout

        def has(text, *said):
            for s in said:
                need(s in text, f"{s!r} in:\n{text}")

        run("import", *(os.path.join(folder, "logs", part) for part in ("cuda", "croqtile", "helion")))

        gdn = run("brief", "gdn_f16_B2_T4_H8_K128_V128/a")
        has(gdn, "Best version, by stated gains: gdn_f16_B2_T4_H8_K128_V128/a iter005_again, 3.30x over the first version",
            "compute.launch_config (iter002_tiles 2.00x, iter005_again 1.10x)", "4 attempts on this kernel: the last one gained")
        has(run("brief", "-o", "gated_delta_net", "-c", "b200"), "iter005_again, 3.30x over the first version")

        gemm = run("brief", "-o", "gemm", "-l", "cuda")
        has(gemm, "Against the fastest library here, iter000_cublas: 0.35x", "recorded in it and not in this one: compute.tensor_core",
            "Taken out again: launch.persistent_kernel (gone by iter003_np)",
            "did not compile: 128-bit copy requires an aligned source",
            "it crashed: another idea - RUNTIME ERROR (iter005_odd)", "4 attempts on this kernel",
            "1 of the 4 attempts on this kernel did not compile")
        advice = gemm[gemm.index("Try next"):gemm.index("Dead ends")]
        need("memory.vectorized_access" not in advice, "an idea that failed under other words is no advice: " + gemm)
        need("launch.persistent_kernel" not in advice, "what a kept step took out is no advice: " + gemm)
        need("Dead ends" in gemm and " compute.warp_specialization:" not in gemm,
             "what the better kernel is built on is no dead end: " + gemm)
        daemon.stop()


main()
