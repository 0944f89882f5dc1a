/* What need not be shown, as another item tells it already. */

import { callStage, type Item } from "./items";

/** Calls whose whole story another item tells: the plan's own cards and lines, and that of a completion. */
const TOLD = new Set(["plan_enter", "plan_exit", "attempt_completion"]);

export const isTold = (item: Item): boolean => item.kind === "call" && TOLD.has(item.tool) && ["done", "running"].includes(callStage(item));

/** A session without a title takes it from its first message; nobody needs to be told. */
export function isFirstTitle(items: readonly Item[], seq: number): boolean {
  const before = items.at(-1);
  return before?.kind === "user" && before.seq === seq - 1;
}

/** Whether a memory tool's call, open or just ended, says it already. */
export function saidByCall(items: readonly Item[], seq: number): boolean {
  const recent = items.slice(-20);
  return recent.some((item) => item.kind === "call" && item.tool.startsWith("memory_") && (item.finished?.seq ?? seq) >= seq - 3);
}
