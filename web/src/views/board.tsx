/* Leaderboard: the best version per operator, language, chip and workload. Filters, sorting and the
 * unfolded rows are in the address. The page sorts the rows it has. When more rows match than it
 * loads, the service sorts them first, so that the page loads the first of them. */
import type { JSX } from "preact";
import { useCallback, useMemo, useRef } from "preact/hooks";
import { getAll, getJson } from "../api";
import { download, toCsv } from "../csv";
import { plural } from "../format";
import { Choice, CopyButton, SearchBox } from "../parts/choice";
import { Empty, Loading, Problem } from "../parts/notice";
import { setParams, useLocation } from "../router";
import { useAnswer } from "../state";
import type { BoardRow, Chip, Operator, Page } from "../types";
import { EVIDENCE, LABELS, LANGUAGES } from "../words";
import { COLUMNS, readSort, sortRows } from "./board-columns";
import { BoardTable } from "./board-table";

const CAP = 2000; /* rows in one table; more are a reason to filter */
const FILTERS = ["operator", "family", "project", "language", "chip", "workload", "bottleneck", "evidence", "words"];

function serverSort(sort: string): string {
  const { column, descending } = readSort(sort);
  return column.server ? `${descending ? "-" : ""}${column.server}` : "operator";
}

function boardCsv(rows: BoardRow[]): string {
  const columns = COLUMNS.flatMap((column) => column.csv);
  return toCsv(columns.map(([name]) => name), rows.map((row) => columns.map(([, value]) => value(row))));
}

function Filters(props: { params: URLSearchParams }): JSX.Element {
  const { params } = props;
  const operators = useAnswer<Page<Operator>>("operators", (signal) => getJson("/api/v1/operators", signal));
  const chips = useAnswer<Page<Chip>>("chips", (signal) => getJson("/api/v1/chips", signal));
  const pick = (name: string) => (value: string) => setParams({ [name]: value });
  const set = FILTERS.filter((name) => params.has(name));
  return (
    <div class="filters">
      <SearchBox value={params.get("words") ?? ""} placeholder="Filter" onText={(text) => setParams({ words: text }, { replace: true })} />
      <Choice label="Operator" value={params.get("operator") ?? ""} onPick={pick("operator")}
        options={(operators.data?.rows ?? []).filter((row) => (row.kernels ?? 1) + (row.experiments ?? 0) > 0).map((row) => ({ value: row.name, text: row.name }))} />
      <Choice label="Language" value={params.get("language") ?? ""} onPick={pick("language")} options={LANGUAGES} />
      <Choice label="Chip" value={params.get("chip") ?? ""} onPick={pick("chip")}
        options={(chips.data?.rows ?? []).map((row) => ({ value: row.name, text: row.name }))} />
      <Choice label="Bottleneck" value={params.get("bottleneck") ?? ""} onPick={pick("bottleneck")} options={LABELS} />
      <Choice label="Evidence" value={params.get("evidence") ?? ""} onPick={pick("evidence")}
        options={EVIDENCE.map(({ value }) => ({ value, text: value === "claimed" ? "claimed or better" : value === "confirmed" ? value : `${value} or better` }))} />
      {set.length > 0 && (
        <button type="button" class="quiet" onClick={() => setParams(Object.fromEntries(set.map((name) => [name, null])))}>
          Clear
        </button>
      )}
    </div>
  );
}

function Nothing(props: { filtered: boolean }): JSX.Element {
  if (props.filtered) {
    return (
      <Empty title="No row matches these filters.">
        <p>
          Clear one of them, or look at <a href="/query">every experiment</a>.
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No kernel has a result to rank yet.">
      <p>
        Record a first experiment with <code>warplore record</code>, or load some with <code>warplored load --data DIR FILE…</code>
      </p>
    </Empty>
  );
}

/* Kernels recorded without an operator are not compared with each other unless somebody asks. */
function Unclassified(props: { n: number }): JSX.Element | null {
  if (props.n === 0) return null;
  return (
    <button type="button" class="quiet" title="Recorded without --operator: they share a launch shape and nothing else" onClick={() => setParams({ operator: "unclassified" })}>
      {plural(props.n, "row")} unclassified
    </button>
  );
}

export function Board(): JSX.Element {
  const { search } = useLocation();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const sort = params.get("sort") ?? "operator";
  const open = useMemo(() => new Set(params.getAll("open").flatMap((keys) => keys.split(",")).filter(Boolean)), [search]);
  const overflow = useRef(false);
  const asked: Record<string, string | null> = Object.fromEntries(FILTERS.map((name) => [name, params.get(name)]));
  if (overflow.current) asked["sort"] = serverSort(sort);
  const answer = useAnswer<Page<BoardRow>>(JSON.stringify(asked), async (signal) => {
    const page = await getAll<BoardRow>("/api/v1/leaderboard", asked, CAP, signal);
    overflow.current = Boolean(page.next);
    return page;
  });
  const rows = useMemo(() => sortRows(answer.data?.rows ?? [], sort), [answer.data, sort]);
  const onFold = useCallback((id: string) => {
    const now = new URLSearchParams(window.location.search).get("open");
    const keys = (now ?? "").split(",").filter(Boolean);
    const next = keys.includes(id) ? keys.filter((key) => key !== id) : [...keys, id];
    setParams({ open: next.join(",") }, { replace: true });
  }, []);
  const total = answer.data?.total ?? rows.length;
  const unclassified = answer.data?.unclassified ?? 0;
  const csv = (): string => boardCsv(rows);
  return (
    <>
      <h1 class="unseen">Leaderboard</h1>
      <Filters params={params} />
      {answer.error && <Problem problem={answer.error} again={answer.again} />}
      {!answer.error && !answer.data && <Loading rows={12} />}
      {answer.data && rows.length === 0 && (
        <>
          <Nothing filtered={FILTERS.some((name) => params.has(name))} />
          {unclassified > 0 && <footer class="under"><Unclassified n={unclassified} /></footer>}
        </>
      )}
      {rows.length > 0 && (
        <>
          <div class={answer.loading ? "wide busy" : "wide"}>
            <BoardTable rows={rows} sort={sort} open={open} onSort={(next) => setParams({ sort: next })} onFold={onFold} />
          </div>
          <footer class="under">
            <span>
              {total > rows.length ? `The first ${rows.length} of ${plural(total, "row")}; filter to see the rest.` : plural(total, "row")}
            </span>
            <Unclassified n={unclassified} />
            <span class="fill" />
            <CopyButton text={csv}>Copy CSV</CopyButton>
            <button type="button" class="quiet" onClick={() => download("warplore-leaderboard.csv", "text/csv;charset=utf-8", csv())}>
              Download CSV
            </button>
          </footer>
        </>
      )}
    </>
  );
}
