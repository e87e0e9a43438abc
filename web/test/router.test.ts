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
  for (const path of ["/experiments", "/experiments/a/b", "/api/v1/me", "/query/x"]) {
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
