/* A campaign in a few lines: goal, state, how many of the expected experiments arrived. The service
 * raises the alarm when a campaign is over and experiments are missing. */
import type { JSX } from "preact";
import { isNum, when, words } from "../format";
import { WordMark } from "../parts/judged";
import type { Campaign } from "../types";

export function CampaignLine(props: { of: Campaign; kernel?: string | null | undefined }): JSX.Element {
  const { of } = props;
  const { standing } = of;
  const kernel = of.kernel ?? props.kernel;
  const arrived = standing.arrived ?? 0;
  const expected = isNum(standing.expected_records) ? `${arrived} of ${standing.expected_records} experiments arrived` : `${arrived} experiments arrived`;
  const closed = standing.close_reason === of.stop_reason ? "" : standing.close_reason;
  const why = [words(of.stop_reason), closed].filter(Boolean).join(": ");
  return (
    <div class={standing.alarm ? "campaign alarm" : "campaign"}>
      <p>
        <b>{kernel ? <a href={`/kernel/${kernel}`}>{of.label}</a> : of.label}</b> <WordMark word={standing.state} />{" "}
        {standing.alarm && <WordMark word="alarm" text="records are missing" />}
      </p>
      {of.goal && <p class="small">{of.goal}</p>}
      <p class="muted small">
        {expected}
        {isNum(standing.iterations) && `, ${standing.iterations} iterations planned`}
        {of.started_at && ` · ${when(of.started_at)}`}
        {of.ended_at && `${of.started_at ? " to" : " · until"} ${when(of.ended_at)}`}
        {why !== "" && ` · ${why}`}
      </p>
      {of.retrospective && <p class="prose small">{of.retrospective}</p>}
    </div>
  );
}
