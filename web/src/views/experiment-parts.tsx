/* The smaller sections of an experiment: broken rules, masks, techniques, hypothesis, attributions,
 * history of verdicts. Each shows nothing when there is nothing. */
import type { JSX } from "preact";
import { duration, factor, isNum, when, words } from "../format";
import { EffectMark, CheckMark, ProcessMark } from "../parts/marks";
import { Facts } from "../parts/facts";
import { Prose, Raw } from "../parts/text";
import { list, member, number, object, pairs, text } from "../record";
import type { Json, JsonObject, Mask, Outcome, TechniqueUse } from "../types";

export function Violations(props: { rules: string[] | undefined; said: Json[] }): JSX.Element | null {
  const details = new Map(props.said.map((one) => [text(member(one, "rule")), text(member(one, "detail"))]));
  const rules = [...new Set([...(props.rules ?? []), ...details.keys()])].filter((rule) => rule !== "");
  if (rules.length === 0) return null;
  return (
    <section class="callout warn-line">
      <h2>Rules of the process that were broken</h2>
      <ul>
        {rules.map((rule) => (
          <li key={rule}>
            <b>{words(rule)}</b>
            {details.get(rule) && <>: {details.get(rule)}</>}
          </li>
        ))}
      </ul>
    </section>
  );
}

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

export function Techniques(props: { uses: TechniqueUse[] | undefined; record: Json | undefined }): JSX.Element | null {
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
              <a href={`/query?technique=${encodeURIComponent(use.name)}`}>{use.name}</a>
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

export function HypothesisText(props: { said: string | null | undefined; record: JsonObject | null | undefined }): JSX.Element | null {
  const { record } = props;
  const inner = object(record?.["record"]);
  const fields = Object.keys(inner).length > 0 ? inner : object(record);
  const claim = text(fields["claim"]);
  /* The list form may carry the claim or only the id of the hypothesis; an id says nothing here. */
  const said = claim || (/^[0-9A-HJKMNP-TV-Z]{26}$/.test(props.said ?? "") ? "" : (props.said ?? ""));
  const expected = list(fields["expected"]).map(expectation).join("; ");
  const raw = text(fields["raw_text"]);
  if (said === "" && expected === "" && raw === "") return null;
  return (
    <section>
      <h2>Hypothesis</h2>
      {said !== "" && <Prose text={said} />}
      <Facts rows={[...PARTS.map(([key, name]): [string, string] => [name, text(fields[key])]), ["Expected", expected]]} />
      {raw !== "" && <Raw title="As it was written" value={raw} />}
    </section>
  );
}

export function Attributions(props: { rows: JsonObject[] | undefined }): JSX.Element | null {
  const rows = props.rows ?? [];
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>What the gain is due to</h2>
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Technique</th>
            <th scope="col">Contributed</th>
            <th scope="col" class="right">Share of time</th>
            <th scope="col" class="right">Noise</th>
            <th scope="col">Note</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => {
            const at = (name: string): Json | undefined => row[name] ?? member(row["record"], name);
            const pct = number(at("attribution_pct"));
            const noise = number(at("noise_pct"));
            return (
              <tr key={i}>
                <td>{text(at("technique"))}</td>
                <td>{words(text(at("contributed")))}</td>
                <td class="right">{isNum(pct) ? `${pct.toFixed(1)} %` : duration(number(at("attribution_ns")))}</td>
                <td class="right">{isNum(noise) ? `± ${noise.toFixed(1)} %` : "–"}</td>
                <td>{text(at("note"))}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
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
