import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { toasts } from "../shell/toasts.svelte";
import AskCard from "./AskCard.svelte";
import { inbox } from "./inbox.svelte";
import type { InboxItem } from "./records";

const item: InboxItem = {
  session: { id: "s1", title: "Fix the rounding" },
  project: { id: "p1", name: "Ledger" },
  may_decide: true,
  ask: {
    ask: "approval",
    call_id: "c1",
    seq: 4,
    at: "2026-01-01T10:00:00Z",
    question: null,
    approval: {
      type: "approval.asked",
      approval_id: "a1",
      call_id: "c1",
      tool: "bash",
      args: { command: "rm -rf build && make" },
      prompt: "Run a command",
      subject: "rm",
      hash: "h1",
      preview: "",
      risk: "high",
    },
  },
};

let posted: { path: string; body: unknown }[] = [];

function server(status: number, body: unknown): void {
  vi.stubGlobal("fetch", async (path: string, { method, body: sent }: RequestInit) => {
    if (method !== "POST") return Response.json([]);
    posted.push({ path, body: JSON.parse(String(sent)) });
    return Response.json(body, { status });
  });
}

beforeEach(() => {
  posted = [];
  toasts.list = [];
  inbox.items = [item];
});
afterEach(() => vi.unstubAllGlobals());

const button = (name: string | RegExp): HTMLElement => screen.getByRole("button", { name });

test("an approval shows the exact command and leads to its card", () => {
  render(AskCard, { item });
  expect(document.body.textContent).toContain("rm -rf build && make");
  expect(screen.getByRole("link", { name: "Run a command" }).getAttribute("href")).toBe("/sessions/s1#ask-c1");
  expect(screen.getByText("High risk")).toBeTruthy();
});

test("allowing names the hash of what was shown, and the card goes", async () => {
  server(200, {});
  render(AskCard, { item });
  await fireEvent.click(button("Allow once"));
  await waitFor(() => expect(inbox.items).toEqual([]));
  expect(posted).toEqual([
    { path: "/api/sessions/s1/approvals/a1/decide/", body: { hash: "h1", verdict: "allow", scope: "once", reason: "" } },
  ]);
});

test("denying asks for a reason first, and stepping back decides nothing", async () => {
  server(200, {});
  render(AskCard, { item });
  await fireEvent.click(button("Deny…"));
  await fireEvent.click(button("Back"));
  expect(posted).toEqual([]);
  await fireEvent.click(button("Deny…"));
  await fireEvent.input(screen.getByRole("textbox"), { target: { value: " use make clean " } });
  await fireEvent.click(button("Deny"));
  await waitFor(() => expect(posted[0]?.body).toMatchObject({ verdict: "deny", reason: "use make clean" }));
});

test("whoever comes second hears who decided", async () => {
  server(409, { kind: "conflict", title: "Somebody was first", detail: "Bob allowed it.", by: { id: "u2", name: "Bob" } });
  render(AskCard, { item });
  await fireEvent.click(button("Allow once"));
  await waitFor(() => expect(toasts.list.map(({ text }) => text)).toEqual(["Somebody was first. Bob allowed it."]));
});

test("who may not decide sees the ask without its buttons", () => {
  render(AskCard, { item: { ...item, may_decide: false } });
  expect(screen.queryByRole("button", { name: /Allow|Deny/ })).toBeNull();
  expect(document.body.textContent).toContain("You may not decide this one");
});
