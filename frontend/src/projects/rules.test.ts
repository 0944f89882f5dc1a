import { expect, test } from "vitest";
import type { Rule } from "./records";
import { ApiProblem } from "../api";
import { complaintAbout, movedBy, rowsOf, rulesOf, same } from "./rules";

const rule = (tool: string): Rule => ({ tool, pattern: "*", action: "ask" });
const rows = rowsOf(["a", "b", "c"].map(rule));
const order = (moved: Rule[]): string => moved.map(({ tool }) => tool).join("");

test("a rule moves one place and keeps its key", () => {
  const moved = movedBy(rows, 2, -1);
  expect(order(moved)).toBe("acb");
  expect(moved[1]!.key).toBe(rows[2]!.key);
});

test("a rule cannot leave the list", () => {
  expect(order(movedBy(rows, 0, -1))).toBe("abc");
  expect(order(movedBy(rows, 2, 1))).toBe("abc");
});

test("what is saved is trimmed, and an empty pattern means everything", () => {
  expect(rulesOf([{ key: 1, tool: " bash ", pattern: " ", action: "deny" }])).toEqual([{ tool: "bash", pattern: "*", action: "deny" }]);
});

test("moving and moving back is no change", () => {
  expect(same(rulesOf(movedBy(movedBy(rows, 0, 1), 1, -1)), rulesOf(rows))).toBe(true);
  expect(same(rulesOf(movedBy(rows, 0, 1)), rulesOf(rows))).toBe(false);
});

test("what is said against a rule is found by its place", () => {
  const fields = { 1: { tool: ["Write a name."] } } as unknown as Record<string, string[]>;
  const problem = new ApiProblem(400, { title: "No", fields });
  expect([0, 1].map((at) => complaintAbout(at, problem))).toEqual(["", "Write a name."]);
  expect(complaintAbout(0, new Error("offline"))).toBe("");
});
