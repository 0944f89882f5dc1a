import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PTY } from "../../dev/atomicTexts";
import { Screen } from "./screen";
import { styled } from "./sheets";

/** What a browser has and jsdom has not. */
function furnish(): void {
  const nothing = (): null => null;
  const media = { matches: false, addEventListener: nothing, removeEventListener: nothing, addListener: nothing, removeListener: nothing };
  HTMLCanvasElement.prototype.getContext = nothing;
  vi.stubGlobal("matchMedia", () => media);
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe(): void {}
      disconnect(): void {}
    },
  );
  CSSStyleSheet.prototype.replaceSync ??= function () {};
  Object.defineProperty(document, "adoptedStyleSheets", { value: [], writable: true, configurable: true });
}

let box: HTMLElement;
let screen: Screen;

beforeEach(() => {
  furnish();
  box = document.body.appendChild(document.createElement("div"));
  screen = new Screen(box);
});
afterEach(() => {
  screen.end();
  box.remove();
  vi.unstubAllGlobals();
});

describe("a terminal", () => {
  it("shows what is left to see of colours, progress and boxes", async () => {
    screen.show(PTY);
    await vi.waitFor(() => expect(screen.text).toContain("12 passed in 6.1 s"));
    expect(screen.text).toContain("[████████████████████] 100 %");
    expect(screen.text).not.toContain("20 %");
    expect(screen.text).not.toContain("\u001b");
  });

  it("goes on where it was, and begins anew with another text", async () => {
    screen.show("one ");
    screen.show("one two");
    await vi.waitFor(() => expect(screen.text).toBe("one two"));
    screen.show("three");
    await vi.waitFor(() => expect(screen.text).toBe("three"));
  });

  it("puts no style element on the page, and gives its rules back", () => {
    expect(document.querySelectorAll("style")).toHaveLength(0);
    expect(document.adoptedStyleSheets.length).toBeGreaterThan(0);
    expect(Object.hasOwn(document, "createElement")).toBe(false);
    screen.end();
    expect(document.adoptedStyleSheets).toHaveLength(0);
    screen = new Screen(box);
  });

  it("takes nothing from the keyboard", () => {
    expect(box.querySelector("textarea")?.readOnly).toBe(true);
    expect(box.querySelector("textarea")?.getAttribute("aria-label")).toBe("Terminal, to read");
  });
});

it("sets styles through the CSSOM", () => {
  const span = styled(document.createElement("span"));
  span.setAttribute("style", "color: rgb(1, 2, 3);");
  span.setAttribute("title", "x");
  expect([span.style.color, span.title]).toEqual(["rgb(1, 2, 3)", "x"]);
});
