/* Explains a probability in words: how each level of evidence changed it. */
import { isNum, percent, plural, sig } from "./format";
import type { Advice, Cited, Telling } from "./types";

/** Smallest effect of a next experiment, in percentage points, that is worth showing. */
const LEAST_CHANGE = 5;
/** Trials that show a tuning search: at least this many, and half as many per shape. */
const SEARCH_TRIALS = 100;

export interface StepRow {
  level: string;
  /** "weight 0.7, of which 0.7 won" */
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
      from: step.weight > 0 ? `weight ${sig(step.weight)}, of which ${sig(step.won)} won` : "",
      chance: percent(step.p_win),
      moved: i === 0 ? "" : points === 0 ? "no change" : `${points > 0 ? "+" : "\u2212"}${plural(Math.abs(points), "point")}`,
    };
  });
}

/** How one more experiment would change the probability; "" when the answer has no prediction. */
export function oneMore(advice: Advice): string {
  if (!isNum(advice.if_won) || !isNum(advice.if_lost)) return "";
  return `After one more win here: ${percent(advice.if_won)}; after any other result: ${percent(advice.if_lost)}.`;
}

/** The sentence about the most useful test; "" when its effect would be too small. */
export function tellingText(telling: Telling | null | undefined): string {
  if (!telling?.why || (telling.if_won - telling.if_lost) * 100 < LEAST_CHANGE) return "";
  return telling.why;
}

/** A sentence when there are so many trials per shape that most are steps of a tuning search; else
 * "". */
export function searchText(advice: Advice): string {
  const shapes = advice.workloads ?? 0;
  if (advice.tried < SEARCH_TRIALS || shapes === 0 || advice.tried < (shapes * SEARCH_TRIALS) / 2) return "";
  return `Nearly all trials are steps of tuning searches, on ${plural(shapes, "shape")}: the odds are for one more step.`;
}

/** Distance of an experiment from the question, and its age: "same chip, 2 years older". */
export function fromWhere(row: Cited): string {
  return [row.travel, row.years_older ? `${plural(row.years_older, "year")} older` : ""].filter(Boolean).join(", ");
}
