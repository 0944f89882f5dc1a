/* The twin of `state_after` in workspace/sessions/state.py: one entry onto a session's state. Both are tested on the same logs. */

import type { AgentReported, Fact, OpenAsk, Recalled, RecalledMemory, SessionState, Usage, UsageView, WireEntry } from "../protocol";
import { begun, ended, jobsWithRoom } from "./jobFold";
import { NO_PHASE, phaseAfter, phaseLeft } from "./phaseFold";
import { planAfter, planAskGone } from "./plan";
import { runAfter } from "./runFold";

export const EMPTY_STATE: SessionState = {
  head: 0,
  title: "",
  toolset: "",
  provider: "",
  model: "",
  workflow: "react",
  protocol: "native",
  phase: NO_PHASE,
  archived: false,
  run: { run_id: "", state: "idle", detail: "", acting_for: "", sandbox: "", stop_asked: false, since: null },
  plan: {
    stage: "none",
    reason: "",
    plan_file: "",
    revision: 0,
    summary: "",
    text: "",
    hash: "",
    call_id: "",
    comments: [],
    reviewed_by: null,
  },
  todos: [],
  asks: [],
  usage: { requests: 0, input: 0, output: 0, cache_read: 0, cost: 0, unpriced: 0, context: 0 },
  origin: null,
  worktree: null,
  agents: [],
  pending: [],
  recalled: [],
  jobs: [],
};

/** The state once this entry has happened. Contract: `entry.seq` is `state.head + 1`. */
export function stateAfter(state: SessionState, entry: WireEntry): SessionState {
  return { ...state, ...changes(state, entry), head: entry.seq };
}

function changes(state: SessionState, entry: WireEntry): Partial<SessionState> {
  const fact = entry.fact;
  switch (fact.type) {
    case "session.opened": {
      const { title, toolset, provider, model, workflow, protocol, origin } = fact;
      return { title, toolset, provider, model, workflow, protocol, origin };
    }
    case "session.renamed":
      return { title: fact.title };
    case "session.configured":
      return {
        toolset: fact.toolset,
        provider: fact.provider,
        model: fact.model,
        workflow: fact.workflow || state.workflow,
        protocol: fact.protocol || state.protocol,
        phase: ["", state.workflow].includes(fact.workflow) ? state.phase : phaseLeft(state.phase),
      };
    case "session.archived":
      return { archived: fact.archived };
    case "todos.written":
      return { todos: fact.todos };
    case "agent.spoke":
      return { usage: usageAfter(state.usage, fact.usage) };
    case "history.compacted":
      return { usage: { ...usageAfter(state.usage, fact.usage), context: 0 } };
    case "approval.asked":
      return { asks: [...state.asks, ask(entry, "approval", fact.call_id, { approval: fact })] };
    case "question.asked":
      return { asks: [...state.asks, ask(entry, "question", fact.call_id, { question: fact })] };
    case "approval.decided":
    case "question.answered":
      return { asks: without(state.asks, fact.call_id) };
    case "ask.canceled":
      return { asks: without(state.asks, fact.call_id), plan: fact.ask === "plan" ? planAskGone(state.plan) : state.plan };
    case "plan.entered":
    case "plan.proposed":
    case "plan.reviewed":
    case "plan.left":
      return planChanges(state, entry);
    case "plan.commented":
      return { plan: { ...state.plan, comments: [...state.plan.comments, fact] } };
    case "run.queued":
      return { run: runAfter(state.run, fact, entry.at), phase: NO_PHASE };
    case "run.finished":
      return { run: runAfter(state.run, fact, entry.at), phase: phaseLeft(state.phase) };
    case "phase.entered":
    case "verdict.given":
      return { phase: phaseAfter(state.phase, fact, entry.at) };
    case "run.started":
    case "run.waiting":
    case "run.resumed":
    case "run.lost":
    case "stop.asked":
      return { run: runAfter(state.run, fact, entry.at) };
    case "agent.started":
      return fact.background ? {} : { pending: [...state.pending, fact.call_id] };
    case "agent.finished":
    case "tool.finished":
      return { pending: state.pending.filter((call_id) => call_id !== fact.call_id) };
    case "agent.reported":
      return { agents: agentsAfter(state.agents, fact) };
    case "worktree.made":
      return { worktree: { branch: fact.branch, base: fact.base, state: "open", changes: [] } };
    case "worktree.landed":
      return { worktree: state.worktree && { ...state.worktree, state: "landed", changes: fact.changes } };
    case "worktree.dropped":
      return { worktree: state.worktree && { ...state.worktree, state: "dropped" } };
    case "job.started":
      return { jobs: [...jobsWithRoom(state.jobs), begun(fact, entry.at)] };
    case "job.finished":
      return { jobs: state.jobs.map((job) => (job.job_id === fact.job_id ? ended(job, fact) : job)) };
    case "memory.recalled":
      return { recalled: [...state.recalled, ...fact.memories.map(recalled)] };
    case "memory.left_out":
      return { recalled: state.recalled.map((one) => (one.memory_id === fact.memory_id ? { ...one, left_out: true } : one)) };
    case "user.spoke":
    case "reply.refused":
    case "completion.attempted":
    case "comment.added":
    case "provider.failed":
    case "notice.given":
    case "tool.started":
    case "tools.loaded":
    case "memory.written":
    case "memory.deleted":
      return {};
    default:
      return unknownFact(fact);
  }
}

/** A newer server may say what this page does not know yet; the compiler makes sure that it is nothing we do know. */
export function unknownFact(fact: never): Record<string, never> {
  console.warn("This page does not know the fact", (fact as Fact).type);
  return {};
}

function ask(entry: WireEntry, kind: OpenAsk["ask"], call_id: string, more: Partial<OpenAsk> = {}): OpenAsk {
  return { ask: kind, call_id, seq: entry.seq, at: entry.at, approval: null, question: null, ...more };
}

const recalled = ({ memory_id, title, why }: RecalledMemory): Recalled => ({ memory_id, title, why, left_out: false });

function agentsAfter(agents: readonly AgentReported[], report: AgentReported): AgentReported[] {
  const known = agents.some((agent) => agent.session_id === report.session_id);
  return known ? agents.map((agent) => (agent.session_id === report.session_id ? report : agent)) : [...agents, report];
}

const without = (asks: readonly OpenAsk[], call_id: string): OpenAsk[] => asks.filter((open) => open.call_id !== call_id);

function usageAfter(usage: UsageView, more: Usage): UsageView {
  const counted = more.input + more.output > 0;
  return {
    requests: usage.requests + Number(counted),
    input: usage.input + more.input,
    output: usage.output + more.output,
    cache_read: usage.cache_read + more.cache_read,
    cost: Math.round((usage.cost + (more.cost ?? 0)) * 1e6) / 1e6,
    unpriced: usage.unpriced + Number(counted && more.cost === null),
    context: counted ? more.input + more.output : usage.context,
  };
}

function planChanges(state: SessionState, entry: WireEntry): Partial<SessionState> {
  const before = state.plan;
  let plan = planAfter(before, entry.fact);
  if (entry.fact.type === "plan.reviewed") plan = { ...plan, reviewed_by: entry.by };
  const asks = state.asks.filter((open) => open.ask !== "plan" && !(before.call_id && open.call_id === before.call_id));
  if (plan.stage === "proposed") asks.push(ask(entry, "plan", plan.call_id));
  return { plan, asks };
}
