"""The numbers of chips that ship with the service (service/ingest/chips.json): each has an address, the
date of its reading, and words that contain it in its unit. They are stored once, give way to what
others state, and with them the roofline answers for every champion of the shipped campaign.

Usage: chips.py WARPLORED SOURCE_DIR"""
import glob
import json
import os
import re
import subprocess
import sys

from daemon import Daemon, make_token, need, scratch

WARPLORED, SOURCE = sys.argv[1:3]
CHIPS = {"h200", "h100-sxm", "h100-pcie", "a100", "a100-sxm-80gb", "a100-pcie-80gb", "b200", "l40s",
         "rtx4090", "mi300x", "mi325x", "mi250x"}
# a unit as its document may write it; counts have none
WRITTEN = {"TFLOPS": r"T(era)?F(LOP)?s?\b|petaflops|1e12", "PFLOPS": r"PFLOPS", "TOPS": r"T?OPS|TFLOPS", "POPS": r"POPS",
           "TB/s": r"TB(/s|ps| per second)", "GB/s": r"GB/s", "GB": r"GB", "MB": r"MB", "KB": r"kB", "GiB": r"GiB", "MiB": r"MiB",
           "KiB": r"KiB", "GHz": r"GHz", "MHz": r"MHz|clock", "W": r"\bW\b|\(W\)|\dW", "threads": r"Wavefront"}


def numbers(text):
    return [float(n.replace(",", "")) for n in re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?", text)]


def check_words(shipped):
    documents = {d["id"]: d for d in shipped["source_documents"]}
    said = set()
    for s in shipped["specs"]:
        what, key = f"{s['chip']} {s['metric']}", (s["chip"], s["metric"], s.get("qualifier"))
        need(key not in said, what + ": said once")
        said.add(key)
        if "unknown" in s:
            need(s["note"], what + ": why it is unknown")
            continue
        d = documents[s["source_document"]]
        need(re.match(r"https://\S+ \(quotes\)$", d["path"]), what + ": an address: " + d["path"])
        need(re.match(r"\d{4}-\d\d-\d\d$", d["extra"]["read_on"]), what + ": when it was read")
        need(d["text"].split("\n")[s["line"] - 1].strip() == s["quote"], what + ": words on their line")
        need(s["value"] in numbers(s["quote"]), f"{what}: {s['value']} in: {s['quote']}")
        # the unit stands in the words or in the head of their table
        unit = s["unit"]
        need(unit == "count" or re.search(WRITTEN[unit], d["text"], re.I), f"{what}: {unit} in {d['path']}")
    need({s["chip"] for s in shipped["specs"]} == CHIPS, "which chips have numbers")
    for chip in CHIPS - {"a100"}:
        for metric in ("hbm_bandwidth", "memory_capacity", "compute_units", "peak_tflops.bf16.matrix.dense",
                       "peak_tflops.fp16.matrix.dense", "peak_tflops.fp32.vector.dense"):
            need(any(s["chip"] == chip and s["metric"] == metric and "value" in s for s in shipped["specs"]),
                 f"{metric} of {chip}")


class Service:
    def __init__(self, data):
        self.data = data
        self.daemon = Daemon(WARPLORED, data)
        self.token = make_token(WARPLORED, data, "curator")

    def call(self, method, path, body=None):
        status, text, _ = self.daemon.request(method, "/api/v1/" + path, self.token, json.dumps(body) if body else None)
        need(status in (200, 201), f"{path}: {status} {text}")
        return json.loads(text)

    def get(self, path):
        return self.call("GET", path)


def check_sheets(s, shipped):
    for chip in sorted(CHIPS):
        sheet = s.get("chips/" + chip)
        known = [x for x in shipped["specs"] if x["chip"] == chip and "value" in x]
        need(len(sheet["specs"]) == len(known), f"{chip}: every shipped number is in force")
        need(all(re.search(r" <- https://\S+ \(quotes\):\d+$", x["cite"]) for x in sheet["specs"]), chip + ": cited")
        need(not sheet["disputes"], chip + ": no dispute")


def check_champions(s):
    champions = s.get("leaderboard?chip=h200&limit=200")["rows"]
    need(len({c["operator"] for c in champions}) == 8, "the campaign's operators")
    for c in champions:
        answer = s.get("roofline?run=" + c["best"]["run"])
        what = f"{c['operator']} in {c['language']}: {answer}"
        need(answer["unknown_inputs"] == [] and answer["rule"], what)
        need(answer["bound"] in ("memory", "compute") and answer["ceiling_time_ns"] > 0, what)
        need(50 < answer["utilisation_pct"] <= 100, what)
        need(answer["inputs"][0]["cite"] and answer["inputs"][1]["cite"], what)
    gemm = next(c for c in champions if c["operator"] == "gemm" and c["kernel_name"] == "gemm_bf16_cuda")
    share = s.get("roofline?run=" + gemm["best"]["run"])
    need(share["limit"] == "peak_tflops.bf16.matrix.dense" and 70 < share["utilisation_pct"] < 71, str(share))


def check_measured_bytes(s):
    """An operator whose shape says nothing of its bytes: what the profiler counted, and said so."""
    run = {"id": "01J900000000000000000RVN01", "version": "01J900000000000000000VER01", "chip": "h200",
           "workload": {"operator": "spmv", "dims": {"rows": 1000}, "dtype": "f32"}, "evidence": "measured",
           "environment": "01J900000000000000000ENV01", "samples_ns": [10000, 10001, 10002],
           "metrics": {"dram__bytes.sum": 24000000}}
    s.call("POST", "submissions", {
        "warplore": 1, "id": "01J900000000000000000DCM01",
        "kernels": [{"id": "01J900000000000000000KRN01", "name": "spmv", "operator": "spmv", "language": "cuda"}],
        "versions": [{"id": run["version"], "kernel": "01J900000000000000000KRN01", "kind": "baseline",
                      "label": "v0"}],
        "environments": [{"id": run["environment"], "chip": "h200", "hard": {"driver": "570"}}], "runs": [run]})
    answer = s.get("roofline?flops=1e6&run=" + run["id"])
    bytes_ = next(i for i in answer["inputs"] if i["name"].startswith("bytes"))
    need((bytes_["name"], bytes_["value"]) == ("bytes, measured", 24000000), str(answer))
    need("rule" not in answer and answer["bound"] == "memory", str(answer))


def check_gives_way(s):
    """What others state counts instead; a curator's decision counts before both."""
    shipped = s.get("specs?chip=l40s&metric=hbm_bandwidth")["rows"][0]
    document = {"id": "01J900000000000000000SRC01", "title": "t", "path": "sheet.md", "text": "850 GB/s\n"}
    own = {"id": "01J900000000000000000SPC01", "chip": "l40s", "metric": "hbm_bandwidth", "value": 850, "unit": "GB/s",
           "evidence_class": "repository_reference", "source_document": document["id"], "line": 1, "quote": "850 GB/s"}
    s.call("POST", "submissions", {"warplore": 1, "id": "01J900000000000000000DCM02", "source_documents": [document],
                                   "specs": [own]})
    standing = lambda: [s.get("specs/" + i)["standing"] for i in (own["id"], shipped["id"])]
    need(standing() == ["in_force", "candidate"], str(standing()))
    need(s.get("specs/disputes?chip=l40s")["rows"] == [], "no dispute with a shipped number")
    s.call("POST", f"specs/{shipped['id']}/select", {"reason": "the card is not throttled here"})
    need(standing() == ["candidate", "in_force"], str(standing()))
    s.call("POST", f"specs/{shipped['id']}/reject", {"reason": "it is"})
    need(standing() == ["in_force", "rejected"], str(standing()))


def main():
    with open(os.path.join(SOURCE, "service", "ingest", "chips.json"), encoding="utf-8") as f:
        shipped = json.load(f)
    check_words(shipped)
    with scratch() as folder:
        data = os.path.join(folder, "data")
        os.mkdir(data)
        files = [f for d in ("demo", "h200") for f in sorted(glob.glob(os.path.join(SOURCE, "tests/fixtures", d, "*.json")))]
        subprocess.run([WARPLORED, "load", "--data", data, *files], check=True, capture_output=True)
        s = Service(data)
        check_champions(s)
        check_measured_bytes(s)
        check_gives_way(s)
        counts = s.get("_stats")["counts"]
        s.daemon.stop()
        s = Service(data)
        need(s.get("_stats")["counts"] == counts, "a second start stores nothing")
        s.daemon.stop()
        s = Service(os.path.join(folder, "new"))
        check_sheets(s, shipped)
        s.daemon.stop()
    print("ok")


main()
