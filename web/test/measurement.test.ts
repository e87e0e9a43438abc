/* What a run says of its own measurement, from the method that the collector writes. */
import assert from "node:assert/strict";
import test from "node:test";
import { plainMethod, readable, remarks } from "../src/measurement";
import { unitOf } from "../src/record";

test("a quiet run has nothing to remark", () => {
  const method = { launches: 200, dropped: 0, bad: 0, no_memory: 0, write_failed: 0, ended: true, throttle: "none", drift: "no trend", modes: "one group", flags: "" };
  assert.deepEqual(remarks({ method }), []);
  assert.deepEqual(remarks(undefined), []);
});

test("losses, an early end, flags and throttling are told", () => {
  const method = { dropped: 12000, bad: 2, ended: false, flags: "drift, bimodal", drift: "times rose by 6 %", modes: "two groups", throttle: "sw_power_cap", note_1: "the longest kernel alone" };
  const said = remarks({ method });
  assert.deepEqual(said.map((one) => one.title), ["lost", "lost", "cut", "drift", "two modes", "throttled", "note"]);
  assert.equal(said[0]?.text, "12,000 launches were dropped by the vendor's library");
  assert.equal(said[5]?.text, "sw power cap");
});

test("a GPU that a script played is no measurement", () => {
  assert.deepEqual(remarks({ method: { timer: "fake activity" } }).map((one) => [one.tone, one.title]), [["bad", "fake"]]);
  assert.deepEqual(remarks({ method: { timer: "cupti activity" } }), []);
});

test("an error comes first with its reason, and once", () => {
  const said = remarks({ error: { type: "profiling", message: "no kernel matches" }, method: { ended: false, problem_1: "no kernel matches" } });
  assert.deepEqual(said, [{ tone: "bad", title: "profiling", text: "no kernel matches" }]);
});

test("what found no place among the runs is counted", () => {
  assert.match(remarks({ extra: { not_recorded: { kernels: 56, launches: 9, total_ns: 1 } } })[0]?.text ?? "", /^56 more kernels/);
});

test("units leave the key and stand by the number", () => {
  assert.deepEqual(readable("app_wall_us", 3111), ["app wall", "3.11\u202fms"]);
  assert.deepEqual(readable("sm_clock_mhz_max", 1980), ["sm clock max", "1,980\u202fMHz"]);
  assert.deepEqual(readable("power_w_min", 98), ["power min", "98\u202fW"]);
  assert.deepEqual(readable("sm_clock_boost_khz", 1980000), ["sm clock boost", "1,980\u202fMHz"]);
  assert.deepEqual(readable("static_shared_bytes", 49152), ["static shared", "49,152\u202fB"]);
  assert.deepEqual(readable("local_bytes_per_thread", 0), ["local per thread", "0\u202fB"]);
  assert.deepEqual(readable("reservoir", false), ["reservoir", "no"]);
  assert.deepEqual(readable("cores", 2), ["cores", "2"]);
});

test("the method says what was lost in one line", () => {
  assert.deepEqual(plainMethod({ timer: "x", dropped: 0, bad: 0, drift: "…", note_1: "…" }), [["timer", "x"], ["lost", "nothing"]]);
  assert.deepEqual(plainMethod({ timer: "event" }), [["timer", "event"]]);
});

test("a percentage is one by its name, when no catalogue says so", () => {
  assert.equal(unitOf("l1tex__throughput.avg.pct_of_peak_sustained_elapsed"), "%");
  assert.equal(unitOf("x__hit_rate.pct"), "%");
  assert.equal(unitOf("sm__cycles_active.sum"), "");
  assert.equal(unitOf("smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio"), "warp/issue");
});
