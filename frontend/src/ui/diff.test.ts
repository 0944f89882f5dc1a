import { describe, expect, it } from "vitest";
import { lineDiff, parseDiff } from "./diff";

const DIFF = `diff --git a/a.py b/a.py
index 1..2 100644
--- a/a.py
+++ b/a.py
@@ -1,3 +1,4 @@ def f():
 one
-two
+2
+-- not a header
 three
@@ -10 +11,0 @@
---- gone
--- a/b.py
+++ /dev/null
@@ -1 +0,0 @@
-x
\\ No newline at end of file
`;

describe("a unified diff", () => {
  it("is read into files with line numbers", () => {
    const [a, b] = parseDiff(DIFF);
    expect([a?.path, a?.added, a?.removed]).toEqual(["a.py", 2, 2]);
    expect([b?.path, b?.added, b?.removed]).toEqual(["b.py", 0, 1]);
    expect(a?.lines[2]).toEqual({ kind: "removed", before: 2, after: null, text: "two" });
    expect(a?.lines[4]).toEqual({ kind: "added", before: null, after: 3, text: "-- not a header" });
    expect(a?.lines.at(-1)).toEqual({ kind: "removed", before: 10, after: null, text: "--- gone" });
  });

  it("is one file, whatever git says before its name", () => {
    const made = "diff --git a/n.md b/n.md\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/n.md\n@@ -0,0 +1 @@\n+hello\n";
    const moved = "diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n";
    const empty = "diff --git a/e b/e\nnew file mode 100644\nindex 0..0\n";
    const files = parseDiff(made + moved + empty);
    expect(files.map(({ path, added }) => [path, added])).toEqual([
      ["n.md", 1],
      ["y", 1],
      ["", 0],
    ]);
    expect(files.map(({ lines }) => lines[0]?.text)).toEqual(["", "rename from x", "new file mode 100644"]);
  });

  it("takes the path it is told where the diff has no header", () => {
    expect(parseDiff("@@ -1 +1 @@\n-a\n+b", "x.py")).toMatchObject([{ path: "x.py", added: 1, removed: 1 }]);
  });

  it("hides nothing of what is no diff", () => {
    expect(parseDiff("Binary files a and b differ")[0]?.lines[0]).toMatchObject({ kind: "note", text: "Binary files a and b differ" });
  });
});

describe("a line diff", () => {
  it("finds the lines that changed, with a little around them", () => {
    const before = Array.from({ length: 20 }, (_, at) => `line ${at}`);
    const after = before.with(10, "changed");
    const { lines, added, removed } = lineDiff(before.join("\n"), after.join("\n"));
    expect([added, removed]).toEqual([1, 1]);
    expect(lines.filter((line) => line.kind === "same")).toHaveLength(6);
    expect(lines.find((line) => line.kind === "added")).toMatchObject({ after: 11, text: "changed" });
  });

  it("knows texts that are equal, empty or altogether new", () => {
    expect(lineDiff("a", "a").lines).toEqual([]);
    expect(lineDiff("", "a\nb")).toMatchObject({ added: 2, removed: 0 });
    expect(lineDiff("a", "")).toMatchObject({ added: 0, removed: 1 });
  });
});
