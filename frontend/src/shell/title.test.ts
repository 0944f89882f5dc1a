import { expect, test } from "vitest";
import { tabTitle } from "./title.svelte";

test("the tab says what waits, then the page, then the product", () => {
  expect(tabTitle("History", 3)).toBe("(3) History · Countersign");
  expect(tabTitle("", 0)).toBe("Countersign");
});
