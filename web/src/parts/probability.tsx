/* A probability or a factor with its interval, as a small drawing beside the number. The light band
 * is the interval, the mark the estimate. A tick marks 50 % or 1×, where an expected win becomes an
 * expected loss. */
import type { JSX } from "preact";
import { factor, isNum, percent } from "../format";
import type { Interval } from "../types";

const WIDTH = 120;
const HEIGHT = 14;

function Band(props: { at: number; low: number; high: number; tick: number; label: string }): JSX.Element {
  const clamp = (v: number): number => Math.min(1, Math.max(0, v)) * WIDTH;
  const low = clamp(props.low);
  const width = Math.max(1, clamp(props.high) - low);
  return (
    <svg class="band" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} role="img" aria-label={props.label}>
      <title>{props.label}</title>
      <rect class="band-track" x="0" y="5" width={WIDTH} height="4" rx="2" />
      <line class="band-tick" x1={clamp(props.tick)} x2={clamp(props.tick)} y1="1.5" y2="12.5" />
      <rect class="band-range" x={low} y="4" width={width} height="6" rx="3" />
      <rect class="band-mark" x={clamp(props.at) - 1.5} y="1" width="3" height="12" rx="1.5" />
    </svg>
  );
}

/* hardlyKnown: the interval is too wide to act on, so it is not shown. */
export function Chance(props: { of: Partial<Interval> | null | undefined; hardlyKnown?: boolean }): JSX.Element {
  const { of } = props;
  if (!of || !isNum(of.value)) return <span class="faint">–</span>;
  if (props.hardlyKnown)
    return (
      <span class="chance">
        <b class="num">{percent(of.value)}</b> <span class="muted small">hardly known</span>
      </span>
    );
  if (of.low === undefined) return <b class="num">{percent(of.value)}</b>;
  const low = of.low ?? of.value;
  const high = of.high ?? of.value;
  const label = `wins here with probability ${percent(of.value)}, 90 % interval ${percent(low)} to ${percent(high)}`;
  return (
    <span class="chance">
      <b class="num">{percent(of.value)}</b>
      <Band at={of.value} low={low} high={high} tick={0.5} label={label} />
      <span class="muted small num">
        {Math.round(low * 100)}–{percent(high)}
      </span>
    </span>
  );
}

/* Factors are drawn on a logarithmic scale from 1/4 to 4: 0.5× and 2× lie equally far from 1×. */
function position(value: number): number {
  return (Math.log2(Math.max(value, 1e-6)) + 2) / 4;
}

export function Gain(props: { of: Interval | null | undefined }): JSX.Element | null {
  const { of } = props;
  if (!of || !isNum(of.value)) return null;
  const low = of.low ?? of.value;
  const high = of.high ?? of.value;
  const label = `expected speedup ${factor(of.value)}, 90 % interval ${factor(low)} to ${factor(high)}`;
  return (
    <span class="chance">
      <b class="num">{factor(of.value)}</b>
      <Band at={position(of.value)} low={position(low)} high={position(high)} tick={0.5} label={label} />
      <span class="muted small num">
        {low.toFixed(2)}–{factor(high)}
      </span>
    </span>
  );
}
