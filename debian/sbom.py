"""A bill of materials (CycloneDX 1.5, JSON) of the service and the command: the Debian packages whose libraries
they load, and the npm packages that the page is bundled from.
Usage: sbom.py WARPLORED WARPLORE PACKAGE-LOCK"""
import hashlib
import json
import os
import re
import subprocess
import sys


def said(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def debian_packages(programs):
    found = {}
    for program in programs:
        for path in sorted(set(re.findall(r"=> (/\S+)", said("ldd", program)))):
            for place in (path, os.path.realpath(path), path.replace("/lib/", "/usr/lib/", 1), path.removeprefix("/usr")):
                owner = subprocess.run(["dpkg-query", "-S", place], capture_output=True, text=True).stdout
                if owner:
                    break
            else:
                sys.exit(f"sbom: {path} belongs to no package")
            name = owner.split(": ")[0].split(", ")[0]
            package, version, arch = said("dpkg-query", "-W", "-f", "${Package} ${Version} ${Architecture}", name).split()
            found[package] = {"type": "library", "name": package, "version": version,
                              "purl": f"pkg:deb/debian/{package}@{version}?arch={arch}&distro=debian-12"}
    return [found[name] for name in sorted(found)]


def npm_packages(lock):
    """What the page is made from; tools that are not in its bundle are left out (`dev` in the lock file)."""
    for path, p in sorted(lock["packages"].items()):
        name = path.rpartition("node_modules/")[2]
        if path and not p.get("dev"):
            part = {"type": "library", "name": name, "version": p["version"],
                    "purl": f"pkg:npm/{name.replace('@', '%40')}@{p['version']}"}
            if p.get("license"):
                part["licenses"] = [{"expression": p["license"]}]
            yield part


def file_part(path):
    with open(path, "rb") as f:
        return {"type": "application", "name": os.path.basename(path),
                "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(f.read()).hexdigest()}]}


def main():
    *programs, lock = sys.argv[1:]
    version = said(programs[0], "--version").split()[1]
    with open(lock, encoding="utf-8") as f:
        page = list(npm_packages(json.load(f)))
    print(json.dumps({"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
                      "metadata": {"component": {"type": "application", "name": "warplore", "version": version,
                                                 "components": [file_part(p) for p in programs]}},
                      "components": debian_packages(programs) + page}, indent=1))


main()
