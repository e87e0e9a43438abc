"""Public functions begin with the name of their file, folder or header, or of the type they are about.
Everything with external linkage begins with lore_, and a struct of a header has its name alone.

names.py ROOT             check the tree at ROOT
names.py ROOT --selftest  a name that belongs nowhere, has no prefix or stands twice must be refused
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

DEFINITION = re.compile(r"^(?!static)[^\n#/}]*\n(lore_\w+)\(", re.M)
# A function or variable at the left margin that is not static; macros that define rows are in capitals.
BARE = re.compile(r"^(?![^\n]*\bstatic\b)[a-z][^\n#/};]*\n(?!lore_)([a-z]\w*)\(|"
                  r"^(?!static\b|typedef\b|__extension__\b|extern\b|(?:struct|enum|union) \w+;)[a-z_][\w *]*[ *]"
                  r"(?!lore_)([A-Za-z]\w*)(?:\[[^]\n]*\])*(?: =|;)", re.M)
TAG = re.compile(r"^(?!typedef)[^\n#]*\b(?:struct|enum|union) (\w+) \{", re.M)
TYPE = re.compile(r"^(?:struct|enum) lore_(\w+)\b", re.M)
CALLBACK = re.compile(r"^typedef [^;]*\(\*lore_(\w+?)(?:_fn)?\)", re.M)
# Short words on purpose: the ground that everything stands on, and the verbs of statements.
VOCABULARY = ("service/base/", "db/stmt.c", "db/columns.c")
# Names from other systems' formats, made by LORE_IMPORTER.
KEPT = {"lore_sass_signatures_detect", "lore_sass_signatures_read", "lore_hardware_spec_detect",
        "lore_hardware_spec_read"}

# What the loader and the GPU vendor's tools look for, and functions of a newer C library.
DEMANDED = {"main", "InitializeInjection", "rocprofiler_configure",
            "fstat", "fstat64", "fstatat", "lstat", "lstat64", "sigabbrev_np", "stat", "stat64"}


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


def tags_and_prefixes(texts):
    wrong, tags = [], collections.defaultdict(set)
    for path, text in texts.items():
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        for tag in TAG.findall(text):
            tags[tag].add(path)
        if path.endswith(".c"):
            wrong += [f"{path}: {a or b} is not static and has no prefix lore_"
                      for a, b in BARE.findall(text) if (a or b) not in DEMANDED]
    for tag, paths in sorted(tags.items()):
        public = tag.startswith("lore_") or any(p.endswith(".h") for p in paths)
        if len(paths) > 1 and public:
            wrong.append(f"{tag} is defined in {' and '.join(sorted(paths))}")
    return wrong


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
    wrong = tags_and_prefixes(texts)
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
    """Each case adds text to a right db/run.c and names the words that the refusal must have."""
    right = ("int\nlore_run_get(int a)\n{\n}\n\nint\nlore_db_open(void)\n{\n}\n\nint\nlore_row_free(int a)\n{\n}\n\n"
             "static int\nlore_walked(int a)\n{\n}\n\nint lore_run_count;\nstatic const char *const names[] = {0};\n"
             "struct lore_run_list;\nstruct near {\n    int a;\n};\n")
    cases = [
        ("", None),
        ("int\nlore_walk(int a)\n{\n}\n", "lore_walk begins"),
        ("int\nwalk(int a)\n{\n}\n", "walk is not static"),
        ("const char *const words[2] = {0};\n", "words is not static"),
        ("unsigned count;\n", "count is not static"),
        ("int\nmain(void)\n{\n}\n", None),
        ("struct lore_row {\n    int b;\n};\n", "lore_row is defined in db/run.c and db/run.h"),
        ("enum cell { A };\n", "cell is defined in"),
    ]
    for added, words in cases:
        with tempfile.TemporaryDirectory() as root:
            subprocess.run(["git", "-C", root, "init", "-q"], check=True)
            os.makedirs(os.path.join(root, "db"))
            for name, text in (
                    ("run.h", "struct lore_row {\n    int a;\n};\nstruct cell {\n    int a;\n};\n"
                              "int lore_walk(int);\n"),
                    ("run.c", right + added), ("near.c", "struct near {\n    int b;\n};\n")):
                open(os.path.join(root, "db", name), "w").write(text)
            found = check(root)
            if len(found) != (words is not None) or (words and words not in found[0]):
                raise SystemExit(f"selftest: {added!r}: expected {words!r}, found {found}")


if __name__ == "__main__":
    if sys.argv[2:] == ["--selftest"]:
        selftest()
        sys.exit(0)
    faults = check(sys.argv[1])
    print("\n".join(faults))
    sys.exit(1 if faults else 0)
