/* The sub-agents below a session: their tree, where each stands in words, and what of theirs waits for people. */

import type { AgentAsk, AgentFinished, AgentReported } from "../protocol";
import { callStage, type CallItem } from "./items";
import type { IconName } from "../ui/icons";
import type { Tone } from "../ui/Pill.svelte";

export interface AgentNode {
  agent: AgentReported;
  below: AgentNode[];
}

/** The agents as a tree, in the order they began; one whose parent is not known stands at the top. */
export function agentTree(agents: readonly AgentReported[]): AgentNode[] {
  const nodes = new Map(agents.map((agent) => [agent.session_id, { agent, below: [] as AgentNode[] }]));
  const top: AgentNode[] = [];
  for (const node of nodes.values()) (nodes.get(node.agent.origin.parent)?.below ?? top).push(node);
  return top;
}

/** This agent and everyone below it. */
export function branchOf(agents: readonly AgentReported[], session_id: string): AgentReported[] {
  const found = agents.filter((agent) => agent.session_id === session_id);
  const below = agents.filter((agent) => agent.origin.parent === session_id && agent.session_id !== session_id);
  return [...found, ...below.flatMap((agent) => branchOf(agents, agent.session_id))];
}

/** The call in the session that is looked at from which this agent descends: its own, or that of the first one above it. */
export function callAbove(agents: readonly AgentReported[], agent: AgentReported): string {
  const parent = agents.find((known) => known.session_id === agent.origin.parent);
  return parent && parent !== agent ? callAbove(agents, parent) : agent.origin.call_id;
}

export interface AgentState {
  words: string;
  tone: Tone;
  /** Null where it works and a spinner says so. */
  icon: IconName | null;
}

export type Standing = AgentReported["state"];

/** Where an agent stands. `asks` counts what waits for people in it and below it. */
export function agentState(state: Standing, asks = 0): AgentState {
  if (asks && !isOver(state)) return { words: asks > 1 ? `Needs ${asks} decisions` : "Needs a decision", tone: "warn", icon: "shield" };
  return STATES[state];
}

const STATES: Record<Standing, AgentState> = {
  idle: { words: "Not begun", tone: "neutral", icon: "circle" },
  queued: { words: "Queued", tone: "neutral", icon: "clock" },
  running: { words: "Working", tone: "accent", icon: null },
  waiting: { words: "Working", tone: "accent", icon: null },
  done: { words: "Done", tone: "ok", icon: "check" },
  stopped: { words: "Stopped", tone: "neutral", icon: "stop" },
  failed: { words: "Failed", tone: "danger", icon: "alert" },
  limit: { words: "Limit reached", tone: "warn", icon: "alert" },
};

/** The report of the agent that a call started; undefined outside of its root session, which alone keeps them. */
export const reportOf = (agents: readonly AgentReported[], call: CallItem): AgentReported | undefined =>
  agents.find((agent) => agent.session_id === call.agent?.fact.session_id);

/** Where a call's agent stands, from the best source there is: its report, how it ended, or how far the call has come. */
export function standing(call: CallItem, report?: AgentReported): Standing {
  if (report) return report.state;
  if (call.ended) return call.ended.fact.outcome;
  if (call.canceled) return "stopped";
  return callStage(call) === "failed" ? "failed" : "running";
}

const OVER: ReadonlySet<Standing> = new Set(["done", "stopped", "failed", "limit"]);

export const isOver = (state: Standing): boolean => OVER.has(state);

/** An agent that is told to work: neither over, nor never begun. */
export const isAtWork = ({ state }: AgentReported): boolean => !isOver(state) && state !== "idle";

export interface Asking {
  agent: AgentReported;
  ask: AgentAsk;
}

export const askKey = ({ agent, ask }: Asking): string => `${agent.session_id}:${ask.call_id}:${ask.seq}`;

/** What waits for people in these agents, but for what was decided here a moment ago. */
export function asksOf(agents: readonly AgentReported[], settled: ReadonlySet<string>): Asking[] {
  const all = agents.flatMap((agent) => agent.asks.map((ask) => ({ agent, ask })));
  return all.filter((asking) => !settled.has(askKey(asking)));
}

/** Whether what an agent changed in its own worktree waits for somebody to land or drop it. */
export const hasOpenWorktree = ({ state, worktree }: AgentReported): boolean => worktree === "open" && isOver(state);

/** Why an agent did not end by itself; "" where it did. */
export function endWords({ outcome, detail }: AgentFinished): string {
  const words = { done: "", stopped: "It was stopped", failed: "It failed", limit: "It reached a limit" }[outcome];
  return words && detail ? `${words}: ${detail}` : words;
}
