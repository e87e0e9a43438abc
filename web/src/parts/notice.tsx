/* What a view shows when it has no rows: still loading, nothing there, or a problem. A problem
 * always says what to do: the service's own hint when it gave one. */
import type { ComponentChildren, JSX } from "preact";
import type { ApiProblem } from "../api";

const ADVICE: Record<number, string> = {
  0: "Check that warplored is running, then try again.",
  400: "Change the filters and try again.",
  403: "Your token may not do this; ask for one with a stronger role.",
  404: "It may have been mistyped, or it is on another service.",
  429: "The service is busy; wait a moment and try again.",
  503: "The service is busy; wait a moment and try again.",
};

export function Problem(props: { problem: ApiProblem; again?: () => void }): JSX.Element {
  const { problem, again } = props;
  const advice = problem.hint !== "" ? problem.hint : (ADVICE[problem.status] ?? "Try again; if it stays, tell the operator of the service.");
  return (
    <div class="notice problem" role="alert">
      <p class="notice-title">{problem.detail}</p>
      <p>{advice}</p>
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
      {problem.requestId !== "" && <p class="muted small">Request {problem.requestId}</p>}
    </div>
  );
}

export function Empty(props: { title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="notice">
      <p class="notice-title">{props.title}</p>
      {props.children}
    </div>
  );
}

export function Loading(props: { rows?: number }): JSX.Element {
  return (
    <div class="loading" role="status" aria-label="Loading">
      {Array.from({ length: props.rows ?? 6 }, (_, i) => (
        <div class="loading-row" key={i} />
      ))}
    </div>
  );
}
