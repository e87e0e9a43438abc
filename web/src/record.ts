/* Reading a record as it was submitted: typed getters over JSON that the submission format
 * describes. No getter throws; a missing member gives undefined or an empty value. */
import { isNum } from "./format";
import type { Json, JsonObject, RunFull } from "./types";

export function member(value: Json | undefined, ...path: string[]): Json | undefined {
  let at: Json | undefined = value;
  for (const name of path) {
    if (at === null || typeof at !== "object" || Array.isArray(at)) return undefined;
    at = at[name];
  }
  return at;
}

export function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

export function number(value: Json | undefined): number | undefined {
  return isNum(value) ? value : undefined;
}

export function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

export function object(value: Json | undefined): JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
}

/** One metric: a value, or the reason why there is none. */
export interface MetricValue {
  value?: number | undefined;
  unit?: string;
  missing?: string;
  n?: number | undefined;
  std?: number | undefined;
}

/** The unit that a counter's name gives away; "" when it does not. */
export function unitOf(name: string): string {
  if (/_per_issue_active\.ratio$/.test(name)) return "warp/issue";
  return /(\.|_)pct(_of_peak_\w+)?$/.test(name) ? "%" : "";
}

/** "metrics": {"name": 12.5, "other": {"value": 3, "unit": "%"} | {"missing":
 * "permission_denied"}}. */
export function metrics(value: Json | undefined): Map<string, MetricValue> {
  const out = new Map<string, MetricValue>();
  for (const [name, said] of Object.entries(object(value))) {
    if (isNum(said)) out.set(name, { value: said });
    else {
      out.set(name, {
        value: number(member(said, "value")),
        unit: text(member(said, "unit")),
        missing: text(member(said, "missing")),
        n: number(member(said, "n")),
        std: number(member(said, "std")),
      });
    }
  }
  return out;
}

export function samplesOf(run: RunFull): number[] {
  return list(run.record?.["samples_ns"]).filter(isNum);
}

/** Flat objects (method, launch, dims) as pairs for a table. */
export function pairs(value: Json | undefined): [string, string][] {
  return Object.entries(object(value)).map(([key, said]) => [key, typeof said === "string" ? said : JSON.stringify(said)]);
}
