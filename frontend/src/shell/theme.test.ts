import { beforeEach, expect, test } from "vitest";
import { applyTheme, chooseTheme, chosenTheme } from "./theme";

beforeEach(() => localStorage.clear());

const shown = (): string | undefined => document.documentElement.dataset.theme;

test("a chosen theme is shown and remembered", () => {
  chooseTheme("dark");
  expect(shown()).toBe("dark");
  expect(chosenTheme()).toBe("dark");
});

test("the system's wish needs no mark at all", () => {
  chooseTheme("light");
  chooseTheme("system");
  expect(shown()).toBeUndefined();
  expect(localStorage.length).toBe(0);
});

test("a theme nobody knows is the system's", () => {
  localStorage.setItem("countersign.theme", "sepia");
  applyTheme();
  expect(shown()).toBeUndefined();
});
