import { describe, expect, it } from "vitest";
import { SCRIPT, TEXTS } from "../../../dev/atomicTexts";
import { stringIn } from "../written";
import { foldersIn, searchIn } from "./found";
import { matcher, pieces } from "./matches";
import { cellsOf, numbered, sidesOf } from "./numbered";
import { pathsOf, sectionsOf } from "./script";
import { entriesIn, membersIn } from "./tree";
import { pageOf } from "./webpage";

describe("an argument that is still being written", () => {
  it("is read as far as it goes", () => {
    expect(stringIn('{"input": "[a.py#0A1B]\\nreplace 2:\\n+    \\"x', "input")).toBe('[a.py#0A1B]\nreplace 2:\n+    "x');
    expect(stringIn('{"input": "half an escape \\', "input")).toBe("half an escape ");
    expect(stringIn('{"input": "half a letter \\u00e', "input")).toBe("half a letter ");
    expect(stringIn('{"input": "a real\nnewline', "input")).toBe("a real\nnewline");
    expect(stringIn('{"inp', "input")).toBe("");
  });
});

describe("an edit script", () => {
  it("is told apart into files, operations and new lines", () => {
    expect(sectionsOf(SCRIPT)).toMatchObject([
      {
        path: "greet.py",
        tag: "F0A1",
        lines: [{ kind: "verb" }, { kind: "added", text: "def greet(name: str) -> None:" }, { kind: "added" }],
      },
      {
        path: "src/app.py",
        tag: "77C0",
        lines: [
          { kind: "verb", text: "replace 12..12:" },
          { kind: "added", text: "    run(quiet=True)" },
        ],
      },
    ]);
    expect(pathsOf(SCRIPT)).toEqual(["greet.py", "src/app.py"]);
  });

  it("is shown also where it is none, and while its header grows", () => {
    expect(sectionsOf("no header\n-old")).toMatchObject([{ path: "", lines: [{ kind: "other", text: "no header" }, { kind: "other" }] }]);
    expect(sectionsOf("[greet.py#F0")).toMatchObject([{ path: "greet.py", tag: "F0" }]);
    expect(sectionsOf("")).toEqual([]);
  });
});

describe("what read prints", () => {
  it("is a header, rows with their numbers, and notes", () => {
    const read = numbered(TEXTS.file);
    expect(read).toMatchObject({ path: "greet.py", tag: "F0A1", notes: ["Showing lines 1-6 of 240. Continue with path selector :7."] });
    expect(read.rows[1]).toEqual({ number: 2, text: "    print(name)", match: false });
    expect(numbered("3:a:b").rows).toEqual([{ number: 3, text: "a:b", match: false }]);
  });

  it("has the sides of a conflict, also without a base, and none outside of one", () => {
    expect(sidesOf(numbered(TEXTS.conflicts).rows)).toEqual(["", "", "ours", "", "base", "", "theirs", "", ""]);
    expect(sidesOf(numbered("1:=======\n2:title").rows)).toEqual(["", ""]);
  });

  it("is a notebook cell by cell", () => {
    expect(cellsOf(numbered(TEXTS.notebook).rows)).toMatchObject([
      { kind: "markdown", name: "cell:0", rows: [{ text: "## How long do edits take?" }, {}, {}] },
      { kind: "code", name: "cell:1", rows: [{ number: 6 }, {}, {}] },
    ]);
  });

  it("is a folder with what lies in its folders", () => {
    const entries = entriesIn(TEXTS.folder, "src");
    expect(entries.map(({ path, depth }) => [path, depth])).toEqual([
      ["src/app", 0],
      ["src/app/main.py", 1],
      ["src/app/routes.py", 1],
      ["", 1],
      ["src/config.py", 0],
      ["src/README.md", 0],
    ]);
    expect(entries[1]).toMatchObject({ size: "1.2KB", age: "3m", folder: false });
    expect(entriesIn(TEXTS.folder, ".")[1]?.path).toBe("app/main.py");
  });

  it("is the members of an archive, but not the text of one", () => {
    expect(membersIn("src/\nREADME.md  340B\n[2 of 900 entries shown.]").map(({ name, folder }) => [name, folder])).toEqual([
      ["src/", true],
      ["README.md", false],
    ]);
    expect(membersIn("Hello\nworld")).toEqual([]);
  });

  it("is a page of the web, with what the tool says of it", () => {
    const page = pageOf(TEXTS.page);
    expect(page.fields).toMatchObject({ URL: "https://docs.example.org/hashes", Notes: "1 redirect" });
    expect(page.body).toMatch(/^# Hashes/);
    expect(page.notes).toEqual(["300 of 812 lines shown. Full output: artifact://5"]);
  });
});

describe("what search prints", () => {
  it("is files with their matches and their neighbours", () => {
    const { files, notes } = searchIn(TEXTS.search);
    expect(files.map(({ path, tag, rows }) => [path, tag, rows.filter(({ match }) => match).length])).toEqual([
      ["src/app.py", "9F02", 2],
      ["tests/test_app.py", "1C2D", 1],
    ]);
    expect(notes).toEqual(["20 matching files shown. Use skip=20 to view more."]);
  });

  it("names the source in each line where that is no file", () => {
    expect(searchIn("a.zip:src/x.py:12: hit\na.zip:src/x.py-13- beside\nNo matches found").files).toEqual([
      {
        path: "a.zip:src/x.py",
        tag: "",
        rows: [
          { number: 12, text: "hit", match: true },
          { number: 13, text: "beside", match: false },
        ],
      },
    ]);
  });

  it("is marked where the pattern matches", () => {
    expect(pieces("a run() and RUN()", matcher("run\\(", true)).filter(({ hit }) => hit)).toEqual([
      { text: "run(", hit: true },
      { text: "RUN(", hit: true },
    ]);
    expect(pieces("a(b)", matcher("(?i)A\\(", false))[0]).toEqual({ text: "a(", hit: true });
  });

  it("is not marked by a pattern that might run away, or that is none here", () => {
    for (const pattern of ["(a+)+$", "(a|aa)+$", "a*a*a*a*b", "(x)\\1", "(?P<n>", "["]) expect(matcher(pattern, false)).toBeNull();
    expect(pieces("aaaa", null)).toEqual([{ text: "aaaa", hit: false }]);
  });
});

describe("what find prints", () => {
  it("is folders with their files, however deep", () => {
    expect(foldersIn(TEXTS.find).folders).toEqual([
      { path: "", files: ["setup.py"] },
      { path: "src/", files: ["app.py", "config.py"] },
      { path: "src/core/", files: ["loop.py"] },
      { path: "tests/unit/", files: ["test_loop.py"] },
    ]);
    expect(foldersIn("a.py\n\n[200 results limit reached]").notes).toEqual(["200 results limit reached"]);
  });
});
