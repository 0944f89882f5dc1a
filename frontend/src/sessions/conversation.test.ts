import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Fact, Frame, Snapshot, WireEntry } from "../protocol";
import type { World } from "../socket";
import { EMPTY_STATE } from "./apply";
import { Conversation } from "./conversation.svelte";

const alice = { id: "alice", name: "Alice" };

function entry(seq: number, fact: Fact = { type: "notice.given", level: "info", text: `${seq}` }): WireEntry {
  return { seq, at: "2026-03-01T12:00:00Z", by: null, run_id: null, cut: [], fact };
}

const snapshot: Snapshot = {
  session_id: "s1",
  project_id: "p1",
  project_name: "parser",
  team_id: "t1",
  created_by: "alice",
  rights: ["view", "prompt"],
  state: { ...EMPTY_STATE, head: 4 },
  entries: [entry(3), entry(4)],
  people: [alice],
  first: 3,
  sandbox: "",
  provider_note: "",
  context_window: 128_000,
};

/** The server of these tests: a log, answered over HTTP, and the other end of a socket. */
class Server implements World {
  log = [1, 2, 3, 4].map((seq) => entry(seq));
  asked: string[] = [];
  sockets: { onmessage?: (event: { data: string }) => void; onclose?: (event: { code: number }) => void; readyState: number }[] = [];
  sent: { id: string; command: Record<string, unknown> }[] = [];

  connect(): WebSocket {
    const socket = { readyState: 1, send: (text: string) => void this.sent.push(JSON.parse(text) as never), close: () => undefined };
    this.sockets.push(socket);
    return socket as unknown as WebSocket;
  }
  random = (): number => 0;
  now = (): number => 0;
  says(...frames: Frame[]): void {
    for (const frame of frames) this.sockets.at(-1)?.onmessage?.({ data: JSON.stringify(frame) });
  }
  answer = (address: string): Promise<Response> => {
    this.asked.push(address);
    const { pathname, searchParams } = new URL(address, "http://localhost");
    if (pathname.endsWith("/snapshot/")) return Promise.resolve(Response.json(snapshot));
    const [since, before] = [Number(searchParams.get("since") ?? 0), Number(searchParams.get("before") ?? Infinity)];
    const results = this.log.filter(({ seq }) => seq > since && seq < before);
    return Promise.resolve(Response.json({ results, head: this.log.length }));
  };
}

let server: Server;
let session: Conversation;
beforeEach(async () => {
  server = new Server();
  vi.stubGlobal("fetch", server.answer);
  session = new Conversation("s1", server);
  await session.open();
  server.says({ type: "welcome", me: alice, rights: ["view", "prompt"], head: 4 }, { type: "live", head: 4 });
});
afterEach(() => {
  session.close();
  vi.unstubAllGlobals();
});

const seqs = (): number[] => session.transcript.items.map((item) => item.seq);

describe("a conversation", () => {
  it("takes each entry once, however often it is sent", () => {
    server.says({ type: "entries", entries: [entry(4), entry(5)] }, { type: "entries", entries: [entry(5), entry(6)] });
    expect(seqs()).toEqual([3, 4, 5, 6]);
    expect(session.state.head).toBe(6);
  });

  it("reads what is missing from the log when entries do not follow on", async () => {
    server.log.push(...[5, 6, 7].map((seq) => entry(seq)));
    server.says({ type: "entries", entries: [entry(7)] });
    await vi.waitFor(() => expect(seqs()).toEqual([3, 4, 5, 6, 7]));
    expect(server.asked.at(-1)).toContain("since=4");
  });

  it("reads what was before when it is asked to", async () => {
    await Promise.all([session.readOlder(), session.readOlder()]);
    expect(seqs()).toEqual([1, 2, 3, 4]);
    expect(session.first).toBe(0);
    expect(server.asked.filter((address) => address.includes("before=3"))).toHaveLength(1);
  });

  it("shows a message at once, and only once when it has landed", () => {
    session.messages.say("Hello", "message-9");
    expect(session.messages.sending).toMatchObject([{ text: "Hello", refused: "" }]);
    const said = entry(5, { type: "user.spoke", message_id: "message-9", text: "Hello" });
    server.says({ type: "entries", entries: [said] }, { type: "done", id: server.sent[0]!.id, head: 5 });
    expect(session.messages.sending).toEqual([]);
  });

  it("keeps a refused message with the reason", async () => {
    session.messages.say("Hello", "message-9");
    const problem = { kind: "busy" as const, title: "Too many messages", detail: "Wait a moment.", by: null };
    server.says({ type: "refused", id: server.sent[0]!.id, problem });
    await vi.waitFor(() => expect(session.messages.sending[0]?.refused).toBe("Too many messages: Wait a moment."));
  });

  it("sends again under the same id what was not answered when the connection dropped", async () => {
    session.messages.say("Hello", "message-9");
    session.changed({ state: "offline", since: 0 });
    window.dispatchEvent(new Event("online"));
    server.sockets.at(-1)?.onclose?.({ code: 1006 });
    await vi.waitFor(() => expect(server.sockets).toHaveLength(2));
    server.says({ type: "welcome", me: alice, rights: ["view", "prompt"], head: 4 });
    expect(server.sent.map(({ command }) => command["message_id"])).toEqual(["message-9", "message-9"]);
  });

  it("holds its rights as the server last said them", () => {
    expect(session.may("prompt")).toBe(true);
    server.says({ type: "welcome", me: alice, rights: ["view"], head: 4 });
    expect(session.may("prompt")).toBe(false);
    expect(session.stream.state).toBe("live");
  });
});
