/* Text with the found words marked. Always text nodes, never markup: what is stored may have been
 * written by anybody. */
import type { ComponentChildren, JSX } from "preact";

const START = "\u0002";
const END = "\u0003";

/** A snippet of /api/v1/search: hits stand between U+0002 and U+0003. */
export function Snippet(props: { text: string }): JSX.Element {
  const out: ComponentChildren[] = [];
  for (const [i, piece] of props.text.split(START).entries()) {
    const end = piece.indexOf(END);
    if (i === 0 || end === -1) out.push(piece.split(END).join(""));
    else out.push(<mark key={i}>{piece.slice(0, end)}</mark>, piece.slice(end + 1));
  }
  return <>{out}</>;
}

/** TEXT with every word of QUERY marked. */
export function Found(props: { text: string; query: string }): JSX.Element {
  const wanted = props.query.split(/\s+/).filter((word) => word.length > 1).map((word) => word.toLowerCase());
  if (wanted.length === 0) return <>{props.text}</>;
  const pattern = new RegExp(`(${wanted.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "gi");
  return (
    <>
      {props.text.split(pattern).map((piece, i) => (i % 2 === 1 ? <mark key={i}>{piece}</mark> : piece))}
    </>
  );
}

/** Long names may break after an underscore, a point or a slash. */
export function Breakable(props: { text: string | null | undefined }): JSX.Element {
  return (
    <>
      {(props.text ?? "").split(/(?<=[_./])(?=\w)/).map((piece, i) => [i > 0 && <wbr key={i} />, piece])}
    </>
  );
}

/** An identifier or path that may break like Breakable. */
export function Code(props: { text: string | null | undefined; title?: string }): JSX.Element | null {
  if (!props.text) return null;
  return (
    <code class="breaks" title={props.title}>
      <Breakable text={props.text} />
    </code>
  );
}

/** Paragraphs as they were written. */
export function Prose(props: { text: string }): JSX.Element {
  return <p class="prose">{props.text}</p>;
}

/** JSON for people who want everything. */
export function Raw(props: { title: string; value: unknown }): JSX.Element {
  return (
    <details class="raw">
      <summary>{props.title}</summary>
      <pre>{JSON.stringify(props.value, null, 2)}</pre>
    </details>
  );
}
