#!/usr/bin/env python3
"""Our counters against ncu's on the five kernels of five.cu: one table, one verdict.

  compare.py run LIBRARY FIVE OUT    count with both on this machine (a GPU host with ncu), then compare
  compare.py show CAPTURE_DIR        print what one capture directory holds
  compare.py table FILE              print the tables of a kept fixture again

Both sides leave clocks and caches alone and read the second launch of each kernel, the first being a
warm-up; once with kernel replay and once with application replay. Kernel replay restores memory
between passes, which leaves dirty lines in L2: both tools then see DRAM writes that the kernel did not
make, each its own. So what the state of the caches or the time decides is shown, and the verdict is
over the rest.
"""
import csv, glob, io, json, os, struct, subprocess, sys, tempfile

LIMIT = 0.03
KERNELS = ["copy_vectors", "reduce_conflicts", "multiply_add", "product_bf16", "histogram_divergent"]
# at least these twelve count for the verdict: they do not depend on when the kernel ran
EXACT = """smsp__inst_executed.sum
smsp__thread_inst_executed_per_inst_executed.ratio
l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum
l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum
l1tex__data_pipe_lsu_wavefronts_mem_shared.sum
smsp__sass_branch_targets.sum
smsp__sass_branch_targets_threads_divergent.sum
smsp__sass_thread_inst_executed_op_ffma_pred_on.sum
smsp__sass_thread_inst_executed_op_integer_pred_on.sum
sm__inst_executed_pipe_tensor.sum
sm__warps_active.avg.pct_of_peak_sustained_active
sm__cycles_elapsed.max
sm__throughput.avg.pct_of_peak_sustained_elapsed
gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed
smsp__issue_active.avg.pct_of_peak_sustained_active
smsp__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active
sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active
lts__t_sectors_op_read.sum
launch__registers_per_thread
launch__waves_per_multiprocessor
sm__maximum_warps_per_active_cycle_pct
launch__occupancy_limit_registers
launch__occupancy_limit_shared_mem
launch__occupancy_limit_warps
launch__occupancy_limit_blocks
launch__shared_mem_per_block_static
launch__shared_mem_per_block_dynamic
launch__grid_size
launch__block_size""".split("\n")
SHOWN = """gpu__time_duration.sum
dram__bytes.sum
dram__bytes_read.sum
dram__bytes_write.sum
dram__throughput.avg.pct_of_peak_sustained_elapsed
l1tex__throughput.avg.pct_of_peak_sustained_elapsed
lts__throughput.avg.pct_of_peak_sustained_elapsed
l1tex__t_sector_hit_rate.pct
lts__t_sector_hit_rate.pct
smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio
smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio
smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct
launch__shared_mem_per_block""".split("\n")

START, NAME, DEVICE, SHAPE, LAUNCHES, TOTALS, LOSS, STATE, METRIC, END = range(1, 11)
STATES = {1: "attached", 2: "other profiler", 3: "taken over", 4: "vendor too old", 5: "vendor missing",
    6: "vendor error", 7: "permission", 8: "counter unknown", 9: "counter done", 10: "counter partial"}


def frames(path):
    data = open(path, "rb").read()
    at = 0
    while at + 16 <= len(data):
        magic, kind, size, _ = struct.unpack_from("<4I", data, at)
        if magic != 0x3150434C:
            sys.exit(f"{path}: no frame at byte {at}")
        yield kind, data[at + 16:at + 16 + size]
        at += 16 + (size + 7) // 8 * 8


def read_captures(folder):
    """(values {(symbol, grid, block, dynamic, launch): {metric: value or None}}, states, names)"""
    values, states, all_names = {}, [], []
    for path in sorted(glob.glob(os.path.join(folder, "*.capture"))):
        names, shapes = {0: ""}, {}
        for kind, body in frames(path):
            if kind == NAME:
                ident, length = struct.unpack_from("<2I", body)
                names[ident] = body[8:8 + length].decode(errors="replace")
                all_names.append(names[ident])
            elif kind == SHAPE:
                v = struct.unpack_from("<18I", body)
                shapes[v[0]] = (names[v[1]], v[5:8], v[8:11], v[16])
            elif kind == STATE:
                code, text, a, b = struct.unpack_from("<2I2Q", body)
                states.append((STATES[code], names.get(text, "?"), a, b))
            elif kind == METRIC:
                shape, metric, launch, missing, value = struct.unpack_from("<4Id", body)
                values.setdefault(shapes[shape] + (launch,), {})[names[metric]] = (
                    None if missing else value)
    return values, states, all_names


def ours(library, command, metrics, folder=None, **more):
    folder = folder or tempfile.mkdtemp()
    env = dict(os.environ, CUDA_INJECTION64_PATH=os.path.abspath(library), WARPLORE_CAPTURE=folder,
        WARPLORE_COUNTERS=",".join(metrics), **more)
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    return read_captures(folder) + (done,)


def ours_by_application(library, command, metrics, **more):
    folder = tempfile.mkdtemp()
    for number in range(100):
        values, states, names, done = ours(
            library, command, metrics, folder, WARPLORE_REPLAY=f"app:{number}", **more)
        if any(state[0] != "counter partial" and state[0] != "attached" for state in states):
            break
    return values, states, names, done


def ncu(command, metrics, skip, replay):
    """{kernel: {metric: value}} of launch number SKIP of each kernel."""
    text = subprocess.run(["ncu", "--clock-control", "none", "--cache-control", "none",
        "--replay-mode", replay, "--csv",
        "--page", "raw", "--print-units", "base", "--metrics", ",".join(metrics)] + command,
        capture_output=True, text=True).stdout
    rows = list(csv.reader(io.StringIO(text[text.index('"ID"'):])))
    seen, out = {}, {}
    for row in rows[2:]:
        cells = dict(zip(rows[0], row))
        kernel = cells["Kernel Name"].split("(")[0]
        if seen.setdefault(kernel, 0) == skip:
            out[kernel] = {}
            for m in metrics:
                try:
                    out[kernel][m] = float(cells[m].replace(",", ""))
                except (KeyError, ValueError):
                    out[kernel][m] = None
        seen[kernel] += 1
    return out


def table(cells):
    """Print {metric: {kernel: [ours, ncu]}}; the number of metrics within LIMIT for every kernel.
    ncu prints two decimals, so half of the last one is no difference."""
    good, bad = 0, []
    for metric in EXACT + SHOWN:
        worst, line = 0, []
        for kernel in KERNELS:
            a, b = cells.get(metric, {}).get(kernel, [None, None])
            if a is None or b is None:
                line.append(f"{'-' if a is None else f'{a:.6g}'} / {'-' if b is None else f'{b:.6g}'}")
                worst = float("inf")
                continue
            off = 0 if abs(a - b) <= 0.0051 else abs(a - b) / max(abs(b), 1e-12)
            worst = max(worst, off)
            line.append(f"{a:.6g} / {b:.6g} ({100 * off:.2g} %)")
        exact = metric in EXACT
        good += exact and worst <= LIMIT
        if exact and worst > LIMIT:
            bad.append(metric)
        print(f"{'  ' if not exact else 'ok' if worst <= LIMIT else '!!'} {metric}\n     " + " | ".join(line))
    print(f"{good} metrics x {len(KERNELS)} kernels within {100 * LIMIT:g} %; not: {', '.join(bad) or 'none'}")
    return good


def run(library, five, out):
    metrics = EXACT + SHOWN
    plain = subprocess.run([five, "3"], capture_output=True, text=True)
    kept, passed = {"limit": LIMIT, "launch": 1}, True
    for mode, count in (("kernel", ours), ("application", ours_by_application)):
        values, states, _, done = count(library, [five, "3"], metrics, WARPLORE_COUNTERS_SKIP="1")
        theirs = ncu([five, "3"], metrics, 1, mode)
        cells = kept[mode] = {m: {} for m in metrics}
        print("==", mode, "replay; last states", *states[-2:])
        print("output is the same:", plain.stdout == done.stdout, done.returncode)
        for (symbol, _, _, _, launch), got in values.items():
            for kernel in KERNELS:
                if kernel in symbol and launch == 1:
                    for m in metrics:
                        cells[m][kernel] = [got.get(m), theirs.get(kernel, {}).get(m)]
        passed = table(cells) >= 12 and plain.stdout == done.stdout and passed
    json.dump(kept, open(out, "w"), indent=1)
    return passed


def main():
    if sys.argv[1:2] == ["run"] and len(sys.argv) == 5:
        sys.exit(0 if run(*sys.argv[2:]) else 1)
    if sys.argv[1:2] == ["table"] and len(sys.argv) == 3:
        kept = json.load(open(sys.argv[2]))
        sys.exit(0 if min(table(kept[mode]) for mode in ("kernel", "application")) >= 12 else 1)
    if sys.argv[1:2] == ["show"] and len(sys.argv) == 3:
        values, states, names = read_captures(sys.argv[2])
        for key, got in values.items():
            print(key, len(got), "values,", sum(v is None for v in got.values()), "missing")
        for state in states:
            print("state", *state)
        print(len(names), "names")
        return
    sys.exit(__doc__)


if __name__ == "__main__":
    main()
