#!/usr/bin/env python3
"""Runs the commands of docs/tour.md against a service of its own and holds the page to what
they print.

    tour.py WARPLORED WARPLORE PAGE FIXTURES

A block fenced as `console` holds commands (`$ …`, continued by a backslash at the end of a line) and
below each what it prints. `…` at the end of a printed line stands for the rest of it, a line `…` for
any number of lines. Ids are made new in each run: `<name>` in a printed line matches one and
remembers it, and stands for it in later commands. A command whose last printed line is
`(exit status N)` must end so; all others must end with 0.

With LORE_BLESS=1 the page is rewritten with what the commands print now, up to 40 lines each; look
at the difference."""

import os
import re
import subprocess
import sys

from daemon import Daemon, make_token, need, scratch

MOST = 40
ID = r"[0-9A-HJKMNP-TV-Z]{26}"


class Shell:
    def __init__(self, daemon, tokens, program, fixtures, folder):
        self.env = dict(os.environ, WARPLORE_URL=f"http://127.0.0.1:{daemon.port}",
                        WARPLORE_TOKEN=tokens["contributor"], CURATOR=tokens["curator"],
                        NO_COLOR="1", COLUMNS="100", HOME=folder, LC_ALL="C.UTF-8")
        self.env["PATH"] = os.path.dirname(os.path.abspath(program)) + ":" + self.env["PATH"]
        self.folder, self.names = folder, {}
        os.symlink(os.path.abspath(fixtures), os.path.join(folder, "walkthrough"))

    def run(self, command):
        for name, value in self.names.items():
            command = command.replace(f"<{name}>", value)
        need(not re.search(r"<[a-z][a-z0-9-]*>", command), f"a value for every <name> in: {command}")
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        lines = [line.rstrip() for line in done.stdout.splitlines()]
        if done.returncode:
            lines.append(f"(exit status {done.returncode})")
        return lines

    def matches(self, wanted, line):
        """Whether LINE is what WANTED says; remembers ids that it names for the first time."""
        rest = wanted.endswith("…")
        pattern, seen = "", set()
        for i, part in enumerate(re.split(r"<([a-z][a-z0-9-]*)>",
                                          wanted[:-1].rstrip() if rest else wanted)):
            group = part.replace("-", "_")
            if i % 2 == 0:
                pattern += re.escape(part)
            elif part in self.names:
                pattern += self.names[part]
            else:
                pattern += f"(?P={group})" if part in seen else f"(?P<{group}>{ID})"
                seen.add(part)
        found = re.match(pattern + ("" if rest else r"$"), line)
        if found:
            for name, value in found.groupdict().items():
                self.names[name.replace("_", "-")] = value
        return bool(found)

    def check(self, wanted, got):
        """Index of the wanted line that is not there, or None."""
        at, skipping = 0, False
        for i, line in enumerate(wanted):
            if line.strip() == "…":
                skipping = True
                continue
            while skipping and at < len(got) and not self.matches(line, got[at]):
                at += 1
            if at >= len(got) or not self.matches(line, got[at]):
                return i
            at, skipping = at + 1, False
        return None if skipping or at == len(got) else len(wanted)


def steps_of(block):
    """[(command, [printed lines])] of one block."""
    steps = []
    for line in block:
        if line.startswith("$ "):
            steps.append([line[2:], []])
        elif steps and steps[-1][0].endswith("\\") and not steps[-1][1]:
            steps[-1][0] += "\n" + line
        else:
            need(steps, "a block to begin with a command: " + line)
            steps[-1][1].append(line)
    return steps


def blessed(shell, got):
    """GOT as the page shows it: new ids by name where the page already has one."""
    lines = got if len(got) <= MOST else got[:MOST] + ["…"]
    for name, value in shell.names.items():
        lines = [line.replace(value, f"<{name}>") for line in lines]
    return lines


def main():
    warplored, warplore, page, fixtures = sys.argv[1:5]
    bless = os.environ.get("LORE_BLESS") == "1"
    with open(page, encoding="utf-8") as f:
        lines = f.read().split("\n")
    out, wrong, n = [], 0, 0
    with scratch() as folder:
        data = os.path.join(folder, "data")
        home = os.path.join(folder, "home")
        os.mkdir(data)
        os.mkdir(home)
        daemon = Daemon(warplored, data)
        tokens = {role: make_token(warplored, data, role) for role in ("contributor", "curator")}
        shell = Shell(daemon, tokens, warplore, fixtures, home)
        at = 0
        while at < len(lines):
            out.append(lines[at])
            at += 1
            if lines[at - 1].strip() != "```console":
                continue
            end = lines.index("```", at)
            for command, wanted in steps_of(lines[at:end]):
                got = shell.run(command)
                bad = shell.check(wanted, got)
                n += 1
                out.append("$ " + command)
                out.extend(blessed(shell, got) if bless and bad is not None else wanted)
                if bad is not None and not bless:
                    wrong += 1
                    print(f"{page}: $ {command}\n  wanted line {bad + 1}: "
                          f"{wanted[bad] if bad < len(wanted) else '(nothing more)'}\n  printed:")
                    print("    " + "\n    ".join(got))
            at = end
        daemon.stop()
    if bless:
        with open(page, "w", encoding="utf-8") as f:
            f.write("\n".join(out))
    need(n >= 20, f"a tour of at least 20 commands, not {n}")
    need(wrong == 0, f"{n} commands to print what the page says; {wrong} did not")
    print(f"{n} commands, all as the page says")


if __name__ == "__main__":
    main()
