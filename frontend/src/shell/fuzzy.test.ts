import { describe, expect, test } from "vitest";
import { ranked, score } from "./fuzzy";

const best = (query: string, ...names: string[]): string | undefined => ranked(query, names, (name) => name)[0];

describe("how well letters fit a name", () => {
  test("letters out of order do not fit", () => {
    expect(score("tse", "Settings")).toBe(0);
  });

  test("an empty query fits everything alike", () => {
    expect(score("  ", "a")).toBe(score("", "zebra"));
  });

  test.each([
    ["the starts of words beat letters in the middle", "ns", "New session", "Transient"],
    ["a run of letters beats scattered ones", "mem", "Memories", "My empty room"],
    ["a capital inside a word starts one", "apit", "APIToken", "a pip it"],
    ["a short name beats a long one", "fix", "Fix it", `Fix ${"very ".repeat(30)}long`],
    ["the best start counts, not the first", "ba", "xbx ball", "cabana"],
  ])("%s", (_, query, winner, loser) => {
    expect(best(query, loser, winner)).toBe(winner);
  });
});

test("equals keep their order, and what fits far worse is left out", () => {
  expect(ranked("", ["b", "a"], (name) => name)).toEqual(["b", "a"]);
  expect(ranked("set", ["Settings", "the basement"], (name) => name)).toEqual(["Settings"]);
});
