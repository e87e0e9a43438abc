/* Lessons: the list with its filters, and one lesson with its words as safe text. The review state
 * shows whether a curator approved it. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { address, getJson, lastAnswer } from "../api";
import { when, words } from "../format";
import { Choice, SearchBox } from "../parts/choice";
import { Facts, Provenance } from "../parts/facts";
import { WordMark } from "../parts/judged";
import { Markdown } from "../parts/markdown";
import { Labels } from "../parts/marks";
import { Empty, Loading, Problem } from "../parts/notice";
import { Breakable, Raw, Snippet } from "../parts/text";
import { list, member, text } from "../record";
import { setParams, useLocation, withParams } from "../router";
import { useAnswer } from "../state";
import type { Hit, Insight, Operator, Page } from "../types";
import { INSIGHT_KINDS, languageName, techniqueHref } from "../words";

const FILTERS = ["kind", "operator", "technique"];

function Review(props: { of: Insight }): JSX.Element | null {
  const { review } = props.of;
  if (!review) return null;
  return <WordMark word={review.state} help={[review.by, review.reason].filter(Boolean).join(": ")} />;
}

/* The first words of a body, without Markdown syntax. */
function opening(body: string): string {
  return body.replace(/```[\s\S]*?(```|$)/g, " ").replace(/\[([^\[\]]{0,400})\]\([^()\s]{1,2000}\)/g, "$1").replace(/^\s*#+|\*\*|[`|]|-{2,}|^\s*[-*>]\s/gm, " ").replace(/\s+/g, " ").trim().slice(0, 260);
}

function scopeOf(of: Insight): string {
  const vendor = text(member(of.record, "vendor"));
  const arch = text(member(of.record, "arch"));
  return [of.operator ?? words(of.family), languageName(of.language), of.chip ?? arch ?? "", of.chip || arch ? "" : vendor].filter(Boolean).join(" · ");
}

function Row(props: { of: Insight }): JSX.Element {
  const { of } = props;
  return (
    <li class="result insight" data-row="" tabIndex={-1}>
      <div class="result-size">
        <b>{words(of.kind)}</b>
        <Review of={of} />
        {of.confidence && <span class="muted">{words(of.confidence)}</span>}
      </div>
      <div class="result-body">
        <a data-open="" class="result-title" href={`/insights/${of.id}`}>
          {of.title}
        </a>
        <div class="muted small">
          {scopeOf(of)} <Labels labels={of.labels} />
        </div>
        <p class="said">{opening(of.body)}</p>
        {of.technique && <a class="small breaks" href={techniqueHref(of.technique)}><Breakable text={of.technique} /></a>}
      </div>
      <div class="result-side small">
        <span>
          {of.author} {of.author_kind && of.author_kind !== "human" && <span class="label">{words(of.author_kind)}</span>}
        </span>
        <span class="muted">{when(of.received_at)}</span>
      </div>
    </li>
  );
}

function Pick(props: { params: URLSearchParams }): JSX.Element {
  const { params } = props;
  const operators = useAnswer<Page<Operator>>("operators", (signal) => getJson("/api/v1/operators", signal));
  const pick = (name: string) => (value: string) => setParams({ [name]: value, cursor: null });
  const set = [...FILTERS, "words"].filter((name) => params.has(name));
  return (
    <div class="filters">
      <SearchBox value={params.get("words") ?? ""} placeholder="Search lessons" onText={(text) => setParams({ words: text, cursor: null }, { replace: true })} />
      <Choice label="Kind" value={params.get("kind") ?? ""} options={INSIGHT_KINDS} onPick={pick("kind")} />
      <Choice label="Operator" value={params.get("operator") ?? ""} onPick={pick("operator")} options={(operators.data?.rows ?? []).map((row) => ({ value: row.name, text: row.name }))} />
      {params.has("technique") && (
        <button type="button" class="chip" title="Remove this filter" onClick={() => pick("technique")("")}>
          technique: <b>{params.get("technique")}</b> ×
        </button>
      )}
      {set.length > 0 && (
        <button type="button" class="quiet" onClick={() => setParams(Object.fromEntries([...set, "cursor"].map((name) => [name, null])))}>
          Clear
        </button>
      )}
    </div>
  );
}

function Pages(props: { search: string; next: string | null | undefined }): JSX.Element {
  const { search, next } = props;
  return (
    <nav class="under" aria-label="Pages">
      {new URLSearchParams(search).has("cursor") && <a href={`/insights${withParams(search, { cursor: null })}`}>« First page</a>}
      <span class="fill" />
      {next && <a href={`/insights${withParams(search, { cursor: next })}`}>Next page »</a>}
    </nav>
  );
}

/* Lists the lessons among the hits of the full-text search. */
function FoundList(props: { q: string; cursor: string | null; search: string }): JSX.Element {
  const url = address("/api/v1/search", { words: props.q, in: "insight", limit: "50", cursor: props.cursor });
  const answer = useAnswer<Page<Hit>>(url, (signal) => getJson(url, signal), lastAnswer<Page<Hit>>(url));
  if (answer.error) return <Problem problem={answer.error} again={answer.again} />;
  if (!answer.data) return <Loading rows={8} />;
  const rows = answer.data.rows;
  if (rows.length === 0) return <Empty title="No lesson has these words." />;
  return (
    <>
      <ol class="result-list">
        {rows.map((hit) => (
          <li class="found" data-row="" tabIndex={-1} key={hit.id}>
            <a data-open="" class="result-title" href={`/insights/${hit.id}`}>{hit.title}</a>
            <p class="said"><Snippet text={hit.snippet ?? ""} /></p>
          </li>
        ))}
      </ol>
      <Pages search={props.search} next={answer.data.next} />
    </>
  );
}

function Listed(props: { params: URLSearchParams; search: string }): JSX.Element {
  const { params, search } = props;
  const asked = Object.fromEntries([...FILTERS, "cursor"].map((name) => [name, params.get(name)]));
  const url = address("/api/v1/insights", { ...asked, limit: "50" });
  const answer = useAnswer<Page<Insight>>(url, (signal) => getJson(url, signal), lastAnswer<Page<Insight>>(url));
  if (answer.error) return <Problem problem={answer.error} again={answer.again} />;
  if (!answer.data) return <Loading rows={8} />;
  const rows = answer.data.rows;
  if (rows.length === 0) {
    return (
      <Empty title={FILTERS.some((name) => params.has(name)) ? "No lesson matches." : "No lesson has been written yet."}>
        <p>Lessons come with submissions and imports; clear a filter to see others.</p>
      </Empty>
    );
  }
  return (
    <>
      <ol class={answer.loading ? "result-list busy" : "result-list"}>
        {rows.map((row) => (
          <Row of={row} key={row.id} />
        ))}
      </ol>
      <Pages search={search} next={answer.data.next} />
    </>
  );
}

export function Insights(): JSX.Element {
  const { search } = useLocation();
  const params = new URLSearchParams(search);
  const q = params.get("words") ?? "";
  return (
    <section class="results insights">
      <h1 class="unseen">Lessons</h1>
      <Pick params={params} />
      {q === "" ? <Listed params={params} search={search} /> : <FoundList q={q} cursor={params.get("cursor")} search={search} />}
    </section>
  );
}

function Whole(props: { of: Insight }): JSX.Element {
  const { of } = props;
  const experiments = list(member(of.record, "experiments")).map((id) => text(id));
  return (
    <article class="insight-page">
      <header class="heading">
        <p class="muted">
          {scopeOf(of)} <Labels labels={of.labels} />
        </p>
        <h1>{of.title}</h1>
        <p class="marks">
          <b>{words(of.kind)}</b>
          <Review of={of} />
          {of.confidence && <span class="label">{words(of.confidence)}</span>}
        </p>
        {of.review?.reason && <p class="muted small">{words(of.review.state)} by {of.review.by ?? "a curator"}: {of.review.reason}</p>}
      </header>
      <div class="columns">
        <div class="main-column">
          <Markdown text={of.body} />
        </div>
        <div class="side-column">
          {experiments.length > 0 && (
            <section>
              <h2>Rests on</h2>
              <ul class="uses">{experiments.map((id) => <li key={id}><a href={`/experiments/${id}`}>experiment …{id.slice(-6)}</a></li>)}</ul>
            </section>
          )}
          <section>
            <h2>About</h2>
            <Facts
              rows={[
                ["Technique", of.technique && <a key="t" class="breaks" href={techniqueHref(of.technique)}><Breakable text={of.technique} /></a>],
                ["Symptom", text(member(of.record, "symptom"))],
                ["Verdict", text(member(of.record, "verdict"))],
                ["Author", [of.author, of.author_kind && words(of.author_kind)].filter(Boolean).join(", ")],
                ["Received", when(of.received_at)],
                ["Id", <code key="id">{of.id}</code>],
              ]}
            />
          </section>
          <Provenance record={of.record} />
        </div>
      </div>
      <Raw title="The record as submitted" value={of.record ?? of} />
    </article>
  );
}

export function InsightView(props: { id: string }): JSX.Element {
  const url = `/api/v1/insights/${encodeURIComponent(props.id)}`;
  const answer = useAnswer<Insight>(url, (signal) => getJson(url, signal), lastAnswer<Insight>(url));
  const title = answer.data?.title;
  useEffect(() => {
    if (title) document.title = `${title} · Warplore`;
  }, [title]);
  if (answer.error) return <Problem problem={answer.error} again={answer.again} />;
  return answer.data ? <Whole of={answer.data} /> : <Loading rows={10} />;
}
