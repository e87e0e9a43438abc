"""Who may do what, against a real service: how long tokens last, what their owners may retract, quotas
per address and token, the client's address behind a proxy.
Usage: people.py WARPLORED"""
import json
import re
import subprocess
import sys
from datetime import datetime, timezone

from daemon import Daemon, make_token, need, scratch
from daemon import until as wait_for


def run(program, *args, ok=True):
    r = subprocess.run([program, *args], capture_output=True, text=True)
    need((r.returncode == 0) == ok, f"{args[0]} to {'work' if ok else 'fail'}: {r.stderr}")
    return r.stdout if ok else r.stderr


def tokens_say_until_when(program, data):
    run(program, "token", "--data", data, "--role", "reader", "--label", "ann")
    run(program, "token", "--data", data, "--role", "reader", "--label", "bob", "--days", "7")
    run(program, "token", "--data", data, "--role", "admin", "--label", "robot", "--days", "0")
    for label in ("Admin", "warplored", "agent:gpu01"):
        need("label: " in run(program, "token", "--data", data, "--role", "curator", "--label", label, ok=False),
             f"nobody to be called {label}")
    need("0 for a token that never expires" in
         run(program, "token", "--data", data, "--role", "reader", "--days", "-1", ok=False), "what --days takes")
    rows = {line.split()[3]: line for line in run(program, "token", "--data", data, "--list").splitlines()}
    for label, days in (("ann", 90), ("bob", 7)):
        until = re.search(r"expires=(\S+)", rows[label]).group(1)
        until = datetime.fromisoformat(until.replace("Z", "+00:00"))
        left = (until - datetime.now(timezone.utc)).total_seconds() / 86400
        need(days - 0.1 < left <= days, f"{label} to last {days} days: {rows[label]}")
        need(" valid " in rows[label], "the state of a good token: " + rows[label])
    need("expires=never" in rows["robot"], "a token that never expires to say so")
    bob = rows["bob"].split()[0]
    need(f"{bob} (reader, label bob) is revoked" in run(program, "token", "--data", data, "--revoke", bob), "what was revoked")
    need("was revoked already, at 20" in run(program, "token", "--data", data, "--revoke", bob), "when it was revoked")
    run(program, "token", "--data", data, "--revoke", "t_none", ok=False)
    for role, projects in (("reader", "moe=boss"), ("admin", "moe"), ("curator", "moe")):
        need("in a project a token may be reader or contributor" in
             run(program, "token", "--data", data, "--role", role, "--projects", projects, ok=False), f"{role} of {projects} to be refused")
    after = [line for line in run(program, "token", "--data", data, "--list").splitlines() if " bob " in line]
    need(" revoked " in after[0] and " revoked=20" in after[0], "when a token was revoked: " + after[0])


def ask(d, path, token=None, forwarded=None, method="GET", body=None, host=None):
    headers = {}
    if forwarded:
        headers["X-Forwarded-For"] = forwarded
    if host:
        headers["Host"] = host
    return d.request(method, path, token, body, headers=headers)


def quotas_count_by_address_and_token(program, data):
    ann, bob = (make_token(program, data, "reader") for _ in range(2))
    d = Daemon(program, data, "--address-per-minute", "30", "--credential-per-minute", "10")
    try:
        # one token from many addresses
        got = [ask(d, "/api/v1/me", ann, f"192.0.2.{i}")[0] for i in range(12)]
        need(got == [200] * 10 + [429] * 2, f"ten requests of a token: {got}")
        status, body, headers = ask(d, "/api/v1/me", ann, "192.0.2.77")
        need(status == 429 and json.loads(body)["code"] == "over_quota" and
             0 < int(headers["Retry-After"]) <= 7, f"when to come again: {body} {headers}")
        need(ask(d, "/api/v1/me", bob, "192.0.2.77")[0] == 200, "another token to be served")
        # one address without a token, with wrong ones, and what it claims to be
        got = [ask(d, "/api/v1/me", "wl_no", f"203.0.113.{i}, 198.51.100.1")[0] for i in range(32)]
        need(got == [401] * 30 + [429] * 2, f"thirty requests of an address: {got}")
        need(ask(d, "/healthz", None, "198.51.100.2")[0] == 200, "another address to be served")
        got = {ask(d, "/healthz", None, f"2001:db8::{i:x}")[0] for i in range(1, 40)}
        need(got == {200, 429}, f"the addresses of one network to count together: {got}")
        # this machine itself
        need({ask(d, "/healthz")[0] for _ in range(100)} == {200}, "local requests not to count")
        metrics = d.request("GET", "/metrics", bob)[1].decode()
        limited = dict(re.findall(r'limited_total{by="(\w+)"} (\d+)', metrics))
        need(int(limited["address"]) >= 2 and limited["credential"] == "3", f"the counts: {limited}")
        wait_for(lambda: "peer=198.51.100.1 via=127.0.0.1" in d.log(), 10, "the client's address in the log")
        need("peer=203.0.113." not in d.log(), "no address that it claims in the log")
    finally:
        d.stop()


def wrong_codes_slow_one_address(program, data):
    d = Daemon(program, data)
    try:
        def enrol(code, address, key="A" * 43 + "="):
            body = json.dumps({"code": code, "public_key": key, "label": "gpu"})
            return ask(d, "/api/v1/agents", None, address, "POST", body)
        got = [enrol("wle_wrong", "192.0.2.1")[0] for _ in range(12)]
        need(got == [403] * 10 + [429] * 2, f"ten wrong codes: {got}")
        code = run(program, "enroll", "--data", data).split()[0]
        need(enrol(code, "192.0.2.1")[0] == 429, "the right one to wait with them")
        need(enrol(code, "192.0.2.2")[0] == 201, "another address to enroll at once")
    finally:
        d.stop()


def only_trusted_proxies_name_clients(program, data):
    d = Daemon(program, data, "--trusted-proxies", "10.0.0.0/8", "--address-per-minute", "5")
    try:
        got = [ask(d, "/healthz", None, f"192.0.2.{i}")[0] for i in range(7)]
        need(got == [200] * 5 + [429] * 2, f"a proxy that is not trusted to be the client: {got}")
        wait_for(lambda: "peer=127.0.0.1" in d.log(), 10, "its address in the log")
        need("peer=192.0.2" not in d.log(), "no address that it claims in the log")
    finally:
        d.stop()
    r = subprocess.run([program, "--as-root", "--data", data, "--trusted-proxies", "nginx"], capture_output=True, text=True)
    need(r.returncode == 2 and "trusted_proxies: nginx" in r.stderr, "a bad network to be named: " + r.stderr)


def main():
    program = sys.argv[1]
    with scratch() as room:
        tokens_say_until_when(program, room + "/tokens")
        quotas_count_by_address_and_token(program, room + "/quotas")
        wrong_codes_slow_one_address(program, room + "/codes")
        only_trusted_proxies_name_clients(program, room + "/proxies")


main()
