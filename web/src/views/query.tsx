/* Query: every experiment, failures included, narrowed by facets and words. The three verdicts
 * stand as three separate marks. Filters and the page are in the address. */
import type { JSX } from "preact";
import { address, getJson, lastAnswer } from "../api";
import { plural, when, words } from "../format";
import { Choice, SearchBox } from "../parts/choice";
import { EffectMark, EffectSize, CheckMark, EvidenceMark, Limits, ProcessMark } from "../parts/marks";
import { Empty, Loading, Problem } from "../parts/notice";
import { Found, Snippet } from "../parts/text";
import { setParams, useLocation, withParams } from "../router";
import { useAnswer } from "../state";
import type { FacetCount, Effect, Experiment, Facets, Hit, Page } from "../types";
import { CHECKS, languageName, techniqueHref } from "../words";

type FacetName = Exclude<keyof Facets, "total">;
const FACETS: { name: FacetName; title: string }[] = [
  { name: "effect", title: "Effect" },
  { name: "operator", title: "Operator" },
  { name: "chip", title: "Chip" },
  { name: "language", title: "Language" },
  { name: "bottleneck", title: "Bottleneck" },
  { name: "technique", title: "Technique" },
  { name: "evidence", title: "Evidence" },
];
const FILTERS = [
  "operator", "family", "chip", "language", "technique", "bottleneck", "effect", "correctness", "process",
  "evidence", "project", "kernel", "version", "workload", "words", "disagrees", "masked",
];
const SHOWN = 9; /* values of a facet before "more" */

/** A new filter returns to the first page. */
function pick(name: string, value: string | null): void {
  setParams({ [name]: value, cursor: null });
}

function FacetValue(props: { name: FacetName; count: FacetCount; chosen: boolean; most: number }): JSX.Element {
  const { name, count, chosen, most } = props;
  const text = name === "effect" ? <EffectMark effect={count.name as Effect} /> : name === "language" ? languageName(count.name) : name === "bottleneck" ? words(count.name) : count.name;
  return (
    <li>
      <button type="button" aria-pressed={chosen} title={count.name} onClick={() => pick(name, chosen ? null : count.name)}>
        <span class="facet-name">{text}</span>
        <span class="num muted">{count.n}</span>
        <svg class="facet-bar" viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true">
          <rect width={most > 0 ? (100 * count.n) / most : 0} height="2" />
        </svg>
      </button>
    </li>
  );
}

function Facet(props: { name: FacetName; title: string; counts: FacetCount[]; value: string | null }): JSX.Element | null {
  const { name, title, value } = props;
  const counts = props.counts.filter((count) => count.name !== "");
  if (value !== null && !counts.some((count) => count.name === value)) counts.unshift({ name: value, n: 0 });
  if (counts.length === 0) return null;
  const most = Math.max(...counts.map((count) => count.n));
  const item = (count: FacetCount): JSX.Element => (
    <FacetValue key={count.name} name={name} count={count} chosen={value === count.name} most={most} />
  );
  return (
    <section class="facet">
      <h2>{title}</h2>
      <ul>{counts.slice(0, SHOWN).map(item)}</ul>
      {counts.length > SHOWN && (
        <details>
          <summary>{counts.length - SHOWN} more</summary>
          <ul>{counts.slice(SHOWN).map(item)}</ul>
        </details>
      )}
    </section>
  );
}

function Side(props: { params: URLSearchParams }): JSX.Element {
  const { params } = props;
  const url = address("/api/v1/facets", Object.fromEntries(FILTERS.map((name) => [name, params.get(name)])));
  const facets = useAnswer<Facets>(url, (signal) => getJson(url, signal), lastAnswer<Facets>(url));
  return (
    <aside class="side" aria-label="Facets">
      {FACETS.map(({ name, title }) => (
        <Facet key={name} name={name} title={title} counts={facets.data?.[name] ?? []} value={params.get(name)} />
      ))}
      <section class="facet picks">
        <Choice label="Correctness" value={params.get("correctness") ?? ""} options={CHECKS} onPick={(v) => pick("correctness", v)} />
        <Choice label="Process" value={params.get("process") ?? ""} options={[{ value: "clean" }, { value: "broken" }]} onPick={(v) => pick("process", v)} />
        <Choice label="Typed outcome" value={params.get("disagrees") ?? ""} options={[{ value: "true", text: "disagrees" }, { value: "false", text: "agrees" }]} onPick={(v) => pick("disagrees", v)} />
        <Choice label="Masked" value={params.get("masked") ?? ""} options={[{ value: "true", text: "only masked" }, { value: "false", text: "without masked" }]} onPick={(v) => pick("masked", v)} />
      </section>
    </aside>
  );
}

function Chosen(props: { params: URLSearchParams }): JSX.Element | null {
  const set = FILTERS.filter((name) => name !== "words" && props.params.has(name));
  if (set.length === 0) return null;
  return (
    <p class="chosen-list">
      {set.map((name) => (
        <button type="button" class="chip" key={name} title="Remove this filter" onClick={() => pick(name, null)}>
          {words(name)}: <b>{props.params.get(name)}</b> ×
        </button>
      ))}
      <button type="button" class="quiet" onClick={() => setParams(Object.fromEntries([...FILTERS, "cursor"].map((name) => [name, null])))}>
        Clear all
      </button>
    </p>
  );
}

function Result(props: { row: Experiment; query: string }): JSX.Element {
  const { row, query } = props;
  const outcome = row.outcome;
  const where = [row.operator, languageName(row.language), row.chip, row.workload?.label].filter(Boolean).join(" · ");
  const said = row.lesson || row.notes || "";
  return (
    <li class={row.masked ? "result masked" : "result"} data-row="" tabIndex={-1}>
      <div class="result-size">
        <EffectSize effect={outcome?.effect ?? "not_measured"} speedup={outcome?.gain ?? outcome?.speedup} />
        <CheckMark check={outcome?.correctness} />
        <ProcessMark process={outcome?.process ?? "clean"} rules={outcome?.rules} />
      </div>
      <div class="result-body">
        <a data-open="" class="result-title" href={`/experiments/${row.id}`}>
          <Found text={row.title || "Untitled experiment"} query={query} />
        </a>
        <div class="muted small">
          {where} <Limits of={row} />
        </div>
        {said !== "" && (
          <p class="said">
            <Found text={said} query={query} />
          </p>
        )}
        <div class="small techniques">
          {(row.techniques ?? []).map((technique) => (
            <a key={technique.name} title={technique.raw ?? technique.name} href={techniqueHref(technique.name)}>
              {technique.name}
            </a>
          ))}
        </div>
      </div>
      <div class="result-side small">
        <EvidenceMark evidence={row.evidence} />
        {row.masked && <span class="label">masked</span>}
        <Typed row={row} />
        <span class="muted">{when(row.happened_at ?? row.received_at)}</span>
      </div>
    </li>
  );
}

/* The typed outcome is shown when there are no numbers, or when it disagrees with them. */
function Typed(props: { row: Experiment }): JSX.Element | null {
  const { typed_outcome: typed, outcome } = props.row;
  const nothingMeasured = !outcome || outcome.effect === "not_measured";
  if (!typed || !(nothingMeasured || outcome.disagrees)) return null;
  const why = nothingMeasured ? "No numbers; this is what the author wrote" : "The author wrote this; the numbers say otherwise";
  return (
    <span class="label" title={why}>
      typed: {typed}
    </span>
  );
}

/* Hits in lessons, hypotheses and versions, which the list of experiments does not show. */
function AlsoFound(props: { query: string }): JSX.Element | null {
  const { query } = props;
  const url = address("/api/v1/search", { words: query, limit: "20" });
  const hits = useAnswer<Page<Hit>>(query === "" ? null : url, (signal) => getJson(url, signal));
  const rows = (hits.data?.rows ?? []).filter((hit) => hit.kind !== "experiment").slice(0, 6);
  if (query === "" || rows.length === 0) return null;
  return (
    <section class="also">
      <h2>Also found</h2>
      <ul>
        {rows.map((hit) => (
          <li key={hit.id}>
            <span class="label">{words(hit.kind)}</span> <b>{hit.kind === "insight" ? <a href={`/insights/${hit.id}`}>{hit.title}</a> : hit.title}</b>{" "}
            <span class="muted">
              <Snippet text={hit.snippet ?? ""} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Query(): JSX.Element {
  const { search } = useLocation();
  const params = new URLSearchParams(search);
  const query = params.get("words") ?? "";
  const asked = Object.fromEntries([...FILTERS, "cursor"].map((name) => [name, params.get(name)]));
  const url = address("/api/v1/experiments", { ...asked, limit: "50" });
  const answer = useAnswer<Page<Experiment>>(url, (signal) => getJson(url, signal), lastAnswer<Page<Experiment>>(url));
  const rows = answer.data?.rows ?? [];
  const total = answer.data?.total;
  return (
    <div class="split">
      <h1 class="unseen">Query</h1>
      <Side params={params} />
      <section class="results">
        <div class="filters">
          <SearchBox value={query} placeholder="Search notes, lessons, techniques" onText={(text) => setParams({ words: text, cursor: null }, { replace: true })} />
          <span class="muted num">{total === undefined ? "" : plural(total, "experiment")}</span>
        </div>
        <Chosen params={params} />
        {answer.error && <Problem problem={answer.error} again={answer.again} />}
        {!answer.error && !answer.data && <Loading rows={8} />}
        {answer.data && rows.length === 0 && !answer.error && (
          <Empty title="No experiment matches.">
            <p>Remove a filter on the left, or search for fewer words.</p>
          </Empty>
        )}
        <ol class={answer.loading ? "result-list busy" : "result-list"}>
          {rows.map((row) => (
            <Result key={row.id} row={row} query={query} />
          ))}
        </ol>
        <nav class="under" aria-label="Pages">
          {params.has("cursor") && <a href={`/query${withParams(search, { cursor: null })}`}>« First page</a>}
          <span class="fill" />
          {answer.data?.next && <a href={`/query${withParams(search, { cursor: answer.data.next })}`}>Next page »</a>}
        </nav>
        <AlsoFound query={query} />
      </section>
    </div>
  );
}
