/* One technique in the answer of Ask, and the experiments it rests on. */
import type { JSX } from "preact";
import { percent, plural, words } from "../format";
import { CheckMark, EffectMark, EffectSize, EvidenceMark, ProcessMark, Tally } from "../parts/marks";
import { PastAdvice, ReportButtons, useOpened } from "../parts/feedback";
import { Chance, Gain } from "../parts/probability";
import { Repeated } from "../parts/repeated";
import { fromWhere, oneMore, searchText, stepRows } from "../steps";
import type { Advice, Cited } from "../types";
import { languageName, techniqueHref } from "../words";

export function CitedList(props: { rows: Cited[] }): JSX.Element {
  return (
    <table class="plain cited">
      <tbody>
        {props.rows.map((row) => (
          <tr key={row.experiment}>
            <td class="nowrap">
              <EffectSize effect={row.effect} speedup={row.speedup} />
            </td>
            <td class="nowrap">
              <CheckMark check={row.correctness} bare /> <ProcessMark process={row.process} bare />
            </td>
            <td>
              <a href={`/${row.sweep ? "sweeps" : "experiments"}/${row.experiment}`}>{row.title || "experiment"}</a>
            </td>
            <td class="muted nowrap">{[row.operator, languageName(row.language), row.chip].filter(Boolean).join(" · ")}</td>
            <td class="muted nowrap">{fromWhere(row)}</td>
            <td>
              <EvidenceMark evidence={row.evidence} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function travelled(advice: Advice): string {
  const counts = Object.entries(advice.travel?.counts ?? {}).filter(([, n]) => n > 0);
  return counts.map(([name, n]) => `${n} ${name}`).join(", ");
}

function faults(advice: Advice): string {
  const out: string[] = [];
  if (advice.said_lost) out.push(`${advice.said_lost} reported as failed, without numbers`);
  if (advice.against?.length) out.push(`meant for ${advice.against.map(words).join(" or ")}, not for the bottleneck here`);
  if (advice.contested) out.push("mixed results: the nearest evidence has wins and losses");
  if (advice.incorrect) out.push(`${plural(advice.incorrect, "result")} incorrect`);
  if (advice.process_faults) out.push(`${advice.process_faults} with a broken process rule`);
  return out.join(" · ");
}

/* "why 62 %?": how each level of evidence changed the probability. */
function Steps(props: { advice: Advice }): JSX.Element | null {
  const { advice } = props;
  const rows = stepRows(advice);
  if (rows.length === 0 || !advice.p_win) return null;
  return (
    <details class="steps">
      <summary data-fold="">why {percent(advice.p_win.value)}?</summary>
      <table class="plain">
        <tbody>
          {rows.map((row) => (
            <tr key={row.level}>
              <td>{words(row.level)}</td>
              <td class="muted">{row.from}</td>
              <td class="right nowrap">{row.chance}</td>
              <td class="muted nowrap">{row.moved}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="muted small">{oneMore(advice)}</p>
    </details>
  );
}

export function AdviceCard(props: { advice: Advice }): JSX.Element {
  const { advice } = props;
  const evidence = advice.evidence ?? [];
  const kind = [words(advice.axis), words(advice.layer)].filter(Boolean).join(" · ");
  const trouble = faults(advice);
  const opened = useOpened(advice.technique);
  return (
    <article class="advice" data-row="" tabIndex={-1}>
      <header>
        <h3>
          <a data-open="" href={techniqueHref(advice.technique)}>
            {advice.title || advice.technique}
          </a>{" "}
          <span class="muted small">{kind}</span>
        </h3>
        <Tally tried={advice.tried} won={advice.won} lost={advice.lost} named />
      </header>
      <div class="odds">
        <span class="muted small">Wins here</span>
        <Chance of={advice.p_win} hardlyKnown={advice.hardly_known} />
        <span class="muted small">Expected</span>
        <Gain of={advice.gain} />
      </div>
      {(advice.why || advice.summary) && <p>{advice.why || advice.summary}</p>}
      {searchText(advice) !== "" && <p class="small">{searchText(advice)}</p>}
      <Repeated of={advice.repeats} />
      <p class="muted small">
        {advice.tried_here ? `${advice.tried_here} tried on this operator and chip` : "Never tried on this operator and chip"}
        {travelled(advice) !== "" && <> · evidence from: {travelled(advice)}</>}
        {trouble !== "" && (
          <>
            {" · "}
            <span class="warn-text">{trouble}</span>
          </>
        )}
      </p>
      {evidence.length > 0 && (
        <details onToggle={(event) => event.currentTarget.open && opened()}>
          <summary data-fold="">
            {plural(evidence.length, "experiment")} behind this{" "}
            {evidence.map((row) => (
              <EffectMark key={row.experiment} effect={row.effect} bare />
            ))}
          </summary>
          <CitedList rows={evidence} />
        </details>
      )}
      <Steps advice={advice} />
      <PastAdvice technique={advice.technique} />
      <ReportButtons technique={advice.technique} />
    </article>
  );
}
