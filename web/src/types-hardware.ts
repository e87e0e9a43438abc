/* Shapes of docs/reference/api.md about hardware numbers, diagnoses and techniques. No behaviour. */
import type { Json, Run } from "./types";
import type { AxisBudget, Gaps, VersionNode } from "./types-judged";

type Maybe<T> = T | null | undefined;

export interface Chip {
  name: string;
  title?: Maybe<string>;
  vendor?: Maybe<string>;
  arch?: Maybe<string>;
  isa?: Maybe<string>;
  unit?: Maybe<string>;
  product?: boolean;
  runs?: number;
  experiments?: number;
}
export interface Spec {
  id: string;
  chip: string;
  metric: string;
  qualifier?: Maybe<string>;
  value?: Maybe<number>;
  unit?: Maybe<string>;
  unknown?: Maybe<string>;
  evidence_class?: Maybe<string>;
  source_document?: Maybe<string>;
  path?: Maybe<string>;
  line?: Maybe<number>;
  quote?: Maybe<string>;
  environment?: Maybe<string>;
  measured_at?: Maybe<string>;
  note?: Maybe<string>;
  standing?: Maybe<string>;
  why?: Maybe<string>;
  cite: string;
  actor?: Maybe<string>;
  received_at?: Maybe<string>;
}
export interface Dispute {
  chip: string;
  metric: string;
  qualifier?: Maybe<string>;
  low?: Maybe<number>;
  high?: Maybe<number>;
  ratio?: Maybe<number>;
  dimension?: Maybe<string>;
  members: Spec[];
  selected?: Maybe<string>;
  reason?: Maybe<string>;
}
export interface ChipFull extends Chip {
  features?: string[];
  features_from?: Maybe<string>;
  specs?: Spec[];
  ceilings?: Spec[];
  unknown?: Spec[];
  disputes?: Dispute[];
  lint?: { code: string; specs?: string[]; text: string }[];
}
export interface Test {
  metric: string;
  value?: Maybe<number>;
  op?: Maybe<string>;
  threshold?: Maybe<number>;
}
export interface Finding {
  pattern: string;
  label?: Maybe<string>;
  symptom?: Maybe<string>;
  labels?: string[];
  /** A hint only: it adds no label. */
  signal?: boolean;
  confidence?: Maybe<string>;
  evidence?: Maybe<string>;
  values?: Test[];
}
export interface RuleSet {
  name: string;
  labels?: string[];
  signals?: string[];
  findings?: Finding[];
  not_evaluated?: { pattern: string; label?: Maybe<string>; missing?: string[]; note?: Maybe<string> }[];
  /** Patterns that were looked at and did not fire. */
  clear?: number;
}
export interface Diagnosis {
  facts?: { name: string; value?: Maybe<number>; cite?: Maybe<string> }[];
  rule_sets?: RuleSet[];
  declared?: string[];
  contradictions?: { label: string; evidence: string; values?: Test[] }[];
  lint?: { code: string; metric?: Maybe<string>; text: string }[];
  gaps?: Maybe<Gaps>;
  axis_budget?: Maybe<AxisBudget>;
  note?: Maybe<string>;
  quantities?: { name: string; unit?: Maybe<string>; value?: Maybe<number>; unknown?: Maybe<string>; formula?: Maybe<string>; fidelity?: Maybe<string>; note?: Maybe<string> }[];
}
export interface Trigger {
  method?: Maybe<string>;
  technique: string;
  title?: Maybe<string>;
  axis?: Maybe<string>;
  priority?: Maybe<number>;
  strength?: Maybe<number>;
  metric?: Maybe<string>;
  value?: Maybe<number>;
  good?: Maybe<number>;
  bad?: Maybe<number>;
  expected?: Maybe<string>;
  gate?: { ok: boolean | null; why?: Maybe<string>; missing?: Maybe<string> };
  tried?: number;
  won?: number;
  lost?: number;
  conflicts_with?: string[];
}
export interface Triggers {
  rows: Trigger[];
  not_evaluated?: { method?: Maybe<string>; technique: string; metric?: Maybe<string>; why: string }[];
  not_needed?: number;
}
export interface TechniqueRow {
  slug: string;
  title?: Maybe<string>;
  axis?: Maybe<string>;
  layer?: Maybe<string>;
  summary?: Maybe<string>;
  triggers?: string[];
  known?: boolean;
  experiments?: number;
  wins?: number;
  losses?: number;
}
export interface Signature {
  target: string;
  patterns?: string[];
  require?: Maybe<string>;
  min_count?: Maybe<number>;
  note?: Maybe<string>;
}
export interface Method {
  id: string;
  axis?: Maybe<string>;
  priority?: Maybe<number>;
  min_sm?: Maybe<number>;
  features?: string[];
  trigger?: Maybe<{ metric: string; canonical?: Maybe<string>; good?: Maybe<number>; bad?: Maybe<number>; direction?: Maybe<string> }>;
  conflicts?: string[];
  complements?: string[];
  expected?: Maybe<string>;
}
export interface Definition {
  id: string;
  title?: Maybe<string>;
  slug?: Maybe<string>;
  axis?: Maybe<string>;
  priority?: Maybe<number>;
  min_arch?: Maybe<string>;
  features?: string[];
  preconditions?: string[];
  summary?: Maybe<string>;
  typical_gain?: Maybe<string>;
  reference?: Maybe<string>;
  trigger?: Maybe<{ metric: string; good?: Maybe<number>; bad?: Maybe<number>; direction?: Maybe<string> }>;
  conflicts?: string[];
  complements?: string[];
  coupled?: string[];
  signatures?: Signature[];
  provenance?: Maybe<{ system?: Maybe<string>; path?: Maybe<string>; url?: Maybe<string> }>;
}
export interface TechniqueFull extends TechniqueRow {
  aliases?: string[];
  min_sm?: Maybe<number>;
  nvidia?: boolean;
  amd?: boolean;
  features?: string[];
  amd_features?: string[];
  complements?: string[];
  needs?: Maybe<string>;
  methods?: Method[];
  pairs?: { with: string; kind: string; contradicts?: boolean; note?: Maybe<string> }[];
  signatures?: Signature[];
  definitions?: Definition[];
  verdicts?: Record<string, number>;
}
export interface ComparedMetric {
  name: string;
  unit?: Maybe<string>;
  a?: Maybe<number>;
  b?: Maybe<number>;
  delta_pct?: Maybe<number>;
  sense?: Maybe<string>;
}
export interface ComparedFile {
  file: string;
  /** Blobs; null: the side does not have the file. */
  a?: Maybe<string>;
  b?: Maybe<string>;
  same?: boolean;
  added?: number;
  removed?: number;
  cut?: boolean;
  why?: Maybe<string>;
  coarse?: boolean;
  diff?: Maybe<string>;
}
type Both<T> = Maybe<{ a?: T[]; b?: T[] }>;
interface Named {
  name: string;
  a?: Json;
  b?: Json;
}
/** Two versions side by side; A is the one compared with. */
export interface Compared {
  a: VersionNode;
  b: VersionNode;
  time?: Maybe<{ a: Run; b: Run; speedup?: Maybe<number>; same_environment?: boolean; same_tool?: boolean }>;
  metrics?: ComparedMetric[];
  same_within_pct?: Maybe<number>;
  techniques?: Both<{ name: string; raw?: Maybe<string>; experiment?: Maybe<string> }>;
  params?: Named[];
  build?: Named[];
  isa?: Both<{ id: string; technique: string; status: string; tool?: Maybe<string> }>;
  files?: ComparedFile[];
  files_left_out?: number;
}
