import { describe, expect, it } from "vitest";
import { call, lineOf, MODIFIED } from "../../dev/calls";
import type { CallItem } from "../sessions/items";
import { plain } from "./ansi";
import { fileDiffs } from "./proposed";
import { toolKind, TOOLS } from "./table";
import { lookedAt } from "./words";

const line = (item: CallItem): string => lineOf(item);

describe("the summary of a call", () => {
  it.each<[CallItem, string]>([
    [call("read", { file_path: "a.py" }, { metadata: { lines_shown: 120 } }), "Read | a.py | 120 lines"],
    [call("read", { file_path: "a.py" }, null), "Reading | a.py"],
    [call("edit", { file_path: "a.py" }, { changes: MODIFIED }), "Edited | a.py | +4 −1"],
    [call("apply_patch", {}, { changes: [...MODIFIED, ...MODIFIED] }), "Patched | 2 files | +8 −2"],
    [call("bash", { command: "make\ntest" }, { metadata: { exit_code: 1 }, seconds: 0.4 }), "Ran | make | exit 1 · 0.4 s"],
    [call("bash", { command: "make" }, { metadata: { timeout: true, exit_code: -1 } }), "Ran | make | timed out"],
    [call("grep", { pattern: "x", path: "src" }, { metadata: { total_matches: 1 } }), "Searched | x | in src · 1 match"],
    [call("todowrite", {}, { metadata: { count: 3, completed: 1 } }), "Updated the todo list | 1 of 3 done"],
    [call("summon", { url: "https://example.org" }), "summon | https://example.org"],
  ])("says what was done, to what, and how it went", (item, expected) => {
    expect(line(item)).toBe(expected);
  });

  it("does not mind arguments that are no JSON", () => {
    const broken = { ...call("edit", {}, null), written: '{"file_path": "a' };
    expect(Object.keys(TOOLS).map((tool) => line({ ...broken, tool }))).toHaveLength(Object.keys(TOOLS).length);
  });

  it("puts calls that only looked into one sentence", () => {
    const read = (path: string): CallItem => call("read", { file_path: path });
    expect(lookedAt([read("a"), read("b"), read("a"), call("grep", {}), call("glob", {})])).toBe("Read 2 files, searched 2×");
  });
});

describe("a terminal", () => {
  it("shows what is left to see of colours and progress bars", () => {
    expect(plain("\u001b[1;31mred\u001b[0m\r\n 10%\r 99%\rdone\n\u001b]0;title\u0007$ \u001b[2K")).toBe("red\ndone\n$ ");
  });
});

describe("a change that has not happened yet", () => {
  it("is drawn from the call's arguments", () => {
    const edit = call("edit", { file_path: "a.py", old_string: "one\ntwo", new_string: "one\n2" }, null);
    expect(fileDiffs(edit)).toMatchObject([{ path: "a.py", added: 1, removed: 1 }]);
    expect(fileDiffs(call("write", { file_path: "b.py", content: "x\ny\n" }, null))).toMatchObject([{ path: "b.py", added: 2 }]);
    expect(fileDiffs(call("bash", { command: "ls" }, null))).toEqual([]);
  });
});
