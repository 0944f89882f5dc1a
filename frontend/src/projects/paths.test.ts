import { describe, expect, test } from "vitest";
import { fileAddress, inOrder, lineCount, sizeInWords } from "./paths";
import type { TreeEntry } from "./records";

test.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1024, "1.0 KB"],
  [5_400_000, "5.1 MB"],
  [3 * 1024 ** 3, "3.0 GB"],
])("%i bytes are %s", (bytes, words) => {
  expect(sizeInWords(bytes)).toBe(words);
});

test.each([
  ["a\nb\n", 2],
  ["a\nb", 2],
  ["a", 1],
  ["\n", 1],
])("lines of %j", (text, lines) => {
  expect(lineCount(text)).toBe(lines);
});

test("a path's address escapes each piece and keeps its slashes", () => {
  expect(fileAddress("p1", "a b/50%.txt")).toBe("/projects/p1/files/a%20b/50%25.txt");
});

describe("the order of a folder", () => {
  const entry = (name: string, kind: TreeEntry["kind"]): TreeEntry => ({ name, kind, path: name, size: 0, modified: "" });

  test("folders first, numbers as numbers", () => {
    const mixed = [entry("file10", "file"), entry("zoo", "folder"), entry("file9", "file"), entry("app", "folder")];
    expect(inOrder(mixed).map(({ name }) => name)).toEqual(["app", "zoo", "file9", "file10"]);
  });
});
