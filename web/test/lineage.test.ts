/* The tree of a kernel's versions: who goes on in whose lane, and that no edge runs through a version. */
import assert from "node:assert/strict";
import test from "node:test";
import type { HistoryStep } from "../src/types";
import { layOut } from "../src/views/kernel-lineage";

function step(id: string, kind: HistoryStep["version"]["kind"], parents: [string, string][]): HistoryStep {
  return { version: { id, kind, label: id, parents: parents.map(([version, edge]) => ({ version, kind: edge })) }, baseline: false, champion: false, hidden: false } as HistoryStep;
}

test("a line goes straight down, ablations and restarts step aside", () => {
  const { nodes, edges } = layOut([
    step("v0", "baseline", []),
    step("v1", "candidate", [["v0", "derived_from"]]),
    step("a1", "ablation", [["v1", "ablation_of"]]),
    step("v2", "candidate", [["v1", "derived_from"]]),
    step("v3", "candidate", [["v1", "restart_from"]]),
  ]);
  const lane = new Map(nodes.map((node) => [node.step.version.id, node.lane]));
  assert.equal(lane.get("v0"), 0);
  assert.equal(lane.get("v1"), 0);
  assert.equal(lane.get("v2"), 0);
  assert.ok((lane.get("a1") ?? 0) > 0);
  assert.ok((lane.get("v3") ?? 0) > 0);
  assert.deepEqual(edges.map((edge) => edge.kind), ["derived_from", "ablation_of", "derived_from", "restart_from"]);
  for (const { from, to } of edges) {
    for (const node of nodes) assert.ok(!(node.lane === to.lane && node.row > from.row && node.row < to.row), `${to.step.version.id} runs through ${node.step.version.id}`);
  }
});

test("parents that are not in the list draw no edge, and many branches share the last lane", () => {
  const rows = [step("v0", "baseline", [["gone", "derived_from"]])];
  for (let i = 0; i < 30; i += 1) rows.push(step(`b${i}`, "branch", [["v0", "branch_of"]]));
  const { nodes, edges, lanes } = layOut(rows);
  assert.equal(nodes.length, 31);
  assert.equal(edges.length, 30);
  assert.ok(lanes <= 9);
});
