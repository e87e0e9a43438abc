"""What the workers of soak.py do: each job is one small action with a service that others use at the same time.
A job gets the shared state, its own dice, and a dictionary that is its own from call to call."""
import base64
import glob
import json
import os
import re
import shutil
import socket
import time
from urllib.parse import quote

from provider import token as signed

ULID = re.compile(r'"([0-7][0-9A-HJKMNP-TV-Z]{25})"')
PROJECTS = [f"team/p{n}" for n in range(24)]
WORDS = ["softmax", "tiles in shared memory", "float4 loads", "unroll", "warp shuffle", "double buffering", "no such word"]
NAMES = {"operator": ["gemm", "softmax", "reduction", "rmsnorm"], "chip": ["h200", "h100-sxm", "a100", "rtx_a6000", "mi300x"],
         "family": ["reduction", "matmul"], "language": ["cuda", "triton", "hip"], "bottleneck": ["memory", "compute", "latency"],
         "technique": ["memory.vectorized_access", "compute.loop_unroll"], "dims": ["M=4096,N=4096", "n=67108864"],
         "dtype": ["f32", "f16"], "words": WORDS, "text": WORDS, "q": WORDS, "sort": ["id", "-id", "chip"], "fields": ["id", "id,chip"],
         "since": ["36h", "7d", "2026-01-01"], "until": ["2030-01-01"], "author": ["contributor", "nobody"], "project": PROJECTS,
         "flops": ["1e12"], "bytes": ["1e9"], "time": ["2ms"], "compute": ["0.5"], "memory": ["0.4"], "metric": ["hbm_bandwidth"],
         "methods": ["memory.vectorized_access"], "params": ["tile=64"], "layout": ["row"], "sibling": ["h100-sxm"]}
KINDS = {"kernel": "kernels", "version": "versions", "run": "runs", "campaign": "campaigns", "workload": "workloads",
         "environment": "environments", "from": "versions", "session": "sessions", "subject": "experiments", "id": "submissions"}


def prepare(soak):
    """Tokens, the documents that jobs vary, the route table, and a first round of documents."""
    data = soak.nodes[0].data
    for p in PROJECTS:
        soak.tokens[p] = soak.token(data, "contributor", "--label", "of-" + p.replace("/", "-"), "--projects", p)
    soak.tokens["importer"] = soak.token(data, "curator", "--label", "importer")
    fixtures = soak.source + "/tests/"
    stories = [["fixtures/h200/*"], ["fixtures/demo/*"],
               ["http/fixtures/" + name for name in ("small", "verdicts", "verdicts-later", "knowledge", "searched", "profiles")],
               ["http/fixtures/sweeps"], ["http/fixtures/failures"], ["http/fixtures/groups"], ["http/fixtures/profiles"]]
    soak.series = [[open(f, encoding="utf-8").read() for pattern in story for f in sorted(glob.glob(f"{fixtures}{pattern}.json"))]
                   for story in stories]
    soak.imports = [p for p in sorted(glob.glob(fixtures + "fixtures/import/*")) if "traps" not in p and "maps" not in p]
    soak.paths = json.loads(soak.ask("prepare", "GET", "/openapi.json")[1])["paths"]
    soak.assets = [os.path.basename(p) for p in glob.glob(soak.source + "/web/dist/assets/*")]
    soak.hosts = []


def get_routes(soak):
    return [p for p, methods in soak.paths.items() if "get" in methods]


# ---- documents ----

def varied(soak, texts, dice):
    """Documents of one story with ids of their own, and samples that are not a copy of others'."""
    ids, shift = {}, dice.randrange(1, 100)

    def own(match):
        return f'"{ids.setdefault(match[1], None) or ids.update({match[1]: soak.id()}) or ids[match[1]]}"'

    def moved(node):
        if isinstance(node, dict):
            return {k: [x + shift + i % 7 for i, x in enumerate(v)] if k == "samples_ns" and isinstance(v, list)
                    and all(isinstance(x, int) for x in v) else moved(v) for k, v in node.items()}
        return [moved(x) for x in node] if isinstance(node, list) else node
    return [moved(json.loads(ULID.sub(own, text))) for text in texts]


def documents(soak, dice, state):
    if not state.get("left"):
        state["left"] = varied(soak, dice.choice(soak.series), dice)
    doc = state["left"].pop(0)
    soak.deliver("submit", soak.tokens["curator"], doc)
    if dice.random() < 0.3:  # the same bytes again
        soak.deliver("again", soak.tokens["curator"], doc, (200,))
    if dice.random() < 0.1 and doc.get("kernels"):  # known ids with other content
        doc["kernels"][0]["name"] += "_2"
        soak.deliver("conflict", soak.tokens["curator"], dict(doc, id=soak.id()), (409,))


def attempts(soak, dice, state):
    op = dice.choice(NAMES["operator"])
    body = {"operator": op, "kernel": f"k{dice.randrange(40)}_{op}", "language": "cuda", "chip": dice.choice(NAMES["chip"]),
            "dims": f"M={2 ** dice.randrange(6, 13)},N=64", "change": dice.choice(WORDS), "again": True}
    body.update(dice.choice([{"time": f"{dice.uniform(5, 90):.3f}us"}, {"error": "compile", "log": "ptxas: no"}, {"time": "81us"}]))
    status, answer, _ = soak.ask("attempt", "POST", "/api/v1/attempts", soak.tokens["contributor"], json.dumps(body))
    if status == 201:
        answer = json.loads(answer)
        for kind, name in (("experiments", "experiment"), ("kernels", "kernel_id"), ("versions", "version_id")):
            if name in answer:
                soak.known[kind].append(answer[name])


def large(soak, dice, state):
    """More than 8 MiB, of which the service takes one at a time."""
    doc = {"warplore": 1, "id": soak.id(), "source_documents": [
        {"id": soak.id(), "title": "long", "path": f"long{i}.md", "text": ("x" * 100 + "\n") * 9900} for i in range(9)]}
    if soak.ask("large", "POST", "/api/v1/submissions", soak.tokens["contributor"], json.dumps(doc), (201,))[0] == 201:
        soak.learn(doc)


def specs(soak, dice, state):
    value, document = round(dice.uniform(4, 6), 2), soak.id()
    spec = {"id": soak.id(), "chip": dice.choice(NAMES["chip"]), "metric": "hbm_bandwidth", "value": value, "unit": "TB/s",
            "evidence_class": "repository_reference", "source_document": document, "line": 1, "quote": f"bandwidth {value} TB/s"}
    soak.deliver("spec", soak.tokens["contributor"], {"warplore": 1, "id": soak.id(), "specs": [spec], "source_documents": [
        {"id": document, "title": "sheet", "path": "sheet.md", "text": spec["quote"] + "\n"}]})


BROKEN = [b"", b"{", b"[]", b'{"warplore":1}', b'{"warplore":2,"id":"x"}', b"[" * 5000, b'{"a":' * 40 + b"1" + b"}" * 40, b"\xff\xfe\x00",
          b'{"warplore":1,"id":"01JQ0000000000000000000000","id":"b"}', b'{"warplore":1e400}', b'{"warplore":1,"runs":[{"id":7}]}',
          b'{"warplore":1,"id":"01JQ0000000000000000000000","runs":[{"id":"01JQ0000000000000000000001","version":"01JQ0000000000000000000002"}]}']


def broken(soak, dice, state):
    """Bytes that are no document, and documents with a byte changed."""
    token = soak.tokens["curator"]
    if dice.random() < 0.5:
        body = dice.choice(BROKEN)
    else:
        body = bytearray(dice.choice(dice.choice(soak.series)).encode())
        for _ in range(dice.randrange(1, 4)):
            body[dice.randrange(len(body))] = dice.randrange(256)
        body = bytes(body[:dice.randrange(len(body))]) if dice.random() < 0.3 else bytes(body)
    path = dice.choice(["submissions"] * 4 + ["attempts", "sessions", "merges", "quarantines", "agents"])
    status, answer, _ = soak.ask("broken", "POST", "/api/v1/" + path, token, body)
    if status in (200, 201) and path == "submissions":
        soak.acknowledged.add(json.loads(answer)["id"])


GARBAGE = [b"", b"G", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"\x00" * 200, b"GET /" + b"a" * 70000, b"GET / HTTP/1.1\r\n\r\n",
           b"POST /api/v1/submissions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{",
           b"GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 30, b"GET /healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n",
           b"POST /api/v1/submissions HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n"]


def hostile(soak, dice, state):
    """Connections that are silent, slow, garbage, or do not read what they asked for."""
    node, first, sockets = soak.node(), dice.choice(GARBAGE), []
    for _ in range(dice.randrange(1, 16)):
        try:
            s = socket.create_connection(("127.0.0.1", node.port), timeout=5)
            sockets.append(s)
            s.sendall(first)
        except OSError:
            pass
    soak.over.wait(dice.uniform(0, 1.5))
    for s in sockets:
        s.close()
    soak.count("hostile", "done")


# ---- other programs ----

def importers(soak, dice, state):
    words = ["import", dice.choice(soak.imports)]
    if dice.random() < 0.7:
        words += ["--project", dice.choice(PROJECTS)]
    soak.client("import", soak.tokens["importer"], *words, want=(0, 2, 3))


def agents(soak, dice, state):
    """A host enrolls, fills its spool and delivers; now and then it is another one, or is revoked."""
    if "home" not in state or dice.random() < 0.03:
        node = soak.node()
        state["home"] = os.path.join(soak.folder, "host" + soak.id())
        os.mkdir(state["home"])
        code = re.search(r"wle_[\w-]+", soak.run(soak.warplored, "enroll", "--data", node.data, "--label", "gpu"))[0]
        time.sleep(2 if len(soak.nodes) > 1 else 0)  # the code comes to the other nodes
        if "enrolled" not in agent(soak, state, "enroll", "--code", code, want=(0, 3, 4)):
            shutil.rmtree(state.pop("home"))
            return
        state["delivered"] = False
    docs = varied(soak, soak.series[dice.choice((0, 2, 3))][:dice.randrange(1, 4)], dice)
    for doc in docs:
        doc.pop("techniques", None)  # a curator's
    paths = []
    for doc in docs:
        paths.append(os.path.join(state["home"], doc["id"] + ".json"))
        with open(paths[-1], "w", encoding="utf-8") as f:
            json.dump(doc, f)
    agent(soak, state, "add", *paths)
    agent(soak, state, "run", "--once", want=(0, 3, 4))
    spool = json.loads(agent(soak, state, "status", "--json"))
    if spool["waiting"] == 0 and spool["dead"] == 0:
        state["delivered"] = True
        for doc in docs:
            soak.learn(doc)
    for path in paths:
        os.remove(path)
    if dice.random() < 0.2 and state.get("delivered"):
        agent(soak, state, "verify")
    if dice.random() < 0.02 and spool["waiting"] == 0:
        soak.run(soak.warplored, "agents", "--data", soak.nodes[0].data, "--revoke", spool["agent"], want=(0, 1, 2))
        shutil.rmtree(state.pop("home"))


def agent(soak, state, *words, want=(0,)):
    return soak.client("agent", "", "agent", *words, want=want, WARPLORE_STATE=state["home"] + "/state", HOME=state["home"])


def client(soak, dice, state):
    """Commands of a person."""
    op, chip = dice.choice(NAMES["operator"]), dice.choice(NAMES["chip"])
    words = dice.choice([["leaderboard"], ["recommend", "--operator", op, "--chip", chip], ["brief", "--operator", op, "--chip", chip],
                         ["list", "kernels"], ["stats"], ["stats", "advice"], ["failures"], ["matrix"], ["search", "tiles"],
                         ["check-idea", "--operator", op, "--chip", chip, "unroll the loop"], ["chip", chip], ["merge"],
                         ["note", "a remark " + soak.id()], ["diagnose", soak.any_of(dice, "runs")], ["doctor"],
                         ["export", "--all", os.path.join(soak.folder, f"all{dice.randrange(2)}.jsonl")],
                         ["export", "--experiences", os.path.join(soak.folder, "experiences.json")],
                         ["history", soak.any_of(dice, "kernels")], ["report", soak.any_of(dice, "kernels")]])
    soak.client("client", soak.tokens["contributor"], *words, want=(0, 1, 2, 3, 10, 11))


def credentials(soak, dice, state):
    """A token works at once where it was made, and stops within seconds when it is revoked."""
    node = soak.node()
    text = soak.token(node.data, dice.choice(["reader", "contributor", "curator"]), "--label", "short")
    for _ in range(5):
        soak.ask("token", "GET", "/api/v1/me", text, want=(200,), node=node)
    rows = soak.run(soak.warplored, "token", "--data", node.data, "--list").splitlines()
    short = [r.split()[0] for r in rows if " short " in r and " valid " in r]
    for one in short:
        soak.run(soak.warplored, "token", "--data", node.data, "--revoke", one, want=(0, 1, 2))
    end = time.monotonic() + 20
    while soak.ask("revoked", "GET", "/api/v1/me", text, want=(200, 401), node=node)[0] != 401:
        if time.monotonic() > end:
            return soak.fail("a revoked token still works after 20 s")
        time.sleep(0.1)


def backups(soak, dice, state):
    node = soak.node()
    to = f"{node.data}-backups"
    soak.run(soak.warplored, "backup", "--data", node.data, "--to", to, "--keep", "2", node=node, timeout=600)
    soak.count("backup", "done")
    newest = sorted(glob.glob(to + "/*"))[-1]
    soak.run(soak.warplored, "verify", "--data", newest, timeout=900)
    soak.count("verify", "done")


# ---- people ----

def people(soak, dice, state):
    groups = dice.choice([["team"], ["leads"], ["moe"], [], ["team", "moe"]])
    text = signed(soak.key, soak.provider.claims(groups=groups, sub=f"u{dice.randrange(5)}"))
    for path in ("me", "kernels?limit=3", "leaderboard?limit=3"):
        soak.ask("oidc", "GET", "/api/v1/" + path, text, want=(200,) if groups else (403,))
    if "team" in groups and "moe" not in groups:
        note(soak, dice, text, None)
    wrong = signed(soak.key, soak.provider.claims(exp=int(time.time()) - 500))
    soak.ask("oidc-old", "GET", "/api/v1/me", wrong, want=(401,))


def quotas(soak, dice, state):
    """One address asks too often, one with wrong tokens."""
    headers = {"X-Forwarded-For": f"203.0.113.{dice.randrange(3)}"}
    for _ in range(60):
        soak.ask("quota", "GET", "/healthz", headers=headers, want=(200, 429))
    for _ in range(5):
        soak.ask("stranger", "GET", "/api/v1/kernels", "wl_no" + soak.id(), want=(401, 429), headers={"X-Forwarded-For": "198.51.100.7"})
    body = {"code": "wle_wrong", "public_key": base64.b64encode(os.urandom(32)).decode(), "label": "x"}
    soak.ask("enrol", "POST", "/api/v1/agents", None, json.dumps(body), (400, 403, 429), {"X-Forwarded-For": "198.51.100.8"})


def note(soak, dice, token, project):
    doc = {"warplore": 1, "id": soak.id(), "insights": [{"id": soak.id(), "kind": "note", "title": "a " + dice.choice(WORDS),
                                                         "body": "b " * dice.randrange(1, 200)}]}
    if project:
        doc["project"] = project
    return soak.deliver("note", token, doc, project=project)


def projects(soak, dice, state):
    """Writes and reads with a token that is bound; few projects often, many seldom."""
    name = PROJECTS[min(int(dice.expovariate(0.25)), len(PROJECTS) - 1)]
    token = soak.tokens[name]
    if dice.random() < 0.4:
        note(soak, dice, token, name)
    elif dice.random() < 0.5:  # of the whole memory, for the project
        note(soak, dice, soak.tokens["contributor"], name)
    else:
        doc = varied(soak, soak.series[2], dice)[0]
        doc["project"] = name
        for kernel in doc["kernels"]:
            kernel["project"] = name
        soak.deliver("project", token, doc)
    for _ in range(4):
        one_get(soak, dice, token, "bound")


def decisions(soak, dice, state):
    """Decisions about anything that is known, and their ends."""
    token, any_of = soak.tokens["curator"], lambda *kinds: soak.any_of(dice, *kinds)
    made = state.setdefault("made", [])
    if made and dice.random() < 0.5:  # the end of one
        path, body = made.pop(0)
    else:
        path, body = dice.choice(DECISIONS)(any_of)
    body["reason"] = "soak"
    status, answer, _ = soak.ask("decide", "POST", "/api/v1/" + path, token, json.dumps(body))
    if status not in (200, 201):
        return
    answer = json.loads(answer)
    decision = answer.get("curation", answer.get("id"))
    soak.known["curations"].append(decision)
    if path.endswith("/mask") and body["masked"]:
        made.append((path, {"masked": False}))
    elif path == "merges" and not body.get("dry_run"):
        made.append((f"merges/{decision}/undo", {}))
    elif path.endswith("/retract") and "curation" not in path or path == "quarantines":
        made.append((f"records/{decision}/retract", {}))


DECISIONS = [
    lambda any_of: (f"experiments/{any_of('experiments')}/mask", {"masked": True}),
    lambda any_of: (f"records/{any_of('runs')}/retract", {}),
    lambda any_of: (f"records/{any_of('experiments')}/retract", {}),
    lambda any_of: (f"records/{any_of('versions')}/retract", {}),
    lambda any_of: (f"records/{any_of('kernels')}/comment", {}),
    lambda any_of: (f"insights/{any_of('insights')}/review", {"state": "reviewed"}),
    lambda any_of: (f"specs/{any_of('specs')}/select", {}),
    lambda any_of: (f"specs/{any_of('specs')}/reject", {}),
    lambda any_of: (f"kernels/{any_of('kernels')}/restart", {"seed": 7}),
    lambda any_of: (f"campaigns/{any_of('campaigns')}/close", {}),
    lambda any_of: (f"campaigns/{any_of('campaigns')}/amend", {"expected_records": 9}),
    lambda any_of: (f"directions/{any_of('directions')}/close", {}),
    lambda any_of: ("merges", {"members": [any_of("experiments"), any_of("experiments")]}),
    lambda any_of: ("merges", {"members": [any_of("experiments"), any_of("experiments")], "dry_run": True}),
    lambda any_of: ("quarantines", {"author": "of-team-p23"}),
]


def sessions(soak, dice, state):
    op = dice.choice(NAMES["operator"])
    body = {"kernel": f"s{dice.randrange(20)}_{op}", "operator": op, "language": "cuda", "chip": "h200", "dims": "M=64,N=64"}
    status, answer, _ = soak.ask("session", "POST", "/api/v1/sessions", soak.tokens["contributor"], json.dumps(body))
    if status in (200, 201):
        answer = json.loads(answer)
        soak.known["sessions"].append(answer.get("session", answer.get("id")))


# ---- questions ----

def advice(soak, dice, state):
    """Questions to what is computed from memory, and what became of the answers."""
    op, chip, token = dice.choice(NAMES["operator"]), dice.choice(NAMES["chip"]), soak.tokens[dice.choice(["reader", "contributor"])]
    more = dice.choice(["", "&language=cuda", "&next=true&explain=true", "&bottleneck=memory", "&version=" + soak.any_of(dice, "versions"),
                        "&kernel=" + soak.any_of(dice, "kernels"), "&dims=M%3D4096,N%3D4096&dtype=f32"])
    paths = [f"recommend?operator={op}&chip={chip}{more}", f"brief?operator={op}&chip={chip}&language=cuda",
             f"check-idea?operator={op}&chip={chip}&text={quote(dice.choice(WORDS))}", f"runs/{soak.any_of(dice, 'runs')}/diagnosis",
             f"runs/{soak.any_of(dice, 'runs')}/triggers?select=true", "leaderboard?limit=50", "matrix", "stats", "advice/stats",
             f"roofline?run={soak.any_of(dice, 'runs')}", "axis-budget?compute=0.5&memory=0.4&latency=0.2",
             f"methods/validate?methods=memory.vectorized_access&chip={chip}", f"search?words={quote(dice.choice(WORDS))}"]
    path = "/api/v1/" + dice.choice(paths)
    status, answer, headers = soak.ask("advice", "GET", path, token)
    if status == 200:
        soak.answered(path.partition("?")[0])
    if status == 200 and b'"advice_id"' in answer:
        answer = json.loads(answer)
        soak.known["advice"].append(answer["advice_id"])
        for item in answer.get("advice", [])[:1]:
            body = {"event": dice.choice(["opened", "applied", "dismissed"]), "technique": item["technique"]}
            soak.ask("feedback", "POST", f"/api/v1/advice/{answer['advice_id']}/events", soak.tokens["contributor"], json.dumps(body))


def value(soak, dice, param):
    name, schema = param["name"], param.get("schema", {})
    if "enum" in schema:
        return dice.choice(schema["enum"])
    if schema.get("type") == "boolean":
        return dice.choice(["true", "false"])
    if schema.get("type") == "integer":
        return str(dice.randrange(schema["minimum"], min(schema["maximum"], 1000) + 1))
    if name == "cursor":
        return dice.choice(list(soak.known["cursors"]) or ["x"])
    if name in NAMES:
        return dice.choice(NAMES[name])
    return soak.any_of(dice, KINDS.get(name, "experiments"))


def filled(soak, dice, path):
    """The path with something that is known in each of its places."""
    noun = path.split("/")[3].replace("-", "_") if path.startswith("/api/v1/") else ""
    pools = {"name": NAMES["chip"], "slug": NAMES["technique"], "file": soak.assets, "page": ["leaderboard", "kernels", "chips"]}

    def fill(match):
        if match[1] in pools:
            return dice.choice(pools[match[1]])
        if match[1] == "hash":
            return soak.any_of(dice, "blobs")
        return soak.any_of(dice, noun if noun != "records" and noun else dice.choice(["experiments", "runs", "specs"]))
    return re.sub(r"\{(\w+)\}", fill, path)


def one_get(soak, dice, token, kind):
    route = dice.choice(get_routes(soak))
    path = filled(soak, dice, route)
    params = [p for p in soak.paths[route]["get"].get("parameters", []) if p["in"] == "query"]
    asked = dice.sample(params, min(len(params), dice.choice((0, 0, 1, 2, 3))))
    if asked:
        path += "?" + "&".join(f"{p['name']}={quote(value(soak, dice, p))}" for p in asked)
    headers = {"If-None-Match": dice.choice(list(soak.known["etags"]))} if soak.known["etags"] and dice.random() < 0.2 else None
    status, answer, got = soak.ask(kind, "GET", path, token, headers=headers)
    if 200 <= status < 300:
        soak.answered(route)
    found(soak, route, answer, got)


def found(soak, route, answer, headers):
    """What later questions can ask about."""
    if headers.get("ETag"):
        soak.known["etags"].append(headers["ETag"])
    if not answer.startswith(b"{") or len(answer) > 200000:
        return
    answer = json.loads(answer)
    if isinstance(answer.get("next"), str):
        soak.known["cursors"].append(answer["next"])
    for row in (answer.get("rows") or [])[:5]:
        if isinstance(row, dict) and isinstance(row.get("id"), str) and route.startswith("/api/v1/"):
            soak.known[route.split("/")[3].replace("-", "_")].append(row["id"])
        if isinstance(row, dict) and isinstance(row.get("workload"), dict) and row["workload"].get("id"):
            soak.known["workloads"].append(row["workload"]["id"])
    for f in answer.get("files") or []:
        if isinstance(f, dict) and "blob" in f:
            soak.known["blobs"].append(f["blob"])


def every_route(soak, dice, state):
    one_get(soak, dice, soak.tokens[dice.choice(["admin", "admin", "curator", "reader"])], "get")


def exports(soak, dice, state):
    status, answer, _ = soak.ask("export", "GET", f"/api/v1/export?limit=20&after={state.get('after', 0)}", soak.tokens["reader"], want=(200,))
    following = json.loads(answer).get("next")
    state["after"] = int(following) if following else 0


# name, job, workers, mean pause in seconds
JOBS = [
    ("documents", documents, 2, 0.4), ("attempts", attempts, 1, 0.3), ("large", large, 2, 240), ("specs", specs, 1, 2),
    ("broken", broken, 1, 0.2), ("hostile", hostile, 1, 2), ("importers", importers, 1, 6), ("agents", agents, 2, 6),
    ("client", client, 1, 4), ("credentials", credentials, 1, 10), ("backups", backups, 1, 45), ("people", people, 1, 1),
    ("quotas", quotas, 1, 5), ("projects", projects, 2, 0.5), ("decisions", decisions, 2, 0.5), ("sessions", sessions, 1, 2),
    ("advice", advice, 2, 0.1), ("every_route", every_route, 3, 0.1), ("exports", exports, 1, 2),
]
