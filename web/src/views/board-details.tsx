/* An unfolded row of the leaderboard: amount of evidence, timing method, ties, excluded versions
 * with reasons, and the failed attempts behind "baseline optimal". */
import type { JSX } from "preact";
import { baseName, duration, factor, isNum, plural, when, words } from "../format";
import { CheckMark } from "../parts/marks";
import type { BoardRow } from "../types";
import { kernelTitle, languageName } from "../words";
import { COLUMNS, kernelLink } from "./board-columns";

function Tied(props: { row: BoardRow }): JSX.Element | null {
  const { tied = [], interval } = props.row;
  if (tied.length === 0) return null;
  return (
    <>
      <p class="muted">
        ≈ tied with {plural(tied.length, "version")}: no version {props.row.compared ? `of the ${props.row.compared} compared ` : ""}is shown to be faster
        {interval && isNum(interval.low_ns) && ` (${duration(interval.low_ns)} to ${duration(interval.high_ns)}, ${interval.of ?? ""})`}
      </p>
      <ul class="excluded">
        {tied.map((one, i) => (
          <li key={i}>
            <b>{one.version && props.row.best?.version ? <a href={`/compare/${one.version}/${props.row.best.version}`}>{one.label ?? "a version"}</a> : (one.label ?? "a version")}</b>{" "}
            {duration(one.time_ns)} <span class="muted">{[kernelTitle(one), languageName(one.language)].filter(Boolean).join(", ")}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Excluded(props: { row: BoardRow }): JSX.Element {
  const excluded = props.row.excluded ?? [];
  if (excluded.length === 0) return <p class="muted">No version was excluded.</p>;
  return (
    <>
      <p class="muted">{plural(excluded.length, "result")} excluded from the comparison:</p>
      <ul class="excluded">
        {excluded.map((one, i) => (
          <li key={i}>
            <b>{one.label ?? one.version ?? "a version"}</b> {one.code && words(one.code) !== one.reason && <span class="label">{words(one.code)}</span>} {one.reason}
          </li>
        ))}
      </ul>
    </>
  );
}

/* Speedups that were stated without a time of a version: none of them leads. */
function Claims(props: { row: BoardRow }): JSX.Element | null {
  const claims = props.row.claims ?? [];
  if (claims.length === 0) return null;
  return (
    <>
      <p class="muted">{plural(claims.length, "claim")} without a measurement:</p>
      <ul class="excluded">
        {claims.map((one, i) => (
          <li key={i}>
            <b>{one.experiment ? <a href={`/experiments/${one.experiment}`}>{one.label ?? "a result"}</a> : (one.label ?? "a result")}</b>{" "}
            {one.speedup && `${factor(one.speedup.value)} ${baseName(one.speedup.base, one.speedup.base_name)}`} <span class="muted">{isNum(one.time_ns) && duration(one.time_ns)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Disputed(props: { row: BoardRow }): JSX.Element | null {
  const { disputed } = props.row;
  if (!disputed) return null;
  return (
    <p>
      {disputed.by} says that the best version is wrong, without a reference and numbers{disputed.why && `: ${disputed.why}`}
    </p>
  );
}

function Attempts(props: { row: BoardRow }): JSX.Element | null {
  const attempts = props.row.failed_attempts ?? [];
  if (attempts.length === 0) return null;
  return (
    <p class="attempts">
      Nothing beat the baseline. The attempts that show it:{" "}
      {attempts.map((id, i) => (
        <span key={id}>
          {i > 0 && ", "}
          <a href={`/experiments/${id}`}>…{id.slice(-6)}</a>
        </span>
      ))}
    </p>
  );
}

export function Details(props: { row: BoardRow }): JSX.Element {
  const { row } = props;
  const facts = [
    row.status ?? "",
    row.method ? `timed by ${words(row.method)}` : isNum(row.time_ns) ? "method not recorded" : "",
    plural(row.versions ?? 0, "version"),
    plural(row.runs ?? 0, "run"),
    plural(row.experiments ?? 0, "experiment"),
    row.neutral ? `${row.neutral} without gain` : "",
    row.n_samples ? plural(row.n_samples, "sample") : "no samples",
    row.updated_at ? `updated ${when(row.updated_at)}` : "",
  ].filter((fact) => fact !== "");
  return (
    <tr class="details">
      <td />
      <td colSpan={COLUMNS.length}>
        <p>
          {row.correctness && <CheckMark check={row.correctness} />} {row.checked_on && <span class="muted">on {row.checked_on} only </span>}
          {facts.join(" · ")}
          {row.kernel && (
            <>
              {" · "}
              <a href={kernelLink(row)}>history of the kernel</a>
              {" · "}
              <a href={`/query?kernel=${encodeURIComponent(row.kernel)}`}>every experiment on it</a>
            </>
          )}
        </p>
        <Disputed row={row} />
        <Attempts row={row} />
        <Tied row={row} />
        <Claims row={row} />
        <Excluded row={row} />
      </td>
    </tr>
  );
}
