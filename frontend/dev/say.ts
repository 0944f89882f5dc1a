/* How the made-up logs are said: one short function for each thing that happens often. */

import type { AgentOrigin, Fact, Part, ToolFinished } from "../src/protocol";

/** Who, and what. */
export type Said = [string | null, Fact];

export const opened = (title: string, origin: AgentOrigin | null = null): Fact => ({
  type: "session.opened",
  title,
  toolset: "oats",
  provider: "scripted",
  model: "demo",
  workflow: "react",
  protocol: "native",
  origin,
});
export const spoke = (id: string, ...parts: Part[]): Fact => ({
  type: "agent.spoke",
  reply_id: id,
  parts,
  finish: parts.some((part) => part.type === "call") ? "calls" : "stop",
  provider: "scripted",
  model: "demo",
  usage: { input: 18_400, output: 620, cache_read: 16_000, cache_write: 0, reasoning: 0, cost: 0.031 },
  seconds: 3.4,
  read_to: null,
  stop_reason: "",
});
export const text = (words: string): Part => ({ type: "text", text: words });
export const thought = (words: string): Part => ({ type: "reasoning", text: words, signature: "", extras: {} });
export const call = (call_id: string, tool: string, args: object): Part => ({
  type: "call",
  call_id,
  tool,
  arguments: JSON.stringify(args),
  extras: {},
});
export const started = (call_id: string, tool: string, args: Record<string, unknown>): Fact => ({
  type: "tool.started",
  call_id,
  tool,
  args,
});
export const finished = (call_id: string, tool: string, output: string, more: Partial<ToolFinished> = {}): Fact => ({
  type: "tool.finished",
  call_id,
  tool,
  title: tool,
  output,
  error: null,
  metadata: {},
  changes: [],
  attachments: [],
  seconds: 0.02,
  redactions: 0,
  ...more,
});

/** A call from the model's words to its end. */
export const done = (
  call_id: string,
  tool: string,
  args: Record<string, unknown>,
  output: string,
  more: Partial<ToolFinished> = {},
): Said[] => [
  [null, spoke(`reply-${call_id}`, call(call_id, tool, args))],
  [null, started(call_id, tool, args)],
  [null, finished(call_id, tool, output, more)],
];
