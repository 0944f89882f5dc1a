import { describe, expect, it } from "vitest";
import type { AgentAsk, AgentReported, SessionState } from "../protocol";
import { agentState, agentTree, asksOf, branchOf, callAbove, endWords, standing, type AgentNode } from "./agents";
import { EMPTY_STATE } from "./apply";
import { blankCall, type CallItem } from "./items";
import { announcement, statusOf } from "./status";
import { rowOf, waiting } from "./tray";

const at = "2026-03-01T12:00:00Z";
const nothing: ReadonlySet<string> = new Set();

function agent(session_id: string, parent = "root", more: Partial<AgentReported> = {}): AgentReported {
  const origin = {
    parent,
    root: "root",
    call_id: `call-${session_id}`,
    agent_id: session_id,
    agent_type: "general" as const,
    depth: 1,
    background: false,
    working_dir: "",
  };
  const figures = { detail: "", worktree: "" as const, asks: [], replies: 0, cost: 0 };
  return { type: "agent.reported", session_id, title: `Title of ${session_id}`, origin, state: "running", ...figures, ...more };
}

const plan: AgentAsk = {
  ask: "plan",
  call_id: "x1",
  seq: 7,
  at,
  approval: null,
  question: null,
  plan: { type: "plan.proposed", revision: 2, text: "# Plan", summary: "In two steps", hash: "h", plan_file: "", call_id: "x1" },
};

const names = (nodes: readonly AgentNode[]): unknown[] => nodes.map((node) => [node.agent.session_id, names(node.below)]);
const state = (more: Partial<SessionState>): SessionState => ({ ...EMPTY_STATE, ...more });
const run = (now: SessionState["run"]["state"]): SessionState["run"] => ({ ...EMPTY_STATE.run, state: now });

describe("the tree of agents", () => {
  const all = [agent("a"), agent("b", "a"), agent("c"), agent("d", "b")];

  it("hangs each below its parent, in the order they began", () => {
    expect(names(agentTree(all))).toEqual([
      ["a", [["b", [["d", []]]]]],
      ["c", []],
    ]);
  });

  it("keeps an agent whose parent is not known", () => {
    expect(names(agentTree([agent("x", "gone")]))).toEqual([["x", []]]);
  });

  it("knows a whole branch, and the call at the root from which it grew", () => {
    expect(branchOf(all, "a").map((one) => one.session_id)).toEqual(["a", "b", "d"]);
    expect(all.map((one) => callAbove(all, one))).toEqual(["call-a", "call-a", "call-c", "call-a"]);
  });
});

describe("where an agent stands", () => {
  const call = (more: Partial<CallItem>): CallItem => ({ ...blankCall({ seq: 1, at, by: null, cut: [] }, "c1"), ...more });

  it("is said as work while it only waits for agents of its own", () => {
    expect(agentState("waiting").words).toBe("Working");
    expect(agentState("waiting", 1).words).toBe("Needs a decision");
    expect(agentState("running", 2).words).toBe("Needs 2 decisions");
  });

  it("is not held up by asks once it is over", () => {
    expect(agentState("stopped", 1).words).toBe("Stopped");
  });

  it("comes from its report, else from how it ended, else from the call", () => {
    const fact = { outcome: "limit" as const, output: "", detail: "100 calls" };
    const rest = { type: "agent.finished", agent_id: "a", session_id: "a", call_id: "c1", agent_type: "plan" } as const;
    const finished = { ...rest, ...fact, tool_calls: 100, background: false, branch: "", changes: [] };
    const ended = call({ ended: { fact: finished, seq: 2, at, by: null, cut: [] } });
    expect(standing(ended)).toBe("limit");
    expect(standing(ended, agent("a", "root", { state: "running" }))).toBe("running");
    expect(standing(call({}))).toBe("running");
    expect(endWords(finished)).toBe("It reached a limit: 100 calls");
  });
});

describe("the tray", () => {
  const own = { ask: "approval" as const, call_id: "c9", seq: 3, at, approval: null, question: null };
  const all = [agent("a"), agent("b", "a", { state: "waiting", asks: [plan] }), agent("c", "root", { state: "done", worktree: "open" })];

  it("lists the session's own asks, then those below it, then worktrees to review", () => {
    const lines = waiting(state({ asks: [own], agents: all }), nothing);
    expect(lines.map((one) => [one.agent?.session_id, one.what, one.about])).toEqual([
      [undefined, "Plan", "revision 0"],
      ["b", "Plan", "In two steps"],
      ["c", "Changes", "to land or drop"],
    ]);
    expect(lines.map((one) => rowOf(one, all))).toEqual(["call:c9", "call:call-a", "call:call-c"]);
  });

  it("leaves out what was decided here a moment ago, but not what is asked again", () => {
    const [asking] = asksOf(all, nothing);
    expect(asksOf(all, new Set(["b:x1:7"]))).toEqual([]);
    expect(asksOf(all, new Set(["b:x1:6"]))).toEqual([asking]);
  });

  it("does not offer a worktree while its agent works, nor one that has landed", () => {
    const open = agent("a", "root", { worktree: "open" });
    expect(waiting(state({ agents: [open, agent("b", "root", { state: "done", worktree: "landed" })] }), nothing)).toEqual([]);
  });

  it("offers a sub-agent's own page its worktree", () => {
    const worktree = { branch: "b", base: "c", state: "open" as const, changes: [] };
    expect(waiting(state({ worktree, run: run("done") }), nothing)).toMatchObject([{ kind: "worktree", agent: null }]);
    expect(waiting(state({ worktree, run: run("running") }), nothing)).toEqual([]);
  });
});

describe("the state of a session with sub-agents", () => {
  const two = [agent("a"), agent("b")];

  it("is work while it waits for nobody but them", () => {
    expect(statusOf(state({ run: run("waiting"), pending: ["c1", "c2"], agents: two })).words).toBe("Working: 2 agents");
    expect(statusOf(state({ run: run("done"), agents: [agent("a")] })).words).toBe("Working: 1 agent");
    expect(statusOf(state({ run: run("done"), agents: [agent("a", "root", { state: "failed" })] })).words).toBe("Completed");
  });

  it("needs a decision as soon as one of them does, and says so", () => {
    const asking = state({ run: run("waiting"), pending: ["c1"], agents: [agent("a", "root", { state: "waiting", asks: [plan] })] });
    expect(statusOf(asking).words).toBe("Needs a decision");
    expect(announcement(asking)).toBe("The sub-agent Title of a needs a decision");
  });
});
