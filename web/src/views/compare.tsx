/* Two versions side by side: times, metrics with better or worse, techniques, machine code checks,
 * build facts, and the diff of their sources. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { address, getJson, lastAnswer } from "../api";
import { duration, exactNs, factor, isNum, plural, quantity, versionName, words } from "../format";
import { WordMark } from "../parts/judged";
import { Mark, SHAPES } from "../parts/marks";
import { Empty, Loading, Problem } from "../parts/notice";
import { PlainTable } from "../parts/plain-table";
import { Breakable, Code } from "../parts/text";
import { unitOf } from "../record";
import { setParams, useLocation } from "../router";
import { useAnswer } from "../state";
import type { ComparedFile, ComparedMetric, Comparison, Json, Run } from "../types";
import { kernelTitle, techniqueHref } from "../words";

function Time(props: { title: string; run: Run }): JSX.Element {
  const at = props.run.stats?.median_ns ?? props.run.stats?.mean_ns;
  return (
    <div class="number">
      <span class="muted">{props.title}</span>
      <b title={exactNs(at)}>
        <a href={`/runs/${props.run.id}`}>{duration(at)}</a>
      </b>
      {isNum(props.run.stats?.p10_ns) && (
        <span class="muted small">
          {duration(props.run.stats.p10_ns)} to {duration(props.run.stats.p90_ns)}
        </span>
      )}
    </div>
  );
}

function Times(props: { of: Comparison; a: string; b: string }): JSX.Element {
  const { time } = props.of;
  if (!time) return <p class="muted">No workload and chip has a time of both versions, so their speed cannot be compared.</p>;
  const doubts = [time.same_environment === false ? "in different environments" : "", time.same_tool === false ? "timed by different tools" : ""].filter(Boolean);
  return (
    <div class="numbers">
      <Time title={props.a} run={time.a} />
      <Time title={props.b} run={time.b} />
      <div class="number main">
        <span class="muted">Speedup of {props.b} over {props.a}</span>
        <b class={isNum(time.speedup) && time.speedup < 1 ? "bad" : ""}>{factor(time.speedup)}</b>
      </div>
      <p class="muted small basis">
        {[time.b.chip, time.b.workload?.label].filter(Boolean).join(" · ")}
        {doubts.length > 0 && <span class="warn-text"> · {doubts.join(", ")}: read the factor with care</span>}
      </p>
    </div>
  );
}

const SENSES: Record<string, { tone: "good" | "bad" | "plain" | "faint"; shape: JSX.Element }> = {
  better: { tone: "good", shape: SHAPES.up },
  worse: { tone: "bad", shape: SHAPES.down },
  same: { tone: "plain", shape: SHAPES.bar },
};

function sense(of: ComparedMetric): JSX.Element {
  const drawn = SENSES[of.sense ?? ""];
  if (!drawn) return <span class="faint">–</span>;
  return <Mark drawn={drawn} text={of.sense ?? ""} title={of.sense ?? ""} />;
}

function delta(pct: number | null | undefined): string {
  if (!isNum(pct)) return "";
  const size = Math.abs(pct);
  return `${pct < 0 ? "−" : "+"}${size >= 1000 ? Math.round(size) : size.toFixed(1)} %`;
}

/* Metrics that got worse come first; equal metrics are hidden at first. */
const ORDER = ["worse", "better", "unknown", "same"];

function Metrics(props: { of: Comparison; a: string; b: string; all: boolean }): JSX.Element | null {
  const rows = [...(props.of.metrics ?? [])].sort((x, y) => ORDER.indexOf(x.sense ?? "unknown") - ORDER.indexOf(y.sense ?? "unknown"));
  if (rows.length === 0) return null;
  const same = rows.filter((row) => row.sense === "same").length;
  const shown = props.all ? rows : rows.filter((row) => row.sense !== "same");
  return (
    <section class="compare-metrics">
      <h2>Metrics</h2>
      {shown.length > 0 ? (
        <PlainTable
          heads={["Metric", "Unit", `>${props.a}`, `>${props.b}`, ">Change", "Verdict"]}
          rows={shown.map((row) => ({
            key: row.name,
            cells: [<Code key="n" text={row.name} />, row.unit || unitOf(row.name), quantity(row.a), quantity(row.b), <span key="d" class="nowrap">{delta(row.delta_pct)}</span>, sense(row)],
          }))}
        />
      ) : (
        <p class="muted">Every metric is the same.</p>
      )}
      {same > 0 && (
        <button type="button" class="quiet" aria-pressed={props.all} onClick={() => setParams({ all: props.all ? null : "true" })}>
          {props.all ? "Hide" : "Show"} {plural(same, "metric")} that {same === 1 ? "is" : "are"} the same
          {isNum(props.of.same_within_pct) && ` within ${props.of.same_within_pct} %`}
        </button>
      )}
    </section>
  );
}

/* A unified diff: every line keeps its sign, and its colour shows the same. */
function Diff(props: { text: string }): JSX.Element {
  const kind = (line: string): string => (line.startsWith("@@") ? "diff-at" : line.startsWith("+") ? "diff-add" : line.startsWith("-") ? "diff-del" : "");
  return (
    <pre class="code diff" tabIndex={0}>
      {props.text.replace(/\n$/, "").split("\n").map((line, i) => (
        <span class={kind(line)} key={i}>
          {line}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

function FileDiff(props: { of: ComparedFile; a: string; b: string }): JSX.Element {
  const { of } = props;
  const only = !of.a ? `only in ${props.b}` : !of.b ? `only in ${props.a}` : "";
  return (
    <details class="raw file-diff" open={!of.same && only === ""}>
      <summary>
        <code>{of.file}</code> {of.same ? <span class="muted">the same</span> : <span class="num">+{of.added ?? 0} −{of.removed ?? 0}</span>}{" "}
        {only !== "" && <span class="label">{only}</span>}
      </summary>
      {of.why && <p class="muted small">{of.why}</p>}
      {of.diff ? <Diff text={of.diff} /> : !of.same && !of.why && <p class="muted small">Nothing to show.</p>}
      {of.cut && <p class="muted small">The difference is longer; this is its beginning.</p>}
    </details>
  );
}

function Sources(props: { of: Comparison; a: string; b: string }): JSX.Element {
  const files = props.of.files ?? [];
  return (
    <section class="sources">
      <h2>Source</h2>
      {files.length === 0 && <p class="muted">No source was recorded for either.</p>}
      {files.map((file) => (
        <FileDiff of={file} a={props.a} b={props.b} key={file.file} />
      ))}
      {(props.of.files_left_out ?? 0) > 0 && <p class="muted">{plural(props.of.files_left_out ?? 0, "more file")} left out.</p>}
    </section>
  );
}

function shown(value: Json | undefined): JSX.Element {
  if (value === undefined || value === null) return <span class="faint">–</span>;
  return <Code text={typeof value === "string" ? value : JSON.stringify(value)} />;
}

function Differences(props: { title: string; rows: { name: string; a?: Json; b?: Json }[] | undefined; a: string; b: string }): JSX.Element | null {
  const rows = props.rows ?? [];
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>{props.title}</h2>
      <PlainTable heads={["", props.a, props.b]} rows={rows.map((row) => ({ key: row.name, cells: [row.name, shown(row.a), shown(row.b)] }))} />
    </section>
  );
}

function Techniques(props: { of: Comparison; a: string; b: string }): JSX.Element | null {
  const { techniques, isa } = props.of;
  const side = (name: string, key: "a" | "b"): JSX.Element | null => {
    const used = techniques?.[key] ?? [];
    const seen = isa?.[key] ?? [];
    const only = new Set(key === "a" ? techniques?.only_a : techniques?.only_b);
    if (used.length + seen.length === 0) return null;
    return (
      <section>
        <h2>Techniques in {name}</h2>
        <ul class="uses">
          {used.map((one, i) => (
            <li key={i}>
              <a class="breaks" href={techniqueHref(one.name)}><Breakable text={one.name} /></a> <span class="muted small">since {one.label ?? "an ancestor"}{one.out_version && `, out since ${one.out_label ?? "a later version"}`}</span>{" "}
              {!one.out_version && only.has(one.name) && <span class="label">only here</span>}{" "}
              {one.experiment && <a class="small" href={`/experiments/${one.experiment}`}>experiment</a>}
            </li>
          ))}
          {seen.map((one) => (
            <li key={one.id}>
              <WordMark word={one.status} text={`machine code: ${words(one.status)}`} help={one.tool} /> <span class="breaks"><Breakable text={one.technique} /></span>
            </li>
          ))}
        </ul>
      </section>
    );
  };
  return (
    <>
      {side(props.a, "a")}
      {side(props.b, "b")}
    </>
  );
}

function Whole(props: { of: Comparison; all: boolean; search: string }): JSX.Element {
  const { of } = props;
  const first = versionName(of.a);
  const second = versionName(of.b);
  const [a, b] = first === second ? [`${first} (first)`, `${second} (second)`] : [first, second];
  const kernels = of.a.kernel === of.b.kernel ? [of.b] : [of.a, of.b];
  return (
    <article class="compare">
      <header class="heading">
        <p class="muted">
          {kernels.map((version, i) => (
            <span key={i}>
              {i > 0 && " and "}
              {version.kernel ? <a href={`/kernel/${version.kernel}`}>{kernelTitle(version) ?? "kernel"}</a> : kernelTitle(version)}
            </span>
          ))}
        </p>
        <h1>
          {a} against {b}
        </h1>
        <p>
          <a href={`/compare/${of.b.id}/${of.a.id}${props.search}`}>Swap the versions</a>
        </p>
      </header>
      <Times of={of} a={a} b={b} />
      <div class="columns">
        <div class="main-column">
          <Metrics of={of} a={a} b={b} all={props.all} />
          <Sources of={of} a={a} b={b} />
        </div>
        <div class="side-column">
          <Techniques of={of} a={a} b={b} />
          <Differences title="Parameters" rows={of.params} a={a} b={b} />
          <Differences title="Build" rows={of.build} a={a} b={b} />
          {[of.a, of.b].map((version, i) => version.summary && (
            <section key={i}>
              <h2>{i === 0 ? a : b}</h2>
              <p class="prose">{version.summary}</p>
            </section>
          ))}
        </div>
      </div>
    </article>
  );
}

export function CompareView(props: { a: string; b: string }): JSX.Element {
  const { search } = useLocation();
  const params = new URLSearchParams(search);
  const url = address(`/api/v1/versions/${encodeURIComponent(props.a)}/compare/${encodeURIComponent(props.b)}`, { workload: params.get("workload") });
  const answer = useAnswer<Comparison>(url, (signal) => getJson(url, signal), lastAnswer<Comparison>(url));
  const of = answer.data;
  useEffect(() => {
    if (of) document.title = `${versionName(of.a)} against ${versionName(of.b)} · Warplore`;
  }, [of]);
  if (props.a === props.b) return <Empty title="Both ids name the same version." />;
  if (answer.error) return <Problem problem={answer.error} again={answer.again} />;
  return of ? <Whole of={of} all={params.get("all") === "true"} search={search} /> : <Loading rows={10} />;
}
