"""People of an identity provider, against a provider of this test's own: whose tokens count, as which
role, and which attacks do not work. The keys are made and used by openssl. Skipped (77) without it.
Usage: oidc.py WARPLORED"""
import base64
import hashlib
import hmac
import json
import os
import shutil
import subprocess
import sys
import time

from daemon import Daemon, need, scratch, skip, until
from provider import Key, Provider, b64, token


def me(d, text):
    status, body, _ = d.request("GET", "/api/v1/me", text)
    return status, json.loads(body)


def people_have_the_roles_of_their_groups(d, p, rsa, ed):
    for key in (rsa, ed):
        status, who = me(d, token(key, p.claims()))
        need(status == 200 and who["role"] == "contributor" and who["actor"] == "ann", f"{key.alg}: {status} {who}")
    for groups, role in ((["team", "leads"], "curator"), (["leads", "team", "x"], "curator"), ("readers", "reader"),
                         (["a b"], "admin")):
        need(me(d, token(ed, p.claims(groups=groups)))[1].get("role") == role, f"{groups} to be {role}")
    for groups in ([], ["tea"], ["team=contributor"], ["team,leads"], None, 7):
        need(me(d, token(ed, p.claims(groups=groups)))[0] == 403, f"no role for {groups}")
    # rights in projects add up; a role in the whole memory is higher
    for groups, rights in ((["moe"], "reader@team/moe"), (["moe", "team"], "contributor"), (["readers", "moe"], "reader"),
                           (["moe", "x", "att"], "reader@team/moe,contributor@team/attention")):
        who = until(lambda: [w for s, w in [me(d, token(ed, p.claims(groups=groups)))] if s != 503], 60, "a project")[0]
        need(who["rights"] == rights and ("project" in who) == ("@" in rights), f"{groups} to be {rights}: {who}")
    # names that mean something else here
    for name in ("warplored", "admin", "agent:gpu01", "a\u202eb", 7):
        need(me(d, token(ed, p.claims(preferred_username=name)))[1]["actor"] == p.url + "|u-17", f"not the name {name}")
    need(me(d, token(ed, p.claims(aud=["other", "warplore"])))[0] == 200, "one of several audiences")


def owners_are_issuer_and_subject(d, p, ed):
    kernel = {"id": "01JB0000000000000000000A02", "operator": "softmax", "name": "k", "language": "cuda"}
    body = json.dumps({"warplore": 1, "id": "01JB0000000000000000000A01", "kernels": [kernel]})
    need(d.request("POST", "/api/v1/submissions", token(ed, p.claims()), body)[0] == 201, "a submission")
    path = f"/api/v1/records/{kernel['id']}/retract"
    reason = json.dumps({"reason": "mine"})
    other = token(ed, p.claims(sub="u-18"))  # the same name, another person
    need(d.request("POST", path, other, reason)[0] == 403, "somebody else not to retract it")
    need(d.request("POST", path, token(ed, p.claims(preferred_username="bob")), reason)[0] in (200, 201),
         "the owner under another name to retract it")


def attacks_do_not_work(d, p, rsa, ed, stranger):
    good, now = p.claims(), int(time.time())
    text = token(rsa, good)
    head, body, signature = text.split(".")

    def forged(header, sign):
        start = b64(json.dumps(header).encode()) + "." + body
        return start + "." + sign(start.encode())
    bad = {
        "alg none": forged({"alg": "none", "kid": rsa.kid}, lambda t: ""),
        "alg none with a signature": forged({"alg": "none", "kid": rsa.kid}, lambda t: signature),
        "HS256 with the public key": forged({"alg": "HS256", "kid": rsa.kid},
                                            lambda t: b64(hmac.new(rsa.pem(), t, hashlib.sha256).digest())),
        "HS256 with the raw public key": forged({"alg": "HS256", "kid": ed.kid}, lambda t: b64(hmac.new(
            base64.urlsafe_b64decode(ed.public()["x"] + "="), t, hashlib.sha256).digest())),
        "another algorithm than the key's": token(rsa, good, alg="EdDSA"),
        "the other key's kid": token(rsa, good, kid=ed.kid),
        "a stranger's key under a known kid": token(stranger, good, kid=ed.kid),
        "no kid among several keys": token(rsa, good, kid=None),
        "crit": token(rsa, good, crit=["exp"]),
        "a stranger's key of its own": token(stranger, good, jwk=stranger.public()),
        "expired": token(ed, p.claims(exp=now - 120)),
        "no exp": token(ed, {k: v for k, v in good.items() if k != "exp"}),
        "exp as text": token(ed, p.claims(exp=str(now + 300))),
        "not yet": token(ed, p.claims(nbf=now + 600)),
        "wrong aud": token(ed, p.claims(aud="other")),
        "aud that contains ours": token(ed, p.claims(aud="warplore2")),
        "no aud": token(ed, {k: v for k, v in good.items() if k != "aud"}),
        "wrong iss": token(ed, p.claims(iss=p.url + "/")),
        "no sub": token(ed, p.claims(sub="")),
        "truncated signature": text[:-10],
        "truncated": text[:len(text) // 2],
        "other claims": head + "." + b64(json.dumps(p.claims(groups=["a b"])).encode()) + "." + signature,
        "padding": text + "=",
        "four parts": text + ".x",
        "empty parts": "..",
        "long": head + "." + "A" * 11000 + "." + signature,
        "deep": b64(b'{"alg":"RS256","a":' + b"[" * 500 + b"]" * 500 + b"}") + "." + body + "." + signature,
        "duplicate claim": head + "." + b64(b'{"sub":"a","sub":"b"}') + "." + signature,
    }
    for name, value in bad.items():
        status, answer = me(d, value)
        need(status == 401 and answer["code"] == "bad_token", f"{name} to be refused: {status} {answer}")


def keys_change(d, p, room, ed):
    new = Key(room, "new", "EdDSA")
    p.keys.append(new)
    reads = p.reads
    got = {me(d, token(new, p.claims()))[0] for _ in range(5)}
    need(got == {401} and p.reads == reads, f"unknown keys to be looked for at most once a minute: {got}")
    need(me(d, token(ed, p.claims()))[0] == 200, "known keys to count meanwhile")


def main():
    if shutil.which("openssl") is None:
        skip("no openssl")
    program = sys.argv[1]
    with scratch() as room:
        p = Provider()
        rsa, ed, stranger = Key(room, "rsa1", "RS256"), Key(room, "ed1", "EdDSA"), Key(room, "ed9", "EdDSA")
        p.keys = [rsa, ed, Key(room, "weak", "RS256", 1024)]
        options = ["--oidc-issuer", p.url, "--oidc-audience", "warplore", "--oidc-groups",
                   "team=contributor, leads=curator,readers=reader,a b=admin,moe=reader@team/moe,"
                   "att=contributor@team/attention"]
        d = Daemon(program, os.path.join(room, "data"), *options)
        people_have_the_roles_of_their_groups(d, p, rsa, ed)
        owners_are_issuer_and_subject(d, p, ed)
        attacks_do_not_work(d, p, rsa, ed, stranger)
        need(me(d, token(p.keys[2], p.claims()))[0] == 401, "a weak key not to count")
        keys_change(d, p, room, ed)
        d.stop()
        # options that cannot be
        for wrong, what in ((["--oidc-issuer", "http://login.example"], "https"),
                            (["--oidc-issuer", "https://login.example"], "oidc_audience"),
                            ([*options[:4], "--oidc-groups", "team=king"], "oidc_groups"),
                            ([*options[:4], "--oidc-groups", "team=curator@team/moe"], "oidc_groups")):
            r = subprocess.run([program, "--as-root", "--data", os.path.join(room, "none"), *wrong], capture_output=True, text=True)
            need(r.returncode == 2 and what in r.stderr, f"{wrong} to be refused: {r.stderr}")


main()
