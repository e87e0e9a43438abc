/* Verdicts and evidence as small marks. Each has its own shape besides its colour, so that they can
 * be told apart without colour, in print and in a glance; the words stand beside them or in the
 * title. */
import type { JSX } from "preact";
import { factor, isNum, words } from "../format";
import { effectWords } from "../words";
import type { Check, Effect, Evidence, LabelsFrom, Maybe, Outcome } from "../types";

export type Tone = "good" | "bad" | "warn" | "plain" | "faint";

export interface Drawn {
  tone: Tone;
  shape: JSX.Element;
}

const outline = { fill: "none", stroke: "currentColor", "stroke-width": 1.6 } as const;
const up = <path d="M6 1.5 11 10.5H1z" />;
const down = <path d="M6 10.5 1 1.5h10z" />;
const bar = <rect x="1" y="4.4" width="10" height="3.2" rx="1" />;
const diamond = <path d="M6 1 11 6 6 11 1 6z" />;
const hollowDiamond = <path d="M6 1.6 10.4 6 6 10.4 1.6 6z" {...outline} />;
const dashes = <circle cx="6" cy="6" r="4.2" {...outline} stroke-dasharray="2 1.8" />;
const disc = <circle cx="6" cy="6" r="4.6" />;
const ring = <circle cx="6" cy="6" r="4" {...outline} />;
const tick = <path d="M1.8 6.4 4.8 9.4 10.4 2.8" {...outline} stroke-width={2} />;
const cross = <path d="M2.4 2.4 9.6 9.6M9.6 2.4 2.4 9.6" {...outline} stroke-width={2} />;
const clock = <path d="M6 1.6a4.4 4.4 0 1 0 .01 0M6 3.4V6l2 1.4" {...outline} stroke-width={1.3} />;
const sealed = (
  <g>
    <circle cx="6" cy="6" r="5.4" />
    <path d="M3.3 6.2 5.2 8.1 8.7 4.1" fill="none" stroke="var(--paper)" stroke-width="1.6" />
  </g>
);
const alert = (
  <g>
    <path d="M6 1.4 11 10.4H1z" {...outline} stroke-width={1.3} stroke-linejoin="round" />
    <path d="M6 4.6v2.8M6 8.5v1" {...outline} stroke-width={1.2} />
  </g>
);

/** The shapes that other marks are made of. */
export const SHAPES = { tick, cross, bar, dashes, ring, disc, diamond, hollowDiamond, up, down, alert };

const EFFECTS: Record<Effect | "wrong_result", Drawn> = {
  win: { tone: "good", shape: up },
  loss: { tone: "bad", shape: down },
  neutral: { tone: "plain", shape: bar },
  inconclusive: { tone: "plain", shape: hollowDiamond },
  wrong_result: { tone: "bad", shape: cross },
  not_measured: { tone: "faint", shape: dashes },
};
const CHECKS: Record<Check, Drawn> = {
  pass: { tone: "good", shape: tick },
  fail: { tone: "bad", shape: cross },
  timeout: { tone: "bad", shape: clock },
  not_checked: { tone: "faint", shape: dashes },
};
const EVIDENCE: Record<Evidence, Drawn & { help: string }> = {
  confirmed: { tone: "good", shape: sealed, help: "A and B measured in turns" },
  measured: { tone: "good", shape: disc, help: "measured by a collector, with samples" },
  imported: { tone: "plain", shape: diamond, help: "a published or imported result; not measured here" },
  claimed: { tone: "faint", shape: ring, help: "stated without a measurement" },
};

export function Mark(props: { drawn: Drawn; text: string; title: string; bare?: boolean | undefined }): JSX.Element {
  const { drawn, text, title, bare } = props;
  return (
    <span class={`mark ${drawn.tone}`} title={title}>
      <svg viewBox="0 0 12 12" width="10" height="10" fill="currentColor" aria-hidden="true">
        {drawn.shape}
      </svg>
      <span class={bare ? "unseen" : "mark-text"}>{text}</span>
    </span>
  );
}

export function EffectMark(props: { effect: Effect | "wrong_result"; bare?: boolean }): JSX.Element {
  const drawn = EFFECTS[props.effect] ?? EFFECTS.not_measured;
  const text = effectWords(props.effect);
  return <Mark drawn={drawn} text={text} title={`effect: ${text}`} bare={props.bare} />;
}

export function CheckMark(props: { check: Check | null | undefined; bare?: boolean }): JSX.Element {
  const check = props.check ?? "not_checked";
  const text = check === "pass" ? "correct" : check === "fail" ? "incorrect" : words(check);
  return <Mark drawn={CHECKS[check] ?? CHECKS.not_checked} text={text} title={`correctness: ${words(check)}`} bare={props.bare} />;
}

export function ProcessMark(props: { process: "clean" | "broken"; rules?: string[] | undefined; bare?: boolean }): JSX.Element {
  const broken = props.process === "broken";
  const rules = (props.rules ?? []).map(words).join(", ");
  const title = broken ? `process: broken${rules === "" ? "" : ` (${rules})`}` : "process: clean";
  const drawn: Drawn = broken ? { tone: "warn", shape: alert } : { tone: "faint", shape: tick };
  return <Mark drawn={drawn} text={broken ? "process broken" : "process clean"} title={title} bare={props.bare} />;
}

export function EvidenceMark(props: { evidence: Evidence | null | undefined; bare?: boolean }): JSX.Element | null {
  if (!props.evidence) return null;
  const drawn = EVIDENCE[props.evidence];
  if (!drawn) return <span>{props.evidence}</span>;
  return <Mark drawn={drawn} text={props.evidence} title={`evidence: ${props.evidence}: ${drawn.help}`} bare={props.bare} />;
}

/** The three verdicts side by side, never mixed. */
export function Verdicts(props: { outcome: Outcome; bare?: boolean }): JSX.Element {
  const { outcome, bare = false } = props;
  return (
    <span class="verdicts">
      <EffectMark effect={outcome.effect} bare={bare} />
      <CheckMark check={outcome.correctness} bare={bare} />
      <ProcessMark process={outcome.process} rules={outcome.rules} bare={bare} />
    </span>
  );
}

/** Effect and its size, for lists. */
export function EffectSize(props: { effect: Effect; speedup?: number | null | undefined }): JSX.Element {
  return (
    <span class="effect-size">
      <EffectMark effect={props.effect} bare />
      {isNum(props.speedup) ? <b class="num">{factor(props.speedup)}</b> : <span class="muted">{effectWords(props.effect)}</span>}
    </span>
  );
}

/** Tried, won and lost as counts with their marks. */
export function Tally(props: { tried: number; won: number; lost: number; named?: boolean }): JSX.Element {
  const { tried, won, lost, named } = props;
  return (
    <span class="tally num" title={`${tried} tried, ${won} won, ${lost} lost`}>
      <span>
        {tried}
        {named && <span class="muted">&nbsp;tried</span>}
      </span>
      <span class={won > 0 ? "good" : "faint"}>
        <EffectMark effect="win" bare />
        {won}
      </span>
      <span class={lost > 0 ? "bad" : "faint"}>
        <EffectMark effect="loss" bare />
        {lost}
      </span>
    </span>
  );
}

/** DERIVED: labels inferred from metrics. HOW: the tooltip of these labels. */
export function Labels(props: {
  labels?: string[] | undefined;
  derived?: string[] | undefined;
  how?: string | undefined;
}): JSX.Element {
  return (
    <span class="labels">
      {(props.labels ?? []).map((label) =>
        props.derived?.includes(label) ? (
          <span class="label derived" key={label} title={props.how ?? "inferred from metrics"}>
            {words(label)} <span class="faint">derived</span>
          </span>
        ) : (
          <span class="label" key={label}>
            {words(label)}
          </span>
        ),
      )}
    </span>
  );
}

const basisWords: Record<string, string> = {
  run_before: "the run before",
  stated: "the metrics stated for the version before",
  earlier_run: "an earlier run of the version before",
};

/** The bottleneck of an experiment; labels inferred from metrics are marked. */
export function Limits(props: { of: { labels?: string[]; labels_from?: Maybe<LabelsFrom> } }): JSX.Element {
  const { labels, labels_from: from } = props.of;
  if (from?.source !== "derived") return <Labels labels={labels} />;
  const how = `inferred by ${from.rule_set ?? "a rule set"} from ${basisWords[from.basis ?? ""] ?? "metrics"}`;
  return <Labels labels={labels} derived={labels} how={how} />;
}
