/* What tests of a session's parts share: a conversation about a made-up log, and its calls. */

import { render } from "@testing-library/svelte";
import type { Component } from "svelte";
import type { SessionState, WireEntry } from "../src/protocol";
import { EMPTY_STATE, stateAfter } from "../src/sessions/apply";
import { Conversation, type Right } from "../src/sessions/conversation.svelte";
import type { CallItem } from "../src/sessions/items";
import { EMPTY_TRANSCRIPT, transcriptAfter } from "../src/sessions/transcript";
import { View } from "../src/sessions/view.svelte";
import Harness from "./Harness.svelte";
import type { Said } from "./say";

export function entriesOf(log: readonly Said[]): WireEntry[] {
  return log.map(([by, fact], at) => ({ seq: at + 1, at: "2026-03-01T12:00:00Z", by, run_id: null, fact, cut: [] }));
}

export function callOf(log: readonly Said[], call_id: string): CallItem {
  const found = transcriptAfter(EMPTY_TRANSCRIPT, entriesOf(log)).items.find((item) => item.kind === "call" && item.call_id === call_id);
  if (found?.kind !== "call") throw new Error(`The log has no call ${call_id}`);
  return found;
}

const socket = { readyState: 1, send: () => undefined, close: () => undefined };

/** A conversation as it is after this log, seen by somebody with these rights. Nothing is fetched for it. */
export function conversationAbout(log: readonly Said[], rights: Right[] = ["view", "prompt"]): Conversation {
  const session = new Conversation("s1", { connect: () => socket as unknown as WebSocket, random: () => 0, now: () => 0 });
  const entries = entriesOf(log);
  session.state = entries.reduce<SessionState>(stateAfter, EMPTY_STATE);
  session.transcript = transcriptAfter(EMPTY_TRANSCRIPT, entries);
  session.heard({ type: "welcome", me: { id: "alice", name: "Alice" }, rights, head: entries.length });
  return session;
}

export function show<Given extends object>(
  session: Conversation,
  part: Component<Given>,
  given: Given,
): { page: View; container: HTMLElement } {
  const page = new View();
  const props = { session, page, part: part as unknown as Component<object>, given };
  return { page, container: render(Harness, props).container as HTMLElement };
}
