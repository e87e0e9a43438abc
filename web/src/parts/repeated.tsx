/* An idea that failed before in the lineage of the version asked about. */
import type { JSX } from "preact";
import type { RepeatedIdea } from "../types";

export function Repeated(props: { of: RepeatedIdea | undefined }): JSX.Element | null {
  const { of } = props;
  if (!of) return null;
  return (
    <div class="small repeats">
      <b>Failed before</b>: <a href={`/experiments/${of.experiment}`}>{of.reason}</a>
    </div>
  );
}
