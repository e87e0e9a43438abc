/* Every object of the API. Made from the tables that write the answers (service/api), by
 * `LORE_BLESS=1 build/test_web_types`; do not edit. A member with `?` may be absent, which
 * means "not recorded" and is never shown as 0. JsonObject and Json: free-form. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
export type Maybe<T> = T | null | undefined;
export type Effect = Outcome["effect"];
export type Check = Outcome["correctness"];
export type Evidence = Experiment["evidence"];

/** A list. */
export interface Page<T> {
  rows: T[];
  next: string | null;
  total?: number;
  /** Of the board: rows that have to be asked for. */
  unclassified?: number;
}
export interface Problem {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
  /** path of the faulty value */
  path?: string;
  /** what to do */
  hint?: string;
  /** every error of the body: code, detail, path, hint */
  errors?: JsonObject[];
  /** records that an ambiguous name may mean */
  candidates?: NamedRecord[];
  request_id: string;
}
export interface NamedRecord {
  kind: string;
  id: string;
  /** of the kernel */
  name?: string;
  project?: string;
  operator?: string;
  language?: string;
  /** of the version or the campaign */
  label?: string;
  /** chips of a kernel's runs, or the chip of an experiment or a run */
  chip?: string;
  versions?: number;
  title?: string;
}
export interface Health {
  status: string;
  version: string;
  /** version of the database's schema */
  schema: number;
  uptime_s: number;
  /** what a check of the database found, which follows an unclean end; damaged: only reads */
  storage: "unchecked" | "checking" | "sound" | "damaged";
  /** of the last good backup */
  last_backup_at?: string;
}
export interface Ready {
  status: "ready" | "behind" | "silent";
  /** last entry of the journal in this node's database */
  applied?: number;
  /** last entry of the journal that this node knows of */
  head?: number;
  /** entries that are not applied yet */
  behind: number;
  /** since the journal last answered */
  silent_s: number;
  /** journal_lag: by how much the journal's disk may be behind */
  lag_ms?: number;
  /** entries that it may not have yet */
  unsynced: number;
}
export interface Route {
  method: string;
  path: string;
  /** the least role that may call it */
  who: string;
  /** it tells of the whole service: not for tokens of projects */
  whole?: boolean;
  /** bytes; 0: no body is taken */
  max_body: number;
  params: Parameter[];
  help: string;
}
export interface Parameter {
  name: string;
  type: "text" | "integer" | "boolean" | "enum" | "name" | "list";
  choices?: string;
  help: string;
}
export interface Setting {
  name: string;
  value: string | null;
  default: string | null;
  /** may change without a restart */
  reload: boolean;
  help: string;
}
export interface MetricDefinition {
  name: string;
  vendor?: string;
  unit?: string;
  kind?: string;
  /** better direction */
  direction?: "higher" | "lower" | "neutral";
  /** the name that several vendors' metrics share */
  canonical?: string;
  title?: string;
}
export interface Rule {
  name: string;
  /** rule: a breach breaks the process verdict; flag: doubtful; missing: not recorded */
  kind: string;
  help: string;
}
export interface Internals {
  /** rows by table */
  counts: JsonObject;
  database_bytes: number;
  wal_bytes: number;
  memory: MemoryCounts;
  ingest: IngestCounts;
}
export interface MemoryCounts {
  evidence_rows: number;
  evidence_bytes: number;
  board_entries: number;
  /** grows with every change of the index */
  generation: number;
}
export interface IngestCounts {
  documents: number;
  records: number;
  duplicates: number;
  refused: number;
  commits: number;
  queued: number;
  last_commit_at?: string;
}
export interface Me {
  actor: string;
  role: "reader" | "contributor" | "curator" | "admin";
  /** to which this request is bound */
  project?: string;
  /** of the token: a role, or role@project for each of its projects */
  rights?: string;
}
export interface Event {
  seq: number;
  at: string;
  actor: string;
  kind: string;
  subject: string;
}
export interface Receipt {
  id: string;
  status: "stored" | "duplicate";
  /** records by kind */
  stored: JsonObject;
  /** records by kind */
  duplicates: JsonObject;
  records: ReceiptRecord[];
  /** known lessons that say the same or the opposite */
  similar?: Similar[];
  /** names that neither the catalogue nor an earlier record has */
  new_names?: NewName[];
}
export interface ReceiptRecord {
  kind: "kernel" | "version" | "environment" | "run" | "hypothesis" | "experiment" | "attribution" | "insight" | "source_document" | "spec" | "technique_definition" | "verification" | "campaign" | "direction" | "curation" | "sweep" | "profile";
  id: string;
  status: "stored" | "duplicate";
}
export interface Similar {
  id: string;
  kind: "same" | "conflict";
  /** the new lesson */
  of: string;
}
export interface NewName {
  kind: "operator" | "technique";
  name: string;
  /** known names that may be meant, nearest first */
  near: string[];
}
export interface Document {
  id: string;
  hash: string;
  bytes: number;
  /** owner of the token, or agent, that sent it */
  actor: string;
  author: Author;
  received_at: string;
  seq: number;
}
export interface Author {
  name?: string;
  kind?: string;
  model?: string;
}
export interface DocumentFull {
  id: string;
  hash: string;
  bytes: number;
  /** owner of the token, or agent, that sent it */
  actor: string;
  author: Author;
  received_at: string;
  seq: number;
  artifacts: Artifact[];
}
export interface Artifact {
  name: string;
  /** its hash; GET /api/v1/blobs/{hash} returns the bytes */
  blob: string;
  bytes: number;
}
export interface AttemptReceipt {
  /** run_added: the version was stored before */
  status: "stored" | "duplicate" | "run_added";
  session?: string;
  operator: string;
  language: string;
  /** its name */
  kernel: string;
  project?: string;
  kernel_id: string;
  chip: string;
  workload?: string;
  workload_id?: string;
  /** of the workload: M=4096,N=4096 */
  dims?: string;
  dtype?: string;
  /** how kernel and parent were chosen, and how the words were read */
  note?: string;
  first?: AttemptVersion;
  /** the fastest correct version */
  champion?: AttemptVersion;
  /** speedup of the champion */
  champion_vs_first?: number;
  /** versions that are faster than the champion: wrong, not checked, or only stated */
  faster?: number;
  document: string;
  /** the version that the attempt made */
  version: AttemptVersion | null;
  run?: string;
  /** absent for a baseline */
  experiment?: string;
  /** what the attempt started from */
  parent?: AttemptVersion;
  /** absent for a baseline */
  outcome?: Outcome;
  speedup_vs_parent?: number;
  speedup_vs_first?: number;
  /** over the champion before it */
  speedup_vs_best_before?: number;
  /** names that neither the catalogue nor an earlier record has */
  new_names?: NewName[];
}
export interface SessionReceipt {
  /** run_added: the version was stored before */
  status: "stored" | "duplicate" | "run_added";
  session?: string;
  operator: string;
  language: string;
  /** its name */
  kernel: string;
  project?: string;
  kernel_id: string;
  chip: string;
  workload?: string;
  workload_id?: string;
  /** of the workload: M=4096,N=4096 */
  dims?: string;
  dtype?: string;
  /** how kernel and parent were chosen, and how the words were read */
  note?: string;
  first?: AttemptVersion;
  /** the fastest correct version */
  champion?: AttemptVersion;
  /** speedup of the champion */
  champion_vs_first?: number;
  /** versions that are faster than the champion: wrong, not checked, or only stated */
  faster?: number;
}
export interface AttemptVersion {
  id: string;
  label?: string;
  time_ns?: number;
}
export interface Outcome {
  effect: "win" | "neutral" | "loss" | "inconclusive" | "not_measured";
  correctness: "pass" | "fail" | "timeout" | "not_checked";
  /** how it ended before it was timed */
  error_type?: string;
  process: "clean" | "broken";
  /** rules of process that were broken */
  rules: string[];
  /** doubtful points that break no rule */
  flags: string[];
  /** what was not recorded: hypothesis, correctness_check … */
  missing: string[];
  speedup?: number;
  low?: number;
  high?: number;
  /** what counts of the speedup: over the best version before it, or the middle of a stated range */
  gain?: number;
  basis: "samples" | "summary" | "claim" | "none";
  before_ns?: number;
  after_ns?: number;
  policy: string;
  /** the author's outcome differs from the verdict */
  disagrees: boolean;
  at?: string;
  superseded_at?: string;
}
export interface DryRun {
  /** the document that would be stored */
  submission: JsonObject;
}
export interface BatchAnswer {
  receipt: BatchReceipt;
  records: BatchRecord[];
}
export interface BatchReceipt {
  agent: string;
  batch: string;
  /** place in the chain of the agent's receipts */
  number: number;
  /** hash of the previous receipt */
  previous: string;
  hash: string;
  /** by the service's key */
  signature: string;
}
export interface BatchRecord {
  seq: number;
  state: "stored" | "duplicate" | "refused";
  document?: string;
  hash: string;
  error?: RecordFault;
}
export interface RecordFault {
  code: string;
  detail: string;
  path?: string;
  hint?: string;
}
export interface EnrolRequest {
  /** good for one agent */
  code: string;
  /** Ed25519, as base64 */
  public_key: string;
  label: string;
}
export interface Enrolled {
  id: string;
  label: string;
  service_key: string;
}
export interface Agent {
  id: string;
  label: string;
  public_key: string;
  enrolled_at: string;
  revoked_at?: string;
  last_receipt_at?: string;
  receipts: number;
  stored: number;
  duplicates: number;
  refused: number;
}
export interface AgentSelf {
  service_key: string;
  id?: string;
  label?: string;
  enrolled_at?: string;
}
export interface BatchReceiptRow {
  agent: string;
  batch: string;
  /** place in the chain of the agent's receipts */
  number: number;
  /** hash of the previous receipt */
  previous: string;
  hash: string;
  /** by the service's key */
  signature: string;
  service_key: string;
  received_at: string;
  records: SignedRecord[];
}
export interface SignedRecord {
  seq: number;
  state: "stored" | "duplicate" | "refused";
  hash: string;
  signature: string;
  document?: string;
  /** why it was refused */
  code?: string;
}
export interface Operator {
  name: string;
  family: string;
  summary?: string;
  aliases: string[];
  /** in the catalogue, not only in records */
  known: boolean;
  kernels: number;
  experiments: number;
}
export interface Chip {
  name: string;
  title: string;
  vendor: string;
  arch: string;
  isa: string;
  /** name of its compute units */
  unit: string;
  /** false: an ISA that several products share */
  product: boolean;
  runs: number;
  experiments: number;
}
export interface ChipSheet {
  name: string;
  title: string;
  vendor: string;
  arch: string;
  isa: string;
  /** name of its compute units */
  unit: string;
  /** false: an ISA that several products share */
  product: boolean;
  /** features of its ISA */
  features?: string[];
  /** source of the features */
  features_from?: string;
  /** numbers in force */
  specs: Spec[];
  /** measured ceilings */
  ceilings: Spec[];
  /** numbers that no source gives */
  unknown: Spec[];
  disputes: Dispute[];
  lint: SpecDoubt[];
}
export interface Spec {
  id: string;
  chip: string;
  metric: string;
  value?: number;
  unknown?: "not_collected" | "tool_unavailable" | "permission_denied" | "counter_unsupported" | "not_applicable" | "no_source" | "lost";
  unit?: string;
  qualifier?: string;
  evidence_class: "vendor_published" | "derived" | "architecture_analysis" | "repository_reference" | "user_confirmed" | "measured" | "device_reported";
  source_document?: string;
  line?: number;
  quote?: string;
  environment?: string;
  method?: Record<string, string | number | boolean>;
  measured_at?: string;
  note?: string;
  provenance?: SubmittedProvenance;
  extra?: JsonObject;
  /** of its source document */
  path?: string;
  standing: "in_force" | "candidate" | "disputed" | "unknown" | "rejected" | "retracted";
  decision?: string;
  why?: string;
  decided_by?: string;
  decided_at?: string;
  /** the number with its source, in words */
  cite: string;
  received_at?: string;
  document?: string;
  actor?: string;
  seq: number;
}
export interface Dispute {
  chip: string;
  metric: string;
  qualifier?: string;
  /** in base units */
  low: number;
  high: number;
  ratio: number | null;
  dimension?: string;
  members: Spec[];
  /** the one in force */
  selected: string | null;
  reason?: string;
  decided_by?: string;
  decided_at?: string;
}
export interface SpecDoubt {
  code: string;
  specs: string[];
  text: string;
}
export interface Technique {
  slug: string;
  title: string;
  axis?: string;
  layer?: string;
  summary?: string;
  /** bottleneck labels that call for it */
  triggers: string[];
  /** in the catalogue, not only in records */
  known: boolean;
  experiments: number;
  wins: number;
  losses: number;
}
export interface Unresolved {
  kind: "operator" | "technique";
  name: string;
  /** that use it */
  experiments: number;
  /** known names that may be meant, nearest first */
  near: string[];
}
export interface TechniqueSheet {
  slug: string;
  title: string;
  /** in the catalogue */
  known: boolean;
  axis?: string;
  layer?: string;
  summary?: string;
  aliases?: string[];
  /** bottlenecks that call for it */
  triggers: string[];
  min_sm?: number;
  /** has a form for NVIDIA chips */
  nvidia?: boolean;
  amd?: boolean;
  /** NVIDIA's; `|` is "or" */
  features?: string[];
  amd_features?: string[];
  complements?: string[];
  /** what must hold, in words */
  needs?: string;
  methods: Method[];
  pairs: Pair[];
  experiments: number;
  wins: number;
  losses: number;
  /** how often each was given */
  verdicts: Record<string, number>;
  definitions: TechniqueDefinition[];
}
export interface Method {
  id: string;
  axis: "compute" | "memory" | "latency";
  /** 1 is tried first within the axis */
  priority: number;
  min_sm?: number;
  /** that it needs */
  features: string[];
  trigger: MethodTrigger | null;
  conflicts: string[];
  complements: string[];
  /** what its authors expect */
  expected?: string;
}
export interface MethodTrigger {
  metric: string;
  canonical?: string;
  /** value at which the method is not needed */
  good?: number;
  /** value at which it is needed most */
  bad?: number;
  direction?: "high_is_bad" | "low_is_bad";
}
export interface Pair {
  with: string;
  kind: "free" | "same" | "coupled" | "exclusive";
  /** sources disagree about it */
  contradicts: boolean;
  note?: string;
}
export interface TechniqueDefinition {
  id: string;
  technique: string;
  slug?: string;
  title?: string;
  axis?: string;
  layer?: string;
  summary?: string;
  priority?: number;
  min_arch?: string;
  features?: string[];
  preconditions?: string[];
  trigger?: SubmittedTrigger;
  conflicts?: string[];
  complements?: string[];
  coupled?: string[];
  signatures?: SubmittedSignature[];
  reference?: string;
  typical_gain?: string;
  provenance?: SubmittedProvenance;
  extra?: JsonObject;
  received_at?: string;
  document?: string;
  actor?: string;
  seq: number;
}
export interface KernelRow {
  id: string;
  operator: string;
  family?: string;
  name: string;
  language: string;
  project?: string;
  /** where the code lives */
  origin?: string;
  experiments: number;
  received_at?: string;
  seq: number;
  /** how many */
  versions: number;
}
export interface Kernel {
  id: string;
  operator: string;
  family?: string;
  name: string;
  language: string;
  project?: string;
  /** where the code lives */
  origin?: string;
  experiments: number;
  received_at?: string;
  seq: number;
  versions: Version[];
  record: JsonObject;
  document?: string;
}
export interface Version {
  id: string;
  kernel: string;
  kernel_name?: string;
  operator?: string;
  language?: string;
  project?: string;
  kind: "baseline" | "candidate" | "branch" | "ablation" | "revert" | "library";
  ordinal?: number;
  tag?: string;
  label?: string;
  summary?: string;
  parents: Parent[];
  files: File[];
  created_at?: string;
  received_at?: string;
  seq: number;
}
export interface Parent {
  version: string;
  kind: string;
}
export interface File {
  file: string;
  /** its hash; GET /api/v1/blobs/{hash} returns the bytes */
  blob: string;
  bytes: number;
}
export interface History {
  rows: HistoryStep[];
  next: string | null;
  workload?: string;
  workload_label?: string;
  chip?: string;
  environment?: string;
  /** the tool that timed */
  method?: string;
  baseline?: string;
  champion?: string;
  /** versions that were not read */
  older_versions: number;
  /** experiments that were not read */
  older_experiments: number;
  /** newest first */
  sweeps: HistorySweep[];
}
export interface HistoryStep {
  version: Version;
  /** experiment that made it */
  experiment?: Experiment;
  /** its representative run */
  run?: Run;
  time_ns?: number;
  /** why it has no time */
  error_type?: string;
  /** why its time does not compare */
  timed_elsewhere?: string;
  /** over the first version of its own log, else the baseline of the answer */
  speedup_vs_first?: number;
  /** over the first parent */
  speedup_vs_parent?: number;
  /** over `best_before` */
  speedup_vs_best_before?: number;
  /** the champion among the earlier steps */
  best_before?: string;
  /** bottlenecks that experiments starting from it name */
  labels?: string[];
  /** techniques that it has from its whole line */
  line: string[];
  baseline: boolean;
  champion: boolean;
  hidden: boolean;
  hidden_why?: "masked" | "merged" | "retracted" | "copy" | "beyond_ceiling";
  /** run or experiment of somebody else that says, without evidence, that it is wrong */
  disputed?: string;
  /** why the time of a run is impossible */
  beyond_ceiling?: string;
  retracted: boolean;
}
export interface Experiment {
  id: string;
  title: string;
  operator?: string;
  family?: string;
  kernel: string;
  kernel_name?: string;
  language?: string;
  project?: string;
  /** the earlier one that it repeats, which counts instead */
  copy_of?: string;
  copy_of_project?: string;
  chip?: string;
  workload: Workload | null;
  from_version?: string;
  to_version?: string;
  hypothesis?: string;
  techniques: UsedTechnique[];
  /** bottlenecks before the change */
  labels: string[];
  /** the bottleneck as written */
  raw_label?: string;
  /** whether they were declared or derived */
  labels_from?: LabelsFrom;
  evidence: "confirmed" | "measured" | "imported" | "claimed";
  /** outcome as its author wrote it */
  typed_outcome?: string;
  outcome: Outcome | null;
  /** hidden from recommendations */
  masked: boolean;
  /** must not be exported */
  withheld?: boolean;
  notes?: string;
  lesson?: string;
  author?: string;
  happened_at?: string;
  received_at?: string;
  seq: number;
}
export interface Workload {
  id: string;
  operator?: string;
  label?: string;
  dims?: JsonObject;
  dtype?: string;
  layout?: string;
}
export interface UsedTechnique {
  name: string;
  /** as written */
  raw?: string;
}
export interface LabelsFrom {
  source: "said" | "derived";
  /** rule set that derived them */
  rule_set?: string;
  /** source of the metrics */
  basis?: "run_before" | "stated" | "earlier_run";
  run?: string;
}
export interface Run {
  id: string;
  version: string;
  version_label?: string;
  operator?: string;
  kernel?: string;
  kernel_name?: string;
  language?: string;
  project?: string;
  /** the earlier one that it repeats, which counts instead */
  copy_of?: string;
  copy_of_project?: string;
  chip?: string;
  environment?: string;
  workload: Workload | null;
  role: "candidate" | "baseline" | "reference" | "ablation" | "branch";
  evidence: "confirmed" | "measured" | "imported" | "claimed";
  measured_at?: string;
  received_at?: string;
  tool?: string;
  /** median of its samples, else as stated */
  time_ns?: number;
  /** computed from the samples, or the summary */
  stats?: RunStatistics;
  /** rates computed from shape and time */
  derived?: RunDerived;
  correctness: "pass" | "fail" | "timeout" | "not_checked";
  error_type: string | null;
  /** bottlenecks */
  labels: string[];
  retracted: boolean;
  /** why its time is impossible on this chip, so that it does not count */
  beyond_ceiling?: string;
  seq: number;
}
export interface RunStatistics {
  n?: number;
  median_ns?: number;
  p10_ns?: number;
  p90_ns?: number;
  min_ns?: number;
  max_ns?: number;
  mean_ns?: number;
  std_ns?: number;
}
export interface RunDerived {
  flops?: number;
  bytes?: number;
  tflops?: number;
  gbps?: number;
  rule: string;
}
export interface HistorySweep {
  id?: string;
  kernel?: string;
  chip?: string;
  environment?: string;
  workload?: SubmittedWorkload;
  tool?: string;
  strategy?: string;
  objective?: string;
  statistic?: "mean" | "median" | "min";
  author?: string;
  campaign?: string;
  searched_at?: string;
  evidence?: "confirmed" | "measured" | "imported" | "claimed";
  configurations?: SubmittedConfigurations;
  best?: SubmittedBest[];
  provenance?: SubmittedProvenance;
  extra?: JsonObject;
  operator: string;
  kernel_name: string;
  language: string;
  workload_id?: string;
  workload_label?: string;
  summary: SweepSummary;
  received_at?: string;
  document?: string;
  actor?: string;
  seq: number;
  /** of its best configuration over the baseline of the answer */
  speedup_vs_first?: number;
}
export interface Sweep {
  id?: string;
  kernel?: string;
  chip?: string;
  environment?: string;
  workload?: SubmittedWorkload;
  tool?: string;
  strategy?: string;
  objective?: string;
  statistic?: "mean" | "median" | "min";
  author?: string;
  campaign?: string;
  searched_at?: string;
  evidence?: "confirmed" | "measured" | "imported" | "claimed";
  configurations?: SubmittedConfigurations;
  best?: SubmittedBest[];
  provenance?: SubmittedProvenance;
  extra?: JsonObject;
  operator: string;
  kernel_name: string;
  language: string;
  workload_id?: string;
  workload_label?: string;
  summary: SweepSummary;
  received_at?: string;
  document?: string;
  actor?: string;
  seq: number;
}
export interface SweepSummary {
  configurations: number;
  /** configurations with a time */
  timed: number;
  /** configurations that failed */
  failed: number;
  best_ns?: number;
  /** label of the version that is its best configuration */
  best?: string;
  median_ns?: number;
  /** another record of the same search, which counts */
  same_as?: string;
  retracted: boolean;
}
export interface Frontier {
  rows: FrontierRow[];
  next: string | null;
  workload?: string;
  workload_label?: string;
  chip?: string;
  /** the tool that timed */
  method?: string;
  champion?: string;
  /** its label, else its id */
  champion_label?: string;
  champion_time_ns?: number;
  /** counted by the first reason that applies */
  left_out: FrontierLeftOut;
  /** versions that were not read */
  older_versions: number;
  /** experiments that were not read */
  older_experiments: number;
}
export interface FrontierRow {
  version: string;
  label?: string;
  kind: "candidate" | "branch";
  /** experiment that made it */
  experiment?: string;
  time_ns: number;
  delta_from_champion_pct: number;
  /** parameters that differ; null: not set there */
  params: ParamBehind[];
  /** of its line, not of the champion's */
  techniques_added: string[];
  /** of the champion's line, not of its own */
  techniques_missing: string[];
  hidden: boolean;
  hidden_why?: "masked" | "merged" | "retracted" | "copy" | "beyond_ceiling";
  /** run or experiment of somebody else that says, without evidence, that it is wrong */
  disputed?: string;
  /** why the time of a run is impossible */
  beyond_ceiling?: string;
  retracted: boolean;
}
export interface ParamBehind {
  name: string;
  here: Json;
  champion: Json;
}
export interface FrontierLeftOut {
  baseline: number;
  /** masked, merged or retracted */
  hidden: number;
  failed: number;
  not_checked: number;
  not_timed: number;
  timed_elsewhere: number;
}
export interface Drift {
  rows: DriftStep[];
  next: string | null;
  chip?: string;
  summary: string;
  moves: number;
  unknown: number;
}
export interface DriftStep {
  version: string;
  label: string;
  /** run with these metrics */
  run: string | null;
  gaps: Gaps | null;
  bound: "unknown" | "near_peak" | "compute" | "memory" | "latency";
  axis_budget: AxisBudget | null;
  /** change of the gap since the version before */
  d_compute?: number;
  d_memory?: number;
  d_latency?: number;
  moved: boolean;
  moved_from?: "unknown" | "near_peak" | "compute" | "memory" | "latency";
  moved_from_version?: string;
  /** versions whose bound is not known lie between */
  across_unknown?: boolean;
}
export interface Gaps {
  /** 0 to 1: unused share */
  compute?: number;
  memory?: number;
  latency?: number;
  compute_utilisation_pct?: number;
  memory_utilisation_pct?: number;
  largest_stall_pct?: number;
  bound: "unknown" | "near_peak" | "compute" | "memory" | "latency";
  /** the profiler could not read counters */
  degraded: boolean;
  /** metrics that were not recorded */
  unknown_inputs: string[];
}
export interface AxisBudget {
  /** how many of the next three methods */
  compute: number;
  memory: number;
  latency: number;
  algorithm: string;
}
export interface RestartRequest {
  /** why, 1 to 2000 bytes */
  reason: string;
  /** id of the decision, for a safe retry */
  id?: string;
  seed?: Json;
  /** preview without hiding */
  dry_run?: boolean;
}
export interface ReasonRequest {
  /** why, 1 to 2000 bytes */
  reason: string;
  /** id of the decision, for a safe retry */
  id?: string;
}
export interface Restart {
  id?: string;
  seed: string;
  method: string;
  hidden_versions: string[];
  masked_experiments: string[];
  visible_versions: string[];
  /** versions that are never hidden */
  excluded: Excluded[];
  /** version to continue from */
  from_version?: string;
  next_ordinal: number;
}
export interface Excluded {
  version: string;
  why: "baseline" | "best" | "no_experiment";
}
export interface VersionRow {
  id: string;
  kernel: string;
  kernel_name?: string;
  operator?: string;
  language?: string;
  project?: string;
  kind: "baseline" | "candidate" | "branch" | "ablation" | "revert" | "library";
  ordinal?: number;
  tag?: string;
  label?: string;
  summary?: string;
  parents: Parent[];
  files: File[];
  created_at?: string;
  received_at?: string;
  seq: number;
  document?: string;
}
export interface VersionFull {
  id: string;
  kernel: string;
  kernel_name?: string;
  operator?: string;
  language?: string;
  project?: string;
  kind: "baseline" | "candidate" | "branch" | "ablation" | "revert" | "library";
  ordinal?: number;
  tag?: string;
  label?: string;
  summary?: string;
  parents: Parent[];
  files: File[];
  created_at?: string;
  received_at?: string;
  seq: number;
  record: JsonObject;
  document?: string;
  /** the techniques of all its ancestors and its own */
  line: LineTechnique[];
}
export interface LineTechnique {
  name: string;
  /** the version that brought it in */
  version: string;
  label?: string;
  experiment?: string;
  /** the version that took it out again */
  out_version?: string;
  out_label?: string;
  out_experiment?: string;
  /** how: tag of an experiment, source, parameter, summary; isa: and verified in the machine code; kept: an experiment kept it; log: perhaps, for an earlier attempt of the log gained with it; ancestor: the source of an ancestor shows it, and the version has none */
  known: string[];
}
export interface Lineage {
  version: string;
  kernel: string;
  ancestors: Ancestor[];
  /** there are more */
  ancestors_cut: boolean;
  descendants: Descendant[];
  /** there are more */
  descendants_cut: boolean;
}
export interface Ancestor {
  version: string;
  /** derived_from, ablation_of, … */
  edge: string;
  /** adjacent version, closer to the requested one */
  child: string;
  depth: number;
  label?: string;
  kernel: string;
  kind: string;
  ordinal?: number;
}
export interface Descendant {
  version: string;
  /** derived_from, ablation_of, … */
  edge: string;
  /** adjacent version, closer to the requested one */
  parent: string;
  depth: number;
  label?: string;
  kernel: string;
  kind: string;
  ordinal?: number;
}
export interface Verification {
  id: string;
  version: string;
  technique: string;
  status: "verified" | "missing" | "not_applicable" | "unavailable" | "inconclusive";
  tool?: string;
  kernel_symbol?: string;
  signature?: string;
  found?: string[];
  missing?: string[];
  counts?: Record<string, string | number | boolean>;
  note?: string;
  provenance?: SubmittedProvenance;
  extra?: JsonObject;
  received_at?: string;
  document?: string;
  actor?: string;
  seq: number;
}
export interface Comparison {
  a: Version;
  b: Version;
  /** of each version the time that counts where both were timed */
  time: ComparedTime | null;
  metrics: ComparedMetric[];
  same_within_pct: number;
  techniques: BothTechniques;
  params: ComparedValue[];
  build: ComparedValue[];
  /** what the compiled code shows */
  isa: BothIsa;
  files: ComparedFile[];
  files_left_out: number;
  /** the only side without a source: no diff */
  without_source?: "a" | "b";
}
export interface ComparedTime {
  a: Run;
  b: Run;
  speedup?: number;
  /** what differs */
  not_comparable?: string;
  same_environment: boolean;
  same_tool: boolean;
}
export interface ComparedMetric {
  name: string;
  unit?: string;
  a?: number;
  b?: number;
  delta_pct?: number;
  sense: "better" | "worse" | "same" | "unknown";
}
export interface BothTechniques {
  a: LineTechnique[];
  b: LineTechnique[];
  /** A has them, B lacks them */
  only_a: string[];
  /** B has them, A lacks them */
  only_b: string[];
}
export interface ComparedValue {
  name: string;
  a?: Json;
  b?: Json;
}
export interface BothIsa {
  a: ComparedIsa[];
  b: ComparedIsa[];
}
export interface ComparedIsa {
  id: string;
  technique: string;
  status: string;
  tool?: string;
  /** instructions by opcode */
  counts: JsonObject;
}
export interface ComparedFile {
  file: string;
  /** its blob */
  a: string | null;
  /** its blob */
  b: string | null;
  same: boolean;
  added?: number;
  removed?: number;
  cut?: boolean;
  /** reason for the cut */
  why?: string;
  /** not the shortest difference */
  coarse?: boolean;
  /** unified */
  diff?: string;
}
export interface RunFull {
  id: string;
  version: string;
  version_label?: string;
  operator?: string;
  kernel?: string;
  kernel_name?: string;
  language?: string;
  project?: string;
  /** the earlier one that it repeats, which counts instead */
  copy_of?: string;
  copy_of_project?: string;
  chip?: string;
  environment?: string;
  workload: Workload | null;
  role: "candidate" | "baseline" | "reference" | "ablation" | "branch";
  evidence: "confirmed" | "measured" | "imported" | "claimed";
  measured_at?: string;
  received_at?: string;
  tool?: string;
  /** median of its samples, else as stated */
  time_ns?: number;
  /** computed from the samples, or the summary */
  stats?: RunStatistics;
  /** rates computed from shape and time */
  derived?: RunDerived;
  correctness: "pass" | "fail" | "timeout" | "not_checked";
  error_type: string | null;
  /** bottlenecks */
  labels: string[];
  retracted: boolean;
  /** why its time is impossible on this chip, so that it does not count */
  beyond_ceiling?: string;
  seq: number;
  record: JsonObject;
  document?: string;
}
export interface DiagnosisOfRun {
  run?: string;
  profile?: string;
  /** line and launch shape of the profile: 1.2 */
  line?: string;
  chip?: string;
  /** true: the run, or its version, was withdrawn */
  retracted?: boolean;
  /** the reason */
  retraction?: string;
  facts: Input[];
  rule_sets: RuleSetResult[];
  /** bottlenecks declared with the run */
  declared: string[];
  contradictions: Contradiction[];
  lint: MetricDoubt[];
  stalls: Stall[];
  gaps: Gaps;
  axis_budget: AxisBudget | null;
  quantities: Quantity[];
}
export interface Input {
  name: string;
  value?: number;
  unit?: string;
  /** spec that it comes from */
  spec?: string;
  /** the number with its source, in words */
  cite?: string;
  /** why it is not known */
  why?: string;
}
export interface RuleSetResult {
  name: string;
  labels: string[];
  signals: string[];
  findings: Finding[];
  not_evaluated: NotEvaluated[];
  /** patterns that were looked at and did not fire */
  clear: number;
}
export interface Finding {
  pattern: string;
  label: string;
  symptom?: string;
  /** bottlenecks */
  labels: string[];
  /** a hint only: it adds no label */
  signal: boolean;
  confidence: "low" | "medium" | "high";
  /** in words, with every value and threshold */
  evidence: string;
  values: Test[];
}
export interface Test {
  metric: string;
  value: number;
  op: string;
  threshold: number;
}
export interface NotEvaluated {
  pattern: string;
  label: string;
  /** metrics that were not recorded */
  missing: string[];
  note?: string;
}
export interface Contradiction {
  label: string;
  evidence: string;
  values: Test[];
}
export interface MetricDoubt {
  code: string;
  metric: string;
  text: string;
}
export interface Stall {
  metric: string;
  reason?: string;
  value: number;
  unit: string;
  /** among the stalls measured in the same unit */
  rank: number;
  /** this stall costs nothing: the warp was ready, but another one was chosen */
  neutral: boolean;
}
export interface Quantity {
  name: string;
  unit: string;
  value?: number;
  /** inputs that were not recorded */
  unknown?: string;
  formula: string;
  fidelity: string;
  note?: string;
}
export interface Triggers {
  /** strongest first */
  rows: Candidate[];
  next: string | null;
  /** techniques whose trigger fires, and that the version has */
  present: LineTechnique[];
  not_evaluated: Silent[];
  /** methods whose trigger does not fire */
  not_needed: number;
  selection?: MethodSelection;
}
export interface Candidate {
  method: string;
  technique: string;
  title: string;
  axis: string;
  /** 1 is tried first within the axis */
  priority: number;
  /** 0 to 1 */
  strength: number;
  metric?: string;
  value?: number;
  /** value at which the method is not needed */
  good?: number;
  /** value at which it is needed most */
  bad?: number;
  /** what its authors expect */
  expected?: string;
  /** whether the chip can do it */
  gate: Gate;
  tried: number;
  won: number;
  lost: number;
  /** methods here that cannot be taken together with it */
  conflicts_with: string[];
}
export interface Gate {
  /** null: not known */
  ok: boolean | null;
  why: "ok" | "unknown" | "architecture" | "feature";
  /** the feature, architecture or vendor that it needs */
  missing?: string;
}
export interface Silent {
  method: string;
  technique: string;
  axis: string;
  metric?: string;
  why: string;
}
export interface MethodSelection {
  algorithm: string;
  budget: AxisBudget | null;
  budget_from: "given" | "gaps" | "unknown";
  gaps: Gaps;
  chosen: MethodScan[];
  skipped: MethodScan[];
}
export interface MethodScan {
  method: string;
  technique: string;
  axis: string;
  priority: number;
  strength?: number;
  /** why it was skipped */
  reason?: string;
  note?: string;
}
export interface Environment {
  id: string;
  chip?: string;
  /** fields that make times incomparable when they differ */
  hard: JsonObject;
  /** fields that are only shown */
  soft: JsonObject;
  hard_hash: string;
  soft_hash: string;
  captured_at?: string;
  received_at?: string;
  record: JsonObject;
  document?: string;
  seq: number;
}
export interface ComparedEnvironments {
  a: Environment;
  b: Environment;
  /** times taken in the two may be compared */
  comparable: boolean;
  hard: ComparedValue[];
  soft: ComparedValue[];
}
export interface Hypothesis {
  id: string;
  from_version?: string;
  to_version?: string;
  claim: string;
  author?: string;
  claimed_at?: string;
  received_at?: string;
  record: JsonObject;
  document?: string;
  seq: number;
}
export interface ExperimentFull {
  id: string;
  title: string;
  operator?: string;
  family?: string;
  kernel: string;
  kernel_name?: string;
  language?: string;
  project?: string;
  /** the earlier one that it repeats, which counts instead */
  copy_of?: string;
  copy_of_project?: string;
  chip?: string;
  workload: Workload | null;
  from_version?: string;
  to_version?: string;
  hypothesis?: string;
  techniques: UsedTechnique[];
  /** bottlenecks before the change */
  labels: string[];
  /** the bottleneck as written */
  raw_label?: string;
  /** whether they were declared or derived */
  labels_from?: LabelsFrom;
  evidence: "confirmed" | "measured" | "imported" | "claimed";
  /** outcome as its author wrote it */
  typed_outcome?: string;
  outcome: Outcome | null;
  /** hidden from recommendations */
  masked: boolean;
  /** must not be exported */
  withheld?: boolean;
  notes?: string;
  lesson?: string;
  author?: string;
  happened_at?: string;
  received_at?: string;
  seq: number;
  record: JsonObject;
  before: RunFull[];
  after: RunFull[];
  /** samples that were taken in turns */
  paired: Paired | null;
  hypothesis_record: Hypothesis | null;
  judgements: Judgement[];
  claim_verdict: string | null;
  decision: Decided | null;
  watch: Watched[];
  technique_verdicts: TechniqueVerdict[];
  synergy: Synergy | null;
  attributions: Attribution[];
  /** lessons that cite it */
  insights: CitingInsight[];
  /** newest first */
  outcomes: Outcome[];
  masks: Mask[];
  document?: string;
}
export interface Paired {
  verdict: string;
  median_improvement_pct: number;
  low: number;
  high: number;
  /** pairs */
  n: number;
  min_effect_pct: number;
  method: string;
}
export interface Judgement {
  metric: string;
  verdict: "confirmed" | "contradicted" | "partial" | "not_measured";
  before?: number;
  after?: number;
  why: string;
}
export interface Decided {
  decision: string;
  why?: string;
  accept: Clause[];
  reject: Clause[];
}
export interface Clause {
  clause: string;
  truth: string;
  why?: string;
}
export interface Watched {
  metric: string;
  state: string;
  before?: number;
  after?: number;
  change_pct?: number;
}
export interface TechniqueVerdict {
  technique: string;
  verdict: "effective" | "ineffective" | "implementation_failed" | "unattributed" | "not_measured";
  contributed: "yes" | "no" | "unknown";
  isa: "verified" | "missing" | "not_applicable" | "unavailable" | "inconclusive" | "not_checked";
  policy: string;
  why: string;
}
export interface Synergy {
  total_ns: number;
  /** gains that ablations attribute to single techniques */
  sum_ns?: number;
  residual_ns?: number;
  /** of the total */
  residual_pct?: number;
  /** techniques without an ablation */
  unknown: number;
  gain_from_parameters: boolean;
}
export interface Attribution {
  id: string;
  experiment: string;
  technique: string;
  ablated_version?: string;
  champion_run?: string;
  ablated_run?: string;
  attribution_ns?: number;
  attribution_pct?: number;
  noise_pct?: number;
  contributed: "yes" | "no" | "unknown";
  note?: string;
  extra?: JsonObject;
  seq: number;
}
export interface CitingInsight {
  id: string;
  kind: string;
  title: string;
  review: Review | null;
  retracted: boolean;
  /** why */
  retraction?: string;
  /** why its time is impossible, so that it does not count */
  beyond_ceiling?: string;
}
export interface Review {
  state: "draft" | "reviewed" | "rejected";
  by?: string;
  reason?: string;
}
export interface Mask {
  masked: boolean;
  reason: string;
  actor: string;
  at?: string;
}
export interface MaskRequest {
  /** why, 1 to 2000 bytes */
  reason: string;
  /** id of the decision, for a safe retry */
  id?: string;
  masked: boolean;
}
export interface Masked {
  id: string;
  masked: boolean;
  /** the decision */
  curation: string;
}
export interface JudgedRow {
  experiment: string;
  hypothesis: string;
  author?: string;
  metric: string;
  verdict: "confirmed" | "contradicted" | "partial" | "not_measured";
  before?: number;
  after?: number;
  why: string;
}
export interface Calibrations {
  rows: Calibration[];
  next: string | null;
  total: Calibration;
}
export interface Calibration {
  author: string | null;
  n: number;
  without_probability: number;
  without_outcome: number;
  /** Brier score */
  brier?: number;
  base_rate?: number;
  /** Brier score of always saying the base rate */
  reference?: number;
  calibration_error?: number;
  bins: CalibrationBin[];
}
export interface CalibrationBin {
  low: number;
  high: number;
  n: number;
  mean_probability: number;
  /** how often it happened */
  rate: number;
}
export interface CheckedIdea {
  answer: "new" | "stop" | "won_here" | "known";
  /** one sentence */
  why: string;
  rows: Repeat[];
  next: string | null;
  /** similar attempts */
  found: number;
  /** on another kernel, chip or workload */
  won_elsewhere: number;
  /** no faster and no slower */
  no_gain_elsewhere: number;
  failed_elsewhere: number;
  /** attempts here that ended */
  attempts: number;
  /** attempts after the last gain; 0 if unordered */
  since_gain: number;
  gained: boolean;
  /** true: of several kernels or logs, so the last gain is not known */
  unordered?: boolean;
  /** attempts here, on the chip of the plan, that introduced a technique of it */
  technique_tried: number;
  technique_failed: number;
  /** what became of each technique of the plan */
  techniques: TechniqueTally[];
  /** about a technique of the plan */
  insights: IdeaLesson[];
  /** the last attempts that ended */
  recent: number;
  recent_not_built: number;
}
export interface Repeat {
  experiment: string;
  kind: "near" | "exact";
  where: "here" | "other_workload" | "other_chip" | "other_kernel";
  /** it failed here, and the failure still applies */
  flagged: boolean;
  why: string;
  end: "gain" | "open" | "no_gain" | "loss" | "wrong" | "timed_out" | "not_run" | "not_built";
  speedup?: number;
  /** changes between what that attempt and the plan start from */
  changes_since: number;
  /** 0 to 1 */
  words_alike: number;
  /** its claim, else its title */
  words?: string;
  /** its name */
  kernel?: string;
  chip?: string;
  /** the version that it made */
  version?: string;
  author?: string;
  day?: string;
  /** of that version */
  label?: string;
}
export interface TechniqueTally {
  technique: string;
  /** attempts here, on the chip of the plan, that introduced it */
  tried: number;
  won: number;
  /** gained little or nothing */
  no_gain: number;
  failed: number;
  /** attempts at another value of what their base version has */
  values: number;
  values_won: number;
  /** attempts here on other chips that introduced it */
  other_chips: number;
  other_chips_won: number;
  /** the largest win that introduced it */
  best_experiment?: string;
  /** all of it in words; empty: nobody tried it */
  text: string;
}
export interface IdeaLesson {
  insight: string;
  kind: string;
  title: string;
  /** the technique of the plan that it is about */
  technique?: string;
  /** a draft until somebody reviews it */
  state: "draft" | "reviewed";
}
export interface Failures {
  rows: Failure[];
  next: string | null;
  groups: number;
  failures: number;
}
export interface Failure {
  error_type: string;
  code?: string;
  words?: string;
  count: number;
  /** distinct experiments, and runs without one, in which it occurred */
  recurrences: number;
  message?: string;
  root_cause?: string;
  fix?: string;
  lesson?: string;
  experiments: string[];
  run?: string;
  last_at?: string;
  /** title of the newest experiment */
  title?: string;
  /** its kernel, by name */
  kernel?: string;
  /** the label of the version that it made */
  version?: string;
  /** what its author noted */
  notes?: string;
}
export interface Facets {
  total: number;
  operator: FacetCount[];
  chip: FacetCount[];
  language: FacetCount[];
  technique: FacetCount[];
  effect: FacetCount[];
  evidence: FacetCount[];
  bottleneck: FacetCount[];
}
export interface FacetCount {
  name: string;
  n: number;
}
export interface Insight {
  id: string;
  kind: "note" | "technique_card" | "anti_strategy" | "symptom_card" | "playbook" | "doc" | "numerics_rule" | "dispatch_rule" | "reference_kernel";
  title: string;
  body: string;
  operator?: string;
  family?: string;
  language?: string;
  chip?: string;
  technique?: string;
  /** bottlenecks that it is about */
  labels: string[];
  confidence?: string;
  author?: string;
  received_at?: string;
  record: JsonObject;
  /** a draft until somebody reviews it */
  state: "draft" | "reviewed" | "rejected";
  document?: string;
  seq: number;
  author_kind?: string;
  review: Review | null;
  retracted: boolean;
  /** why */
  retraction?: string;
  /** why its time is impossible, so that it does not count */
  beyond_ceiling?: string;
  /** lessons that say the opposite */
  conflicts_with?: string[];
}
export interface ReviewRequest {
  /** why, 1 to 2000 bytes */
  reason: string;
  /** id of the decision, for a safe retry */
  id?: string;
  state: "draft" | "reviewed" | "rejected";
}
export interface Decision {
  id: string;
  /** duplicate: it was stored before */
  status: "stored" | "duplicate";
  action: string;
  subject: string;
  state?: string;
}
export interface SourceDocument {
  id?: string;
  title?: string;
  path?: string;
  text?: string;
  commit?: string;
  published_at?: string;
  provenance?: SubmittedProvenance;
  extra?: JsonObject;
  /** hash of its text; GET /api/v1/blobs/{hash} returns it */
  blob?: string;
  received_at?: string;
  document?: string;
  actor?: string;
  seq: number;
}
export interface Roofline {
  formula: "tile-roofline@1" | "algorithmic-roofline@1";
  chip: string;
  /** operations and elements of the run's operator */
  rule?: string;
  inputs: Input[];
  /** inputs that some result lacks */
  unknown_inputs: string[];
  bound: "unknown" | "near_peak" | "compute" | "memory" | "latency";
  /** arithmetic intensity, FLOP/byte */
  ai: number | null;
  /** intensity above which computing is the limit */
  ridge: number | null;
  /** shortest time that the limits allow */
  ceiling_time_ns: number | null;
  /** FLOP/s in that time */
  best_flops: number | null;
  best_bytes_per_s: number | null;
  /** FLOP/s in the measured time */
  actual_flops: number | null;
  actual_bytes_per_s: number | null;
  /** of the limit that binds */
  utilisation_pct: number | null;
  waves?: number | null;
  unit_utilisation_pct?: number | null;
  tile_time_ns?: number | null;
  /** for each result without a number, the inputs that it lacks */
  missing: Record<string, string[]>;
  /** the input that binds */
  limit: string | null;
  of: "ceiling" | "spec" | null;
  ceiling: Ceiling | null;
  near_limit: boolean;
  note: string;
}
export interface Ceiling {
  spec: string;
  own_environment: boolean;
  /** bytes moved by the measurement */
  size_bytes?: number;
  /** for the bytes that the problem moves */
  large_enough?: boolean;
}
export interface MethodsChecked {
  ok: boolean;
  algorithm: string;
  budget: AxisBudget | null;
  budget_from: "given" | "gaps" | "unknown";
  errors: MethodError[];
}
export interface MethodError {
  code: string;
  method?: string;
  message: string;
}
export interface Campaign {
  id: string;
  label: string;
  kernel?: string;
  baseline?: string;
  chip?: string;
  workload?: SubmittedWorkload;
  goal?: string;
  author?: string;
  iterations?: number;
  expected_records?: number;
  noise_threshold_pct?: number;
  input_hash?: string;
  config?: Record<string, string | number | boolean>;
  targets?: SubmittedTarget[];
  started_at?: string;
  ended_at?: string;
  stop_reason?: "max_iterations" | "target_met" | "near_peak" | "bottleneck_saturated" | "blocked" | "user" | "error";
  retrospective?: string;
  provenance?: SubmittedProvenance;
  extra?: JsonObject;
  standing: CampaignStanding;
  /** oldest first */
  experiments?: string[];
  wins?: Wins;
  /** newest first */
  amendments?: Curation[];
  received_at?: string;
  document?: string;
  actor?: string;
  seq: number;
}
export interface CampaignStanding {
  state: "open" | "closed";
  close_reason?: string;
  stop_reason?: string;
  retrospective?: string;
  iterations?: number;
  expected_records?: number;
  arrived: number;
  last_arrival_at?: string;
  /** fewer experiments arrived than expected, and no more are likely */
  alarm: boolean;
  alarm_why?: "closed" | "ended" | "quiet";
  targets?: TargetStanding[];
}
export interface TargetStanding {
  metric: string;
  /** value to reach */
  value?: number;
  unit?: string;
  direction?: "up" | "down";
  current?: number;
  /** in which it was measured */
  run?: string;
  /** 0 to 1 */
  progress?: number;
  met: "yes" | "no" | "unknown";
  /** stated by the campaign, not measured */
  stated: boolean;
}
export interface Wins {
  attempts: number;
  won: number;
  /** attempts with an interval */
  tested: number;
  /** wins that remain at this false discovery rate */
  stay: number;
  false_discovery_rate: number;
}
export interface Curation {
  id: string;
  action: "mask" | "unmask" | "retract" | "review" | "merge" | "unmerge" | "select_spec" | "reject_spec" | "close" | "amend" | "restart" | "comment";
  subjects: string[];
  canonical?: string;
  state?: "draft" | "reviewed" | "rejected";
  reason: string;
  values?: Record<string, string | number | boolean>;
  at?: string;
  author?: string;
  extra?: JsonObject;
  decided_at?: string;
  /** no longer counts */
  retracted: boolean;
  received_at?: string;
  document?: string;
  actor?: string;
  seq: number;
}
export interface CloseRequest {
  /** why, 1 to 2000 bytes */
  reason: string;
  /** id of the decision, for a safe retry */
  id?: string;
  stop_reason?: string;
  retrospective?: string;
}
export interface AmendRequest {
  /** why, 1 to 2000 bytes */
  reason: string;
  /** id of the decision, for a safe retry */
  id?: string;
  /** iterations that the campaign expects */
  iterations?: number;
  /** experiments that it expects */
  expected_records?: number;
}
export interface SweepFull {
  id?: string;
  kernel?: string;
  chip?: string;
  environment?: string;
  workload?: SubmittedWorkload;
  tool?: string;
  strategy?: string;
  objective?: string;
  statistic?: "mean" | "median" | "min";
  author?: string;
  campaign?: string;
  searched_at?: string;
  evidence?: "confirmed" | "measured" | "imported" | "claimed";
  configurations?: SubmittedConfigurations;
  best?: SubmittedBest[];
  provenance?: SubmittedProvenance;
  extra?: JsonObject;
  operator: string;
  kernel_name: string;
  language: string;
  workload_id?: string;
  workload_label?: string;
  summary: SweepSummary;
  received_at?: string;
  document?: string;
  actor?: string;
  seq: number;
  /** times, in bins of equal ratio; the last one has all slower ones */
  distribution: SweepBin[];
  /** by reason */
  failures: SweepFailure[];
  parameters: SweepParameter[];
  /** what it says of techniques */
  witnesses: SweepWitness[];
  /** at most ten, the fastest first */
  fastest: SweepConfiguration[];
}
export interface SweepBin {
  from_ns: number;
  to_ns: number;
  n: number;
}
export interface SweepFailure {
  type: "compilation" | "runtime" | "accuracy" | "timeout" | "environment" | "process";
  /** text of the tool */
  said?: string;
  n: number;
}
export interface SweepParameter {
  name: string;
  technique?: string;
  /** distinct values, in order of appearance */
  values: Json[];
}
export interface SweepWitness {
  technique: string;
  parameter: string;
  /** best time without over best time with it */
  speedup: number;
  /** groups of configurations that differ in it alone */
  pairs: number;
  /** gain in the median of these; absent: there are none */
  median?: number;
}
export interface SweepConfiguration {
  /** its number in the record, from 0 */
  configuration: number;
  time_ns?: number;
  /** why it failed */
  error?: string;
  /** number of samples */
  samples?: number;
  /** the version that it is; most are none */
  version?: string;
  params: JsonObject;
  metrics: JsonObject;
}
export interface Profile {
  id?: string;
  program?: string;
  program_hash?: string;
  author?: string;
  tool?: string;
  chip?: string;
  environment?: string;
  measured_at?: string;
  method?: Record<string, string | number | boolean>;
  launches?: number;
  total_ns?: number;
  kernels?: number;
  idle_pct?: number;
  processes?: SubmittedProfiledProcess[];
  copies?: SubmittedCopy[];
  lines?: SubmittedLine[];
  error?: SubmittedError;
  provenance?: SubmittedProvenance;
  extra?: JsonObject;
  process_count: number;
  /** the kernel with the most time */
  busiest?: string;
  received_at?: string;
  document?: string;
  actor?: string;
  seq: number;
}
export interface Direction {
  id: string;
  text: string;
  kernel?: string;
  experiment?: string;
  campaign?: string;
  technique?: string;
  rationale?: string;
  rank?: number;
  author?: string;
  provenance?: SubmittedProvenance;
  extra?: JsonObject;
  standing: DirectionStanding;
  received_at?: string;
  document?: string;
  actor?: string;
  seq: number;
}
export interface DirectionStanding {
  state: "open" | "closed";
  close_reason?: string;
}
export interface AnyRecord {
  kind: string;
  id: string;
  document: string;
  actor: string;
  /** address with more data, if its kind has one */
  address?: string;
  standing: RecordStanding;
  record: JsonObject;
}
export interface RecordStanding {
  review: Review | null;
  retracted: boolean;
  /** why */
  retraction?: string;
  /** why its time is impossible, so that it does not count */
  beyond_ceiling?: string;
  /** hidden from recommendations */
  masked?: boolean;
  hidden_why?: "masked" | "merged" | "retracted" | "copy" | "beyond_ceiling";
  merge?: string;
  /** the experiment that counts for its merge group */
  canonical?: string;
}
export interface QuarantineRequest {
  /** token, agent or author of documents */
  author: string;
  /** only what arrived since then: a date, a time, or how long ago; default: everything */
  since?: string;
  /** why, 1 to 2000 bytes */
  reason: string;
  /** id of the decision, for a safe retry */
  id?: string;
}
export interface Quarantined {
  /** the decision; retract it to undo the quarantine */
  id: string;
  author: string;
  since?: string;
  /** how many records count no more */
  records: number;
}
export interface MergeGroup {
  id: string;
  /** member that counts for the group */
  canonical?: string;
  /** members have different effects */
  conflict: boolean;
  reason: string;
  actor?: string;
  at?: string;
  members: Experiment[];
  seq: number;
}
export interface MergeProposals {
  rows: MergePreview[];
  next: string | null;
  /** experiments */
  looked_at: number;
}
export interface MergePreview {
  id?: string;
  applied?: boolean;
  /** member that counts for the group */
  canonical: string;
  /** members have different effects */
  conflict: boolean;
  notes: string;
  hypothesis?: string;
  members: Experiment[];
}
export interface MergeRequest {
  /** why, 1 to 2000 bytes */
  reason: string;
  /** id of the decision, for a safe retry */
  id?: string;
  /** 2 experiments or more */
  members: string[];
  /** member that counts for all */
  canonical?: string;
  /** preview without merging */
  dry_run?: boolean;
}
export interface Hits {
  rows: Hit[];
  next: string | null;
  /** more matched than was ranked */
  bounded: boolean;
}
export interface Hit {
  kind: "experiment" | "hypothesis" | "insight" | "version" | "source_document" | "technique" | "campaign" | "direction";
  id: string;
  /** address of the record */
  address: string;
  title: string;
  snippet: string;
  /** smaller is better */
  rank: number;
}
export interface BoardRow {
  operator: string;
  family?: string;
  language?: string;
  chip?: string;
  workload: WorkloadName | null;
  kernel?: string;
  kernel_name?: string;
  project?: string;
  best: Best;
  /** a record in it must not be exported */
  withheld?: boolean;
  /** of the best */
  time_ns?: number;
  low_ns?: number;
  high_ns?: number;
  n_samples?: number;
  /** the time that the chip's peak rates allow over the time of the best, in % */
  peak_pct?: number;
  /** the rate that limits it */
  limiter?: "memory" | "compute";
  speedup: Speedup | null;
  vs_library: Speedup | null;
  /** by which the best is compared */
  interval?: TimeInterval;
  /** among the rows of this operator, chip and workload */
  rank?: number;
  rank_high?: number;
  /** versions of the row whose times were compared */
  compared?: number;
  /** versions that may be as fast as the best */
  tied: Tied[];
  /** tool that timed the best */
  method?: string;
  correctness?: "pass" | "fail" | "timeout" | "not_checked";
  /** somebody else says, without a reference and numbers, that the best is wrong */
  disputed?: Disputed;
  /** other workloads on which the best passed its check, if it did not pass here */
  checked_on?: string;
  /** experiments that show that the baseline is optimal */
  failed_attempts: string[];
  /** bottlenecks */
  labels: string[];
  /** labels inferred from metrics */
  derived_labels?: string[];
  /** without labels: bottlenecks of versions before the best */
  earlier_labels?: string[];
  status?: string;
  evidence?: "confirmed" | "measured" | "imported" | "claimed";
  versions: number;
  runs: number;
  experiments: number;
  won: number;
  neutral: number;
  lost: number;
  /** not measured; their authors reported a failure */
  said_lost: number;
  excluded: ExcludedVersion[];
  /** speedups that were stated without a time of a version; none leads */
  claims: BoardClaim[];
  updated_at?: string;
}
export interface WorkloadName {
  id: string;
  label?: string;
}
export interface Best {
  version?: string;
  label?: string;
  run?: string;
  experiment?: string;
}
export interface Speedup {
  value: number;
  /** typical range, where one is stated: the value is the best case */
  low?: number;
  high?: number;
  base: "first" | "parent" | "best_so_far" | "library" | "previous";
  base_name?: string;
  base_version?: string;
}
export interface TimeInterval {
  low_ns?: number;
  high_ns?: number;
  /** median (95 %), or p10..p90 (as stated) */
  of: string;
}
export interface Tied {
  version?: string;
  label?: string;
  kernel_name?: string;
  project?: string;
  language?: string;
  time_ns?: number;
}
export interface Disputed {
  /** run or experiment with a bare verdict */
  record: string;
  by?: string;
  why?: string;
}
export interface ExcludedVersion {
  version?: string;
  label?: string;
  reason: string;
  code?: string;
}
export interface BoardClaim {
  version?: string;
  label?: string;
  experiment?: string;
  /** stated without a version */
  time_ns?: number;
  speedup: Speedup | null;
}
export interface MatrixCell {
  operator: string;
  family?: string;
  chip?: string;
  language?: string;
  workload?: string;
  workload_label?: string;
  version?: string;
  time_ns?: number;
  speedup?: number;
  base?: "first" | "parent" | "best_so_far" | "library" | "previous";
  base_name?: string;
  status?: string;
  evidence?: "confirmed" | "measured" | "imported" | "claimed";
  /** how many */
  workloads: number;
  /** rows of the board behind the cell */
  board_rows: number;
  languages: string[];
}
export interface Recommendation {
  /** absent: the answer is not stored */
  advice_id?: string;
  /** as understood */
  question: Question;
  summary: string;
  /** no stored experiment is relevant to the question */
  empty: boolean;
  /** nothing is worth a try: why, and what to do first */
  stop?: string;
  knowledge: Knowledge;
  /** `reading`: just started, versions are still being loaded; `behind`: they do not show a retraction of the last seconds yet */
  start_state?: "reading" | "behind";
  /** the version that the advice is about, and what it has already */
  about?: AdviceAbout;
  place?: Place;
  start?: Start[];
  /** other values of what it has */
  tune?: Tune[];
  next?: Next[];
  lineage?: LineageState;
  /** worth trying, best first */
  advice: Advice[];
  avoid: Advice[];
  untried: Untried[];
  /** the experiment that would change the answer most */
  telling: Telling | null;
  similar: Cited[];
  /** differences between the evidence's chips and the requested one */
  transfer: Transfer[];
  insights: AdvisedInsight[];
  model: Model;
}
export interface Question {
  operator?: string;
  family?: string;
  language?: string;
  chip: AskedChip | null;
  bottleneck: string[];
  /** at least this class */
  evidence?: "confirmed" | "measured" | "imported" | "claimed";
  min_effective_n?: number;
  workload: Workload | null;
}
export interface AskedChip {
  name: string;
  arch: string;
  vendor: string;
  isa: string;
}
export interface Knowledge {
  /** stored experiments */
  considered: number;
  /** with weight above 0.05 */
  matched: number;
  on_operator: number;
  on_chip: number;
  /** share of wins over all measured experiments */
  base_rate: number;
  level?: "exact" | "near" | "far" | "none";
  why?: string;
}
export interface AdviceAbout {
  /** how it was found: the question names it, or it is the best here, for another shape, on another chip */
  by: "given" | "champion" | "other_shape" | "other_chip";
  version: string;
  label?: string;
  kernel: string;
  kernel_name?: string;
  language?: string;
  chip?: string;
  /** its id */
  workload?: string;
  workload_label?: string;
  time_ns?: number;
  /** of that time */
  evidence?: "confirmed" | "measured" | "imported" | "claimed";
  headroom?: Headroom;
  /** no gain above 5 % is possible: stop here */
  done?: boolean;
  /** techniques of its ancestors and of its source; out_version: it was gone there */
  techniques: LineTechnique[];
  /** techniques that are pointless in its source, comma-separated */
  moot?: string;
}
export interface Headroom {
  /** of the limit */
  fraction: number;
  /** the largest speedup that the limit allows */
  at_most: number;
  bound: "memory" | "compute" | "ridge";
  /** the peak number of the chip behind it */
  limit?: string;
  /** how the work was counted; absent: the bytes were measured */
  rule?: string;
  /** the run's own counter that is near its peak, where no peak rate is known */
  counter?: string;
}
export interface Place {
  chip: string;
  workload?: Workload;
  /** no workload was given: this one has most results */
  workload_assumed: boolean;
  /** configurations with a result here */
  measured: number;
  /** configurations with a result here or elsewhere */
  known: number;
  best?: Start;
}
export interface Start {
  /** absent: no version has these parameters; sweep and configuration say where they stand */
  version?: string;
  label?: string;
  params: JsonObject;
  kernel: string;
  kernel_name?: string;
  language?: string;
  sweep?: string;
  /** its number in the sweep */
  configuration?: number;
  /** of the optimum */
  fraction: Interval;
  p_fail: number;
  measured_here: boolean;
  /** here */
  time_ns?: number;
  /** of that time */
  evidence?: "confirmed" | "measured" | "imported" | "claimed";
  /** where it was measured, nearest first */
  from: StartFrom[];
}
export interface VersionSaid {
  /** absent: no version has these parameters; sweep and configuration say where they stand */
  version?: string;
  label?: string;
  params: JsonObject;
  kernel: string;
  kernel_name?: string;
  language?: string;
}
export interface Interval {
  value: number;
  low: number;
  high: number;
}
export interface StartFrom {
  chip: string;
  workload?: string;
  /** of the best measured there */
  fraction: number;
  failed: boolean;
  run?: string;
  sweep?: string;
}
export interface Tune {
  /** among these rows and the advice */
  rank: number;
  technique: string;
  title: string;
  parameter?: string;
  from?: Json;
  to?: Json;
  /** probability that another value wins */
  p_win: Chance;
  why?: string;
  to_version?: string;
  sweep?: string;
  /** its number in the sweep */
  configuration?: number;
  /** mean speedup when a slower result is not kept */
  expected?: number;
  /** speedup when it runs */
  gain?: Interval;
  p_fail?: number;
  abstains?: boolean;
  reach?: string;
  /** in experiments */
  effective_n?: number;
  /** attempts with the technique here since its last gain */
  failed: number;
  /** oldest first */
  tried: TuneValue[];
}
export interface ShortTune {
  /** among these rows and the advice */
  rank: number;
  technique: string;
  title: string;
  parameter?: string;
  from?: Json;
  to?: Json;
  /** probability that another value wins */
  p_win: Chance;
  why?: string;
  to_version?: string;
  sweep?: string;
  /** its number in the sweep */
  configuration?: number;
  /** mean speedup when a slower result is not kept */
  expected?: number;
}
export interface Chance {
  value: number;
  /** absent: the interval is wider than 60 points, so this is hardly known */
  low?: number;
  high?: number;
}
export interface TuneValue {
  value: Json;
  end: "gain" | "open" | "no_gain" | "loss" | "wrong" | "timed_out" | "not_run" | "not_built";
  speedup?: number;
  experiment: string;
  /** on another kernel; absent: on this one */
  operator?: string;
}
export interface Next {
  kind: "start" | "move";
  /** speedup over the best measured here */
  expected_gain?: number;
  /** absent: no version has these parameters; sweep and configuration say where they stand */
  version?: string;
  label?: string;
  params: JsonObject;
  kernel: string;
  kernel_name?: string;
  language?: string;
  sweep?: string;
  /** its number in the sweep */
  configuration?: number;
  /** of the optimum */
  fraction?: Interval;
  p_fail?: number;
  measured_here?: boolean;
  /** here */
  time_ns?: number;
  /** of that time */
  evidence?: "confirmed" | "measured" | "imported" | "claimed";
  /** where it was measured, nearest first */
  from?: StartFrom[];
  /** of a move: the version it is made from */
  from_version?: string;
  change?: Move;
}
export interface ShortNext {
  kind: "start" | "move";
  /** speedup over the best measured here */
  expected_gain?: number;
  /** absent: no version has these parameters; sweep and configuration say where they stand */
  version?: string;
  label?: string;
  params: JsonObject;
  kernel: string;
  kernel_name?: string;
  language?: string;
  sweep?: string;
  /** its number in the sweep */
  configuration?: number;
}
export interface Move {
  technique: string;
  title: string;
  parameter: string;
  from: Json;
  to: Json;
  p_win: Interval;
  to_version?: string;
  sweep?: string;
  /** its number in the sweep */
  configuration?: number;
  /** mean speedup when a slower result is not kept */
  expected?: number;
  /** speedup when it runs */
  gain?: Interval;
  p_fail?: number;
  abstains?: boolean;
  reach?: string;
  /** in experiments */
  effective_n?: number;
}
export interface LineageState {
  version: string;
  label?: string;
  attempts: number;
  /** attempts after the last gain */
  since_gain: number;
  /** probability that an attempt of any kind wins in this state */
  p_win: number;
  gained: boolean;
  /** the last attempts that ended */
  recent: number;
  recent_not_built: number;
}
export interface Advice {
  /** of advice: among it and `tune`, by odds */
  rank?: number;
  technique: string;
  title: string;
  /** probability that it wins here */
  p_win: Interval;
  /** expected speedup */
  gain: Interval;
  /** the interval of p_win is too wide to act on */
  hardly_known?: boolean;
  /** bottlenecks that it is for; absent: one of them is here */
  against?: string[];
  tried: number;
  won: number;
  neutral: number;
  lost: number;
  inconclusive: number;
  not_measured: number;
  /** of not_measured: its author wrote that it failed */
  said_lost: number;
  /** on the requested operator and chip */
  tried_here: number;
  won_here: number;
  lost_here: number;
  /** sum of the weights, in experiments */
  effective_n: number;
  travel: Travel;
  /** some evidence is from the requested operator */
  same_operator: boolean;
  same_family: boolean;
  /** wins and losses at the nearest distance */
  contested: boolean;
  process_faults: number;
  incorrect: number;
  /** as fast without it */
  inert: number;
  /** not in the compiled code */
  absent: number;
  /** workloads that it was tried on */
  workloads: number;
  /** experiments on a shape similar to the requested one */
  alike: number;
  /** counts cover only a sample of the experiments */
  sampled?: boolean;
  /** the smallest speedup of a correct result */
  worst: Worst | null;
  axis?: string;
  layer?: string;
  summary?: string;
  why?: string;
  /** a failed idea in the lineage of the requested version */
  repeats?: RepeatedIdea;
  /** how evidence of each level moved the probability */
  steps: Step[];
  /** p_win after one more win here */
  if_won: number;
  if_lost: number;
  /** most relevant first */
  evidence: Cited[];
}
export interface Travel {
  nearest: string;
  /** experiments by distance */
  counts: Record<string, number>;
}
export interface Worst {
  speedup: number;
  experiment: string;
}
export interface RepeatedIdea {
  verdict: "near" | "exact";
  reason: string;
  experiment: string;
}
export interface Step {
  level: string;
  /** of its experiments; 0: there are none at this level */
  weight: number;
  won: number;
  /** after this level */
  p_win: number;
}
export interface Cited {
  experiment: string;
  operator?: string;
  language?: string;
  chip?: string;
  effect: "win" | "neutral" | "loss" | "inconclusive" | "not_measured";
  correctness: "pass" | "fail" | "timeout" | "not_checked";
  process: "clean" | "broken";
  evidence?: "confirmed" | "measured" | "imported" | "claimed";
  speedup?: number;
  /** bottlenecks before the change */
  labels: string[];
  /** labels inferred from metrics */
  derived_labels?: string[];
  /** how far the evidence had to travel */
  travel: string;
  /** in the estimate, 0 to 1 */
  weight: number;
  /** similarity of its shape to the requested one, 0 to 1 */
  alike?: number;
  /** than the newest experiment */
  years_older?: number;
  /** why the gain was not this technique's */
  share?: "inert" | "absent";
  /** how it failed */
  error_type?: string;
  title?: string;
  /** experiment is the id of a sweep */
  sweep: boolean;
}
export interface Untried {
  technique: string;
  title: string;
  /** probability that it wins here */
  p_win: Interval;
  /** expected speedup */
  gain: Interval;
  /** the interval of p_win is too wide to act on */
  hardly_known?: boolean;
  /** bottlenecks that it is for; absent: one of them is here */
  against?: string[];
  axis?: string;
  layer?: string;
  summary?: string;
  /** bottlenecks that call for it */
  triggers: string[];
  why?: string;
  /** a failed idea in the lineage of the requested version */
  repeats?: RepeatedIdea;
  /** how evidence of each level moved the probability */
  steps: Step[];
  /** p_win after one more win here */
  if_won: number;
  if_lost: number;
}
export interface Telling {
  technique: string;
  if_won: number;
  if_lost: number;
  /** it is the first recommendation now */
  leads: boolean;
  /** a win would make it the first recommendation */
  would_lead: boolean;
  why: string;
}
export interface Transfer {
  chip: string;
  /** distance to the requested chip */
  travel: string;
  dtype: string;
  /** FLOP/byte above which the chip is compute-bound */
  ridge: number;
  /** ridge of the requested chip */
  ridge_here: number;
  ratio: number;
  note: string;
}
export interface AdvisedInsight {
  id: string;
  kind: string;
  title: string;
  body: string;
}
export interface Model {
  name: string;
  numbers: ModelNumber[];
}
export interface ModelNumber {
  name: string;
  value: number;
  /** before anything was learned */
  prior: number;
  help: string;
}
export interface ShortRecommendation {
  /** absent: the answer is not stored */
  advice_id?: string;
  /** as understood */
  question: ShortQuestion;
  summary: string;
  /** no stored experiment is relevant to the question */
  empty: boolean;
  /** nothing is worth a try: why, and what to do first */
  stop?: string;
  knowledge: ShortKnowledge;
  /** `reading`: just started, versions are still being loaded; `behind`: they do not show a retraction of the last seconds yet */
  start_state?: "reading" | "behind";
  /** the version that the advice is about, and what it has already */
  about?: ShortAbout;
  start?: ShortStart[];
  /** other values of what it has */
  tune?: ShortTune[];
  next?: ShortNext[];
  lineage?: LineageState;
  /** worth trying, best first */
  advice: ShortAdvice[];
  avoid: ShortAvoid[];
  untried: ShortUntried[];
  /** the experiment that would change the answer most */
  useful_test?: string;
  insights: ShortInsight[];
}
export interface ShortQuestion {
  operator?: string;
  language?: string;
  bottleneck?: string[];
  workload?: string;
  workload_label?: string;
  chip?: string;
}
export interface ShortKnowledge {
  level?: "exact" | "near" | "far" | "none";
  why?: string;
}
export interface ShortAbout {
  by: "given" | "champion" | "other_shape" | "other_chip";
  version: string;
  label?: string;
  kernel: string;
  kernel_name?: string;
  language?: string;
  chip?: string;
  /** its id */
  workload?: string;
  workload_label?: string;
  time_ns?: number;
  /** of that time */
  evidence?: "confirmed" | "measured" | "imported" | "claimed";
  headroom?: Headroom;
  /** no gain above 5 % is possible: stop here */
  done?: boolean;
  /** techniques that it has */
  has: string[];
}
export interface ShortStart {
  /** absent: no version has these parameters; sweep and configuration say where they stand */
  version?: string;
  label?: string;
  params: JsonObject;
  kernel: string;
  kernel_name?: string;
  language?: string;
  sweep?: string;
  /** its number in the sweep */
  configuration?: number;
  /** of the optimum */
  fraction: Interval;
  measured_here: boolean;
  /** here */
  time_ns?: number;
  /** of that time */
  evidence?: "confirmed" | "measured" | "imported" | "claimed";
}
export interface ShortAdvice {
  rank: number;
  technique: string;
  title: string;
  /** probability that it wins here */
  p_win: Chance;
  /** expected speedup */
  gain: Interval;
  why?: string;
  /** what it does, and what it needs that is not known here */
  recipe?: string;
  /** the gain that bears most on this */
  witness?: Witness;
  /** a failed idea in the lineage of the version that this is about */
  repeats?: RepeatedIdea;
}
export interface Witness {
  experiment: string;
  operator?: string;
  chip?: string;
  speedup?: number;
  version?: string;
  label?: string;
  kernel_name?: string;
}
export interface ShortAvoid {
  technique: string;
  title: string;
  why?: string;
  experiment?: string;
}
export interface ShortUntried {
  technique: string;
  title: string;
  recipe?: string;
}
export interface ShortInsight {
  id: string;
  kind?: string;
  title: string;
}
export interface SeedScore {
  method: string;
  rows: SeedRow[];
  most_successful: SeedBest | null;
  scored: SeedScored;
  /** failures and no success */
  avoid: boolean;
  /** there is no experiment */
  empty: boolean;
  fallback: string | null;
  failures: SeedFailure[];
  considered: number;
}
export interface SeedRow {
  experiment: string;
  title: string;
  operator?: string;
  language?: string;
  chip?: string;
  bottleneck?: string;
  technique?: string;
  typed?: "success" | "failure" | "neutral";
  speedup?: number;
  outcome: Outcome | null;
  /** in the file, or in order of arrival */
  number: number;
  score: number;
  terms: SeedTerms;
}
export interface SeedTerms {
  kernel: number;
  backend: number;
  chip: number;
  bottleneck: number;
  outcome: number;
  recency: number;
}
export interface SeedBest {
  technique: string;
  count: number;
  total: number;
}
export interface SeedScored {
  all: number;
  success: number;
  failure: number;
  neutral: number;
}
export interface SeedFailure {
  experiment: string;
  title: string;
  technique?: string;
}
export interface Brief {
  /** kernel, chip and workload */
  title: string;
  /** to report what came of the advice */
  advice_id?: string;
  sections: BriefSection[];
  /** what max_bytes left out */
  left_out?: string;
}
export interface BriefSection {
  section: "standing" | "headroom" | "has" | "next" | "dead_ends" | "lessons" | "check";
  title: string;
  /** sentences; what each rests on is in brackets at its end: names and ids of records */
  lines: string[];
}
export interface AdviceStatistics {
  answers: number;
  forgotten: number;
  since?: string;
  lists: AdviceOfList[];
  rows: AdviceLine[];
  /** rows beyond the limit */
  left_out: number;
  calibration: Calibration;
  regret: AdviceRegret;
  starts: AdviceStarts;
  moves: AdviceMoves;
}
export interface AdviceOfList {
  list: string;
  served: number;
  opened: number;
  applied: number;
  dismissed: number;
  worked: number;
  did_not: number;
  inconclusive: number;
  open: number;
  /** worked divided by worked plus did_not */
  hit_rate: HitRate | null;
}
export interface HitRate {
  value: number;
  low: number;
  high: number;
}
export interface AdviceLine {
  chip?: string;
  technique: string;
  list: string;
  served: number;
  opened: number;
  applied: number;
  dismissed: number;
  worked: number;
  did_not: number;
  inconclusive: number;
  open: number;
  /** worked divided by worked plus did_not */
  hit_rate: HitRate | null;
}
export interface AdviceRegret {
  answers: number;
  mean?: number;
  worst?: number;
}
export interface AdviceStarts {
  served: number;
  tried: number;
  failed: number;
  p_fail?: number;
  decided: number;
  /** predicted fraction of the best known speed */
  stated?: number;
  /** measured fraction of the best known speed */
  came?: number;
  /** share within the stated interval */
  inside?: number;
}
export interface AdviceMoves {
  served: number;
  opened: number;
  applied: number;
  dismissed: number;
  worked: number;
  did_not: number;
  inconclusive: number;
  open: number;
  /** worked divided by worked plus did_not */
  hit_rate: HitRate | null;
  calibration: Calibration;
}
export interface ServedAdvice {
  id: string;
  served_at: string;
  /** later experiments do not count as outcomes */
  until: string;
  caller: string;
  question: ServedQuestion;
  items: ServedItem[];
  versions: ServedVersion[];
  events: ServedEvent[];
}
export interface ServedQuestion {
  operator?: string;
  chip?: string;
  language?: string;
  workload?: string;
  version?: string;
  bottleneck: string[];
}
export interface ServedItem {
  list: string;
  rank: number;
  technique: string;
  p_win?: number;
  /** expected speedup */
  gain?: number;
  /** the last reaction */
  said?: "opened" | "applied" | "dismissed";
  came: "open" | "inconclusive" | "did_not" | "worked";
  outcomes: ServedOutcome[];
}
export interface ServedOutcome {
  experiment: string;
  how: "named" | "applied" | "context";
  effect: string;
  speedup?: number;
  came: "open" | "inconclusive" | "did_not" | "worked";
  hidden: boolean;
}
export interface ServedVersion {
  list: "start" | "moves" | "next";
  rank: number;
  version: string;
  from_version?: string;
  technique?: string;
  chip: string;
  workload?: string;
  /** of the optimum */
  fraction?: StatedInterval;
  p_win?: StatedInterval;
  p_fail: number;
  outcomes: ServedTrial[];
}
export interface StatedInterval {
  value: number;
  low: number;
  high: number;
}
export interface ServedTrial {
  run?: string;
  time_ns?: number;
  failed?: boolean;
  experiment?: string;
  how?: "named" | "applied" | "context";
  effect?: string;
  speedup?: number;
  came?: "open" | "inconclusive" | "did_not" | "worked";
  hidden: boolean;
}
export interface ServedEvent {
  event: "opened" | "applied" | "dismissed";
  technique?: string;
  note?: string;
  actor: string;
  at: string;
}
export interface AdviceEventRequest {
  event: "opened" | "applied" | "dismissed";
  /** technique of the answer; required for applied and dismissed */
  technique?: string;
  note?: string;
}
export interface AdviceEvent {
  id: string;
  event: "opened" | "applied" | "dismissed";
  technique?: string;
  at: string;
}
export interface Exported {
  seq: number;
  id: string;
  received_at?: string;
  actor?: string;
  /** exactly as submitted */
  text?: string;
  /** a source forbids redistribution, or it refers to such a record */
  withheld?: boolean;
}
export interface Statistics {
  totals: Totals;
  alarms: CampaignAlarm[];
  by_operator: CountOf[];
  by_language: CountOf[];
  by_chip: CountOf[];
  by_bottleneck: CountOf[];
  top_techniques: TopTechnique[];
}
export interface Totals {
  experiments: number;
  runs: number;
  kernels: number;
  versions: number;
  insights: number;
  hypotheses: number;
  wins: number;
  losses: number;
  neutral: number;
  inconclusive: number;
  not_measured: number;
  /** the author's outcome differs from the verdict */
  disagreements: number;
  /** hidden experiments, in none of the counts of effects */
  masked: number;
  /** experiments and runs that repeat others, and are not counted */
  copies: number;
  /** campaigns whose records did not all arrive */
  alarms: number;
}
export interface CampaignAlarm {
  campaign: string;
  label?: string;
  arrived: number;
  expected_records: number;
  why: "closed" | "ended" | "quiet";
}
export interface CountOf {
  name: string;
  /** experiments */
  n: number;
  wins: number;
}
export interface TopTechnique {
  name: string;
  tried: number;
  won: number;
  lost: number;
}
export interface SubmittedProvenance {
  /** The system it was recorded in. */
  system?: string;
  /** Its id in that system. */
  external_id?: string;
  /** Repository or page. */
  url?: string;
  /** File in the repository. */
  path?: string;
  /** Commit of that file. */
  commit?: string;
  /** Licence of the source. */
  licence?: string;
  /** Quoted text that supports the record. */
  quote?: string;
  /** Whether the record may be passed on; default allowed. */
  redistribution?: "allowed" | "forbidden";
}
export interface SubmittedTrigger {
  /** The metric, verbatim. */
  metric: string;
  /** Value at which it is not needed. */
  good?: number;
  /** Value at which it is needed. */
  bad?: number;
  /** Which way the metric gets worse. */
  direction?: "low_is_bad" | "high_is_bad";
}
export interface SubmittedSignature {
  /** Kind of machine code. */
  target: "sass" | "amdgcn";
  /** Regular expressions; none: it leaves no trace. */
  patterns?: string[];
  /** Whether any or all patterns must be found. */
  require?: "any" | "all";
  /** Least number of matching instructions. */
  min_count?: number;
  /** Free text. */
  note?: string;
}
export interface SubmittedWorkload {
  /** What is computed; default: the kernel's operator. */
  operator?: string;
  /** The shape: name to integer or short text. */
  dims?: Record<string, string | number | boolean>;
  /** Number format: f32, bf16. */
  dtype?: string;
  /** Memory layout: row, NHWC. */
  layout?: string;
}
export interface SubmittedConfigurations {
  /** Number of configurations. */
  count: number;
  /** Parameters, each with its value in every configuration. */
  parameters?: SubmittedColumn[];
  /** The time of each configuration in nanoseconds; - where there is none. Default: the median of its samples. */
  times_ns?: string;
  /** The samples of each configuration in order: whole numbers of nanoseconds separated by blanks, configurations separated by ';'. */
  samples_ns?: string;
  /** Configurations that failed, by reason. */
  failures?: SubmittedFailure[];
  /** Other values of each configuration: GFLOP/s, compile time. */
  metrics?: SubmittedColumn[];
}
export interface SubmittedBest {
  /** Its number, from 0. */
  configuration: number;
  /** The version that it is. */
  version: string;
}
export interface SubmittedTarget {
  /** Metric to reach. */
  metric: string;
  /** Value to reach; absent: not known yet. */
  value?: number;
  /** Its unit. */
  unit?: string;
  /** Which way is good. */
  direction?: "up" | "down";
  /** Current value. */
  current?: number;
  /** Target value as a fraction of the peak. */
  fraction_of_peak?: number;
  /** Spec of that peak. */
  spec?: string;
  /** Whether it is reached. */
  met?: "yes" | "no" | "unknown";
}
export interface SubmittedProfiledProcess {
  /** Launches. */
  launches?: number;
  /** Sum of their durations. */
  total_ns?: number;
  /** From the start of its first kernel to the end of its last one. */
  span_ns?: number;
  /** Part of the span in which one of its kernels ran. */
  busy_ns?: number;
  /** Device that it used most: its name and number. */
  device?: string;
}
export interface SubmittedCopy {
  /** host_to_device, device_to_host, device_to_device, fill, other. */
  kind: string;
  /** Copies. */
  count?: number;
  /** Bytes. */
  bytes?: number;
  /** Sum of their durations. */
  total_ns?: number;
}
export interface SubmittedLine {
  /** Name of the kernel, readable. */
  kernel: string;
  /** Its symbol, when it differs. */
  symbol?: string;
  /** Launches. */
  launches: number;
  /** Sum of their durations, in all processes. */
  total_ns: number;
  /** Median duration. */
  median_ns?: number;
  /** Processes that launched it. */
  processes?: number;
  /** Least sum of one of these processes. */
  process_min_ns?: number;
  /** Greatest sum of one of these processes. */
  process_max_ns?: number;
  /** Its launch shapes, the one with the most time first. */
  shapes?: SubmittedShape[];
}
export interface SubmittedError {
  /** What kind of failure. */
  type: "compilation" | "runtime" | "accuracy" | "performance" | "timeout" | "profiling" | "environment" | "process";
  /** Stage of the failure. */
  stage?: string;
  /** The tool's code for it. */
  code?: string;
  /** Error message. */
  message?: string;
}
export interface SubmittedColumn {
  /** Name of the parameter or quantity. */
  name: string;
  /** Unit of a quantity. */
  unit?: string;
  /** Technique that a parameter stands for. */
  technique?: string;
  /** One JSON number, text or boolean for each configuration, separated by blanks; - where there is none. */
  values: string;
}
export interface SubmittedFailure {
  /** What went wrong. */
  type: "compilation" | "runtime" | "accuracy" | "timeout" | "environment" | "process";
  /** Text of the tool, verbatim. */
  said?: string;
  /** Configurations, as numbers from 0 in ascending order, separated by blanks. */
  at: string;
}
export interface SubmittedShape {
  /** Launches. */
  launches: number;
  /** Sum of their durations. */
  total_ns: number;
  /** Median duration, of all processes. */
  median_ns?: number;
  /** Shortest launch. */
  min_ns?: number;
  /** Longest launch. */
  max_ns?: number;
  /** Processes that launched it. */
  processes?: number;
  /** Grid, block, registers … as of a run. */
  launch?: Record<string, string | number | boolean>;
  /** NVTX or roctx range that these launches were made in: "aten::mm, sizes = [[2, 3], [3, 4]]". */
  range?: string;
  /** Chip that gave the samples. */
  chip?: string;
  /** Its environment. */
  environment?: string;
  /** How the samples were taken, as of a run. */
  method?: Record<string, string | number | boolean>;
  /** Durations in order, of the process with the most time in this shape; of more than 500, evenly spaced ones. */
  samples_ns?: number[];
  /** First launch of that process, not among the samples. */
  first_ns?: number;
  /** Counters by the vendor's name. */
  metrics?: Record<string, SubmittedMetric>;
  /** Machine code: tool, target, instructions, spill_instructions; or unavailable, why there is none. */
  isa?: Record<string, string | number | boolean>;
  /** Count of each form of instruction: {"LDG.E.128": 8}. */
  forms?: Record<string, string | number | boolean>;
}
export interface SubmittedMetric {
  /** The value; required unless missing is given. */
  value?: number;
  /** Its unit; default: the catalogue's. */
  unit?: string;
  /** How many values it summarises. */
  n?: number;
  /** Their standard deviation. */
  std?: number;
  /** The least of them. */
  min?: number;
  /** The greatest of them. */
  max?: number;
  /** Reason why there is no value. Absent is not zero. */
  missing?: "not_collected" | "tool_unavailable" | "permission_denied" | "counter_unsupported" | "not_applicable" | "no_source" | "lost";
  /** The value was printed with few digits. */
  precision_lost?: boolean;
}
