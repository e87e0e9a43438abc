/* What numbers look like, and that an absent one never looks like 0. */
import assert from "node:assert/strict";
import test from "node:test";
import { toCsv } from "../src/csv";
import { baseName, bytes, change, duration, factor, factorRange, labelText, micros, percent, quantity, sig, versionName, when } from "../src/format";

test("an absent number is a dash, not a zero", () => {
  for (const show of [sig, micros, duration, factor, percent, quantity]) {
    assert.equal(show(undefined), "–");
    assert.equal(show(null), "–");
    assert.equal(show(Number.NaN), "–");
  }
  assert.equal(bytes(undefined), "");
  assert.equal(change(undefined, 3), "");
});

test("times in a column have three significant digits and one unit", () => {
  assert.equal(micros(17000), "17.0");
  assert.equal(micros(767404.8), "767");
  assert.equal(micros(47_881_000), "47,900");
  assert.equal(micros(999.96), "1.00");
  assert.equal(micros(1.5), "0.00150");
  assert.equal(micros(0), "0");
});

test("a single time picks the unit that keeps it short", () => {
  assert.equal(duration(17000), "17.0\u202fµs");
  assert.equal(duration(432384), "432\u202fµs");
  assert.equal(duration(3_216_000), "3.22\u202fms");
  assert.equal(duration(999_999), "1.00\u202fms");
  assert.equal(duration(12), "12.0\u202fns");
});

test("a factor keeps two decimals while they mean something", () => {
  assert.equal(factor(15.04), "15.04×");
  assert.equal(factor(0.66), "0.66×");
  assert.equal(factor(5.3), "5.30×");
  assert.equal(factor(1234.5), "1,235×");
  assert.equal(factor(0.0123), "0.012×");
  assert.equal(factorRange(3, 9), "3–9×");
  assert.equal(factorRange(1.1, undefined), "");
});

test("a speedup names its base", () => {
  assert.equal(baseName("first"), "vs first");
  assert.equal(baseName("best_so_far"), "vs best so far");
  assert.equal(baseName("library", "cuBLAS"), "vs cuBLAS");
  assert.equal(baseName("first", "v0"), "vs first");
});

test("a change has its sign and none is shown against nothing", () => {
  assert.equal(change(81.22, 64.1), "−21.1\u202f%");
  assert.equal(change(40, 64), "+60.0\u202f%");
  assert.equal(change(0, 5), "");
});

test("a label that leaves parameters out does not look cut within a value", () => {
  assert.equal(labelText("block=32 tile=1…"), "block=32 tile=1 …");
  assert.equal(labelText("block=32 tile=1"), "block=32 tile=1");
  assert.equal(labelText("config=abcdefgh…"), "config=abcdefgh…"); // one long value, cut
  assert.equal(labelText("the second attempt…"), "the second attempt…");
  assert.equal(labelText(undefined), "");
  assert.equal(versionName({ id: "01J000000000000000000ABCDE", label: "a=1 b=2…", tag: "v1" }), "a=1 b=2 …");
});

test("times of day are short and a date stays a date", () => {
  assert.equal(when("2026-11-21T09:05:30.123Z"), "2026-11-21 09:05");
  assert.equal(when("2026-11-21"), "2026-11-21");
  assert.equal(when(undefined), "–");
});

test("CSV quotes what needs it and disarms formulas", () => {
  const csv = toCsv(["a", "b"], [['x,"y"', 1.5], ["=1+1", null], ["two\nlines", undefined]]);
  assert.equal(csv, 'a,b\r\n"x,""y""",1.5\r\n\'=1+1,\r\n"two\nlines",\r\n');
});
