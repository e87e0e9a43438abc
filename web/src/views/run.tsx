/* One run: its timing, samples, metrics, how it was measured, and the record. */
import type { JSX } from "preact";
import { getJson, lastAnswer } from "../api";
import { duration, exactNs, isNum, labelText, plural, when, words } from "../format";
import { plainMethod } from "../measurement";
import { Facts, Provenance } from "../parts/facts";
import { CheckMark, EvidenceMark, Labels } from "../parts/marks";
import { MetricsTable } from "../parts/metrics";
import { Loading, Problem } from "../parts/notice";
import { VersionBox } from "../parts/source";
import { Strips } from "../parts/strip";
import { Raw } from "../parts/text";
import { metrics, number, object, samplesOf } from "../record";
import { useAnswer } from "../state";
import type { RunFull } from "../types";
import { kernelTitle, languageName } from "../words";
import { DiagnosisOf, TriggersOf } from "./diagnosis";
import { Decisions } from "./experiment-more";
import { Beside, CheckSaid, Machine, Readable, Remarks, Sender } from "./run-parts";

function Numbers(props: { of: RunFull }): JSX.Element {
  const stats = props.of.stats;
  const cells: [string, number | null | undefined][] = [
    ["Median", stats?.median_ns],
    ["Mean", stats?.mean_ns],
    ["10 % of samples below", stats?.p10_ns],
    ["90 % below", stats?.p90_ns],
    ["Fastest", stats?.min_ns],
    ["Slowest", stats?.max_ns],
    ["First, not counted", number(props.of.record?.["first_ns"])],
  ];
  return (
    <div class="numbers">
      {cells.filter(([, ns]) => isNum(ns)).map(([name, ns], i) => (
        <div class={i === 0 ? "number main" : "number"} key={name}>
          <span class="muted">{name}</span>
          <b title={exactNs(ns)}>{duration(ns)}</b>
        </div>
      ))}
      <p class="muted small basis">{stats?.n ? plural(stats.n, "sample") : "no samples"}</p>
    </div>
  );
}

export function RunView(props: { id: string }): JSX.Element {
  const url = `/api/v1/runs/${encodeURIComponent(props.id)}`;
  const answer = useAnswer<RunFull>(url, (signal) => getJson(url, signal), lastAnswer<RunFull>(url));
  if (answer.error) return <Problem problem={answer.error} again={answer.again} />;
  const run = answer.data;
  if (!run) return <Loading rows={10} />;
  const counted = metrics(run.record?.["metrics"]);
  const where = [run.operator, languageName(run.language), run.chip, run.workload?.label].filter(Boolean).join(" · ");
  return (
    <article class="experiment">
      <header class="heading">
        <p class="muted">
          {where} <Labels labels={run.labels} />
        </p>
        <h1>
          {kernelTitle(run) ?? "Run"} {labelText(run.version_label)}
        </h1>
        <p class="marks">
          <CheckMark check={run.correctness} />
          <EvidenceMark evidence={run.evidence} />
          {run.error_type && <span class="label">error: {words(run.error_type)}</span>}
        </p>
      </header>
      <Numbers of={run} />
      <Remarks record={run.record} />
      <Decisions of={run} />
      <div class="columns">
        <div class="main-column">
          <Strips strips={[{ name: "Samples", samples: samplesOf(run) }]} />
          <CheckSaid record={run.record} />
          <DiagnosisOf run={run.id} />
          <TriggersOf run={run.id} />
          {counted.size === 0 && run.tool === "warplore run" && (
            <p class="muted small">
              No hardware counters were collected. <code>warplore run --metrics basic</code> collects them.
            </p>
          )}
          <MetricsTable before={counted} after={new Map()} />
        </div>
        <div class="side-column">
          <section>
            <VersionBox title="Version" id={run.version} />
          </section>
          <Readable title="Method" rows={plainMethod(run.record?.["method"])} />
          <Readable title="Launch" rows={Object.entries(object(run.record?.["launch"]))} />
          <Beside record={run.record} />
          <Machine id={run.environment} />
          <Provenance record={run.record} />
          <section>
            <h2>About</h2>
            <Facts
              rows={[
                ["Kernel", run.kernel && <a key="k" href={`/kernel/${run.kernel}`}>{kernelTitle(run) ?? "kernel"}</a>],
                ["Copy of", run.copy_of && <a key="copy" href={`/runs/${run.copy_of}`}>{run.copy_of_project ?? "an earlier run"}</a>],
                ["Chip", run.chip && <a key="c" href={`/chip/${encodeURIComponent(run.chip)}`}>{run.chip}</a>],
                ["Role", run.role],
                ["Tool", run.tool],
                ["Sent by", run.document && <Sender key="s" document={run.document} />],
                ["Measured", run.measured_at ? when(run.measured_at) : ""],
                ["Received", run.received_at ? when(run.received_at) : ""],
                ["Id", <code key="id">{run.id}</code>],
              ]}
            />
          </section>
        </div>
      </div>
      <Raw title="The record as submitted" value={run.record ?? run} />
    </article>
  );
}
