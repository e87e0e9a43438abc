/* The smaller sections of an experiment: masks, techniques, hypothesis, history of verdicts. A
 * section without data is not shown. */
import type { JSX } from "preact";
import { factor, isNum, percent, when } from "../format";
import { EffectMark, CheckMark, ProcessMark } from "../parts/marks";
import { Facts } from "../parts/facts";
import { Breakable, Prose, Raw } from "../parts/text";
import { list, member, number, pairs, text } from "../record";
import type { Hypothesis, Json, JsonObject, Mask, Outcome, UsedTechnique } from "../types";
import { techniqueHref } from "../words";

export function Masks(props: { masks: Mask[] | undefined }): JSX.Element | null {
  const masks = props.masks ?? [];
  if (masks.length === 0) return null;
  return (
    <section class="callout">
      <h2>Masking</h2>
      <ul>
        {masks.map((mask, i) => (
          <li key={i}>
            {mask.masked ? "Masked" : "Unmasked"} by {mask.actor ?? "somebody"}, {when(mask.at)}
            {mask.reason && <>: {mask.reason}</>}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Techniques(props: { uses: UsedTechnique[] | undefined; record: Json | undefined }): JSX.Element | null {
  const uses = props.uses ?? [];
  if (uses.length === 0) return null;
  const submitted = list(props.record);
  return (
    <section>
      <h2>{uses.length === 1 ? "Technique" : "Techniques"}</h2>
      <ul class="uses">
        {uses.map((use, i) => {
          const params = pairs(member(submitted[i], "params")).map(([key, value]) => `${key}=${value}`).join(", ");
          return (
            <li key={use.name}>
              <a class="breaks" href={techniqueHref(use.name)}><Breakable text={use.name} /></a>
              {params !== "" && <div class="small">{params}</div>}
              {use.raw && use.raw !== use.name && <div class="muted small">“{use.raw}”</div>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const PARTS: [string, string][] = [
  ["change", "Change"],
  ["rationale", "Why"],
  ["decision_link", "Based on"],
  ["risk", "Risk"],
  ["not_changed", "Not changed"],
  ["accept_if", "Accept if"],
  ["reject_if", "Reject if"],
  ["rollback", "Rollback"],
];

function expectation(one: Json): string {
  const raw = text(member(one, "raw"));
  if (raw !== "") return raw;
  const low = number(member(one, "low"));
  const high = number(member(one, "high"));
  const range = isNum(low) || isNum(high) ? ` (${low ?? "…"} to ${high ?? "…"})` : "";
  return `${text(member(one, "metric"))} ${text(member(one, "direction"))}${range}`;
}

/** The members of a hypothesis as recorded. */
export function hypothesisFields(of: Hypothesis | null | undefined): JsonObject {
  return of?.record ?? {};
}

export function HypothesisText(props: { said: string | null | undefined; record: Hypothesis | null | undefined; judged: boolean }): JSX.Element | null {
  const fields = hypothesisFields(props.record);
  const probability = number(fields["probability"]);
  const claim = text(fields["claim"]);
  /* The list form may carry the claim or only the id of the hypothesis; an id is not shown. */
  const said = claim || (/^[0-9A-HJKMNP-TV-Z]{26}$/.test(props.said ?? "") ? "" : (props.said ?? ""));
  const expected = props.judged ? "" : list(fields["expected"]).map(expectation).join("; ");
  const raw = text(fields["raw_text"]);
  if (said === "" && expected === "" && raw === "") return null;
  return (
    <section>
      <h2>Hypothesis</h2>
      {said !== "" && <Prose text={said} />}
      <Facts rows={[...PARTS.map(([key, name]): [string, string] => [name, text(fields[key])]), ["Expected", expected], ["Stated probability", isNum(probability) ? `${percent(probability)} for a win` : ""]]} />
      {raw !== "" && <Raw title="As it was written" value={raw} />}
    </section>
  );
}

export function History(props: { outcomes: Outcome[] | undefined }): JSX.Element | null {
  const outcomes = props.outcomes ?? [];
  if (outcomes.length < 2) return null;
  return (
    <section>
      <h2>Verdicts over time</h2>
      <ul class="history">
        {outcomes.map((outcome, i) => (
          <li key={i}>
            <EffectMark effect={outcome.effect} /> <b class="num">{isNum(outcome.speedup) ? factor(outcome.speedup) : ""}</b>{" "}
            <CheckMark check={outcome.correctness} bare /> <ProcessMark process={outcome.process} rules={outcome.rules} bare />
            <div class="muted small">
              {when(outcome.at)} {outcome.policy}
              {i === 0 && " · in force"}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
