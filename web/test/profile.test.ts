/* What the page of a profile computes: names, shares, the command that adopts a line. */
import assert from "node:assert/strict";
import test from "node:test";
import { adoptCommand, extent, half, perProcess, rangeText, share, shortKernelName, size } from "../src/profile";
import { matchRoute } from "../src/router";
import type { Profile } from "../src/types";

/* The cases of the client's test: both print the same name. */
const NAMES: [string, string][] = [
  ["k(float *)", "k"],
  ["triton_poi_0", "triton_poi_0"],
  ["void at::native::(anonymous namespace)::f<(int)4>(int)", "f<(int)4>"],
  ["void cutlass::Kernel<cutlass::Gemm>(cutlass::Gemm::Params)", "Kernel<Gemm>"],
  ["void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float> >(int, float*)", "vectorized_elementwise_kernel<4, AddFunctor<float>>"],
  ["void (anonymous namespace)::softmax<(int)4>(float const*)", "softmax<(int)4>"],
  ["std::enable_if<!(false), void>::type internal::gemvx::kernel<int, 4>(int)", "kernel<int, 4>"],
  ["void ", "void "],
  ["", ""],
];

test("kernels have the short names of the client", () => {
  for (const [name, short] of NAMES) assert.equal(shortKernelName(name), short);
});

const profile: Profile = {
  id: "01P", seq: 1, process_count: 2, total_ns: 1000, kernels: 3,
  lines: [
    { kernel: "a", launches: 4, total_ns: 400, shapes: [{ launches: 2, total_ns: 300 }, { launches: 2, total_ns: 100 }] },
    { kernel: "b", launches: 1, total_ns: 300, shapes: [{ launches: 1, total_ns: 300, launch: { grid: "64x1x1", block: "32x4x1" } }] },
    { kernel: "c", launches: 1, total_ns: 0.2 },
  ],
};

test("shares are of all kernels", () => {
  assert.equal(share(profile, 400), "40.0\u202f%");
  assert.equal(share(profile, 0.2), "<0.1\u202f%");
  assert.equal(share({ ...profile, total_ns: 0 }, 400), "–");
  assert.deepEqual(half(profile), [2, 0.7]);
  assert.deepEqual(half({ ...profile, lines: [] }), [0, 0]);
});

test("a line with several shapes is adopted shape by shape", () => {
  assert.match(adoptCommand(profile, 1, 2), /^warplore adopt 01P 1\.2 --operator /);
  assert.match(adoptCommand(profile, 2, 1), /^warplore adopt 01P 2 --operator /);
});

test("a range says what is computed, so the command asks the client to propose it", () => {
  const range = "aten::mm, sizes = [[2, 3], [3, 4]]";
  const of = { ...profile, lines: [{ kernel: "k", launches: 1, total_ns: 1, shapes: [{ launches: 1, total_ns: 1, range }] }] };
  assert.equal(adoptCommand(of, 1, 1), "warplore adopt 01P 1");
  assert.equal(rangeText(of.lines[0]?.shapes[0]), `in the range ${range}`);
  assert.equal(rangeText(undefined), "");
});

test("what a launch does not say is not shown", () => {
  assert.equal(extent(profile.lines?.[1]?.shapes?.[0], "grid"), "64");
  assert.equal(extent(profile.lines?.[1]?.shapes?.[0], "block"), "32x4");
  assert.equal(extent(undefined, "grid"), "");
  assert.equal(perProcess({ kernel: "k", launches: 1, total_ns: 1 }), undefined);
  assert.deepEqual(perProcess({ kernel: "k", launches: 2, total_ns: 3, processes: 2, process_min_ns: 1, process_max_ns: 2 }), [1, 2]);
  assert.equal(size(6_291_456), "6.29\u202fMB");
  assert.equal(size(undefined), "–");
});

test("profiles have addresses", () => {
  assert.deepEqual(matchRoute("/profiles"), { view: "profiles" });
  assert.deepEqual(matchRoute("/profiles/01P"), { view: "profile", id: "01P" });
});
