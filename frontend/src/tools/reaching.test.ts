import { describe, expect, it } from "vitest";
import { complaintsIn, complaintsOf, placesIn, symbolsIn } from "./code";
import { hitsOf, hostOf, safeUrl, unfenced } from "./web";

describe("an address out of the workspace", () => {
  it.each([
    ["https://example.org/a?b#c", "https://example.org/a?b#c"],
    ["http://example.org", "http://example.org/"],
    ["javascript:alert(1)", ""],
    ["data:text/html,<script>1</script>", ""],
    ["file:///etc/passwd", ""],
    ["//example.org", ""],
    ["https://bank.example@evil.example/", ""],
    ["not an address", ""],
  ])("is followed only where it leads to the web: %s", (address, href) => {
    expect(safeUrl(address)).toBe(href);
  });

  it("is named by its host", () => {
    expect(hostOf("https://www.example.org/x")).toBe("example.org");
    expect(hostOf("nonsense")).toBe("nonsense");
  });
});

describe("search results", () => {
  const found = (inner: string): string =>
    `# Search results for: x\n\n<web_content> (from the web)\n\n${inner}\n\n</web_content>\n\n[a gave nothing: no]`;

  it("are read with and without the label before the address", () => {
    expect(hitsOf(found("1. **One**\n   URL: https://a.example/\n   Words\n\n2. **Two**\n   https://b.example/"))).toEqual([
      { title: "One", url: "https://a.example/", snippet: "Words" },
      { title: "Two", url: "https://b.example/", snippet: "" },
    ]);
  });

  it("are none where there are none", () => {
    expect(hitsOf("# Search results for: x\n\nNo results.")).toEqual([]);
  });

  it("show a page without its fence and without what was put in front", () => {
    expect(unfenced("Prompt: p\n\nURL: https://a.example/\n\n<web_content> (x)\n\nThe page\n\n</web_content>")).toBe("The page");
    expect(unfenced("URL: https://a.example/\n\n(The page has no readable text.)")).toBe("(The page has no readable text.)");
  });
});

describe("a language server's answer", () => {
  it("is a list of places only where every line is one", () => {
    expect(placesIn("src/a.py:3:5\nb.py:10:1: x = 1\n… and 3 more")).toEqual([
      { path: "src/a.py", line: 3, column: 5, words: "" },
      { path: "b.py", line: 10, column: 1, words: "x = 1" },
    ]);
    expect(placesIn("No locations found.")).toEqual([]);
    expect(placesIn("a.py:1:1\nand one more")).toEqual([]);
  });

  it("is a tree of symbols, their kinds in words", () => {
    expect(symbolsIn("- Parser (kind=5, line=12)\n  - parse (kind=6, line=20)")).toEqual([
      { name: "Parser", kind: "class", where: "12", depth: 0 },
      { name: "parse", kind: "method", where: "20", depth: 1 },
    ]);
  });

  it("is a list of complaints, from its text or from what a tool kept", () => {
    const complaint = { path: "", severity: "error", line: 1, column: 5, message: "no: such name" };
    expect(complaintsIn("LSP diagnostics for a.py:\n- error at 1:5: no: such name\n… and 3 more")).toEqual([complaint]);
    expect(complaintsOf(["src/a.py:1:5: error: no: such name"])).toEqual([{ ...complaint, path: "src/a.py" }]);
    expect(complaintsOf(undefined)).toEqual([]);
    expect(complaintsOf([null, 3])).toEqual([]);
  });
});
