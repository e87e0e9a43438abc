/* Facts about the measurement of a run: errors, lost records, shape of the samples. The collector
 * stores them in the record's "method". This file sorts them and turns a key with a unit, like
 * "wall_us", into a name and a quantity. All functions are pure. */
import { duration, group, isNum, words } from "./format";
import { member, object, text } from "./record";
import type { Json, JsonObject } from "./types";

export interface Remark {
  tone: "bad" | "warn";
  title: string;
  text: string;
}

const LOSSES: [string, string][] = [
  ["dropped", "launches were dropped by the vendor's library"],
  ["bad", "records had no usable times"],
  ["no_memory", "records were lost for lack of memory"],
  ["write_failed", "records could not be written"],
];
const FLAGS: [string, string][] = [
  ["drift", "drift"],
  ["modes", "two modes"],
  ["launch_overhead", "short kernel"],
  ["clock_change", "clock"],
];

/** Everything that a reader should know before believing the numbers, the worst first. */
export function remarks(record: JsonObject | undefined): Remark[] {
  const out: Remark[] = [];
  const method = object(record?.["method"]);
  const error = record?.["error"];
  const said = text(member(error, "message"));
  if (error !== undefined) out.push({ tone: "bad", title: words(text(member(error, "type"))) || "error", text: said || "no reason was given" });
  if (text(method["timer"]).startsWith("fake ")) {
    out.push({ tone: "bad", title: "fake", text: "A script simulated the GPU: these times are no measurements." });
  }
  for (const [key, what] of LOSSES) {
    const n = method[key];
    if (isNum(n) && n > 0) out.push({ tone: "bad", title: "lost", text: `${group(String(n))} ${what}` });
  }
  if (method["ended"] === false && error === undefined) {
    out.push({ tone: "warn", title: "cut", text: "A process ended without closing its capture: its last launches may be missing." });
  }
  const flags = text(method["flags"]);
  for (const [key, title] of FLAGS) {
    const flagged = key === "clock_change" || flags.includes(key === "modes" ? "bimodal" : key);
    if (flagged && text(method[key]) !== "") out.push({ tone: "warn", title, text: text(method[key]) });
  }
  const throttle = text(method["throttle"]);
  if (throttle !== "" && throttle !== "none") out.push({ tone: "warn", title: "throttled", text: throttle.split("_").join(" ") });
  for (const key of Object.keys(method)) {
    if (/^(problem|note)_\d+$/.test(key) && text(method[key]) !== said) {
      out.push({ tone: "warn", title: key.startsWith("note") ? "note" : "problem", text: text(method[key]) });
    }
  }
  const rest = member(record, "extra", "not_recorded");
  const kernels = member(rest, "kernels");
  if (isNum(kernels)) {
    out.push({ tone: "warn", title: "not all", text: `${group(String(kernels))} more kernels with less time ran and were not recorded.` });
  }
  return out;
}

/* The suffix of a key, and the text of its number. */
const UNITS: [RegExp, (n: number) => string][] = [
  [/_us$/, (n) => duration(n * 1000)],
  [/_ns$/, (n) => duration(n)],
  [/_mhz(?=$|_)/, (n) => `${group(String(n))}\u202fMHz`],
  [/_khz$/, (n) => `${group(String(n / 1000))}\u202fMHz`],
  [/_pct$/, (n) => `${n}\u202f%`],
  [/_bytes(?=$|_)/, (n) => `${group(String(n))}\u202fB`],
  [/_w(?=$|_)/, (n) => `${n}\u202fW`],
  [/_c(?=$|_)/, (n) => `${n}\u202f°C`],
];

/** KEY and VALUE of a flat object as people read them: "app_wall_us": 3111 is "app wall", "3.11
 * ms". */
export function readable(key: string, value: Json): [string, string] {
  if (isNum(value)) {
    const unit = UNITS.find(([suffix]) => suffix.test(key));
    if (unit) return [words(key.replace(unit[0], "")), unit[1](value)];
    return [words(key), Number.isInteger(value) ? group(String(value)) : String(value)];
  }
  if (typeof value === "boolean") return [words(key), value ? "yes" : "no"];
  return [words(key), typeof value === "string" ? value : JSON.stringify(value)];
}

/** The entries of "method" that `remarks` does not show. */
export function plainMethod(method: Json | undefined): [string, Json][] {
  const shown = new Set([...LOSSES.map(([key]) => key), ...FLAGS.map(([key]) => key), "flags", "ended"]);
  const all = object(method);
  const rows = Object.entries(all).filter(([key]) => !shown.has(key) && !/^(problem|note)_\d+$/.test(key));
  if (LOSSES.some(([key]) => isNum(all[key]))) {
    const lost = LOSSES.reduce((sum, [key]) => sum + (isNum(all[key]) ? Number(all[key]) : 0), 0);
    rows.push(["lost", lost === 0 ? "nothing" : lost]);
  }
  return rows;
}
