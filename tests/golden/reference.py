#!/usr/bin/env python3
"""The reference pages of docs/reference, byte for byte: api.md from GET /openapi.json, commands.md from
the help of every command. LORE_BLESS=1 rewrites them.

    reference.py WARPLORED WARPLORE SOURCE_DIR"""
import json
import os
import re
import subprocess
import sys

WARPLORED, WARPLORE, SOURCE = sys.argv[1:4]
sys.path.insert(0, os.path.join(SOURCE, "tests", "e2e"))
from daemon import Daemon, need, scratch  # noqa: E402

PAGES = os.path.join(SOURCE, "docs", "reference")
MADE = "<!-- generated: LORE_BLESS=1 ctest -R golden/reference rewrites this page -->\n"
COMMON = ("      --url URL", "      --token-file FILE", "      --json ", "  -h, --help")  # of every command


def cell(text):
    return (text or "").replace("|", "\\|").replace("\n", " ")


def type_of(schema):
    """A short name for the type of SCHEMA: text, [Run], Outcome or null, a, b or c."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        if schema["$ref"].startswith("#/components/schemas/"):
            return f"[{name}](#{name.lower()})"
        return "as submitted"
    for key in ("oneOf", "anyOf"):
        if key in schema:
            return " or ".join(type_of(s) for s in schema[key])
    if "enum" in schema:
        return ", ".join(f"`{v}`" for v in schema["enum"])
    kind = schema.get("type", "any")
    if isinstance(kind, list):
        return " or ".join(type_of(dict(schema, type=k)) for k in kind)
    if kind == "array":
        return f"list of {type_of(schema.get('items', {}))}"
    if kind == "object" and "properties" in schema:
        return "{" + ", ".join(f"{n}: {type_of(s)}" for n, s in schema["properties"].items()) + "}"
    if kind == "string":
        if schema.get("format") == "date-time":
            return "time"
        return "id" if "{26}" in schema.get("pattern", "") else "text"
    if kind == "integer" and "minimum" in schema and "maximum" in schema:
        return f"integer, {schema['minimum']} to {schema['maximum']}"
    return kind


def who(operation):
    roles = [role for way in operation["security"] for name in way for role in (way[name] or [name])]
    return " or ".join(roles) or "public"


def body_of(content):
    media, shape = next(iter(content.items()))
    return type_of(shape["schema"]) if "schema" in shape else f"`{media}`"


def route(method, path, operation):
    yield f"### {method.upper()} {path}\n"
    yield f"{operation['summary']}. For: {who(operation)}.\n"
    asked = [p for p in operation.get("parameters", []) if p["in"] == "query"]
    if asked:
        yield "| parameter | type | meaning |\n|---|---|---|"
        for p in asked:
            yield f"| `{p['name']}` | {cell(type_of(p['schema']))} | {cell(p.get('description'))} |"
        yield ""
    if "requestBody" in operation:
        body = operation["requestBody"]
        yield f"Body: {body_of(body['content'])}, at most {body.get('x-max-bytes', 0)} bytes.\n"
    for status, answer in operation["responses"].items():
        if status[0] == "2" and "content" in answer:
            yield f"Answer {status}: {body_of(answer['content'])}\n"


def api_page(description):
    yield "# Reference: addresses and answers\n"
    yield MADE
    yield "The rules that hold for all of them are in [api.md](../api.md). *As submitted* is a field of"
    yield "[the submission format](../submission.md). Members in bold are always there.\n"
    yield "## Addresses\n"
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            yield from route(method, path, operation)
    yield "## Shapes\n"
    for name, schema in sorted(description["components"]["schemas"].items()):
        yield f"### {name}\n"
        if "properties" not in schema:
            yield type_of(schema) + "\n"
            continue
        required = set(schema.get("required", []))
        yield "| member | type | meaning |\n|---|---|---|"
        for member, shape in schema["properties"].items():
            shown = f"**`{member}`**" if member in required else f"`{member}`"
            yield f"| {shown} | {cell(type_of(shape))} | {cell(shape.get('description'))} |"
        yield ""


def help_of(*words):
    env = {"PATH": os.environ["PATH"], "HOME": "/", "COLUMNS": "100", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    return subprocess.run([WARPLORE, "help", *words], env=env, text=True, stdout=subprocess.PIPE, check=True).stdout


def commands_page():
    overview = help_of()
    yield "# Reference: commands\n"
    yield MADE
    yield "What holds for all of them is in [cli.md](../cli.md). Every command also takes `--url`, `--token-file`,"
    yield "`--json` and `--help`.\n"
    yield "```\n" + overview.rstrip() + "\n```\n"
    for name in re.findall(r"^  ([a-z][a-z-]*)  +\S", overview, flags=re.MULTILINE):
        if name in ("help", "version"):
            continue
        lines = [line for line in help_of(name).splitlines() if not line.startswith(COMMON)]
        yield f"## {name}\n"
        yield "```\n" + "\n".join(lines).rstrip() + "\n```\n"


def golden(name, lines):
    path, text = os.path.join(PAGES, name), "\n".join(lines).rstrip() + "\n"
    if os.environ.get("LORE_BLESS"):
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return
    with open(path, encoding="utf-8") as f:
        old = f.read()
    for n, (a, b) in enumerate(zip(old.splitlines(), text.splitlines()), 1):
        need(a == b, f"docs/reference/{name}:{n} is stale (LORE_BLESS=1 rewrites it): {a!r}, now {b!r}")
    need(old == text, f"docs/reference/{name} is stale: another length (LORE_BLESS=1 rewrites it)")


def main():
    with scratch() as folder:
        data = os.path.join(folder, "data")
        os.mkdir(data)
        daemon = Daemon(WARPLORED, data)
        status, answer, _ = daemon.request("GET", "/openapi.json")
        daemon.stop()
    need(status == 200, f"/openapi.json: {status}")
    description = json.loads(answer)
    need(len(description["paths"]) > 50, "the addresses of the service")
    golden("api.md", api_page(description))
    golden("commands.md", commands_page())


main()
