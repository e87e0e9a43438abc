"""An identity provider of a test's own: serves its description and its keys, and signs tokens with
openssl. Used by the Python tests of this folder."""
import base64
import http.server
import json
import subprocess
import threading
import time


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def openssl(*args, data=None):
    return subprocess.run(["openssl", *args], input=data, check=True, capture_output=True).stdout


class Key:
    def __init__(self, room, kid, alg, bits=2048):
        self.kid, self.alg, self.path = kid, alg, f"{room}/{kid}.pem"
        kind = ["-algorithm", "ed25519"] if alg == "EdDSA" else ["-algorithm", "RSA", "-pkeyopt",
                                                                f"rsa_keygen_bits:{bits}"]
        openssl("genpkey", *kind, "-out", self.path)

    def sign(self, text):
        if self.alg == "RS256":
            return openssl("dgst", "-sha256", "-sign", self.path, data=text)
        with open(self.path + ".in", "wb") as f:
            f.write(text)
        return openssl("pkeyutl", "-sign", "-rawin", "-inkey", self.path, "-in", self.path + ".in")

    def public(self):
        if self.alg == "EdDSA":
            raw = openssl("pkey", "-in", self.path, "-pubout", "-outform", "DER")[-32:]
            return {"kty": "OKP", "crv": "Ed25519", "kid": self.kid, "x": b64(raw)}
        modulus = openssl("rsa", "-in", self.path, "-noout", "-modulus").strip().split(b"=")[1]
        return {"kty": "RSA", "kid": self.kid, "use": "sig", "alg": "RS256", "e": "AQAB",
                "n": b64(bytes.fromhex(modulus.decode()))}

    def pem(self):
        return openssl("pkey", "-in", self.path, "-pubout")


class Provider:
    """Serves its description and its keys; `keys` may change."""

    def __init__(self):
        self.keys, self.reads = [], 0
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path == "/.well-known/openid-configuration":
                    answer = {"issuer": provider.url, "jwks_uri": provider.url + "/keys"}
                else:
                    provider.reads += 1
                    answer = {"keys": [{"kty": "EC", "crv": "P-256", "kid": "other"}] +
                              [k.public() for k in provider.keys]}
                body = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args):
                pass
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def claims(self, **more):
        now = int(time.time())
        return {"iss": self.url, "aud": "warplore", "sub": "u-17", "preferred_username": "ann", "iat": now,
                "exp": now + 300, "groups": ["team"], **more}


def token(key, claims, **header):
    head = {"alg": key.alg, "kid": key.kid, "typ": "JWT", **header}
    text = b64(json.dumps(head).encode()) + "." + b64(json.dumps(claims).encode())
    return text + "." + b64(key.sign(text.encode()))
