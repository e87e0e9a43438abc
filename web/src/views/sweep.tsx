/* Sweeps: one line for a search of a tuner, and the distribution of its times. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { getJson, lastAnswer } from "../api";
import { duration, exactNs, factor, isNum, labelText, plural, words } from "../format";
import { Facts } from "../parts/facts";
import { Loading, Problem } from "../parts/notice";
import { PlainTable } from "../parts/plain-table";
import { Breakable } from "../parts/text";
import { useAnswer } from "../state";
import type { History, SweepConfiguration, SweepFull, SweepSummary } from "../types";
import { kernelTitle, techniqueHref } from "../words";

const WIDTH = 760;
const HEIGHT = 150;
const TOP = 6;
const BOTTOM = 20;

/** "4,362 configurations: best 0.81 ms (tile=64), 3.10x over the first, 212 failed" */
export function sweepText(of: SweepSummary, first?: number): string {
  const parts = [isNum(of.best_ns) ? `best ${duration(of.best_ns)}${of.best ? ` (${labelText(of.best)})` : ""}` : "no time"];
  if (isNum(first)) parts.push(`${factor(first)} over the first`);
  else if (isNum(of.best_ns) && isNum(of.median_ns)) parts.push(`${factor(of.median_ns / of.best_ns)} over the median`);
  if (of.failed > 0) parts.push(`${of.failed.toLocaleString("en")} failed`);
  return `${of.configurations.toLocaleString("en")} ${of.configurations === 1 ? "configuration" : "configurations"}: ${parts.join(", ")}`;
}

/* Bins have equal ratios, so the axis is logarithmic; the last one has all slower ones, too. */
function Distribution(props: { of: SweepFull }): JSX.Element | null {
  const bins = props.of.distribution;
  const first = bins[0];
  const last = bins.at(-1);
  if (!first || !last || bins.length < 2) return null;
  const most = Math.max(...bins.map((bin) => bin.n));
  const width = WIDTH / bins.length;
  const floor = HEIGHT - BOTTOM;
  const marks = [0, Math.floor(bins.length / 3), Math.floor((2 * bins.length) / 3)];
  return (
    <figure class="strips">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Times of ${props.of.summary.timed} configurations, from ${duration(first.from_ns)} to ${duration(last.to_ns)}`}>
        {bins.map((bin, i) => (
          <g key={i} class={i === 0 ? "strip after" : "strip before"}>
            <title>{`${exactNs(bin.from_ns)} to ${exactNs(bin.to_ns)}: ${plural(bin.n, "configuration")}`}</title>
            <rect x={i * width + 0.5} width={width - 1} y={floor - (bin.n * (floor - TOP)) / most} height={(bin.n * (floor - TOP)) / most} />
          </g>
        ))}
        <g class="tick"><line x1="0" x2={WIDTH} y1={floor} y2={floor} /></g>
        {marks.map((at) => (
          <text key={at} x={at * width} y={HEIGHT - 5}>{duration(bins[at]?.from_ns)}</text>
        ))}
        <text x={WIDTH} y={HEIGHT - 5} text-anchor="end">{duration(last.from_ns)} and slower</text>
      </svg>
      <figcaption class="muted small">
        Configurations by time; the highest bar has {most.toLocaleString("en")}. The axis is logarithmic.
      </figcaption>
    </figure>
  );
}

function useSweep(id: string): ReturnType<typeof useAnswer<SweepFull>> {
  const url = `/api/v1/sweeps/${encodeURIComponent(id)}`;
  return useAnswer<SweepFull>(url, (signal) => getJson(url, signal), lastAnswer<SweepFull>(url));
}

function One(props: { of: History["sweeps"][number]; draw: boolean }): JSX.Element {
  const { of } = props;
  const place = [of.workload_label, of.chip, of.tool].filter(Boolean).join(" · ");
  return (
    <div class="sweep">
      <p>
        <a data-open="" href={`/sweeps/${of.id}`}>Sweep of {sweepText(of.summary, of.speedup_vs_first)}</a>
        {place !== "" && <span class="muted small"> {place}</span>}
      </p>
      {props.draw && of.id && <Drawn id={of.id} />}
    </div>
  );
}

function Drawn(props: { id: string }): JSX.Element | null {
  const { data } = useSweep(props.id);
  return data ? <Distribution of={data} /> : null;
}

const DRAWN = 3; /* each one is another request */

/** The sweeps of a kernel's history. */
export function Sweeps(props: { rows: History["sweeps"] }): JSX.Element | null {
  if (props.rows.length === 0) return null;
  return (
    <section>
      <h2>{props.rows.length === 1 ? "Sweep" : "Sweeps"}</h2>
      {props.rows.map((row, i) => (
        <One of={row} draw={i < DRAWN} key={row.id} />
      ))}
    </section>
  );
}

function paramsOf(row: SweepConfiguration): string {
  return Object.entries(row.params).map(([name, value]) => `${name}=${String(value)}`).join(" ");
}

function Whole(props: { of: SweepFull }): JSX.Element {
  const { of } = props;
  return (
    <article class="kernel">
      <header class="heading">
        <p class="muted">{[of.operator, of.chip, of.workload_label, of.tool].filter(Boolean).join(" · ")}</p>
        <h1>Sweep of <a href={`/kernel/${of.kernel}`}>{kernelTitle(of)}</a></h1>
      </header>
      <p>{sweepText(of.summary)}</p>
      {of.summary.same_as && <p>The same search as <a href={`/sweeps/${of.summary.same_as}`}>another record</a>, which counts.</p>}
      <div class="columns">
        <div class="main-column">
          <Distribution of={of} />
          <PlainTable
            caption="Fastest configurations"
            heads={[">Time", "Parameters"]}
            rows={of.fastest.map((row) => ({
              key: String(row.configuration),
              cells: [<span class="nowrap" key="t">{duration(row.time_ns)}</span>, <Breakable text={paramsOf(row)} key="p" />],
            }))}
          />
        </div>
        <div class="side-column">
          <Facts
            rows={[
              ["Failed", of.failures.map((why) => `${why.n.toLocaleString("en")} ${words(why.type)}${why.said ? `: ${why.said}` : ""}`).join("; ")],
              ["Techniques", of.witnesses.length > 0 && (
                <ul class="uses" key="w">
                  {of.witnesses.map((one) => (
                    <li key={one.technique}><a href={techniqueHref(one.technique)}>{one.technique}</a> {factor(one.speedup)} ({one.parameter})</li>
                  ))}
                </ul>
              )],
              ["Author", of.author],
              ["Id", <code key="id">{of.id}</code>],
            ]}
          />
        </div>
      </div>
    </article>
  );
}

export function SweepView(props: { id: string }): JSX.Element {
  const { data, error, again } = useSweep(props.id);
  const name = data?.kernel_name;
  useEffect(() => {
    if (name) document.title = `Sweep of ${name} · Warplore`;
  }, [name]);
  if (error) return <Problem problem={error} again={again} />;
  return data ? <Whole of={data} /> : <Loading rows={8} />;
}
