/* Buttons to report the use of a piece of advice, and the past results of such advice. Reporting
 * needs a contributor's token. The service links experiments to advice without a report, too, but
 * more reliably after "applied". */
import { createContext } from "preact";
import type { JSX } from "preact";
import { useContext, useState } from "preact/hooks";
import { ApiProblem, postJson } from "../api";
import { plural } from "../format";
import { useSession } from "../state";
import type { AdviceLine } from "../types";

type Event = "opened" | "applied" | "dismissed";

/** The id of the shown answer, and the past results of its techniques. */
export interface Advised {
  id: string | null;
  record: AdviceLine[];
}
export const AdvisedContext = createContext<Advised>({ id: null, record: [] });

const READERS = ["reader", "public"];

function useReport(): { say: ((event: Event, technique: string) => Promise<void>) | null } {
  const { me } = useSession();
  const { id } = useContext(AdvisedContext);
  if (!id || !me || READERS.includes(me.role)) return { say: null };
  return { say: (event, technique) => postJson(`/api/v1/advice/${id}/events`, { event, technique }).then(() => undefined) };
}

/** Returns a function to call when the user opens TECHNIQUE. It reports the event once and does not
 * wait for the answer. */
export function useOpened(technique: string): () => void {
  const { say } = useReport();
  const [said, setSaid] = useState(false);
  return () => {
    if (said || !say) return;
    setSaid(true);
    void say("opened", technique).catch(() => undefined);
  };
}

/** "Recommended 6 times for such a question: 3 worked, 1 did not." Nothing while there are no
 * results. */
export function PastAdvice(props: { technique: string }): JSX.Element | null {
  const { record } = useContext(AdvisedContext);
  const lines = record.filter((line) => line.technique === props.technique);
  const sum = (name: "served" | "worked" | "did_not" | "inconclusive"): number => lines.reduce((n, line) => n + line[name], 0);
  if (sum("worked") + sum("did_not") + sum("inconclusive") === 0) return null;
  const parts = [`${sum("worked")} worked`, `${sum("did_not")} did not`];
  if (sum("inconclusive") > 0) parts.push(`${sum("inconclusive")} inconclusive`);
  return <p class="muted small past-advice">Recommended {plural(sum("served"), "time")} for such a question: {parts.join(", ")}.</p>;
}

/** Buttons "I applied this" and "Not for me", then the confirmation. */
export function ReportButtons(props: { technique: string }): JSX.Element | null {
  const { say } = useReport();
  const [said, setSaid] = useState<Event | null>(null);
  const [problem, setProblem] = useState("");
  if (!say) return null;
  const tell = (event: Event) => (): void => {
    setProblem("");
    setSaid(event);
    say(event, props.technique).catch((error: unknown) => {
      setSaid(null);
      setProblem(error instanceof ApiProblem ? error.detail : String(error));
    });
  };
  return (
    <p class="saying small">
      <button type="button" disabled={said === "applied"} onClick={tell("applied")}>I applied this</button>
      <button type="button" class="quiet" disabled={said === "dismissed"} onClick={tell("dismissed")}>Not for me</button>
      <span role="status" class={problem ? "warn-text" : "muted"}>
        {problem || (said === "applied" ? "Noted. The next experiment with it counts as its outcome." : said === "dismissed" ? "Noted." : "")}
      </span>
    </p>
  );
}
