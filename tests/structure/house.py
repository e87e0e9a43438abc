"""Hold every #include to tests/structure/house.txt: arrows, offered headers, guards, vendor headers.

house.py ROOT             check the tree at ROOT
house.py ROOT --selftest  make small wrong trees and expect each to be refused
"""
import os
import re
import subprocess
import sys
import tempfile

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+([<"])([^">]+)[">]', re.M)
GUARD = re.compile(r'^#ifndef (\w+)\n#define (\w+)', re.M)
PRODUCT = ("service", "db", "collectors")
# A header of another project's library, and the only places that may include it.
VENDOR = {
    "civetweb.h": ("service/http/server.c",),
    "sqlite3.h": ("db/", "collectors/import/sqlite/"),
    "cupti.h": ("collectors/cupti/",),
}


def read_house(path):
    """{folder: (uses, offers)} in the order of the file; offers is None for '*'."""
    house, folder = {}, None
    for number, line in enumerate(open(path), 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0] == "folder" and len(words) == 2:
            folder = words[1]
            house[folder] = ([], [])
        elif words[0] == "uses" and folder:
            house[folder][0].extend(words[1:])
            for used in words[1:]:
                if used not in house or used == folder:
                    raise SystemExit(f"{path}:{number}: {folder} uses {used}, which does not stand above it")
        elif words[0] == "offers" and folder:
            house[folder][1].extend(words[1:])
        else:
            raise SystemExit(f"{path}:{number}: expected folder, uses or offers")
    return house


def sources(root):
    out = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "*.c", "*.h"],
                         check=True, capture_output=True, text=True).stdout.split()
    return [f for f in out if os.path.exists(os.path.join(root, f)) and not f.startswith("tests/gpu/")]


def guard_of(path):
    parts = path.split("/")
    if parts[0] in ("service", "collectors") and len(parts) > 2:
        parts = parts[1:]
    return "LORE_" + re.sub(r"[^A-Za-z0-9]", "_", "/".join(parts)).upper()


def check(root):
    house = read_house(os.path.join(root, "tests/structure/house.txt"))
    wrong, guards, offered, used = [], {}, set(), set()
    for path in sources(root):
        folder = os.path.dirname(path)
        product = path.split("/")[0] in PRODUCT
        text = open(os.path.join(root, path)).read()
        if product and folder not in house:
            wrong.append(f"{path}: {folder} is not in tests/structure/house.txt")
            continue
        if path.endswith(".h"):
            guard = GUARD.search(text)
            name = guard.group(1) if guard and guard.group(1) == guard.group(2) else None
            if name != guard_of(path):
                wrong.append(f"{path}: its include guard must be {guard_of(path)}")
            if name in guards:
                wrong.append(f"{path}: the include guard {name} is also that of {guards[name]}")
            guards[name] = path
        for mark, header in INCLUDE.findall(text):
            allowed = VENDOR.get(os.path.basename(header))
            if product and allowed and not path.startswith(allowed):
                wrong.append(f"{path}: only {', '.join(allowed)} may include {header}")
            if mark == "<" or allowed:
                continue
            if not os.path.exists(os.path.join(root, header)) and "/" not in header and not product:
                continue  # a test's include of a vendor's header
            if "/" not in header or not os.path.exists(os.path.join(root, header)):
                if not (path.startswith("collectors/cupti/") and "/" not in header):
                    wrong.append(f'{path}: #include "{header}" does not name a file from the root')
                continue
            there = os.path.dirname(header)
            if not product or there == folder:
                continue
            if there not in house[folder][0]:
                wrong.append(f"{path}: {folder} may not use {there} ({header})")
            elif house[there][1] != ["*"] and os.path.basename(header) not in house[there][1]:
                wrong.append(f"{path}: {there} does not offer {os.path.basename(header)}")
            offered.add(header)
            used.add((folder, there))
    for folder, (uses, offers) in house.items():
        for there in sorted(uses):
            if (folder, there) not in used:
                wrong.append(f"tests/structure/house.txt: {folder} includes nothing of {there}; do not list it")
        for header in offers:
            if header != "*" and f"{folder}/{header}" not in offered:
                wrong.append(f"tests/structure/house.txt: nobody outside {folder} includes {header}; do not offer it")
        if not os.path.isdir(os.path.join(root, folder)):
            wrong.append(f"tests/structure/house.txt: there is no folder {folder}")
    return wrong


def selftest():
    """Each case changes one thing in a right tree and names the words that the refusal must have."""
    right = {
        "tests/structure/house.txt": "folder service/base\noffers a.h\nfolder db\nuses service/base\n",
        "service/base/a.h": "#ifndef LORE_BASE_A_H\n#define LORE_BASE_A_H\n#endif\n",
        "service/base/in.h": "#ifndef LORE_BASE_IN_H\n#define LORE_BASE_IN_H\n#endif\n",
        "db/x.c": '#include "service/base/a.h"\n',
    }
    cases = [
        ({}, None),
        ({"service/base/a.c": '#include "db/x.c"\n'}, "may not use"),
        ({"db/y.c": '#include "a.h"\n'}, "from the root"),
        ({"db/y.c": '#include "service/base/in.h"\n'}, "does not offer"),
        ({"service/base/in.h": "#ifndef LORE_BASE_A_H\n#define LORE_BASE_A_H\n#endif\n"}, "also that of"),
        ({"service/base/a.c": "#include <sqlite3.h>\n"}, "only db/"),
        ({"service/new/a.c": "\n"}, "is not in"),
        ({"db/x.c": "\n"}, "do not offer it"),
        ({"db/x.c": "\n"}, "do not list it"),
    ]
    for change, words in cases:
        with tempfile.TemporaryDirectory() as root:
            subprocess.run(["git", "-C", root, "init", "-q"], check=True)
            for path, text in {**right, **change}.items():
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                open(os.path.join(root, path), "w").write(text)
            found = check(root)
            if bool(found) != (words is not None) or (words and not any(words in f for f in found)):
                raise SystemExit(f"selftest: {change}: expected {words!r}, found {found}")


def main():
    if sys.argv[2:] == ["--selftest"]:
        return selftest()
    wrong = check(sys.argv[1])
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
