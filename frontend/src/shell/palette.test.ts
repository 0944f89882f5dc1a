import { expect, test } from "vitest";
import type { SessionRow } from "../history/records";
import type { Project } from "../projects/records";
import { paletteItems, type Known } from "./palette";

const project = { id: "p1", name: "Ledger", team: { id: "t1", name: "Team" } } as Project;
const session = { id: "s1", title: "Fix the rounding", project: { id: "p1", name: "Ledger" } } as SessionRow;
const known: Known = {
  team: { id: "t1", name: "Team", role: "admin", rights: [] },
  projects: [project],
  sessions: [session],
};

test("with nothing typed it offers the latest sessions, the projects and what one can do", () => {
  expect(new Set(paletteItems("", known).map(({ group }) => group))).toEqual(new Set(["Sessions", "Projects", "Actions"]));
});

test("the group with the best fit comes first", () => {
  expect(paletteItems("ledg", known)[0]).toMatchObject({ group: "Projects", to: "/projects/p1" });
  expect(paletteItems("round", known)[0]).toMatchObject({ group: "Sessions", to: "/sessions/s1" });
  expect(paletteItems("memor", known)[0]).toMatchObject({ group: "Actions", to: "/memories" });
});

test("what is typed can always be searched for in the whole history", () => {
  expect(paletteItems("no such thing & more", known)).toMatchObject([{ id: "search", to: "/history?q=no%20such%20thing%20%26%20more" }]);
});

test("who is in no team is not offered a team's pages", () => {
  const items = paletteItems("members", { ...known, team: undefined });
  expect(items.some(({ label }) => label.startsWith("Members"))).toBe(false);
});
