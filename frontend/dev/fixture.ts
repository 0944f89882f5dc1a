/*
 * A session's page on a made-up log, to look at without a server: `npm run dev`, then /dev/index.html?log=<name>&at=<seq>.
 * Not part of the build.
 */

import { mount } from "svelte";
import type { Fact, Frame, Note, SessionState, Snapshot, WireEntry } from "../src/protocol";
import { EMPTY_STATE, stateAfter } from "../src/sessions/apply";
import SessionPage from "../src/sessions/SessionPage.svelte";
import "../src/theme.css";
import { ARTIFACTS, PRINTED } from "./atomic";
import { PROTOCOLS, TOOLSETS, WORKFLOWS } from "./choices";
import { LOGS, NOTES, PEOPLE } from "./log";
import type { Said } from "./say";

const search = new URLSearchParams(location.search);
const shown = search.get("log") ?? "comma";
document.documentElement.dataset["theme"] = search.get("theme") ?? "light";
const rights: Snapshot["rights"] = search.has("watch") ? ["view"] : ["view", "comment", "prompt", "stop", "approve_tools", "approve_plans"];

/** A log's entries, as far as the address says of the one that is shown. */
function entriesOf(id: string): WireEntry[] {
  const log = Array.from({ length: id === shown ? Number(search.get("long") ?? 1) : 1 }, (_, round) => again(LOGS[id] ?? [], round)).flat();
  const until = id === shown ? Number(search.get("at") ?? log.length) : log.length;
  return log.slice(0, until).map(([by, fact], index) => {
    const at = new Date(Date.now() - (until - index) * 7_000).toISOString();
    return { seq: index + 1, at, by, run_id: null, fact, cut: [] };
  });
}

/** The same log once more, with ids of its own. */
function again(log: Said[], round: number): Said[] {
  return round ? (JSON.parse(JSON.stringify(log).replaceAll(/"(c\d+|a\d+|message-\d+)"/g, `"$1-${round}"`)) as Said[]) : log;
}

function snapshotOf(id: string): Snapshot {
  const entries = entriesOf(id);
  const newest = Number(search.get("newest") ?? (search.has("long") ? 60 : entries.length));
  return {
    session_id: id,
    project_id: "p1",
    project_name: "parser",
    team_id: "t1",
    created_by: "alice",
    rights,
    state: entries.reduce<SessionState>(stateAfter, EMPTY_STATE),
    entries: entries.slice(-newest),
    people: PEOPLE,
    first: entries.length > newest ? entries.length - newest + 1 : 0,
    sandbox: search.get("sandbox") ?? "bubblewrap",
    provider_note: "",
    context_window: 128_000,
  };
}

/** What the API of one session answers to a path below it. */
function answer(id: string, path: string, before: number): unknown {
  const entries = entriesOf(id);
  const facts = entries.map(({ fact }) => fact);
  const now = new Date().toISOString();
  switch (path) {
    case "snapshot/":
      return snapshotOf(id);
    case "events/":
      return { results: before ? entries.slice(Math.max(0, before - 101), before - 1) : [], head: entries.length };
    case "plan/":
      return { revisions: facts.flatMap((fact) => (fact.type === "plan.proposed" ? [{ ...fact, by: null, at: now, comments: [] }] : [])) };
    case "diff/": {
      const told = facts.flatMap((fact) => (fact.type === "tool.finished" || fact.type === "agent.finished" ? fact.changes : []));
      const files = told.length ? told : entriesOf("agents").flatMap(({ fact }) => (fact.type === "agent.finished" ? fact.changes : []));
      return { files, added: 4, removed: 2 };
    }
    default:
      return { title: snapshotOf(id).state.title };
  }
}

/** What is kept of a session as a file: an artifact's text, what a job printed. */
function kept(path: string): Response | null {
  const [, what, name = ""] = /^(artifacts|jobs)\/([^/]+)\/$/.exec(path) ?? [];
  if (what === "artifacts") return new Response(ARTIFACTS[name] ?? "", { headers: { "Content-Type": "text/plain" } });
  return what ? Response.json({ output: PRINTED[name] ?? "" }) : null;
}

const TOLD: Readonly<Record<string, unknown>> = {
  "/api/toolsets/brief/": TOOLSETS,
  "/api/workflows/": WORKFLOWS,
  "/api/protocols/": PROTOCOLS,
};

window.fetch = (address, init) => {
  const url = new URL(String(address), location.href);
  const [, id = "", path = ""] = /^\/api\/sessions\/([^/]+)\/(.*)$/.exec(url.pathname) ?? [];
  if (init?.method === "POST" && search.has("conflict"))
    return Promise.resolve(
      Response.json({ kind: "conflict", title: "The changes do not fit", detail: "parser.py was changed too." }, { status: 409 }),
    );
  const file = kept(path);
  if (file) return Promise.resolve(file);
  return Promise.resolve(Response.json(id ? answer(id, path, Number(url.searchParams.get("before"))) : (TOLD[url.pathname] ?? {})));
};

class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  readyState = 1;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  #head: number;

  constructor(address: string) {
    super();
    this.#head = entriesOf(/sessions\/([^/]+)/.exec(address)?.[1] ?? "").length;
    setTimeout(() => this.#open(), 50);
  }

  #open(): void {
    this.#says(
      { type: "welcome", me: PEOPLE[0]!, rights, head: this.#head },
      { type: "present", people: PEOPLE },
      { type: "live", head: this.#head },
    );
    const notes: readonly Note[] = search.has("live") ? NOTES : [];
    if (notes.length) this.#says({ type: "notes", notes });
    if (search.has("offline")) this.onclose?.({ code: 1006 });
  }

  #says(...frames: Frame[]): void {
    for (const frame of frames) this.onmessage?.({ data: JSON.stringify(frame) });
  }

  send(text: string): void {
    const { id, command } = JSON.parse(text) as { id: string; command: { command: string; message_id: string; text: string } };
    if (command.command === "send_message") this.#log({ type: "user.spoke", message_id: command.message_id, text: command.text });
    this.#says({ type: "done", id, head: this.#head });
  }

  #log(fact: Fact): void {
    const entry: WireEntry = { seq: ++this.#head, at: new Date().toISOString(), by: "alice", run_id: null, fact, cut: [] };
    this.#says({ type: "entries", entries: [entry] });
  }

  close(): void {
    this.readyState = 3;
  }
}
Object.assign(window, { WebSocket: FakeSocket });

const target = document.getElementById("app")!;
target.style.height = "100dvh";
mount(SessionPage, { target, props: { id: shown } });
