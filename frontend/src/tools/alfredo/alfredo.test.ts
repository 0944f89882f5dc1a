import { describe, expect, it } from "vitest";
import { call, CREATED, lineOf, PAGE } from "../../../dev/calls";
import type { CallItem } from "../../sessions/items";
import { fileDiffs } from "../proposed";
import { toolKind } from "../table";
import { blocksIn } from "./blocks";

const line = (item: CallItem): string => lineOf(item, "alfredo");

const BLOCKS = "Here:\n------- SEARCH\none\n=======\n1\n+++++++ REPLACE\n\n<<<<<<< SEARCH\r\ntwo\r\n=======\r\n>>>>>>> REPLACE";

describe("a call of Alfredo", () => {
  it.each<[CallItem, string]>([
    [call("read_file", { path: "a.py", offset: 2 }, { metadata: PAGE }), "Read | a.py | lines 3–5 of 9"],
    [call("write_to_file", { path: "a.py", content: "x" }, { changes: CREATED }), "Created | a.py | +4 −0"],
    [call("list_files", { path: "src" }, { metadata: { entries: 1 } }), "Listed | src | 1 entry"],
    [
      call("list_files", { path: ".", recursive: "true" }, { metadata: { entries: 1000, recursive: true, truncated: true } }),
      "Listed | . | with all below · first 1000 entries",
    ],
    [call("search_files", { path: ".", regex: "x" }, { metadata: { total_matches: 2 } }), "Searched | x | 2 matches"],
    [call("search_files", { path: "src", regex: "x", file_pattern: "*.py" }, null), "Searching | x | in src · *.py"],
    [
      call("list_code_definition_names", { path: "src" }, { metadata: { definitions: 4, total_files: 1 } }),
      "Looked at what is defined in | src | 4 names · 1 file",
    ],
    [call("execute_command", { command: "make" }, { metadata: { exit_code: 2 } }), "Ran | make | exit 2"],
    [call("ask_followup_question", { question: "Which?" }, null), "Asks | Which?"],
    [call("attempt_completion", { result: "Made it.\nAll of it." }), "Said that it is done | Made it."],
    [call("write_todo_list", { content: "1. [x] a" }, { metadata: { count: 1, completed: 1 } }), "Updated the todo list | 1 of 1 done"],
    [call("read_todo_list", {}), "Looked at the todo list"],
  ])("is summed up in a line", (item, expected) => {
    expect(line(item)).toBe(expected);
  });

  it("shows what its blocks want to change", () => {
    const edit = call("replace_in_file", { path: "a.py", diff: BLOCKS }, null);
    expect(fileDiffs(edit)).toMatchObject([
      { path: "a.py", added: 1, removed: 1 },
      { path: "a.py", added: 0, removed: 1 },
    ]);
    expect(fileDiffs(call("replace_in_file", { path: "a.py", diff: "no block" }, null))).toEqual([]);
  });
});

describe("blocks", () => {
  it("are shown as far as they are written", () => {
    expect(blocksIn(BLOCKS)).toEqual([
      { search: "one\n", replace: "1\n" },
      { search: "two\n", replace: "" },
    ]);
    expect(blocksIn("------- SEARCH\none\n=======\nhal")).toEqual([{ search: "one\n", replace: "hal\n" }]);
    expect(blocksIn("------- SEARCH\none")).toEqual([]);
    expect(blocksIn("------- SEARCH\n+++++++ REPLACE\n=======\n")).toEqual([]);
  });
});
