"""What readers keep between questions is right after every kind of write: a service that has answered
before says the same as one that has just started, about kernels, chips and versions that the write
changed and about others.

Usage: asked_again.py WARPLORED"""
import json
import os
import sys

from daemon import Daemon, make_token, need, scratch, until

WARPLORED = os.path.abspath(sys.argv[1])
OPERATORS = ("gemm", "softmax")
PLACE = {"chip": "h200", "workload": {"dims": {"M": 4096, "N": 4096, "K": 4096}, "dtype": "f16"}}
QUESTIONS = [f"/api/v1/{noun}operator={operator}&language=cuda&chip=h200&bottleneck=memory{more}"
             for operator in OPERATORS
             for noun, more in (("recommend?", ""), ("recommend?explain=true&", ""), ("brief?", "&kernel=k_" + operator))]
CHANGING = ("request_id", "advice_id")


class Story:
    def __init__(self):
        self.ids, self.k, self.steps = 0, {}, {operator: 0 for operator in OPERATORS}

    def id(self):
        self.ids += 1
        return f"01JB{self.ids:022d}"

    def kernel(self, operator):
        """A kernel, its first version and a run of it."""
        kernel, version = self.id(), self.id()
        run = self.run(version, 1_000_000)
        self.k[operator] = {"kernel": kernel, "head": version, "run": run["id"], "ns": 1_000_000, "experiments": []}
        return {"kernels": [{"id": kernel, "operator": operator, "name": "k_" + operator, "language": "cuda"}],
                "versions": [{"id": version, "kernel": kernel, "kind": "baseline", "label": "v0",
                              "params": {"num_stages": 2, "block": 64}}],
                "runs": [run]}

    def run(self, version, ns, **more):
        return {"id": self.id(), "version": version, "tool": "events", "evidence": "measured",
                "samples_ns": [ns + i for i in range(20)], **PLACE, **more}

    def attempt(self, operator, technique, params, factor):
        """An experiment from the head of the kernel; its version becomes the head when it is faster."""
        k = self.k[operator]
        self.steps[operator] += 1
        version, experiment = self.id(), self.id()
        run = self.run(version, int(k["ns"] / factor))
        start, before = k["head"], k["run"]
        k["experiments"].append(experiment)
        k["last"] = {"version": version, "run": run["id"], "experiment": experiment}
        if factor > 1:
            k["head"], k["run"], k["ns"] = version, run["id"], k["ns"] / factor
        return {"versions": [{"id": version, "kernel": k["kernel"], "kind": "candidate", "parents": [start],
                              "label": f"v{self.steps[operator]}"}],
                "runs": [run],
                "experiments": [{"id": experiment, "kernel": k["kernel"], "from_version": start, "to_version": version,
                                 "runs_before": [before], "runs_after": [run["id"]], "techniques": [{"name": technique, "params": params}],
                                 "bottleneck": "memory", "title": f"{technique} {params}", **PLACE}]}

    def decide(self, action, subject):
        decision = self.id()
        self.decision = decision
        return {"curations": [{"id": decision, "action": action, "subjects": [subject], "reason": "r"}]}

    def sweep(self, operator):
        return {"sweeps": [{"id": self.id(), "kernel": self.k[operator]["kernel"], **PLACE,
                            "configurations": {"count": 3, "times_ns": "900000 800000 950000",
                                               "parameters": [{"name": "num_stages", "values": "2 3 4"}]},
                            "best": [{"configuration": 1, "version": self.k[operator]["head"]}]}]}

    def large_sweep(self, operator):
        """More configurations than the writer reads again before it answers."""
        n = 30_000
        return {"sweeps": [{"id": self.id(), "kernel": self.k[operator]["kernel"], **PLACE,
                            "configurations": {"count": n, "times_ns": " ".join(str(900_000 + i) for i in range(n)),
                                               "parameters": [{"name": "tile", "values": " ".join(map(str, range(n)))}]}}]}

    def ablation(self, operator):
        k, version = self.k[operator], self.id()
        return {"versions": [{"id": version, "kernel": k["kernel"], "kind": "ablation", "parents": [k["head"]]}],
                "attributions": [{"id": self.id(), "experiment": k["experiments"][0], "contributed": "no",
                                  "technique": "memory.vectorized_access", "ablated_version": version}]}

    def spec(self, value):
        environment = self.id()
        return {"environments": [{"id": environment, "chip": "h200"}],
                "specs": [{"id": self.id(), "chip": "h200", "metric": "hbm_bandwidth", "value": value, "unit": "TB/s",
                           "evidence_class": "measured", "environment": environment}]}


def without_times(v):
    if isinstance(v, dict):
        return {k: without_times(x) for k, x in v.items() if k not in CHANGING}
    return [without_times(x) for x in v] if isinstance(v, list) else v


def first_difference(a, b, path=""):
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted(set(a) | set(b)):
            if a.get(key) != b.get(key):
                return first_difference(a.get(key), b.get(key), f"{path}.{key}")
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b)):
            if x != y:
                return first_difference(x, y, f"{path}[{i}]")
    return f"{path}: {json.dumps(a)[:300]} after the write, {json.dumps(b)[:300]} after a start"


class Service:
    def __init__(self, data, token):
        self.daemon, self.token = Daemon(WARPLORED, data), token
        until(lambda: "start_state" not in self.get(QUESTIONS[1]), 20, "moves to be loaded")

    def get(self, path):
        status, body, _ = self.daemon.request("GET", path, self.token)
        need(status == 200 or b"no such kernel" in body, f"{path} to be answered: {status} {body[:300]}")
        return without_times(json.loads(body))

    def ask(self):
        return {path: self.get(path) for path in QUESTIONS}

    def post(self, document):
        status, body, _ = self.daemon.request("POST", "/api/v1/submissions", self.token, json.dumps(document))
        need(status in (200, 201), f"a document to be stored: {status} {body[:500]} {json.dumps(document)[:500]}")


def many_versions(service, story):
    """Many versions are read again beside the writer. An answer says so while it still has the old ones."""
    question = QUESTIONS[3 * OPERATORS.index("softmax") + 1]
    service.post({"warplore": 1, "id": story.id(), **story.large_sweep("softmax")})
    seen = {"behind": 0}
    for what, write in (("retract", lambda: story.k["softmax"]["last"]["run"]), ("its end", lambda: story.decision)):
        old = service.get(question)
        need("start_state" not in old, f"complete versions before: {old.get('start_state')}")
        service.post({"warplore": 1, "id": story.id(), **story.decide("retract", write())})
        answers = [service.get(question)]
        while "start_state" in answers[-1]:
            answers.append(service.get(question))
        for answer in answers[:-1]:
            need(answer.pop("start_state") == "behind", "the state to be told")
            need(answer["place"] == old["place"], f"the old versions: {first_difference(answer, old)}")
        need(answers[-1]["place"] != old["place"], f"other versions after {what}: {answers[-1]['place']}")
        seen["behind"] += len(answers) - 1
    need(seen["behind"] > 0, "an answer from before the versions were read again")
    print(f"{seen['behind']} answers of a moment said that they were behind")


def main():
    story = Story()
    writes = [
        ("two kernels", lambda: story.kernel("gemm")), ("the other", lambda: story.kernel("softmax")),
        ("a gain", lambda: story.attempt("gemm", "memory.vectorized_access", {"num_stages": 3}, 1.3)),
        ("a failure", lambda: story.attempt("gemm", "memory.async_copy", {"num_stages": 4}, 0.8)),
        ("a gain on the other", lambda: story.attempt("softmax", "memory.async_copy", {"num_stages": 3}, 1.4)),
        ("a mask", lambda: story.decide("mask", story.k["gemm"]["last"]["experiment"])),
        ("the end of the mask", lambda: story.decide("unmask", story.k["gemm"]["last"]["experiment"])),
        ("an ablation", lambda: story.ablation("gemm")),
        ("a sweep", lambda: story.sweep("gemm")),
        ("a spec", lambda: story.spec(4.1)),
        ("a new run of the head", lambda: {"runs": [story.run(story.k["gemm"]["head"], 600_000)]}),
        ("a retracted run", lambda: story.decide("retract", story.k["softmax"]["last"]["run"])),
        ("its end", lambda: story.decide("retract", story.decision)),
        ("a gain after all", lambda: story.attempt("gemm", "compute.launch_config", {"block": 128}, 1.2)),
    ]
    changed = 0
    with scratch() as folder:
        data = os.path.join(folder, "data")
        os.mkdir(data)
        token = make_token(WARPLORED, data, "curator")
        service = Service(data, token)
        for what, write in writes:
            before = service.ask()
            service.post({"warplore": 1, "id": story.id(), **write()})
            warm = service.ask()
            changed += warm != before
            service.daemon.stop()
            service = Service(data, token)
            cold = service.ask()
            for path in QUESTIONS:
                difference = warm[path] != cold[path] and f"after {what}, {path}: {first_difference(warm[path], cold[path])}"
                need(not difference, difference)
        many_versions(service, story)
        service.daemon.stop()
    need(changed >= 12, f"most writes to change an answer: {changed} of {len(writes)}")
    print(f"{len(writes)} writes, {len(QUESTIONS)} questions each: the same answers warm and cold")


main()
