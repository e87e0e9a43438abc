/* Lists of name and value, and where a record comes from. An address is only a link when it is
 * http(s): anybody may have written the text. */
import type { ComponentChildren, JSX } from "preact";
import { member, text } from "../record";
import type { Json } from "../types";

export type Fact = [string, ComponentChildren];

/** Rows whose value is absent are left out. */
export function Facts(props: { rows: Fact[] }): JSX.Element {
  const rows = props.rows.filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false);
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Outside(props: { url: string }): JSX.Element {
  if (!/^https?:\/\//i.test(props.url)) return <span>{props.url}</span>;
  return (
    <a href={props.url} target="_blank" rel="noreferrer noopener">
      {props.url.replace(/^https?:\/\//i, "")}
    </a>
  );
}

export function Provenance(props: { record: Json | undefined }): JSX.Element | null {
  const of = (name: string): string => text(member(props.record, "provenance", name));
  if (member(props.record, "provenance") === undefined) return null;
  const quote = of("quote");
  return (
    <section>
      <h2>Source</h2>
      <Facts
        rows={[
          ["System", of("system")],
          ["Source", of("url") && <Outside url={of("url")} />],
          ["Path", of("path") && <code>{of("path")}</code>],
          ["Commit", of("commit") && <code>{of("commit")}</code>],
          ["Id in that system", of("external_id") && <code>{of("external_id")}</code>],
          ["Licence", of("licence")],
        ]}
      />
      {quote !== "" && <blockquote>{quote}</blockquote>}
    </section>
  );
}
