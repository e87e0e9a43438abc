/* Metrics before and after, side by side, with the change and, where the catalogue knows a direction,
 * whether the change is for the better. A value that is not there shows why. */
import type { JSX } from "preact";
import { getJson } from "../api";
import { change, isNum, quantity, words } from "../format";
import { Code } from "./text";
import type { MetricValue } from "../record";
import { useAnswer } from "../state";
import type { MetricDef, Page } from "../types";

function Value(props: { metric: MetricValue | undefined }): JSX.Element {
  const { metric } = props;
  if (metric === undefined) return <span class="faint">–</span>;
  if (!isNum(metric.value)) return <span class="faint">{words(metric.missing) || "no value"}</span>;
  const spread = isNum(metric.std) ? ` ± ${quantity(metric.std)}` : "";
  const count = isNum(metric.n) ? `, n=${metric.n}` : "";
  return <span title={`${metric.value}${spread}${count}`}>{quantity(metric.value)}</span>;
}

const SAME_WITHIN = 0.005; /* as the service's comparisons: less is no change */

/* Better, worse, or no opinion. */
function judge(def: MetricDef | undefined, before: number | undefined, after: number | undefined): string {
  if (!def || !isNum(before) || !isNum(after) || before === after) return "";
  if (Math.abs(after - before) <= SAME_WITHIN * Math.abs(before)) return "";
  if (def.direction !== "higher" && def.direction !== "lower") return "";
  return after > before === (def.direction === "higher") ? "good" : "bad";
}

function Change(props: { def: MetricDef | undefined; before: MetricValue | undefined; after: MetricValue | undefined }): JSX.Element {
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

export function MetricsTable(props: { before: Map<string, MetricValue>; after: Map<string, MetricValue> }): JSX.Element | null {
  const { before, after } = props;
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const defs = useAnswer<Page<MetricDef>>(names.length > 0 ? "metrics" : null, (signal) => getJson("/api/v1/_metrics", signal));
  if (names.length === 0) return null;
  const known = new Map<string, MetricDef>();
  for (const def of defs.data?.rows ?? []) {
    known.set(def.name, def);
    if (def.canonical && !known.has(def.canonical)) known.set(def.canonical, def);
  }
  const both = before.size > 0 && after.size > 0;
  return (
    <div class="scroll">
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
          const unit = before.get(name)?.unit || after.get(name)?.unit || def?.unit || "";
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
    </div>
  );
}
