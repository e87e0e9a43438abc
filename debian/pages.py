"""Manual pages and completion for bash and zsh, from what the programs say of themselves.
Usage: pages.py WARPLORED WARPLORE DIRECTORY"""
import json
import os
import re
import subprocess
import sys


def said(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def roff(text):
    """TEXT for a page: what begins with a dot or an apostrophe is no request."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return "\n".join("\\&" + line if line[:1] in ".'" else line for line in text.split("\n"))


def example(text):
    return f".PP\n.nf\n{roff(text)}\n.fi\n"


def head(name, section, version, what):
    return f'.TH {name.upper()} {section} "" "{name} {version}"\n.SH NAME\n{name} \\- {roff(what)}\n'


def option_name(o):
    short = f"-{o['letter']}, " if o.get("letter") else ""
    return f"{short}--{o['name']}" + (f" {o['value']}" if o.get("value") else "")


def command_page(table):
    common = {o["name"] for o in table["commands"][0]["options"]} & {"url", "token-file", "json", "help"}
    page = head("warplore", 1, table["version"], "a team's memory of GPU kernel work: the command")
    page += ".SH SYNOPSIS\n.B warplore\n.I COMMAND\n[options]\n.SH DESCRIPTION\n"
    page += "It asks a Warplore service, records attempts, imports files and measures programs.\n.SH COMMANDS\n"
    for c in table["commands"]:
        page += f".SS {roff(c['name'])} {roff(c['words'])}\n{roff(c['help'].rstrip('.?'))}.\n"
        page += example(c["notes"]) if c.get("notes") else ""
        for o in c["options"]:
            if o["name"] not in common:
                page += f".TP\n.B {roff(option_name(o))}\n{roff(o['help'])}\n"
    page += ".SH OPTIONS OF EVERY COMMAND\n"
    for o in table["commands"][0]["options"]:
        if o["name"] in common:
            page += f".TP\n.B {roff(option_name(o))}\n{roff(o['help'])}\n"
    return page + ("".join([".SH ENVIRONMENT\n", ".TP\n.B WARPLORE_URL\nThe service; by default http://127.0.0.1:8787\n",
                            ".TP\n.B WARPLORE_TOKEN\nThe token\n", ".SH SEE ALSO\n.BR warplored (8)\n"]))


def service_options(printed):
    """(name, help, default) of each option in the file that --print-config prints."""
    found, help_, default = [], [], ""
    for line in printed.split("\n\n", 1)[1].splitlines():
        if line.startswith("# default:"):
            default = line[10:].strip()
        elif line.startswith("# "):
            help_.append(line[2:])
        elif m := re.match(r"(\w+):", line):
            found.append((m.group(1).replace("_", "-"), " ".join(help_), default))
            help_ = []
    return found


def uses(usage):
    """(how to write it, what it does) of each command in the service's help."""
    found = []
    for line in usage.splitlines():
        if line.startswith("warplored "):
            found.append((line, ""))
        else:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}".strip())
    return found


def service_page(version, usage, options):
    page = head("warplored", 8, version, "a team's memory of GPU kernel work: the service") + ".SH SYNOPSIS\n"
    for use, what in uses(usage):
        page += f".TP\n.B {roff(use)}\n{roff(what)}\n"
    page += ".SH OPTIONS\nAs flags, or with underscores in the file of \\-\\-config.\n"
    for name, what, default in options:
        page += f".TP\n.B \\-\\-{roff(name)}\n{roff(what)} Default: {roff(default)}.\n"
    return page + (".SH FILES\n.TP\n.I /etc/warplore/warplored.yaml\nthe options of the packaged service\n"
                   ".TP\n.I /var/lib/warplore\nits data directory\n.SH SEE ALSO\n.BR warplore (1)\n")


BASH = """# completion of {program} for bash; made from the program's own table
_{program}() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} words i
  for ((i = 1; i < COMP_CWORD; i++)); do [[ ${{COMP_WORDS[i]}} == -* ]] || break; done
  if ((i == COMP_CWORD)); then
    words="{first}"
  else
    case ${{COMP_WORDS[i]}} in
{cases}
    esac
  fi
  if [[ $cur == -* || $i == "$COMP_CWORD" ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
  fi
}}
complete -o default -F _{program} {program}
"""
ZSH = """#compdef {program}
# made from the program's own table
_{program}() {{
  local -a commands options
  commands=({commands})
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[2] in
{cases}
  esac
  if [[ $PREFIX == -* ]]; then _describe option options; else _files; fi
}}
_{program} "$@"
"""


def quoted(text):
    return "'" + text.replace("'", "'\\''").replace("\n", " ") + "'"


def completions(program, commands, top):
    """COMMANDS: name -> (help, [(option, help)]); TOP: options without a command."""
    cases = "\n".join(f'      {n}) words="{" ".join("--" + o for o, _ in options)}" ;;'
                      for n, (_, options) in commands.items())
    bash = BASH.format(program=program, cases=cases, first=" ".join([*commands, *("--" + o for o in top)]))
    cases = "\n".join("    {}) options=({}) ;;".format(n, " ".join(quoted(f"--{o}:{h}") for o, h in options))
                      for n, (_, options) in commands.items())
    zsh = ZSH.format(program=program, cases=cases,
                     commands=" ".join(quoted(f"{n}:{h}") for n, (h, _) in commands.items()))
    return bash, zsh


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def main():
    warplored, warplore, out = sys.argv[1:]
    table = json.loads(said(warplore, "help", "--json"))
    usage = said(warplored, "--help").strip()
    options = service_options(said(warplored, "--print-config"))
    write(f"{out}/warplore.1", command_page(table))
    write(f"{out}/warplored.8", service_page(table["version"], usage, options))
    bash, zsh = completions("warplore", {c["name"]: (c["help"], [(o["name"], o["help"]) for o in c["options"]])
                                         for c in table["commands"]}, ["help", "version"])
    write(f"{out}/bash/warplore", bash)
    write(f"{out}/zsh/_warplore", zsh)
    commands = {}
    for use, what in uses(usage):
        word = use.split()[1]
        if word[0] != "-":
            commands[word] = (what, [(o, "") for o in re.findall(r"--([\w-]+)", use)])
    bash, zsh = completions("warplored", commands, ["help", "version", "print-config", *(n for n, _, _ in options)])
    write(f"{out}/bash/warplored", bash)
    write(f"{out}/zsh/_warplored", zsh)


main()
