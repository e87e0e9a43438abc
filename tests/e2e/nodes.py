"""Several nodes on one journal in PostgreSQL: a write at any node is read at every other one, tokens
and agents' codes hold everywhere, a write waits for what came before it, all dumps are equal, and a
new node is made from the journal.

Usage: nodes.py WARPLORED"""
import base64
import hashlib
import json
import re
import shutil
import sqlite3
import subprocess
import sys
import threading

from daemon import Daemon, copy_key, make_key, make_token, need, scratch, until
from journal import direction, dump, events, facts, refused, replayed, run, submit, ulid
from postgres import Postgres

WARPLORED = sys.argv[1]


def everywhere(nodes, path, token, seconds=10):
    for d in nodes:
        until(lambda d=d: d.request("GET", path, token)[0] == 200, seconds, f"{path} at every node")


def readyz(d):
    status, answer, _ = d.request("GET", "/readyz")
    return status, json.loads(answer)


def at_once(nodes, token, count):
    """Every node takes writes at the same time, the same documents among them."""
    def client(d, first):
        for n in range(first, first + count):
            status, answer, _ = d.request("POST", "/api/v1/submissions", token, direction(n))
            need(status in (200, 201), f"a submission beside other nodes: {status} {answer[:300]}")
        for n in range(5000, 5020):
            status, answer, _ = d.request("POST", "/api/v1/submissions", token, direction(n))
            need(status in (200, 201), f"a submission that others send, too: {status} {answer[:300]}")

    threads = [threading.Thread(target=client, args=(d, 1000 * (i + 1) + 200 * k))
               for i, d in enumerate(nodes) for k in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()


def codes(nodes, datas):
    """A code is good for one agent, also when several nodes are asked in the same moment."""
    for n in range(12):
        code = re.search(r"wle_[\w-]+", run("enroll", "--data", datas[0], "--label", f"gpu{n}"))[0]
        until(lambda c=code: all(known(d, c) for d in datas), 20, "the code at every node")
        answers, go = [], threading.Barrier(len(nodes))

        def ask(d, i, c=code, n=n):
            key = base64.b64encode(bytes([n, i]) * 16).decode()
            go.wait()
            answers.append(d.request("POST", "/api/v1/agents", None, json.dumps({"code": c, "public_key": key, "label": "x"})))

        threads = [threading.Thread(target=ask, args=(d, i)) for i, d in enumerate(nodes)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        got = sorted(a[0] for a in answers)
        need(got == [201] + [403] * (len(nodes) - 1), f"one agent for one code: {[a[:2] for a in answers]}")
        agent = json.loads(next(a[1] for a in answers if a[0] == 201))["id"]
        until(lambda a=agent, n=n: all(users(d, f"gpu{n}") == [a] for d in datas), 20, "one agent at every node")


def auth(data, sql, *values):
    with sqlite3.connect(f"file:{data}/auth.db?mode=ro", uri=True) as db:
        return db.execute(sql, values).fetchall()


def known(data, code):
    return auth(data, "SELECT 1 FROM code WHERE hash = ?", hashlib.blake2b(code.encode(), digest_size=32).digest())


def users(data, label):
    return [i for i, in auth(data, "SELECT id FROM agent WHERE label LIKE ? || '%'", label)]


def read_your_writes(nodes, token):
    for n in range(2000, 2030):
        a, b = nodes[n % len(nodes)], nodes[(n + 1) % len(nodes)]
        status, _, headers = a.request("POST", "/api/v1/submissions", token, direction(n + 10000))
        need(status == 201 and headers["Warplore-Seq"], "the place in the journal")
        status, _, _ = b.request("GET", "/api/v1/submissions/" + ulid(n + 10000), token,
                                 headers={"Warplore-After": headers["Warplore-Seq"]})
        need(status == 200, "another node has what the first one acknowledged")
    status, answer, headers = nodes[0].request("GET", "/api/v1/submissions", token, headers={"Warplore-After": "999999999"})
    need(status == 503 and b"not_yet_applied" in answer and headers["Retry-After"], f"a bounded wait: {status} {answer}")
    need(nodes[0].request("GET", "/api/v1/submissions", token, headers={"Warplore-After": "x"})[0] == 400, "a bad number")


def same_reads(nodes, token):
    """ETags and cursors of one node hold at another one."""
    first, second = nodes[0], nodes[1]
    status, page, headers = first.request("GET", "/api/v1/submissions?limit=7", token)
    need(status == 200, "a page")
    need(second.request("GET", "/api/v1/submissions?limit=7", token, headers={"If-None-Match": headers["ETag"]})[0] == 304,
         "an ETag of another node")
    cursor = json.loads(page)["next"]
    pages = [d.request("GET", f"/api/v1/submissions?limit=7&cursor={cursor}", token)[1] for d in nodes]
    need(all(p == pages[0] for p in pages), "a cursor of another node")


def behind_nginx(nodes):
    """One site file for all nodes; nginx -t reads it where nginx is installed (behind_nginx.py runs one)."""
    places = [f"127.0.0.1:{d.port}" for d in nodes]
    site = run("nginx-config", "--nodes", ",".join(places))
    need(all(f"server {p};" in site for p in places) and "proxy_next_upstream" in site, "every node in the site file")
    need("is not ADDRESS:PORT" in run("nginx-config", "--nodes", "10.0.0.1:80,x y;", status=2), "what is no address is refused")


def started(datas, server):
    """The first node begins the journal; the others have its key, and are refused without it."""
    nodes = [Daemon(WARPLORED, datas[0], "--journal", server.address())]
    refused(datas[1], server.address(), "copy service.key of a node that runs")
    copy_key(make_key(WARPLORED, datas[2] + "-stranger"), datas[2])
    refused(datas[2], server.address(), "is not the key with which this journal was begun")
    shutil.rmtree(datas[2])
    for d in datas[1:]:
        copy_key(datas[0], d)
        nodes.append(Daemon(WARPLORED, d, "--journal", server.address()))
    copy_key(datas[0], datas[0] + "-lag")
    refused(datas[0] + "-lag", server.address(), "PostgreSQL says when an entry is durable", "--journal-lag", "5")
    return nodes


def begun_at_once(folder, server, key):
    """Nodes with one key begin an empty journal in the same moment: one of them does, all go on."""
    datas = [f"{folder}/at-once{i}" for i in range(3)]
    for d in datas:
        copy_key(key, d)
    server.sql("DROP TABLE journal")
    nodes = [subprocess.Popen([WARPLORED, "--data", d, "--listen", "127.0.0.1:0", "--as-root", "--journal", server.address()],
                              stderr=subprocess.PIPE, text=True) for d in datas]
    for n in nodes:
        need(any("event=ready" in line for line in n.stderr), "every node to start")
        n.terminate()
    need(all(n.wait(60) == 0 for n in nodes), "every node to stop")
    need(server.sql("SELECT count(*) FROM journal WHERE kind = 'key'").strip() == "1", "one beginning")


def main():
    with scratch() as folder:
        server = Postgres(folder, "pg")
        datas = [f"{folder}/node{i}" for i in range(3)]
        token = make_token(WARPLORED, datas[0], "curator")
        nodes = started(datas, server)
        submit(nodes[0], token, direction(1))
        everywhere(nodes, "/api/v1/submissions/" + ulid(1), token)
        other = make_token(WARPLORED, datas[2], "contributor")
        for d in nodes:
            until(lambda d=d: d.request("GET", "/api/v1/submissions", other)[0] == 200, 10, "a token of another node")
        at_once(nodes, token, 30)
        codes(nodes, datas)
        read_your_writes(nodes, token)
        until(lambda: all(readyz(d)[1]["behind"] == 0 for d in nodes), 10, "no node behind")
        same_reads(nodes, token)
        need(all(readyz(d)[0] == 200 for d in nodes), "every node ready")
        behind_nginx(nodes)
        server.kill()
        status, answer, _ = nodes[0].request("POST", "/api/v1/submissions", token, direction(9000))
        need(status == 503 and b"journal_unavailable" in answer, f"503 without PostgreSQL: {status} {answer}")
        need(nodes[1].request("GET", "/api/v1/submissions", token)[0] == 200, "reads go on without PostgreSQL")
        until(lambda: readyz(nodes[1])[0] == 503, 20, "a node that says that the journal is silent")
        server.start()
        until(lambda: nodes[0].request("POST", "/api/v1/submissions", token, direction(9000))[0] in (200, 201), 20, "writes again")
        everywhere(nodes, "/api/v1/submissions/" + ulid(9000), token, 20)
        copy_key(datas[0], folder + "/new")
        new = Daemon(WARPLORED, folder + "/new", "--journal", server.address())
        need(new.request("GET", "/api/v1/submissions/" + ulid(1), other)[0] == 200, "a new node knows all")
        new.stop()
        for d in nodes:
            d.stop()
        for d in datas[1:] + [folder + "/new"]:
            for what in (dump, facts, events):
                need(what(d) == what(datas[0]), f"{what.__name__} of {d} to be those of the first node")
        need(replayed(server.address(), folder + "/copy", datas[0]) == dump(datas[0]), "the journal alone")
        begun_at_once(folder, server, datas[0])
    print("ok")


main()
