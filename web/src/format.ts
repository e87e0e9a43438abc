/* Numbers and times as people read them. Pure functions; every one takes an absent value and
 * answers with an en dash, words or an empty text, never with 0. `exact*` texts are for tooltips
 * and CSV. */

type Num = number | null | undefined;
export const NONE = "–";
const THIN = "\u202f";

export function isNum(v: unknown): v is number {
  return typeof v === "number" && Number.isFinite(v);
}

/** V to DIGITS significant digits, thousands grouped: 15.04 -> "15.0", 47881 -> "47,900". */
export function sig(v: Num, digits = 3): string {
  if (!isNum(v)) return NONE;
  if (v === 0) return "0";
  const magnitude = Math.floor(Math.log10(Math.abs(v)));
  if (magnitude < -6 || magnitude > 14) return v.toExponential(digits - 1);
  const rounded = Number(v.toPrecision(digits));
  const whole = Math.floor(Math.log10(Math.abs(rounded)));
  return group(rounded.toFixed(Math.max(0, digits - 1 - whole)));
}

/** Thousands separators for a decimal text. */
export function group(text: string): string {
  const [whole = "", fraction] = text.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Nanoseconds as microseconds with three significant digits. The column's title has the unit. */
export function micros(ns: Num): string {
  return isNum(ns) ? sig(ns / 1000) : NONE;
}

/** Nanoseconds in the unit that keeps the number short: "17.0 µs", "47.9 ms". */
export function duration(ns: Num): string {
  if (!isNum(ns)) return NONE;
  const steps: [number, string][] = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];
  for (const [size, unit] of steps) {
    if (Math.abs(ns) >= size * 0.9995) return `${sig(ns / size)}${THIN}${unit}`;
  }
  return `${sig(ns)}${THIN}ns`;
}

export function exactNs(ns: Num): string {
  return isNum(ns) ? `${group(String(ns))} ns` : "not recorded";
}

/** A speedup factor: two significant digits below 0.1, no decimals from 100 on, else two. */
export function factor(v: Num): string {
  if (!isNum(v)) return NONE;
  if (v !== 0 && Math.abs(v) < 0.1) return `${sig(v, 2)}×`;
  return `${group(v.toFixed(Math.abs(v) < 100 ? 2 : 0))}×`;
}

/** "3–9×": a range of factors, trailing zeros dropped. */
export function factorRange(low: Num, high: Num): string {
  if (!isNum(low) || !isNum(high)) return "";
  const short = (v: number): string => group(String(Number(v.toFixed(Math.abs(v) < 100 ? 2 : 0))));
  return `${short(low)}–${short(high)}×`;
}

/** A share of one as a whole percentage. */
export function percent(share: Num): string {
  return isNum(share) ? `${Math.round(share * 100)}${THIN}%` : NONE;
}

/** A metric value: whole numbers whole, the rest to four digits. */
export function quantity(v: Num): string {
  if (!isNum(v)) return NONE;
  if (Number.isInteger(v) && Math.abs(v) < 1e15) return group(String(v));
  return sig(v, 4);
}

/** A number as its source states it: nothing is rounded. */
export function exact(v: Num): string {
  return isNum(v) ? group(String(v)) : NONE;
}

/** after/before - 1 with its sign: "+12.3 %". */
export function change(before: Num, after: Num): string {
  if (!isNum(before) || !isNum(after) || before === 0) return "";
  const share = (after / before - 1) * 100;
  const text = Math.abs(share) >= 1000 ? sig(Math.abs(share)) : Math.abs(share).toFixed(1);
  return `${share < 0 ? "−" : "+"}${text}${THIN}%`;
}

export function bytes(n: Num): string {
  if (!isNum(n)) return "";
  if (n < 1024) return `${n}${THIN}B`;
  const units = ["KiB", "MiB", "GiB"];
  let value = n / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${sig(value)}${THIN}${units[unit]}`;
}

/** RFC 3339 UTC to "2025-03-01 14:02"; a date without a time stays a date. */
export function when(iso: string | null | undefined): string {
  if (!iso) return NONE;
  const match = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}))?/.exec(iso);
  if (!match) return iso;
  return match[2] && match[2] !== "00:00" ? `${match[1]} ${match[2]}` : (match[1] ?? iso);
}

/** "not_measured" -> "not measured". */
export function words(name: string | null | undefined): string {
  return (name ?? "").replace(/_/g, " ");
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${group(String(n))} ${n === 1 ? one : many}`;
}

/** The base of a speedup: "vs first", "vs best so far"; a library by its name. */
export function baseName(base: string, name?: string | null): string {
  if (base === "library" && name) return `vs ${name}`;
  return `vs ${words(base)}`;
}

/** Ids are 26 characters; the tail tells them apart. */
export function shortId(id: string | null | undefined): string {
  return id ? `…${id.slice(-6)}` : NONE;
}

/** A version by its label, else its tag, else the end of its id. */
export function versionName(version: { id: string; label?: string | null | undefined; tag?: string | null | undefined }): string {
  return labelText(version.label) || version.tag || shortId(version.id);
}

/** A label that leaves parameters out ends in "…" behind a whole value: "tile=1…" may not read as
 * the beginning of 16. */
export function labelText(label: string | null | undefined): string {
  return (label ?? "").replace(/( \S+=\S+)…$/, "$1 …");
}
