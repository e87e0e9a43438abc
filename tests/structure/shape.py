"""Hold functions to six parameters, and the files of a folder to an order: `shape.py ROOT [--selftest]`.

A .c and its .h are one module. A module includes another's header; a ring of such includes has no
beginning for a reader and is refused.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

PARAMETERS = 6

DEFINITION = re.compile(r"^(\w+)\(((?:[^(){};]|\((?:[^()]|\([^()]*\))*\))*)\)\s*\{", re.M)
INCLUDE = re.compile(r'^#include "([^"]+)\.h"', re.M)


def product(root):
    """{path: text without comments}"""
    out = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "service/*.[ch]",
                          "db/*.[ch]", "collectors/*.[ch]"], check=True, capture_output=True, text=True).stdout
    return {f: re.sub(r"/\*.*?\*/", "", open(os.path.join(root, f)).read(), flags=re.S)
            for f in out.split() if os.path.exists(os.path.join(root, f))}


def parameters(text):
    """How many there are between the parentheses."""
    depth, n = 0, 1
    for c in text:
        depth += (c == "(") - (c == ")")
        n += c == "," and depth == 0
    return n


def rings(texts):
    """{folder: modules that reach themselves by includes within the folder}"""
    uses = collections.defaultdict(set)
    for path, text in texts.items():
        module = path[:-2]
        uses[module] |= {used for used in INCLUDE.findall(text)
                         if used != module and os.path.dirname(used) == os.path.dirname(module)}
    found = collections.defaultdict(list)
    for module in sorted(uses):
        reached, todo = set(), list(uses[module])
        while todo:
            used = todo.pop()
            if used not in reached:
                reached.add(used)
                todo.extend(uses.get(used, ()))
        if module in reached:
            found[os.path.dirname(module)].append(os.path.basename(module))
    return found


def check(root):
    texts, wrong = product(root), []
    for path, text in texts.items():
        for name, between in DEFINITION.findall(text):
            if parameters(between) > PARAMETERS:
                wrong.append(f"{path}: {name} has {parameters(between)} parameters, at most {PARAMETERS}")
    return wrong + [f"{folder}: {' '.join(modules)} include each other in rings"
                    for folder, modules in rings(texts).items()]


def selftest():
    """Each case changes one thing in a right tree and names the words that the refusal must have."""
    right = {"db/a.h": "", "db/a.c": '#include "db/a.h"\nint\nfine(int a, int (*f)(int, int), int c)\n{\n}\n',
             "db/b.h": '#include "db/a.h"\n'}
    cases = [
        ({}, None),
        ({"db/b.c": "int\nwide(int a, int b, int c, int d,\n    int e, int f, int g)\n{\n}\n"}, "wide has 7"),
        ({"db/a.c": '#include "db/b.h"\n'}, "a b include each other"),
        ({"db/a.h": '#include "db/c.h"\n', "db/c.h": '#include "db/b.h"\n'}, "a b c include each other"),
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
