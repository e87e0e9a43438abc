"""What the packages add to the programs: manual pages that `man` formats without a warning, completion that
completes, and a bill of materials that names every library loaded. Usage: pages.py WARPLORED WARPLORE SOURCE"""
import json
import os
import re
import shutil
import subprocess
import sys

from daemon import need, scratch, skip


def said(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, **more).stdout


def manual(folder, warplore):
    if shutil.which("man") is None or shutil.which("groff") is None:
        return
    table = json.loads(said(warplore, "help", "--json"))
    env = dict(os.environ, LC_ALL="C.UTF-8", MANWIDTH="100", MANROFFOPT="-ww")
    for page in ("warplore.1", "warplored.8"):
        done = subprocess.run(["man", "--warnings", "-l", f"{folder}/{page}"], capture_output=True, text=True, env=env)
        need(done.returncode == 0 and not done.stderr, f"{page}: {done.stderr}")
        if page == "warplore.1":
            for c in table["commands"]:
                need(f"   {c['name']} {c['words']}".rstrip() in done.stdout, f"{c['name']} in the manual")


def completed(folder, *words):
    script = (f'source {folder}/bash/warplore; COMP_WORDS=({" ".join(words)} ""); '
              f'COMP_WORDS[-1]="{words[-1]}"; unset "COMP_WORDS[{len(words)}]"; COMP_CWORD={len(words) - 1}; '
              '_warplore; printf "%s\\n" "${COMPREPLY[@]}"')
    return said("bash", "-c", script).split()


def completion(folder):
    need(completed(folder, "warplore", "lead") == ["leaderboard"], "a command from its beginning")
    need("--dims" in completed(folder, "warplore", "brief", "--di"), "an option of a command")
    need("--samples" not in completed(folder, "warplore", "brief", "--"), "no option of another command")
    need(completed(folder, "warplore", "import", "fil") == [], "a file is bash's to complete")
    if shutil.which("zsh"):
        for name in ("_warplore", "_warplored"):
            said("zsh", "-n", f"{folder}/zsh/{name}")


def materials(programs, source):
    parts = json.loads(said(sys.executable, "-B", f"{source}/debian/sbom.py", *programs, f"{source}/web/package-lock.json"))
    need((parts["bomFormat"], parts["specVersion"]) == ("CycloneDX", "1.5"), "CycloneDX 1.5")
    names = {c["name"] for c in parts["components"]}
    need({"libsqlite3-0", "libsodium23", "libc6", "libcivetweb1", "preact"} <= names, f"the libraries: {sorted(names)}")
    need(all(re.fullmatch(r"pkg:(deb/debian|npm)/[^@]+@\S+", c["purl"]) for c in parts["components"]), "a purl for each")
    need("vite" not in names, "no tool that only builds the page")


def main():
    warplored, warplore, source = sys.argv[1:]
    if shutil.which("dpkg-query") is None:
        skip("no dpkg")
    with scratch() as folder:
        said(sys.executable, "-B", f"{source}/debian/pages.py", warplored, warplore, folder)
        manual(folder, warplore)
        completion(folder)
    materials([warplored, warplore], source)


main()
