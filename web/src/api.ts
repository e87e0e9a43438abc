/* The public API, as docs/api.md says it. `getJson` answers with the body or throws an `ApiProblem`
 * that carries the service's message and hint. Answers are cached by address with their ETag: going
 * back shows the last answer at once, and an unchanged one costs a 304. */
import type { Page } from "./types";

export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly hint: string,
    readonly requestId: string,
  ) {
    super(detail);
  }
}

interface CachedAnswer {
  etag: string;
  body: unknown;
}
const cached = new Map<string, CachedAnswer>();
const CACHE_SIZE = 60; /* addresses; the largest answer is about 200 KB */
let bearer = "";

/** Set the token of later requests. A new token clears the cache, because its owner may have other
 * rights. */
export function setToken(token: string): void {
  if (token !== bearer) cached.clear();
  bearer = token;
}

export function address(path: string, params: Record<string, string | null | undefined> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, value);
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** The cached answer for URL. */
export function lastAnswer<T>(url: string): T | undefined {
  return cached.get(url)?.body as T | undefined;
}

function putInCache(url: string, etag: string | null, body: unknown): void {
  if (!etag) return;
  cached.delete(url);
  cached.set(url, { etag, body });
  if (cached.size <= CACHE_SIZE) return;
  const oldest = cached.keys().next();
  if (!oldest.done) cached.delete(oldest.value);
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const text = await response.text().catch(() => "");
  let body: Record<string, unknown> = {};
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    body = {};
  }
  const say = (name: string, otherwise: string): string => {
    const value = body[name];
    return typeof value === "string" && value !== "" ? value : otherwise;
  };
  const detail = say("detail", say("title", `The service answered ${response.status}.`));
  return new ApiProblem(response.status, say("code", ""), detail, say("hint", ""), say("request_id", ""));
}

async function send(url: string, headers: Record<string, string>, signal?: AbortSignal, body?: string): Promise<Response> {
  const post = body === undefined ? {} : { method: "POST", body };
  try {
    return await fetch(url, { headers, signal: signal ?? null, cache: "no-store", credentials: "omit", ...post });
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new ApiProblem(0, "unreachable", "The service does not answer.", "Is warplored running? Try again in a moment.", "");
  }
}

function credentials(token: string): Record<string, string> {
  return token === "" ? {} : { Authorization: `Bearer ${token}` };
}

export async function getJson<T>(url: string, signal?: AbortSignal, token = bearer): Promise<T> {
  const headers = credentials(token);
  const known = token === bearer ? cached.get(url) : undefined;
  if (known) headers["If-None-Match"] = known.etag;
  const response = await send(url, headers, signal);
  if (response.status === 304 && known) return known.body as T;
  if (!response.ok) throw await problemOf(response);
  const body = (await response.json()) as T;
  if (token === bearer) putInCache(url, response.headers.get("ETag"), body);
  return body;
}

/** POST BODY. Resolves to the answer, or throws an `ApiProblem`. */
export async function postJson<T>(url: string, body: unknown): Promise<T> {
  const headers = { ...credentials(bearer), "Content-Type": "application/json" };
  const response = await send(url, headers, undefined, JSON.stringify(body));
  if (!response.ok) throw await problemOf(response);
  return (await response.json()) as T;
}

export async function getBlob(url: string): Promise<Blob> {
  const response = await send(url, credentials(bearer));
  if (!response.ok) throw await problemOf(response);
  return response.blob();
}

/** Follow `next` until the list ends or CAP rows are here. */
export async function getAll<T>(
  path: string,
  params: Record<string, string | null | undefined>,
  cap: number,
  signal?: AbortSignal,
): Promise<Page<T>> {
  const rows: T[] = [];
  let cursor: string | null | undefined;
  let total: number | undefined;
  let unclassified: number | undefined;
  do {
    const page: Page<T> = await getJson(address(path, { ...params, limit: "200", cursor: cursor ?? null }), signal);
    rows.push(...page.rows);
    cursor = page.next;
    total = page.total ?? total;
    unclassified = page.unclassified ?? unclassified;
  } while (cursor && rows.length < cap);
  return { rows, next: cursor ?? null, total: total ?? rows.length, ...(unclassified !== undefined && { unclassified }) };
}
