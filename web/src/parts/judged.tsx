/* Marks for every other verdict the service derives: on claims, rules, techniques, compiled code,
 * specs, reviews. One table from the word to its shape and tone; unknown words get the dashed ring,
 * because a word this page does not know must not look like a success. */
import type { JSX } from "preact";
import { words } from "../format";
import { Mark, SHAPES } from "./marks";
import type { Drawn, Tone } from "./marks";

function drawn(tone: Tone, shape: keyof typeof SHAPES): Drawn {
  return { tone, shape: SHAPES[shape] };
}

const DRAWN: Record<string, Drawn> = {
  /* judgements */
  confirmed: drawn("good", "tick"),
  contradicted: drawn("bad", "cross"),
  partial: drawn("warn", "hollowDiamond"),
  /* a hypothesis by its outcome */
  improved: drawn("good", "up"),
  regressed: drawn("bad", "down"),
  neutral: drawn("plain", "bar"),
  invalid: drawn("bad", "cross"),
  /* clauses, decisions, watch list */
  true: drawn("good", "tick"),
  false: drawn("plain", "cross"),
  accept: drawn("good", "tick"),
  reject: drawn("bad", "cross"),
  undecided: drawn("plain", "hollowDiamond"),
  ok: drawn("good", "tick"),
  moved: drawn("warn", "hollowDiamond"),
  yes: drawn("good", "tick"),
  no: drawn("plain", "cross"),
  /* techniques */
  effective: drawn("good", "tick"),
  ineffective: drawn("plain", "bar"),
  implementation_failed: drawn("bad", "cross"),
  unattributed: drawn("warn", "hollowDiamond"),
  /* compiled code */
  verified: drawn("good", "tick"),
  missing: drawn("bad", "cross"),
  not_applicable: drawn("plain", "bar"),
  inconclusive: drawn("plain", "hollowDiamond"),
  /* specs */
  in_force: drawn("good", "disc"),
  candidate: drawn("plain", "ring"),
  disputed: drawn("warn", "alert"),
  rejected: drawn("bad", "cross"),
  retracted: drawn("bad", "cross"),
  /* reviews, directions, campaigns */
  reviewed: drawn("good", "tick"),
  draft: drawn("faint", "ring"),
  open: drawn("plain", "ring"),
  closed: drawn("faint", "disc"),
  alarm: drawn("warn", "alert"),
};

export function WordMark(props: { word: string | null | undefined; text?: string; help?: string | null | undefined; bare?: boolean }): JSX.Element | null {
  const { word, help, bare } = props;
  if (!word) return null;
  const text = props.text ?? words(word);
  return <Mark drawn={DRAWN[word] ?? drawn("faint", "dashes")} text={text} title={help ? `${text}: ${help}` : text} bare={bare} />;
}
