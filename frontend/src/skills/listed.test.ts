import { expect, test } from "vitest";
import { beatenBy, byName, shelves, sourcesInWords, winnerOver } from "./listed";
import type { ProjectSkill, Skill } from "./records";

const skill = (name: string, source: Skill["source"], overridden_by: Skill["overridden_by"] = "", description = ""): Skill =>
  ({ id: `${source}-${name}`, name, source, overridden_by, description }) as Skill;

const release = skill("release", "team");
const mine = skill("release", "user", "team");
const shipped = skill("release", "builtin", "team");
const review = skill("review", "builtin", "", "How code is read by a second person");
const all = [release, mine, shipped, review];

test("skills stand source by source, the nearest to the work first", () => {
  expect(shelves(all, { q: "", source: "" }).map(({ source, skills }) => [source, skills.length])).toEqual([
    ["team", 1],
    ["user", 1],
    ["builtin", 2],
  ]);
});

test("every word that is looked for stands in the name or the description, in any case", () => {
  expect(shelves(all, { q: "READ second", source: "" })).toEqual([{ source: "builtin", skills: [review] }]);
  expect(shelves(all, { q: "second release", source: "" })).toEqual([]);
  expect(shelves(all, { q: "release", source: "user" })).toEqual([{ source: "user", skills: [mine] }]);
});

test("of one name it is told which counts, and what it beats", () => {
  expect(winnerOver(mine, all)).toBe(release);
  expect(winnerOver(release, all)).toBeUndefined();
  expect(beatenBy(release, all)).toEqual([mine, shipped]);
  expect(beatenBy(mine, all)).toEqual([]);
  expect(beatenBy(review, all)).toEqual([]);
});

test("a project's skills are gathered by name, the one that counts apart", () => {
  const rows = [release, mine, review] as unknown as ProjectSkill[];
  expect(byName(rows).map(({ counts, beaten }) => [counts.source, beaten.map(({ source }) => source)])).toEqual([
    ["team", ["user"]],
    ["builtin", []],
  ]);
});

test("sources are told in words", () => {
  expect(sourcesInWords([])).toBe("");
  expect(sourcesInWords([mine])).toBe("Personal");
  expect(sourcesInWords([release, mine, shipped])).toBe("Team, Personal and Built in");
});
