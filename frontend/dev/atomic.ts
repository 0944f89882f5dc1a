/* A made-up session with the Atomic toolset: every way its tools show what they did. */

import type { Fact } from "../src/protocol";
import { PIXELS, PTY, SCRIPT, SOURCES, TEXTS } from "./atomicTexts";
import { call, done, finished, opened, type Said, spoke, started, text } from "./say";

const says = (id: string, words: string): Said => [null, spoke(id, text(words))];
const diff = (path: string, before: string[], after: string[], first = 1): string =>
  [
    `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -${first},${before.length} +${first},${after.length} @@`,
    ...before.map((line) => `-${line}`),
    ...after.map((line) => `+${line}`),
    "",
  ].join("\n");
const read = (id: string, path: string, output: string, metadata: Record<string, unknown>, more: object = {}): Said[] =>
  done(id, "read", { path }, output, { metadata: { path, ...metadata }, ...more });

const TABLE = {
  columns: ["id", "name", "price", "note"],
  rows: [
    [1, "apple", 1.2, null],
    [2, "pear", 0.9, "from the old orchard behind the house, picked in the second week of September"],
    [3, "quince", 3, ""],
  ],
};
const GREET = diff("greet.py", ["def greet(name):", "    print(name)"], ["def greet(name: str) -> None:", '    print(f"Hello, {name}")']);
const APP = diff("src/app.py", ["    run()"], ["    run(quiet=True)"], 12);
const EDITED = {
  sections: [
    { path: "greet.py", tag: "55BE", warnings: [], blocks: ["replace block 1 → resolved lines 1-2 (2 lines)"], recovered: false },
    {
      path: "src/app.py",
      tag: "9F02",
      warnings: ["src/app.py was changed externally since it was read; the edit was carried over. Verify the diff."],
      blocks: [],
      recovered: true,
    },
  ],
  noop: false,
};

const job = (job_id: string, call_id: string, command: string, terminal = false): Fact => ({
  type: "job.started",
  job_id,
  call_id,
  command,
  timeout: 900,
  terminal,
});
const startedJob = (id: string, job_id: string, command: string, terminal = false): Said[] => {
  const args = { command, async: true, ...(terminal ? { pty: true } : {}) };
  const metadata = { command, async: { jobId: job_id, type: "bash", state: "running", command, status: "running" } };
  return [
    [null, spoke(`reply-${id}`, call(id, "bash", args))],
    [null, started(id, "bash", args)],
    [null, job(job_id, id, command, terminal)],
    [null, finished(id, "bash", `Started in the background as ${job_id}.`, { metadata })],
  ];
};
const DIED = { state: "failed" as const, error: "", exit_code: 2, seconds: 41.7, artifact: 7 };
const EDIT_ASKED: Fact = {
  type: "approval.asked",
  approval_id: "p9",
  call_id: "t20",
  tool: "edit",
  args: { input: SCRIPT },
  prompt: "edit greet.py, src/app.py",
  subject: "greet.py",
  hash: "h9",
  preview: GREET + APP,
  risk: "medium",
};

export const ATOMIC: Said[] = [
  ["alice", { ...opened("The Atomic toolset"), toolset: "atomic" } as Fact],
  ["alice", { type: "user.spoke", message_id: "message-1", text: "Show me what each tool looks like." }],
  [null, { type: "run.queued", run_id: "r1", acting_for: "alice" }],
  [null, { type: "run.started", run_id: "r1", sandbox: "bubblewrap" }],
  ...read("t1", "greet.py:1-40", TEXTS.file, { kind: "text", tag: "F0A1", path: "greet.py" }),
  says("s1", "A folder, a table, a notebook:"),
  ...read("t2", "src", TEXTS.folder, { kind: "folder" }),
  says("s2", "The shop's prices:"),
  ...read("t3", "shop.db:fruit?limit=3", TEXTS.rows, { kind: "sqlite", path: "shop.db", table: TABLE }),
  says("s3", "And the notebook:"),
  ...read("t4", "study.ipynb", TEXTS.notebook, { kind: "notebook", tag: "0C3D" }),
  says("s4", "A document, a page, a picture:"),
  ...read("t5", "report.pdf", TEXTS.document, { kind: "document", markdown: true }),
  says("s5", "On the web:"),
  ...read("t6", "https://docs.example.org/hashes", TEXTS.page, { kind: "url", markdown: true }, { seconds: 0.8 }),
  says("s6", "Its logo:"),
  ...read(
    "t7",
    "logo.png",
    "[Image: logo.png, 10 × 10]",
    { kind: "image" },
    {
      attachments: [{ name: "logo.png", media_type: "image/png", data: PIXELS }],
    },
  ),
  says("s7", "There is a conflict to settle:"),
  ...read("t8", "src/config.py:conflicts", TEXTS.conflicts, { kind: "conflicts", path: "src/config.py", tag: "77AB" }),
  ...done("t9", "write", { path: "conflict://1", content: "@theirs" }, "Resolved conflict 1\n[src/config.py#81D0]", {
    metadata: { kind: "conflict", resolvedPath: "src/config.py", tag: "81D0", bytes: 412 },
    changes: [
      {
        path: "src/config.py",
        change: "modified",
        added: 1,
        removed: 5,
        diff: diff("src/config.py", ["<<<<<<< HEAD", "PORT = 80", "=======", "PORT = 8080", ">>>>>>> feature"], ["PORT = 8080"], 4),
      },
    ],
  }),
  ...read("t10", "wheel.zip:", "src/\nsrc/app.py  1.2KB\nREADME.md  340B", { kind: "archive" }),
  says("s8", "Looking for things:"),
  ...done("t11", "search", { pattern: "run\\(", paths: ["src", "tests"] }, TEXTS.search, { metadata: { matchCount: 3, fileCount: 2 } }),
  says("s9", "And for files:"),
  ...done("t12", "find", { paths: ["**/*.py"] }, TEXTS.find, { metadata: { fileCount: 5 } }),
  ...done("t13", "edit", { input: SCRIPT }, "[greet.py#55BE]\n…", {
    changes: [
      { path: "greet.py", change: "modified", added: 2, removed: 2, diff: GREET },
      { path: "src/app.py", change: "modified", added: 1, removed: 1, diff: APP },
    ],
    metadata: EDITED,
  }),
  ...done(
    "t14",
    "edit",
    { input: '[greet.py#55BE]\nreplace 2:\n+    print(f"Hello, {name}")\n' },
    "Parsed and applied cleanly, but it produced no change.",
    {
      metadata: { sections: [{ path: "greet.py", tag: "55BE", warnings: [], blocks: [] }], noop: true, diff: "" },
    },
  ),
  ...done("t15", "write", { path: "bin/serve", content: SOURCES.serve }, "[bin/serve#1B9E]\nSuccessfully wrote 64 bytes to bin/serve", {
    changes: [
      { path: "bin/serve", change: "created", added: 3, removed: 0, diff: diff("bin/serve", [], SOURCES.serve.trimEnd().split("\n")) },
    ],
    metadata: { kind: "file", resolvedPath: "bin/serve", tag: "1B9E", bytes: 64, stripped: true, madeExecutable: true },
  }),
  ...done("t16", "bash", { command: "npm test -- --watch=false", pty: true }, "✓ 12 passed", {
    metadata: { command: "npm test", exitCode: 0, timeoutSeconds: 300, terminal: { cols: 120, rows: 40, artifact: 3 } },
    seconds: 6.2,
  }),
  ...done("t17", "bash", { command: "make all 2>&1", cwd: "native", timeout: 9000 }, TEXTS.make, {
    error: "Command exited with code 2",
    metadata: { command: "make all", exitCode: 2, timeoutSeconds: 3600, requestedTimeoutSeconds: 9000, artifact: 4 },
    seconds: 72.4,
  }),
  ...startedJob("t18", "job-1", "npm run build -- --mode production"),
  ...startedJob("t19", "job-2", "python train.py --epochs 30", true),
  ...startedJob("t21", "job-3", "cargo test --workspace --all-features -- --test-threads 2"),
  [null, { type: "job.finished", job_id: "job-1", ...DIED }],
  [null, { type: "job.finished", job_id: "job-3", state: "completed", error: "", exit_code: 0, seconds: 18.2, artifact: 8 }],
  [null, spoke("reply-t22", call("t22", "bash", { command: "htop", pty: true }))],
  [null, started("t22", "bash", { command: "htop", pty: true })],
  [null, spoke("reply-t20", text("One more edit, if you agree."), call("t20", "edit", { input: SCRIPT }))],
  [null, EDIT_ASKED],
  [null, { type: "run.waiting", run_id: "r1", calls: ["t20"] }],
];

/** What the artifacts of this session hold, by number. */
export const ARTIFACTS: Record<string, string> = { 3: PTY, 4: TEXTS.make.repeat(40), 7: TEXTS.build, 8: "test result: ok. 48 passed\n" };
export const PRINTED: Record<string, string> = {
  "job-1": TEXTS.build,
  "job-2": "epoch 1/30\r\nepoch 2/30\r\n",
  "job-3": "test result: ok. 48 passed\n",
};
