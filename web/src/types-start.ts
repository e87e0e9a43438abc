/* Shapes of what recommend says of versions: where to start, what to change, what to measure next. */
import type { Interval, Maybe } from "./types";

export type Scalar = string | number | boolean | null;
export interface VersionSaid {
  version: string;
  label?: Maybe<string>;
  params?: Record<string, Scalar>;
  kernel: string;
  kernel_name?: Maybe<string>;
  language?: Maybe<string>;
}
export interface Start extends VersionSaid {
  fraction: Interval;
  p_fail: number;
  measured_here: boolean;
  time_ns?: number;
  from: { chip: string; workload?: Maybe<string>; fraction: number; failed: boolean; run?: Maybe<string> }[];
}
export interface Repeats {
  verdict: "near" | "exact";
  reason: string;
  experiment: string;
}
export interface Move {
  technique: string;
  title: string;
  parameter: string;
  from: Scalar;
  to: Scalar;
  to_version: string;
  p_win: Interval;
  gain: Interval;
  expected: number;
  p_fail: number;
  abstains: boolean;
  reach: string;
  effective_n: number;
  repeats?: Repeats;
}
/** A start has its members, a move a change of the version it is made from. */
export interface Next extends VersionSaid, Partial<Pick<Start, "fraction" | "p_fail" | "from">> {
  kind: "start" | "move";
  expected_gain?: number;
  from_version?: string;
  change?: Move;
}
export interface Place {
  chip: string;
  workload?: Maybe<{ id: string; label?: Maybe<string> }>;
  workload_assumed: boolean;
  measured: number;
  known: number;
  best?: Start;
}
export interface LineageState {
  version: string;
  label?: Maybe<string>;
  attempts: number;
  since_gain: number;
  gained: boolean;
  recent: number;
  recent_not_built: number;
}
