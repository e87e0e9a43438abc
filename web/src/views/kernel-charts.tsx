/* How long each version takes, with its samples in the order they were taken; and the bottleneck of
 * each version. Plain SVG, like every drawing of this page. */
import type { JSX } from "preact";
import { duration, exactNs, isNum, plural, sig, versionName, words } from "../format";
import { axisNote, scaleOf, type Scale } from "../parts/strip";
import type { Drift, DriftStep, HistoryStep } from "../types";
import type { Details } from "./kernel-details";

const WIDTH = 760;
const HEIGHT = 230;
const LEFT = 62;
const TOP = 10;
const BOTTOM = 44;
const DOTS = 60; /* per version; of more, every n-th */

interface Bar {
  step: HistoryStep;
  samples: number[];
  at: number;
}

function One(props: { bar: Bar; left: number; width: number; scale: Scale; label: boolean }): JSX.Element {
  const { bar, left, width, scale } = props;
  const { step, samples, at } = bar;
  const every = Math.max(1, Math.ceil(samples.length / DOTS));
  const shown = samples.filter((_, i) => i % every === 0);
  const gap = Math.min(6, width * 0.12);
  const inner = width - 2 * gap;
  const name = versionName(step.version);
  const room = Math.max(3, Math.floor(width / 6));
  const text = name.length > room ? `${name.slice(0, room - 1)}…` : name;
  const y = scale.y(at);
  return (
    <g class={step.champion ? "strip after" : step.hidden ? "strip before hidden-node" : "strip before"}>
      <title>{`${name}${step.champion ? ", champion" : ""}: ${exactNs(at)}, ${samples.length > 0 ? plural(samples.length, "sample") : "no samples"}`}</title>
      <rect class="hit" x={left} y={TOP} width={width} height={HEIGHT - TOP - BOTTOM} />
      {shown.map((ns, i) => (
        <circle key={i} cx={left + gap + ((i + 0.5) * inner) / shown.length} cy={scale.y(ns)} r={width > 30 ? 2 : 1.4} />
      ))}
      {samples.length > 0 ? (
        <line x1={left + gap} x2={left + width - gap} y1={y} y2={y} />
      ) : (
        <path class="stated" d={`M${left + width / 2} ${y - 5}l5 5-5 5-5-5z`} />
      )}
      {props.label && (
        <text x={left + width / 2} y={HEIGHT - BOTTOM + 16} text-anchor="middle">
          {text}
        </text>
      )}
      {props.label && width > 52 && (
        <text class="value" x={left + width / 2} y={HEIGHT - BOTTOM + 31} text-anchor="middle">
          {`${step.champion ? "★ " : ""}${duration(at)}`}
        </text>
      )}
    </g>
  );
}

export function VersionTimes(props: { rows: HistoryStep[]; details: Details }): JSX.Element | null {
  const bars: Bar[] = props.rows
    .filter((step) => isNum(step.time_ns))
    .map((step) => ({ step, at: step.time_ns ?? 0, samples: (step.run && props.details.samples.get(step.run.id)) ?? [] }));
  if (bars.length < 2) return null;
  const scale = scaleOf(bars.flatMap((bar) => [bar.at, ...bar.samples]), TOP, HEIGHT - BOTTOM);
  const width = (WIDTH - LEFT) / bars.length;
  const every = Math.max(1, Math.ceil(22 / width));
  const stated = bars.some((bar) => bar.samples.length === 0);
  return (
    <figure class="strips version-times">
      <h2>Time per version</h2>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Time per version: ${bars.map((bar) => `${versionName(bar.step.version)} ${duration(bar.at)}`).join(", ")}`}>
        {scale.marks.map((ns) => (
          <g key={ns} class="tick">
            <line x1={LEFT} x2={WIDTH} y1={scale.y(ns)} y2={scale.y(ns)} />
            <text x={LEFT - 8} y={scale.y(ns) + 3.5} text-anchor="end">
              {duration(ns)}
            </text>
          </g>
        ))}
        {bars.map((bar, i) => (
          <One key={bar.step.version.id} bar={bar} left={LEFT + i * width} width={width} scale={scale} label={i % every === 0 || bar.step.champion} />
        ))}
      </svg>
      <figcaption class="muted small">
        Dots are samples in the order they were taken, the line their median{stated && "; a diamond is a number without samples"}. ★ is the champion.{" "}
        {axisNote(scale)}
      </figcaption>
    </figure>
  );
}

const AXES: ["compute" | "memory" | "latency", string][] = [["compute", "c"], ["memory", "m"], ["latency", "l"]];

/* Three bars from 0 to 1: how far each axis is from its peak. A dashed line is an unknown gap. */
function GapBars(props: { of: DriftStep }): JSX.Element | null {
  const { gaps } = props.of;
  if (!gaps) return null;
  return (
    <svg class="gaps" viewBox="0 0 60 34" width="60" height="34" aria-hidden="true">
      {AXES.map(([axis, letter], i) => {
        const gap = gaps[axis];
        const size = isNum(gap) ? Math.min(1, Math.max(0, gap)) * 40 : 0;
        return (
          <g key={axis}>
            <text x="0" y={i * 11 + 9}>{letter}</text>
            <rect class="band-track" x="14" y={i * 11 + 3} width="40" height="6" />
            {isNum(gap) ? (
              <rect class={axis === props.of.bound ? "gap bound" : "gap"} x="14" y={i * 11 + 3} width={Math.max(1, size)} height="6" />
            ) : (
              <line class="gap-unknown" x1="14" x2="54" y1={i * 11 + 6} y2={i * 11 + 6} stroke-dasharray="2 3" />
            )}
          </g>
        );
      })}
    </svg>
  );
}

function gapText(step: DriftStep): string {
  const { gaps } = step;
  if (!gaps) return "no run with metrics";
  const parts = AXES.map(([axis]) => `${axis} gap ${isNum(gaps[axis]) ? sig(gaps[axis], 2) : "unknown"}`);
  const missing = gaps.unknown_inputs ?? [];
  return `${parts.join(", ")}${missing.length > 0 ? `; not known: ${missing.join(", ")}` : ""}`;
}

export function DriftRow(props: { of: Drift }): JSX.Element | null {
  const { of } = props;
  if (of.rows.length === 0 || of.rows.every((step) => !step.gaps)) return null;
  return (
    <section class="drift">
      <h2>Where the bottleneck is</h2>
      <ol>
        {of.rows.map((step) => (
          <li key={step.version} title={gapText(step)} class={step.moved ? "moved" : ""}>
            <span class="small muted clip">{step.label}</span>
            <b>{words(step.bound) || "unknown"}</b>
            {step.moved && <span class="small warn-text">↳ from {words(step.moved_from)}</span>}
            <GapBars of={step} />
            <span class="unseen">{gapText(step)}</span>
          </li>
        ))}
      </ol>
      <p class="muted small">
        {of.summary} Bars are the gaps to the peak: compute, memory, latency; a dashed one is not known. A roofline cannot show sync.
      </p>
    </section>
  );
}
