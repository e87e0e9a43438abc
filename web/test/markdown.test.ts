/* Markdown into blocks: what becomes structure, and that raw HTML and odd links stay text. */
import assert from "node:assert/strict";
import test from "node:test";
import { blocks, inline, unfold } from "../src/parts/markdown";

const kinds = (text: string): string[] => blocks(text.split("\n")).map((block) => block.kind);

test("headings, paragraphs, lists, tables, code, quotes and rules are told apart", () => {
  assert.deepEqual(kinds("# A\n\ntext\nmore\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> said\n\n---\n```\ncode\n```"), [
    "heading", "paragraph", "list", "table", "quote", "rule", "code",
  ]);
});

test("a list keeps its depth and its continued lines", () => {
  assert.deepEqual(blocks(["- one", "  goes on", "  - inner", "- two"]), [
    { kind: "list", ordered: false, items: [{ depth: 0, text: "one goes on" }, { depth: 1, text: "inner" }, { depth: 0, text: "two" }] },
  ]);
});

test("code keeps everything, an unclosed fence ends with the text", () => {
  assert.deepEqual(blocks(["```c", "# not a heading", "- not a list"]), [{ kind: "code", text: "# not a heading\n- not a list" }]);
});

test("raw HTML and links to anything but http stay text", () => {
  assert.deepEqual(inline("<b onclick=x>hi</b>"), ["<b onclick=x>hi</b>"]);
  assert.deepEqual(inline("[x](javascript:void)"), ["x"]);
  const [link] = inline("[x](https://example.org)") as { props: { href: string } }[];
  assert.equal(link?.props.href, "https://example.org");
});

test("stars and underscores inside names are not emphasis", () => {
  assert.deepEqual(inline("a*b*c and __syncthreads"), ["a*b*c and __syncthreads"]);
});

test("hostile text takes no time", () => {
  const start = Date.now();
  for (const text of ["[".repeat(60_000), "`".repeat(60_001), "*".repeat(60_000), "| ".repeat(30_000), "- ".repeat(30_000), "[a](".repeat(15_000)]) {
    for (const block of blocks([text, text])) if (block.kind === "paragraph") inline(block.text);
  }
  assert.ok(Date.now() - start < 2000);
});

test("a table that was stored as one line is a table again, and only then", () => {
  assert.deepEqual(unfold("**What.** | a | b | |---|---| | 1 | 2 | | 3 | 4 | and more"), [
    "**What.**", "", "| a | b |", "|---|---|", "| 1 | 2 |", "| 3 | 4 |", "", "and more",
  ]);
  assert.deepEqual(unfold("| a | b | |---|---| | 1 |  |"), ["", "", "| a | b |", "|---|---|", "| 1 |  |", "", ""]);
  for (const text of ["|---|---|", "a | b", "x |---|---| 1 | 2 |", "| a | |---|---| | 1 | 2 |"]) assert.deepEqual(unfold(text), [text]);
});
