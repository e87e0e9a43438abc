/* The vertical axis of the timing strips. */
import assert from "node:assert/strict";
import test from "node:test";
import { axisNote, scaleOf } from "../src/parts/strip";

test("times that lie far apart get a logarithmic axis, and the page says which", () => {
  const far = scaleOf([69_000_000, 152_000], 0, 100);
  assert.equal(far.log, true);
  assert.match(axisNote(far), /logarithmic/);
  assert.ok(far.marks.every((mark) => mark > 0), "no mark at zero");
  assert.ok(far.y(152_000) - far.y(304_000) > 5, "what is fast can be told apart");
  const near = scaleOf([62_000, 60_000], 0, 100);
  assert.equal(near.log, false);
  assert.match(axisNote(near), /does not start at zero/);
  assert.ok(near.y(60_000) > near.y(62_000));
});
