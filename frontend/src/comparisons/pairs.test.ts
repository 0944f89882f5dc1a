import { expect, test } from "vitest";
import type { FileChange } from "../protocol";
import { paired } from "./pairs";
import { alike, standing, type Comparison } from "./records";

const change = (path: string, diff = "@@ -1 +1 @@\n-a\n+b"): FileChange => ({ path, change: "modified", added: 1, removed: 1, diff });

test("files that both changed stand first, each beside its twin", () => {
  const pairs = paired([change("a.py"), change("m.py")], [change("m.py", "@@ -1 +1 @@\n-a\n+c"), change("z.py")]);
  expect(pairs.map(({ path, left, right }) => [path, left !== null, right !== null])).toEqual([
    ["m.py", true, true],
    ["a.py", true, false],
    ["z.py", false, true],
  ]);
});

test("what both made the same is said to be the same, and what has no diff is not", () => {
  expect(paired([change("a.py")], [change("a.py")])[0]?.same).toBe(true);
  expect(paired([change("a.py")], [{ ...change("a.py"), change: "created" }])[0]?.same).toBe(false);
  expect(paired([change("a.png", "")], [change("a.png", "")])[0]?.same).toBe(false);
});

test("sides that come to the same are alike, whether that is said or left to the toolset and the project", () => {
  const known = [
    { name: "oats", title: "OATS", about: "", workflow: "react", part_of: "" },
    { name: "alfredo", title: "Alfredo", about: "", workflow: "verified", part_of: "" },
  ];
  const way = (toolset: string, workflow = "", protocol = "") => ({ toolset, workflow, protocol });
  const usual = { toolset: "oats", workflow: "", protocol: "native" };
  expect(alike(way("oats"), way("oats", "react", "native"), known, usual)).toBe(true);
  expect(alike(way("oats"), way("oats", "verified"), known, usual)).toBe(false);
  expect(alike(way("oats"), way("alfredo", "react"), known, usual)).toBe(false);
  expect(alike(way("oats"), way("oats", "", "xml"), known, usual)).toBe(false);
  expect(alike(way("oats"), way("oats", "react"), known, { ...usual, workflow: "verified" })).toBe(false);
});

test("a list says how a comparison stands", () => {
  const side = { label: "OATS", status: "done", asks: 0 };
  const words = (changed: object): string => standing({ outcome: "", left: side, right: side, ...changed } as Comparison).words;
  expect(words({})).toBe("To decide");
  expect(words({ right: { ...side, status: "running" } })).toBe("Working");
  expect(words({ right: { ...side, status: "waiting", asks: 1 } })).toBe("Needs you");
  expect(words({ outcome: "right" })).toBe("Kept OATS");
  expect(words({ outcome: "none" })).toBe("Both dropped");
});
