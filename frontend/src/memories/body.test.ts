import { expect, test } from "vitest";
import { belonging, memoryBody, tagsOf } from "./body";
import type { Memory } from "./records";

test("tags are words, each once, without their sign", () => {
  expect(tagsOf("Tests, #ci  tests,,")).toEqual(["tests", "ci"]);
});

test("only the scope's own place is named", () => {
  expect(belonging("project", "p", "t")).toEqual({ project: "p" });
  expect(belonging("team", "p", "t")).toEqual({ team: "t" });
  expect(belonging("user", "p", "t")).toEqual({});
});

test("a forgotten memory can be written down again as it was", () => {
  const memory = {
    title: "T",
    content: "C",
    scope: "team",
    type: "reference",
    tags: ["x"],
    team: { id: "t1", name: "Team" },
    project: null,
  };
  expect(memoryBody(memory as unknown as Memory)).toEqual({
    title: "T",
    content: "C",
    scope: "team",
    type: "reference",
    tags: ["x"],
    team: "t1",
  });
});
