/* What waits for people: in this session, in the sub-agents below it, and in the worktrees they left. */

import type { AgentAsk, AgentReported, OpenAsk, SessionState } from "../protocol";
import { firstLine } from "../tools/words";
import { asksOf, askKey, callAbove, hasOpenWorktree, isOver } from "./agents";

export type Waiting = {
  key: string;
  /** Whose it is; null where it is the session's own. */
  agent: AgentReported | null;
  what: string;
  about: string;
} & ({ kind: "ask"; ask: OpenAsk | AgentAsk } | { kind: "worktree"; ask: null });

/** Everything that waits, the session's own first; `settled` are asks of sub-agents decided here a moment ago. */
export function waiting(state: SessionState, settled: ReadonlySet<string>): Waiting[] {
  const own = state.asks.map((ask): Waiting => ({ key: `${ask.call_id}:${ask.seq}`, agent: null, kind: "ask", ask, ...words(ask, state) }));
  const below = asksOf(state.agents, settled).map((asking): Waiting => {
    return { key: askKey(asking), agent: asking.agent, kind: "ask", ask: asking.ask, ...words(asking.ask, state) };
  });
  return [...own, ...below, ...worktrees(state)];
}

function worktrees(state: SessionState): Waiting[] {
  const line = { kind: "worktree", ask: null, what: "Changes" } as const;
  const mine = state.worktree?.state === "open" && isOver(state.run.state);
  const own: Waiting[] = mine ? [{ ...line, key: "worktree", agent: null, about: "made in a worktree, to land or drop" }] : [];
  const left = state.agents.filter(hasOpenWorktree);
  return [...own, ...left.map((agent): Waiting => ({ ...line, key: `worktree:${agent.session_id}`, agent, about: "to land or drop" }))];
}

function words(ask: OpenAsk | AgentAsk, state: SessionState): { what: string; about: string } {
  if (ask.approval) return { what: ask.approval.tool, about: ask.approval.subject || ask.approval.prompt };
  if (ask.question) return { what: "Question", about: firstLine(ask.question.questions[0]?.question ?? "") };
  const plan = ("plan" in ask && ask.plan) || state.plan;
  return { what: "Plan", about: plan.summary || `revision ${plan.revision}` };
}

/** The row of the transcript where it is decided, where that is loaded. */
export function rowOf({ agent, ask }: Waiting, agents: readonly AgentReported[]): string {
  return `call:${agent ? callAbove(agents, agent) : (ask?.call_id ?? "")}`;
}
