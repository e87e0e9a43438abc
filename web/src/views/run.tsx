/* One run: its timing, samples, metrics, how it was measured, and the record. */
import type { JSX } from "preact";
import { getJson, lastAnswer } from "../api";
import { duration, exactNs, isNum, plural, when } from "../format";
import { Facts, Provenance } from "../parts/facts";
import type { Fact } from "../parts/facts";
import { CheckMark, EvidenceMark, Labels } from "../parts/marks";
import { MetricsTable } from "../parts/metrics";
import { Loading, Problem } from "../parts/notice";
import { VersionBox } from "../parts/source";
import { Strips } from "../parts/strip";
import { Raw } from "../parts/text";
import { metrics, pairs, samplesOf } from "../record";
import { useAnswer } from "../state";
import type { Json, RunFull } from "../types";
import { languageName } from "../words";
import { DiagnosisOf, TriggersOf } from "./diagnosis";
import { Decisions } from "./experiment-more";

function Pairs(props: { title: string; value: Json | undefined }): JSX.Element | null {
  const rows: Fact[] = pairs(props.value);
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>{props.title}</h2>
      <Facts rows={rows} />
    </section>
  );
}

function Numbers(props: { of: RunFull }): JSX.Element {
  const stats = props.of.stats;
  const cells: [string, number | null | undefined][] = [
    ["Median", stats?.median_ns],
    ["Mean", stats?.mean_ns],
    ["10 % of samples below", stats?.p10_ns],
    ["90 % below", stats?.p90_ns],
    ["Fastest", stats?.min_ns],
    ["Slowest", stats?.max_ns],
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
  const where = [run.operator, languageName(run.language), run.chip, run.workload?.label].filter(Boolean).join(" · ");
  return (
    <article class="experiment">
      <header class="heading">
        <p class="muted">
          {where} <Labels labels={run.labels} />
        </p>
        <h1>
          {run.kernel_name ?? "Run"} {run.version_label}
        </h1>
        <p class="marks">
          <CheckMark check={run.correctness} />
          <EvidenceMark evidence={run.evidence} />
          {run.error_type && <span class="label">error: {run.error_type}</span>}
        </p>
      </header>
      <Numbers of={run} />
      <Decisions of={run} />
      <div class="columns">
        <div class="main-column">
          <Strips strips={[{ name: "Samples", samples: samplesOf(run) }]} />
          <DiagnosisOf run={run.id} />
          <TriggersOf run={run.id} />
          <MetricsTable before={metrics(run.record?.["metrics"])} after={new Map()} />
        </div>
        <div class="side-column">
          <section>
            <VersionBox title="Version" id={run.version} />
          </section>
          <Pairs title="Method" value={run.record?.["method"]} />
          <Pairs title="Launch" value={run.record?.["launch"]} />
          <Provenance record={run.record} />
          <section>
            <h2>About</h2>
            <Facts
              rows={[
                ["Kernel", run.kernel && <a key="k" href={`/kernel/${run.kernel}`}>{run.kernel_name ?? "kernel"}</a>],
                ["Chip", run.chip && <a key="c" href={`/chip/${encodeURIComponent(run.chip)}`}>{run.chip}</a>],
                ["Role", run.role],
                ["Tool", run.tool],
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
