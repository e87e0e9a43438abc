/* The shapes of docs/reference/api.md that the page reads. A member marked optional may be absent, which means
 * "not recorded" and is never shown as 0. Nothing here has behaviour. */
import type { LineageState, Move, Next, Place, Repeats, Start } from "./types-start";
import type { Decided, Judgement, Synergy, TechniqueVerdict, Watched } from "./types-judged";

export type Effect = "win" | "neutral" | "loss" | "inconclusive" | "not_measured";
export type Check = "pass" | "fail" | "timeout" | "not_checked";
export type Evidence = "confirmed" | "measured" | "imported" | "claimed";
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
export type Maybe<T> = T | null | undefined;

export interface Page<T> {
  rows: T[];
  next?: string | null;
  total?: number;
  unclassified?: number; /* the board's: rows that have to be asked for */
}
export interface Me {
  actor: string;
  role: string;
}
export interface Outcome {
  effect: Effect;
  correctness: Check;
  process: "clean" | "broken";
  rules?: string[];
  /** What looks odd and may have an honest reason. */
  flags?: string[];
  speedup?: Maybe<number>;
  low?: Maybe<number>;
  high?: Maybe<number>;
  basis?: Maybe<string>;
  before_ns?: Maybe<number>;
  after_ns?: Maybe<number>;
  policy?: Maybe<string>;
  disagrees?: boolean;
  at?: Maybe<string>;
}
export interface Workload {
  id: string;
  operator?: string;
  label: string;
  dims?: JsonObject;
  dtype?: Maybe<string>;
  layout?: Maybe<string>;
}
export interface TechniqueUse {
  name: string;
  raw?: Maybe<string>;
  params?: JsonObject;
}
export interface LabelsFrom {
  source: "said" | "derived";
  rule_set?: Maybe<string>;
  basis?: Maybe<string>;
  run?: Maybe<string>;
}
export interface Experiment {
  id: string;
  title?: Maybe<string>;
  operator?: Maybe<string>;
  family?: Maybe<string>;
  kernel?: Maybe<string>;
  kernel_name?: Maybe<string>;
  language?: Maybe<string>;
  chip?: Maybe<string>;
  workload?: Maybe<Workload>;
  from_version?: Maybe<string>;
  to_version?: Maybe<string>;
  hypothesis?: Maybe<string>;
  techniques?: TechniqueUse[];
  labels?: string[];
  raw_label?: Maybe<string>;
  labels_from?: Maybe<LabelsFrom>;
  evidence?: Maybe<Evidence>;
  typed_outcome?: Maybe<string>;
  outcome?: Maybe<Outcome>;
  masked?: boolean;
  notes?: Maybe<string>;
  lesson?: Maybe<string>;
  author?: Maybe<string>;
  happened_at?: Maybe<string>;
  received_at?: Maybe<string>;
  seq?: number;
}
export interface Mask {
  masked: boolean;
  reason?: Maybe<string>;
  actor?: Maybe<string>;
  at?: Maybe<string>;
}
export interface ExperimentFull extends Experiment {
  record?: JsonObject;
  before?: RunFull[];
  after?: RunFull[];
  hypothesis_record?: Maybe<JsonObject>;
  judgements?: Judgement[];
  claim_verdict?: Maybe<string>;
  decision?: Maybe<Decided>;
  watch?: Watched[];
  technique_verdicts?: TechniqueVerdict[];
  synergy?: Maybe<Synergy>;
  attributions?: JsonObject[];
  outcomes?: Outcome[];
  masks?: Mask[];
  document?: Maybe<string>;
}
export interface Stats {
  n: number;
  median_ns?: Maybe<number>;
  p10_ns?: Maybe<number>;
  p90_ns?: Maybe<number>;
  min_ns?: Maybe<number>;
  max_ns?: Maybe<number>;
  mean_ns?: Maybe<number>;
  std_ns?: Maybe<number>;
}
export interface Run {
  id: string;
  version?: Maybe<string>;
  version_label?: Maybe<string>;
  operator?: Maybe<string>;
  kernel?: Maybe<string>;
  kernel_name?: Maybe<string>;
  language?: Maybe<string>;
  chip?: Maybe<string>;
  environment?: Maybe<string>;
  workload?: Maybe<Workload>;
  role?: Maybe<string>;
  evidence?: Maybe<Evidence>;
  measured_at?: Maybe<string>;
  received_at?: Maybe<string>;
  tool?: Maybe<string>;
  stats?: Maybe<Stats>;
  correctness?: Maybe<Check>;
  error_type?: Maybe<string>;
  labels?: string[];
}
export interface RunFull extends Run {
  record?: JsonObject;
  document?: Maybe<string>;
}
export interface Version {
  id: string;
  kernel?: Maybe<string>;
  kernel_name?: Maybe<string>;
  kind?: Maybe<string>;
  label?: Maybe<string>;
  tag?: Maybe<string>;
  summary?: Maybe<string>;
  files?: { file: string; blob: string; bytes?: number }[];
}
export interface MetricDef {
  name: string;
  unit?: Maybe<string>;
  direction?: Maybe<string>;
  canonical?: Maybe<string>;
  title?: Maybe<string>;
}
export interface Speedup {
  value: number;
  base: string;
  base_name?: Maybe<string>;
  base_version?: Maybe<string>;
}
export interface TiedVersion {
  version?: Maybe<string>;
  label?: Maybe<string>;
  kernel_name?: Maybe<string>;
  language?: Maybe<string>;
  time_ns?: Maybe<number>;
}
export interface BoardRow {
  operator: string;
  family?: Maybe<string>;
  language?: Maybe<string>;
  chip?: Maybe<string>;
  workload?: Maybe<{ id: string; label: string }>;
  kernel?: Maybe<string>;
  kernel_name?: Maybe<string>;
  best?: Maybe<{ version?: Maybe<string>; label?: Maybe<string>; run?: Maybe<string>; experiment?: Maybe<string> }>;
  time_ns?: Maybe<number>;
  low_ns?: Maybe<number>;
  high_ns?: Maybe<number>;
  n_samples?: Maybe<number>;
  speedup?: Maybe<Speedup>;
  vs_library?: Maybe<Speedup>;
  typical?: Maybe<{ low: number; high: number; over?: Maybe<string> }>;
  labels?: string[];
  derived_labels?: string[];
  status?: Maybe<string>;
  evidence?: Maybe<Evidence>;
  versions?: number;
  runs?: number;
  experiments?: number;
  won?: number;
  neutral?: number;
  lost?: number;
  excluded?: { version?: Maybe<string>; label?: Maybe<string>; reason: string; code?: Maybe<string> }[];
  /** What timed the best. */
  method?: Maybe<string>;
  /** Versions that may be as fast as the best. */
  tied?: TiedVersion[];
  /** Where else the best passed its check, when only there. */
  checked_on?: Maybe<string>;
  correctness?: Maybe<Check>;
  interval?: Maybe<{ low_ns?: Maybe<number>; high_ns?: Maybe<number>; of?: Maybe<string> }>;
  /** Experiments that prove "baseline optimal". */
  failed_attempts?: string[];
  rank?: Maybe<number>;
  rank_high?: Maybe<number>;
  /** Versions of the row whose times were compared. */
  compared?: Maybe<number>;
  updated_at?: Maybe<string>;
}
export interface Count {
  name: string;
  n: number;
}
export interface Facets {
  total: number;
  operator?: Count[];
  chip?: Count[];
  language?: Count[];
  technique?: Count[];
  effect?: Count[];
  evidence?: Count[];
  bottleneck?: Count[];
}
export interface Hit {
  kind: string;
  id: string;
  title?: Maybe<string>;
  snippet?: Maybe<string>;
}
export interface OperatorRow {
  name: string;
  family?: Maybe<string>;
  kernels?: number;
  experiments?: number;
}
export interface Interval {
  value: number;
  low?: Maybe<number>;
  high?: Maybe<number>;
}
export interface Cited {
  experiment: string;
  title?: Maybe<string>;
  operator?: Maybe<string>;
  language?: Maybe<string>;
  chip?: Maybe<string>;
  effect: Effect;
  correctness: Check;
  process: "clean" | "broken";
  evidence?: Maybe<Evidence>;
  speedup?: Maybe<number>;
  labels?: string[];
  derived_labels?: string[];
  travel?: Maybe<string>;
  weight?: Maybe<number>;
  /** Than the newest experiment; absent for none. */
  years_older?: number;
}
/** How evidence of one level moved a probability. */
export interface Step {
  level: string;
  /** In experiments; 0: none entered here, as for the calibration. */
  weight: number;
  won: number;
  p_win: number;
}
/** The experiment that would change an answer most. */
export interface Telling {
  technique: string;
  if_won: number;
  if_lost: number;
  why?: Maybe<string>;
}
export interface Advice {
  technique: string;
  steps?: Step[];
  if_won?: Maybe<number>;
  if_lost?: Maybe<number>;
  workloads?: number;
  title?: Maybe<string>;
  p_win?: Maybe<Interval>;
  gain?: Maybe<Interval>;
  tried: number;
  won: number;
  neutral?: number;
  lost: number;
  inconclusive?: number;
  not_measured?: number;
  /** Of not_measured: somebody wrote that it failed. */
  said_lost?: number;
  tried_here?: number;
  won_here?: number;
  lost_here?: number;
  effective_n?: number;
  travel?: Maybe<{ nearest?: Maybe<string>; counts?: Record<string, number> }>;
  contested?: boolean;
  process_faults?: number;
  incorrect?: number;
  axis?: Maybe<string>;
  layer?: Maybe<string>;
  summary?: Maybe<string>;
  why?: Maybe<string>;
  evidence?: Cited[];
  /** A failed idea of the lineage of the version asked about that this repeats. */
  repeats?: Repeats;
}
/** How past advice of one technique did, for one chip and list. */
export interface AdviceLine {
  chip?: Maybe<string>;
  technique: string;
  list: string;
  served: number;
  applied: number;
  dismissed: number;
  worked: number;
  did_not: number;
  inconclusive: number;
}
export interface Untried {
  technique: string;
  title?: Maybe<string>;
  axis?: Maybe<string>;
  layer?: Maybe<string>;
  summary?: Maybe<string>;
  triggers?: string[];
  p_win?: Maybe<Interval>;
  why?: Maybe<string>;
}
export interface Answer {
  /** Absent: the answer is not remembered. */
  advice_id?: Maybe<string>;
  summary?: Maybe<string>;
  empty?: boolean;
  knowledge?: { considered: number; matched: number; on_operator: number; on_chip: number; base_rate?: Maybe<number>; level?: "exact" | "near" | "far" | "none"; why?: string };
  /** The service has just started: versions are not all in its memory yet. */
  start_state?: "reading";
  place?: Place;
  start?: Start[];
  moves?: Move[];
  next?: Next[];
  lineage?: LineageState;
  advice: Advice[];
  avoid?: Advice[];
  untried?: Untried[];
  telling?: Maybe<Telling>;
  similar?: Cited[];
  insights?: { id: string; kind: string; title?: Maybe<string>; body?: Maybe<string> }[];
  model?: { name: string; numbers?: { name: string; value: number; help?: string }[] };
}
