import { describe, expect, it } from "vitest";
import { cycleWords, doing, plain, reasonOf, stepName, stepsOf } from "./phases";

describe("phases in words", () => {
  it("are known by name, and any other speaks for itself", () => {
    expect([stepName("plan"), doing("plan"), stepName("clean_up"), doing("clean_up")]).toEqual([
      "Plan",
      "Planning",
      "Clean up",
      "Clean up",
    ]);
    expect([cycleWords(1), cycleWords(3)]).toEqual(["", "cycle 3"]);
    expect(stepsOf(["plan", "act"], "tidy")).toEqual(["plan", "act", "tidy"]);
  });

  it.each([
    ["VERIFIED: all pass", "all pass"],
    ["**NOT VERIFIED**: one fails", "one fails"],
    ["## Not verified:\nwhy", "why"],
    ["It was verified: twice", "It was verified: twice"],
  ])("a verdict's reason leaves the verdict out: %s", (text, reason) => {
    expect(reasonOf(text)).toBe(reason);
  });

  it("a glance shows no marks", () => {
    expect(plain("- I ran `make` **twice**, x_y")).toBe("I ran make twice, x_y");
  });
});
