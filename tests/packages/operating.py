"""The commands of docs/operating.md on bare machines: the `sh` blocks of the page, in order, each on the
machine that its first line names (`# on 10.0.0.2: …`; without one, the first machine). The machines are
change roots of one network namespace; what they do with systemd, systemctl.sh does there. Started by `bare`.
Usage: operating.py PAGE FIRST SECOND JOURNAL    roots for 10.0.0.1, 10.0.0.2, 10.0.0.9"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request

PAGE, FIRST, SECOND, JOURNAL = sys.argv[1:5]
ROOTS = {"10.0.0.1": FIRST, "10.0.0.2": SECOND, "10.0.0.9": JOURNAL}
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.M | re.S)
HEAD = re.compile(r"# on (\S+): ")
RECORD = """
warplore session start my_softmax --operator softmax --language cuda --chip h200 --dims M=4096,N=1024
warplore try baseline --time 90us
warplore try "float4 loads" --time 52us
warplore brief
"""


def need(ok, what):
    if not ok:
        sys.exit("FAILED: " + what)


def run(root, commands, quiet=False):
    """Commands in ROOT, as root in its home with a `build` beside it; exports last until the next ones."""
    script = f"cd /root; [[ -f /tmp/env ]] && . /tmp/env\n{commands}\nexport -p > /tmp/env"
    r = subprocess.run(["chroot", root, "/usr/bin/env", "-i", "HOME=/root", "DEBIAN_FRONTEND=noninteractive", "LANG=C.UTF-8",
                        "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "bash", "-euo", "pipefail", "-c", script],
                       capture_output=True, text=True, timeout=600)
    if r.returncode != 0:
        logs = subprocess.run(f"tail -5 {root}/tmp/*.log", shell=True, capture_output=True, text=True).stdout
        need(False, f"{commands}\nended with {r.returncode}:\n{r.stdout[-1500:]}\n{r.stderr[-1500:]}\n{logs}")
    if not quiet:
        print(f"ok: {commands.strip().splitlines()[0][:90]}", flush=True)
    return r.stdout


def ask(address, path, token=None, body=None, **headers):
    headers = {k.replace("_", "-"): v for k, v in headers.items()}
    if token:
        headers["Authorization"] = "Bearer " + token
    if body is not None:
        headers["Content-Type"] = "application/json"
    request = urllib.request.Request(f"http://{address}:8787{path}", None if body is None else json.dumps(body).encode(),
                                     headers)
    end = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(request, timeout=30) as reply:
                return json.loads(reply.read()), reply.headers
        except OSError as e:
            need(time.monotonic() < end, f"{address}{path} to answer: {e}")
            time.sleep(0.2)


def bump(folder):
    """The packages once more, with a higher version."""
    for deb in glob.glob(f"{folder}/*.deb"):
        subprocess.run(["dpkg-deb", "-R", deb, "/tmp/bump"], check=True)
        with open("/tmp/bump/DEBIAN/control") as f:
            control = re.sub(r"^Version: (.*)$", r"Version: \1+next", f.read(), flags=re.M)
        with open("/tmp/bump/DEBIAN/control", "w") as f:
            f.write(control)
        os.remove(deb)
        subprocess.run(["dpkg-deb", "-b", "--root-owner-group", "/tmp/bump", deb.replace("_amd64", "+next_amd64")],
                       check=True, stdout=subprocess.DEVNULL)
        shutil.rmtree("/tmp/bump")


def experiments(root):
    return run(root, "until warplore stats >/dev/null 2>&1; do sleep 0.1; done\nwarplore list experiments --json", quiet=True)


def main():
    with open(PAGE) as f:
        blocks = BLOCK.findall(f.read())
    need(len(blocks) >= 7, f"the blocks of the page: {len(blocks)}")
    told = {"install": 0, "restore": 0, "upgrade": 0, "second": 0}
    before = None
    for block in blocks:
        host = HEAD.match(block)
        root = ROOTS[host[1]] if host else FIRST
        if "warplored backup" in block and "apt install" in block:
            bump(FIRST + "/root/build")
        if root == SECOND:
            for name in ("etc/warplore/warplored.yaml", "etc/systemd/system/warplored.service.d/nodes.conf",
                         "var/lib/warplore/service.key"):
                shutil.copy(os.path.join(FIRST, name), SECOND + "/root/")
        run(root, block)
        if "enable --now" in block:
            told["install"] += 1
            run(FIRST, RECORD)
            need("float4 loads" in experiments(FIRST), "what was recorded to be there")
            before = experiments(FIRST)
        if "mv /var/lib/warplore-restored" in block:
            told["restore"] += 1
            need(experiments(FIRST) == before, "the restored records")
        if "warplored backup" in block and "apt install" in block:
            told["upgrade"] += 1
            need("+next" in run(FIRST, "dpkg-query -W warplored", quiet=True), "the new package")
            need(experiments(FIRST) == before, "the records after an upgrade")
        told["second"] += root == SECOND
    need(all(told.values()), f"every chapter to have its commands: {told}")
    token = run(FIRST, "echo $WARPLORE_TOKEN", quiet=True).strip()
    for address in ("10.0.0.1", "10.0.0.2"):
        need(ask(address, "/readyz")[0]["status"] == "ready", f"{address} to be ready")
        need("float4 loads" in json.dumps(ask(address, "/api/v1/experiments", token)[0]), f"the old records on {address}")
    for here, there in (("10.0.0.1", "10.0.0.2"), ("10.0.0.2", "10.0.0.1")):
        doc = {"warplore": 1, "id": "01JB0000000000000000000A0" + here[-1], "insights": [{
            "id": "01JB0000000000000000000B0" + here[-1], "kind": "note", "title": "from " + here, "body": "a lesson"}]}
        seq = ask(here, "/api/v1/submissions", token, doc)[1]["Warplore-Seq"]
        rows = ask(there, "/api/v1/insights", token, Warplore_After=seq)[0]["rows"]
        need("from " + here in json.dumps(rows), f"{there} to have what {here} took")
    print(f"{len(blocks)} blocks of the page: ok")


main()
