/* Calls that tests make up: what a model asked of a tool, how that ended, and the line it is summed up in. */

import type { FileChange, ToolFinished } from "../src/protocol";
import { blankCall, type CallItem } from "../src/sessions/items";
import { toolKind } from "../src/tools/table";

const where = { seq: 1, at: "2026-03-01T12:00:00Z", by: null, cut: [] };
const usual = { call_id: "c1", title: "", output: "", error: null, metadata: {}, changes: [], attachments: [], seconds: 0, redactions: 0 };

export const MODIFIED: FileChange[] = [{ path: "a.py", change: "modified", added: 4, removed: 1, diff: "" }];
export const CREATED: FileChange[] = [{ path: "a.py", change: "created", added: 4, removed: 0, diff: "" }];
/** Some lines of a file, as a tool's metadata tell it. */
export const PAGE = { start_line: 3, end_line: 5, total_lines: 9 };

/** A call that has ended as `end` says; null: one that has not. */
export function call(tool: string, args: Record<string, unknown>, end: Partial<ToolFinished> | null = {}): CallItem {
  const blank: CallItem = { ...blankCall(where, "c1"), tool, written: JSON.stringify(args) };
  return end ? { ...blank, finished: { ...where, fact: { type: "tool.finished", tool, ...usual, ...end } } } : blank;
}

export function lineOf(item: CallItem, toolset?: string): string {
  const { verb, subject, note } = toolKind(item, toolset).summary(item);
  return [verb, subject, note].filter(Boolean).join(" | ");
}
