/* Addresses and back/forward. `matchRoute` and `withParams` are pure; the rest keeps one store with
 * the current location. Every view keeps its whole state in the query string, so that a copied
 * address shows the same thing. Plain <a href> links work: `startRouter` turns clicks on our own
 * addresses into navigation without a reload. */
import { createStore, useStore } from "./store";

export type Route =
  | { view: "board" }
  | { view: "query" }
  | { view: "ask" }
  | { view: "experiment"; id: string }
  | { view: "run"; id: string }
  | { view: "sweep"; id: string }
  | { view: "profiles" }
  | { view: "profile"; id: string }
  | { view: "kernel"; id: string }
  | { view: "chips" }
  | { view: "chip"; id: string }
  | { view: "techniques" }
  | { view: "technique"; id: string }
  | { view: "insights" }
  | { view: "insight"; id: string }
  | { view: "compare"; id: string; other: string }
  | { view: "nowhere" };

const LISTS = ["query", "ask", "profiles", "chips", "techniques", "insights"] as const;
const THINGS = { experiments: "experiment", runs: "run", sweeps: "sweep", profiles: "profile", kernel: "kernel", chip: "chip", technique: "technique", insights: "insight" } as const;

/* Names arrive percent-encoded; one that is not well-formed is taken as it stands. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function matchRoute(path: string): Route {
  const [first, id, other, ...more] = path.split("/").filter((part) => part !== "").map(decoded);
  if (first === undefined) return { view: "board" };
  const list = LISTS.find((name) => name === first);
  if (list && id === undefined) return { view: list };
  if (id !== undefined && other === undefined && Object.hasOwn(THINGS, first)) return { view: THINGS[first as keyof typeof THINGS], id };
  if (first === "compare" && id !== undefined && other !== undefined && more.length === 0) return { view: "compare", id, other };
  return { view: "nowhere" };
}

export type Params = Record<string, string | null | undefined>;

/** SEARCH with CHANGES applied; null, undefined and "" remove a name. Answers "" or "?…". */
export function withParams(search: string, changes: Params): string {
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === "") params.delete(name);
    else params.set(name, value);
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/** Take "#token=…" out of a hash; null when there is none. */
export function tokenOf(hash: string): string | null {
  const value = new URLSearchParams(hash.replace(/^#/, "")).get("token");
  return value && value.trim() !== "" ? value.trim() : null;
}

interface PageLocation {
  path: string;
  search: string;
}

function here(): PageLocation {
  return { path: window.location.pathname, search: window.location.search };
}

const current = createStore<PageLocation>({ path: "/", search: "" });

export function useLocation(): PageLocation {
  return useStore(current);
}

export function navigate(address: string, options: { replace?: boolean } = {}): void {
  if (options.replace) window.history.replaceState(null, "", address);
  else window.history.pushState(null, "", address);
  current.set(here());
  if (!options.replace) window.scrollTo(0, 0);
}

/** Change query parameters of this view. Typing replaces; choosing makes a history entry. */
export function setParams(changes: Params, options: { replace?: boolean } = {}): void {
  const search = withParams(window.location.search, changes);
  if (search === window.location.search) return;
  const address = window.location.pathname + search;
  if (options.replace) window.history.replaceState(null, "", address);
  else window.history.pushState(null, "", address);
  current.set(here());
}

function onClick(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || !link.href || link.target || link.hasAttribute("download")) return;
  const url = new URL(link.href);
  if (url.origin !== window.location.origin || matchRoute(url.pathname).view === "nowhere") return;
  event.preventDefault();
  navigate(url.pathname + url.search);
}

export function startRouter(): void {
  current.set(here());
  window.addEventListener("popstate", () => current.set(here()));
  document.addEventListener("click", onClick);
}
