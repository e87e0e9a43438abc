/* Where a probability comes from, in words: what each level of evidence made of it. */
import { isNum, percent, plural, sig } from "./format";
import type { Advice, Cited, Telling } from "./types";

/** Points of probability that an experiment must move to be worth naming. */
const A_CHANGE = 5;
/** Trials, and half as many on each shape: nobody writes that many kernels, a search does. */
const A_SEARCH = 100;

export interface StepRow {
  level: string;
  /** "weight 0.7, 0.7 of it won" */
  from: string;
  chance: string;
  /** "+11 points"; "" for the first. */
  moved: string;
}

export function stepRows(advice: Advice): StepRow[] {
  const steps = advice.steps ?? [];
  return steps.map((step, i) => {
    const before = i > 0 ? steps[i - 1]!.p_win : step.p_win;
    const points = Math.round(step.p_win * 100) - Math.round(before * 100);
    return {
      level: step.level,
      from: step.weight > 0 ? `weight ${sig(step.weight)}, ${sig(step.won)} of it won` : "",
      chance: percent(step.p_win),
      moved: i === 0 ? "" : points === 0 ? "no change" : `${points > 0 ? "+" : "\u2212"}${plural(Math.abs(points), "point")}`,
    };
  });
}

/** What one more experiment here would make of it; "" when the service does not say. */
export function oneMore(advice: Advice): string {
  if (!isNum(advice.if_won) || !isNum(advice.if_lost)) return "";
  return `One more win here would make it ${percent(advice.if_won)}, anything else ${percent(advice.if_lost)}.`;
}

/** The sentence about the most telling experiment; "" when it would hardly change anything. */
export function tellingText(telling: Telling | null | undefined): string {
  if (!telling?.why || (telling.if_won - telling.if_lost) * 100 < A_CHANGE) return "";
  return telling.why;
}

/** So many trials on so few shapes are steps of a search; "" when they are not. */
export function searchText(advice: Advice): string {
  const shapes = advice.workloads ?? 0;
  if (advice.tried < A_SEARCH || shapes === 0 || advice.tried < (shapes * A_SEARCH) / 2) return "";
  return `Nearly all are steps of searches, on ${plural(shapes, "shape")}: the odds are those of one more step.`;
}

/** How far an experiment had to travel to the question, and from when: "same chip, 2 years older". */
export function fromWhere(row: Cited): string {
  return [row.travel, row.years_older ? `${plural(row.years_older, "year")} older` : ""].filter(Boolean).join(", ");
}
