import { fireEvent, screen } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ATOMIC } from "../../../dev/atomic";
import { call, done, opened, type Said, spoke } from "../../../dev/say";
import { callOf, conversationAbout, show } from "../../../dev/stage";
import ApprovalDetail from "../../sessions/ApprovalDetail.svelte";
import CallBody from "../../sessions/CallBody.svelte";
import type { Conversation } from "../../sessions/conversation.svelte";
import { blankCall, type CallItem } from "../../sessions/items";
import { toolKind } from "../table";

let session: Conversation;

beforeEach(() => {
  session = conversationAbout(ATOMIC);
});

function body(item: CallItem, live = ""): HTMLElement {
  return show(session, CallBody, { call: item, body: toolKind(item, "atomic").body, live }).container;
}
const shown = (call_id: string): HTMLElement => body(callOf(ATOMIC, call_id));
const line = (call_id: string): string => {
  const { verb, subject, note } = toolKind(callOf(ATOMIC, call_id)).summary(callOf(ATOMIC, call_id));
  return [verb, subject, note].filter(Boolean).join(" | ");
};

describe("a line for a call", () => {
  it.each([
    ["t1", "Read | greet.py:1-40 | 6 lines"],
    ["t2", "Read | src | folder"],
    ["t3", "Read | shop.db:fruit?limit=3 | database · 3 rows"],
    ["t9", "Resolved | conflict://1 | conflict · +1 −5"],
    ["t11", "Searched | run\\( | in src, tests · 3 matches in 2 files"],
    ["t12", "Found | **/*.py | 5 files"],
    ["t13", "Edited | 2 files | +3 −3"],
    ["t14", "Left as it was: | greet.py"],
    ["t17", "Ran | make all 2>&1 | exit 2 · 1 min 12 s"],
    ["t18", "Started | npm run build -- --mode production | in the background"],
  ])("says of %s what was done", (call_id, expected) => expect(line(call_id)).toBe(expected));
});

describe("a tool whose name two toolsets have", () => {
  const oats = done("o1", "read", { file_path: "a.py" }, "1\tx");
  const unknown = { ...blankCall({ seq: 1, at: "", by: null, cut: [] }, "u1"), tool: "edit", written: "" };

  it("is shown as that of its own toolset", () => {
    expect(toolKind(callOf(oats, "o1"), "atomic")).not.toBe(toolKind(callOf(ATOMIC, "t1"), "oats"));
    expect(toolKind(unknown, "atomic")).not.toBe(toolKind(unknown, "oats"));
  });
});

describe("what was read", () => {
  it("is lines with numbers, and the tag as a chip", () => {
    const box = shown("t1");
    expect(screen.getByTitle(/Names this state/).textContent).toBe("#F0A1");
    expect(screen.getByRole("region", { name: "lines of greet.py" }).textContent).toContain("print(name)");
    expect(box.textContent).toContain("Continue with path selector :7.");
    expect(box.textContent).not.toContain("[greet.py#F0A1]");
  });

  it("is a tree, a table, cells", () => {
    expect(shown("t2").textContent).toContain("… 14 more");
    shown("t3");
    expect(screen.getAllByRole("columnheader").map((cell) => cell.textContent)).toEqual(["id", "name", "price", "note"]);
    expect(screen.getByText("NULL")).toBeTruthy();
    shown("t4");
    expect(screen.getByRole("heading", { name: "How long do edits take?" })).toBeTruthy();
  });

  it("is a document as it was meant to be read, and safe", async () => {
    const box = shown("t5");
    expect(screen.getByRole("heading", { name: "Quarterly report" })).toBeTruthy();
    expect(box.querySelector("script")).toBeNull();
    await fireEvent.click(screen.getByRole("button", { name: "Source" }));
    expect(screen.getByRole("region", { name: "text of report.pdf" }).textContent).toContain("# Quarterly report");
  });

  it("is a page of the web with its address, or a picture", () => {
    shown("t6");
    expect(screen.getByRole("link", { name: /docs.example.org\/hashes/ }).getAttribute("rel")).toBe("noopener noreferrer");
    expect(shown("t7").querySelector("img")?.getAttribute("src")).toMatch(/^data:image\/png;base64,/);
  });

  it("shows the sides of a conflict, and how to settle it", () => {
    const box = shown("t8");
    expect([...box.querySelectorAll("tr.ours, tr.theirs")].map((row) => row.textContent)).toEqual(["5PORT = 80", "9PORT = 8080"]);
    expect(box.textContent).toContain("conflict://1 is lines 4-10");
  });
});

describe("what was found", () => {
  it("is files with the words that matched marked", () => {
    const box = shown("t11");
    expect([...box.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual(["run(", "run(", "run("]);
    expect(screen.getByRole("region", { name: "matches in src/app.py" }).textContent).toContain("def main():");
  });

  it("is folders with their files", () => {
    expect(shown("t12").textContent).toMatch(/setup\.py.*src\/.*app\.py.*src\/core\/.*loop\.py/s);
  });

  it("shows what has been found so far", () => {
    const running = { ...callOf(ATOMIC, "t12"), finished: null };
    expect(body(running, "src/app.py\n").textContent).toContain("src/app.py");
  });
});

describe("an edit by script", () => {
  it("is a diff a file, with what the tool said of each", () => {
    const box = shown("t13");
    expect(screen.getByRole("region", { name: "Lines of greet.py" })).toBeTruthy();
    expect(box.textContent).toContain("resolved lines 1-2 (2 lines)");
    expect(box.textContent).toContain("Verify the diff");
    expect(box.textContent).toContain("recovered");
  });

  it("says so where nothing changed", () => {
    expect(shown("t14").textContent).toContain("Nothing changed");
  });

  it("can be read while it is written", () => {
    const growing: CallItem = { ...blankCall({ seq: 1, at: "", by: null, cut: [] }, "g1"), tool: "edit" };
    const box = body({ ...growing, written: '{"input": "[greet.py#F0A1]\\ninsert after 2:\\n+    return' });
    expect(box.textContent).toContain("insert after 2:");
    expect(box.querySelector("pre.added")?.textContent).toBe("+    return");
  });

  it("stands word for word in its approval", () => {
    const approval = callOf(ATOMIC, "t20").approval!;
    const { container } = show(session, ApprovalDetail, { asked: approval.fact });
    expect(container.textContent).toContain("replace 12..12:");
    expect(container.querySelectorAll("section.diff")).toHaveLength(2);
  });

  it("shows what failed, and the script", () => {
    const log = done("f1", "edit", { input: "[a.py#0000]\ndelete 2" }, "", { error: "Tag 0000 is not from this session" });
    const box = body(callOf(log, "f1"));
    expect(box.textContent).toContain("is not from this session");
    expect(box.textContent).toContain("delete 2");
  });
});

describe("what was written", () => {
  it("is a diff with its notes", () => {
    const box = shown("t15");
    expect(box.textContent).toContain("created · 64 B · #1B9E");
    expect(box.textContent).toContain("made executable");
    expect(box.textContent).toContain("were taken off");
  });

  it("says what became of a row of a database", () => {
    const log = done("w1", "write", { path: "shop.db:fruit", content: "{name: 'fig'}" }, "Inserted row 4 into fruit", {
      metadata: { kind: "sqlite", resolvedPath: "shop.db" },
    });
    expect(body(callOf(log, "w1")).textContent).toContain("Inserted row 4 into fruit");
  });
});

it("draws every call of the made-up session without a complaint", () => {
  const complaints = vi.spyOn(console, "error");
  for (const call_id of ["t10", "t16", "t20", "t21"]) shown(call_id);
  const broken: Said[] = [
    ["alice", opened("x")],
    [null, spoke("b", call("b1", "search", { pattern: "(" }))],
  ];
  body(callOf(broken, "b1"));
  expect(complaints).not.toHaveBeenCalled();
});
