#!/usr/bin/env python3
"""Checks the documentation as a set of files.

    links.py SOURCE_DIR [--selftest]

* Every relative link of a page leads to a file, and its #anchor to a heading of that file.
* Every docs/NAME.md that a source file mentions exists, and every path of the tree in `backticks` on a page that
  people write.
* docs/architecture.md names every folder of house.txt.
* The pages that people write, outside of docs/notes, have at most MOST_WORDS words together."""
import os
import re
import subprocess
import sys
import tempfile

SOURCE = os.path.abspath(sys.argv[1])
MOST_WORDS = 22600
GENERATED = {"docs/schema.md", "docs/submission.md"}  # and everything in docs/reference
DATA = ("tests/fixtures/", "tests/fuzz/corpus/", "tests/golden/", "tests/http/")  # their links are test data
SOURCES = re.compile(r"\.(c|h|py|sh|ts|tsx|mjs|sql|cmake|md|service)$|(^|/)(CMakeLists\.txt|dev)$")
MENTION = re.compile(r"(?<![\w./-])(?<!<- )docs/[a-z_/-]+\.md")

PATH = re.compile(r"`((?:service|db|collectors|web|tests|migrations|docs)/[\w./-]*)`")


def tracked():
    done = subprocess.run(["git", "-C", SOURCE, "ls-files", "-co", "--exclude-standard"], text=True,
                          stdout=subprocess.PIPE)
    if done.returncode:
        print("skipped: no git checkout")
        sys.exit(77)
    names = [n for n in done.stdout.splitlines() if not n.startswith(DATA) or n == "tests/http/README.md"]
    return [n for n in names if SOURCES.search(n) and os.path.isfile(os.path.join(SOURCE, n))]


def read(name):
    with open(os.path.join(SOURCE, name), encoding="utf-8") as f:
        return f.read()


def prose(text):
    """TEXT without code: a bracket in a code block is no link."""
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(name, known={}):
    """The anchors of a page's headings, by GitHub's rule."""
    if name not in known:
        found, text = set(), re.sub(r"^(```|~~~).*?^\1", "", read(name), flags=re.MULTILINE | re.DOTALL)
        for heading in re.findall(r"^#{1,6} +(.*?) *$", text, flags=re.MULTILINE):
            heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
            base = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
            anchor, n = base, 0
            while anchor in found:
                n += 1
                anchor = f"{base}-{n}"
            found.add(anchor)
        known[name] = found
    return known[name]


def broken_links(name):
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(read(name))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        to = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
        if not os.path.exists(os.path.join(SOURCE, to)):
            yield f"{name}: {target}: no such file"
        elif anchor and (not to.endswith(".md") or anchor not in anchors(to)):
            yield f"{name}: {target}: no such heading"


def missing_mentions(name):
    for page in sorted(set(MENTION.findall(read(name)))):
        if not os.path.exists(os.path.join(SOURCE, page)):
            yield f"{name}: mentions {page}, which does not exist"


def missing_paths(name):
    text = re.sub(r"^(```|~~~).*?^\1", "", read(name), flags=re.MULTILINE | re.DOTALL)
    for path in sorted(set(PATH.findall(text))):
        if not os.path.exists(os.path.join(SOURCE, path)):
            yield f"{name}: names `{path}`, which does not exist"


def undrawn():
    page = read("docs/architecture.md")
    for folder in re.findall(r"^folder (\S+)", read("tests/structure/house.txt"), flags=re.MULTILINE):
        drawn = re.sub("/import/.*", "/import/<family>", folder).removeprefix("collectors/")
        if not re.search(rf"(?<![\w-]){re.escape(drawn)}(?![\w-])", page):
            yield f"docs/architecture.md: does not name the folder {folder}"


def written(name):
    return name == "README.md" or (name.startswith("docs/") and name.endswith(".md") and name not in GENERATED
                                   and not name.startswith(("docs/notes/", "docs/reference/")))


def main():
    names = tracked()
    pages = [n for n in names if n.endswith(".md")]
    words = {n: len(read(n).split()) for n in pages if written(n)}
    wrong = [w for n in pages for w in broken_links(n)] + [w for n in names if n not in pages for w in missing_mentions(n)]
    wrong += [w for n in words for w in missing_paths(n)] + list(undrawn())
    if sum(words.values()) > MOST_WORDS:
        wrong.append(f"{sum(words.values())} words in {len(words)} pages; {MOST_WORDS} are the limit")
    for line in wrong:
        print(line)
    for name, n in sorted(words.items()):
        print(f"{n:6} {name}")
    print(f"{sum(words.values()):6} words in all; {len(pages)} pages, {len(wrong)} faults")
    sys.exit(bool(wrong or not pages))


def selftest():
    """A small tree with one fault of each sort, and each must be named."""
    files = {"README.md": "[a](docs/n1.md) [b](docs/architecture.md#none) `db/none.c`\n" + "word " * MOST_WORDS,
             "docs/architecture.md": "# The house\n\n[c](#the-house) `[d](none.md)` service/base\n",
             "service/base/a.c": "/* docs/" + "gone.md */\n",
             "tests/structure/house.txt": "folder service/base\nfolder collectors/run\n"}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
                f.write(text)
        subprocess.run(["git", "-C", folder, "init", "-q"], check=True)
        done = subprocess.run([sys.executable, "-B", __file__, folder], text=True, stdout=subprocess.PIPE)
    wanted = ["README.md: docs/n1.md: no such file", "README.md: docs/architecture.md#none: no such heading",
              "service/base/a.c: mentions docs/" + "gone.md", "README.md: names `db/none.c`", "the folder collectors/run",
              f"{MOST_WORDS} are the limit", "6 faults"]
    missed = [w for w in wanted if w not in done.stdout]
    print(done.stdout if missed else "every fault was named")
    sys.exit(bool(missed or done.returncode != 1))


selftest() if "--selftest" in sys.argv else main()
