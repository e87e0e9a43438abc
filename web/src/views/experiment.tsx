/* One experiment: verdicts, numbers with interval and base, samples, hypothesis, metrics, lesson,
 * provenance and the record. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { getJson, lastAnswer } from "../api";
import { baseName, duration, exactNs, factor, factorRange, isNum, labelText, when, words } from "../format";
import { Facts, Provenance } from "../parts/facts";
import { EvidenceMark, Limits, Verdicts } from "../parts/marks";
import { MetricsTable } from "../parts/metrics";
import { Loading, Problem } from "../parts/notice";
import { VersionBox } from "../parts/source";
import { Strips } from "../parts/strip";
import { Prose, Raw } from "../parts/text";
import { list, member, metrics, number, samplesOf, text } from "../record";
import type { MetricValue } from "../record";
import { useAnswer } from "../state";
import type { ExperimentFull, RunFull } from "../types";
import { effectWords, kernelTitle, languageName } from "../words";
import { CampaignOf, Decisions, listOf, Pitfalls, Read, Skipped, Targets } from "./experiment-more";
import { History, HypothesisText, hypothesisFields, Techniques } from "./experiment-parts";
import { InShort, Sender } from "./run-parts";
import { Decision, Judgements, RulesAndFlags, TechniqueVerdicts, WatchList } from "./experiment-verdicts";

const BASIS: Record<string, string> = {
  samples: "from samples",
  summary: "from summaries of runs",
  claim: "from stated numbers, no samples",
  none: "nothing to compare",
};

function Numbers(props: { of: ExperimentFull }): JSX.Element {
  const { of } = props;
  const outcome = of.outcome;
  const claim = of.record?.["claim"];
  const before = outcome?.before_ns ?? number(member(claim, "latency_before_ns"));
  const after = outcome?.after_ns ?? number(member(claim, "latency_after_ns"));
  const stated = number(member(claim, "speedup"));
  const base = text(member(claim, "base"));
  const low = number(member(claim, "speedup_low"));
  const high = number(member(claim, "speedup_high"));
  const differs = isNum(stated) && (!isNum(outcome?.speedup) || Math.abs(stated / outcome.speedup - 1) > 0.005);
  return (
    <div class="numbers">
      <div class="number">
        <span class="muted">Before</span>
        <b title={exactNs(before)}>{duration(before)}</b>
      </div>
      <div class="number">
        <span class="muted">After</span>
        <b title={exactNs(after)}>{duration(after)}</b>
      </div>
      <div class="number main">
        <span class="muted">Speedup vs before</span>
        <b>{factor(outcome?.speedup)}</b>
        {isNum(outcome?.low) && isNum(outcome?.high) && <span class="muted small">99 %: {factorRange(outcome.low, outcome.high)}</span>}
      </div>
      {(differs || isNum(low)) && (
        <div class="number">
          <span class="muted">As stated, {baseName(base || "parent", text(member(claim, "base_name")))}</span>
          <b>{factor(stated)}</b>
          {isNum(low) && isNum(high) && <span class="muted small">typically {factorRange(low, high)}</span>}
        </div>
      )}
      <p class="muted small basis">
        {BASIS[outcome?.basis ?? "none"] ?? outcome?.basis}
        {outcome?.policy && <> · policy {outcome.policy}</>}
        {outcome?.effect === "not_measured" && of.typed_outcome && <> · the author wrote “{of.typed_outcome}”</>}
        {outcome?.disagrees && of.typed_outcome && (
          <>
            {" · "}
            <span class="warn-text">the author wrote “{of.typed_outcome}”, the numbers say {effectWords(outcome.effect)}</span>
          </>
        )}
      </p>
    </div>
  );
}

/* Stated metrics first; runs add what they measured. */
function sideMetrics(stated: Map<string, MetricValue>, runs: RunFull[] | undefined): Map<string, MetricValue> {
  const out = new Map(stated);
  for (const run of runs ?? []) {
    for (const [name, value] of metrics(run.record?.["metrics"])) if (!out.has(name)) out.set(name, value);
  }
  return out;
}

function Runs(props: { title: string; runs: RunFull[] | undefined }): JSX.Element | null {
  const runs = props.runs ?? [];
  if (runs.length === 0) return null;
  return (
    <p class="small">
      {props.title}:{" "}
      {runs.map((run, i) => (
        <span key={run.id}>
          {i > 0 && ", "}
          <a href={`/runs/${run.id}`}>{run.version_label ? labelText(run.version_label) : "run"}</a> <span class="muted">{duration(run.stats?.median_ns ?? run.stats?.mean_ns)}</span>
          <InShort record={run.record} />
        </span>
      ))}
    </p>
  );
}

function Heading(props: { of: ExperimentFull }): JSX.Element {
  const { of } = props;
  const family = of.family === of.operator ? "" : words(of.family);
  const bits = [of.operator, family, languageName(of.language), of.chip, of.workload?.label].filter(Boolean);
  return (
    <header class="heading">
      <p class="muted">
        {bits.join(" · ")} <Limits of={of} />
      </p>
      <h1>{of.title || "Untitled experiment"}</h1>
      <p class="marks">
        {of.outcome && <Verdicts outcome={of.outcome} />}
        <EvidenceMark evidence={of.evidence} />
        {of.masked && <span class="label">{of.copy_of ? "copy: counted once" : "hidden: not used for recommendations"}</span>}
      </p>
    </header>
  );
}

function Measured(props: { of: ExperimentFull }): JSX.Element {
  const { of } = props;
  const strips = [
    { name: "Before", samples: (of.before ?? []).flatMap(samplesOf) },
    { name: "After", samples: (of.after ?? []).flatMap(samplesOf) },
  ];
  const before = sideMetrics(metrics(of.record?.["metrics_before"]), of.before);
  const after = sideMetrics(metrics(of.record?.["metrics_after"]), of.after);
  return (
    <>
      <Strips strips={strips} />
      <Runs title="Runs before" runs={of.before} />
      <Runs title="Runs after" runs={of.after} />
      {before.size + after.size > 0 && (
        <section>
          <h2>Metrics</h2>
          <MetricsTable before={before} after={after} />
        </section>
      )}
    </>
  );
}

function Whole(props: { of: ExperimentFull }): JSX.Element {
  const { of } = props;
  const hypothesis = of.hypothesis_record;
  const repeats = number(of.record?.["repeat_count"]);
  const judged = (of.judgements ?? []).length > 0;
  return (
    <article class="experiment">
      <Heading of={of} />
      <Numbers of={of} />
      <RulesAndFlags rules={of.outcome?.rules} flags={of.outcome?.flags} missing={of.outcome?.missing} said={list(member(of.record, "process", "violations"))} />
      <Decisions of={of} />
      <div class="columns">
        <div class="main-column">
          {of.lesson && (
            <section class="lesson">
              <h2>Lesson</h2>
              <Prose text={of.lesson} />
            </section>
          )}
          {of.notes && (
            <section>
              <h2>Notes</h2>
              <Prose text={of.notes} />
            </section>
          )}
          <HypothesisText said={of.hypothesis} record={hypothesis} judged={judged} />
          <Judgements rows={of.judgements} expected={list(hypothesisFields(hypothesis)["expected"])} verdict={of.claim_verdict} />
          <Decision of={of} />
          <TechniqueVerdicts of={of} />
          <Measured of={of} />
          <WatchList rows={of.watch} />
          <Pitfalls rows={listOf(of, "pitfalls")} />
          <Read references={listOf(of, "references")} lookups={listOf(of, "lookups")} />
        </div>
        <div class="side-column">
          <Techniques uses={of.techniques} record={of.record?.["techniques"]} />
          <section>
            <h2>Versions</h2>
            <VersionBox title="From" id={of.from_version} />
            <VersionBox title="To" id={of.to_version} />
            {of.from_version && of.to_version && (
              <p>
                <a href={`/compare/${of.from_version}/${of.to_version}`}>Compare the two</a>
              </p>
            )}
          </section>
          <CampaignOf of={of} />
          <Targets rows={listOf(of, "targets")} />
          <Skipped rows={listOf(of, "skipped")} />
          <Provenance record={of.record} />
          <section>
            <h2>About</h2>
            <Facts
              rows={[
                ["Kernel", of.kernel ? <a href={`/kernel/${encodeURIComponent(of.kernel)}`}>{kernelTitle(of) ?? "kernel"}</a> : kernelTitle(of)],
                ["Copy of", of.copy_of && <a key="copy" href={`/experiments/${of.copy_of}`}>{of.copy_of_project ?? "an earlier experiment"}</a>],
                ["Chip", of.chip && <a key="c" href={`/chip/${encodeURIComponent(of.chip)}`}>{of.chip}</a>],
                ["Workload", of.workload?.label],
                ["Bottleneck, as written", of.raw_label],
                ["Quality gate", [text(member(of.record, "gate", "result")), text(member(of.record, "gate", "reason"))].filter(Boolean).join(": ")],
                ["Repeated", repeats !== undefined && repeats > 1 ? `${repeats} times with this result` : ""],
                ["Author", of.author],
                ["Sent by", of.document && <Sender key="s" document={of.document} />],
                ["Happened", of.happened_at ? when(of.happened_at) : ""],
                ["Received", of.received_at ? when(of.received_at) : ""],
                ["Id", <code key="id">{of.id}</code>],
              ]}
            />
          </section>
          <History outcomes={of.outcomes} />
        </div>
      </div>
      <Raw title="The record as submitted" value={of.record ?? of} />
    </article>
  );
}

export function ExperimentView(props: { id: string }): JSX.Element {
  const url = `/api/v1/experiments/${encodeURIComponent(props.id)}`;
  const answer = useAnswer<ExperimentFull>(url, (signal) => getJson(url, signal), lastAnswer<ExperimentFull>(url));
  const title = answer.data?.title;
  useEffect(() => {
    if (title) document.title = `${title} · Warplore`;
  }, [title]);
  if (answer.error) return <Problem problem={answer.error} again={answer.again} />;
  return answer.data ? <Whole of={answer.data} /> : <Loading rows={10} />;
}
