/* The made-up log, first half: a session begins, looks around and has its plan reviewed. */

import { call, finished, opened, type Said, spoke, started, text, thought } from "./say";
import { PLAN, READ } from "./texts";

export const PLANNING: Said[] = [
  ["alice", opened("Accept trailing commas in lists")],
  [
    "alice",
    {
      type: "user.spoke",
      message_id: "message-1",
      text: "Our config parser refuses `[1, 2,]`. Please make it accept trailing commas,\nand add tests.",
    },
  ],
  [null, { type: "run.queued", run_id: "r1", acting_for: "alice" }],
  [null, { type: "run.started", run_id: "r1", sandbox: "bubblewrap" }],
  [null, { type: "memory.recalled", memory_ids: ["m1"], titles: ["Tests live beside the code"], memories: [] }],
  [
    null,
    spoke(
      "a1",
      thought("The user wants trailing commas. Let me look at the parser first, then its tests."),
      text("I'll look at the parser and its tests first."),
      call("c1", "read", { file_path: "parser.py" }),
      call("c2", "grep", { pattern: "parse_list", glob: "*.py" }),
      call("c3", "read", { file_path: "test_parser.py" }),
    ),
  ],
  [null, started("c1", "read", { file_path: "parser.py" })],
  [null, started("c2", "grep", { pattern: "parse_list", glob: "*.py" })],
  [null, finished("c1", "read", READ, { metadata: { lines_shown: 120 } })],
  [null, finished("c2", "grep", "parser.py\ntest_parser.py", { metadata: { total_matches: 2 } })],
  [null, finished("c3", "read", READ, { metadata: { lines_shown: 64 } })],
  [null, spoke("a2", call("c4", "plan_enter", { reason: "The grammar changes" }))],
  [null, started("c4", "plan_enter", { reason: "The grammar changes" })],
  [null, { type: "plan.entered", reason: "The grammar changes", plan_file: ".coder/plan.md" }],
  [null, finished("c4", "plan_enter", "Plan mode is on.")],
  [null, spoke("a3", text("Here is what I propose."), call("c5", "plan_exit", { summary: "Let lists end after a comma, with tests" }))],
  [null, started("c5", "plan_exit", { summary: "Let lists end after a comma, with tests" })],
  [
    null,
    {
      type: "plan.proposed",
      revision: 1,
      text: PLAN.replace("and for `[,]`, which stays an error", ""),
      summary: "Let lists end after a comma, with tests",
      hash: "9f31c2aa01b7",
      plan_file: ".coder/plan.md",
      call_id: "c5",
    },
  ],
  [null, { type: "run.waiting", run_id: "r1", calls: ["c5"] }],
  [
    "bob",
    {
      type: "plan.commented",
      comment_id: "k1",
      revision: 1,
      text: "What about `[,]`?",
      quote: "Read `parser.py` and its tests.",
      start: 57,
    },
  ],
  [
    "bob",
    {
      type: "plan.reviewed",
      revision: 1,
      hash: "9f31c2aa01b7",
      verdict: "changes",
      message: "Say what happens to an empty list with a comma.",
      comments: [],
      call_id: "c5",
    },
  ],
  [null, finished("c5", "plan_exit", "Changes were requested.")],
  [null, spoke("a4", call("c6", "plan_exit", { summary: "Same, and `[,]` stays an error" }))],
  [null, started("c6", "plan_exit", { summary: "Same, and `[,]` stays an error" })],
  [
    null,
    {
      type: "plan.proposed",
      revision: 2,
      text: PLAN,
      summary: "Same, and `[,]` stays an error",
      hash: "c0ffee42d1e9",
      plan_file: ".coder/plan.md",
      call_id: "c6",
    },
  ],
  [null, { type: "run.waiting", run_id: "r1", calls: ["c6"] }],
  ["bob", { type: "plan.reviewed", revision: 2, hash: "c0ffee42d1e9", verdict: "approved", message: "", comments: [], call_id: "c6" }],
  [null, finished("c6", "plan_exit", "Approved.")],
];
