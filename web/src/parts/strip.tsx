/* Timing samples as strips, in the order they were taken: drift, not noise, makes most false
 * regressions, so the horizontal axis is order and the vertical one is time. Drawn as plain SVG:
 * the page's policy allows no inline styles, which chart libraries write. */
import type { JSX } from "preact";
import { duration, exactNs, plural } from "../format";

export interface Strip {
  name: string;
  samples: number[];
}

const WIDTH = 720;
const HEIGHT = 190;
const LEFT = 64;
const GAP = 26;
const TOP = 10;
const BOTTOM = 24;
const MOST = 1500; /* dots per strip; of more samples, only every n-th is drawn */
const LOG_FROM = 12; /* slowest over fastest; beyond, a linear axis hides the fast ones */

export function median(samples: number[]): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const high = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? high : ((sorted[half - 1] ?? high) + high) / 2;
}

/** At most five round tick values inside LOW..HIGH. */
export function ticks(low: number, high: number): number[] {
  const span = high - low;
  if (!(span > 0)) return [low];
  const rough = span / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? rough;
  const out: number[] = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step) out.push(at);
  return out;
}

export interface Scale {
  y: (ns: number) => number;
  marks: number[];
  log: boolean;
}

/** A vertical axis for times, from BOTTOM up to TOP; logarithmic when they are far apart. */
export function scaleOf(all: number[], top: number, bottom: number): Scale {
  const least = all.reduce((a, b) => Math.min(a, b));
  const most = all.reduce((a, b) => Math.max(a, b));
  const log = least > 0 && most / least > LOG_FROM;
  const f = log ? Math.log10 : (v: number): number => v;
  const margin = Math.max((f(most) - f(least)) * 0.06, log ? 0.02 : most * 0.002);
  const low = log ? f(least) - margin : Math.max(0, least - margin);
  const high = f(most) + margin;
  const marks = log ? ticks(low, high).map((v) => Number((10 ** v).toPrecision(2))) : ticks(low, high);
  return { y: (ns) => top + (1 - (f(ns) - low) / (high - low)) * (bottom - top), marks, log };
}

export function axisNote(scale: Scale): string {
  return scale.log ? "The axis is logarithmic." : "The axis does not start at zero.";
}

function One(props: { strip: Strip; left: number; width: number; y: (ns: number) => number; after: boolean }): JSX.Element {
  const { strip, left, width, y, after } = props;
  const every = Math.max(1, Math.ceil(strip.samples.length / MOST));
  const step = width / Math.max(1, strip.samples.length);
  const middle = median(strip.samples);
  return (
    <g class={after ? "strip after" : "strip before"}>
      {strip.samples.map((ns, i) =>
        i % every !== 0 ? null : after ? (
          <circle key={i} cx={left + (i + 0.5) * step} cy={y(ns)} r="2.4" />
        ) : (
          <rect key={i} x={left + (i + 0.5) * step - 2.1} y={y(ns) - 2.1} width="4.2" height="4.2" />
        ),
      )}
      <line x1={left} x2={left + width} y1={y(middle)} y2={y(middle)}>
        <title>{`median ${exactNs(middle)}`}</title>
      </line>
      <text x={left + width / 2} y={HEIGHT - 6} text-anchor="middle">
        {`${strip.name}: ${duration(middle)}, ${plural(strip.samples.length, "sample")}`}
      </text>
    </g>
  );
}

export function Strips(props: { strips: Strip[] }): JSX.Element | null {
  const strips = props.strips.filter((strip) => strip.samples.length > 0);
  if (strips.length === 0) return null;
  const scale = scaleOf(strips.flatMap((strip) => strip.samples), TOP, HEIGHT - BOTTOM);
  const { y } = scale;
  const width = (WIDTH - LEFT - GAP * (strips.length - 1)) / strips.length;
  const said = strips.map((strip) => `${strip.name}: median ${duration(median(strip.samples))} of ${strip.samples.length}`).join("; ");
  return (
    <figure class="strips">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Samples in order. ${said}`}>
        {scale.marks.map((ns) => (
          <g key={ns} class="tick">
            <line x1={LEFT} x2={WIDTH} y1={y(ns)} y2={y(ns)} />
            <text x={LEFT - 8} y={y(ns) + 3.5} text-anchor="end">
              {duration(ns)}
            </text>
          </g>
        ))}
        {strips.map((strip, i) => (
          <One key={strip.name} strip={strip} left={LEFT + i * (width + GAP)} width={width} y={y} after={i > 0 || strips.length === 1} />
        ))}
      </svg>
      <figcaption class="muted small">
        Samples in the order they were taken; the line is the median. {axisNote(scale)}
      </figcaption>
    </figure>
  );
}
