import { fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import AskHarness from "../../dev/AskHarness.svelte";
import type { ApprovalAsked, Command } from "../protocol";
import { EMPTY_STATE } from "./apply";
import { Conversation, type Right } from "./conversation.svelte";

const asked: ApprovalAsked = {
  type: "approval.asked",
  approval_id: "a1",
  call_id: "c1",
  tool: "bash",
  args: { command: "rm -rf build && make" },
  prompt: "Run rm -rf build && make",
  subject: "rm -rf build && make",
  hash: "h1",
  preview: "",
  risk: "high",
};

let sent: { id: string; command: Command }[];
let session: Conversation;
const socket = { readyState: 1, send: (text: string) => void sent.push(JSON.parse(text) as never), close: () => undefined };

function show(...rights: Right[]): HTMLElement {
  session.heard({ type: "welcome", me: { id: "alice", name: "Alice" }, rights, head: 0 });
  render(AskHarness, { session, asked });
  return screen.getByLabelText(/^Permission required/);
}

beforeEach(async () => {
  sent = [];
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ state: EMPTY_STATE, entries: [], people: [], rights: [], first: 0 })));
  session = new Conversation("s1", { connect: () => socket as unknown as WebSocket, random: () => 0, now: () => 0 });
  await session.open();
});

afterEach(() => {
  session.close();
  vi.unstubAllGlobals();
});

describe("an approval card", () => {
  it("shows the command word for word, and the risk", () => {
    const card = show("approve_tools");
    expect(card.textContent).toContain("rm -rf build && make");
    expect(card.textContent).toContain("high risk");
  });

  it("allows once with y, naming exactly what was asked", async () => {
    await fireEvent.keyDown(show("approve_tools"), { key: "y" });
    expect(sent[0]?.command).toMatchObject({ command: "decide_approval", approval_id: "a1", hash: "h1", verdict: "allow", scope: "once" });
  });

  it("is never denied by Esc, neither on the card nor while a reason is written", async () => {
    const card = show("approve_tools");
    await fireEvent.keyDown(card, { key: "Escape" });
    await fireEvent.keyDown(card, { key: "n" });
    await fireEvent.keyDown(screen.getByLabelText(/^Why it is denied/), { key: "Escape" });
    expect(sent).toEqual([]);
    expect(screen.queryByLabelText(/^Why it is denied/)).toBeNull();
  });

  it("gives the agent the reason for a denial", async () => {
    await fireEvent.keyDown(show("approve_tools"), { key: "n" });
    const reason = screen.getByLabelText(/^Why it is denied/);
    await fireEvent.input(reason, { target: { value: "Keep the build folder" } });
    await fireEvent.keyDown(reason, { key: "Enter" });
    expect(sent[0]?.command).toMatchObject({ verdict: "deny", reason: "Keep the build folder" });
  });

  it("shows the rule before it allows something for the whole project", async () => {
    const card = show("approve_tools", "manage_projects");
    vi.stubGlobal("fetch", () => Promise.resolve(Response.json([{ tool: "bash", pattern: "make", action: "allow" }])));
    await fireEvent.keyDown(card, { key: "p" });
    const allow = await screen.findByText("Allow for this project");
    expect(card.textContent).toContain("Allow bash on exactly make");
    expect(sent).toEqual([]);
    await fireEvent.click(allow);
    expect(sent[0]?.command).toMatchObject({ verdict: "allow", scope: "project", hash: "h1" });
  });

  it("offers the whole project only to those who manage it", async () => {
    const card = show("approve_tools");
    expect(card.textContent).not.toContain("for this project");
    await fireEvent.keyDown(card, { key: "p" });
    expect(card.textContent).toContain("Allow once");
  });

  it("says who decided first", async () => {
    await fireEvent.keyDown(show("approve_tools"), { key: "y" });
    const problem = { kind: "conflict" as const, title: "Decided", detail: "It was denied.", by: { id: "bob", name: "Bob" } };
    session.heard({ type: "refused", id: sent[0]!.id, problem });
    expect((await screen.findByRole("alert")).textContent).toBe("Bob decided first. It was denied.");
  });

  it("lets those who may not decide look, and tells them who may", async () => {
    const card = show("view");
    await fireEvent.keyDown(card, { key: "y" });
    expect(sent).toEqual([]);
    expect(card.textContent).toContain("may approve tools");
  });
});
