/* In the answer of Ask: versions to start from, parameters to change, next measurements. Versions
 * of one search share their parameters: the first row lists them, the others list the
 * differences. */
import type { ComponentChildren, JSX } from "preact";
import { duration, factor, percent, plural, sig, versionName } from "../format";
import { Chance, Gain } from "../parts/probability";
import { setParams } from "../router";
import type { Json, Move, Next, Recommendation, Start, Tune, VersionSaid } from "../types";
import { techniqueHref } from "../words";

function show(value: Json | undefined): string {
  return value === undefined || value === null ? "?" : String(value);
}

/** The version's label; "" when the label only repeats the parameters, as in a search. */
function named(row: VersionSaid): string {
  const [name] = Object.keys(row.params ?? {});
  if (name && row.label?.includes("=")) return "";
  return row.label || name ? (row.label ?? "") : versionName({ id: row.version ?? "", label: row.label });
}

/** Describes a version by its difference from the first of the list. */
function described(row: VersionSaid, first: VersionSaid): string {
  const params = Object.entries(row.params ?? {});
  const name = named(row);
  const kernel = name || params.length === 0 ? row.kernel_name : "";
  const all = params.map(([param, value]) => `${param}=${show(value)}`);
  const other = params.filter(([param, value]) => first.params?.[param] !== value).map(([param, value]) => `${param}=${show(value)}`);
  const less = row !== first && !name && other.length > 0 && other.length < all.length;
  return [kernel, name, ...(less ? ["the first, with", ...other] : all)].filter(Boolean).join(" ");
}

/** A version, or a configuration of a sweep that no version has. */
function keyOf(row: VersionSaid & { sweep?: string; configuration?: number }): string {
  return row.version ?? `${row.sweep ?? ""} ${row.configuration ?? ""}`;
}

function VersionLink(props: { row: VersionSaid; first: VersionSaid }): JSX.Element {
  return (
    <a data-open="" href={`/kernel/${props.row.kernel}`} title={props.row.version ?? "a configuration of a sweep"}>
      {described(props.row, props.first)}
    </a>
  );
}

/** "0.93 of the best" with its interval. */
function Fraction(props: { of: Start["fraction"] }): JSX.Element {
  const { value, low, high } = props.of;
  return (
    <span class="nowrap num">
      <b>{sig(value, 2)}</b> <span class="muted small">{sig(low, 2)}–{sig(high, 2)} of the best</span>
    </span>
  );
}

function From(props: { from: Start["from"] }): JSX.Element {
  return (
    <span class="small">
      {props.from.slice(0, 4).map((row, index) => {
        const text = row.failed ? `${row.chip} fails` : `${row.chip} ${sig(row.fraction, 2)}`;
        return (
          <span key={`${row.chip} ${row.workload}`}>
            {index > 0 && ", "}
            {row.run ? <a href={`/runs/${row.run}`}>{text}</a> : text}
          </span>
        );
      })}
    </span>
  );
}

function Risk(props: { of: number | null | undefined }): JSX.Element | null {
  return props.of && props.of >= 0.05 ? <span class="small muted"> may fail: {percent(props.of)}</span> : null;
}

function Rows(props: { name: string; children: ComponentChildren }): JSX.Element {
  return (
    <table class={`plain ${props.name}`}>
      <tbody>{props.children}</tbody>
    </table>
  );
}

function StartRow(props: { row: Start; first: Start }): JSX.Element {
  const { row } = props;
  return (
    <tr data-row="" tabIndex={-1}>
      <td>
        <VersionLink row={row} first={props.first} />
        <Risk of={row.p_fail} />
      </td>
      <td><Fraction of={row.fraction} /></td>
      <td>{row.measured_here ? <span class="small">best {row.evidence === "claimed" ? "stated" : "measured"} here{row.time_ns ? `: ${duration(row.time_ns)}` : ""}</span> : <From from={row.from} />}</td>
      <td class="right">
        {row.version && <button type="button" class="link small" onClick={() => setParams({ version: row.version })}>what to change</button>}
      </td>
    </tr>
  );
}

/** Without this message, a missing list of versions would mean that there are none. */
export function StartState(props: { of: Recommendation }): JSX.Element | null {
  if (!props.of.start_state) return null;
  return (
    <p class="level">
      {props.of.start_state === "behind"
        ? "A record was retracted or came back, and the versions do not show it yet"
        : "The service has just started and has not read all versions yet"}
      : ask again in a few seconds.
    </p>
  );
}

export function Starts(props: { of: Recommendation }): JSX.Element | null {
  const rows = props.of.start ?? [];
  const { place } = props.of;
  const first = rows[0];
  if (!first || props.of.next) return null; /* the list "Measure next" replaces this one */
  return (
    <section class="starts">
      <h2>Start from</h2>
      <p class="muted small">
        {place?.workload?.label && <>For {place.workload.label}{place.workload_assumed ? ", the shape with the most results" : ""}. </>}
        {place && <>{plural(place.measured, "version")} of {place.known} measured on {place.chip}. </>}
        <button type="button" class="link" onClick={() => setParams({ next: "true" })}>What to measure next?</button>
      </p>
      <Rows name="start-list">{rows.map((row) => <StartRow key={keyOf(row)} row={row} first={first} />)}</Rows>
    </section>
  );
}

function Change(props: { of: Move | Tune }): JSX.Element {
  const { of } = props;
  return (
    <>
      {of.parameter && <code>{of.parameter}</code>} {of.to === undefined ? "another value" : `${show(of.from)} → ${show(of.to)}`}{" "}
      {of.title !== of.parameter && <a class="small" href={techniqueHref(of.technique)}>{of.title}</a>}
      {of.abstains && <span class="small muted"> little evidence</span>}
      <Risk of={of.p_fail} />
    </>
  );
}

export function TuneList(props: { of: Recommendation }): JSX.Element | null {
  const rows = props.of.tune ?? [];
  if (rows.length === 0) return null;
  return (
    <section class="moves">
      <h2>Change a value</h2>
      <Rows name="move-list">
        {rows.map((row) => (
          <tr key={`${row.technique} ${row.parameter ?? ""} ${show(row.to)}`} data-row="" tabIndex={-1}>
            <td><Change of={row} /></td>
            <td><Chance of={row.p_win} /></td>
            <td>{row.gain && <Gain of={row.gain} />}</td>
            <td class="muted small">{row.reach === "none" ? "no evidence" : row.reach ?? row.why}</td>
          </tr>
        ))}
      </Rows>
    </section>
  );
}

function NextRow(props: { row: Next; first: Next }): JSX.Element {
  const { row } = props;
  return (
    <tr data-row="" tabIndex={-1}>
      <td>{row.change ? <Change of={row.change} /> : <VersionLink row={row} first={props.first} />}</td>
      <td>{row.change ? <Gain of={row.change.gain} /> : row.fraction && <Fraction of={row.fraction} />}</td>
      <td>{row.change ? <span class="small">over the best measured here</span> : row.from && <From from={row.from} />}</td>
      <td class="right small muted">{row.expected_gain ? `${factor(row.expected_gain)} possible` : ""}</td>
    </tr>
  );
}

export function NextList(props: { of: Recommendation }): JSX.Element | null {
  const rows = props.of.next ?? [];
  const first = rows[0];
  if (!first) return null;
  return (
    <section class="next">
      <h2>Measure next</h2>
      <p class="muted small">
        <button type="button" class="link" onClick={() => setParams({ next: "" })}>Where to start?</button>
      </p>
      <Rows name="next-list">{rows.map((row) => <NextRow key={keyOf(row)} row={row} first={first} />)}</Rows>
    </section>
  );
}

const FOUND: Record<string, string> = {
  given: "", champion: "the best", other_shape: "nothing ran on the asked shape; the best", other_chip: "nothing ran on the asked chip; the best",
};

/** The version that the advice is about: where it stands, what is left to gain, what it has. */
export function About(props: { of: Recommendation }): JSX.Element | null {
  const { about: of, lineage } = props.of;
  if (!of) return null;
  const has = of.techniques.filter((t) => !t.out_version);
  const since = !lineage?.attempts ? "" : lineage.gained ? `${plural(lineage.since_gain, "attempt")} since the last gain` : `${plural(lineage.attempts, "attempt")}, none gained`;
  const place = [FOUND[of.by], of.chip && `on ${of.chip}`, of.workload_label && `for ${of.workload_label}`].filter(Boolean).join(" ");
  return (
    <div class="lineage-state">
      <p>
        The advice is about <a href={`/kernel/${of.kernel}`}>{of.kernel_name ?? "kernel"}</a> <b>{versionName({ id: of.version, label: of.label })}</b>
        {place !== "" && `, ${place}`}
        {of.time_ns !== undefined && `: ${duration(of.time_ns)}`}.
        {since !== "" && ` ${since}`}
        {lineage && lineage.recent_not_built > 0 && `; ${lineage.recent_not_built} of the last ${lineage.recent} did not build`}
        {since !== "" && "."}
        {of.by === "given" && <>{" "}<button type="button" class="link" onClick={() => setParams({ version: "" })}>Ask without it</button></>}
      </p>
      {of.headroom && (
        <p>
          It runs at {percent(of.headroom.fraction)} of what {of.headroom.bound} allows: at most {factor(of.headroom.at_most)}.
          {of.done && <b> Stop here: a gain above 5 % is not possible.</b>}
        </p>
      )}
      {has.length > 0 && (
        <p>
          Already in it:{" "}
          {has.map((t, i) => (
            <span key={t.name}>{i > 0 && ", "}<a href={techniqueHref(t.name)}>{t.name}</a>{t.label && ` (${t.label})`}</span>
          ))}.
        </p>
      )}
    </div>
  );
}
