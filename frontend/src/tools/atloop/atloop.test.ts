import { describe, expect, it } from "vitest";
import { call, CREATED, lineOf, MODIFIED, PAGE } from "../../../dev/calls";
import type { CallItem } from "../../sessions/items";
import { fileDiffs } from "../proposed";
import { ATOMIC, toolKind, TOOLS } from "../table";
import { lookedAt } from "../words";

const line = (item: CallItem): string => lineOf(item, "atloop");

const edits = [
  { path: "a.py", old_string: "one", new_string: "1" },
  { path: "b.py", old_string: "two", new_string: "2" },
];

describe("a call of atloop", () => {
  it.each<[CallItem, string]>([
    [call("read_file", { path: "a.py", offset: 3, limit: 3 }, { metadata: PAGE }), "Read | a.py | lines 3–5 of 9"],
    [call("read_file", { path: "a.png" }, { metadata: { file_type: "binary" } }), "Read | a.png"],
    [call("write_file", { path: "a.py", content: "x" }, { changes: CREATED }), "Created | a.py | +4 −0"],
    [call("append_file", { path: "a.py", content: "x" }, { changes: MODIFIED }), "Added to | a.py | +4 −1"],
    [call("edit_file", { path: "a.py", content: "<old>x</old><new>y</new>" }, { changes: MODIFIED }), "Edited | a.py | +4 −1"],
    [call("multi_edit_file", { edits }, { changes: [...MODIFIED, ...MODIFIED] }), "Edited | 2 files | +8 −2"],
    [call("multi_edit_file", { edits }, { error: "None was made." }), "Editing | several files, all or none"],
    [call("glob", { pattern: "**/*.py" }, { metadata: { total_matches: 2 } }), "Listed | **/*.py | 2 files"],
    [call("run", { cmd: "make\ntest" }, { metadata: { exit_code: 1 }, seconds: 0.4 }), "Ran | make | exit 1 · 0.4 s"],
    [call("run", { cmd: "make" }, { metadata: { exit_code: null, timeout: true }, error: "Timed out." }), "Ran | make | timed out"],
    [call("search", { query: "x", glob: "*.py" }, { metadata: { shown: 1 } }), "Searched | x | in *.py · 1 line"],
    [call("search", { query: "x", output_mode: "count" }, { metadata: { shown: 2 } }), "Searched | x | 2 files"],
    [call("search", { query: "x" }, { metadata: { shown: 50, truncated: true } }), "Searched | x | first 50 lines"],
    [call("todo_write", { todos: [] }, { metadata: { count: 3, completed: 1 } }), "Updated the todo list | 1 of 3 done"],
    [call("todo_read", {}), "Looked at the todo list"],
  ])("is summed up in a line", (item, expected) => {
    expect(line(item)).toBe(expected);
  });

  it("is told from Atomic's of the same name by what it was given", () => {
    expect(toolKind(call("search", { query: "x" }), "atloop")).toBe(TOOLS["search"]);
    expect(toolKind(call("search", {}, null), "atloop")).toBe(TOOLS["search"]);
    expect(toolKind(call("search", { pattern: "x" }), "atloop")).toBe(ATOMIC["search"]);
    expect(toolKind(call("search", {}, null), "atomic")).toBe(ATOMIC["search"]);
  });

  it("shows what an edit wants to change", () => {
    const edit = call("edit_file", { path: "a.py", content: "<new>one\n2</new>\n<old>one\ntwo</old>" }, null);
    expect(fileDiffs(edit)).toMatchObject([{ path: "a.py", added: 1, removed: 1 }]);
    expect(fileDiffs(call("multi_edit_file", { edits }, null))).toMatchObject([{ path: "a.py" }, { path: "b.py" }]);
    const odd = call("edit_file", { path: "a.py", content: "not an edit" }, null);
    expect(fileDiffs(odd)).toMatchObject([{ path: "a.py", added: 1, removed: 0 }]);
  });

  it("is put into a sentence where it only looked", () => {
    const reads = ["a", "b", "a"].map((path) => call("read_file", { path }));
    expect(lookedAt([...reads, call("search", {}), call("todo_read", {})])).toBe("Read 2 files, searched once, looked at how things stand");
  });
});
