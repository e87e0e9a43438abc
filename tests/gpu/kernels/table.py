#!/usr/bin/env python3
"""The figures of docs/notes/campaign.md, from the shipped records alone.

    table.py WARPLORED WARPLORE SOURCE_DIR

Loads tests/fixtures/h200 into a service of its own, asks it for the verdicts, the claims and the
calibration, takes times and counters from the records, and compares what stands between
<!-- name --> and <!-- /name --> in docs/notes/campaign.md with that; LORE_BLESS=1 writes it instead. Text
outside of these blocks may hold no figures: every number there would have been typed by somebody."""
import glob
import json
import os
import re
import statistics
import subprocess
import sys

WARPLORED, WARPLORE, SOURCE = sys.argv[1:4]
sys.path.insert(0, os.path.join(SOURCE, "tests", "e2e"))
from daemon import Daemon, make_token, need, scratch  # noqa: E402

DOCUMENT = os.path.join(SOURCE, "docs", "notes", "campaign.md")
FIXTURES = os.path.join(SOURCE, "tests", "fixtures", "h200")
AGAIN = os.path.join(SOURCE, "tests", "fixtures", "h200_again")  # champions, measured six days earlier
BEFORE = os.path.join(SOURCE, "tests", "fixtures", "h200_one_launch.json")
AUTHOR = "warplore campaign"
COUNTERS = [("SM %", "sm__throughput.avg.pct_of_peak_sustained_elapsed"),
            ("DRAM %", "dram__throughput.avg.pct_of_peak_sustained_elapsed"),
            ("L2 %", "lts__throughput.avg.pct_of_peak_sustained_elapsed"),
            ("L1 %", "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"),
            ("tensor %", "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active"),
            ("warps %", "sm__warps_active.avg.pct_of_peak_sustained_active"),
            ("DRAM bytes", "dram__bytes.sum"),
            ("global loads", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"),
            ("shared conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"),
            ("instructions", "smsp__inst_executed.sum"),
            ("registers", "launch__registers_per_thread")]
STALL = re.compile(r"smsp__average_warps_issue_stalled_(\w+)_per_issue_active\.ratio")


def plan():
    """{folder_version: (folder, kind)} of campaign.yaml, in its order; its few words need no parser."""
    rows, folder, kind = {}, None, None
    with open(os.path.join(SOURCE, "tests/gpu/kernels/campaign.yaml"), encoding="utf-8") as f:
        for line in f:
            found = re.match(r"\s*(?:- )?(folder|version|versions|ablations|library):\s*(\S*)", line)
            if not found:
                continue
            word, value = found.groups()
            if word == "folder":
                folder = value
            elif word == "version":
                rows[f"{folder}_{value}"] = (folder, kind)
            else:
                kind = word
    return rows


class Row:
    """One record: its run, and what the service says of its experiment."""

    def __init__(self, name, document):
        self.name, self.document = name, document
        self.run, self.version = document["runs"][0], document["versions"][0]
        self.label = self.version["label"]
        self.median = statistics.median(self.run["samples_ns"])
        self.n = len(self.run["samples_ns"])
        self.technique = self.effect = self.ratio = self.probability = None
        for e in document.get("experiments", []):
            self.technique = e["techniques"][0]["raw"]
        for h in document.get("hypotheses", []):
            self.probability = h.get("probability")

    def trace(self):
        states = {v["technique"]: v["status"] for v in self.document.get("verifications", [])}
        return ", ".join(words(s) for s in states.values())

    def notes(self):
        method, said = self.run["method"], []
        if method["flags"] != "none":
            said += [words(flag) for flag in method["flags"].split(", ")]
        if method["throttle"] != "none":
            said.append(words(method["throttle"].replace("sw_power_cap", "power cap")))
        if method["launches_per_iteration"] != 1:
            said.append(f"{method['launches_per_iteration']} launches each")
        return ", ".join(said)


def words(name):
    return name.replace("_", " ")


def number(v):
    if v is None:
        return ""
    if v == 0:
        return "0"
    if abs(v) >= 1e4 or (v == int(v) and abs(v) >= 100):
        return f"{v:,.0f}"
    return f"{v:.3g}"


def micros(ns):
    us = ns / 1000
    return f"{us:,.0f}" if us >= 1000 else f"{us:.1f}"


def factor(v):
    return f"{v:,.0f}×" if v >= 100 else f"{v:.1f}×" if v >= 10 else f"{v:.2f}×"


def table(heads, rows):
    right = [h.startswith(">") for h in heads]
    lines = ["| " + " | ".join(h.lstrip(">") for h in heads) + " |",
             "|" + "|".join("--:" if r else "---" for r in right) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def read_records(folder=FIXTURES):
    rows = {}
    for file in sorted(glob.glob(os.path.join(folder, "*.json"))):
        name = os.path.basename(file).partition("-")[2][:-len(".json")]
        with open(file, encoding="utf-8") as f:
            rows[name] = Row(name, json.load(f))
    return rows


class Service:
    def __init__(self, folder):
        data = os.path.join(folder, "data")
        os.mkdir(data)
        files = sorted(glob.glob(os.path.join(FIXTURES, "*.json")))
        subprocess.run([WARPLORED, "load", "--data", data, *files], check=True, capture_output=True)
        token = make_token(WARPLORED, data, "reader")
        self.daemon = Daemon(WARPLORED, data)
        self.env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{self.daemon.port}",
                        WARPLORE_TOKEN=token, NO_COLOR="1", HOME=folder)

    def ask(self, *words_):
        r = subprocess.run([WARPLORE, *words_, "--json"], env=self.env, capture_output=True, timeout=120)
        need(r.returncode == 0, f"{words_}: {r.stderr.decode()}")
        return json.loads(r.stdout)


def judged(service, rows):
    """Put the service's verdicts into ROWS, by version."""
    by_version = {row.version["id"]: row for row in rows.values()}
    for e in service.ask("list", "experiments", "--limit", "200")["rows"]:
        row, outcome = by_version[e["to_version"]], e["outcome"]
        row.effect, row.rules = outcome["effect"], outcome["rules"]
        row.ratio = (outcome["speedup"], outcome["low"], outcome["high"])
        row.parent = by_version[e["from_version"]].label


def kernels_of(rows, folder, kind, planned):
    return [rows[name] for name, what in planned.items() if what == (folder, kind) and name in rows]


def version_line(row, best):
    ratio = low = ""
    if row.ratio:
        ratio, low = factor(row.ratio[0]), f"{row.ratio[1]:.4g}–{row.ratio[2]:.4g}"
    return [row.label + (" ◀" if row is best else ""), row.parent if row.ratio else "",
            f"`{row.technique}`" if row.technique else "baseline",
            f"{row.probability:g}" if row.probability is not None else "",
            micros(row.median), ratio, low, row.effect or "", row.trace(), row.notes()]


def ablation_line(row, rows_of):
    a = row.document["attributions"][0]
    champion = next(r for r in rows_of if r.run["id"] == a["champion_run"])
    return [row.label, champion.label, f"without `{a['technique']}`", "", micros(row.median),
            factor(champion.median / row.median), "", f"contributed: {a['contributed']}", "", row.notes()]


def library_line(row, best):
    return ["library", "", row.version["summary"].rstrip("."), "", micros(row.median), "", "",
            f"champion {factor(row.median / best.median)}", "", row.notes()]


def operator_block(folder, rows, planned):
    versions = kernels_of(rows, folder, "versions", planned)
    best = min((v for v in versions if v.label.startswith("v")), key=lambda v: v.median)
    lines = [version_line(v, best) for v in versions]
    lines += [ablation_line(a, versions) for a in kernels_of(rows, folder, "ablations", planned)]
    lines += [library_line(x, best) for x in kernels_of(rows, folder, "library", planned)]
    heads = ["version", "from", "change", ">p", ">µs", ">against its parent", ">99 %", "verdict",
             "machine code", "notes"]
    return table(heads, lines) + "\n\n" + counters(versions)


def value_of(row, metric):
    return row.run.get("metrics", {}).get(metric, {}).get("value")


def counters(versions):
    counted = [v for v in versions if "counter_passes" in v.run["method"]]
    shown = [(h, m) for h, m in COUNTERS if any(value_of(v, m) for v in counted)]
    lines = []
    for v in counted:
        stalls = [(value["value"], STALL.match(m).group(1)) for m, value in v.run["metrics"].items()
                  if STALL.match(m) and "value" in value]
        top = max(stalls)
        lines.append([v.label, *(number(value_of(v, m)) for _, m in shown), f"{words(top[1])} {number(top[0])}"])
    return table(["counted", *(">" + h for h, _ in shown), "largest stall"], lines)


def summary_block(rows, planned, folders):
    lines = []
    for folder in folders:
        versions = kernels_of(rows, folder, "versions", planned)
        triton = [v for v in versions if v.label.startswith("t")]
        fast = min(triton, key=lambda v: v.median) if triton else None
        best = min((v for v in versions if v.label.startswith("v")), key=lambda v: v.median)
        library = kernels_of(rows, folder, "library", planned)
        tally = [sum(v.effect == e for v in versions) for e in ("win", "neutral", "loss", "inconclusive")]
        work = best.run["workload"]
        problem = " ".join(f"{k}={v}" for k, v in work["dims"].items()) + f" {work['dtype']}"
        lines.append([folder, problem, micros(versions[0].median), f"{best.label} {micros(best.median)}",
                      factor(versions[0].median / best.median),
                      micros(library[0].median) if library else "not measured",
                      factor(library[0].median / best.median) if library else "",
                      f"{fast.label} {micros(fast.median)}" if fast else "",
                      factor(fast.median / best.median) if fast else "",
                      " / ".join(str(n) for n in tally)])
    return table(["operator", "problem", ">first µs", ">champion µs", ">first / champion", ">library µs",
                  ">library / champion", ">Triton µs", ">Triton / champion", ">won / neutral / lost / inconclusive"], lines)


def sessions_of(runs):
    """When runs were measured: one part for each device (an environment names one)."""
    devices = {}
    for run in runs:
        devices.setdefault(run["environment"], []).append(run["measured_at"])
    parts = sorted((min(at), max(at), len(at)) for at in devices.values())
    said = "; ".join(f"{n} from {a[:16].replace('T', ' ')} to {b[11:16]} UTC" for a, b, n in parts)
    return f"{said}, each session on a device of its own" if len(parts) > 1 else f"{said}, one session"


def again_block(rows):
    lines = [[name, micros(row.median), micros(rows[name].median), f"{rows[name].median / row.median:.3f}",
              row.notes()] for name, row in read_records(AGAIN).items()]
    return table(["version", ">earlier session µs", ">this session µs", ">this / earlier", "notes"], lines)


def said_of(row):
    """The verdict on a change, or on an ablation; None: there is none."""
    return row.effect or next((a["contributed"] for a in row.document.get("attributions", [])), None)


def before_block(rows):
    """This campaign beside the one before: times, verdicts, and what counting three launches changed."""
    with open(BEFORE, encoding="utf-8") as f:
        kept = json.load(f)
    old, names = kept["rows"], kept["metrics"]
    moved = {n: rows[n].median / old[n]["median_ns"] - 1 for n in old if n in rows}
    far = sorted((n for n in moved if abs(moved[n]) > 0.02), key=lambda n: -abs(moved[n]))
    judged_both = [n for n in moved if "verdict" in old[n] and said_of(rows[n])]
    changed = [n for n in judged_both if said_of(rows[n]) != old[n]["verdict"]]
    times = (f"{len(moved)} rows, both on an {kept['device']} with driver {kept['driver']}: half of the medians differ by "
             f"{statistics.median(map(abs, moved.values())) * 100:.2f} % at most, {len(far)} by more than 2 %: "
             + ", ".join(f"{n} {moved[n] * 100:+.1f} %" for n in far) + ".")
    verdicts = f"{len(judged_both) - len(changed)} of {len(judged_both)} verdicts are the same. The others:"
    ratios, spreads = {}, {}
    for n in moved:
        for name, was in zip(names, old[n].get("counted", [])):
            now = rows[n].run["metrics"].get(name, {})
            if was is not None and now.get("value"):
                ratios.setdefault(name, []).append(was / now["value"])
                spreads.setdefault(name, []).append((now["max"] - now["min"]) / abs(now["value"]))
    most = sorted(ratios, key=lambda n: -abs(statistics.median(ratios[n]) - 1))[:6]
    lines = [[f"`{n}`", len(ratios[n]), f"{statistics.median(ratios[n]):.3f}", f"{min(ratios[n]):.2f} to {max(ratios[n]):.2f}",
              f"{statistics.median(spreads[n]) * 100:.1f} %"] for n in most]
    writes = names.index("dram__bytes_write.sum")
    more = [old[n]["counted"][writes] - value_of(rows[n], names[writes]) for n in moved
            if old[n].get("counted", {writes: None})[writes] is not None]
    still = sum(abs(statistics.median(v) - 1) <= 0.01 for v in ratios.values())
    counted = (f"Counters of one launch, as before, over the median of three: of {len(ratios)} names {still} have a median ratio within "
               f"1 %. The first launch wrote {statistics.median(more) / 1e6:.1f} MB more to DRAM than the median "
               f"of three ({min(more) / 1e6:.1f} to {max(more) / 1e6:.1f}). The names that changed most:")
    return "\n\n".join([times, verdicts, table(["row", "before", "now"], [[n, old[n]["verdict"], said_of(rows[n])] for n in changed]), counted,
                        table(["counter", ">rows", ">one / three, median", ">least to greatest", ">spread of the three, median"],
                              [[str(c) for c in line] for line in lines])])


def facts_block(rows):
    runs = [row.run for row in rows.values()]
    own = ("device_uuid", "host", "toolkit")  # what may differ between the sessions
    (env,) = {json.dumps({"hard": e["hard"], "soft": {k: v for k, v in e["soft"].items() if k not in own}},
                         sort_keys=True) for row in rows.values() for e in row.document["environments"]}
    env, methods = json.loads(env), [run["method"] for run in runs]
    checks = {}
    for run in runs:
        checks[run["correctness"]["status"]] = checks.get(run["correctness"]["status"], 0) + 1
    counted = [run for run in runs if "counter_passes" in run["method"]]
    few = {len(run["samples_ns"]) for run in runs}
    clock = sorted({m["sm_clock_mhz_max"] for m in methods})
    lost = sum(m["dropped"] + m["bad"] + m["no_memory"] + m["write_failed"] for m in methods)
    flags = sum(m["flags"] != "none" for m in methods)
    lines = [
        ["records", f"{len(rows)}: {sessions_of(runs)}"],
        ["device", f"{env['soft']['device']}, {env['soft']['sm_count']} SMs, {env['soft']['isa']}, power cap "
                   f"{env['hard']['power_cap_w']} W, ECC {env['hard']['ecc']}, MIG {env['hard']['mig']}"],
        ["software", f"driver {env['soft']['driver']}, CUDA {env['soft']['cuda']}, {methods[0]['collector']}"],
        ["clocks", f"free; every run reached {clock[0]:,} MHz or more; power cap touched in "
                   f"{sum('sw_power_cap' in m['throttle'] for m in methods)} runs; "
                   f"{max(m['temperature_c_max'] for m in methods)} °C at most"],
        ["launches", f"{sum(m['launches'] for m in methods):,} recorded, {lost} lost; after "
                     f"{methods[0]['warmup']} to warm up, {min(few)} to {max(few)} samples a run, in order"],
        ["correctness", ", ".join(f"{n} {words(s)}" for s, n in sorted(checks.items()))],
        ["counters", f"{len(counted)} runs, up to {max(len(r['metrics']) for r in counted)} names in "
                     f"{max(r['method']['counter_passes'] for r in counted)} passes, {counted_launches(counted)}"],
        ["flags", f"{flags} runs: " + ", ".join(
            f"{words(f)} {sum(f in m['flags'].split(', ') for m in methods)}"
            for f in ("bimodal", "drift", "launch_overhead"))],
    ]
    return table(["", ""], lines)


def counted_launches(counted):
    """How many launches the values are of."""
    n = max(m.get("n", 1) for r in counted for m in r["metrics"].values() if isinstance(m, dict))
    return "one launch each" if n == 1 else f"medians of {n} launches"


def calibration_block(service, rows):
    (row,) = [r for r in service.ask("calibration")["rows"] if r["author"] == AUTHOR]
    lines = [[f"{b['low']:g} to {b['high']:g}", str(b["n"]), f"{b['mean_probability']:.2f}", f"{b['rate']:.2f}"]
             for b in row["bins"]]
    verdicts, cursor = {}, []
    while True:
        page = service.ask("judgements", "--limit", "200", *cursor)
        for j in page["rows"]:
            verdicts[j["verdict"]] = verdicts.get(j["verdict"], 0) + 1
        if not page.get("next"):
            break
        cursor = ["--cursor", str(page["next"])]
    worst = sorted((r for r in rows.values() if r.effect), key=lambda r: -abs((r.effect == "win") - r.probability))
    said = (f"{row['n']} predictions; {row['base_rate'] * 100:.0f} % came true. Brier score {row['brier']:.3f} "
            f"(always saying the base rate: {row['reference']:.3f}); calibration error "
            f"{row['calibration_error'] * 100:.0f} %.")
    far = "Farthest off: " + ", ".join(f"{r.name} ({r.probability:g}, {r.effect})" for r in worst[:6]) + "."
    claims = "What the hypotheses expected of single metrics: " + ", ".join(
        f"{verdicts[v]} {words(v)}" for v in ("confirmed", "partial", "contradicted", "not_measured")
        if v in verdicts) + "."
    return "\n\n".join([said, table(["said", ">changes", ">mean said", ">won"], lines), far, claims,
                        process_line(rows)])


def process_line(rows):
    judged_rows = [r for r in rows.values() if r.effect]
    broken = [r for r in judged_rows if r.rules]
    rules = sorted({rule for r in broken for rule in r.rules})
    said = ", ".join(f"`{rule}` {sum(rule in r.rules for r in broken)}" for rule in rules)
    return f"{len(broken)} of {len(judged_rows)} experiments broke a rule of process{': ' + said if said else ''}."


def missing_block(rows, planned):
    left = [name for name in planned if name not in rows]
    kinds = {}
    for name in left:
        kind = planned[name][1]
        if kind == "versions":
            kind = "Triton versions" if re.search(r"_t\d+$", name) else "CUDA C++ versions"
        elif kind == "library":
            kind = "library"
        kinds.setdefault(kind, []).append(name)
    if not left:
        return "Everything in the plan was measured."
    return "\n".join([f"{len(left)} of {len(planned)} rows of the plan:", ""] + [
        f"* {kind} ({len(names)}): " + ", ".join(f"`{n}`" for n in names) for kind, names in kinds.items()])


def blocks(service):
    rows, planned = read_records(), plan()
    judged(service, rows)
    need(set(rows) <= set(planned), f"records that campaign.yaml does not know: {set(rows) - set(planned)}")
    folders = list(dict.fromkeys(planned[name][0] for name in planned if name in rows
                                 and planned[name][1] == "versions"))
    out = {"facts": facts_block(rows), "summary": summary_block(rows, planned, folders),
           "again": again_block(rows), "before": before_block(rows),
           "calibration": calibration_block(service, rows), "missing": missing_block(rows, planned)}
    out.update({folder: operator_block(folder, rows, planned) for folder in folders})
    return out


def typed_numbers(text):
    """Figures outside of the blocks; names such as v2, H200, bf16 or L2 are none."""
    text = re.sub(r"<!-- (\w+) -->.*?<!-- /\1 -->", "", text, flags=re.DOTALL)
    text = re.sub(r"`[^`]*`|\]\([^)]*\)|^    .*$|\b[A-Za-z][\w+]*\d\w*", "", text, flags=re.MULTILINE)
    return re.findall(r"\S*\d\S*", text)


def main():
    with scratch() as folder:
        made = blocks(Service(folder))
    with open(DOCUMENT, encoding="utf-8") as f:
        text = f.read()
    new = text
    for name, block in made.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        need(pattern.search(new), f"docs/notes/campaign.md has no place for {name} (<!-- {name} -->)")
        new = pattern.sub(lambda m: m.group(1) + block + "\n" + m.group(2), new)  # noqa: B023
    typed = typed_numbers(new)
    need(not typed, f"docs/notes/campaign.md: numbers outside of the generated blocks: {typed}")
    if os.environ.get("LORE_BLESS"):
        with open(DOCUMENT, "w", encoding="utf-8") as f:
            f.write(new)
    elif new != text:
        for n, (a, b) in enumerate(zip(text.splitlines(), new.splitlines()), 1):
            need(a == b, f"docs/notes/campaign.md:{n}: LORE_BLESS=1 writes\n  {b}\nwhere there is\n  {a}")
        need(False, "docs/notes/campaign.md: another length than the records give")


main()
