"""Advice over the board of the demo and the campaign: every operator, chip and language is asked for.
No answer advises what the version that it is about has already, by its record or by its source, which
this test searches for itself; no expected gain is above that
version's headroom, no technique is there that the place cannot use (the needs that a run and a shape
decide are tested here again), and nearly every question gets advice or is told to stop. Without explain=true an answer has at most 8 KiB
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
# questions; those with three or more pieces of advice, or a stop; needs that are known, and of them lacking
ASKED, ANSWERED, TESTED, LACKING = 20, 15, 60, 30
# A source that has one of these has the technique. Comments are removed first.
SIGNS = {
    "memory.vectorized_access": r"\((?:const )?(?:float4|uint4|int4) \*\)|uint4 \*__restrict__",
    "memory.async_copy": r"__pipeline_memcpy_async\(|cp\.async",
    "compute.tensor_core": r"mma\.sync|wgmma\.mma_async|mma_sync\(|tl\.dot\(",
    "memory.ldmatrix_stmatrix": r"ldmatrix\.sync",
    "memory.smem_swizzle": r"SWIZZLE_128B|\[\w+ \^ \w+\]",
    "memory.smem_padding": r"__shared__ float \w+\[32\]\[33\]|\+ PAD\]",
    "compute.loop_unroll": r"#pragma unroll",
    "compute.thread_coarsening": r"for \(int end = k \+ \d+; k < end;|kept\[i\] = row\[threadIdx",
    "compute.warp_shuffle": r"__shfl_\w+\(",
    "sync.warp_level_reduction": r"__shfl_(?:down|xor)_sync\(",
    "compute.fast_exp": r"\b__expf\(",
    "compute.no_alias": r"__restrict__",
    "memory.register_pressure": r"__launch_bounds__",
    "memory.cache_hints": r"__(?:ldcs|stcs|ldcg)\(",
    "latency.register_reallocation": r"setmaxnreg",
    "sync.asymmetric_barrier": r"mbarrier\.",
    "memory.multi_stage_pipeline": r"num_stages=[2-9]|STAGES = [2-9]",
}


# ---- needs of techniques, by the numbers of the run that the answer is about ----

def number(run, *names):
    for name in names:
        value = run.get("launch", {}).get(name, run.get("metrics", {}).get(name))
        value = value.get("value") if isinstance(value, dict) else value
        if value is not None:
            return float(value)
    return None


def shared(run):
    parts = [number(run, "static_shared_bytes"), number(run, "dynamic_shared_bytes")]
    return None if None in parts else sum(parts) > 1024


def at_least(limit, *names):
    def test(run):
        value = number(run, *names)
        return None if value is None else value > limit
    return test


def below(limit, *names):
    def test(run):
        value = number(run, *names)
        return None if value is None else value < limit
    return test


def conflicts(run):
    all_of = number(run, "smsp__inst_executed.sum")
    some = number(run, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum")
    return None if all_of is None or some is None else 1000 * some / all_of > 10


def few_tiles(run):
    d = {k.lower(): int(v) for k, v in run["workload"]["dims"].items()}
    units = number(run, "device__attribute_multiprocessor_count")
    if units is None or not {"m", "n", "k"} <= set(d):
        return None
    return -(-d["m"] // 256) * -(-d["n"] // 256) < units


SHARED = "memory.smem_padding memory.smem_swizzle memory.lds_wide_access memory.async_copy memory.ldmatrix_stmatrix"
NEEDS = [
    (SHARED, shared),
    ("memory.ldmatrix_stmatrix latency.pingpong_schedule",
     at_least(1, "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active")),
    ("memory.smem_padding memory.smem_swizzle", conflicts),
    ("compute.thread_coarsening launch.persistent_kernel", at_least(1, "launch__waves_per_multiprocessor")),
    ("launch.more_parallelism", below(1, "launch__waves_per_multiprocessor")),
    ("compute.branch_eliminate", below(28.8, "smsp__thread_inst_executed_per_inst_executed.ratio")),
    ("compute.register_tile compute.loop_unroll latency.increase_ilp", below(200, "registers_per_thread")),
    ("compute.tensor_core", below(5, "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active")),
    ("memory.smem_register_spilling", at_least(0, "local_bytes_per_thread")),
    ("latency.increase_occupancy", below(60, "sm__warps_active.avg.pct_of_peak_sustained_active")),
    ("memory.split_k", few_tiles),
]


def check_needs(question, answer, run):
    """How many needs of this run are known, and how many are lacking."""
    advised = {a["technique"] for a in answer["advice"] + answer["untried"]}
    known = lacking = 0
    for techniques, test in NEEDS:
        met = test(run)
        known += met is not None
        lacking += met is False
        need(met is not False or not advised & set(techniques.split()), f"{question}: advises {advised & set(techniques.split())}")
    return known, lacking


# ---- the answers ----


def shown(sources):
    """The techniques that SIGNS find in the files [(name, text)]."""
    text = "\n".join(re.sub(r"//[^\n]*|/\*.*?\*/" if not name.endswith(".py") else r"#[^\n]*|\"\"\".*?\"\"\"", "", text, flags=re.S)
                     for name, text in sources)
    return {slug for slug, sign in SIGNS.items() if re.search(sign, text)}


def check(question, answer, timed, source):
    about = answer.get("about") or {"techniques": []}
    has = {t["name"] for t in about["techniques"] if "out_version" not in t}
    advice = answer["advice"]
    seen = shown(source)
    need(seen <= has, f"{question}: {about.get('label')} has by its source {seen - has}")
    need(all(t["known"] for t in about["techniques"]), f"{question}: a technique without a reason")
    has |= seen
    again = has & {a["technique"] for a in advice + answer["untried"]}
    need(not again, f"{question}: advises what is there: {again}")
    most = about.get("headroom", {}).get("at_most", float("inf"))
    for a in advice if about.get("by") == "champion" else ():
        need(a["gain"]["high"] <= most * 1.0001, f"{question}: {a['technique']} above {most}: {a['gain']}")
        need(question["operator"] in PRODUCTS or a["technique"] != "compute.tensor_core", f"{question}: matrix cores")
    need(not about.get("done") or "stop" in answer, f"{question}: no stop at the limit")
    need(not answer.get("stop", "").startswith("Stop") or not advice + answer["untried"], f"{question}: advice beside a stop")
    need("stop" in answer or advice or answer["untried"], f"{question}: neither advice nor a stop")
    need("by" in about or not timed, f"{question}: about no version")
    against = [(a["technique"], "against" in a) for a in advice if "repeats" not in a]
    need(against == sorted(against, key=lambda x: x[1]), f"{question}: what the profile contradicts leads: {against}")
    need(all("which this one is not" in a["why"] for a in advice if "against" in a), f"{question}: no word of it")
    for a in advice:
        need("." in a["technique"] or a["same_operator"], f"{question}: {a['technique']} means nothing here")
    return len(advice + answer["untried"]) >= 3 or "stop" in answer


def check_brief(question, ask, stop):
    sizes = {}
    for most in (500, 700, 1500, 6000):
        status, text, _ = ask("brief?quiet=true&" + urlencode(dict(question, max_bytes=most)))
        need(status == 200 and len(text) <= most, f"{question}: {status}, {len(text)} bytes, not {most}")
        sizes[most] = json.loads(text)
    names = [s["section"] for s in sizes[6000]["sections"]]
    need(names[0] == "standing" and {"next", "check"} <= set(names), f"{question}: {names}")
    said = next(s["lines"] for s in sizes[6000]["sections"] if s["section"] == "next")
    need(not stop or len(said) > 1 or said == [stop] or "top" not in stop, f"{question}: {said}, not {stop}")
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


def check_headroom(question, daemon, ask, contributor, curator):
    """The headroom is by the numbers of the chip that are in force now, not of two that disagree."""
    def most():
        headroom = json.loads(ask("recommend?" + urlencode(question))[1])["about"].get("headroom", {})
        return None if "counter" in headroom else headroom.get("at_most")

    before, again = most(), most()
    twice = {"id": "01M8AADV1CE000000000000002", "chip": question["chip"], "metric": "hbm_bandwidth", "value": 9.6,
             "unit": "TB/s", "evidence_class": "user_confirmed", "source_document": "01M8AADV1CE000000000000003",
             "line": 1, "quote": "9.6 TB/s"}
    sheet = {"id": twice["source_document"], "title": "a sheet", "path": "sheet.md", "text": "bandwidth: 9.6 TB/s"}
    status, text, _ = daemon.request("POST", "/api/v1/submissions", contributor, json.dumps(
        {"warplore": 1, "id": "01M8AADV1CE000000000000001", "source_documents": [sheet], "specs": [twice]}))
    need(status == 201, f"a spec: {status} {text[:200]}")
    disputed = most()
    status, text, _ = daemon.request("POST", f"/api/v1/specs/{twice['id']}/select", curator, json.dumps({"reason": "read on the sheet"}))
    need(status == 201 and disputed is None, f"select: {status} {text[:200]}, headroom {disputed} while the bandwidth was disputed")
    after = most()
    need(before == again and after and after > 1.5 * before, f"headroom {before}, {again}, with twice the bandwidth {after}")


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
    sources = {v["id"]: [(s["file"], s["text"]) for s in v.get("sources", [])]
               for f in files for v in json.load(open(f)).get("versions", [])}
    answered = cited = with_source = known = lacking = 0
    for question in (dict(zip(("operator", "chip", "language"), q)) for q in questions):
        whole, short = get("recommend?explain=true&" + urlencode(question)), get("recommend?" + urlencode(question))
        source = sources.get((whole.get("about") or {}).get("version"), [])
        answered += check(question, whole, (question["operator"], question["language"]) in timed, source)
        with_source += bool(source)
        size = len(json.dumps(short, separators=(",", ":"), ensure_ascii=False).encode())
        cited += check_brief(question, ask, whole.get("stop"))
        if (whole.get("about") or {}).get("by") == "champion":
            about = whole["about"]
            run = get("runs?limit=1&" + urlencode({k: about[k] for k in ("version", "chip", "workload") if k in about}))["rows"]
            counts = check_needs(question, whole, get("runs/" + run[0]["id"])["record"]) if run else (0, 0)
            known, lacking = known + counts[0], lacking + counts[1]
        need(size <= 8192, f"{question}: {size} bytes")
        names = [[a["technique"] for a in answer["advice"]] for answer in (whole, short)]
        need(names[0][:len(names[1])] == names[1], f"{question}: {names}")
    need(len(questions) == ASKED and answered >= ANSWERED, f"{answered} of {len(questions)} questions answered")
    need(known >= TESTED and lacking >= LACKING, f"{known} needs tested, {lacking} lacking")
    need(with_source >= 10, f"{with_source} answers about a version whose source is stored")
    need(cited >= 9 * len(questions), f"{cited} citations")
    check_headroom({"operator": "softmax", "chip": "h200", "language": "cuda"}, daemon, ask,
                   make_token(WARPLORED, data, "contributor"), curator)
    check_retracted({"operator": "softmax", "chip": "h200", "language": "cuda"}, daemon, ask, curator)
    daemon.stop()
    print(f"{len(questions)} questions, {answered} with three or more pieces of advice or a stop")


with scratch() as scratch_folder:
    main(scratch_folder)
