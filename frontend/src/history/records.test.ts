import { expect, test } from "vitest";
import { statusOfRow } from "./records";

test("a session that only waits for its sub-agents works, one that asks something needs somebody", () => {
  expect(statusOfRow({ status: "waiting", asks: 0 })).toBe("running");
  expect(statusOfRow({ status: "running", asks: 1 })).toBe("waiting");
  expect(statusOfRow({ status: "done", asks: 0 })).toBe("done");
});
