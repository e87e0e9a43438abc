/* The lineage as a tree drawn downwards: one line per version, in order. The kind of an edge is its
 * dash and the kind of a version its shape, so that the drawing needs no colour. */
import type { JSX } from "preact";
import { versionName, words } from "../format";
import type { HistoryStep } from "../types";

const ROW = 22;
const LANE = 16;
const LEFT = 12;
const WIDTH = 330;
const MOST_LANES = 9; /* deeper branching shares the last lane */

const DASHES: Record<string, string> = {
  derived_from: "", ablation_of: "1.5 3.5", branch_of: "9 3", restart_from: "7 3 1.5 3", revert_of: "4 4", merged_from: "12 2",
};

interface Node {
  step: HistoryStep;
  row: number;
  lane: number;
}
interface Edge {
  from: Node;
  to: Node;
  kind: string;
}

/* The first child of a version continues its parent's lane. Other children and all ablations and
 * branches take the next lane that is free below the parent. */
export function layOut(rows: HistoryStep[]): { nodes: Node[]; edges: Edge[]; lanes: number } {
  const nodes = new Map<string, Node>();
  const edges: Edge[] = [];
  const busy: number[] = []; /* last row that a lane is drawn in */
  const tip: string[] = []; /* version that ends a lane */
  for (const [row, step] of rows.entries()) {
    const parents = (step.version.parents ?? []).filter((parent) => nodes.has(parent.version));
    const first = parents[0];
    const above = first ? nodes.get(first.version) : undefined;
    const goesOn = above && first?.kind !== "ablation_of" && first?.kind !== "branch_of" && tip[above.lane] === first?.version;
    let lane = goesOn ? above.lane : 0;
    while (!goesOn && lane < MOST_LANES - 1 && (busy[lane] ?? -1) >= (above ? above.row : row)) lane += 1;
    const node: Node = { step, row, lane };
    nodes.set(step.version.id, node);
    busy[lane] = row;
    tip[lane] = step.version.id;
  }
  for (const to of nodes.values()) {
    for (const parent of to.step.version.parents ?? []) {
      const from = nodes.get(parent.version);
      if (from) edges.push({ from, to, kind: parent.kind });
    }
  }
  return { nodes: [...nodes.values()], edges, lanes: busy.length };
}

function x(lane: number): number {
  return LEFT + lane * LANE;
}
function y(row: number): number {
  return ROW / 2 + row * ROW;
}

function Line(props: { of: Edge }): JSX.Element {
  const { from, to, kind } = props.of;
  const path =
    from.lane === to.lane
      ? `M${x(from.lane)} ${y(from.row)}V${y(to.row)}`
      : `M${x(from.lane)} ${y(from.row)}C${x(from.lane)} ${y(from.row) + ROW * 0.8} ${x(to.lane)} ${y(from.row) + ROW * 0.2} ${x(to.lane)} ${y(from.row) + ROW}V${y(to.row)}`;
  return (
    <path class="edge" d={path} stroke-dasharray={DASHES[kind] || undefined}>
      <title>{`${versionName(to.step.version)} is ${words(kind)} ${versionName(from.step.version)}`}</title>
    </path>
  );
}

function Shape(props: { kind: string; cx: number; cy: number }): JSX.Element {
  const { kind, cx, cy } = props;
  if (kind === "baseline") return <rect class="node" x={cx - 4.5} y={cy - 4.5} width="9" height="9" />;
  if (kind === "ablation") return <path class="node hollow" d={`M${cx} ${cy - 5.5}l5.5 5.5-5.5 5.5-5.5-5.5z`} />;
  if (kind === "branch") return <path class="node" d={`M${cx} ${cy - 5.5}l5.5 10h-11z`} />;
  if (kind === "revert") return <circle class="node hollow" cx={cx} cy={cy} r="4.5" />;
  if (kind === "library") return <rect class="node hollow" x={cx - 4.5} y={cy - 4.5} width="9" height="9" />;
  return <circle class="node" cx={cx} cy={cy} r="4.5" />;
}

function Point(props: { of: Node; champion: boolean; textAt: number }): JSX.Element {
  const { of, champion, textAt } = props;
  const { version, experiment, run, hidden } = of.step;
  const href = experiment ? `/experiments/${experiment.id}` : run ? `/runs/${run.id}` : undefined;
  const name = versionName(version);
  const short = name.length > 26 ? `${name.slice(0, 25)}…` : name;
  const said = `${name}: ${words(version.kind)}${champion ? ", champion" : ""}${hidden ? ", hidden" : ""}`;
  const inside = (
    <g class={hidden ? "version-node hidden-node" : "version-node"}>
      <title>{said}</title>
      {champion && <circle class="ring" cx={x(of.lane)} cy={y(of.row)} r="8.5" />}
      <Shape kind={version.kind ?? "candidate"} cx={x(of.lane)} cy={y(of.row)} />
      <text x={textAt} y={y(of.row) + 4}>
        {champion ? "★ " : ""}
        {short}
        {hidden ? " (hidden)" : ""}
      </text>
    </g>
  );
  return href ? <a href={href} aria-label={said}>{inside}</a> : inside;
}

function Legend(props: { kinds: string[]; shapes: string[] }): JSX.Element {
  return (
    <p class="legend muted small">
      {props.shapes.map((kind) => (
        <span key={kind}>
          <svg viewBox="0 0 14 14" width="12" height="12" aria-hidden="true">
            <Shape kind={kind} cx={7} cy={7} />
          </svg>
          {words(kind)}
        </span>
      ))}
      {props.kinds.map((kind) => (
        <span key={kind}>
          <svg viewBox="0 0 30 8" width="30" height="8" aria-hidden="true">
            <path class="edge" d="M0 4H30" stroke-dasharray={DASHES[kind] || undefined} />
          </svg>
          {words(kind)}
        </span>
      ))}
    </p>
  );
}

export function Lineage(props: { rows: HistoryStep[]; champion: string | null | undefined }): JSX.Element | null {
  const { nodes, edges, lanes } = layOut(props.rows);
  if (edges.length === 0) return null; /* no version has a recorded parent */
  const height = nodes.length * ROW;
  const textAt = x(lanes - 1) + 14;
  const drawn = nodes.map((node) => node.step.version.kind ?? "candidate");
  const unique = (all: string[]): string[] => [...new Set(all)];
  return (
    <section class="lineage">
      <h2>Lineage</h2>
      <div class="lineage-scroll" tabIndex={0} role="group" aria-label="Lineage of the versions">
        <svg viewBox={`0 0 ${WIDTH} ${height}`} width={WIDTH} height={height}>
          {edges.map((edge, i) => (
            <Line of={edge} key={i} />
          ))}
          {nodes.map((node) => (
            <Point of={node} key={node.step.version.id} champion={node.step.version.id === props.champion} textAt={textAt} />
          ))}
        </svg>
      </div>
      <Legend kinds={unique(edges.map((edge) => edge.kind))} shapes={unique(drawn)} />
    </section>
  );
}
