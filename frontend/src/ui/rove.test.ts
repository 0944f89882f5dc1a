import { afterEach, beforeEach, expect, test } from "vitest";
import { rove } from "./rove";

let leave = (): void => undefined;

beforeEach(() => {
  document.body.innerHTML =
    '<main id="main" tabindex="-1"></main><button>else</button>' +
    '<ul><li><a href="#1" data-line>1</a></li><li><input /></li><li><a href="#2" data-line>2</a></li></ul>';
  leave = rove(document.querySelector("ul")!);
});
afterEach(() => leave());

function press(key: string, at: Element = document.activeElement!): string | null | undefined {
  at.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  return document.activeElement?.textContent;
}

test("j and the arrow go down, k up, and the ends hold", () => {
  expect(press("j", document.querySelector("main")!)).toBe("1");
  expect(press("ArrowDown")).toBe("2");
  expect(press("j")).toBe("2");
  expect(press("k")).toBe("1");
  expect(press("k")).toBe("1");
  expect(press("End")).toBe("2");
  expect(press("Home")).toBe("1");
});

test("in a field the letters are the field's", () => {
  const field = document.querySelector("input")!;
  field.focus();
  press("j");
  expect(document.activeElement).toBe(field);
});

test("outside the list the arrows scroll, and keys of other controls are theirs", () => {
  press("ArrowDown", document.querySelector("main")!);
  press("j", document.querySelector("button")!);
  expect(document.activeElement).toBe(document.body);
});
