import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { whileWatched } from "./beat";

let hidden = false;
let stop = (): void => undefined;
const looked = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  hidden = false;
  looked.mockClear();
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
  stop = whileWatched(looked, 10);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("it looks at once and then at every beat", () => {
  vi.advanceTimersByTime(20_000);
  expect(looked).toHaveBeenCalledTimes(3);
});

test("nobody watching, nothing is asked; it looks again when somebody comes back", () => {
  hidden = true;
  vi.advanceTimersByTime(60_000);
  expect(looked).toHaveBeenCalledTimes(1);
  hidden = false;
  document.dispatchEvent(new Event("visibilitychange"));
  expect(looked).toHaveBeenCalledTimes(2);
});

test("once stopped it stays quiet", () => {
  stop();
  vi.advanceTimersByTime(60_000);
  dispatchEvent(new Event("focus"));
  expect(looked).toHaveBeenCalledTimes(1);
});
