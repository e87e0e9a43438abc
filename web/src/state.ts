/* State that outlives a view: the session, the theme, and `useAnswer`, which turns a request to the
 * API into {data, error, loading}. The token is kept in localStorage and sent as a bearer header
 * only. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiProblem, getJson, setToken } from "./api";
import { tokenOf } from "./router";
import { createStore, useStore } from "./store";
import type { Me } from "./types";

export interface Session {
  token: string;
  me: Me | null;
  /** Why the last token was refused; "" when it was not. */
  refusal: string;
}
const TOKEN = "warplore.token";
const THEME = "warplore.theme";
const session = createStore<Session>({ token: "", me: null, refusal: "" });

/* Private windows may refuse storage: the page then works until it is closed. */
function recall(name: string): string {
  try {
    return window.localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}
function remember(name: string, value: string): void {
  try {
    if (value === "") window.localStorage.removeItem(name);
    else window.localStorage.setItem(name, value);
  } catch {
    return;
  }
}

export function useSession(): Session {
  return useStore(session);
}

/** Check TOKEN with the service and keep it; throws the ApiProblem of a refusal. */
export async function signIn(token: string): Promise<void> {
  const me = await getJson<Me>("/api/v1/me", undefined, token);
  setToken(token);
  remember(TOKEN, token);
  session.set({ token, me, refusal: "" });
}

export function signOut(refusal = ""): void {
  setToken("");
  remember(TOKEN, "");
  session.set({ token: "", me: null, refusal });
}

async function resume(token: string): Promise<void> {
  setToken(token);
  session.set({ token, me: null, refusal: "" });
  try {
    await signIn(token);
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) signOut(error.detail);
  }
}

/* A link with #token=… signs in; the token leaves the address bar before anything else happens. */
function takeTokenFromAddress(): boolean {
  const token = tokenOf(window.location.hash);
  if (!token) return false;
  window.history.replaceState(null, "", window.location.pathname + window.location.search);
  remember(TOKEN, token);
  void resume(token);
  return true;
}

export function startSession(): void {
  window.addEventListener("hashchange", takeTokenFromAddress);
  if (takeTokenFromAddress()) return;
  const token = recall(TOKEN);
  if (token !== "") void resume(token);
}

export type Theme = "auto" | "light" | "dark";
const theme = createStore<Theme>("auto");

export function useTheme(): Theme {
  return useStore(theme);
}

export function setTheme(value: Theme): void {
  remember(THEME, value === "auto" ? "" : value);
  if (value === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = value;
  theme.set(value);
}

export function startTheme(): void {
  const kept = recall(THEME);
  setTheme(kept === "light" || kept === "dark" ? kept : "auto");
}

export interface Answered<T> {
  data: T | undefined;
  error: ApiProblem | null;
  loading: boolean;
  again: () => void;
}
/* When the tab is shown again after this time, the request is repeated. */
const STALE_MS = 20_000;

/** Call ASK when KEY changes. Old data stays while new data loads, so that tables do not jump. */
export function useAnswer<T>(key: string | null, ask: (signal: AbortSignal) => Promise<T>, first?: T): Answered<T> {
  const [state, setState] = useState<{ key: string | null; data: T | undefined; error: ApiProblem | null; loading: boolean }>(
    { key: null, data: first, error: null, loading: key !== null },
  );
  const [attempt, setAttempt] = useState(0);
  const asked = useRef(0);
  const again = useCallback(() => setAttempt((n) => n + 1), []);
  useEffect(() => {
    if (key === null) {
      setState({ key, data: undefined, error: null, loading: false });
      return undefined;
    }
    const stop = new AbortController();
    asked.current = Date.now();
    setState((old) => ({ ...old, loading: true }));
    ask(stop.signal).then(
      (data) => !stop.signal.aborted && setState({ key, data, error: null, loading: false }),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        if (error instanceof ApiProblem && error.status === 401) signOut(error.detail);
        const problem = error instanceof ApiProblem ? error : new ApiProblem(0, "page", String(error), "Reload the page.", "");
        setState((old) => ({ key, data: old.key === key ? old.data : undefined, error: problem, loading: false }));
      },
    );
    return () => stop.abort();
  }, [key, attempt]);
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === "visible" && Date.now() - asked.current > STALE_MS) again();
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [again]);
  return { data: state.data, error: state.error, loading: state.loading, again };
}
