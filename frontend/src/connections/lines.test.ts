import { expect, test } from "vitest";
import { lineOf, pairsOf, textOf, wordsOf } from "./lines";

test("a command is taken apart at blanks, quotes keep words together", () => {
  expect(wordsOf(`npx -y "my server" 'a b' --x=1`)).toEqual(["npx", "-y", "my server", "a b", "--x=1"]);
  expect(wordsOf('say "to the end')).toEqual(["say", "to the end"]);
  expect(wordsOf("  ")).toEqual([]);
});

test("a line made of words comes apart into the same words", () => {
  const words = ["python", "my server.py", "", 'say "hi"', "it's"];
  expect(wordsOf(lineOf(words))).toEqual(words);
});

test("named values are read line by line and written back", () => {
  expect(pairsOf("A=1\nTOKEN = ${SECRET}=x\n\nno name\n=left out")).toEqual({ A: "1", TOKEN: "${SECRET}=x" });
  expect(textOf({ A: "1", B: "" })).toBe("A=1\nB=");
});
