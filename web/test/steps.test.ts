/* Where a probability comes from, as the Ask page says it. */
import assert from "node:assert/strict";
import test from "node:test";
import { fromWhere, oneMore, searchText, stepRows, tellingText } from "../src/steps";
import type { Advice, Cited } from "../src/types";

const advice = {
  technique: "memory.a",
  tried: 7,
  won: 3,
  lost: 1,
  workloads: 3,
  steps: [
    { level: "all experiments", weight: 9, won: 4, p_win: 0.46 },
    { level: "this operator", weight: 0.7, won: 0.7, p_win: 0.57 },
    { level: "calibration", weight: 0, won: 0, p_win: 0.54 },
  ],
  if_won: 0.7,
  if_lost: 0.4,
} as Advice;

test("a step says what entered it, where it ended and how far it moved", () => {
  const rows = stepRows(advice);
  assert.deepEqual(rows.map((row) => row.moved), ["", "+11 points", "\u22123 points"]);
  assert.equal(rows[1]!.from, "weight 0.700, of which 0.700 won");
  assert.equal(rows[2]!.from, "", "nothing enters at the calibration");
  assert.equal(stepRows({ ...advice, steps: [] }).length, 0);
});

test("one more experiment is told with both of its ends", () => {
  assert.match(oneMore(advice), /win here: 70.%; after any other result: 40.%/);
});

test("an experiment that hardly changes anything is not called telling", () => {
  const telling = { technique: "memory.a", if_won: 0.7, if_lost: 0.4, leads: false, would_lead: true, why: "Measure memory.a." };
  assert.equal(tellingText(telling), "Measure memory.a.");
  assert.equal(tellingText({ ...telling, if_won: 0.44 }), "");
  assert.equal(tellingText(null), "");
});

test("thousands of trials on a few shapes are called steps of a search", () => {
  assert.equal(searchText(advice), "");
  assert.match(searchText({ ...advice, tried: 1519, workloads: 9 }), /steps of tuning searches, on 9 shapes/);
  assert.equal(searchText({ ...advice, tried: 1519, workloads: 0 }), "", "shapes that nobody recorded prove nothing");
});

test("an experiment says how much older it is than the newest, when it is", () => {
  const cited: Cited = { experiment: "E", effect: "win", correctness: "pass", process: "clean", travel: "same chip", labels: [], sweep: false, weight: 1 };
  assert.equal(fromWhere(cited), "same chip");
  assert.equal(fromWhere({ ...cited, years_older: 1 }), "same chip, 1 year older");
  assert.equal(fromWhere({ ...cited, years_older: 3, travel: "" }), "3 years older");
});
