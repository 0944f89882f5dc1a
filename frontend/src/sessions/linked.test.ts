import { expect, test } from "vitest";
import { linkedSeq, rowAt } from "./linked";
import type { Row } from "./rows";

test("an address names an entry, or none", () => {
  expect(linkedSeq("#seq-62")).toBe(62);
  expect([linkedSeq(""), linkedSeq("#ask-62"), linkedSeq("#seq-6x"), linkedSeq("#seq-")]).toEqual([0, 0, 0, 0]);
});

test("an entry is told by the last row that begins at or before it", () => {
  const rows = [{ seq: 3 }, { seq: 7 }, { seq: 9 }, { kind: "working", key: "working" }] as unknown as Row[];
  expect([rowAt(rows, 8), rowAt(rows, 9), rowAt(rows, 90), rowAt(rows, 1)]).toEqual([1, 2, 2, -1]);
});
