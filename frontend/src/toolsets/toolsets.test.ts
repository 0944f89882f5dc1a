import { fireEvent, render, screen, within } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { deedOf, deedRows } from "./deeds";
import { parametersOf } from "./parameters";
import type { Schema, Tool, Toolset } from "./records";
import { chosenOf, queryOf } from "./sets";
import ToolsetsPage from "./ToolsetsPage.svelte";

const PATH: Schema = { type: "object", properties: { path: { type: "string", description: "The file." } }, required: ["path"] };
const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  description: `What ${name} does.`,
  parameters: PATH,
  aliases: [],
  keywords: [],
  group: "core_tools",
  always_load: true,
  strict: false,
  read_only: false,
  asks: "allow",
  ...more,
});
const toolset = (name: string, tools: Tool[], more: Partial<Toolset> = {}): Toolset => ({
  name,
  title: name.toUpperCase(),
  about: `About ${name}.`,
  workflow: "react",
  part_of: "",
  tools,
  ...more,
});

const OATS = toolset("oats", [tool("read"), tool("edit"), tool("multiedit"), tool("agent")]);
const ALFREDO = toolset("alfredo", [tool("read_file"), tool("attempt_completion"), tool("agent")], { workflow: "verified" });
const SMALL = toolset("small", [tool("read")], { part_of: "oats" });
const KNOWN = [OATS, ALFREDO, SMALL];

describe("what is done", () => {
  it("lays tools of different names in one row, and leaves out what nobody does", () => {
    const rows = deedRows([OATS, ALFREDO]);
    const told = rows.map(({ deed, cells }) => [deed, ...cells.map(({ tools }) => tools.map(({ name }) => name).join(" "))]);
    expect(told).toEqual([
      ["Read files", "read", "read_file"],
      ["Edit files", "edit multiedit", ""],
      ["Say it is done", "", "attempt_completion"],
      ["Hand on work", "agent", "agent"],
    ]);
    expect(rows.map(({ alike }) => alike)).toEqual([false, false, false, true]);
  });

  it("calls tools alike only where the model is told the same of them", () => {
    const other = toolset("other", [tool("agent", { description: "Otherwise." })]);
    expect(deedRows([OATS, other]).find(({ deed }) => deed === "Hand on work")?.alike).toBe(false);
  });

  it("places a tool that it does not know by its group", () => {
    expect(deedOf(tool("look_up_ticket", { group: "web_tools" }))).toBe("Reach the web");
    expect(deedOf(tool("greet", { group: "team" }))).toBe("Other");
  });
});

describe("parameters in words", () => {
  it("tell type, need and meaning, with the fields of what is nested", () => {
    const schema: Schema = {
      type: "object",
      required: ["todos"],
      properties: {
        todos: { type: "array", items: { $ref: "#/$defs/Todo" }, description: "All items." },
        limit: { anyOf: [{ type: "integer" }, { type: "null" }], default: 20, description: "At most." },
        tags: { type: "array", items: { type: "string" }, default: [] },
        mode: { enum: ["fast", "slow"], default: "fast" },
      },
      $defs: {
        Todo: {
          type: "object",
          required: ["content"],
          properties: { content: { type: "string", description: "What." }, done: { type: "boolean" } },
        },
      },
    };
    expect(parametersOf(schema).map((one) => [one.name, one.type, one.required, one.about, one.fallback])).toEqual([
      ["todos", "list of object", true, "All items.", ""],
      ["todos[].content", "text", true, "What.", ""],
      ["todos[].done", "yes or no", false, "", ""],
      ["limit", "whole number", false, "At most.", "20"],
      ["tags", "list of text", false, "", ""],
      ["mode", "“fast” or “slow”", false, "", '"fast"'],
    ]);
  });

  it("end where a schema holds itself", () => {
    const schema: Schema = {
      properties: { node: { $ref: "#/$defs/Node" } },
      $defs: { Node: { type: "object", properties: { below: { $ref: "#/$defs/Node" } } } },
    };
    expect(parametersOf(schema).map(({ name }) => name)).toEqual(["node", "node.below", "node.below.below", "node.below.below.below"]);
  });
});

describe("which toolsets are shown", () => {
  it("are those that the address names, else all that stand for themselves", () => {
    expect(chosenOf(KNOWN, "")).toEqual([OATS, ALFREDO]);
    expect(chosenOf(KNOWN, "small,oats,gone")).toEqual([OATS, SMALL]);
    expect(chosenOf(KNOWN, "gone")).toEqual([OATS, ALFREDO]);
    expect([queryOf(KNOWN, ["alfredo", "oats"]), queryOf(KNOWN, ["alfredo"])]).toEqual(["", "alfredo"]);
  });
});

describe("the page", () => {
  let answer: () => Response;
  beforeEach(() => {
    answer = () => Response.json(KNOWN);
    vi.stubGlobal("fetch", async (address: URL | string) =>
      String(address).endsWith("/api/toolsets/") ? answer() : Response.json([], { status: 503 }),
    );
  });

  it("shows each toolset with its workflow, its tools and its descriptions to take away", async () => {
    render(ToolsetsPage);
    const head = await screen.findByRole("article", { name: "ALFREDO" });
    expect(head.textContent).toMatch(/About alfredo\..*verified.*3/s);
    const link = within(head).getByRole("link", { name: "Export the descriptions of ALFREDO" });
    expect(link.getAttribute("href")).toBe("/api/toolsets/alfredo/descriptions/");
    expect(screen.queryByRole("article", { name: "SMALL" })).toBeNull();
  });

  it("opens a tool to what the model is told of it, and closes it again", async () => {
    render(ToolsetsPage);
    const row = await screen.findByRole("region", { name: "Read files" });
    const button = within(row).getByRole("button", { name: "read_file" });
    expect(button.getAttribute("aria-expanded")).toBe("false");
    await fireEvent.click(button);
    expect(button.getAttribute("aria-expanded")).toBe("true");
    const opened = within(row).getByRole("article");
    expect(opened.id).toBe(button.getAttribute("aria-controls"));
    expect(opened.textContent).toMatch(/read_file.*ALFREDO.*What read_file does\..*path.*text, required.*The file\./s);
    await fireEvent.click(within(opened).getByRole("button", { name: "Close read_file" }));
    expect(within(row).queryByRole("article")).toBeNull();
  });

  it("says once what is the same in each", async () => {
    render(ToolsetsPage);
    const row = await screen.findByRole("region", { name: "Hand on work" });
    expect(within(row).getAllByRole("button").length).toBe(1);
    expect(row.textContent).toContain("The same in each");
  });

  it("compares those that are switched on, keeps the last, and says so in the address", async () => {
    render(ToolsetsPage);
    const oats = await screen.findByRole("button", { name: "OATS" });
    await fireEvent.click(oats);
    expect(location.search).toBe("?of=alfredo");
    expect(screen.queryByRole("article", { name: "OATS" })).toBeNull();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "ALFREDO" }).disabled).toBe(true);
    await fireEvent.click(screen.getByRole("button", { name: "SMALL" }));
    expect(location.search).toBe("?of=alfredo%2Csmall");
    expect(screen.getByRole("article", { name: "SMALL" }).textContent).toContain("Part of");
  });

  it("says that the list could not be had, and tries again", async () => {
    answer = () => Response.json({ title: "Down" }, { status: 503 });
    render(ToolsetsPage);
    await screen.findByRole("alert");
    answer = () => Response.json(KNOWN);
    await fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByRole("article", { name: "OATS" });
  });
});
