/* What a call did, in one line: a verb, what it was about, and how it went. */

import type { FileChange } from "../protocol";
import { callArgs, callStage, type CallItem } from "../sessions/items";
import { duration } from "../ui/clock.svelte";

export interface Summary {
  verb: string;
  subject: string;
  note: string;
}

/** `past` of a call that has ended well, `present` of one that has not. */
export function tense(call: CallItem, past: string, present: string): string {
  return callStage(call) === "done" ? past : present;
}

export function argument(call: CallItem, ...names: string[]): string {
  const args = callArgs(call);
  const value = names.map((name) => args[name]).find((given) => given !== undefined && given !== null && given !== "");
  return value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
}

export function metadata(call: CallItem, name: string): unknown {
  return call.finished?.fact.metadata[name];
}

export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}

export const firstLine = (text: string): string => text.trim().split("\n", 1)[0] ?? "";

/** "a.py · +4 −1", or how many files where there are several. */
export function changed(changes: readonly FileChange[], named: string): { subject: string; note: string } {
  const added = changes.reduce((sum, change) => sum + change.added, 0);
  const removed = changes.reduce((sum, change) => sum + change.removed, 0);
  const subject = changes.length > 1 ? count(changes.length, "file") : (changes[0]?.path ?? named);
  return { subject, note: changes.length ? `+${added} −${removed}` : "" };
}

/** How long it took, where that is long enough to be worth a word. */
export function took(call: CallItem): string {
  const seconds = call.finished?.fact.seconds ?? 0;
  return seconds >= 0.1 ? duration(seconds) : "";
}

export const joined = (...notes: string[]): string => notes.filter(Boolean).join(" · ");

/** "Read 3 files, searched twice": neighbouring calls that only looked. */
export function lookedAt(calls: readonly CallItem[]): string {
  const amount = (...tools: string[]): number => calls.filter((call) => tools.includes(call.tool)).length;
  const files = new Set(
    calls.filter((call) => ["read", "read_file"].includes(call.tool)).map((call) => argument(call, "file_path", "path")),
  ).size;
  const searches = amount("grep", "glob", "search", "find", "ls", "search_files", "list_files", "list_code_definition_names");
  const memories = amount("memory_read");
  const skills = amount("skill", "read_skill_file");
  const names = amount("lsp");
  const lists = amount("todoread", "todo_read", "read_todo_list", "plan_status", "agent_status");
  const parts = [
    files ? `read ${count(files, "file")}` : "",
    searches ? `searched ${searches === 1 ? "once" : `${searches}×`}` : "",
    names ? `asked the language server ${names === 1 ? "once" : `${names}×`}` : "",
    memories ? "looked into memories" : "",
    skills ? "read how it is done" : "",
    lists ? "looked at how things stand" : "",
  ].filter(Boolean);
  const sentence = parts.join(", ");
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
