/* An unfolded row of the leaderboard: amount of evidence, timing method, ties, excluded versions
 * with reasons, and the failed attempts behind "baseline optimal". */
import type { JSX } from "preact";
import { duration, isNum, plural, when, words } from "../format";
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
    isNum(row.rank) && isNum(row.rank_high) && row.rank_high > 1 ? `rank among languages ${row.rank === row.rank_high ? row.rank : `${row.rank} to ${row.rank_high}`}` : "",
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
        <Attempts row={row} />
        <Tied row={row} />
        <Excluded row={row} />
      </td>
    </tr>
  );
}
