/* One technique: description, triggers, requirements, conflicts, machine-code signature, verdicts
 * and experiments. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { address, getJson, lastAnswer } from "../api";
import { isNum, plural, quantity, when, words } from "../format";
import { Facts } from "../parts/facts";
import type { Fact } from "../parts/facts";
import { WordMark } from "../parts/judged";
import { EffectSize, EvidenceMark, Labels, Tally } from "../parts/marks";
import { Loading, Problem } from "../parts/notice";
import { PlainTable } from "../parts/plain-table";
import { Breakable, Code } from "../parts/text";
import { useAnswer } from "../state";
import type { Experiment, Insight, Method, Page, SubmittedSignature, TechniqueDefinition, TechniqueSheet } from "../types";
import { techniqueHref } from "../words";

const SHOWN = 50;

function names(list: string[] | undefined): JSX.Element | string {
  if (!list || list.length === 0) return "";
  return <span class="breaks"><Breakable text={list.join(", ")} /></span>;
}

function triggerText(of: Method["trigger"] | TechniqueDefinition["trigger"]): JSX.Element | string {
  if (!of) return "";
  return (
    <>
      <Code text={of.metric} />
      {isNum(of.good) && isNum(of.bad) && <> good {quantity(of.good)}, bad {quantity(of.bad)}</>}
      {of.direction && <span class="muted"> {words(of.direction)}</span>}
    </>
  );
}

function MethodBox(props: { of: Method }): JSX.Element {
  const { of } = props;
  return (
    <li>
      <Facts
        rows={[
          ["Method", <code key="m">{of.id}</code>],
          ["Axis", [of.axis, isNum(of.priority) ? `priority ${of.priority}` : ""].filter(Boolean).join(", ")],
          ["Trigger", triggerText(of.trigger)],
          ["From", isNum(of.min_sm) ? `sm_${of.min_sm}` : ""],
          ["Needs", names(of.features)],
          ["Not with", names(of.conflicts)],
          ["Goes with", names(of.complements)],
          ["Expected", of.expected],
        ]}
      />
    </li>
  );
}

function Signatures(props: { rows: SubmittedSignature[] }): JSX.Element | null {
  if (props.rows.length === 0) return null;
  return (
    <section class="signatures">
      <h2>Signature in machine code</h2>
      <ul class="uses">
        {props.rows.map((one, i) => (
          <li key={i}>
            <b>{one.target === "sass" ? "SASS" : "AMDGCN"}</b>{" "}
            {(one.patterns ?? []).length === 0 ? (
              <span class="muted">no trace</span>
            ) : (
              <>
                {one.patterns?.map((pattern) => <code class="breaks pattern" key={pattern}>{pattern}</code>)}{" "}
                <span class="muted small">{one.require === "all" ? "all of them" : "any of them"}{isNum(one.min_count) && one.min_count > 1 && `, at least ${one.min_count} instructions`}</span>
              </>
            )}
            {one.note && <div class="muted small">{one.note}</div>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Definitions(props: { rows: TechniqueDefinition[] }): JSX.Element | null {
  if (props.rows.length === 0) return null;
  return (
    <section class="definitions">
      <h2>Definitions in catalogues</h2>
      <ul>
        {props.rows.map((one) => (
          <li key={one.id} class="callout">
            <h3>{one.title || one.slug}</h3>
            {one.summary && <p class="prose">{one.summary}</p>}
            <Facts
              rows={[
                ["Axis", [one.axis, isNum(one.priority) ? `priority ${one.priority}` : ""].filter(Boolean).join(", ")],
                ["Trigger", triggerText(one.trigger)],
                ["From", one.min_arch],
                ["Needs", names([...(one.features ?? []), ...(one.preconditions ?? [])])],
                ["Not with", names(one.conflicts)],
                ["Goes with", names(one.complements)],
                ["Same change", names(one.coupled)],
                ["Typical gain", one.typical_gain],
                ["Source", [one.provenance?.system, one.provenance?.path].filter(Boolean).join(": ")],
              ]}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

const PAIRS: Record<string, string> = { same: "the same change as", coupled: "counts as one change with", exclusive: "not together with", free: "can be combined with" };

function Pairs(props: { of: TechniqueSheet }): JSX.Element | null {
  const rows = props.of.pairs ?? [];
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>Together with other techniques</h2>
      <ul class="uses">
        {rows.map((one, i) => (
          <li key={i}>
            {PAIRS[one.kind] ?? words(one.kind)} <Code text={one.with} />
            {one.contradicts && <WordMark word="contradicted" text="their catalogues disagree" />}
            {one.note && <div class="muted small">{one.note}</div>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Verdicts(props: { of: TechniqueSheet }): JSX.Element {
  const { of } = props;
  const verdicts = Object.entries(of.verdicts ?? {});
  return (
    <div class="numbers">
      <div class="number main">
        <span class="muted">Experiments</span>
        <b><Tally tried={of.experiments ?? 0} won={of.wins ?? 0} lost={of.losses ?? 0} named /></b>
      </div>
      {verdicts.map(([name, n]) => (
        <div class="number" key={name}>
          <span class="muted"><WordMark word={name} /></span>
          <b>{n}</b>
        </div>
      ))}
      <p class="muted small basis">Wins and losses are of experiments; the verdicts beside them are on the technique itself, by ablation and machine code.</p>
    </div>
  );
}

function Experiments(props: { slug: string }): JSX.Element | null {
  const url = address("/api/v1/experiments", { technique: props.slug, limit: String(SHOWN) });
  const answer = useAnswer<Page<Experiment>>(url, (signal) => getJson(url, signal), lastAnswer<Page<Experiment>>(url));
  const rows = answer.data?.rows ?? [];
  const total = answer.data?.total ?? rows.length;
  if (answer.data && rows.length === 0) return <p class="muted">Nobody has tried it yet.</p>;
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>{plural(total, "experiment")}</h2>
      <PlainTable
        walk
        heads={["Effect", "Experiment", "Operator", "Chip", "Evidence", "When"]}
        rows={rows.map((row) => ({
          key: row.id,
          class: row.masked ? "masked" : "",
          cells: [
            <EffectSize key="e" effect={row.outcome?.effect ?? "not_measured"} speedup={row.outcome?.gain ?? row.outcome?.speedup} />,
            <a key="t" data-open="" class="breaks" href={`/experiments/${row.id}`}><Breakable text={row.title || "Untitled experiment"} /></a>,
            row.operator,
            row.chip,
            <EvidenceMark key="v" evidence={row.evidence} />,
            <span key="w" class="nowrap">{when(row.happened_at ?? row.received_at)}</span>,
          ],
        }))}
      />
      {total > rows.length && <p><a href={`/query?technique=${encodeURIComponent(props.slug)}`}>All {total} of them</a></p>}
    </section>
  );
}

function Lessons(props: { slug: string }): JSX.Element | null {
  const url = address("/api/v1/insights", { technique: props.slug, limit: "20" });
  const answer = useAnswer<Page<Insight>>(url, (signal) => getJson(url, signal), lastAnswer<Page<Insight>>(url));
  const rows = answer.data?.rows ?? [];
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>Lessons</h2>
      <ul class="uses">
        {rows.map((row) => (
          <li key={row.id}>
            <a href={`/insights/${row.id}`}>{row.title}</a> <span class="muted small">{words(row.kind)}</span>
          </li>
        ))}
      </ul>
      <p><a href={`/insights?technique=${encodeURIComponent(props.slug)}`}>All lessons about it</a></p>
    </section>
  );
}

function Whole(props: { of: TechniqueSheet }): JSX.Element {
  const { of } = props;
  const facts: Fact[] = [
    ["Slug", <Code key="s" text={of.slug} />],
    ["Axis", of.axis],
    ["Layer", of.layer],
    ["From", isNum(of.min_sm) && of.min_sm > 0 ? `sm_${of.min_sm}` : ""],
    ["Vendors", [of.nvidia ? "NVIDIA" : "", of.amd ? "AMD" : ""].filter(Boolean).join(", ")],
    ["Needs", of.needs],
    ["Features", names(of.features)],
    ["On AMD", names(of.amd_features)],
    ["Goes with", (of.complements ?? []).length > 0 && of.complements?.map((slug, i) => <span key={slug}>{i > 0 && ", "}<a href={techniqueHref(slug)}>{slug}</a></span>)],
    ["Also called", names(of.aliases)],
  ];
  const signatures = (of.definitions ?? []).flatMap((one) => one.signatures ?? []);
  return (
    <article class="technique">
      <header class="heading">
        <p class="muted">{[of.axis, of.layer].filter(Boolean).join(" · ")} <Labels labels={of.triggers} /></p>
        <h1>{of.title || of.slug}</h1>
        {of.known === false && <p class="muted">This name is in no catalogue; it comes from records.</p>}
        {of.summary && <p>{of.summary}</p>}
      </header>
      <Verdicts of={of} />
      <div class="columns">
        <div class="main-column">
          <Experiments slug={of.slug} />
          <Definitions rows={of.definitions ?? []} />
        </div>
        <div class="side-column">
          <section>
            <h2>About</h2>
            <Facts rows={facts} />
          </section>
          {(of.methods ?? []).length > 0 && (
            <section>
              <h2>When to use it</h2>
              <ul class="uses">{of.methods?.map((one) => <MethodBox of={one} key={one.id} />)}</ul>
            </section>
          )}
          <Pairs of={of} />
          <Signatures rows={signatures} />
          <Lessons slug={of.slug} />
        </div>
      </div>
    </article>
  );
}

export function TechniqueView(props: { slug: string }): JSX.Element {
  const url = `/api/v1/techniques/${encodeURIComponent(props.slug)}`;
  const answer = useAnswer<TechniqueSheet>(url, (signal) => getJson(url, signal), lastAnswer<TechniqueSheet>(url));
  const title = answer.data?.title;
  useEffect(() => {
    if (title) document.title = `${title} · Warplore`;
  }, [title]);
  if (answer.error) return <Problem problem={answer.error} again={answer.again} />;
  return answer.data ? <Whole of={answer.data} /> : <Loading rows={10} />;
}
