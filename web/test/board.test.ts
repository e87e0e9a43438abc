/* Sorting the leaderboard, reading metrics of a record, and the ticks of the strip chart. */
import assert from "node:assert/strict";
import test from "node:test";
import { median, ticks } from "../src/parts/strip";
import { metrics, samplesOf } from "../src/record";
import type { BoardRow, JsonObject, RunFull } from "../src/types";
import { readSort, rowKey, rowLink, sortRows } from "../src/views/board-columns";

const row = (of: Partial<BoardRow>): BoardRow => of as BoardRow;
const rows: BoardRow[] = [
  row({ operator: "softmax", chip: "a6000", time_ns: 3_000_000, speedup: { value: 1.34, base: "first" } }),
  row({ operator: "gemm", chip: "a6000" }),
  row({ operator: "topk_softmax", chip: "mi300x", time_ns: 17_000, speedup: { value: 15.04, base: "first" } }),
];
const operators = (sort: string): string[] => sortRows(rows, sort).map((row) => row.operator);

test("rows without a value come last in both directions", () => {
  assert.deepEqual(operators("time"), ["topk_softmax", "softmax", "gemm"]);
  assert.deepEqual(operators("-time"), ["softmax", "topk_softmax", "gemm"]);
  assert.deepEqual(operators("-speedup"), ["topk_softmax", "softmax", "gemm"]);
});

test("an unknown sort is by operator", () => {
  assert.deepEqual(operators("nonsense"), ["gemm", "softmax", "topk_softmax"]);
  assert.equal(readSort("-nonsense").column.key, "operator");
});

test("the best version leads to its experiment, else to its run, else nowhere", () => {
  assert.equal(rowLink(row({ operator: "x", best: { experiment: "E", run: "R" } })), "/experiments/E");
  assert.equal(rowLink(row({ operator: "x", best: { run: "R" } })), "/runs/R");
  assert.equal(rowLink(row({ operator: "x" })), null);
  assert.equal(rowKey(row({ operator: "x", chip: "c", workload: { id: "w", label: "" } })), "x||c|w");
});

test("a metric is a number, an object, or a reason", () => {
  const read = metrics({ a: 1.5, b: { value: 3, unit: "%" }, c: { missing: "permission_denied" } });
  assert.equal(read.get("a")?.value, 1.5);
  assert.equal(read.get("b")?.unit, "%");
  assert.equal(read.get("c")?.value, undefined);
  assert.equal(read.get("c")?.missing, "permission_denied");
  assert.equal(metrics(undefined).size, 0);
  assert.deepEqual(samplesOf({ id: "r", record: { samples_ns: [3, "x", 4] } as JsonObject } as RunFull), [3, 4]);
});

test("ticks are round and inside the range", () => {
  assert.deepEqual(ticks(395, 812), [400, 600, 800]);
  assert.deepEqual(ticks(5, 5), [5]);
  assert.equal(median([3, 1, 2, 10]), 2.5);
});
