/* Addresses: which view, and how the query string changes. */
import assert from "node:assert/strict";
import test from "node:test";
import { matchRoute, tokenOf, withParams } from "../src/router";

test("every address has one view and others have none", () => {
  assert.deepEqual(matchRoute("/"), { view: "board" });
  assert.deepEqual(matchRoute("/query"), { view: "query" });
  assert.deepEqual(matchRoute("/ask/"), { view: "ask" });
  assert.deepEqual(matchRoute("/experiments/01KAHVBV00GEXTDV16368D7HZ8"), { view: "experiment", id: "01KAHVBV00GEXTDV16368D7HZ8" });
  assert.deepEqual(matchRoute("/runs/01K"), { view: "run", id: "01K" });
  assert.deepEqual(matchRoute("/sweeps/01K"), { view: "sweep", id: "01K" });
  assert.deepEqual(matchRoute("/kernel/01K"), { view: "kernel", id: "01K" });
  assert.deepEqual(matchRoute("/chip/h100-sxm"), { view: "chip", id: "h100-sxm" });
  assert.deepEqual(matchRoute("/technique/memory.a%20b"), { view: "technique", id: "memory.a b" });
  assert.deepEqual(matchRoute("/technique/%zz"), { view: "technique", id: "%zz" });
  assert.deepEqual(matchRoute("/insights"), { view: "insights" });
  assert.deepEqual(matchRoute("/insights/01K"), { view: "insight", id: "01K" });
  assert.deepEqual(matchRoute("/compare/a/b"), { view: "compare", id: "a", other: "b" });
  for (const path of ["/compare/a", "/compare/a/b/c", "/chips/x", "/constructor/x", "/experiments", "/experiments/a/b", "/api/v1/me", "/query/x"]) {
    assert.deepEqual(matchRoute(path), { view: "nowhere" }, path);
  }
});

test("a parameter is set, replaced and removed, the others stay in order", () => {
  assert.equal(withParams("", { sort: "-speedup" }), "?sort=-speedup");
  assert.equal(withParams("?chip=a6000&sort=time", { sort: "-time" }), "?chip=a6000&sort=-time");
  assert.equal(withParams("?chip=a6000&sort=time", { chip: null }), "?sort=time");
  assert.equal(withParams("?chip=a6000", { chip: "" }), "");
  assert.equal(withParams("?q=a+b", { open: "x|y" }), "?q=a+b&open=x%7Cy");
});

test("a token is taken from the fragment and from nothing else", () => {
  assert.equal(tokenOf("#token=wl_abc"), "wl_abc");
  assert.equal(tokenOf("#a=1&token=wl_abc"), "wl_abc");
  assert.equal(tokenOf("#token="), null);
  assert.equal(tokenOf("#token"), null);
  assert.equal(tokenOf(""), null);
});
