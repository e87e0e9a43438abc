"""Name the functions that no program calls: `dead.py ROOT BUILD`.

The linker leaves out of a program every function that it cannot reach (--gc-sections). So a function
of a library that no product holds is dead, unless its own file calls it: then it was inlined, or its
caller is the one to name.
"""
import collections
import os
import re
import subprocess
import sys

# What only tests and generators call, with the reason why the product has it.
EXCEPTIONS = {
    # makes a page of the docs or a file of a test
    "lore_wire_markdown": "docs/submission.md is made with it",
    # reads what tests compare: the state behind an index, a table as a whole
    "lore_db_get_hidden": "tests ask for what curation did",
    "lore_ontology_rows": "a test checks the table",
    "lore_technique_needs": "a test holds its names to the catalogue",
    "lore_technique_tests": "a test holds its names to the catalogue",
    "lore_spec_names": "a test checks the table",
    "lore_rule_sets": "a test checks every set of rules by itself",
    "lore_rule_set_vocabulary": "a test checks every set of rules by itself",
    "lore_diagnose": "a test checks every set of rules by itself",
    "lore_patterns_whole": "a test holds the table of phrases to the catalogue",
    "lore_arena_emptied": "a test counts what a recorded pair costs",
    "lore_ulid_ms": "the slow reference of recommend reads the time of an id",
    # a file or a record from memory, for tests and fuzz targets
    "lore_trace_add": "traces are tested and fuzzed without a directory",
    "lore_spool_add": "the spool is tested with plain bytes; the agent fills records in place",
}
PROGRAMS = ("warplored", "warplore")


def functions(*files):
    """Names of the global functions that FILES define."""
    out = subprocess.run(["nm", "-g", "--defined-only", *files], check=True, capture_output=True, text=True)
    return {line.split()[-1] for line in out.stdout.splitlines() if re.search(r" [TtW] lore_", line)}


def captured(name, path, words):
    """Whether a capture library, which is linked from sources, uses it."""
    return any(name in counts for other, counts in words.items() if other != path
               and other.startswith(("collectors/cupti/", "collectors/fake/", "collectors/capture/")))


def main():
    root, build = sys.argv[1:3]
    programs = [os.path.join(build, p) for p in PROGRAMS]
    archives = [os.path.join(build, f) for f in os.listdir(build) if f.endswith(".a")]
    left_out = functions(*archives) - functions(*programs)
    words = {}
    for f in subprocess.run(["git", "-C", root, "ls-files", "service/*.c", "db/*.c", "collectors/*.c"],
                            check=True, capture_output=True, text=True).stdout.split():
        if os.path.exists(os.path.join(root, f)):
            text = re.sub(r"/\*.*?\*/", "", open(os.path.join(root, f)).read(), flags=re.S)
            words[f] = collections.Counter(re.findall(r"^lore_\w+\(|(?:struct |enum )?\b\w+", text, re.M))
    dead = {}
    for path, counts in words.items():
        for name in left_out:
            if counts[name + "("] == 1 and counts[name] == 0 and not captured(name, path, words):
                dead[name] = path
    for name in sorted(dead.keys() - EXCEPTIONS.keys(), key=dead.get):
        print(f"{dead[name]}: nothing in the product calls {name}")
    for name in sorted(EXCEPTIONS.keys() - dead.keys()):
        print(f"tests/structure/dead.py: {name} is no exception any more")
    sys.exit(1 if dead.keys() != EXCEPTIONS.keys() else 0)


if __name__ == "__main__":
    main()
