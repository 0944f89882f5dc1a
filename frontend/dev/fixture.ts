/* A session's page on a made-up log, to look at without a server: `npm run dev`, then /dev/index.html?at=<seq>. Not part of the build. */

import { mount } from "svelte";
import type { Fact, Frame, Note, SessionState, Snapshot, WireEntry } from "../src/protocol";
import { EMPTY_STATE, stateAfter } from "../src/sessions/apply";
import SessionPage from "../src/sessions/SessionPage.svelte";
import "../src/theme.css";
import { LOG, NOTES, PEOPLE } from "./log";

const search = new URLSearchParams(location.search);
const log = Array.from({ length: Number(search.get("long") ?? 1) }, (_, round) => (round ? again(round) : LOG)).flat();
const until = Number(search.get("at") ?? log.length);
document.documentElement.dataset["theme"] = search.get("theme") ?? "light";

const entries: WireEntry[] = log.slice(0, until).map(([by, fact], index) => ({
  seq: index + 1,
  at: new Date(Date.now() - (until - index) * 7_000).toISOString(),
  by,
  run_id: null,
  fact,
  cut: [],
}));
/** The same log once more, with ids of its own. */
function again(round: number): typeof LOG {
  return JSON.parse(JSON.stringify(LOG).replaceAll(/"(c\d+|a\d+|message-\d+)"/g, `"$1-${round}"`)) as typeof LOG;
}

const newest = search.has("long") ? 60 : entries.length;
const state: SessionState = entries.reduce(stateAfter, EMPTY_STATE);
const rights: Snapshot["rights"] = search.has("watch") ? ["view"] : ["view", "comment", "prompt", "stop", "approve_tools", "approve_plans"];
const snapshot: Snapshot = {
  session_id: "demo",
  project_id: "p1",
  project_name: "parser",
  team_id: "t1",
  created_by: "alice",
  rights,
  state,
  entries: entries.slice(-newest),
  people: PEOPLE,
  first: entries.length > newest ? entries.length - newest + 1 : 0,
  sandbox: search.get("sandbox") ?? "bubblewrap",
  provider_note: "",
  context_window: 128_000,
};

const revisions = LOG.flatMap(([by, fact]) => (fact.type === "plan.proposed" ? [{ ...fact, by, at: new Date().toISOString() }] : []));
const changes = entries.flatMap(({ fact }) => (fact.type === "tool.finished" ? fact.changes : []));
const ANSWERS: Record<string, unknown> = {
  "/api/sessions/demo/snapshot/": snapshot,
  "/api/sessions/demo/plan/": { revisions },
  "/api/sessions/demo/diff/": { files: changes, added: 9, removed: 3 },
  "/api/sessions/demo/events/": { results: [], head: state.head },
};
window.fetch = (address) => {
  const url = new URL(String(address), location.href);
  const before = Number(url.searchParams.get("before"));
  const older = { results: entries.slice(Math.max(0, before - 101), before - 1), head: state.head };
  return Promise.resolve(Response.json(before ? older : (ANSWERS[url.pathname] ?? {})));
};

class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  readyState = 1;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  #head = state.head;

  constructor() {
    super();
    setTimeout(() => this.#open(), 50);
  }

  #open(): void {
    this.#says(
      { type: "welcome", me: PEOPLE[0]!, rights, head: state.head },
      { type: "present", people: PEOPLE },
      { type: "live", head: state.head },
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
mount(SessionPage, { target, props: { id: "demo" } });
