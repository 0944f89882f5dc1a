/* A made-up session that hands its work to sub-agents, and the sessions of two of them. */

import type { AgentAsk, AgentOrigin, AgentReported, Fact, FileChange } from "../src/protocol";
import { call, finished, opened, type Said, spoke, started, text } from "./say";
import { DIFF, PLAN } from "./texts";

const BELOW_THE_ROOT = { parent: "agents", root: "agents", depth: 1, background: false, working_dir: "" };
const origin = (
  call_id: string,
  agent_id: string,
  agent_type: AgentOrigin["agent_type"],
  more: Partial<AgentOrigin> = {},
): AgentOrigin => ({ ...BELOW_THE_ROOT, call_id, agent_id, agent_type, ...more });
const EXPLORE = origin("c1", "ab12cd34", "explore");
const GENERAL = origin("c2", "ef56ab78", "general");
const PLANNER = origin("c3", "9c0d1e2f", "plan", { background: true });
const CHECKER = origin("c8", "77aa88bb", "verify", { parent: "s-general", depth: 2 });

const reported = (session_id: string, title: string, of: AgentOrigin, more: Partial<AgentReported> = {}): Fact => ({
  type: "agent.reported",
  session_id,
  title,
  origin: of,
  state: "running",
  detail: "",
  worktree: "",
  asks: [],
  replies: 3,
  cost: 0.042,
  ...more,
});
const agentStarted = (session_id: string, title: string, of: AgentOrigin): Fact => ({
  type: "agent.started",
  agent_id: of.agent_id,
  session_id,
  call_id: of.call_id,
  agent_type: of.agent_type,
  title,
  background: of.background,
});
const agentFinished = (session_id: string, of: AgentOrigin, output: string, changes: FileChange[] = []): Fact => ({
  type: "agent.finished",
  agent_id: of.agent_id,
  session_id,
  call_id: of.call_id,
  agent_type: of.agent_type,
  outcome: "done",
  output,
  detail: "",
  tool_calls: 7,
  background: of.background,
  branch: changes.length ? `countersign/agent-${of.agent_id}` : "",
  changes,
});
const asked = { seq: 9, at: new Date().toISOString(), approval: null, question: null, plan: null };
const APPROVAL: AgentAsk = {
  ...asked,
  ask: "approval",
  call_id: "x1",
  approval: {
    type: "approval.asked",
    approval_id: "p7",
    call_id: "x1",
    tool: "bash",
    args: { command: "aws s3 rm s3://parser-fixtures --recursive" },
    prompt: "Run aws s3 rm s3://parser-fixtures --recursive (changes things in AWS)",
    subject: "aws s3 rm s3://parser-fixtures --recursive",
    hash: "h7",
    preview: "",
    risk: "high",
  },
};
const PLAN_ASK: AgentAsk = {
  ...asked,
  ask: "plan",
  call_id: "x2",
  plan: { type: "plan.proposed", revision: 1, text: PLAN, summary: "Three steps", hash: "c0ffee42", plan_file: "", call_id: "x2" },
};
const QUESTION: AgentAsk = {
  ...asked,
  ask: "question",
  call_id: "x3",
  question: {
    type: "question.asked",
    question_id: "q7",
    call_id: "x3",
    default: "",
    questions: [
      {
        question: "This command needs a terminal. Please run it yourself:\n\n```bash\naws sso login --profile staging\n```",
        header: "Terminal",
        multi_select: false,
        options: [
          { label: "I ran it", description: "Paste what it printed, if it matters" },
          { label: "Skip", description: "" },
        ],
      },
    ],
  },
};
const CHANGES: FileChange[] = [{ path: "parser.py", change: "modified", added: 4, removed: 2, diff: DIFF }];
const LOOK = { prompt: "Find every place that parses lists.\n\n- name the file\n- name the line", agent_type: "explore" };
const FIX = { prompt: "Let lists end after a comma.", isolation: "worktree" };
const THINK = { prompt: "Plan how to test it.", agent_type: "plan", run_in_background: true };

export const AGENTS: Said[] = [
  ["alice", opened("Trailing commas, everywhere")],
  ["alice", { type: "user.spoke", message_id: "message-1", text: "Make every parser of ours accept trailing commas." }],
  [
    null,
    {
      type: "memory.recalled",
      memory_ids: ["m1", "m2"],
      titles: [],
      memories: [
        {
          memory_id: "m1",
          title: "Tests live beside the code",
          content: "Put `test_x.py` next to `x.py`.",
          why: "shares “tests”, “parser”",
          scope: "project",
        },
        {
          memory_id: "m2",
          title: "Never touch the old grammar",
          content: "`grammar_v1` is **frozen**.",
          why: "shares “parser”",
          scope: "project",
        },
      ],
    },
  ],
  [null, { type: "run.queued", run_id: "r1", acting_for: "alice" }],
  [null, { type: "run.started", run_id: "r1", sandbox: "bubblewrap" }],
  ["bob", { type: "memory.left_out", memory_id: "m2", title: "Never touch the old grammar" }],
  [
    null,
    spoke("a1", text("I give this to three agents."), call("c1", "agent", LOOK), call("c2", "agent", FIX), call("c3", "agent", THINK)),
  ],
  [null, started("c1", "agent", LOOK)],
  [null, started("c2", "agent", FIX)],
  [null, started("c3", "agent", THINK)],
  [null, agentStarted("s-explore", "Find every place that parses lists", EXPLORE)],
  [null, reported("s-explore", "Find every place that parses lists", EXPLORE, { state: "queued", replies: 0, cost: 0 })],
  [null, agentStarted("s-general", "Let lists end after a comma", GENERAL)],
  [null, reported("s-general", "Let lists end after a comma", GENERAL, { worktree: "open" })],
  [null, agentStarted("s-plan", "Plan how to test it", PLANNER)],
  [null, finished("c3", "agent", "It works in the background.", { metadata: { agent_id: PLANNER.agent_id, background: true } })],
  [null, { type: "tools.loaded", tools: ["agent_status"] }],
  [null, reported("s-plan", "Plan how to test it", PLANNER, { state: "waiting", asks: [PLAN_ASK] })],
  [null, { type: "run.waiting", run_id: "r1", calls: ["c1", "c2"] }],
  [null, reported("s-explore", "Find every place that parses lists", EXPLORE)],
  [null, reported("s-check", "Run the tests of both parsers", CHECKER, { state: "waiting", asks: [APPROVAL], replies: 1 })],
  [null, reported("s-explore", "Find every place that parses lists", EXPLORE, { state: "waiting", asks: [QUESTION] })],
  [
    null,
    reported("s-check", "Run the tests of both parsers", CHECKER, { state: "stopped", detail: "Its parent was stopped.", replies: 1 }),
  ],
  [null, reported("s-explore", "Find every place that parses lists", EXPLORE, { state: "done", replies: 5, cost: 0.11 })],
  [null, agentFinished("s-explore", EXPLORE, "There are **two** places:\n\n1. `parser.py:41`\n2. `config/lists.py:12`")],
  [null, reported("s-general", "Let lists end after a comma", GENERAL, { state: "done", worktree: "open", replies: 9, cost: 0.61 })],
  [null, agentFinished("s-general", GENERAL, "`parse_list` stops at a closing bracket now.", CHANGES)],
  [null, reported("s-plan", "Plan how to test it", PLANNER, { state: "done", replies: 4 })],
  [null, agentFinished("s-plan", PLANNER, "Test `[1,]` and `[,]`, in both parsers.")],
  [null, { type: "run.resumed", run_id: "r1" }],
];

const below = (id: string, of: AgentOrigin, title: string): Said[] => [
  [null, opened(title, of)],
  ...(of === GENERAL ? [[null, { type: "worktree.made", branch: "countersign/agent-ef56ab78", base: "4f1c2b3a9d" }] as Said] : []),
  ["alice", { type: "user.spoke", message_id: `message-${id}`, text: title }],
  [null, { type: "run.queued", run_id: `r-${id}`, acting_for: "alice" }],
  [null, { type: "run.started", run_id: `r-${id}`, sandbox: "bubblewrap" }],
  [
    null,
    spoke(
      `a-${id}`,
      text("I read the parsers first."),
      call("y1", "grep", { pattern: "parse_list" }),
      call("y2", "bash", { command: "ls" }),
    ),
  ],
  [null, started("y1", "grep", { pattern: "parse_list" })],
  [null, finished("y1", "grep", "parser.py\nconfig/lists.py", { metadata: { total_matches: 2 } })],
  [null, started("y2", "bash", { command: "ls" })],
  [null, finished("y2", "bash", "config\nparser.py", { metadata: { exit_code: 0 } })],
  [null, spoke(`b-${id}`, text("There are **two** places."))],
  [null, { type: "run.finished", run_id: `r-${id}`, outcome: "done", detail: "" }],
];

export const CHILDREN: Record<string, Said[]> = {
  "s-explore": below("e", EXPLORE, "Find every place that parses lists"),
  "s-general": below("g", GENERAL, "Let lists end after a comma"),
};
