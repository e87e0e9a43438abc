/* Metrics before and after, side by side, with the change and, where the catalogue knows a
 * direction, whether the change is for the better. A missing value shows its reason. */
import type { JSX } from "preact";
import { getJson } from "../api";
import { change, isNum, plural, quantity, words } from "../format";
import { Code } from "./text";
import { unitOf } from "../record";
import type { MetricValue } from "../record";
import { useAnswer } from "../state";
import type { MetricDefinition, Page } from "../types";

function Value(props: { metric: MetricValue | undefined }): JSX.Element {
  const { metric } = props;
  if (metric === undefined) return <span class="faint">–</span>;
  if (!isNum(metric.value)) return <span class="faint">{words(metric.missing) || "no value"}</span>;
  const spread = isNum(metric.std) ? ` ± ${quantity(metric.std)}` : "";
  const count = isNum(metric.n) ? `, n=${metric.n}` : "";
  return <span title={`${metric.value}${spread}${count}`}>{quantity(metric.value)}</span>;
}

const SAME_WITHIN = 0.005; /* smaller relative differences count as no change, as in the service */

/* "good" or "bad"; "" when nothing changed, or when the direction or a value is unknown. */
function judge(def: MetricDefinition | undefined, before: number | undefined, after: number | undefined): string {
  if (!def || !isNum(before) || !isNum(after) || before === after) return "";
  if (Math.abs(after - before) <= SAME_WITHIN * Math.abs(before)) return "";
  if (def.direction !== "higher" && def.direction !== "lower") return "";
  return after > before === (def.direction === "higher") ? "good" : "bad";
}

function Change(props: { def: MetricDefinition | undefined; before: MetricValue | undefined; after: MetricValue | undefined }): JSX.Element {
  const before = props.before?.value;
  const after = props.after?.value;
  const tone = judge(props.def, before, after);
  const sign = tone === "good" ? "better" : tone === "bad" ? "worse" : "";
  return (
    <span class={`nowrap ${tone}`}>
      {change(before, after)}
      {sign !== "" && <span class="small"> {sign}</span>}
    </span>
  );
}

const FEW = 3; /* rows without a number that may stand in the table */

/** The reasons for which NAMES have no number on either side, with the names. */
function reasons(names: string[], before: Map<string, MetricValue>, after: Map<string, MetricValue>): [string, string[]][] {
  const out = new Map<string, string[]>();
  for (const name of names) {
    const why = words(before.get(name)?.missing || after.get(name)?.missing) || "no value";
    out.set(why, [...(out.get(why) ?? []), name]);
  }
  return [...out];
}

/* Many counters without a number are one line per reason, so that the others can be seen. */
function Absent(props: { of: [string, string[]][] }): JSX.Element {
  return (
    <>
      {props.of.map(([why, names]) => (
        <details class="raw" key={why}>
          <summary>
            {plural(names.length, "metric")} without a value: {why}
          </summary>
          <ul class="uses small">
            {names.map((name) => (
              <li key={name}>
                <Code text={name} />
              </li>
            ))}
          </ul>
        </details>
      ))}
    </>
  );
}

export function MetricsTable(props: { before: Map<string, MetricValue>; after: Map<string, MetricValue> }): JSX.Element | null {
  const { before, after } = props;
  const all = [...new Set([...before.keys(), ...after.keys()])];
  const absent = all.filter((name) => !isNum(before.get(name)?.value) && !isNum(after.get(name)?.value));
  const names = absent.length > FEW ? all.filter((name) => !absent.includes(name)) : all;
  const defs = useAnswer<Page<MetricDefinition>>(all.length > 0 ? "metrics" : null, (signal) => getJson("/api/v1/_metrics", signal));
  if (all.length === 0) return null;
  const known = new Map<string, MetricDefinition>();
  for (const def of defs.data?.rows ?? []) {
    known.set(def.name, def);
    if (def.canonical && !known.has(def.canonical)) known.set(def.canonical, def);
  }
  const both = before.size > 0 && after.size > 0;
  return (
    <>
    {names.length > 0 && <div class="scroll">
    <table class="plain metrics">
      <thead>
        <tr>
          <th scope="col">Metric</th>
          <th scope="col">Unit</th>
          {before.size > 0 && <th scope="col" class="right">{both ? "Before" : "Value"}</th>}
          {after.size > 0 && <th scope="col" class="right">{both ? "After" : "Value"}</th>}
          {both && <th scope="col" class="right">Change</th>}
        </tr>
      </thead>
      <tbody>
        {names.map((name) => {
          const def = known.get(name);
          const unit = before.get(name)?.unit || after.get(name)?.unit || def?.unit || unitOf(name);
          return (
            <tr key={name}>
              <td title={def?.title ?? name}>
                <Code text={name} />
              </td>
              <td class="muted">{unit}</td>
              {before.size > 0 && <td class="right"><Value metric={before.get(name)} /></td>}
              {after.size > 0 && <td class="right"><Value metric={after.get(name)} /></td>}
              {both && <td class="right"><Change def={def} before={before.get(name)} after={after.get(name)} /></td>}
            </tr>
          );
        })}
      </tbody>
    </table>
    </div>}
    {absent.length > FEW && <Absent of={reasons(absent, before, after)} />}
    </>
  );
}
