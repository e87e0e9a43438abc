/* Large details that the history of a kernel omits: samples of each version's run, and verdicts on
 * techniques. They are fetched per version, newest first, for up to MOST versions. */
import { useEffect, useState } from "preact/hooks";
import { getJson } from "../api";
import { samplesOf } from "../record";
import type { ExperimentFull, HistoryStep, RunFull } from "../types";

export interface Details {
  /** By run id. */
  samples: Map<string, number[]>;
  experiments: Map<string, ExperimentFull>;
}
const MOST = 40; /* versions; further ones show their median only */
const AT_ONCE = 4; /* the service has few reader threads */

async function askOne(step: HistoryStep, into: Details, signal: AbortSignal): Promise<void> {
  const { experiment, run } = step;
  if (run && (run.stats?.n ?? 0) > 0) into.samples.set(run.id, samplesOf(await getJson<RunFull>(`/api/v1/runs/${run.id}`, signal)));
  if (experiment && (experiment.techniques ?? []).length > 0) {
    into.experiments.set(experiment.id, await getJson<ExperimentFull>(`/api/v1/experiments/${experiment.id}`, signal));
  }
}

/* A problem leaves that version without its samples: the table already says the rest. */
async function askAll(rows: HistoryStep[], into: Details, signal: AbortSignal): Promise<void> {
  const left = rows.slice(-MOST);
  const worker = async (): Promise<void> => {
    for (let step = left.pop(); step && !signal.aborted; step = left.pop()) await askOne(step, into, signal).catch(() => undefined);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

export function useDetails(rows: HistoryStep[]): Details {
  const [details, setDetails] = useState<Details>({ samples: new Map(), experiments: new Map() });
  const key = rows.map((step) => `${step.run?.id ?? ""}${step.experiment?.id ?? ""}`).join();
  useEffect(() => {
    const stop = new AbortController();
    const into: Details = { samples: new Map(), experiments: new Map() };
    void askAll(rows, into, stop.signal).then(() => !stop.signal.aborted && setDetails(into));
    return () => stop.abort();
  }, [key]);
  return details;
}
