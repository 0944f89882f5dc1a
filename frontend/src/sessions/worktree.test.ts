import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { conversationAbout, show } from "../../dev/stage";
import { opened, type Said } from "../../dev/say";
import type { Fact } from "../protocol";
import ChangesPanel from "./ChangesPanel.svelte";
import Header from "./Header.svelte";
import RowView from "./RowView.svelte";
import { pageRows } from "./rows";

const begun = opened("Fix it");
const made: Fact = { type: "worktree.made", branch: "countersign/agent-1", base: "0123456789" };
const over: Fact = { type: "run.finished", run_id: "r1", outcome: "done", detail: "" };
const landed: Fact = { type: "worktree.landed", changes: [{ path: "a.py", change: "created", added: 1, removed: 0, diff: "" }] };
const below = opened("Fix it", {
  parent: "s0",
  root: "s0",
  call_id: "c1",
  agent_id: "agent-1",
  agent_type: "general",
  depth: 1,
  background: false,
  working_dir: "",
});
const log = (...facts: Fact[]): Said[] => facts.map((fact) => [null, fact]);

let answers: Record<string, unknown>;
let posted: unknown[];

beforeEach(() => {
  answers = {};
  posted = [];
  vi.stubGlobal("fetch", (address: string, { body }: RequestInit = {}) => {
    if (body) posted.push(JSON.parse(String(body)));
    const answer = answers[address.replace("/api/", "")];
    return Promise.resolve(answer ? Response.json(answer) : Response.json({ title: "Down" }, { status: 503 }));
  });
});
afterEach(() => void vi.unstubAllGlobals());

const changes = (into: string): object => ({ files: [], added: 0, removed: 0, note: "", hash: "as seen", into });

describe("landing a worktree", () => {
  it.each([
    ["", "Land in the project"],
    ["Fix it · OATS", "Land in the worktree above"],
  ])("says where to: above is %j", async (into, words) => {
    answers["sessions/s1/diff/"] = changes(into);
    show(conversationAbout(log(below, made, over), ["view", "approve_tools"]), ChangesPanel, {});
    const button = await waitFor(() => {
      const found = screen.getByRole<HTMLButtonElement>("button", { name: words });
      expect(found.disabled).toBe(false);
      return found;
    });
    expect(screen.queryByText(`Not in the project yet: it lands in the worktree of “${into}”.`) !== null).toBe(into !== "");
    await fireEvent.click(button);
    expect(posted).toMatchObject([{ command: "land_worktree", hash: "as seen" }]);
  });

  it("is told as landed in the project only where it was", () => {
    for (const [first, words] of [
      [begun, "landed 1 file in the project"],
      [below, "landed 1 file"],
    ] as const) {
      const session = conversationAbout(log(first, made, over, landed));
      const row = pageRows(session).at(-1)!;
      const { container } = show(session, RowView, { row });
      expect(container.textContent?.replace(/\s+/g, " ")).toMatch(new RegExp(`${words}( just| \\d|$)`));
    }
  });
});

describe("the header of a side of a comparison", () => {
  const side = (session: string, label: string): object => ({ session, label });
  const header = (...facts: Fact[]): HTMLElement =>
    show(conversationAbout(log(begun, ...facts)), Header, { stop: () => undefined }).container;

  it("leads back to the comparison", async () => {
    const found = { id: "c1", title: "Fix it", left: side("s0", "OATS"), right: side("s1", "Atomic") };
    answers["comparisons/?session=s1"] = { results: [found] };
    header(made);
    const link = await screen.findByRole("link", { name: "Compared with OATS" });
    expect(link.getAttribute("href")).toBe("/comparisons/c1");
    expect(link.closest("nav")?.textContent).toContain("Atomic");
  });

  it("says nothing where there is none, or where it is not known", async () => {
    answers["comparisons/?session=s1"] = { results: [] };
    const none = header(made);
    delete answers["comparisons/?session=s1"];
    const unknown = header(made);
    await new Promise((resolve) => setTimeout(resolve));
    for (const container of [none, unknown]) expect(container.querySelector("nav")).toBeNull();
  });
});
