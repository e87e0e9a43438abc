/* One kernel: versions in order with their gains, lineage, times and bottlenecks, open directions
 * and campaigns. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { address, getJson, lastAnswer } from "../api";
import { duration, exactNs, factor, isNum, plural, shortId, versionName, when, words } from "../format";
import { Facts } from "../parts/facts";
import { WordMark } from "../parts/judged";
import { CheckMark, EffectMark, EffectSize, ProcessMark } from "../parts/marks";
import { Empty, Loading, Problem } from "../parts/notice";
import { PlainTable } from "../parts/plain-table";
import { Breakable, Raw } from "../parts/text";
import { setParams, useLocation } from "../router";
import { useAnswer } from "../state";
import type { Campaign, Direction, Drift, Experiment, ExperimentFull, History, HistoryStep, Kernel, Page } from "../types";
import { kernelTitle, languageName, techniqueHref } from "../words";
import { BriefOf } from "./brief";
import { CampaignLine } from "./campaign";
import { DriftRow, VersionTimes } from "./kernel-charts";
import { useDetails } from "./kernel-details";
import type { Details } from "./kernel-details";
import { Lineage } from "./kernel-lineage";
import { Sweeps } from "./sweep";

function VersionCell(props: { step: HistoryStep; again: boolean }): JSX.Element {
  const { version, experiment, run, champion, baseline, hidden, hidden_why, retracted } = props.step;
  const href = experiment ? `/experiments/${experiment.id}` : run ? `/runs/${run.id}` : "";
  const parent = version.parents?.[0]?.version;
  return (
    <>
      {href !== "" ? <a data-open="" href={href}>{versionName(version)}</a> : <span>{versionName(version)}</span>}{" "}
      {champion && <span class="label strong-label">★ champion</span>} {baseline && <span class="label">baseline</span>}{" "}
      {hidden && <span class="label" title="not used for recommendations">hidden{hidden_why && `: ${words(hidden_why)}`}</span>}{" "}
      {retracted && <WordMark word="retracted" />}
      <div class="muted small">
        {version.kind !== "candidate" && !baseline && <>{words(version.kind)} </>}
        {props.again && <code title="several versions have this label">{shortId(version.id)} </code>}
        {version.tag && version.tag !== version.label && <>{version.tag} </>}
        {parent && <a href={`/compare/${parent}/${version.id}`} aria-label={`Compare ${versionName(version)} with its parent`}>diff</a>}
      </div>
    </>
  );
}

function TimeCell(props: { step: HistoryStep }): JSX.Element {
  const { time_ns, timed_elsewhere } = props.step;
  return (
    <>
      <span title={exactNs(time_ns)} class="nowrap">{duration(time_ns)}</span>
      {timed_elsewhere && <div class="muted small" title="its time does not compare">{timed_elsewhere}</div>}
    </>
  );
}

function EffectCell(props: { step: HistoryStep }): JSX.Element {
  const outcome = props.step.experiment?.outcome;
  if (!outcome) return <span class="faint">no experiment</span>;
  return (
    <span class="verdicts tight">
      <EffectMark effect={outcome.effect} />
      <span>
        <CheckMark check={outcome.correctness} bare /> <ProcessMark process={outcome.process} rules={outcome.rules} bare />
      </span>
    </span>
  );
}

/* Tick: ablation shows that the technique helped. Cross: it did not. Dashed ring: unknown. */
function TechniquesCell(props: { step: HistoryStep; details: Details }): JSX.Element {
  const { experiment } = props.step;
  const full: ExperimentFull | undefined = experiment ? props.details.experiments.get(experiment.id) : undefined;
  const own = new Set((experiment?.techniques ?? []).map((use) => use.name));
  const inherited = props.step.line.filter((name) => !own.has(name));
  const verdicts = new Map((full?.technique_verdicts ?? []).map((row) => [row.technique, row]));
  return (
    <ul class="uses">
      {(experiment?.techniques ?? []).map((use) => {
        const verdict = verdicts.get(use.name);
        return (
          <li key={use.name} class="use">
            <WordMark word={verdict?.contributed ?? "unknown"} text={`contributed: ${verdict?.contributed ?? "unknown"}`} help={verdict?.why} bare />
            <a class="breaks" href={techniqueHref(use.name)}><Breakable text={use.name} /></a>
          </li>
        );
      })}
      {inherited.length > 0 && <li class="muted small breaks">has also {inherited.join(", ")}</li>}
    </ul>
  );
}

function times(value: number | null | undefined): JSX.Element {
  if (!isNum(value)) return <span class="faint">–</span>;
  return <span class={value >= 1 ? "" : "bad"}>{factor(value)}</span>;
}

function History(props: { rows: HistoryStep[]; details: Details }): JSX.Element {
  const seen = new Map<string, number>();
  for (const { version } of props.rows) seen.set(versionName(version), (seen.get(versionName(version)) ?? 0) + 1);
  return (
    <PlainTable
      caption="Versions in order"
      class="history-table"
      walk
      heads={["Version", ">Time", ">vs first", ">vs parent", ">vs best before", "Effect", "Techniques"]}
      rows={props.rows.map((step) => ({
        key: step.version.id,
        class: step.hidden ? "masked" : step.champion ? "champion" : "",
        cells: [
          <VersionCell step={step} again={(seen.get(versionName(step.version)) ?? 0) > 1} key="v" />,
          <TimeCell step={step} key="t" />,
          times(step.speedup_vs_first),
          times(step.speedup_vs_parent),
          times(step.speedup_vs_best_before),
          <EffectCell step={step} key="e" />,
          <TechniquesCell step={step} details={props.details} key="u" />,
        ],
      }))}
    />
  );
}

/** Experiments that no row of the history shows: failures without a version, and repetitions. */
function Others(props: { kernel: Kernel; rows: HistoryStep[] }): JSX.Element | null {
  const shown = new Set(props.rows.map((step) => step.experiment?.id));
  const more = (props.kernel.experiments ?? 0) > [...shown].filter(Boolean).length;
  const url = address("/api/v1/experiments", { kernel: props.kernel.id, limit: "200" });
  const answer = useAnswer<Page<Experiment>>(more ? url : null, (signal) => getJson(url, signal));
  const rows = (answer.data?.rows ?? []).filter((row) => !shown.has(row.id));
  if (rows.length === 0) return null;
  return (
    <section class="others">
      <h2>Other experiments</h2>
      <PlainTable
        walk
        heads={["Effect", "Experiment", "Workload", "When"]}
        rows={rows.map((row) => ({
          key: row.id,
          class: row.masked ? "masked" : "",
          cells: [
            <span class="nowrap" key="e">
              <EffectSize effect={row.outcome?.effect ?? "not_measured"} speedup={row.outcome?.gain ?? row.outcome?.speedup} /> <CheckMark check={row.outcome?.correctness} bare />{" "}
              {row.outcome?.effect === "not_measured" && row.typed_outcome && <span class="label" title="No numbers; this is what the author wrote">typed: {row.typed_outcome}</span>}
            </span>,
            <a key="t" data-open="" href={`/experiments/${row.id}`}>{row.title || "Untitled experiment"}</a>,
            row.workload?.label,
            <span class="nowrap" key="w">{when(row.happened_at ?? row.received_at)}</span>,
          ],
        }))}
      />
    </section>
  );
}

function DirectionItem(props: { of: Direction }): JSX.Element {
  const { of } = props;
  return (
    <li>
      {isNum(of.rank) && <b class="num">{of.rank}. </b>}
      {of.text} {of.technique && <a href={techniqueHref(of.technique)}>{of.technique}</a>}
      {of.rationale && <div class="muted small">{of.rationale}</div>}
      {of.experiment && <div class="small"><a href={`/experiments/${of.experiment}`}>what led to it</a></div>}
    </li>
  );
}

/* Lists that belong to a kernel. On an error the list is empty and its section is not shown. */
function useList<T>(path: string, params: Record<string, string>): T[] {
  const url = address(path, { ...params, limit: "100" });
  return useAnswer<Page<T>>(url, (signal) => getJson(url, signal), lastAnswer<Page<T>>(url)).data?.rows ?? [];
}

function Side(props: { kernel: Kernel; history: History | undefined }): JSX.Element {
  const { kernel, history } = props;
  const directions = useList<Direction>("/api/v1/directions", { kernel: kernel.id, state: "open" });
  const campaigns = useList<Campaign>("/api/v1/campaigns", { kernel: kernel.id });
  directions.sort((a, b) => (a.rank ?? 1e9) - (b.rank ?? 1e9));
  return (
    <div class="side-column">
      {history && <Lineage rows={history.rows} champion={history.champion} />}
      {directions.length > 0 && (
        <section class="directions">
          <h2>Worth trying</h2>
          <ul class="uses">
            {directions.map((one) => (
              <DirectionItem of={one} key={one.id} />
            ))}
          </ul>
        </section>
      )}
      {campaigns.length > 0 && (
        <section>
          <h2>{campaigns.length === 1 ? "Campaign" : "Campaigns"}</h2>
          {campaigns.map((one) => (
            <CampaignLine of={one} key={one.id} />
          ))}
        </section>
      )}
      <section>
        <h2>About</h2>
        <Facts
          rows={[
            ["Language", languageName(kernel.language)],
            ["From", kernel.origin],
            ["Experiments", <a key="e" href={`/query?kernel=${kernel.id}`}>{plural(kernel.experiments ?? 0, "experiment")}</a>],
            ["Id", <code key="id">{kernel.id}</code>],
          ]}
        />
      </section>
    </div>
  );
}

function DriftOf(props: { id: string; workload: string | null }): JSX.Element | null {
  const url = address(`/api/v1/kernels/${encodeURIComponent(props.id)}/drift`, { workload: props.workload });
  const answer = useAnswer<Drift>(url, (signal) => getJson(url, signal), lastAnswer<Drift>(url));
  return answer.data ? <DriftRow of={answer.data} /> : null;
}

function Workload(props: { chip: string | undefined; label: string | undefined; chosen: boolean }): JSX.Element | null {
  if (!props.label) return null;
  return (
    <p class="muted">
      Times on {props.chip && `${props.chip} with `}
      {props.label}
      {props.chosen ? (
        <>
          {" · "}
          <button type="button" class="link" onClick={() => setParams({ workload: null })}>
            the workload of most versions
          </button>
        </>
      ) : (
        ", the workload that most versions were timed on"
      )}
    </p>
  );
}

function Whole(props: { kernel: Kernel; history: History | undefined; workload: string | null }): JSX.Element {
  const { kernel, history } = props;
  const rows = history?.rows ?? [];
  const details = useDetails(rows);
  return (
    <article class="kernel">
      <header class="heading">
        <p class="muted">
          {[kernel.operator, kernel.family === kernel.operator ? "" : words(kernel.family), languageName(kernel.language)].filter(Boolean).join(" · ")}
        </p>
        <h1>{kernelTitle({ project: kernel.project, kernel_name: kernel.name }) || "Kernel"}</h1>
        <Workload chip={history?.chip} label={history?.workload_label} chosen={props.workload !== null} />
      </header>
      <BriefOf kernel={kernel.id} workload={props.workload} />
      <div class="columns">
        <div class="main-column">
          {history && rows.length === 0 && history.sweeps.length === 0 && (
            <Empty title="No version of this kernel was recorded.">
              <p>
                See its <a href={`/query?kernel=${kernel.id}`}>experiments</a> instead.
              </p>
            </Empty>
          )}
          {rows.length > 0 && (
            <>
              <section>
                <h2>Versions</h2>
                <History rows={rows} details={details} />
              </section>
              <VersionTimes rows={rows} details={details} />
              <DriftOf id={kernel.id} workload={props.workload} />
            </>
          )}
          {history && <Sweeps rows={history.sweeps} />}
          {history && <Others kernel={kernel} rows={rows} />}
        </div>
        <Side kernel={kernel} history={history} />
      </div>
      {kernel.record && <Raw title="The record as submitted" value={kernel.record} />}
    </article>
  );
}

export function KernelView(props: { id: string }): JSX.Element {
  const { search } = useLocation();
  const workload = new URLSearchParams(search).get("workload");
  const url = `/api/v1/kernels/${encodeURIComponent(props.id)}`;
  const past = address(`${url}/history`, { workload });
  const kernel = useAnswer<Kernel>(url, (signal) => getJson(url, signal), lastAnswer<Kernel>(url));
  const history = useAnswer<History>(past, (signal) => getJson(past, signal), lastAnswer<History>(past));
  const name = kernel.data?.name;
  useEffect(() => {
    if (name) document.title = `${name} · Warplore`;
  }, [name]);
  const error = kernel.error ?? history.error;
  if (error) return <Problem problem={error} again={kernel.error ? kernel.again : history.again} />;
  if (!kernel.data) return <Loading rows={10} />;
  return <Whole kernel={kernel.data} history={history.data} workload={workload} />;
}
