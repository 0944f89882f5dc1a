import { expect, test } from "vitest";
import { marked } from "./snippet";

const hits = (snippet: string, query: string): string[] =>
  marked(snippet, query)
    .filter(({ hit }) => hit)
    .map(({ text }) => text);

test("every searched word is marked, whatever its case", () => {
  expect(hits("The Report and the report's tax", "report tax")).toEqual(["Report", "report", "tax"]);
});

test("the pieces make the snippet again", () => {
  expect(
    marked("a tax table", "tax")
      .map(({ text }) => text)
      .join(""),
  ).toBe("a tax table");
});

test("signs that mean something to a pattern are only signs", () => {
  expect(hits("call f(x) [now]", "f(x) [")).toEqual(["f(x)", "["]);
});

test("without a query nothing is marked", () => {
  expect(marked("as it is", " ")).toEqual([{ text: "as it is", hit: false }]);
});
