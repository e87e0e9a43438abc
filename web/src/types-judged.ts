/* Shapes of docs/reference/api.md about what is judged and known beside runs and experiments: verdicts on
 * hypotheses and techniques, histories, campaigns, decisions, insights. Like types.ts: no behaviour. */
import type { Experiment, Json, JsonObject, Run, Version } from "./types";

type Maybe<T> = T | null | undefined;

export interface Rule {
  name: string;
  breaks: boolean;
  help: string;
}
export interface Judgement {
  metric: string;
  verdict: string;
  before?: Maybe<number>;
  after?: Maybe<number>;
  why?: Maybe<string>;
}
export interface Clause {
  clause: string;
  truth: string;
  why?: Maybe<string>;
}
export interface Decided {
  decision: string;
  why?: Maybe<string>;
  accept?: Clause[];
  reject?: Clause[];
}
export interface Watched {
  metric: string;
  state: string;
  before?: Maybe<number>;
  after?: Maybe<number>;
  change_pct?: Maybe<number>;
}
export interface TechniqueVerdict {
  technique: string;
  verdict: string;
  contributed?: Maybe<string>;
  isa?: Maybe<string>;
  policy?: Maybe<string>;
  why?: Maybe<string>;
}
export interface Synergy {
  total_ns?: Maybe<number>;
  sum_ns?: Maybe<number>;
  residual_ns?: Maybe<number>;
  residual_pct?: Maybe<number>;
  unknown?: number;
  gain_from_parameters?: boolean;
}
/** A decision about records. */
export interface Curation {
  id: string;
  action: string;
  subjects: string[];
  canonical?: Maybe<string>;
  state?: Maybe<string>;
  reason?: Maybe<string>;
  values?: JsonObject;
  decided_at?: Maybe<string>;
  received_at?: Maybe<string>;
  author?: Maybe<string>;
  actor?: Maybe<string>;
  retracted?: boolean;
}
export interface Standing {
  state: string;
  close_reason?: Maybe<string>;
  iterations?: Maybe<number>;
  expected_records?: Maybe<number>;
  arrived?: Maybe<number>;
  alarm?: boolean;
}
export interface Campaign {
  id: string;
  label: string;
  kernel?: Maybe<string>;
  goal?: Maybe<string>;
  stop_reason?: Maybe<string>;
  retrospective?: Maybe<string>;
  started_at?: Maybe<string>;
  ended_at?: Maybe<string>;
  noise_threshold_pct?: Maybe<number>;
  standing: Standing;
}
export interface Direction {
  id: string;
  text: string;
  technique?: Maybe<string>;
  rationale?: Maybe<string>;
  rank?: Maybe<number>;
  experiment?: Maybe<string>;
  author?: Maybe<string>;
  standing: Standing;
}
export interface VersionNode extends Version {
  operator?: Maybe<string>;
  language?: Maybe<string>;
  ordinal?: Maybe<number>;
  parents?: { version: string; kind: string }[];
}
export interface Step {
  version: VersionNode;
  experiment?: Maybe<Experiment>;
  run?: Maybe<Run>;
  time_ns?: Maybe<number>;
  speedup_vs_first?: Maybe<number>;
  speedup_vs_parent?: Maybe<number>;
  speedup_vs_best_before?: Maybe<number>;
  baseline: boolean;
  champion: boolean;
  hidden: boolean;
  hidden_why?: Maybe<string>;
  /** The version itself was taken back. */
  retracted?: boolean;
}
export interface KernelHistory {
  rows: Step[];
  workload?: Maybe<string>;
  workload_label?: Maybe<string>;
  baseline?: Maybe<string>;
  champion?: Maybe<string>;
}
export interface Kernel {
  id: string;
  operator: string;
  family?: Maybe<string>;
  name?: Maybe<string>;
  language?: Maybe<string>;
  origin?: Maybe<string>;
  experiments?: number;
  received_at?: Maybe<string>;
  record?: JsonObject;
}
export interface Gaps {
  compute?: Maybe<number>;
  memory?: Maybe<number>;
  latency?: Maybe<number>;
  compute_utilisation_pct?: Maybe<number>;
  memory_utilisation_pct?: Maybe<number>;
  largest_stall_pct?: Maybe<number>;
  bound?: Maybe<string>;
  degraded?: boolean;
  unknown_inputs?: string[];
}
export interface AxisBudget {
  compute?: Maybe<number>;
  memory?: Maybe<number>;
  latency?: Maybe<number>;
  algorithm?: Maybe<string>;
}
export interface DriftStep {
  version: string;
  label: string;
  run?: Maybe<string>;
  gaps?: Maybe<Gaps>;
  bound?: Maybe<string>;
  moved?: boolean;
  moved_from?: Maybe<string>;
  moved_from_version?: Maybe<string>;
  across_unknown?: boolean;
}
export interface Drift {
  rows: DriftStep[];
  summary?: Maybe<string>;
  moves?: number;
  unknown?: number;
}
export interface Insight {
  id: string;
  kind: string;
  title: string;
  body: string;
  operator?: Maybe<string>;
  family?: Maybe<string>;
  language?: Maybe<string>;
  chip?: Maybe<string>;
  technique?: Maybe<string>;
  labels?: string[];
  confidence?: Maybe<string>;
  author?: Maybe<string>;
  author_kind?: Maybe<string>;
  review?: Maybe<{ state: string; by?: Maybe<string>; reason?: Maybe<string> }>;
  received_at?: Maybe<string>;
  record?: Json;
}
