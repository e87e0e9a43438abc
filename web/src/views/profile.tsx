/* Profiles: where the GPU time of a program went. The list, and one profile: its kernels by share,
 * the launch shapes of the lines that are unfolded ("open" in the address), copies, processes. */
import { Fragment } from "preact";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { address, getJson, lastAnswer } from "../api";
import { duration, exactNs, group, isNum, NONE, plural, when, words } from "../format";
import { plainMethod } from "../measurement";
import { CopyButton } from "../parts/choice";
import { Facts } from "../parts/facts";
import { Empty, Loading, Problem } from "../parts/notice";
import { PlainTable } from "../parts/plain-table";
import { Breakable, Code, Raw } from "../parts/text";
import { adoptCommand, extent, half, perProcess, rangeText, share, shortKernelName, size } from "../profile";
import { setParams, useLocation } from "../router";
import { useAnswer } from "../state";
import type { Page, Profile, SubmittedLine } from "../types";
import { Machine, Remarks, Sender } from "./run-parts";

const SHOWN = 20; /* lines of the first screen */
const WAITING_PCT = 50; /* idle above it: kernels do not decide the time */

function percent(v: number | undefined): string {
  return isNum(v) ? `${v.toFixed(1)}\u202f%` : NONE;
}

/* ---- the list ---- */

export function Profiles(): JSX.Element {
  const { search } = useLocation();
  const cursor = new URLSearchParams(search).get("cursor");
  const url = address("/api/v1/profiles", { limit: "50", cursor });
  const answer = useAnswer<Page<Profile>>(url, (signal) => getJson(url, signal), lastAnswer<Page<Profile>>(url));
  const { data } = answer;
  if (answer.error) return <Problem problem={answer.error} again={answer.again} />;
  if (!data) return <Loading rows={10} />;
  if (data.rows.length === 0) {
    return (
      <Empty title="No program was profiled yet.">
        <p>
          <code>warplore run -- python3 train.py</code> on a GPU host makes a profile: without <code>--operator</code>, a program is profiled as a whole.
        </p>
      </Empty>
    );
  }
  const authors = data.rows.some((row) => row.author);
  return (
    <>
      <header class="heading">
        <h1>Profiles</h1>
        <p class="muted">Programs and what they spent GPU time on, newest first. A profile is on no board; one of its lines becomes a run when somebody adopts it.</p>
      </header>
      <PlainTable
        walk
        caption="Profiles"
        heads={["Program", "Chip", ">GPU time", ">Launches", ">Kernels", ">Processes", ">GPU idle", "Measured", ...(authors ? ["Author"] : [])]}
        rows={data.rows.map((row) => ({
          key: row.id ?? String(row.seq),
          cells: [
            <span key="p"><a data-open="" href={`/profiles/${row.id ?? ""}`}>{row.program}</a> {row.error && <span class="label bad">failed</span>}</span>,
            row.chip,
            <span key="t" title={exactNs(row.total_ns)}>{duration(row.total_ns)}</span>,
            group(String(row.launches ?? 0)),
            row.kernels,
            row.process_count,
            percent(row.idle_pct),
            <span class="nowrap" key="w">{when(row.measured_at)}</span>,
            ...(authors ? [row.author] : []),
          ],
        }))}
      />
      {data.next && (
        <p class="under">
          <button type="button" onClick={() => setParams({ cursor: data.next })}>Older profiles</button>
        </p>
      )}
    </>
  );
}

/* ---- one ---- */

/* The device of all processes, or the chip of most of the time. */
function place(of: Profile): string {
  const devices = [...new Set((of.processes ?? []).map((one) => one.device ?? ""))].filter(Boolean);
  if (devices.length <= 1) return devices[0] ?? of.chip ?? "";
  return plural(devices.length, "device");
}

/* What the numbers mean for somebody who wants the program faster. */
function Reading(props: { of: Profile }): JSX.Element | null {
  const { of } = props;
  const [n, part] = half(of);
  const copies = (of.copies ?? []).reduce((sum, one) => sum + (one.total_ns ?? 0), 0);
  if (n === 0) return null;
  return (
    <p class="summary">
      {n === 1 ? "One kernel takes" : `${n} of ${plural(of.kernels ?? n, "kernel")} take`} {Math.round(100 * part)}{"\u202f"}% of the GPU time.{" "}
      {isNum(of.idle_pct) && of.idle_pct > WAITING_PCT && (
        <>No kernel ran in {percent(of.idle_pct)} of the time from the first to the last one: the host or copies set the pace, and faster kernels alone will change little.{" "}</>
      )}
      {copies > (of.total_ns ?? 0) / 10 && <>Copies and fills took {duration(copies)} beside the kernels.</>}
    </p>
  );
}

function Numbers(props: { of: Profile }): JSX.Element {
  const { of } = props;
  const cells: [string, string, string?][] = [
    ["GPU time", duration(of.total_ns), exactNs(of.total_ns)],
    ["Launches", group(String(of.launches ?? 0))],
    ["Kernels", group(String(of.kernels ?? 0))],
    ["Processes", String(of.process_count)],
    ["GPU idle", percent(of.idle_pct), `from the first to the last kernel${of.process_count > 1 ? ", mean of the processes" : ""}`],
  ];
  return (
    <div class="numbers">
      {cells.map(([name, value, title], i) => (
        <div class={i === 0 ? "number main" : "number"} key={name} title={title}>
          <span class="muted">{name}</span>
          <b>{value}</b>
        </div>
      ))}
    </div>
  );
}

function Bar(props: { part: number }): JSX.Element {
  return (
    <svg class="share-bar" width="60" height="8" aria-hidden="true">
      <rect width={Math.max(0.5, 60 * props.part)} height="8" />
    </svg>
  );
}

/* The launch shapes of a line, each with the command that adopts it. */
function Shapes(props: { of: Profile; line: SubmittedLine; nth: number; columns: number }): JSX.Element {
  const { of, line, nth } = props;
  const shapes = line.shapes ?? [];
  return (
    <tr class="details">
      <td colSpan={props.columns}>
        <p><Code text={line.kernel} /></p>
        {shapes.length === 0 && <p class="muted">Samples were kept of longer kernels only: this line cannot be adopted.</p>}
        {shapes.length > 0 && (
          <table class="plain">
            <thead>
              <tr>
                {["Line", "Share", "Launches", "Median", "Least", "Most", "Grid", "Block", "Registers", "Shared"].map((head, i) => (
                  <th scope="col" class={i > 0 && i < 6 ? "right" : ""} key={head}>{head}</th>
                ))}
                <th scope="col">As a run</th>
              </tr>
            </thead>
            <tbody>
              {shapes.map((shape, i) => (
                <tr key={i}>
                  <td title={rangeText(shape)}>{shapes.length > 1 ? `${nth}.${i + 1}` : nth}</td>
                  <td class="right">{share(of, shape.total_ns)}</td>
                  <td class="right">{group(String(shape.launches))}</td>
                  <td class="right" title={exactNs(shape.median_ns)}>{duration(shape.median_ns)}</td>
                  <td class="right">{duration(shape.min_ns)}</td>
                  <td class="right">{duration(shape.max_ns)}</td>
                  <td>{extent(shape, "grid")}</td>
                  <td>{extent(shape, "block")}</td>
                  <td>{String(shape.launch?.["registers_per_thread"] ?? NONE)}</td>
                  <td class="nowrap">{size(Number(shape.launch?.["static_shared_bytes"] ?? 0) + Number(shape.launch?.["dynamic_shared_bytes"] ?? 0))}</td>
                  <td class="adopt">
                    {shape.range && <p class="muted small">{rangeText(shape)}</p>}
                    <code>{adoptCommand(of, nth, i + 1)}</code> <CopyButton text={() => adoptCommand(of, nth, i + 1)}>Copy</CopyButton>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </td>
    </tr>
  );
}

function PerProcess(props: { of: Profile; line: SubmittedLine }): JSX.Element {
  const { of, line } = props;
  const spread = perProcess(line);
  if ((line.processes ?? 1) < of.process_count) return <>in {line.processes} of {of.process_count}</>;
  if (!spread) return <>{NONE}</>;
  return duration(spread[0]) === duration(spread[1]) ? <>{duration(spread[0])}</> : <>{duration(spread[0])} to {duration(spread[1])}</>;
}

function Lines(props: { of: Profile }): JSX.Element {
  const { of } = props;
  const params = new URLSearchParams(useLocation().search);
  const open = (params.get("open") ?? "").split(",").filter(Boolean);
  const all = of.lines ?? [];
  const shown = params.get("all") === "true" ? all : all.slice(0, SHOWN);
  const several = of.process_count > 1;
  const heads = ["", ">Line", ">Share", "", ">Total", ">Launches", ">Median", ...(several ? [">Per process"] : []), "Grid", "Block", "Kernel"];
  const rest = (of.total_ns ?? 0) - shown.reduce((sum, line) => sum + line.total_ns, 0);
  const fold = (nth: string): void => setParams({ open: (open.includes(nth) ? open.filter((one) => one !== nth) : [...open, nth]).join(",") }, { replace: true });
  return (
    <div class="scroll">
      <table class="plain profile-lines">
        <caption class="unseen">Kernels by GPU time</caption>
        <thead>
          <tr>
            {heads.map((head, i) => (
              <th scope="col" class={head.startsWith(">") ? "right" : ""} key={i}>{head.replace(/^>/, "")}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((line, i) => {
            const nth = String(i + 1);
            const shapes = line.shapes ?? [];
            const more = shapes.length > 1 ? ` (+${shapes.length - 1})` : "";
            return (
              <Fragment key={nth}>
                <tr data-row="" tabIndex={-1} class={open.includes(nth) ? "open" : ""}>
                  <td class="fold">
                    <button type="button" data-fold="" aria-expanded={open.includes(nth)} aria-label={`Launch shapes of line ${nth}`} onClick={() => fold(nth)}>
                      {open.includes(nth) ? "▾" : "▸"}
                    </button>
                  </td>
                  <td class="right">{nth}</td>
                  <td class="right">{share(of, line.total_ns)}</td>
                  <td><Bar part={of.total_ns ? line.total_ns / of.total_ns : 0} /></td>
                  <td class="right nowrap" title={exactNs(line.total_ns)}>{duration(line.total_ns)}</td>
                  <td class="right">{group(String(line.launches))}</td>
                  <td class="right nowrap" title={exactNs(line.median_ns)}>{duration(line.median_ns)}</td>
                  {several && <td class="right nowrap"><PerProcess of={of} line={line} /></td>}
                  <td class="nowrap">{extent(shapes[0], "grid")}{more}</td>
                  <td>{extent(shapes[0], "block")}</td>
                  <td class="kernel-cell" title={line.kernel}>
                    <Breakable text={shortKernelName(line.kernel)} />
                    {shapes[0]?.range && <span class="muted small"> {rangeText(shapes[0])}</span>}
                  </td>
                </tr>
                {open.includes(nth) && <Shapes of={of} line={line} nth={i + 1} columns={heads.length} />}
              </Fragment>
            );
          })}
        </tbody>
      </table>
      {(of.kernels ?? 0) > shown.length && (
        <p class="under">
          and {plural((of.kernels ?? 0) - shown.length, "more kernel")} with {share(of, rest)} of the time
          {shown.length < all.length && <button type="button" onClick={() => setParams({ all: "true" })}>Show them</button>}
        </p>
      )}
    </div>
  );
}

function Processes(props: { of: Profile }): JSX.Element | null {
  const rows = props.of.processes ?? [];
  if (rows.length < 2) return null;
  return (
    <section>
      <h2>Processes</h2>
      <PlainTable
        heads={[">", ">GPU time", ">Launches", ">From first to last kernel", ">GPU idle", "Device"]}
        rows={rows.map((one, i) => ({
          key: String(i),
          cells: [
            String(i + 1),
            duration(one.total_ns),
            group(String(one.launches ?? 0)),
            duration(one.span_ns),
            percent(one.span_ns ? 100 * (1 - (one.busy_ns ?? 0) / one.span_ns) : undefined),
            one.device,
          ],
        }))}
      />
    </section>
  );
}

function Copies(props: { of: Profile }): JSX.Element | null {
  const rows = props.of.copies ?? [];
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>Copies and fills</h2>
      <PlainTable
        heads={["Kind", ">Count", ">Bytes", ">Time", ">Rate"]}
        rows={rows.map((one) => ({
          key: one.kind,
          cells: [
            words(one.kind),
            group(String(one.count ?? 0)),
            size(one.bytes),
            duration(one.total_ns),
            isNum(one.bytes) && one.total_ns ? `${size((one.bytes / one.total_ns) * 1e9)}/s` : NONE,
          ],
        }))}
      />
    </section>
  );
}

/* Clocks and throttling while the kernel with the most time ran. */
function clocks(of: Profile): string {
  const method = of.lines?.[0]?.shapes?.[0]?.method;
  const low = method?.["sm_clock_mhz_min"];
  const high = method?.["sm_clock_mhz_max"];
  const throttle = method?.["throttle"];
  if (!isNum(low) || !isNum(high)) return "";
  const slow = typeof throttle === "string" && throttle !== "none" ? `; throttled: ${words(throttle)}` : "";
  return `${low === high ? group(String(low)) : `${group(String(low))} to ${group(String(high))}`}\u202fMHz${slow}`;
}

function Whole(props: { of: Profile }): JSX.Element {
  const { of } = props;
  const record = { method: of.method ?? {}, ...(of.error && { error: { type: of.error.type, message: of.error.message ?? "" } }) };
  return (
    <article class="profile">
      <header class="heading">
        <p class="muted">{["Profile", place(of), when(of.measured_at)].filter(Boolean).join(" · ")}</p>
        <h1>{of.program}</h1>
      </header>
      <Numbers of={of} />
      <Reading of={of} />
      <Remarks record={record} />
      <Lines of={of} />
      {(of.lines?.length ?? 0) > 0 && (
        <p class="muted small">
          Unfold a line for its launch shapes and the <code>warplore adopt</code> command: it makes a run of the line, with the samples of the process that spent the most time in it.
        </p>
      )}
      <Copies of={of} />
      <Processes of={of} />
      <section>
        <h2>About</h2>
        <Facts
          rows={[
            ["SM clock", clocks(of)],
            ...plainMethod(of.method).map(([key, value]): [string, string] => [words(key), String(value)]),
            ["Author", of.author],
            ["Sent by", of.document && <Sender key="s" document={of.document} />],
            ["Received", of.received_at ? when(of.received_at) : ""],
            ["Id", <code key="id">{of.id}</code>],
          ]}
        />
      </section>
      <Machine id={of.environment} />
      <Raw title="The profile as stored, without samples" value={of} />
    </article>
  );
}

export function ProfileView(props: { id: string }): JSX.Element {
  const url = `/api/v1/profiles/${encodeURIComponent(props.id)}`;
  const { data, error, again } = useAnswer<Profile>(url, (signal) => getJson(url, signal), lastAnswer<Profile>(url));
  const name = data?.program;
  useEffect(() => {
    if (name) document.title = `Profile of ${name} · Warplore`;
  }, [name]);
  if (error) return <Problem problem={error} again={again} />;
  return data ? <Whole of={data} /> : <Loading rows={12} />;
}
