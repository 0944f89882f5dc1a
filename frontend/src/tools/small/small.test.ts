import { describe, expect, it } from "vitest";
import { call, lineOf, PAGE } from "../../../dev/calls";
import type { CallItem } from "../../sessions/items";
import { fileDiffs } from "../proposed";
import { ATOMIC, toolKind, TOOLS } from "../table";
import { lookedAt } from "../words";

const line = (item: CallItem): string => lineOf(item, "agent_loop");

describe("a call of agent_loop", () => {
  it.each<[CallItem, string]>([
    [call("read", { path: "a.py", cwd: "src" }, { metadata: PAGE }), "Read | src/a.py | lines 3–5 of 9"],
    [call("read", { path: "a.py" }, { metadata: { ...PAGE, start_line: 1, end_line: 9 } }), "Read | a.py | 9 lines"],
    [call("ls", {}, { metadata: { entries: 1 } }), "Listed | . | 1 entry"],
    [call("find", { pattern: "*.py", path: "." }, { metadata: { total_matches: 2 } }), "Listed | *.py | 2 files"],
    [call("grep", { pattern: "x", path: "src" }, { metadata: { total_matches: 2 } }), "Searched | x | in src · 2 matches"],
    [call("calculate", { expression: "(2+3)*4" }, { output: "20" }), "Calculated | (2+3)*4 | = 20"],
    [call("calculate", { expression: "1/0" }, { error: "Division by zero." }), "Calculate | 1/0"],
    [call("calculate", { expression: "9**99" }, { output: "9".repeat(95) }), `Calculated | 9**99 | = ${"9".repeat(37)}…`],
    [call("get_current_time", {}, { output: "2026-02-10T12:34:56+00:00" }), "Looked at the clock | 2026-02-10T12:34:56+00:00"],
    [call("skill", { name: "debugging" }, { metadata: { source: "builtin" } }), "Read the skill | debugging | builtin"],
    [call("read_skill_file", { path: "a.md", skill_name: "docx" }, { metadata: PAGE }), "Read of a skill | docx/a.md | lines 3–5 of 9"],
  ])("is summed up in a line", (item, expected) => {
    expect(line(item)).toBe(expected);
  });

  it("is told from calls of others by what it was given, and by what came of it", () => {
    const its = toolKind(call("read", { path: "a" }, { metadata: PAGE }), "atomic");
    expect(its).not.toBe(ATOMIC["read"]);
    expect(toolKind(call("read", { path: "a", cwd: "b" }, null), "atomic")).toBe(its);
    expect(toolKind(call("read", { path: "a" }, null), "agent_loop_v3")).toBe(its);
    expect(toolKind(call("read", { path: "a" }, { error: "gone" }), "agent_loop")).toBe(its);
    expect(toolKind(call("read", { path: "a" }, { metadata: { kind: "file" } }), "agent_loop")).toBe(ATOMIC["read"]);
    expect(toolKind(call("edit", { path: "a", old_text: "x", new_text: "y" }), "atomic")).toBe(TOOLS["edit"]);
    expect(toolKind(call("write", { path: "a", content: "x" }, { metadata: { status: "created" } }), "atomic")).toBe(TOOLS["write"]);
    expect(toolKind(call("find", { pattern: "*", path: "." }), "atomic")).toBe(TOOLS["find"]);
    expect(toolKind(call("find", { paths: ["*"] }), "agent_loop")).toBe(ATOMIC["find"]);
  });

  it("shows what an edit wants to change", () => {
    const edit = call("edit", { path: "a.py", old_text: "one\ntwo", new_text: "one\n2" }, null);
    expect(fileDiffs(edit)).toMatchObject([{ path: "a.py", added: 1, removed: 1 }]);
  });

  it("is put into a sentence where it only looked", () => {
    expect(lookedAt([call("ls", {}), call("find", {}), call("skill", {})])).toBe("Searched 2×, read how it is done");
  });
});
