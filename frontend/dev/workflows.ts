/* Two made-up sessions with phases: one whose work is verified by the model, one by the project's own test command. */

import type { Fact, PhaseEntered, VerdictGiven } from "../src/protocol";
import { call, done, finished, opened, type Said, spoke, started, text, thought } from "./say";
import { DIFF } from "./texts";

const phase =
  (workflow: string) =>
  (name: string, more: Partial<PhaseEntered> = {}): Said => [
    null,
    { type: "phase.entered", workflow, phase: name, cycle: 1, detail: "", told: "", ...more },
  ];
const verdict = (verified: boolean, words: string, more: Partial<VerdictGiven> = {}): Said => [
  null,
  { type: "verdict.given", verified, text: words, cycle: 1, by: "model", told: "", ...more },
];
const begun = (id: string, prompt: string): Said[] => [
  ["alice", { type: "user.spoke", message_id: `message-${id}`, text: prompt }],
  [null, { type: "run.queued", run_id: id, acting_for: "alice" }],
  [null, { type: "run.started", run_id: id, sandbox: "bubblewrap" }],
];
const over = (run_id: string): Said => [null, { type: "run.finished", run_id, outcome: "done", detail: "" }];
const edit = (id: string): Said[] =>
  done(id, "replace_in_file", { path: "parser.py", diff: "<<<<<<< SEARCH" }, "Applied 1 block.", {
    changes: [{ path: "parser.py", change: "modified", added: 4, removed: 2, diff: DIFF }],
  });
const completed = (id: string, result: string, command = ""): Said[] => [
  [null, spoke(`reply-${id}`, call(id, "attempt_completion", { result, command }))],
  [null, started(id, "attempt_completion", { result, command })],
  [null, { type: "completion.attempted", call_id: id, result, command }],
  [null, finished(id, "attempt_completion", result)],
];

const PLANNED = `1. Let \`parse_list\` stop at a closing bracket that follows a comma.
2. Test \`[1,]\` and \`[,]\`.

It is done when both tests pass and none that passed before fails.`;
const NOT_YET = `NOT VERIFIED: \`[1,]\` is parsed, but **\`[,]\` is too**, and gives an empty list.

- \`parser.py:43\` skips every comma before the bracket
- there is no test of \`[,]\``;
const NOW = "VERIFIED: I ran `python -m pytest -q` (48 passed) and read the diff. `[,]` is refused with the position of the comma.";
const inVerified = phase("verified");

export const VERIFIED: Said[] = [
  ["alice", { ...opened("Trailing commas, verified"), toolset: "alfredo", workflow: "verified", protocol: "xml" } as Fact],
  ...begun("r1", "Let lists end after a comma. `[,]` must stay an error."),
  inVerified("plan", { told: "[Workflow: plan, round 1]\nBefore anything is changed, plan the task above. Read what you need." }),
  [null, spoke("v1", text("<read_file>\n<path>parser.py</path>\n<read_file>"))],
  [
    null,
    {
      type: "reply.refused",
      reply_id: "v1",
      reason: "<read_file> is opened twice and never closed.",
      told: "Your reply could not be read: <read_file> is opened twice and never closed. Reply again, with one whole call.",
    },
  ],
  ...done("t1", "read_file", { path: "parser.py" }, "def parse_list(text):"),
  ...done("t2", "search_files", { path: ".", regex: "parse_list" }, "parser.py"),
  [null, spoke("v2", text(PLANNED))],
  inVerified("act"),
  ...edit("t3"),
  [null, spoke("v3", text("The list ends after a comma now."))],
  inVerified("act", {
    detail: "The agent called nothing and is told to go on.",
    told: "[Workflow: act, round 1]\nYour reply called no tool.",
  }),
  ...completed("t4", "`parse_list` takes a trailing comma.", "python -m pytest -q"),
  inVerified("verify"),
  ...done("t5", "execute_command", { command: "python -m pytest -q" }, "47 passed", { seconds: 2.1, metadata: { exit_code: 0 } }),
  [null, spoke("v4", thought("What of [,] alone?"), text(NOT_YET))],
  verdict(false, NOT_YET),
  inVerified("plan", { cycle: 2, detail: "What was found missing is planned anew." }),
  [null, spoke("v5", text("Refuse a comma that follows no item, and test it."))],
  inVerified("act", { cycle: 2 }),
  ...edit("t6"),
  ...completed(
    "t7",
    "Lists may end after a comma, and `[,]` stays an error:\n\n- `parser.py` stops at a bracket that follows a comma\n- two tests were added",
    "python -m pytest -q tests/test_parser.py",
  ),
  inVerified("verify", { cycle: 2 }),
  ...done("t8", "execute_command", { command: "python -m pytest -q" }, "48 passed", { seconds: 2.3, metadata: { exit_code: 0 } }),
  [null, spoke("v6", text(NOW))],
  verdict(true, NOW, { cycle: 2 }),
  over("r1"),
];

const inPhased = phase("phased");
const TESTS = { command: "python -m pytest -q" };
const PACK = `[Workflow: discover, round 1]
What follows was collected from the project before you begin.

## Profile
Python 3.13, tests by \`python -m pytest -q\`

## parser.py
- \`parse_list\` (41)
- \`parse_item\` (60)`;
/** A call that the workflow makes itself. */
const tested = (id: string, output: string, error: string | null = null): Said[] => [
  [null, { ...spoke(`reply-${id}`, call(id, "run", TESTS)), provider: "", model: "" } as Fact],
  [null, started(id, "run", TESTS)],
  [null, finished(id, "run", output, { error, seconds: 2.4, metadata: { exit_code: error ? 1 : 0, ...TESTS } })],
];
const ran = (id: string, added: number): Said[] => [
  [null, started(id, "edit_file", { path: "parser.py" })],
  [
    null,
    finished(id, "edit_file", "Edited parser.py", {
      changes: [{ path: "parser.py", change: "modified", added, removed: 1, diff: DIFF }],
    }),
  ],
];
const FAILED =
  "python -m pytest -q failed (exit code 1):\n\n```\nFAILED tests/test_parser.py::test_comma - IndexError\n1 failed, 46 passed\n```";

export const PHASED: Said[] = [
  ["alice", { ...opened("Trailing commas, in phases"), toolset: "atloop", workflow: "phased", protocol: "json" } as Fact],
  ...begun("r2", "Let lists end after a comma."),
  inPhased("discover", { detail: "Python, 14 files; tests: python -m pytest -q", told: PACK }),
  inPhased("plan", { told: "[Workflow: plan, round 1]\nDecide what comes next and make the calls for it in this one reply." }),
  [null, spoke("p1", text("I let `parse_list` stop at the bracket."), call("u1", "edit_file", { path: "parser.py" }))],
  inPhased("act"),
  ...ran("u1", 4),
  inPhased("verify", { detail: "python -m pytest -q" }),
  ...tested("u2", "1 failed, 46 passed", "exit code 1"),
  verdict(false, FAILED, { by: "command", told: FAILED }),
  inPhased("discover", { cycle: 2 }),
  inPhased("plan", { cycle: 2 }),
  [null, spoke("p2", text("The comma itself must be skipped."), call("u3", "edit_file", { path: "parser.py" }))],
  inPhased("act", { cycle: 2 }),
  ...ran("u3", 1),
  inPhased("verify", { cycle: 2, detail: "python -m pytest -q" }),
  ...tested("u4", "47 passed"),
  verdict(true, "python -m pytest -q passed.", { by: "command", cycle: 2 }),
  inPhased("discover", { cycle: 3 }),
  inPhased("plan", { cycle: 3 }),
  [null, spoke("p3", text("Lists may end after a comma. All 47 tests pass."))],
  over("r2"),
];
