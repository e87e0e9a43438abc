/* One chip: numbers in force with citations, unknown numbers, measured ceilings, disputes and
 * suspicious numbers. No number is ever guessed. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { address, getAll, getJson, lastAnswer } from "../api";
import { exact, isNum, plural, when, words } from "../format";
import { Facts } from "../parts/facts";
import { WordMark } from "../parts/judged";
import { Empty, Loading, Problem } from "../parts/notice";
import { PlainTable } from "../parts/plain-table";
import { Code } from "../parts/text";
import { useAnswer } from "../state";
import type { ChipSheet, Curation, Dispute, Page, Spec } from "../types";
import { vendorName } from "./chips";

const CAP = 2000; /* specs of one chip */

function value(spec: Spec): JSX.Element {
  if (!isNum(spec.value)) return <b title={spec.unknown ?? ""}>UNKNOWN</b>;
  return (
    <span class="nowrap" title={`${spec.value} ${spec.unit ?? ""}`}>
      <b>{exact(spec.value)}</b> <span class="muted">{spec.unit}</span>
    </span>
  );
}

/** Where a number comes from: document and line, or a device query. */
function Source(props: { of: Spec }): JSX.Element {
  const { of } = props;
  const where = of.path ? `${of.path}${isNum(of.line) ? `:${of.line}` : ""}` : "";
  return (
    <>
      {where !== "" ? <Code text={where} /> : <span class="muted">{words(of.evidence_class)} by a device</span>}
      {of.environment && <> <span class="muted small">{of.measured_at ? when(of.measured_at) : ""}</span></>}
      {of.quote && <q class="quote small">{of.quote}</q>}
    </>
  );
}

/** The curator who selected a number, from the decision's record, and the reason WHY. */
function Chosen(props: { id: string; why: string | null | undefined }): JSX.Element {
  const url = address("/api/v1/curations", { subject: props.id, action: "select_spec", limit: "1" });
  const made = useAnswer<Page<Curation>>(url, (signal) => getJson(url, signal), lastAnswer<Page<Curation>>(url)).data?.rows[0];
  return (
    <span class="small chosen-by">
      Chosen{made && ` by ${made.author ?? made.actor ?? "a curator"}, ${when(made.decided_at ?? made.received_at)}`}
      {props.why && `: ${props.why}`}
    </span>
  );
}

/* As the citation is printed everywhere: `metric: value unit <- path:line`. */
function Cited(props: { rows: Spec[] }): JSX.Element {
  return (
    <ul class="cites">
      {props.rows.map((spec) => (
        <li key={spec.id} data-row="" tabIndex={-1}>
          <Code text={spec.cite} />
          {spec.qualifier && <span class="label">{spec.qualifier}</span>} <span class="muted small">{words(spec.evidence_class)}</span>
          {spec.quote && <q class="quote small">{spec.quote}</q>}
          {spec.standing === "in_force" && spec.why && <Chosen id={spec.id} why={spec.why} />}
        </li>
      ))}
    </ul>
  );
}

function DisputeBox(props: { of: Dispute }): JSX.Element {
  const { of } = props;
  const selected = of.members.find((member) => member.id === of.selected);
  return (
    <section class={selected ? "dispute callout" : "dispute callout warn-line"}>
      <h3>
        <WordMark word={selected ? "in_force" : "disputed"} text={selected ? "settled" : "open"} /> <code>{of.metric}</code> {of.qualifier && <span class="label">{of.qualifier}</span>}{" "}
        {isNum(of.ratio) && <span class="muted small">the largest is {of.ratio.toFixed(2)} times the smallest</span>}
      </h3>
      <PlainTable
        heads={["Standing", ">Value", "Source", "Evidence"]}
        rows={of.members.map((member) => ({
          key: member.id,
          class: member.id === of.selected ? "champion" : "",
          cells: [<WordMark key="s" word={member.standing} help={member.why} />, value(member), <Source key="o" of={member} />, words(member.evidence_class)],
        }))}
      />
      <p class="small">
        {selected ? (
          <>
            In force: <b>{exact(selected.value)} {selected.unit}</b>. {of.reason && <Chosen id={selected.id} why={of.reason} />}
          </>
        ) : (
          "No value is selected: every formula treats the number as UNKNOWN until a curator selects one."
        )}
      </p>
    </section>
  );
}

function Others(props: { chip: string; shown: Set<string>; inForce: Spec[] }): JSX.Element | null {
  const answer = useAnswer<Page<Spec>>(`specs ${props.chip}`, (signal) => getAll<Spec>("/api/v1/specs", { chip: props.chip }, CAP, signal));
  const rows = (answer.data?.rows ?? []).filter((spec) => !props.shown.has(spec.id));
  const same = (one: Spec, other: Spec): boolean => one.metric === other.metric && one.value === other.value && one.unit === other.unit && !one.qualifier;
  const agrees = (spec: Spec): boolean => spec.standing === "candidate" && props.inForce.some((other) => same(spec, other));
  const agreeing = rows.filter(agrees).length;
  if (rows.length === 0) return null;
  return (
    <details class="raw others">
      <summary>
        {plural(rows.length, "other statement")} of sources{agreeing > 0 && `, ${agreeing} of them in agreement with a number in force`}
      </summary>
      <PlainTable
        heads={["Standing", "Metric", ">Value", "Source"]}
        rows={rows.map((spec) => ({
          key: spec.id,
          cells: [
            agrees(spec) ? <WordMark key="s" word="ok" text="agrees" help="the same as the number in force" /> : <WordMark key="s" word={spec.standing} help={spec.why} />,
            <span key="m"><Code text={spec.metric} /> {spec.qualifier && <span class="label">{spec.qualifier}</span>}</span>,
            value(spec),
            <Source key="o" of={spec} />,
          ],
        }))}
      />
    </details>
  );
}

function Lint(props: { rows: NonNullable<ChipSheet["lint"]> }): JSX.Element | null {
  if (props.rows.length === 0) return null;
  return (
    <section class="lint">
      <h2>Suspicious numbers</h2>
      <ul class="uses">
        {props.rows.map((one, i) => (
          <li key={i}>
            <span class="label">{words(one.code)}</span> {one.text}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Unknown(props: { rows: Spec[] }): JSX.Element | null {
  if (props.rows.length === 0) return null;
  return (
    <section class="unknown">
      <h2>UNKNOWN</h2>
      <ul class="uses">
        {props.rows.map((spec) => (
          <li key={spec.id}>
            <Code text={`${spec.metric}: UNKNOWN`} /> <span class="muted">{words(spec.unknown)}</span>
            {spec.note && <div class="small">{spec.note}</div>}
            {spec.quote && <q class="quote small">{spec.quote}</q>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Whole(props: { of: ChipSheet }): JSX.Element {
  const { of } = props;
  const specs = [...(of.specs ?? [])].sort((a, b) => a.metric.localeCompare(b.metric, "en", { numeric: true }));
  const ceilings = of.ceilings ?? [];
  const disputes = of.disputes ?? [];
  const said = new Set([...specs, ...disputes.flatMap((one) => one.members)].map((spec) => spec.metric));
  const settled = disputes.filter((one) => one.selected).length;
  const unknown = (of.unknown ?? []).filter((spec) => !said.has(spec.metric)); /* another source states the rest */
  const shown = new Set([...specs, ...ceilings, ...unknown, ...disputes.flatMap((one) => one.members)].map((spec) => spec.id));
  return (
    <article class="chip-page">
      <header class="heading">
        <p class="muted">{[vendorName(of.vendor), of.arch, of.isa].filter(Boolean).join(" · ")}</p>
        <h1>{of.title || of.name}</h1>
        {of.product === false && <p class="muted">An instruction set, not a product: numbers belong to the products that have it.</p>}
      </header>
      <div class="columns">
        <div class="main-column">
          {disputes.length > 0 && (
            <section class="disputes">
              <h2>
                {plural(disputes.length, "dispute")}: sources that contradict each other{settled > 0 && `; ${settled} settled`}
              </h2>
              {disputes.map((one) => (
                <DisputeBox of={one} key={`${one.metric} ${one.qualifier ?? ""}`} />
              ))}
            </section>
          )}
          <section class="in-force">
            <h2>Numbers in force</h2>
            {specs.length > 0 ? (
              <Cited rows={specs} />
            ) : (
              <Empty title="No number of this chip has a source.">
                <p>
                  Every formula that needs one says UNKNOWN. Import a spec sheet with <code>warplore import</code>.
                </p>
              </Empty>
            )}
          </section>
          {ceilings.length > 0 && (
            <section class="ceilings">
              <h2>Measured ceilings</h2>
              <Cited rows={ceilings} />
            </section>
          )}
          <Others chip={of.name} shown={shown} inForce={specs} />
        </div>
        <div class="side-column">
          <Unknown rows={unknown} />
          <Lint rows={of.lint ?? []} />
          {(of.features ?? []).length > 0 && (
            <section>
              <h2>Features</h2>
              <p class="labels">
                {of.features?.map((name) => <span class="label" key={name}>{name}</span>)}
              </p>
              {of.features_from && <p class="muted small">From {of.features_from}.</p>}
            </section>
          )}
          <section>
            <h2>About</h2>
            <Facts
              rows={[
                ["Name", <code key="n">{of.name}</code>],
                ["Unit", of.unit],
                ["Leaderboard", <a key="b" href={`/?chip=${encodeURIComponent(of.name)}`}>best versions here</a>],
                ["Experiments", <a key="e" href={`/query?chip=${encodeURIComponent(of.name)}`}>everything tried here</a>],
              ]}
            />
          </section>
        </div>
      </div>
    </article>
  );
}

export function ChipView(props: { name: string }): JSX.Element {
  const url = `/api/v1/chips/${encodeURIComponent(props.name)}`;
  const answer = useAnswer<ChipSheet>(url, (signal) => getJson(url, signal), lastAnswer<ChipSheet>(url));
  const title = answer.data?.title;
  useEffect(() => {
    if (title) document.title = `${title} · Warplore`;
  }, [title]);
  if (answer.error) return <Problem problem={answer.error} again={answer.again} />;
  return answer.data ? <Whole of={answer.data} /> : <Loading rows={12} />;
}
