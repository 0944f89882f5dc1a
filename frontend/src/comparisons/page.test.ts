import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FileChange } from "../protocol";
import { EMPTY_STATE } from "../sessions/apply";
import ComparisonPage from "./ComparisonPage.svelte";
import type { Comparison, Figures, Side } from "./records";

const figures: Figures = {
  replies: 3,
  tool_calls: 4,
  failed_calls: 0,
  refused_replies: 0,
  input: 900,
  output: 90,
  cost: 0,
  unpriced: 0,
  seconds: 7,
  files: 1,
  added: 1,
  removed: 1,
};
const side = (session: string, label: string): Side => ({
  session,
  label,
  title: `Fix it · ${label}`,
  toolset: label.toLowerCase(),
  workflow: "react",
  protocol: "native",
  status: "done",
  asks: 0,
  phase: "",
  cycle: 0,
  worktree: "open",
  branch: "countersign/agent-1",
  figures,
});
const COMPARISON: Comparison = {
  id: "c1",
  title: "Fix it",
  prompt: "Fix it\nplease",
  project: { id: "p1", name: "Shelf" },
  team: { id: "t1", name: "Readers" },
  created_by: null,
  provider: "scripted",
  model: "demo",
  base: "b",
  created: "2026-01-01T10:00:00Z",
  outcome: "",
  left: side("s1", "OATS"),
  right: { ...side("s2", "Atomic"), figures: { ...figures, tool_calls: 6 } },
};
const change = (line: string): FileChange => ({
  path: "shelf.py",
  change: "modified",
  added: 1,
  removed: 1,
  diff: `@@ -1 +1 @@\n-one\n+${line}`,
});

let found: Comparison;
let posted: { path: string; body: unknown }[];
let answer: () => Response;
let rights: string[];

function server(address: string, { method, body }: RequestInit): Promise<Response> {
  const path = new URL(address, "http://localhost").pathname.replace("/api/", "");
  if (method === "POST") {
    posted.push({ path, body: JSON.parse(String(body)) });
    return Promise.resolve(answer());
  }
  const id = path.split("/")[1] ?? "";
  if (path.endsWith("/snapshot/")) {
    const state = { ...EMPTY_STATE, run: { ...EMPTY_STATE.run, state: found[id === "s1" ? "left" : "right"].status } };
    const snapshot = { session_id: id, project_id: "p1", project_name: "Shelf", rights, state, entries: [], people: [], first: 0 };
    return Promise.resolve(Response.json(snapshot));
  }
  const changed = { files: [change(id === "s1" ? "eins" : "uno")], added: 1, removed: 1, note: "", hash: `hash of ${id}` };
  return Promise.resolve(Response.json(path.endsWith("/diff/") ? changed : found));
}

class Silent {
  close(): void {}
  send(): void {}
}

beforeEach(() => {
  found = COMPARISON;
  posted = [];
  rights = ["view", "prompt", "stop", "approve_tools"];
  answer = () => Response.json(found);
  vi.stubGlobal("fetch", server);
  vi.stubGlobal("WebSocket", Silent);
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
    this.open = false;
    this.dispatchEvent(new Event("close"));
  };
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** The button with these words once it can be pressed. By its text: roles of a whole page take long to tell. */
const button = (name: string): Promise<HTMLButtonElement> =>
  waitFor(() => {
    const found = screen.getAllByText(name).flatMap((words) => words.closest("button") ?? []);
    expect(found[0]?.disabled).toBe(false);
    return found[0]!;
  });

test("both sides stand beside each other with their figures and diffs", async () => {
  render(ComparisonPage, { id: "c1" });
  const row = within(await screen.findByRole("row", { name: /Tool calls/ }));
  expect(row.getAllByRole("cell").map((cell) => cell.textContent?.trim())).toEqual(["4", "6"]);
  expect(row.getByLabelText("better")).toBeTruthy();
  expect(await screen.findByText("eins")).toBeTruthy();
  expect(screen.getByText("uno")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Atomic" }).getAttribute("href")).toBe("/sessions/s2");
});

test("keeping one asks again, and lands exactly what was shown", async () => {
  render(ComparisonPage, { id: "c1" });
  await fireEvent.click(await button("Keep Atomic"));
  expect(posted).toEqual([]);
  expect(screen.getByRole("dialog").textContent).toContain("What OATS changed is dropped.");
  const kept = { ...COMPARISON, outcome: "right" as const, left: { ...COMPARISON.left, worktree: "dropped" as const } };
  answer = () => Response.json({ ...kept, right: { ...COMPARISON.right, worktree: "landed" } });
  await fireEvent.click(await button("Keep it"));
  await waitFor(() => expect(screen.queryByText("Keep OATS")).toBeNull());
  expect(posted).toEqual([{ path: "comparisons/c1/keep/", body: { side: "right", hash: "hash of s2" } }]);
  expect(screen.getByText("Kept")).toBeTruthy();
});

test("what landing was refused for is told where it was asked", async () => {
  answer = () =>
    Response.json({ kind: "conflict", title: "The workspace and the agent changed the same", detail: "shelf.py." }, { status: 409 });
  render(ComparisonPage, { id: "c1" });
  await fireEvent.click(await button("Keep OATS"));
  await fireEvent.click(await button("Keep it"));
  expect((await screen.findByRole("alert")).textContent).toContain("shelf.py.");
});

test("while one works, and for who may not decide, there is nothing to press", async () => {
  found = { ...COMPARISON, right: { ...COMPARISON.right, status: "running" } };
  const { unmount } = render(ComparisonPage, { id: "c1" });
  expect(await screen.findByText(/can be kept when both have ended/)).toBeTruthy();
  unmount();
  found = COMPARISON;
  rights = ["view"];
  render(ComparisonPage, { id: "c1" });
  expect(await screen.findByText(/Somebody who may approve tools/)).toBeTruthy();
  expect(screen.queryByText(/^(Keep|Drop) /)).toBeNull();
});

test("where there is room for one, a switch says which", async () => {
  render(ComparisonPage, { id: "c1" });
  const atomic = await button("Atomic");
  expect(atomic.getAttribute("aria-pressed")).toBe("false");
  await fireEvent.click(atomic);
  expect(atomic.getAttribute("aria-pressed")).toBe("true");
});
