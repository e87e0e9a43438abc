"""Lines of the engine that advises: recommend, the model of moves, where to start, and what feeds them.
Evaluation and tests are not among them. Fewer is better: lower the limit when lines go.

lines.py ROOT             check the tree at ROOT
lines.py ROOT --selftest  a tree with too many lines must be refused, one with fewer not
"""
import fnmatch
import os
import subprocess
import sys
import tempfile

ENGINE = ["service/recommend/*.[ch]", "service/moves/*.[ch]", "service/api/recommend_start*.[ch]",
          "service/api/about*.[ch]", "service/api/tune*.[ch]", "service/api/session_state.[ch]",
          "service/api/recommend_stop.c", "service/wire/feed.h", "db/feed.[ch]", "db/feed_*.[ch]"]
MOST = 13455  # the aim is 12,000


def count(root):
    out = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "*.c", "*.h"],
                         check=True, capture_output=True, text=True).stdout.split()
    files = [os.path.join(root, f) for f in out if any(fnmatch.fnmatch(f, p) for p in ENGINE)]
    return sum(open(f, "rb").read().count(b"\n") for f in files if os.path.exists(f))


def check(root, most):
    n = count(root)
    return [f"the engine that advises has {n} lines, at most {most}"] if n > most or n == 0 else []


def selftest():
    with tempfile.TemporaryDirectory() as root:
        subprocess.run(["git", "-C", root, "init", "-q"], check=True)
        for path in ("service/moves/a.c", "db/feed_b.h", "db/other.c"):
            os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
            open(os.path.join(root, path), "w").write("\n" * 10)
        if check(root, 20) or not check(root, 19):
            raise SystemExit(f"selftest: counted {count(root)} lines, expected 20")


def main():
    if sys.argv[2:] == ["--selftest"]:
        return selftest()
    wrong = check(sys.argv[1], MOST)
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
