/* Techniques with how often they won, narrowed by axis and words; both are in the address. */
import type { JSX } from "preact";
import { getJson, lastAnswer } from "../api";
import { plural } from "../format";
import { Choice, SearchBox } from "../parts/choice";
import { Labels, Tally } from "../parts/marks";
import { Empty, Loading, Problem } from "../parts/notice";
import { PlainTable } from "../parts/plain-table";
import { Breakable } from "../parts/text";
import { setParams, useLocation } from "../router";
import { useAnswer } from "../state";
import type { Page, Technique } from "../types";
import { techniqueHref } from "../words";

export function Techniques(): JSX.Element {
  const { search } = useLocation();
  const params = new URLSearchParams(search);
  const axis = params.get("axis") ?? "";
  const q = params.get("words") ?? "";
  const url = "/api/v1/techniques";
  const answer = useAnswer<Page<Technique>>(url, (signal) => getJson(url, signal), lastAnswer<Page<Technique>>(url));
  if (answer.error) return <Problem problem={answer.error} again={answer.again} />;
  if (!answer.data) return <Loading rows={12} />;
  const all = answer.data.rows;
  const axes = [...new Set(all.map((row) => row.axis ?? "").filter((name) => name !== ""))].sort();
  const wanted = q.toLowerCase();
  const rows = all
    .filter((row) => (axis === "" || row.axis === axis) && `${row.slug} ${row.title ?? ""} ${row.summary ?? ""}`.toLowerCase().includes(wanted))
    .sort((a, b) => (b.experiments ?? 0) - (a.experiments ?? 0) || a.slug.localeCompare(b.slug));
  return (
    <>
      <h1 class="unseen">Techniques</h1>
      <div class="filters">
        <SearchBox value={q} placeholder="Filter" onText={(text) => setParams({ words: text }, { replace: true })} />
        <Choice label="Axis" value={axis} options={axes.map((value) => ({ value }))} onPick={(value) => setParams({ axis: value })} />
        <span class="muted num">{plural(rows.length, "technique")}</span>
      </div>
      {rows.length === 0 ? (
        <Empty title="No technique matches." />
      ) : (
        <PlainTable
          walk
          caption="Techniques"
          heads={["Technique", "Axis", "Bottlenecks", "What it does", ">Tried, won, lost"]}
          rows={rows.map((row) => ({
            key: row.slug,
            cells: [
              <span key="t">
                <a data-open="" class="breaks" href={techniqueHref(row.slug)}><Breakable text={row.slug} /></a>
                {row.known === false && <span class="label" title="this name is in no catalogue">as written</span>}
                {row.title && row.title !== row.slug && <div class="muted small">{row.title}</div>}
              </span>,
              row.axis,
              <Labels key="l" labels={row.triggers} />,
              <span key="s" class="small">{row.summary}</span>,
              <Tally key="n" tried={row.experiments ?? 0} won={row.wins ?? 0} lost={row.losses ?? 0} />,
            ],
          }))}
        />
      )}
    </>
  );
}
