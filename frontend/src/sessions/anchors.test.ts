import { describe, expect, it } from "vitest";
import { blocks } from "../ui/markdown";
import { anchorOf, placeOf, touched } from "./anchors";

const PLAN = "# Plan 🤔\n\nRead the file.\n\nEdit the **file** well.\n\nRead the file.\n";

describe("a comment's anchor", () => {
  it("is the selected words and where they start, as the server counts", () => {
    const anchor = anchorOf("Read the file.", blocks(PLAN)[1]!, PLAN);
    expect(anchor).toEqual({ quote: "Read the file.", start: 10 });
    expect([...PLAN].slice(anchor.start, anchor.start + 4).join("")).toBe("Read");
  });

  it("takes the source's marks and line breaks along where they are inside the selection", () => {
    expect(anchorOf("the file well", blocks(PLAN)[2]!, PLAN).quote).toBe("the **file** well");
    const broken = "Run `make\ntest` now.";
    expect(anchorOf("make test now", blocks(broken)[0]!, broken)).toEqual({ quote: "make\ntest` now", start: 5 });
  });

  it("is the words that were selected, not the same ones before them", () => {
    const twice = "a test, and a test.";
    expect(anchorOf("a test", blocks(twice)[0]!, twice, "a test, and ").start).toBe(12);
  });

  it("is the whole block where the selection is nowhere in the source", () => {
    expect(anchorOf("1. Edit", blocks(PLAN)[2]!, PLAN)).toEqual({ quote: "Edit the **file** well.", start: 26 });
  });

  it("finds the same words again, the nearest where there are several", () => {
    const second = { quote: "Read the file.", start: 51 };
    expect(placeOf(second, PLAN)).toEqual({ start: PLAN.lastIndexOf("Read"), end: PLAN.lastIndexOf("Read") + 14 });
    expect(touched(blocks(PLAN), placeOf(second, PLAN))).toEqual([3]);
    expect(placeOf({ ...second, start: 0 }, `New first line\n\n${PLAN}`)).toMatchObject({ start: 27 });
  });

  it("says when the words are gone, and when it was about the whole", () => {
    expect(placeOf({ quote: "Write", start: 3 }, PLAN)).toBe("outdated");
    expect(placeOf({ quote: "", start: 0 }, PLAN)).toBe("whole");
  });
});
