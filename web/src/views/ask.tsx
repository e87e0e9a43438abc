/* Ask: "what worked for similar kernels on this chip and bottleneck?" The address holds the
 * question; the answer shows how sure it is, what it rests on, and what was tried and failed. */
import type { JSX } from "preact";
import { address, getJson, lastAnswer } from "../api";
import { percent, plural, words } from "../format";
import { Choice } from "../parts/choice";
import { AdvisedContext, PastAdvice, ReportButtons } from "../parts/feedback";
import { Labels } from "../parts/marks";
import { Markdown } from "../parts/markdown";
import { Empty, Loading, Problem } from "../parts/notice";
import { setParams, useLocation } from "../router";
import { useAnswer } from "../state";
import { tellingText } from "../steps";
import type { AdviceLine, Chip, Operator, Page, Recommendation } from "../types";
import { LABELS, LANGUAGES } from "../words";
import { AdviceCard, CitedList } from "./advice";
import { About, NextList, Starts, StartState, TuneList } from "./start";

const ASKED = ["operator", "language", "chip", "bottleneck", "dims", "workload", "limit", "with_masked", "version", "next"];

function Form(props: { params: URLSearchParams }): JSX.Element {
  const { params } = props;
  const operators = useAnswer<Page<Operator>>("operators", (signal) => getJson("/api/v1/operators", signal));
  const chips = useAnswer<Page<Chip>>("all chips", (signal) => getJson("/api/v1/chips?all=true", signal));
  const pick = (name: string) => (value: string) => setParams({ [name]: value });
  const chipText = (row: Chip): string => (row.title && row.title !== row.name ? `${row.name} · ${row.title}` : row.name);
  const activity = (row: Chip): number => (row.experiments ?? 0) + (row.runs ?? 0);
  const sorted = [...(chips.data?.rows ?? [])].sort((a, b) => activity(b) - activity(a) || a.name.localeCompare(b.name));
  return (
    <form class="filters ask-form" onSubmit={(event) => event.preventDefault()}>
      <label class={params.get("operator") ? "choice chosen" : "choice"}>
        <span class="choice-label">Operator</span>
        <input
          list="operators"
          data-search=""
          placeholder="softmax, gemm, …"
          value={params.get("operator") ?? ""}
          onChange={(event) => setParams({ operator: event.currentTarget.value.trim() })}
        />
      </label>
      <datalist id="operators">
        {(operators.data?.rows ?? []).map((row) => (
          <option key={row.name} value={row.name} />
        ))}
      </datalist>
      <Choice label="Language" value={params.get("language") ?? ""} options={LANGUAGES} onPick={pick("language")} />
      <Choice label="Chip" value={params.get("chip") ?? ""} options={sorted.map((row) => ({ value: row.name, text: chipText(row) }))} onPick={pick("chip")} />
      <Choice label="Bottleneck" value={params.get("bottleneck") ?? ""} options={LABELS} any="not known" onPick={pick("bottleneck")} />
    </form>
  );
}

function Known(props: { of: Recommendation }): JSX.Element | null {
  const known = props.of.knowledge;
  if (!known) return null;
  if (known.level === "none") return <p class="muted small">Record the unchanged kernel first: later results are compared with it.</p>;
  return (
    <p class="muted small">
      {plural(known.considered, "experiment")} stored, {known.matched} relevant; {known.on_operator} on the operator, {known.on_chip} on the
      chip. {known.base_rate !== null && known.base_rate !== undefined && <>Of everything measured, {percent(known.base_rate)} won.</>}
    </p>
  );
}

function UntriedList(props: { of: Recommendation }): JSX.Element | null {
  const rows = props.of.untried ?? [];
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>Not tried yet</h2>
      <p class="muted small">Usually tried for these bottlenecks; no stored experiment uses them.</p>
      <ul class="untried">
        {rows.map((row) => (
          <li key={row.technique} data-row="" tabIndex={-1}>
            <b>{row.title ?? row.technique}</b> <Labels labels={row.triggers} />
            <div class="small muted">{row.summary || row.why}</div>
            <PastAdvice technique={row.technique} />
            <ReportButtons technique={row.technique} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Model(props: { of: Recommendation }): JSX.Element | null {
  const { model } = props.of;
  if (!model) return null;
  return (
    <details class="raw">
      <summary>How this was computed: {model.name}</summary>
      <table class="plain">
        <tbody>
          {(model.numbers ?? []).map((number) => (
            <tr key={number.name}>
              <td>{words(number.name)}</td>
              <td class="right">{number.value}</td>
              <td class="muted">{number.help}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function Reply(props: { of: Recommendation }): JSX.Element {
  const { of } = props;
  const avoid = of.avoid ?? [];
  const insights = of.insights ?? [];
  return (
    <>
      <p class="summary">{of.summary}</p>
      {of.stop && <p class="small">{of.stop}</p>}
      {of.knowledge?.level && of.knowledge.level !== "exact" && of.knowledge.level !== "none" && (
        <p class="level">
          {of.knowledge.level === "far" ? "Weak evidence" : "Indirect evidence"}: {of.knowledge.why}.
        </p>
      )}
      <Known of={of} />
      <About of={of} />
      <StartState of={of} />
      <NextList of={of} />
      <Starts of={of} />
      <TuneList of={of} />
      {of.advice.length > 0 && (
        <section>
          <h2>Worth trying</h2>
          {tellingText(of.telling) !== "" && (
            <p class="telling">
              <b>Most useful test:</b> {tellingText(of.telling)}
            </p>
          )}
          {of.advice.map((advice) => (
            <AdviceCard key={advice.technique} advice={advice} />
          ))}
        </section>
      )}
      {avoid.length > 0 && (
        <section>
          <h2>Avoid</h2>
          {avoid.map((advice) => (
            <AdviceCard key={advice.technique} advice={advice} />
          ))}
        </section>
      )}
      <UntriedList of={of} />
      {insights.length > 0 && (
        <section>
          <h2>Lessons</h2>
          {insights.map((insight) => (
            <details class="raw" key={insight.id}>
              <summary>
                {insight.title} <span class="muted">{words(insight.kind)}</span>
              </summary>
              <Markdown text={insight.body ?? ""} />
              <p><a href={`/insights/${insight.id}`}>the lesson with its source</a></p>
            </details>
          ))}
        </section>
      )}
      {(of.similar ?? []).length > 0 && (
        <section>
          <h2>Most similar experiments</h2>
          <CitedList rows={of.similar ?? []} />
        </section>
      )}
      <Model of={of} />
    </>
  );
}

/* Results of past advice on the operator and chip of the question. */
function usePast(params: URLSearchParams, answered: boolean): AdviceLine[] {
  const url = address("/api/v1/advice/stats", { operator: params.get("operator"), chip: params.get("chip"), limit: "1000" });
  const past = useAnswer<{ rows: AdviceLine[] }>(answered ? url : null, (signal) => getJson(url, signal));
  return past.data?.rows ?? [];
}

export function Ask(): JSX.Element {
  const { search } = useLocation();
  const params = new URLSearchParams(search);
  const set = ASKED.some((name) => params.has(name));
  const url = address("/api/v1/recommend", { ...Object.fromEntries(ASKED.map((name) => [name, params.get(name)])), explain: "true" });
  const answer = useAnswer<Recommendation>(set ? url : null, (signal) => getJson(url, signal), set ? lastAnswer<Recommendation>(url) : undefined);
  const record = usePast(params, answer.data !== undefined);
  return (
    <div class="ask">
      <h1>What worked for kernels like this?</h1>
      <Form params={params} />
      {!set && (
        <Empty title="Say what you are working on.">
          <p>An operator alone is enough; a chip and a bottleneck make the answer sharper.</p>
        </Empty>
      )}
      {answer.error && <Problem problem={answer.error} again={answer.again} />}
      {set && !answer.data && !answer.error && <Loading rows={6} />}
      {set && answer.data && (
        <div class={answer.loading ? "busy" : ""}>
          <AdvisedContext.Provider value={{ id: answer.data.advice_id ?? null, record }}>
            <Reply key={answer.data.advice_id ?? url} of={answer.data} />
          </AdvisedContext.Provider>
        </div>
      )}
    </div>
  );
}
