/* The bottleneck of a run by each rule set: findings with their numbers, patterns that lack
 * metrics, contradictions, doubtful metrics, and techniques that the metrics suggest. The page
 * leaves the sections out when the service lacks these addresses. */
import type { JSX } from "preact";
import { getJson, lastAnswer } from "../api";
import { isNum, plural, quantity, sig, words } from "../format";
import { WordMark } from "../parts/judged";
import { Labels, Tally } from "../parts/marks";
import { PlainTable } from "../parts/plain-table";
import { Breakable, Code } from "../parts/text";
import { useAnswer } from "../state";
import type { AxisBudget, Candidate, DiagnosisOfRun, Finding, Gaps, RuleSetResult, Test, Triggers } from "../types";
import { techniqueHref } from "../words";

function tests(values: Test[] | undefined): string {
  return (values ?? []).map((one) => `${one.metric} = ${quantity(one.value)} (${one.op ?? ""} ${quantity(one.threshold)})`).join("; ");
}

function FindingItem(props: { of: Finding }): JSX.Element {
  const { of } = props;
  return (
    <li class="finding" title={tests(of.values)}>
      <p>
        <b>{words(of.pattern)}</b> <Labels labels={of.labels} /> {of.signal && <span class="label" title="a hint: it adds no label by itself">signal</span>}{" "}
        {of.confidence && <span class="muted small">{words(of.confidence)}</span>}
      </p>
      {of.symptom && <p class="small">{words(of.symptom)}</p>}
      {of.evidence && (
        <p class="small muted breaks">
          <Breakable text={of.evidence} />
        </p>
      )}
    </li>
  );
}

function NotEvaluated(props: { of: RuleSetResult }): JSX.Element | null {
  const rows = props.of.not_evaluated ?? [];
  if (rows.length === 0) return null;
  return (
    <details class="raw">
      <summary>{plural(rows.length, "pattern")} not evaluated: metrics absent</summary>
      <ul class="uses small">
        {rows.map((one, i) => (
          <li key={i}>
            <b>{words(one.pattern)}</b> {one.note && <span class="muted">{one.note}</span>}
            {(one.missing ?? []).map((name) => (
              <div key={name}>
                <Code text={name} />
              </div>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}

function RuleSetBox(props: { of: RuleSetResult }): JSX.Element {
  const { of } = props;
  const findings = of.findings ?? [];
  const labels = of.labels ?? [];
  return (
    <section class="rule-set">
      <h3>{of.name}</h3>
      <p class="rule-set-labels">{labels.length > 0 ? <Labels labels={labels} /> : <span class="muted">no label</span>}</p>
      <ul>
        {findings.map((one, i) => (
          <FindingItem of={one} key={i} />
        ))}
      </ul>
      {(of.clear ?? 0) > 0 && <p class="muted small">{plural(of.clear ?? 0, "pattern")} evaluated without a finding</p>}
      <NotEvaluated of={of} />
    </section>
  );
}

function GapLine(props: { of: Gaps }): JSX.Element {
  const { of } = props;
  const shown = (name: string, v: number | null | undefined): string => `${name} ${isNum(v) ? sig(v, 2) : "unknown"}`;
  const missing = of.unknown_inputs ?? [];
  return (
    <p class="small">
      Gaps to the roofline: {shown("compute", of.compute)}, {shown("memory", of.memory)}, {shown("latency", of.latency)}; bound:{" "}
      <b>{words(of.bound) || "unknown"}</b>.
      {missing.length > 0 && <span class="muted"> Not known: {missing.join(", ")}.</span>} <span class="muted">A roofline cannot show whether sync is the bottleneck.</span>
    </p>
  );
}

/* Divides the next attempts among the axes by their gaps. */
function BudgetLine(props: { of: AxisBudget }): JSX.Element {
  const { of } = props;
  return (
    <p class="small">
      Axis budget: compute {quantity(of.compute)}, memory {quantity(of.memory)}, latency {quantity(of.latency)}{" "}
      {of.algorithm && <span class="muted">({of.algorithm})</span>}
    </p>
  );
}

function Contradictions(props: { of: DiagnosisOfRun }): JSX.Element | null {
  const rows = props.of.contradictions ?? [];
  if (rows.length === 0) return null;
  return (
    <section class="callout warn-line contradictions">
      <h2>Declared, and contradicted by its own metrics</h2>
      <ul>
        {rows.map((one) => (
          <li key={one.label}>
            <WordMark word="contradicted" text={words(one.label)} />: {one.evidence}
          </li>
        ))}
      </ul>
    </section>
  );
}

const LISTED = 3; /* findings of one kind; more are folded */

/** Doubtful metrics, one line per finding. A finding that many metrics share is folded into one
 * line. */
function Lint(props: { of: DiagnosisOfRun }): JSX.Element | null {
  const rows = props.of.lint ?? [];
  if (rows.length === 0) return null;
  const kinds = [...new Set(rows.map((one) => one.code))].map((code) => rows.filter((one) => one.code === code));
  return (
    <section class="callout metric-lint">
      <h2>Metrics to read with care</h2>
      <ul>
        {kinds.map((same) =>
          same.length > LISTED ? (
            <li key={same[0]?.code}>
              <details>
                <summary>
                  <span class="label">{words(same[0]?.code)}</span> {plural(same.length, "metric")}
                </summary>
                <ul>
                  {same.map((one, i) => (
                    <li key={i}>{one.text}</li>
                  ))}
                </ul>
              </details>
            </li>
          ) : (
            same.map((one, i) => (
              <li key={`${one.code} ${i}`}>
                <span class="label">{words(one.code)}</span> {one.text}
              </li>
            ))
          ),
        )}
      </ul>
    </section>
  );
}

export function DiagnosisOf(props: { run: string }): JSX.Element | null {
  const url = `/api/v1/runs/${encodeURIComponent(props.run)}/diagnosis`;
  const answer = useAnswer<DiagnosisOfRun>(url, (signal) => getJson(url, signal), lastAnswer<DiagnosisOfRun>(url));
  const of = answer.data;
  if (!of) return null;
  const sets = of.rule_sets ?? [];
  const said = sets.filter((set) => (set.findings ?? []).length + (set.labels ?? []).length > 0);
  const silent = sets.filter((set) => !said.includes(set));
  return (
    <section class="diagnosis">
      <h2>Bottleneck by rule set</h2>
      {(of.declared ?? []).length > 0 && (
        <p>
          Declared: <Labels labels={of.declared} />
        </p>
      )}
      <Contradictions of={of} />
      {said.length === 0 && <p class="muted">No rule set finds anything in the metrics of this run.</p>}
      <div class="rule-sets">
        {[...said, ...silent].map((set) => (
          <RuleSetBox of={set} key={set.name} />
        ))}
      </div>
      {of.gaps && <GapLine of={of.gaps} />}
      {of.axis_budget && <BudgetLine of={of.axis_budget} />}
      <Lint of={of} />
    </section>
  );
}

const GATES: Record<string, string> = { architecture: "needs", feature: "lacks", unknown: "not known" };

function gateText(of: Candidate): JSX.Element {
  const gate = of.gate;
  if (!gate) return <span class="faint">–</span>;
  const why = `${GATES[gate.why ?? ""] ?? words(gate.why)} ${gate.missing ?? ""}`.trim();
  if (gate.ok === true) return <WordMark word="ok" text="can" />;
  return <WordMark word={gate.ok === false ? "missing" : "unknown"} text={why} />;
}

export function TriggersOf(props: { run: string }): JSX.Element | null {
  const url = `/api/v1/runs/${encodeURIComponent(props.run)}/triggers`;
  const answer = useAnswer<Triggers>(url, (signal) => getJson(url, signal), lastAnswer<Triggers>(url));
  if (!answer.data) return null;
  const { rows, not_evaluated: silent = [] } = answer.data;
  if (rows.length + silent.length === 0) return null;
  return (
    <section class="triggers">
      <h2>Techniques that its metrics suggest, strongest first</h2>
      {rows.length === 0 ? (
        <p class="muted">No evaluated trigger fires.</p>
      ) : (
        <PlainTable
          walk
          heads={[">Strength", "Technique", "Because", "Chip", ">Tried, won, lost"]}
          rows={rows.map((row) => ({
            key: row.method ?? row.technique,
            cells: [
              <b class="num" key="s">{isNum(row.strength) ? row.strength.toFixed(2) : "–"}</b>,
              <span key="t">
                <a data-open="" class="breaks" href={techniqueHref(row.technique)}><Breakable text={row.title || row.technique} /></a>
                <div class="muted small">
                  {[row.axis, isNum(row.priority) ? `priority ${row.priority}` : "", (row.conflicts_with ?? []).length > 0 ? `not with ${row.conflicts_with?.join(", ")}` : ""].filter(Boolean).join(" · ")}
                </div>
              </span>,
              <span key="b" class="small">
                <Code text={row.metric} /> {isNum(row.value) && <b>{quantity(row.value)}</b>}
                {isNum(row.good) && isNum(row.bad) && <div class="muted">good {quantity(row.good)}, bad {quantity(row.bad)}</div>}
              </span>,
              gateText(row),
              <Tally key="c" tried={row.tried ?? 0} won={row.won ?? 0} lost={row.lost ?? 0} />,
            ],
          }))}
        />
      )}
      {silent.length > 0 && (
        <details class="raw">
          <summary>{plural(silent.length, "trigger")} not evaluated</summary>
          <ul class="uses small">
            {silent.map((row, i) => (
              <li key={i}>
                <a href={techniqueHref(row.technique)}>{row.technique}</a>: {words(row.why)} {row.metric && <Code text={row.metric} />}
              </li>
            ))}
          </ul>
        </details>
      )}
      {(answer.data.not_needed ?? 0) > 0 && <p class="muted small">{plural(answer.data.not_needed ?? 0, "trigger")} evaluated and not needed.</p>}
    </section>
  );
}
