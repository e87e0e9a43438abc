/* The columns of the leaderboard: title, help, how to sort, what to show, what to write into CSV. A
 * new column is a new row of this table. */
import type { JSX } from "preact";
import type { Cell } from "../csv";
import { baseName, duration, exactNs, factor, factorRange, isNum, labelText, micros, words } from "../format";
import { EvidenceMark, Labels, Tally } from "../parts/marks";
import { Breakable } from "../parts/text";
import type { BoardRow, Speedup } from "../types";
import { withParams } from "../router";
import { kernelTitle, languageName } from "../words";

type SortValue = string | number | null;

export interface Column {
  key: string;
  title: string;
  help: string;
  right?: boolean;
  /** The first click sorts from large to small. */
  largeFirst?: boolean;
  /** The service's own sort of this name, for lists that are longer than one page can hold. */
  server?: string;
  sort: (row: BoardRow) => SortValue;
  cell: (row: BoardRow) => JSX.Element | string;
  csv: [string, (row: BoardRow) => Cell][];
}

export function rowLink(row: BoardRow): string | null {
  if (row.best?.experiment) return `/experiments/${row.best.experiment}`;
  return row.best?.run ? `/runs/${row.best.run}` : null;
}

/** The history of the row's kernel, on the row's workload. */
export function kernelLink(row: BoardRow): string {
  return `/kernel/${row.kernel ?? ""}${withParams("", { workload: row.workload?.id })}`;
}

export function rowKey(row: BoardRow): string {
  return [row.operator, row.language, row.chip, row.workload?.id].map((part) => part ?? "").join("|");
}

function SpeedupLine(props: { of: Speedup }): JSX.Element {
  const { of } = props;
  const against = baseName(of.base, of.base_name);
  const title = `${against}${of.base_name ? `: ${of.base_name}` : ""}${of.base_version ? `, version ${of.base_version}` : ""}`;
  return (
    <div class="line against" title={title}>
      {factor(of.value)} <span class="muted">{against}{isNum(of.low) && isNum(of.high) ? `, typically ${factorRange(of.low, of.high)}` : ""}</span>
    </div>
  );
}

/* A claim is shown as one: it leads nothing. */
function speedupCell(row: BoardRow): JSX.Element {
  const claim = row.claims?.[0]?.speedup;
  if (row.speedup) return <SpeedupLine of={row.speedup} />;
  return claim ? <div class="line second">{factor(claim.value)} claimed</div> : <span class="faint">–</span>;
}

function bestCell(row: BoardRow): JSX.Element {
  const href = rowLink(row);
  const label = row.best?.label ?? (href ? "open" : "–");
  return (
    <>
      <div class="line">
        {href ? (
          <a data-open="" href={href}>
            {labelText(label)}
          </a>
        ) : (
          <span class="faint">{labelText(label)}</span>
        )}
      </div>
      {row.status && row.status !== label && <div class="line second clip">{row.status}</div>}
      {row.disputed && (
        <div class="line second" title={row.disputed.why}>
          disputed by {row.disputed.by}
        </div>
      )}
      {row.kernel_name && (
        <div class="line second clip">{row.kernel ? <a class="quiet-link" href={kernelLink(row)}>{kernelTitle(row)}</a> : kernelTitle(row)}</div>
      )}
    </>
  );
}

function timeCell(row: BoardRow): JSX.Element {
  const { interval } = row;
  const known = isNum(interval?.low_ns) && isNum(interval?.high_ns);
  const title = `${exactNs(row.time_ns)}${known ? `, ${interval?.of === "median" ? "95 % interval of the median" : interval?.of}: ${duration(interval?.low_ns)} to ${duration(interval?.high_ns)}` : ""}`;
  return (
    <span title={title} class={isNum(row.time_ns) ? "" : "faint"}>
      <div class="line strong">{micros(row.time_ns)}</div>
      {known && (
        <div class="line second">
          {micros(interval?.low_ns)}–{micros(interval?.high_ns)}
        </div>
      )}
    </span>
  );
}

function rankText(row: BoardRow): string {
  if (!isNum(row.rank)) return "–";
  return row.rank_high === row.rank ? String(row.rank) : `${row.rank}–${row.rank_high ?? row.rank}`;
}

const RANKS: Record<string, number> = { confirmed: 4, measured: 3, imported: 2, claimed: 1 };

export const COLUMNS: Column[] = [
  {
    key: "operator", title: "Operator", help: "The operator and its family", server: "operator",
    sort: (row) => row.operator,
    cell: (row) => (
      <>
        <div class="line strong"><Breakable text={row.operator} /></div>
        {row.family && <div class="line second">{words(row.family)}</div>}
      </>
    ),
    csv: [["operator", (row) => row.operator], ["family", (row) => row.family]],
  },
  {
    key: "language", title: "Lang", help: "The kernel's language",
    sort: (row) => row.language ?? null, cell: (row) => languageName(row.language) || "–",
    csv: [["language", (row) => row.language]],
  },
  {
    key: "chip", title: "Chip", help: "The chip of the measurement", server: "chip",
    sort: (row) => row.chip ?? null, cell: (row) => (row.chip ? <a class="quiet-link" href={`/chip/${encodeURIComponent(row.chip)}`}>{row.chip}</a> : "–"), csv: [["chip", (row) => row.chip]],
  },
  {
    key: "workload", title: "Workload", help: "Shape, types and layout; only times of one workload are comparable",
    sort: (row) => row.workload?.label ?? null,
    cell: (row) => <span class="workload">{row.workload?.label || "–"}</span>,
    csv: [["workload", (row) => row.workload?.label]],
  },
  {
    key: "best", title: "Best version", help: "The fastest correct version; opens its experiment or run",
    sort: (row) => row.best?.label ?? null, cell: bestCell,
    csv: [
      ["best_version", (row) => row.best?.label], ["project", (row) => row.project], ["kernel", (row) => row.kernel_name],
      ["experiment", (row) => row.best?.experiment], ["run", (row) => row.best?.run], ["status", (row) => row.status],
    ],
  },
  {
    key: "time", title: "Time µs", help: "Median time of the best version in microseconds, with its 95 % interval", right: true, server: "time",
    sort: (row) => row.time_ns ?? null, cell: timeCell,
    csv: [
      ["time_ns", (row) => row.time_ns], ["low_ns", (row) => row.interval?.low_ns], ["high_ns", (row) => row.interval?.high_ns],
      ["method", (row) => row.method],
    ],
  },
  {
    key: "peak", title: "Of peak", help: "The time that the chip's peak rates allow over the time of the best version, and the rate that limits it", largeFirst: true,
    sort: (row) => row.peak_pct ?? null,
    cell: (row) =>
      isNum(row.peak_pct) ? (
        <>
          <div class="line strong">{row.peak_pct.toFixed(0)} %</div>
          <div class="line second">{row.limiter}</div>
        </>
      ) : (
        <span class="faint">–</span>
      ),
    csv: [["peak_pct", (row) => row.peak_pct], ["limiter", (row) => row.limiter]],
  },
  {
    key: "library", title: "Library", help: "The time of a library here over the time of the best version", largeFirst: true,
    sort: (row) => row.vs_library?.value ?? null,
    cell: (row) =>
      row.vs_library ? (
        <>
          <div class="line strong">{factor(row.vs_library.value)}</div>
          <div class="line second clip" title={row.vs_library.base_name}>{row.vs_library.base_name}</div>
        </>
      ) : (
        <span class="faint">–</span>
      ),
    csv: [["vs_library", (row) => row.vs_library?.value], ["library", (row) => row.vs_library?.base_name]],
  },
  {
    key: "rank", title: "Rank", help: "The places that the row may have among other languages on this workload", right: true,
    sort: (row) => row.rank ?? null, cell: rankText,
    csv: [["rank", (row) => row.rank], ["rank_high", (row) => row.rank_high]],
  },
  {
    key: "ties", title: "Ties", help: "Versions that may be as fast as the best", right: true, largeFirst: true,
    sort: (row) => row.tied?.length ?? 0, cell: (row) => ((row.tied?.length ?? 0) > 0 ? String(row.tied?.length) : "–"),
    csv: [["tied", (row) => row.tied?.length]],
  },
  {
    key: "speedup", title: "Speedup", help: "Against the first version, or the base that is named", largeFirst: true, server: "speedup",
    sort: (row) => row.speedup?.value ?? null, cell: speedupCell,
    csv: [
      ["speedup", (row) => row.speedup?.value], ["speedup_base", (row) => row.speedup?.base], ["base_name", (row) => row.speedup?.base_name],
    ],
  },
  {
    key: "labels", title: "Bottleneck", help: "The diagnosed bottleneck",
    sort: (row) => row.labels?.join("+") || null,
    cell: (row) => row.earlier_labels?.length
      ? <span class="muted small">was {row.earlier_labels.map(words).join(", ")}</span>
      : <Labels labels={row.labels} derived={row.derived_labels} />,
    csv: [["bottleneck", (row) => row.labels?.join("+")]],
  },
  {
    key: "evidence", title: "Evidence", help: "Confirmed and measured are measurements; imported and claimed are statements", largeFirst: true,
    sort: (row) => (row.evidence ? (RANKS[row.evidence] ?? 0) : null),
    cell: (row) => (row.evidence ? <EvidenceMark evidence={row.evidence} /> : "–"),
    csv: [["evidence", (row) => row.evidence]],
  },
  {
    key: "tried", title: "Tried", help: "Experiments tried, won, lost", right: true, largeFirst: true,
    sort: (row) => row.experiments ?? 0,
    cell: (row) => <Tally tried={row.experiments ?? 0} won={row.won ?? 0} lost={row.lost ?? 0} />,
    csv: [
      ["tried", (row) => row.experiments], ["won", (row) => row.won], ["neutral", (row) => row.neutral],
      ["lost", (row) => row.lost], ["updated_at", (row) => row.updated_at],
    ],
  },
];

/** "-speedup" -> the column and the direction. Unknown names sort by operator. */
export function readSort(text: string): { column: Column; descending: boolean } {
  const descending = text.startsWith("-");
  const name = descending ? text.slice(1) : text;
  const column = COLUMNS.find((c) => c.key === name);
  if (column) return { column, descending };
  return { column: COLUMNS[0] as Column, descending: false };
}

/** Rows in order; rows without a value come last in both directions; ties keep operator and chip
 * order. */
export function sortRows(rows: BoardRow[], text: string): BoardRow[] {
  const { column, descending } = readSort(text);
  const order = new Intl.Collator("en", { numeric: true });
  const compare = (a: SortValue, b: SortValue): number => {
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    const by = typeof a === "number" && typeof b === "number" ? a - b : order.compare(String(a), String(b));
    return descending ? -by : by;
  };
  const tie = (row: BoardRow): string => `${row.operator} ${row.chip ?? ""} ${row.workload?.label ?? ""}`;
  return rows
    .map((row) => ({ row, value: column.sort(row), tie: tie(row) }))
    .sort((a, b) => compare(a.value, b.value) || order.compare(a.tie, b.tie))
    .map(({ row }) => row);
}
