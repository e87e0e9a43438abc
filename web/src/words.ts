/* The values that forms offer, by the names that the service uses (docs/glossary.md). */
import { words } from "./format";
import type { Option } from "./parts/choice";

function options(names: string): Option[] {
  return names.split(" ").map((value) => ({ value }));
}

export const LANGUAGES: Option[] = [
  { value: "hip", text: "HIP" },
  { value: "cuda", text: "CUDA" },
  { value: "triton", text: "Triton" },
  { value: "ck", text: "CK" },
  { value: "cutlass", text: "CUTLASS" },
  { value: "cute_dsl", text: "CuTe DSL" },
  { value: "gluon", text: "Gluon" },
  { value: "flydsl", text: "FlyDSL" },
  { value: "tilelang", text: "TileLang" },
  { value: "helion", text: "Helion" },
  { value: "croqtile", text: "Croqtile" },
  { value: "mojo", text: "Mojo" },
  { value: "pallas", text: "Pallas" },
  { value: "thunderkittens", text: "ThunderKittens" },
  { value: "cutile", text: "cuTile" },
  { value: "numba", text: "Numba" },
  { value: "opencl", text: "OpenCL" },
  { value: "sycl", text: "SYCL" },
  { value: "asm", text: "assembly" },
  { value: "library", text: "library" },
  { value: "other", text: "other" },
];
export const LABELS = options(
  "memory compute latency sync occupancy launch tail divergence register_pressure bank_conflict atomics cache",
);
export const EVIDENCE = options("confirmed measured imported claimed");
/** An effect in words: a neutral one is "no gain". */
export function effectWords(effect: string | null | undefined): string {
  return effect === "neutral" ? "no gain" : words(effect);
}
export const EFFECTS: Option[] = ["win", "neutral", "loss", "inconclusive", "wrong_result", "not_measured"].map((value) => ({ value, text: effectWords(value) }));
export const CHECKS = options("pass fail timeout not_checked");

export function languageName(value: string | null | undefined): string {
  return LANGUAGES.find((option) => option.value === value)?.text ?? value ?? "";
}

/** The page of a technique. */
/** "team/attention/softmax": the name of a kernel after its project, when it has one. */
export function kernelTitle(row: { project?: string; kernel_name?: string }): string | undefined {
  return row.project && row.kernel_name ? `${row.project}/${row.kernel_name}` : row.kernel_name;
}

export function techniqueHref(slug: string): string {
  return `/technique/${encodeURIComponent(slug)}`;
}

export const INSIGHT_KINDS = options(
  "note technique_card anti_strategy symptom_card playbook doc numerics_rule dispatch_rule reference_kernel",
);
