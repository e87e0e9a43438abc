#!/usr/bin/env python3
"""Our counters against ncu's on the kernels of kernels.cuh, name by name.

  compare.py run LIBRARY FIVE OUT        count with both on this machine (a GPU host with ncu), then compare
  compare.py first LIBRARY FIVE DIR      DRAM writes launch by launch, whichever kernel is counted first: DIR/first.json
  compare.py table FILE [OURS] [THEIRS]  print a table of a kept file again
  compare.py check PAGE FILE...          whether PAGE names what differs in the kept files
  compare.py same LIBRARY PROGRAM        whether PROGRAM prints the same when all its launches are counted
  compare.py show CAPTURE_DIR            print what one capture directory holds

Clocks are left as they are. Launches 1 to 5 of each kernel are counted, the first (0) being a warm-up,
and medians are compared. WAYS says how: by user replay with the L2 cleaned before each pass (what
`warplore run` does), and for comparison by the vendor's kernel replay, without cleaning, and by
application replay, the last without metrics relative to elapsed time.
"""
import csv, glob, io, json, os, shutil, statistics, struct, subprocess, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import raw  # noqa: E402

LIMIT, GOAL, COUNTED = 0.03, 40, 5
KERNELS = ["copy_vectors", "reduce_conflicts", "product_bf16", "histogram_divergent", "softmax_rows",
    "multiply_add"]
WAYS = {"ours": "user replay, L2 cleaned", "ours_kernel": "the vendor's kernel replay",
    "ours_none": "user replay, L2 as it is", "ours_application": "application replay, L2 cleaned",
    "ncu": "kernel replay, --cache-control all", "ncu_application": "application replay, all",
    "ncu_none": "kernel replay, none"}
METRICS = """smsp__inst_executed.sum
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
launch__block_size
gpu__time_duration.sum
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
    6: "vendor error", 7: "permission", 8: "counter unknown", 9: "counter done", 10: "counter partial",
    11: "counter unclean"}


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


def median(values):
    """The median of the launches that have a value; None: no launch has."""
    values = [v for v in values if v is not None]
    return statistics.median(values) if values else None


def ours(library, command, metrics, folder=None, **more):
    folder = folder or tempfile.mkdtemp()
    env = dict(os.environ, CUDA_INJECTION64_PATH=os.path.abspath(library), WARPLORE_CAPTURE=folder,
        WARPLORE_COUNTERS=",".join(metrics), WARPLORE_COUNTERS_LAUNCHES=str(COUNTED),
        **{"WARPLORE_COUNTERS_SKIP": "1", **more})
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    return read_captures(folder)[:2] + (done,)


def ours_by_application(library, command, metrics):
    folder = tempfile.mkdtemp()
    for number in range(100):
        values, states, done = ours(library, command, metrics, folder, WARPLORE_REPLAY=f"app:{number}")
        if any(state[0] == "counter done" for state in states):
            break
    return values, states, done


def cupti_alone():
    """A copy of libcupti beside an empty libcheckpoint, so that our library lets the vendor repeat launches."""
    found = glob.glob("/usr/local/cuda/**/libcupti.so.13", recursive=True)[0]
    folder = tempfile.mkdtemp()
    shutil.copy(found, folder)
    for path in glob.glob(os.path.join(os.path.dirname(os.path.realpath(found)), "libnvperf*")):
        os.symlink(path, os.path.join(folder, os.path.basename(path)))
    subprocess.run(["cc", "-shared", "-o", os.path.join(folder, "libcheckpoint.so"), "-x", "c", "/dev/null"],
        check=True)
    return os.path.join(folder, "libcupti.so.13")


def ncu(command, metrics, replay, cache):
    """{metric: [a list per kernel: a value per launch]}."""
    text = subprocess.run(["ncu", "--clock-control", "none", "--cache-control", cache,
        "--replay-mode", replay, "--csv", "--page", "raw", "--print-units", "base",
        "--metrics", ",".join(metrics)] + command, capture_output=True, text=True).stdout
    rows = list(csv.reader(io.StringIO(text[text.index('"ID"'):])))
    seen, out = {}, {m: [[] for _ in KERNELS] for m in metrics}
    for row in rows[2:]:
        cells = dict(zip(rows[0], row))
        kernel = cells["Kernel Name"].split("(")[0]
        seen[kernel] = seen.get(kernel, -1) + 1
        for m in metrics if 1 <= seen[kernel] <= COUNTED else []:
            try:
                out[m][KERNELS.index(kernel)].append(float(cells[m].replace(",", "")))
            except (KeyError, ValueError):
                out[m][KERNELS.index(kernel)].append(None)
    return out


def medians(kept, way, metric):
    """The median of each kernel of KERNELS."""
    return [median(launches) for launches in kept["values"][way][metric]]


def off(value, low, high):
    """How far VALUE is outside LOW..HIGH, relative to the nearer end; None: not known. ncu prints two
    decimals, so half of the last one is no difference."""
    if None in (value, low, high):
        return None
    beyond = max(low - value, value - high)
    return 0 if beyond <= 0.0051 else beyond / max(abs(low if value < low else high), 1e-12)


def differences(kept, a="ours", *b):
    """{metric: [(kernel, value of A, lowest of B, highest of B, relative difference or None)]}."""
    out = {}
    for metric in METRICS:
        ends = [medians(kept, way, metric) for way in b or ["ncu"]]
        out[metric] = []
        for i, value in enumerate(medians(kept, a, metric)):
            known = [e[i] for e in ends if e[i] is not None] or [None]
            low, high = (None, None) if None in known else (min(known), max(known))
            out[metric].append((KERNELS[i], value, low, high, off(value, low, high)))
    return out


def within(kept, a="ours", *b):
    """The metrics of A that are within LIMIT of B, or between two of B, on every kernel."""
    return [m for m, cells in differences(kept, a, *b).items()
        if all(cell[-1] is not None and cell[-1] <= LIMIT for cell in cells)]


def table(kept, a="ours", b="ncu"):
    good = within(kept, a, b)
    number = lambda v: "-" if v is None else f"{v:.5g}"
    print(f"{a} ({WAYS[a]}) / {b} ({WAYS[b]}), {kept['device']}")
    for metric, cells in differences(kept, a, b).items():
        far = [c for c in cells if c[-1] is None or c[-1] > LIMIT]
        print("ok" if metric in good else "!!", metric, "|", ", ".join(f"{kernel} {number(x)} / {number(y)}"
            f" ({'-' if off is None else f'{100 * off:.2g} %'})" for kernel, x, y, _, off in far)
            or f"{100 * max(c[-1] for c in cells):.2g} %")
    print(f"{len(good)} of {len(METRICS)} names within {100 * LIMIT:g} % on {len(KERNELS)} kernels\n")


def first_launch(kept, way="ours"):
    """DRAM writes of the process's first counted launch beyond the median of its kernel's next four; the most
    that a first launch of another kernel has beyond that; how far the median of three and the mean of three of
    the first kernel are from the median of the next two. In MB."""
    launches = kept["values"][way]["dram__bytes_write.sum"]
    more = [(v[0] - statistics.median(v[1:])) / 1e6 for v in launches]
    later = statistics.median(launches[0][3:])
    return (more[0], max(more[1:]), abs(statistics.median(launches[0][:3]) - later) / 1e6,
        abs(statistics.mean(launches[0][:3]) - later) / 1e6)


def figures(kept):
    """The rows of the page's table: [(what, number of names)]."""
    return [("kernel replay of `ncu`", len(within(kept, "ours", "ncu"))),
        ("application replay of `ncu`", len(within(kept, "ours", "ncu_application"))),
        ("either, or between them", len(within(kept, "ours", "ncu", "ncu_application"))),
        ("by the vendor's kernel replay, as before: kernel replay of `ncu`", len(within(kept, "ours_kernel", "ncu"))),
        ("`ncu` by application replay: kernel replay of `ncu`", len(within(kept, "ncu_application", "ncu")))]


def check(page, files):
    """Every name that is not within LIMIT must be on the page; tables.py checks the numbers."""
    text = open(page).read()
    kept = [json.load(open(f)) for f in files]
    names = sorted({m for k in kept for m in METRICS if m not in within(k)})
    missing = [f"`{m}`" for m in names if f"`{m}`" not in text]
    print("\n".join(f"not on {page}: {line}" for line in missing) or f"{len(names)} names are right")
    return not missing


def run(library, five, out):
    command = [five, str(COUNTED + 1)]
    plain = subprocess.run(command, capture_output=True, text=True).stdout
    device = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
        capture_output=True, text=True).stdout.strip()
    kept, same = {"device": device, "values": {}}, True
    for way in WAYS:
        if way.startswith("ncu"):
            kept["values"][way] = ncu(command, METRICS, "application" if "app" in way else "kernel",
                "none" if way.endswith("none") else "all")
            continue
        more = {"WARPLORE_COUNTERS_CACHE": "none"} if way == "ours_none" else {}
        if way == "ours_kernel":
            more = {"WARPLORE_CUPTI": cupti_alone()}
        values, states, done = (ours_by_application(library, command, METRICS)
            if way == "ours_application" else ours(library, command, METRICS, **more))
        print(way, "output is the same:", plain == done.stdout, done.returncode, "; states", *set(states))
        same = same and plain == done.stdout
        ordered = sorted(values.items(), key=lambda v: v[0][-1])
        kept["values"][way] = {m: [[got.get(m) for key, got in ordered if k in key[0]] for k in KERNELS] for m in METRICS}
    with open(out, "w") as f:
        json.dump(kept, f, separators=(",", ":"))
        f.write("\n")
    for a, b in (("ours", "ncu"), ("ours", "ncu_application"), ("ours_kernel", "ncu"), ("ours_none", "ncu_none"),
        ("ours_application", "ncu_application"), ("ncu_application", "ncu")):
        table(kept, a, b)
    return same and len(within(kept, "ours", "ncu", "ncu_application")) >= GOAL


def first(library, five, folder):
    """Which launches of a process have the extra DRAM writes: of each kernel that is counted first, with a few
    metrics in one pass and with all of them in many; three processes each."""
    few = ["dram__bytes_read.sum", "dram__bytes_write.sum", "gpu__time_duration.sum"]
    rows = []
    for kernel in KERNELS:
        for names in (few, METRICS):
            for process in range(3):
                values, states, done = ours(library, [five, str(COUNTED + 1)], names, WARPLORE_COUNTERS_SKIP="0",
                    WARPLORE_COUNTERS_KERNELS=kernel)
                ordered = sorted(values.items(), key=lambda v: v[0][-1])
                rows.append({"kernel": kernel, "metrics": len(names), "process": process, "status": done.returncode,
                    "passes": next((s[2] for s in states if s[0] == "counter done"), None),
                    "values": {m: [got.get(m) for _, got in ordered] for m in few}})
                print(kernel, len(names), rows[-1]["values"]["dram__bytes_write.sum"], flush=True)
    raw.write(folder, "first", {"rows": rows})


def main():
    if sys.argv[1:2] == ["first"] and len(sys.argv) == 5:
        return first(*sys.argv[2:])
    if sys.argv[1:2] == ["run"] and len(sys.argv) == 5:
        sys.exit(0 if run(*sys.argv[2:]) else 1)
    if sys.argv[1:2] == ["same"] and len(sys.argv) == 4:
        plain = subprocess.run([sys.argv[3]], capture_output=True, text=True).stdout
        values, states, done = ours(sys.argv[2], [sys.argv[3]], METRICS, WARPLORE_COUNTERS_SKIP="0")
        print(len(values), "launches counted;", *states[-1], plain, done.stdout, sep="\n")
        sys.exit(0 if values and plain == done.stdout else 1)
    if sys.argv[1:2] == ["table"] and len(sys.argv) >= 3:
        table(json.load(open(sys.argv[2])), *sys.argv[3:])
        return
    if sys.argv[1:2] == ["check"] and len(sys.argv) >= 4:
        sys.exit(0 if check(sys.argv[2], sys.argv[3:]) else 1)
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
