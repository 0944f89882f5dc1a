import { describe, expect, it } from "vitest";
import { objectSoFar } from "./growing";
import { blankCall, callArgs } from "./items";

const WHOLE = {
  path: 'a "b".py',
  edits: [
    { old: "x\\", at: [1, -2.5e3] },
    { old: "\u00e9\n", gone: null },
  ],
  deep: { is: true },
};

describe("arguments that are being written", () => {
  it.each([
    ["", {}],
    ["{", {}],
    ['{"pa', {}],
    ['{"path"', {}],
    ['{"path":', {}],
    ['{"path": "', { path: "" }],
    ['{"path": "a.p', { path: "a.p" }],
    ['{"path": "a.py", "con', { path: "a.py" }],
    ['{"path": "a.py", "content": "one\\', { path: "a.py", content: "one" }],
    ['{"path": "a.py", "content": "one\\u00', { path: "a.py", content: "one" }],
    ['{"path": "a.py", "content": "say \\"hi\\" {', { path: "a.py", content: 'say "hi" {' }],
    ['{"edits": [{"old": "a", "new": "b"}, {"old": "c', { edits: [{ old: "a", new: "b" }, { old: "c" }] }],
    ['{"limit": 4', { limit: 4 }],
    ['{"limit": -', {}],
    ['{"all": tr', {}],
    ['… "content": "x', {}],
    ['["a"', {}],
    ["{]", {}],
  ])("are read as far as they go: %s", (text, value) => {
    expect(objectSoFar(text)).toEqual(value);
  });

  it("never say what will not stand there in the end", () => {
    const text = JSON.stringify(WHOLE, null, 1);
    for (let end = 0; end <= text.length; end++) expect(isBeginning(objectSoFar(text.slice(0, end)), WHOLE), text.slice(0, end)).toBe(true);
    expect(objectSoFar(text)).toEqual(WHOLE);
  });

  it("are those of a call until it has run", () => {
    const call = {
      ...blankCall({ seq: 0, at: "", by: null, cut: [] }, "c1"),
      tool: "write",
      written: '{"file_path": "a.py", "content": "on',
    };
    expect(callArgs(call)).toEqual({ file_path: "a.py", content: "on" });
  });
});

function isBeginning(part: unknown, whole: unknown): boolean {
  if (typeof part === "string") return typeof whole === "string" && whole.startsWith(part);
  if (typeof part === "number") return String(whole).startsWith(String(part));
  if (typeof part !== "object" || part === null || typeof whole !== "object" || whole === null) return part === whole;
  const known = whole as Record<string, unknown>;
  return Object.entries(part).every(([name, value]) => name in known && isBeginning(value, known[name]));
}
