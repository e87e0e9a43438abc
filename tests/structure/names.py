"""Public functions begin with the name of their file, folder or header, or of the type they are about.

names.py ROOT             check the tree at ROOT
names.py ROOT --selftest  a name that belongs nowhere must be refused
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

DEFINITION = re.compile(r"^(?!static)[^\n#/}]*\n(lore_\w+)\(", re.M)
TYPE = re.compile(r"^(?:struct|enum) lore_(\w+)\b", re.M)
CALLBACK = re.compile(r"^typedef [^;]*\(\*lore_(\w+?)(?:_fn)?\)", re.M)
# Short words on purpose: the ground that everything stands on, and the verbs of statements.
VOCABULARY = ("service/base/", "db/stmt.c", "db/columns.c")
# Names from other systems' formats, made by LORE_IMPORTER; and two that would clash.
KEPT = {"lore_sass_signatures_detect", "lore_sass_signatures_read", "lore_hardware_spec_detect",
        "lore_hardware_spec_read", "lore_keep_number", "lore_wire_names_add", "lore_wire_names_find"}


def forms(word):
    """`runs` also names what is about one run, `categories` one category."""
    out = {word}
    if word.endswith("ies"):
        out.add(word[:-3] + "y")
    if word.endswith("s"):
        out.add(word[:-1])
    return out


def stem(path):
    return os.path.splitext(os.path.basename(path))[0]


def check(root):
    listed = subprocess.run(
        ["git", "-C", root, "ls-files", "-co", "--exclude-standard", "service", "db", "collectors"],
        check=True, capture_output=True, text=True).stdout.split()
    texts = {p: open(os.path.join(root, p)).read() for p in listed
             if p.endswith((".c", ".h")) and os.path.exists(os.path.join(root, p))}
    types, headers = set(), collections.defaultdict(set)
    for path, text in texts.items():
        if path.endswith(".h"):
            types.update(TYPE.findall(text))
            types.update(CALLBACK.findall(text))
            for name in set(re.findall(r"\b(lore_\w+)\(", text)):
                headers[name].add(stem(path))
    wrong = []
    for path, text in texts.items():
        if not path.endswith(".c") or path.startswith(VOCABULARY):
            continue
        places = {stem(path), stem(path).split("_")[0], *os.path.dirname(path).split("/")}
        for name in DEFINITION.findall(text):
            if name in KEPT:
                continue
            starts = set(types) | {t + "s" for t in types}
            for place in places | headers[name] | {h.split("_")[0] for h in headers[name]}:
                starts |= forms(place)
            rest = name[len("lore_"):]
            words = rest.split("_")
            if not any("_".join(words[:n]) in starts for n in range(1, len(words) + 1)):
                wrong.append(f"{path}: {name} begins with no file, folder, header or type")
    return wrong


def selftest():
    with tempfile.TemporaryDirectory() as root:
        subprocess.run(["git", "-C", root, "init", "-q"], check=True)
        os.makedirs(os.path.join(root, "db"))
        open(os.path.join(root, "db/run.h"), "w").write("struct lore_row {\n    int a;\n};\nint lore_walk(int);\n")
        open(os.path.join(root, "db/run.c"), "w").write(
            "int\nlore_run_get(int a)\n{\n}\n\nint\nlore_db_open(void)\n{\n}\n\nint\nlore_row_free(int a)\n{\n}\n\n"
            "static int\nlore_walked(int a)\n{\n}\n\nint\nlore_walk(int a)\n{\n}\n")
        found = check(root)
        if len(found) != 1 or "lore_walk begins" not in found[0]:
            raise SystemExit(f"selftest: expected lore_walk alone, found {found}")


if __name__ == "__main__":
    if sys.argv[2:] == ["--selftest"]:
        selftest()
        sys.exit(0)
    faults = check(sys.argv[1])
    print("\n".join(faults))
    sys.exit(1 if faults else 0)
