/* Markdown as safe text: headings, lists, tables, code, quotes, emphasis and links become elements
 * of this page; everything else, raw HTML included, stays the text it was. Nothing is ever parsed
 * by the browser, and a link is only a link when it is http(s). */
import type { ComponentChildren, JSX } from "preact";

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\[\]]{0,400})\]\(([^()\s]{1,2000})\)|(?<![\w*])\*([^*\s][^*]*)\*(?!\w)/g;

function link(text: string, url: string, key: number): ComponentChildren {
  if (!/^https?:\/\//i.test(url)) return text === "" ? url : text;
  return (
    <a key={key} href={url} target="_blank" rel="noreferrer noopener">
      {text || url}
    </a>
  );
}

/** One line of text with code, emphasis and links. */
export function inline(text: string): ComponentChildren[] {
  const out: ComponentChildren[] = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    const [whole, code, strong, label, url, soft] = found;
    if (found.index > at) out.push(text.slice(at, found.index));
    at = found.index + whole.length;
    if (code !== undefined) out.push(<code key={at}>{code}</code>);
    else if (strong !== undefined) out.push(<b key={at}>{inline(strong)}</b>);
    else if (url !== undefined) out.push(link(label ?? "", url, at));
    else out.push(<em key={at}>{soft}</em>);
  }
  if (at < text.length) out.push(text.slice(at));
  return out;
}

type Block =
  | { kind: "heading" | "paragraph"; text: string }
  | { kind: "code"; text: string }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "list"; ordered: boolean; items: { depth: number; text: string }[] }
  | { kind: "table"; head: string[]; rows: string[][] }
  | { kind: "rule" };

const ITEM = /^(\s*)(?:[-*+]|(\d+)[.)])\s+(.*)$/;
const FENCE = /^\s*(```+|~~~+)/;
const RULE = /^\s*([-*_])(?:\s*\1){2,}\s*$/;
const TABLE_RULE = /^\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*(?::?-{2,}:?\s*)?$/;

function cells(line: string): string[] {
  return line.trim().replace(/^\|/, "").replace(/\|$/, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/* Each reader takes the lines from AT and answers the block and the next line. */
type Read = [Block, number];

function readCode(lines: string[], at: number): Read {
  const fence = FENCE.exec(lines[at] ?? "")?.[1] ?? "```";
  let end = at + 1;
  while (end < lines.length && !(lines[end] ?? "").trim().startsWith(fence)) end += 1;
  return [{ kind: "code", text: lines.slice(at + 1, end).join("\n") }, end + 1];
}

function readList(lines: string[], at: number): Read {
  const items: { depth: number; text: string }[] = [];
  const ordered = ITEM.exec(lines[at] ?? "")?.[2] !== undefined;
  let end = at;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    const item = ITEM.exec(line);
    const last = items.at(-1);
    if (item) items.push({ depth: Math.min(3, Math.floor((item[1] ?? "").length / 2)), text: item[3] ?? "" });
    else if (last && /^\s+\S/.test(line) && !FENCE.test(line)) last.text += ` ${line.trim()}`;
    else break;
  }
  return [{ kind: "list", ordered, items }, end];
}

function readTable(lines: string[], at: number): Read {
  let end = at + 2;
  while (end < lines.length && (lines[end] ?? "").includes("|")) end += 1;
  return [{ kind: "table", head: cells(lines[at] ?? ""), rows: lines.slice(at + 2, end).map(cells) }, end];
}

function readQuote(lines: string[], at: number): Read {
  let end = at;
  while (end < lines.length && /^\s*>/.test(lines[end] ?? "")) end += 1;
  return [{ kind: "quote", blocks: blocks(lines.slice(at, end).map((line) => line.replace(/^\s*>\s?/, ""))) }, end];
}

function starts(line: string, next: string | undefined): boolean {
  return FENCE.test(line) || RULE.test(line) || ITEM.test(line) || /^\s*(>|#{1,6}\s)/.test(line) || (line.includes("|") && TABLE_RULE.test(next ?? ""));
}

function readParagraph(lines: string[], at: number): Read {
  let end = at + 1;
  while (end < lines.length && (lines[end] ?? "").trim() !== "" && !starts(lines[end] ?? "", lines[end + 1])) end += 1;
  return [{ kind: "paragraph", text: lines.slice(at, end).join("\n") }, end];
}

function readOne(lines: string[], at: number): Read {
  const line = lines[at] ?? "";
  if (FENCE.test(line)) return readCode(lines, at);
  const heading = /^\s*#{1,6}\s+(.*?)\s*#*$/.exec(line);
  if (heading) return [{ kind: "heading", text: heading[1] ?? "" }, at + 1];
  if (RULE.test(line)) return [{ kind: "rule" }, at + 1];
  if (ITEM.test(line)) return readList(lines, at);
  if (/^\s*>/.test(line)) return readQuote(lines, at);
  if (line.includes("|") && TABLE_RULE.test(lines[at + 1] ?? "")) return readTable(lines, at);
  return readParagraph(lines, at);
}

const FLAT_RULE = /\|(?:\s*:?-{3,}:?\s*\|){2,}/;

/* Some systems store a table as one line: `text | a | b | |---|---| | 1 | 2 |`. Split it into lines
 * if the cells before and after the delimiter row `|---|---|` form complete rows. Otherwise return
 * it unchanged. */
export function unfold(line: string): string[] {
  const rule = line.length < 20_000 ? FLAT_RULE.exec(line) : null;
  if (!rule || rule[0].length === line.trim().length) return [line];
  const width = rule[0].split("|").length - 2;
  const before = line.slice(0, rule.index).split("|");
  const after = line.slice(rule.index + rule[0].length).split("|");
  const head = before.slice(-width - 1, -1);
  const lead = before.slice(0, -width - 1).join("|").trim();
  if (before.length < width + 2 || before.at(-1)?.trim() !== "") return [line];
  const rows: string[][] = [];
  let at = 1; /* after[0], between the delimiter row and the first row, is blank */
  for (; at + width < after.length + 1 && after[at - 1]?.trim() === ""; at += width + 1) rows.push(after.slice(at, at + width));
  const rest = after.slice(at - 1).join("|").trim();
  if (rows.length === 0 || rows.some((row) => row.length !== width)) return [line];
  const drawn = (row: string[]): string => `| ${row.map((cell) => cell.trim()).join(" | ")} |`;
  return [lead, "", drawn(head), `|${"---|".repeat(width)}`, ...rows.map(drawn), "", rest];
}

export function blocks(lines: string[]): Block[] {
  const out: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    if ((lines[at] ?? "").trim() === "") {
      at += 1;
      continue;
    }
    const [block, next] = readOne(lines, at);
    out.push(block);
    at = next;
  }
  return out;
}

function List(props: { ordered: boolean; items: { depth: number; text: string }[] }): JSX.Element {
  const items = props.items.map((item, i) => (
    <li key={i} class={`depth-${item.depth}`}>
      {inline(item.text)}
    </li>
  ));
  return props.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
}

function Table(props: { head: string[]; rows: string[][] }): JSX.Element {
  return (
    <div class="scroll">
      <table class="plain">
        <thead>
          <tr>
            {props.head.map((cell, i) => (
              <th scope="col" key={i}>
                {inline(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row, i) => (
            <tr key={i}>
              {row.map((cell, k) => (
                <td key={k}>{inline(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Draw(props: { of: Block }): JSX.Element {
  const { of } = props;
  if (of.kind === "heading") return <h3>{inline(of.text)}</h3>;
  if (of.kind === "code") return <pre class="code" tabIndex={0}>{of.text}</pre>;
  if (of.kind === "rule") return <hr />;
  if (of.kind === "list") return <List ordered={of.ordered} items={of.items} />;
  if (of.kind === "table") return <Table head={of.head} rows={of.rows} />;
  if (of.kind === "quote") return <blockquote>{of.blocks.map((block, i) => <Draw of={block} key={i} />)}</blockquote>;
  return <p>{inline(of.text)}</p>;
}

export function Markdown(props: { text: string }): JSX.Element {
  return (
    <div class="markdown">
      {blocks(props.text.split(/\r?\n/).flatMap(unfold)).map((block, i) => (
        <Draw of={block} key={i} />
      ))}
    </div>
  );
}
