/* Sections around an experiment: decisions about the record (retraction, merge group, masks,
 * comments), campaign, failures during the work, references, targets. */
import type { JSX } from "preact";
import { address, getJson } from "../api";
import { exact, isNum, when, words } from "../format";
import { Facts, Outside } from "../parts/facts";
import { WordMark } from "../parts/judged";
import { Code } from "../parts/text";
import { list, member, number, text } from "../record";
import { useAnswer } from "../state";
import type { Campaign, Curation, ExperimentFull, Json, Mask, Page } from "../types";
import { CampaignLine } from "./campaign";
import { Masks } from "./experiment-parts";

const SAID: Record<string, string> = {
  mask: "Masked", unmask: "Unmasked", retract: "Retracted", merge: "Merged", unmerge: "Merge undone", close: "Closed",
  amend: "Amended", restart: "Restart of the search", comment: "Remark", review: "Reviewed",
};

function Decided(props: { row: Curation; id: string }): JSX.Element {
  const { row, id } = props;
  const others = row.action === "merge" ? row.subjects.filter((subject) => subject !== id) : [];
  return (
    <li class={row.retracted ? "struck" : ""}>
      <b>{SAID[row.action] ?? words(row.action)}</b> by {row.author ?? row.actor ?? "somebody"}, {when(row.decided_at ?? row.received_at)}
      {row.retracted && " (revoked)"}
      {row.reason && <>: {row.reason}</>}
      {others.length > 0 && (
        <div class="small">
          {row.canonical === id ? "This one stands for " : "Together with "}
          {others.map((other, i) => (
            <span key={other}>
              {i > 0 && ", "}
              <a href={`/experiments/${other}`}>{other === row.canonical ? "the one that stands for all" : `…${other.slice(-6)}`}</a>
            </span>
          ))}
        </div>
      )}
    </li>
  );
}

/** The state of the record itself: retracted, merged away, masked; with the history of
 * decisions. */
export function Decisions(props: { of: { id: string; masks?: Mask[] | undefined } }): JSX.Element | null {
  const { id, masks } = props.of;
  const url = address("/api/v1/curations", { subject: id, limit: "50" });
  const answer = useAnswer<Page<Curation>>(url, (signal) => getJson(url, signal));
  const rows = answer.data?.rows ?? [];
  const live = rows.filter((row) => !row.retracted);
  const retracted = live.find((row) => row.action === "retract");
  const masked = rows.some((row) => row.action === "mask");
  if (rows.length === 0) return <Masks masks={masks} />;
  return (
    <>
      {retracted && (
        <section class="callout warn-line" role="note">
          <h2>
            <WordMark word="retracted" /> by {retracted.author ?? retracted.actor}, {when(retracted.decided_at ?? retracted.received_at)}
          </h2>
          <p>{retracted.reason}</p>
          <p class="muted small">The record stays stored, but nothing uses it.</p>
        </section>
      )}
      <section class="callout decisions">
        <h2>Decisions about this record</h2>
        <ul>
          {rows.map((row) => (
            <Decided row={row} id={id} key={row.id} />
          ))}
        </ul>
      </section>
      {!masked && <Masks masks={masks} />}
    </>
  );
}

/** The campaign of an experiment, with how many of its experiments arrived. */
export function CampaignOf(props: { of: ExperimentFull }): JSX.Element | null {
  const id = text(props.of.record?.["campaign"]);
  const url = id === "" ? null : `/api/v1/campaigns/${encodeURIComponent(id)}`;
  const answer = useAnswer<Campaign>(url, (signal) => getJson(url ?? "", signal));
  const iteration = number(props.of.record?.["iteration"]);
  const retries = number(props.of.record?.["retries"]);
  if (!answer.data) return null;
  return (
    <section>
      <h2>Campaign</h2>
      <CampaignLine of={answer.data} kernel={props.of.kernel} />
      <Facts
        rows={[
          ["Iteration", isNum(iteration) ? String(iteration) : ""],
          ["Retries", isNum(retries) && retries > 0 ? String(retries) : ""],
        ]}
      />
    </section>
  );
}

function Pitfall(props: { of: Json }): JSX.Element {
  const at = (name: string): string => text(member(props.of, name));
  const count = number(member(props.of, "count"));
  return (
    <li>
      <b>{words(at("type"))}</b>
      {at("stage") !== "" && <> in {at("stage")}</>}
      {at("code") !== "" && <> <code>{at("code")}</code></>}
      {isNum(count) && count > 1 && <span class="muted"> {count} times</span>}
      {at("message") !== "" && <p class="prose">{at("message")}</p>}
      <Facts rows={[["Cause", at("root_cause")], ["Fix", at("fix")], ["Lesson", at("lesson")]]} />
    </li>
  );
}

export function Pitfalls(props: { rows: Json[] }): JSX.Element | null {
  if (props.rows.length === 0) return null;
  return (
    <section>
      <h2>Failures during the work</h2>
      <ul class="pitfalls">
        {props.rows.map((row, i) => (
          <Pitfall of={row} key={i} />
        ))}
      </ul>
    </section>
  );
}

function Reference(props: { of: Json }): JSX.Element {
  const target = text(member(props.of, "target"));
  return (
    <li>
      {text(member(props.of, "kind")) && <span class="label">{text(member(props.of, "kind"))}</span>} <Outside url={target} />
      {text(member(props.of, "description")) && <div class="muted small">{text(member(props.of, "description"))}</div>}
    </li>
  );
}

function Lookup(props: { of: Json }): JSX.Element {
  const at = (name: string): string => text(member(props.of, name));
  return (
    <li>
      <q>{at("query")}</q> {at("source") !== "" && <span class="muted">in {at("source")}</span>}
      {at("finding") !== "" && <div class="small">{at("finding")}</div>}
      {at("use") !== "" && <div class="muted small">{at("use")}</div>}
    </li>
  );
}

export function Read(props: { references: Json[]; lookups: Json[] }): JSX.Element | null {
  const { references, lookups } = props;
  if (references.length + lookups.length === 0) return null;
  return (
    <section>
      <h2>References and searches</h2>
      <ul class="read">
        {references.map((row, i) => <Reference of={row} key={`r${i}`} />)}
        {lookups.map((row, i) => <Lookup of={row} key={`l${i}`} />)}
      </ul>
    </section>
  );
}

function Target(props: { of: Json }): JSX.Element {
  const { of } = props;
  const value = number(member(of, "value"));
  const current = number(member(of, "current"));
  const fraction = number(member(of, "fraction_of_peak"));
  const unit = text(member(of, "unit"));
  return (
    <li>
      <WordMark word={text(member(of, "met")) || "unknown"} text={{ yes: "met", no: "not met" }[text(member(of, "met"))] ?? "not known"} />{" "}
      <Code text={text(member(of, "metric"))} />
      <div class="small muted">
        {isNum(value) ? `${text(member(of, "direction")) === "down" ? "at most" : "at least"} ${exact(value)} ${unit}`.trim() : "no value yet"}
        {isNum(fraction) && `, ${(fraction * 100).toFixed(0)} % of its peak`}
        {isNum(current) && `; now ${exact(current)} ${unit}`.trimEnd()}
      </div>
    </li>
  );
}

export function Targets(props: { rows: Json[] }): JSX.Element | null {
  if (props.rows.length === 0) return null;
  return (
    <section>
      <h2>Targets</h2>
      <ul class="uses">
        {props.rows.map((row, i) => (
          <Target of={row} key={i} />
        ))}
      </ul>
    </section>
  );
}

export function Skipped(props: { rows: Json[] }): JSX.Element | null {
  if (props.rows.length === 0) return null;
  return (
    <section>
      <h2>Skipped techniques</h2>
      <ul class="uses">
        {props.rows.map((row, i) => (
          <li key={i}>
            <code>{text(member(row, "technique"))}</code>
            {text(member(row, "reason")) && <div class="muted small">{text(member(row, "reason"))}</div>}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function listOf(of: ExperimentFull, name: string): Json[] {
  return list(of.record?.[name]);
}
