/* The made-up log, second half: edits, approvals, a failing test, a question, a denial. */

import { call, finished, type Said, spoke, started, text } from "./say";
import { DIFF, TODOS } from "./texts";

export const WORK: Said[] = [
  [
    null,
    spoke(
      "a5",
      text("Approved, so I start."),
      call("c7", "todowrite", { todos: TODOS }),
      call("c8", "edit", { file_path: "parser.py", old_string: "while True:", new_string: 'while not self.at("]"):' }),
    ),
  ],
  [null, started("c7", "todowrite", { todos: TODOS })],
  [null, { type: "todos.written", todos: TODOS }],
  [null, finished("c7", "todowrite", "Todo list updated", { metadata: { count: 3, completed: 1 } })],
  [
    null,
    {
      type: "approval.asked",
      approval_id: "p1",
      call_id: "c8",
      tool: "edit",
      args: { file_path: "parser.py", old_string: "while True:", new_string: 'while not self.at("]"):' },
      prompt: "edit parser.py",
      subject: "parser.py",
      hash: "h1",
      preview: DIFF,
      risk: "medium",
    },
  ],
  [null, { type: "run.waiting", run_id: "r1", calls: ["c8"] }],
  ["bob", { type: "approval.decided", approval_id: "p1", call_id: "c8", verdict: "allow", scope: "session", reason: "", hash: "h1" }],
  [null, started("c8", "edit", { file_path: "parser.py" })],
  [
    null,
    finished("c8", "edit", "Replaced 1 occurrence", {
      changes: [{ path: "parser.py", change: "modified", added: 4, removed: 2, diff: DIFF }],
      seconds: 0.03,
    }),
  ],
  [
    null,
    {
      type: "provider.failed",
      reply_id: "a6",
      kind: "rate_limit",
      message: "Too many requests, slow down",
      status: 429,
      attempt: 1,
      retry_in: 8,
    },
  ],
  ["alice", { type: "comment.added", comment_id: "k2", text: "Nice and small.", about: null }],
  [
    null,
    spoke(
      "a6",
      text(
        "Now the tests. I run them with:\n\n```bash\npython3 -m unittest -v\n```\n\n| case | expected |\n|---|---|\n| `[1,]` | `[1]` |\n| `[,]` | an error |",
      ),
      call("c9", "bash", { command: "python3 -m unittest -v" }),
    ),
  ],
  [null, started("c9", "bash", { command: "python3 -m unittest -v" })],
  [
    null,
    finished("c9", "bash", "\u001b[31mtest_comma (test_parser.ListTest) ... FAIL\u001b[0m\n\nRan 12 tests in 0.401s\nFAILED (failures=1)", {
      error: "Command exited with code 1",
      metadata: { exit_code: 1 },
      seconds: 0.4,
    }),
  ],
  [null, spoke("a7", call("c10", "question", {}))],
  [
    null,
    {
      type: "question.asked",
      question_id: "q1",
      call_id: "c10",
      default: "",
      questions: [
        {
          question: "Should `[,]` be an error or an empty list?",
          header: "Empty",
          multi_select: false,
          options: [
            { label: "An error", description: "As the plan says" },
            { label: "An empty list", description: "More lenient, as in JSON5" },
          ],
        },
      ],
    },
  ],
  [null, { type: "run.waiting", run_id: "r1", calls: ["c10"] }],
  ["alice", { type: "question.answered", question_id: "q1", call_id: "c10", answers: [{ labels: ["An error"], text: "" }] }],
  [null, finished("c10", "question", "An error")],
  [null, { type: "run.resumed", run_id: "r1" }],
  [null, { type: "run.started", run_id: "r1", sandbox: "bubblewrap" }],
  [
    null,
    spoke(
      "a8",
      text("Then the command has to change. I clear the cache and run again."),
      call("c11", "bash", { command: "rm -rf .pytest_cache && python3 -m unittest", working_dir: "tests" }),
    ),
  ],
  [
    null,
    {
      type: "approval.asked",
      approval_id: "p2",
      call_id: "c11",
      tool: "bash",
      args: { command: "rm -rf .pytest_cache && python3 -m unittest", working_dir: "tests" },
      prompt: "Run rm -rf .pytest_cache && python3 -m unittest",
      subject: "rm -rf .pytest_cache && python3 -m unittest",
      hash: "h2",
      preview: "",
      risk: "high",
    },
  ],
  [null, { type: "run.waiting", run_id: "r1", calls: ["c11"] }],
  [
    "alice",
    {
      type: "approval.decided",
      approval_id: "p2",
      call_id: "c11",
      verdict: "deny",
      scope: "once",
      reason: "No need to delete anything.",
      hash: "h2",
    },
  ],
  [null, finished("c11", "bash", "", { error: "Denied by alice: No need to delete anything." })],
  ["bob", { type: "user.spoke", message_id: "message-2", text: "Please also update the changelog." }],
  [
    null,
    spoke(
      "a9",
      call("c12", "memory_write", {
        title: "Lists may end with a comma",
        content: "Since March, `parse_list` accepts `[1,]`.",
        scope: "project",
      }),
      call("c13", "bash", { command: "python3 -m unittest" }),
    ),
  ],
  [
    null,
    started("c12", "memory_write", {
      title: "Lists may end with a comma",
      content: "Since March, `parse_list` accepts `[1,]`.",
      scope: "project",
    }),
  ],
  [null, { type: "memory.written", memory_id: "m2", title: "Lists may end with a comma", scope: "project", memory_type: "project" }],
  [null, finished("c12", "memory_write", "Saved.")],
  [null, started("c13", "bash", { command: "python3 -m unittest" })],
];
