import { describe, expect, test } from "vitest";
import { isTyping, Sequence } from "./shortcuts";

const shortcut = (keys: string) => ({ keys, words: "", run: () => undefined });
const sequence = (): Sequence => new Sequence([shortcut("n"), shortcut("g h"), shortcut("g n")]);

describe("keys pressed one after another", () => {
  test("one key alone", () => {
    expect(sequence().press("n", 0)?.keys).toBe("n");
  });

  test("two keys in time", () => {
    const keys = sequence();
    expect(keys.press("g", 0)).toBeUndefined();
    expect(keys.press("h", 900)?.keys).toBe("g h");
  });

  test("the second key coming late stands alone", () => {
    const keys = sequence();
    keys.press("g", 0);
    expect(keys.press("n", 5000)?.keys).toBe("n");
  });

  test("a key that continues nothing starts afresh", () => {
    const keys = sequence();
    keys.press("g", 0);
    keys.press("x", 100);
    expect(keys.press("h", 200)).toBeUndefined();
    expect(keys.press("n", 300)?.keys).toBe("n");
  });
});

test("a key in a field belongs to the field", () => {
  document.body.innerHTML = '<textarea></textarea><button></button><div role="menu"><a href="#x">item</a></div>';
  const typing = (found: string): boolean => isTyping(document.querySelector(found));
  expect([typing("textarea"), typing("a"), typing("button"), isTyping(null)]).toEqual([true, true, false, false]);
});
