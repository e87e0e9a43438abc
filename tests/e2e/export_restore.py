"""Everything out and back: demo records, the walkthrough and other systems' files go into a service;
`warplore export --all` writes them, `warplore import` gives them to an empty service, and the dumps
of both, line by line the facts that are stored, must be equal. What may not be passed on stays.

Usage: export_restore.py WARPLORED WARPLORE SOURCE_DIR
../shared/data beside the checkout is added when it is there."""
import json
import os
import subprocess
import sys

from daemon import Daemon, make_token, need, scratch

WARPLORED, WARPLORE, SOURCE = sys.argv[1:4]
FIXTURES = os.path.join(SOURCE, "tests", "fixtures")
DATA = os.path.join(SOURCE, "..", "shared", "data")


class Service:
    def __init__(self, folder, name):
        self.data = os.path.join(folder, name)
        os.mkdir(self.data)
        self.token = make_token(WARPLORED, self.data, "curator")
        self.daemon = Daemon(WARPLORED, self.data)
        self.env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{self.daemon.port}",
                        WARPLORE_TOKEN=self.token, NO_COLOR="1", HOME=folder)

    def client(self, *args, good=(0,)):
        r = subprocess.run([WARPLORE, *args], env=self.env, capture_output=True, timeout=600)
        need(r.returncode in good, f"{args}: exit {r.returncode}: {r.stderr.decode()[-2000:]}")
        return r

    def post(self, path, body):
        status, answer, _ = self.daemon.request("POST", path, self.token, json.dumps(body))
        need(status in (200, 201), f"POST {path}: {status} {answer[:400]}")
        return json.loads(answer)

    def submit_files(self, folder):
        for name in sorted(os.listdir(folder)):
            if name.endswith(".json"):
                with open(os.path.join(folder, name)) as f:
                    self.post("/api/v1/submissions", json.load(f))

    def stop(self):
        self.daemon.stop()
        return subprocess.run([WARPLORED, "dump", "--data", self.data], check=True,
                              capture_output=True).stdout


def first_difference(a, b):
    a, b = a.split(b"\n"), b.split(b"\n")
    only_a, only_b = set(a) - set(b), set(b) - set(a)
    return f"{len(only_a)} lines only before, {len(only_b)} only after: " \
           f"{sorted(only_a)[:2]} {sorted(only_b)[:2]}"


def fill(service):
    service.submit_files(os.path.join(FIXTURES, "demo"))
    service.submit_files(os.path.join(FIXTURES, "walkthrough"))
    # rows that their importer refuses are not our matter here
    service.client("import", os.path.join(FIXTURES, "import"), good=(0, 2))
    for part in ("kernelflow", "gpu-wiki"):
        path = os.path.join(DATA, part)
        if os.path.isdir(path):
            service.client("import", path, good=(0, 2))
    # decisions are records too
    experiment = json.loads(service.client("list", "experiments", "--json").stdout)["rows"][0]["id"]
    service.post(f"/api/v1/experiments/{experiment}/mask", {"masked": True, "reason": "out and back"})


def lines_of(path):
    with open(path, "rb") as f:
        text = f.read()
    need(text.endswith(b"\n"), "an export that ends with its last line")
    return [json.loads(line) for line in text.decode().splitlines()]


def check_words(service, lines):
    """The text of a line is the document, byte for byte."""
    for line in lines[:: max(1, len(lines) // 20)]:
        status, raw, _ = service.daemon.request(
            "GET", f"/api/v1/submissions/{line['id']}/raw", service.token)
        need(status == 200 and raw.decode() == line["text"], f"{line['id']} word for word")


def there_and_back(folder):
    first, second = Service(folder, "first"), Service(folder, "second")
    path = os.path.join(folder, "everything.jsonl")
    fill(first)
    said = first.client("export", "--all", path).stderr.decode()
    lines = lines_of(path)
    need(f"{len(lines)} documents, 0 withheld" in said, f"a count on standard error: {said}")
    need([x["seq"] for x in lines] == sorted(x["seq"] for x in lines), "the order of arrival")
    need(not os.path.exists(path + ".part"), "nothing left beside the export")
    check_words(first, lines)
    need(first.client("export", "--all").stdout == open(path, "rb").read(),
         "the same on standard output")
    second.client("import", path)
    again = second.client("import", path).stdout.decode()
    before, after = first.stop(), second.stop()
    need(len(before) > 100000, f"a dump worth comparing, not {len(before)} bytes")
    need(before == after, "equal dumps: " + first_difference(before, after))
    print(f"{len(lines)} documents, {len(before)} bytes of dump: equal after export and import")
    return again


SECRET = {
    "warplore": 1, "id": "01M8000000000000000000000A", "author": {"name": "a"},
    "kernels": [{"id": "01M8000000000000000000000B", "operator": "softmax", "name": "not ours",
                 "language": "cuda",
                 "provenance": {"system": "x", "redistribution": "forbidden"}}],
    "experiments": [{"id": "01M8000000000000000000000E", "kernel": "01M8000000000000000000000B",
                     "title": "not ours", "techniques": ["float4 loads"], "notes": "not ours",
                     "claim": {"latency_before_ns": 2000, "latency_after_ns": 1000}}]}
OPEN = {
    "warplore": 1, "id": "01M8000000000000000000000C", "author": {"name": "a"},
    "kernels": [{"id": "01M8000000000000000000000D", "operator": "softmax", "name": "ours",
                 "language": "triton"}],
    "experiments": [{"id": "01M8000000000000000000000F", "kernel": "01M8000000000000000000000D",
                     "title": "ours", "techniques": ["shuffles"], "notes": "ours",
                     "claim": {"latency_before_ns": 2000, "latency_after_ns": 1000}}]}


def other_forms(service, folder):
    """What may not be passed on is in no other form of export either."""
    secret, kernel = SECRET["experiments"][0]["id"].encode(), SECRET["kernels"][0]["id"]
    for form in ("--markdown", "--jsonl", "--experiences", "--experiences-md"):
        r = service.client("export", form)
        need(b"ours" in r.stdout, f"{form}: the experiment that may leave: {r.stdout}")
        need(secret not in r.stdout and b"not ours" not in r.stdout, f"{form}: nothing withheld")
        need(b"1 experiment withheld" in r.stderr, f"{form}: that one is withheld: {r.stderr}")
    for words in (("--state-json", kernel), ("--memory", kernel, os.path.join(folder, "memory"))):
        r = service.client("export", *words, good=(2,))
        need(b"withheld" in r.stderr and r.stdout == b"", f"{words[0]}: refused: {r.stderr}")


def boards_and_reports(service):
    """A board as a file leaves the withheld rows out; a report of such a kernel is for oneself."""
    kernel = SECRET["kernels"][0]["id"]
    for form in ("--csv", "--markdown"):
        r = service.client("leaderboard", form)
        need(b"not ours" not in r.stdout and b"triton" in r.stdout, f"{form}: {r.stdout}")
        need(b"1 row withheld" in r.stderr, f"{form}: counted: {r.stderr}")
    need(b"not ours" in service.client("leaderboard", "--json").stdout, "the board itself has it")
    r = service.client("report", kernel, good=(2,))
    need(b"withheld" in r.stderr and r.stdout == b"", f"a report is refused: {r.stderr}")
    need(b"not ours" in service.client("report", kernel, "--withheld").stdout, "unless asked for")


def withheld(folder):
    first, second = Service(folder, "third"), Service(folder, "fourth")
    path = os.path.join(folder, "part.jsonl")
    first.post("/api/v1/submissions", SECRET)
    first.post("/api/v1/submissions", OPEN)  # the other document ships with the service
    said = first.client("export", "--all", path).stderr.decode()
    need(SECRET["id"] in said and "2 documents, 1 withheld" in said,
         f"the withheld document named and counted: {said}")
    with open(path) as f:
        text = f.read()
    need("not ours" not in text and "ours" in text, "nothing of the withheld document in the file")
    other_forms(first, folder)
    boards_and_reports(first)
    second.client("import", path)
    need(b"not ours" in first.stop(), "the withheld document where it came from")
    need(b"not ours" not in second.stop(), "nothing of it elsewhere")


def broken(folder):
    service = Service(folder, "fifth")
    service.post("/api/v1/submissions", OPEN)
    gone = os.path.join(folder, "no", "such", "folder.jsonl")
    r = service.client("export", "--all", gone, good=(2,))
    need(b"No such file" in r.stderr, f"the reason: {r.stderr}")
    r = service.client("export", "--all", "--experiences", good=(2,))
    need(b"choose one" in r.stderr, f"one form at a time: {r.stderr}")
    service.stop()


with scratch() as scratch_folder:
    there_and_back(scratch_folder)
    withheld(scratch_folder)
    broken(scratch_folder)
