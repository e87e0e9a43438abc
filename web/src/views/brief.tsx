/* The service's brief on a kernel: sentences in sections, each with the records that it rests on. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { address, getJson } from "../api";
import { Loading, Problem } from "../parts/notice";
import { useAnswer } from "../state";
import type { Brief } from "../types";

function Sections(props: { url: string }): JSX.Element {
  const { url } = props;
  const answer = useAnswer<Brief>(url, (signal) => getJson(url, signal));
  if (answer.error) return <Problem problem={answer.error} again={answer.again} />;
  if (!answer.data) return <Loading rows={4} />;
  return (
    <>
      {answer.data.sections.map((of) => (
        <section key={of.section}>
          <h3>{of.title}</h3>
          <ul>
            {of.lines.map((line) => (
              <li class="breaks" key={line}>{line}</li>
            ))}
          </ul>
        </section>
      ))}
      {answer.data.left_out && <p class="muted small">Left out: {answer.data.left_out}</p>}
    </>
  );
}

/** The brief on KERNEL, asked for when it is opened. */
export function BriefOf(props: { kernel: string; workload: string | null }): JSX.Element {
  const [open, setOpen] = useState(false);
  const url = address("/api/v1/brief", { kernel: props.kernel, workload: props.workload, quiet: "true", max_bytes: "12000" });
  return (
    <details class="raw brief" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Brief: where it stands, what to try, dead ends</summary>
      {open && <Sections url={url} />}
    </details>
  );
}
