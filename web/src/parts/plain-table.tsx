/* A small table: heads, and rows of cells. A head that starts with ">" makes its column
 * right-aligned. Scrolls sideways inside itself rather than widening the page. */
import type { ComponentChildren, JSX } from "preact";

export interface PlainRow {
  key: string;
  cells: ComponentChildren[];
  class?: string;
}

export function PlainTable(props: { heads: string[]; rows: PlainRow[]; caption?: string; class?: string; walk?: boolean }): JSX.Element {
  const right = props.heads.map((head) => head.startsWith(">"));
  const walk = props.walk ? { "data-row": "", tabIndex: -1 } : {};
  return (
    <div class="scroll">
      <table class={`plain ${props.class ?? ""}`}>
        {props.caption && <caption class="unseen">{props.caption}</caption>}
        <thead>
          <tr>
            {props.heads.map((head, i) => (
              <th key={i} scope="col" class={right[i] ? "right" : ""}>
                {head.replace(/^>/, "")}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr key={row.key} class={row.class ?? ""} {...walk}>
              {row.cells.map((cell, i) => (
                <td key={i} class={right[i] ? "right" : ""}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
