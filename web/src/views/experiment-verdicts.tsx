/* Derived verdicts on an experiment beside its outcome: process rules, hypothesis against
 * measurements, accept and reject rule, techniques, and the sum of their shares. A section without
 * data is not shown. */
import type { ComponentChildren, JSX } from "preact";
import { getJson } from "../api";
import { change, duration, isNum, plural, quantity, words } from "../format";
import { WordMark } from "../parts/judged";
import { PlainTable } from "../parts/plain-table";
import { Breakable, Code } from "../parts/text";
import { member, number, text } from "../record";
import { useAnswer } from "../state";
import type { Attribution, Clause, ExperimentFull, Json, Judgement, Page, Rule, TechniqueVerdict, Watched } from "../types";
import { techniqueHref } from "../words";

function RuleLine(props: { name: string; help: string | undefined; detail: string | undefined  }): JSX.Element {
  return (
    <li>
      <b>{words(props.name)}</b>
      {props.detail && <>: {props.detail}</>}
      {props.help && <div class="muted small">{props.help}</div>}
    </li>
  );
}

/** Broken rules and flags, each with its help text from the service's table; what is missing in one line. */
export function RulesAndFlags(props: { rules: string[] | undefined; flags: string[] | undefined; missing: string[] | undefined; said: Json[] }): JSX.Element | null {
  const details = new Map(props.said.map((one) => [text(member(one, "rule")), text(member(one, "detail"))]));
  const broken = [...new Set([...(props.rules ?? []), ...details.keys()])].filter((rule) => rule !== "");
  const flags = props.flags ?? [];
  const missing = (props.missing ?? []).map(words).join(", ");
  const none = broken.length + flags.length + missing.length === 0;
  const table = useAnswer<Page<Rule>>(none ? null : "rules", (signal) => getJson("/api/v1/_rules", signal));
  if (none) return null;
  const help = new Map((table.data?.rows ?? []).map((rule) => [rule.name, rule.help]));
  const lines = (names: string[]): JSX.Element[] =>
    names.map((name) => <RuleLine key={name} name={name} help={help.get(name)} detail={details.get(name)} />);
  return (
    <>
      {broken.length > 0 && (
        <section class="callout warn-line rules">
          <h2>Broken process rules</h2>
          <ul>{lines(broken)}</ul>
        </section>
      )}
      {flags.length > 0 && (
        <section class="callout flags">
          <h2>Flags: unusual, but not necessarily wrong</h2>
          <ul>{lines(flags)}</ul>
        </section>
      )}
      {missing !== "" && <p class="muted missing">missing: {missing}</p>}
    </>
  );
}

function expectedText(one: Json): string {
  const low = number(member(one, "low"));
  const high = number(member(one, "high"));
  const direction = text(member(one, "direction"));
  const range = isNum(low) && isNum(high) ? `${quantity(low)} to ${quantity(high)}` : isNum(low) ? `at least ${quantity(low)}` : isNum(high) ? `at most ${quantity(high)}` : "";
  return [direction, range].filter(Boolean).join(", ") || text(member(one, "raw"));
}

/* The expectation that a judgement is about: the n-th of that metric. */
function expectationOf(judged: Judgement[], at: number, expected: Json[]): Json | undefined {
  const metric = judged[at]?.metric;
  const nth = judged.slice(0, at).filter((one) => one.metric === metric).length;
  return expected.filter((one) => text(member(one, "metric")) === metric)[nth];
}

function moved(before: number | null | undefined, after: number | null | undefined): ComponentChildren {
  if (!isNum(before) && !isNum(after)) return <span class="faint">not measured</span>;
  return (
    <span class="nowrap">
      {quantity(before)} → {quantity(after)} <span class="muted">{change(before, after)}</span>
    </span>
  );
}

/** Each expected change of a metric against its measurement. */
export function Judgements(props: { rows: Judgement[] | undefined; expected: Json[]; verdict: string | null | undefined }): JSX.Element | null {
  const rows = props.rows ?? [];
  if (rows.length === 0 && !props.verdict) return null;
  return (
    <section class="judgements">
      <h2>
        The claim against the numbers <WordMark word={props.verdict} help="verdict on the hypothesis" />
      </h2>
      {rows.length > 0 && (
        <PlainTable
          heads={["Verdict", "Metric", "Claimed", "Before → after"]}
          rows={rows.map((row, i) => ({
            key: String(i),
            cells: [
              <WordMark word={row.verdict} help={row.why} key="v" />,
              <Code key="m" text={row.metric} title={row.why ?? ""} />,
              expectedText(expectationOf(rows, i, props.expected) ?? null),
              moved(row.before, row.after),
            ],
          }))}
        />
      )}
    </section>
  );
}

function Clauses(props: { title: string; rows: Clause[] | undefined }): JSX.Element | null {
  const rows = props.rows ?? [];
  if (rows.length === 0) return null;
  return (
    <li>
      <span class="muted">{props.title}</span>
      <ul class="indent">
        {rows.map((row, i) => (
          <li key={i}>
            <WordMark word={row.truth} help={row.why} bare /> {row.clause} {row.why && <span class="muted small">{row.why}</span>}
          </li>
        ))}
      </ul>
    </li>
  );
}

/** The decision by the hypothesis's own rule. */
export function Decision(props: { of: ExperimentFull }): JSX.Element | null {
  const { decision } = props.of;
  const done = text(props.of.record?.["decision"]);
  if (!decision && done === "") return null;
  return (
    <section class="decision">
      <h2>Accept or reject</h2>
      {decision && (
        <>
          <p>
            <b><WordMark word={decision.decision} /></b> {decision.why && <span class="muted">: {decision.why}</span>}
          </p>
          <ul>
            <Clauses title="Accept if" rows={decision.accept} />
            <Clauses title="Reject if" rows={decision.reject} />
          </ul>
        </>
      )}
      {done !== "" && <p class="small">Decision taken: <b>{words(done)}</b></p>}
    </section>
  );
}

export function WatchList(props: { rows: Watched[] | undefined }): JSX.Element | null {
  const rows = props.rows ?? [];
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>Watched for regressions</h2>
      <PlainTable
        heads={["State", "Metric", "Before → after"]}
        rows={rows.map((row, i) => ({
          key: String(i),
          cells: [<WordMark word={row.state} key="s" />, <Code key="m" text={row.metric} />, moved(row.before, row.after)],
        }))}
      />
    </section>
  );
}

/* The share of the gain that ablation attributes to a technique. */
function share(row: Attribution | undefined): ComponentChildren {
  if (!row) return <span class="faint">no ablation</span>;
  const pct = row.attribution_pct;
  const ns = row.attribution_ns;
  const noise = row.noise_pct;
  const by = isNum(pct) ? `${pct.toFixed(1)} %` : isNum(ns) ? duration(ns) : "no number";
  return (
    <span class="nowrap" title={`${isNum(ns) ? `${ns} ns slower without it. ` : ""}${row.note ?? ""}`}>
      {by} {isNum(noise) && <span class="muted small">noise {noise.toFixed(1)} %</span>}
    </span>
  );
}

function ablatedHref(of: ExperimentFull, row: Attribution | undefined): string {
  const version = row?.ablated_version ?? "";
  return version !== "" && of.to_version ? `/compare/${version}/${of.to_version}` : "";
}

/** Each technique: verdict, reason, share by ablation, machine code check. */
export function TechniqueVerdicts(props: { of: ExperimentFull }): JSX.Element | null {
  const { of } = props;
  const verdicts: TechniqueVerdict[] = of.technique_verdicts ?? [];
  const shares = new Map((of.attributions ?? []).map((row) => [row.technique, row]));
  const names = [...new Set([...verdicts.map((row) => row.technique), ...shares.keys()])];
  if (names.length === 0) return null;
  return (
    <section class="technique-verdicts">
      <h2>Verdicts on techniques</h2>
      <PlainTable
        heads={["Technique", "Verdict", "Ablation", "Machine code"]}
        rows={names.map((name) => {
          const verdict = verdicts.find((row) => row.technique === name);
          const row = shares.get(name);
          const ablated = ablatedHref(of, row);
          return {
            key: name,
            cells: [
              <a href={techniqueHref(name)} key="t" class="breaks"><Breakable text={name} /></a>,
              <span key="v">
                <WordMark word={verdict?.verdict} help={verdict?.why} />
                {verdict?.why && <div class="muted small">{verdict.why}</div>}
                {row?.note && <div class="muted small">{row.note}</div>}
              </span>,
              <span key="a">
                {share(row)} {ablated !== "" && <div class="small"><a href={ablated}>without it</a></div>}
              </span>,
              <WordMark word={verdict?.isa} key="i" help="whether the machine code shows it" />,
            ],
          };
        })}
      />
      <Residual of={of} />
    </section>
  );
}

function Residual(props: { of: ExperimentFull }): JSX.Element | null {
  const { synergy } = props.of;
  if (!synergy || !isNum(synergy.total_ns)) return null;
  const unknown = synergy.unknown ?? 0;
  return (
    <p class="small">
      Gain {duration(synergy.total_ns)}{isNum(synergy.sum_ns) ? `, ablations account for ${duration(synergy.sum_ns)}` : "; the sum of its parts is unknown"}
      {isNum(synergy.residual_ns) && (
        <>
          ; residual <b>{duration(synergy.residual_ns)}</b>
          {isNum(synergy.residual_pct) && ` (${synergy.residual_pct.toFixed(1)} % of the gain)`}
          {synergy.residual_ns < 0 ? ": the parts overlap" : ": the gain exceeds the sum of its parts"}
        </>
      )}
      {unknown > 0 && <span class="muted">. {plural(unknown, "technique")} without an ablation: the residual includes their effects</span>}
      {synergy.gain_from_parameters && <span class="warn-text">. The gain comes from parameters, not from a technique</span>}.
    </p>
  );
}
