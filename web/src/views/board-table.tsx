/* The table of the leaderboard. Rows are memoised by identity, so that unfolding a row or typing a
 * filter does not draw a thousand rows again. More rows are drawn as the user scrolls, because the
 * layout of a thousand rows takes a second. Printing draws all. */
import { Component } from "preact";
import type { JSX, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { plural } from "../format";
import type { BoardRow } from "../types";
import { COLUMNS, readSort, rowKey } from "./board-columns";
import type { Column } from "./board-columns";
import { Details } from "./board-details";

function Head(props: { sort: string; onSort: (sort: string) => void }): JSX.Element {
  const { column: sorted, descending } = readSort(props.sort);
  const next = (column: Column): string => {
    if (column.key !== sorted.key) return column.largeFirst ? `-${column.key}` : column.key;
    return descending ? column.key : `-${column.key}`;
  };
  return (
    <thead>
      <tr>
        <th class="fold" scope="col">
          <span class="unseen">Details</span>
        </th>
        {COLUMNS.map((column) => (
          <th
            key={column.key}
            scope="col"
            class={`c-${column.key}${column.right ? " right" : ""}`}
            aria-sort={column.key !== sorted.key ? "none" : descending ? "descending" : "ascending"}
          >
            <button type="button" title={column.help} onClick={() => props.onSort(next(column))}>
              {column.title}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface RowProps {
  row: BoardRow;
  id: string;
  open: boolean;
  onFold: (id: string) => void;
}

class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    return next.row !== this.props.row || next.open !== this.props.open || next.onFold !== this.props.onFold;
  }
  override render(): JSX.Element {
    const { row, id, open, onFold } = this.props;
    const left = row.excluded?.length ?? 0;
    return (
      <>
        <tr data-row="" tabIndex={-1} class={open ? "open" : ""}>
          <td class="fold">
            <button
              type="button"
              data-fold=""
              aria-expanded={open}
              aria-label={`Details of ${row.operator}${left > 0 ? `, ${left} excluded` : ""}`}
              title={left > 0 ? `${plural(left, "result")} excluded` : "Details"}
              onClick={() => onFold(id)}
            >
              {open ? "▾" : "▸"}
            </button>
          </td>
          {COLUMNS.map((column) => (
            <td key={column.key} class={`c-${column.key}${column.right ? " right" : ""}`}>
              {column.cell(row)}
            </td>
          ))}
        </tr>
        {open && <Details row={row} />}
      </>
    );
  }
}

const STEP = 100; /* rows drawn at first, and more at each approach to the end */
const AHEAD = "1200px"; /* draw before the end comes into sight */

/* How many of TOTAL rows to draw. A new KEY resets the number. */
function useReach(total: number, key: string): { reach: number; end: RefObject<HTMLTableRowElement>; all: () => void } {
  const [reach, setReach] = useState(STEP);
  const end = useRef<HTMLTableRowElement>(null);
  const all = (): void => setReach(Number.POSITIVE_INFINITY);
  useEffect(() => setReach(STEP), [key]);
  useEffect(() => {
    window.addEventListener("beforeprint", all);
    return () => window.removeEventListener("beforeprint", all);
  }, []);
  useEffect(() => {
    if (!end.current) return undefined;
    const near = new IntersectionObserver(
      (seen) => seen.some((entry) => entry.isIntersecting) && setReach((n) => n + 2 * STEP),
      { rootMargin: AHEAD },
    );
    near.observe(end.current);
    return () => near.disconnect();
  }, [reach, total, key]);
  return { reach, end, all };
}

export function BoardTable(props: {
  rows: BoardRow[];
  sort: string;
  open: Set<string>;
  onSort: (sort: string) => void;
  onFold: (id: string) => void;
}): JSX.Element {
  const { reach, end, all } = useReach(props.rows.length, props.sort);
  return (
    <table class="board">
      <caption class="unseen">Best version per operator, language, chip and workload</caption>
      <Head sort={props.sort} onSort={props.onSort} />
      <tbody>
        {props.rows.slice(0, reach).map((row) => {
          const id = rowKey(row);
          return <Row key={id} id={id} row={row} open={props.open.has(id)} onFold={props.onFold} />;
        })}
        {props.rows.length > reach && (
          <tr ref={end}>
            <td />
            <td colSpan={COLUMNS.length}>
              <button type="button" class="link" onClick={all}>
                Show all {props.rows.length} rows
              </button>
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
