/* The list of chips, with counts of runs and experiments. */
import type { JSX } from "preact";
import { getJson, lastAnswer } from "../api";
import { Loading, Problem } from "../parts/notice";
import { PlainTable } from "../parts/plain-table";
import { setParams, useLocation } from "../router";
import { useAnswer } from "../state";
import type { Chip, Page } from "../types";

const VENDORS: Record<string, string> = { amd: "AMD", nvidia: "NVIDIA" };

export function vendorName(name: string | null | undefined): string {
  return VENDORS[name ?? ""] ?? name ?? "";
}

export function Chips(): JSX.Element {
  const { search } = useLocation();
  const all = new URLSearchParams(search).get("all") !== "false";
  const url = all ? "/api/v1/chips?all=true" : "/api/v1/chips";
  const answer = useAnswer<Page<Chip>>(url, (signal) => getJson(url, signal), lastAnswer<Page<Chip>>(url));
  if (answer.error) return <Problem problem={answer.error} again={answer.again} />;
  if (!answer.data) return <Loading rows={12} />;
  return (
    <>
      <header class="heading">
        <h1>Chips</h1>
        <p class="muted">
          A chip is a product. Each number on its page names its source. A number without a source is UNKNOWN; it is never copied from a sibling chip.
        </p>
      </header>
      <p class="filters">
        <button type="button" aria-pressed={!all} onClick={() => setParams({ all: all ? "false" : null })}>
          Only chips with runs or experiments
        </button>
      </p>
      <PlainTable
        walk
        caption="Chips"
        heads={["Chip", "Product", "Vendor", "Architecture", "ISA", ">Runs", ">Experiments"]}
        rows={answer.data.rows.map((chip) => ({
          key: chip.name,
          cells: [
            <a key="n" data-open="" href={`/chip/${encodeURIComponent(chip.name)}`}>{chip.name}</a>,
            <span key="t">{chip.title} {chip.product === false && <span class="label" title="an instruction set; several products have it">ISA</span>}</span>,
            vendorName(chip.vendor),
            chip.arch,
            chip.isa,
            chip.runs ? String(chip.runs) : "–",
            chip.experiments ? <a key="x" href={`/query?chip=${encodeURIComponent(chip.name)}`}>{chip.experiments}</a> : "–",
          ],
        }))}
      />
    </>
  );
}
