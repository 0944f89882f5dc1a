import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ARTIFACTS, ATOMIC } from "../../dev/atomic";
import { done } from "../../dev/say";
import { callOf, conversationAbout, show } from "../../dev/stage";
import CallBody from "../sessions/CallBody.svelte";
import CallRow from "../sessions/CallRow.svelte";
import type { Conversation } from "../sessions/conversation.svelte";
import type { CallItem } from "../sessions/items";
import { toolKind } from "./table";

let session: Conversation;
let asked: string[] = [];

beforeEach(() => {
  asked = [];
  vi.stubGlobal("fetch", (address: string) => {
    asked.push(address);
    const number = /artifacts\/(\d+)\//.exec(address)?.[1] ?? "";
    return Promise.resolve(number in ARTIFACTS ? new Response(ARTIFACTS[number]) : Response.json({ title: "Gone" }, { status: 404 }));
  });
  session = conversationAbout(ATOMIC);
});
afterEach(() => vi.unstubAllGlobals());

const body = (item: CallItem): HTMLElement => show(session, CallBody, { call: item, body: toolKind(item).body, live: "" }).container;
const shown = (call_id: string): HTMLElement => body(callOf(ATOMIC, call_id));

describe("a command", () => {
  it("without a terminal shows its lines, its folder and its limit", () => {
    const box = shown("t17");
    expect(box.textContent).toContain("'items' undeclared");
    expect(box.textContent).toContain("in native");
    expect(box.textContent).toContain("at most 3600 s");
  });

  it("leads to all it printed", async () => {
    HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
      this.open = true;
    };
    shown("t17");
    await fireEvent.click(screen.getByRole("button", { name: "Full output" }));
    await waitFor(() => expect(screen.getByRole("region", { name: "The whole text", hidden: true }).textContent).toContain("Makefile:12"));
    expect(asked[0]).toMatch(/^\/api\/sessions\/s1\/artifacts\/4\/\?offset=0&limit=\d+$/);
    expect(screen.getByText("Download").getAttribute("href")).toBe("/api/sessions/s1/artifacts/4/");
  });

  it("with a terminal falls back to its plain text where that was not kept", async () => {
    const log = done("p1", "bash", { command: "top", pty: true }, "plain words", {
      metadata: { exitCode: 0, terminal: { cols: 120, rows: 40, artifact: 99 } },
    });
    const box = body(callOf(log, "p1"));
    await waitFor(() => expect(box.textContent).toContain("plain words"));
  });

  it("that went to the background shows how its job stands", () => {
    const { page } = show(session, CallRow, { call: callOf(ATOMIC, "t18") });
    expect(screen.getByRole("article").textContent).toContain("Exit 2");
    expect(page.panel).toBe("todos");
  });

  it("leads to its job in the panel", async () => {
    const { page } = show(session, CallBody, { call: callOf(ATOMIC, "t19"), body: toolKind(callOf(ATOMIC, "t19")).body, live: "" });
    await fireEvent.click(screen.getByRole("button", { name: "Show the background job" }));
    expect([page.panel, page.isUnfolded("job:job-2")]).toEqual(["jobs", true]);
  });
});
