/* The smaller sections of a run: remarks on its measurement, machine, sender. A section without
 * data is not shown. */
import type { JSX } from "preact";
import { getJson, lastAnswer } from "../api";
import { duration, group, isNum, words } from "../format";
import { readable, remarks } from "../measurement";
import { Facts } from "../parts/facts";
import type { Fact } from "../parts/facts";
import { member, object, text } from "../record";
import { useAnswer } from "../state";
import type { Json, JsonObject } from "../types";

/** Errors, losses and flags, shown below the numbers because they limit the trust in them. */
export function Remarks(props: { record: JsonObject | undefined }): JSX.Element | null {
  const said = remarks(props.record);
  if (said.length === 0) return null;
  return (
    <section class={said.some((one) => one.tone === "bad") ? "callout bad-line" : "callout warn-line"} role="note">
      <h2>{props.record?.["error"] ? "What went wrong" : "Read these numbers with care"}</h2>
      <ul>
        {said.map((one, i) => (
          <li key={i}>
            <span class="label">{one.title}</span> {one.text}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The remarks as short labels with the sentence as tooltip, for a run in a list. */
export function InShort(props: { record: JsonObject | undefined }): JSX.Element {
  const said = remarks(props.record);
  const once = said.filter((one, i) => said.findIndex((other) => other.title === one.title) === i);
  return (
    <>
      {once.map((one, i) => (
        <span key={i}>
          {" "}
          <span class={one.tone === "bad" ? "label bad" : "label"} title={one.text}>
            {one.title}
          </span>
        </span>
      ))}
    </>
  );
}

/** What the correctness check printed. */
export function CheckSaid(props: { record: JsonObject | undefined }): JSX.Element | null {
  const said = text(member(props.record, "correctness", "message")).trim();
  const status = text(member(props.record, "correctness", "status"));
  if (said === "") return null;
  return (
    <details class="raw" open={status === "fail" || status === "timeout"}>
      <summary>Output of the correctness check</summary>
      <pre>{said}</pre>
    </details>
  );
}

export function Readable(props: { title: string; rows: [string, Json][] }): JSX.Element | null {
  if (props.rows.length === 0) return null;
  return (
    <section>
      <h2>{props.title}</h2>
      <Facts rows={props.rows.map(([key, value]): Fact => readable(key, value))} />
    </section>
  );
}

/** Copies and fills beside the kernels, and why there is no machine code. */
export function Beside(props: { record: JsonObject | undefined }): JSX.Element | null {
  const rows: Fact[] = Object.entries(object(member(props.record, "extra", "copies"))).map(([kind, of]) => {
    const count = member(of, "count");
    const bytes = member(of, "bytes");
    const ns = member(of, "ns");
    const parts = [isNum(count) && `${group(String(count))}×`, isNum(bytes) && `${group(String(bytes))} B`, isNum(ns) && duration(ns)];
    return [words(kind), parts.filter(Boolean).join(", ")];
  });
  const none = text(member(props.record, "extra", "isa", "unavailable"));
  if (none !== "") rows.push(["machine code", `not read: ${none}`]);
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>Copies, fills and machine code</h2>
      <Facts rows={rows} />
    </section>
  );
}

/** The machine; first the hard fields, whose differences make measurements incomparable. */
export function Machine(props: { id: string | null | undefined }): JSX.Element | null {
  const url = props.id ? `/api/v1/environments/${encodeURIComponent(props.id)}` : null;
  const answer = useAnswer<JsonObject>(url, (signal) => getJson(url ?? "", signal), url ? lastAnswer<JsonObject>(url) : undefined);
  const rows = [...Object.entries(object(answer.data?.["hard"])), ...Object.entries(object(answer.data?.["soft"]))];
  return <Readable title="Machine" rows={rows} />;
}

interface Submission {
  actor?: string;
  author?: { name?: string; kind?: string };
}

/** The sender of the document: "gpu-7 (agent)". */
export function Sender(props: { document: string | null | undefined }): JSX.Element | null {
  const url = props.document ? `/api/v1/submissions/${encodeURIComponent(props.document)}` : null;
  const answer = useAnswer<Submission>(url, (signal) => getJson(url ?? "", signal), url ? lastAnswer<Submission>(url) : undefined);
  const actor = answer.data?.actor ?? "";
  if (actor === "") return null;
  return <>{actor.startsWith("agent:") ? `${actor.slice("agent:".length)} (agent)` : actor}</>;
}
