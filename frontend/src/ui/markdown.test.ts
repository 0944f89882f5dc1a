import { describe, expect, it } from "vitest";
import { blocks } from "./markdown";

const html = (text: string): string =>
  blocks(text)
    .map((block) => block.html)
    .join("");

describe("markdown", () => {
  it.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "[a](javascript:alert(1))",
    "[a](  JaVaScRiPt:alert(1))",
    "[a](data:text/html,<script>alert(1)</script>)",
    "![a](javascript:alert(1))",
    "<a href='javascript:alert(1)'>a</a>",
    '<p style="position:fixed" onclick="alert(1)">a</p>',
    "<iframe src='https://example.org'></iframe>",
    "a <b onmouseover=alert(1)>b</b>",
    '[a](https://example.org/"onmouseover="alert(1))',
  ])("lets nothing harmful through: %s", (text) => {
    const page = document.createElement("div");
    page.innerHTML = html(text);
    expect(page.querySelectorAll("script, img, svg, iframe, [style], form, input")).toHaveLength(0);
    for (const element of page.querySelectorAll("*")) {
      expect(element.getAttributeNames().filter((name) => name.startsWith("on"))).toEqual([]);
      expect(element.getAttribute("href") ?? "https:").toMatch(/^(https?|mailto):/);
    }
  });

  it("shows raw HTML as the text it is", () => {
    const page = document.createElement("div");
    page.innerHTML = html("before <b>bold</b>");
    expect(page.textContent?.trim()).toBe("before <b>bold</b>");
  });

  it("opens links elsewhere, without telling from where", () => {
    expect(html("[a](https://example.org)")).toContain('target="_blank" rel="noopener noreferrer"');
  });

  it("knows where each block stands in the source", () => {
    const text = "# One\n\ntwo **words**\n\n```py\nx = 1\n```\n\n- three\n";
    for (const block of blocks(text)) expect(text.slice(block.start, block.start + block.raw.length)).toBe(block.raw);
    expect(blocks(text)[2]?.code).toEqual({ text: "x = 1", language: "py" });
  });

  it("leaves finished blocks as they are while the tail grows", () => {
    const [before, after] = [blocks("one\n\ntwo\n\nthr"), blocks("one\n\ntwo\n\nthree")];
    expect(after.slice(0, 2).map((block) => block.html)).toEqual(before.slice(0, 2).map((block) => block.html));
    expect(after[2]?.html).not.toBe(before[2]?.html);
  });
});

it("gives the same words the address that their own text names", () => {
  const address = (text: string): string | undefined => /href="([^"]+)"/.exec(blocks(text)[0]!.html)?.[1];
  expect(address("[a][1]\n\n[1]: https://one.example/\n")).toBe("https://one.example/");
  expect(address("[a][1]\n\n[1]: https://two.example/\n")).toBe("https://two.example/");
});
