/* The made-up log: a little of everything. */

import type { Fact, Note, Part, Person, ToolFinished } from "../src/protocol";

export const PEOPLE: Person[] = [
  { id: "alice", name: "Alice Moreau" },
  { id: "bob", name: "Bob Tanaka" },
];

const spoke = (id: string, ...parts: Part[]): Fact => ({
  type: "agent.spoke",
  reply_id: id,
  parts,
  finish: parts.some((part) => part.type === "call") ? "calls" : "stop",
  provider: "scripted",
  model: "demo",
  usage: { input: 18_400, output: 620, cache_read: 16_000, cache_write: 0, reasoning: 0, cost: 0.031 },
  seconds: 3.4,
});
const text = (words: string): Part => ({ type: "text", text: words });
const thought = (words: string): Part => ({ type: "reasoning", text: words, signature: "", extras: {} });
const call = (call_id: string, tool: string, args: object): Part => ({
  type: "call",
  call_id,
  tool,
  arguments: JSON.stringify(args),
  extras: {},
});
const started = (call_id: string, tool: string, args: Record<string, unknown>): Fact => ({ type: "tool.started", call_id, tool, args });
const finished = (call_id: string, tool: string, output: string, more: Partial<ToolFinished> = {}): Fact => ({
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

const PLAN = `# Make the parser accept trailing commas

## Steps

1. Read \`parser.py\` and its tests.
2. Let \`parse_list\` stop at a closing bracket **after** a comma.
3. Add tests for \`[1, 2,]\` and for \`[,]\`, which stays an error.

## Risks

An empty list with a comma (\`[,]\`) must still be refused.

\`\`\`python
def parse_list(self):
    while not self.at("]"):
        items.append(self.parse_value())
\`\`\`
`;

const DIFF = `--- a/parser.py
+++ b/parser.py
@@ -41,9 +41,11 @@ class Parser:
     def parse_list(self):
         self.expect("[")
         items = []
-        while True:
+        while not self.at("]"):
             items.append(self.parse_value())
-            if not self.accept(","):
+            if self.at("]"):
+                break
+            if not self.expect(","):
                 break
         self.expect("]")
         return items
`;

const READ = `    41\t    def parse_list(self):\n    42\t        self.expect("[")\n    43\t        items = []\n\n[Showing lines 41-43 of 120]`;
const TODOS = [
  { content: "Read the parser", status: "completed" as const, active: "Reading the parser" },
  { content: "Accept a trailing comma", status: "in_progress" as const, active: "Accepting a trailing comma" },
  { content: "Add tests", status: "pending" as const, active: "Adding tests" },
];

export const LOG: [string | null, Fact][] = [
  [
    "alice",
    {
      type: "session.opened",
      title: "Accept trailing commas in lists",
      toolset: "oats",
      provider: "scripted",
      model: "demo",
      workflow: "react",
      origin: null,
    },
  ],
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

export const NOTES: Note[] = [
  { type: "output.grew", call_id: "c13", at: 0, text: "test_comma ... ok\ntest_empty ... ok\ntest_nested ... " },
  { type: "text.grew", reply_id: "a10", part: 0, at: 0, text: "All tests pass. Next I write the **changelog** entry, which sa" },
];
