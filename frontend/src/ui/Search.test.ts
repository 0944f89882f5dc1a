import { fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import Search from "./Search.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const field = (): HTMLInputElement => screen.getByRole("searchbox");

test("it tells what is typed once, after the typing has paused", async () => {
  const search = vi.fn();
  render(Search, { label: "Search", value: "", search });
  for (const value of ["t", "ta", "tax "]) await fireEvent.input(field(), { target: { value } });
  expect(search).not.toHaveBeenCalled();
  vi.advanceTimersByTime(300);
  expect(search.mock.calls).toEqual([["tax"]]);
});

test("a value given from outside is shown, but never over what is being typed", async () => {
  const { rerender } = render(Search, { label: "Search", value: "old", search: () => undefined });
  expect(field().value).toBe("old");
  await rerender({ value: "new" });
  expect(field().value).toBe("new");
  await fireEvent.input(field(), { target: { value: "new " } });
  await rerender({ value: "new" });
  expect(field().value).toBe("new ");
});

test("the slash key puts the cursor into it", async () => {
  render(Search, { label: "Search", value: "", search: () => undefined });
  await fireEvent.keyDown(window, { key: "/" });
  expect(document.activeElement).toBe(field());
});
