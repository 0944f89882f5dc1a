/* The HTTP API as five verbs. Whatever goes wrong arrives as an `ApiProblem`; whoever is not signed in is sent to the sign-in page. */

export type ProblemKind = "invalid" | "forbidden" | "missing" | "conflict" | "busy" | "unavailable" | "error";

export interface Problem {
  kind: ProblemKind;
  title: string;
  detail: string;
  by: { id: string; name: string } | null;
  fields: Record<string, string[]>;
}

/** Why a request was refused, in words fit for people. `status` 0 means that no answer came at all. */
export class ApiProblem extends Error implements Problem {
  readonly kind: ProblemKind;
  readonly title: string;
  readonly detail: string;
  readonly by: Problem["by"];
  readonly fields: Record<string, string[]>;

  constructor(
    readonly status: number,
    said: Partial<Problem> = {},
  ) {
    super(said.title ?? "Something went wrong");
    this.name = "ApiProblem";
    this.kind = said.kind ?? kindOf(status);
    this.title = said.title ?? this.message;
    this.detail = said.detail ?? "";
    this.by = said.by ?? null;
    this.fields = said.fields ?? {};
  }

  /** Title and detail as one line. */
  get sentence(): string {
    return this.detail && this.detail !== this.title ? `${this.title.replace(/[.:]$/, "")}. ${this.detail}` : this.title;
  }
}

/** One page of a list. `next` is the address of the following page, ready for `get`. */
export interface Listing<T> {
  next: string | null;
  previous: string | null;
  results: T[];
}

export type Query = Record<string, string | number | boolean | null | undefined>;

export const get = <T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> =>
  send<T>("GET", withQuery(path, query), undefined, signal);
export const post = <T>(path: string, body: unknown = {}): Promise<T> => send<T>("POST", path, body);
export const put = <T>(path: string, body: unknown): Promise<T> => send<T>("PUT", path, body);
export const patch = <T>(path: string, body: unknown): Promise<T> => send<T>("PATCH", path, body);
export const del = (path: string): Promise<void> => send<void>("DELETE", path);

/** `projects/` → `/api/projects/?…`; a `next` address of a listing is taken as it is, on our own host. */
export function withQuery(path: string, query: Query = {}): string {
  const url = new URL(path, `${location.origin}/api/`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") url.searchParams.set(name, String(value));
  }
  return url.pathname + url.search;
}

/** A file of the API as text, such as what a command printed. */
export async function getText(path: string, query: Query = {}): Promise<string> {
  const answer = await fetch(withQuery(path, query), { credentials: "same-origin" }).catch(unreachable);
  if (answer.ok) return answer.text();
  throw refusal(answer.status, await answer.json().catch(() => ({})));
}

export function csrfToken(): string {
  const found = /(?:^|;\s*)csrftoken=([^;]+)/.exec(document.cookie);
  return found?.[1] ? decodeURIComponent(found[1]) : "";
}

async function send<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (method !== "GET") headers["X-CSRFToken"] = csrfToken();
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const init: RequestInit = { method, headers, credentials: "same-origin" };
  if (body !== undefined) init.body = JSON.stringify(body);
  if (signal) init.signal = signal;
  const answer = await fetch(withQuery(path), init).catch(unreachable);
  if (answer.ok) return (answer.status === 204 ? undefined : await answer.json()) as T;
  throw refusal(answer.status, await answer.json().catch(() => ({})));
}

function unreachable(error: unknown): never {
  if (error instanceof DOMException && error.name === "AbortError") throw error;
  throw new ApiProblem(0, { kind: "unavailable", title: "The server did not answer", detail: "Check your connection and try again." });
}

/** The problem a refused answer stands for; on 401 the browser is also on its way to the sign-in page. */
export function refusal(status: number, said: unknown): ApiProblem {
  if (status === 401) goToSignIn();
  return new ApiProblem(status, typeof said === "object" && said !== null ? readable(said as Partial<Problem>, status) : {});
}

function readable(said: Partial<Problem>, status: number): Partial<Problem> {
  return said.title ? said : { ...said, title: status >= 500 ? "The server made a mistake" : `The request was refused (${status})` };
}

export function signInAddress(): string {
  return `/sign-in/?next=${encodeURIComponent(location.pathname + location.search + location.hash)}`;
}

function goToSignIn(): void {
  location.assign(signInAddress());
}

function kindOf(status: number): ProblemKind {
  const kinds: Record<number, ProblemKind> = {
    400: "invalid",
    401: "forbidden",
    403: "forbidden",
    404: "missing",
    409: "conflict",
    429: "busy",
    503: "unavailable",
  };
  return kinds[status] ?? "error";
}
