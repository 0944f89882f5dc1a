import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Choices, choices } from "./choices.svelte";
import { How } from "./how.svelte";
import MoreFields from "./MoreFields.svelte";
import ToolsetField from "./ToolsetField.svelte";

const toolset = (name: string, title: string, workflow: string, tools: number, part_of = "") => ({
  name,
  title,
  about: `About ${title}.`,
  workflow,
  part_of,
  tools,
});
const KNOWN = {
  "toolsets/brief/": [
    toolset("oats", "OATS", "react", 35),
    toolset("alfredo", "Alfredo", "verified", 1),
    toolset("agent_loop", "agent_loop", "react", 9),
    toolset("agent_loop_v1", "agent_loop v1", "react", 0, "agent_loop"),
    toolset("agent_loop_v2", "agent_loop v2", "react", 2, "agent_loop"),
  ],
  "workflows/": [
    { name: "react", title: "React", about: "Speaks and acts.", phases: [] },
    { name: "verified", title: "Verified", about: "Plans, works, checks.", phases: ["plan", "work", "verify"] },
  ],
  "protocols/": [
    { name: "native", title: "Function calling", about: "The vendor's own." },
    { name: "xml", title: "XML tags", about: "In text." },
  ],
};
const GIVEN = { provider: "scripted", model: "demo", toolset: "oats", workflow: "", protocol: "native" };
const none = (): string[] => [];

beforeEach(() => {
  choices.toolsets = KNOWN["toolsets/brief/"];
  choices.workflows = KNOWN["workflows/"];
  choices.protocols = KNOWN["protocols/"];
});
afterEach(() => {
  choices.toolsets = choices.workflows = choices.protocols = [];
});

const values = (): string[] => screen.getAllByRole("radio").map((input) => (input as HTMLInputElement).value);
const checked = (name: RegExp): boolean => screen.getByRole<HTMLInputElement>("radio", { name }).checked;

describe("what there is to choose", () => {
  it("is fetched once, and again after it could not be had", async () => {
    const asked: string[] = [];
    let up = false;
    vi.stubGlobal("fetch", async (address: URL | string) => {
      const path = String(address).split("/api/")[1] as keyof typeof KNOWN;
      asked.push(path);
      return up ? Response.json(KNOWN[path]) : Response.json({ title: "Down" }, { status: 503 });
    });
    const fresh = new Choices();
    await fresh.load();
    expect(fresh.toolsetTitle("alfredo")).toBe("alfredo");
    up = true;
    await fresh.load();
    await fresh.load();
    expect(asked.sort()).toEqual([...Object.keys(KNOWN), ...Object.keys(KNOWN)].sort());
    expect([fresh.toolsetTitle("alfredo"), fresh.workflowTitle("react"), fresh.protocolTitle("xml")]).toEqual([
      "Alfredo",
      "React",
      "XML tags",
    ]);
    expect([fresh.inForce("", "alfredo"), fresh.inForce("react", "alfredo"), fresh.inForce("", "gone")]).toEqual(["verified", "react", ""]);
  });
});

describe("the choice of a toolset", () => {
  it("offers each by its title, a line about it and how many tools it has", async () => {
    const { container } = render(ToolsetField, { toolset: "oats" });
    expect(values()).toEqual(["oats", "alfredo", "agent_loop"]);
    expect(container.textContent).toMatch(/OATS.*About OATS\..*35 tools.*Alfredo.*About Alfredo\..*1 tool/s);
    expect(checked(/OATS/)).toBe(true);
    await fireEvent.click(screen.getByRole("radio", { name: /Alfredo/ }));
    expect(checked(/Alfredo/)).toBe(true);
    expect(screen.getByRole("link", { name: "Compare all" }).getAttribute("href")).toBe("/toolsets");
  });

  it("shows the smaller sets of a toolset beneath it, once it or one of them is chosen", async () => {
    render(ToolsetField, { toolset: "agent_loop_v2" });
    expect(values()).toEqual(["oats", "alfredo", "agent_loop", "agent_loop_v1", "agent_loop_v2"]);
    await fireEvent.click(screen.getByRole("radio", { name: /OATS/ }));
    await waitFor(() => expect(values()).toEqual(["oats", "alfredo", "agent_loop"]));
  });

  it("keeps what was chosen where the list cannot be had, or does not name it", () => {
    const { unmount } = render(ToolsetField, { toolset: "gone" });
    expect(values()).toEqual(["gone", "oats", "alfredo", "agent_loop"]);
    unmount();
    choices.toolsets = [];
    render(ToolsetField, { toolset: "oats" });
    expect(values()).toEqual(["oats"]);
  });

  it("says what the server has against it", () => {
    render(ToolsetField, { toolset: "oats", errors: ["There is no such toolset."] });
    expect(screen.getByRole("alert").textContent).toBe("There is no such toolset.");
  });
});

describe("workflow and protocol", () => {
  it("are folded, and the folded line says what holds", async () => {
    const how = new How({ ...GIVEN, toolset: "alfredo" });
    const { container } = render(MoreFields, { how, errors: none });
    expect(container.querySelector("details")?.open).toBe(false);
    expect(container.querySelector("summary")?.textContent).toMatch(/Workflow and protocol: Verified, Function calling/);
    expect(checked(/As the toolset has it \(Verified\)/)).toBe(true);
    await fireEvent.click(screen.getByRole("radio", { name: /XML tags/ }));
    await fireEvent.click(screen.getByRole("radio", { name: /React/ }));
    expect(how.chosen).toEqual({ ...GIVEN, toolset: "alfredo", workflow: "react", protocol: "xml" });
    await waitFor(() => expect(container.querySelector("summary")?.textContent).toMatch(/React, XML tags/));
  });

  it("unfold where the server has something against them", () => {
    const errors = (field: string): string[] => (field === "protocol" ? ["There is no such protocol."] : []);
    const { container } = render(MoreFields, { how: new How(GIVEN), errors });
    expect(container.querySelector("details")?.open).toBe(true);
    expect(screen.getByRole("alert").textContent).toBe("There is no such protocol.");
  });

  it("go with the toolset: another works in its own way until somebody says otherwise", () => {
    const how = new How({ ...GIVEN, workflow: "verified" });
    expect(how.resolved.workflow).toBe("verified");
    how.toolset = "agent_loop";
    expect([how.chosen.workflow, how.resolved.workflow]).toEqual(["", "react"]);
    how.toolset = "oats";
    expect(how.chosen.workflow).toBe("verified");
  });
});
