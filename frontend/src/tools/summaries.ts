/* The one-line summary of each kind of tool. */

import { callArgs, callStage, type CallItem } from "../sessions/items";
import { argument, changed, count, firstLine, joined, metadata, tense, took, type Summary } from "./words";

const path = (call: CallItem): string => argument(call, "file_path", "path");

const amount = (value: unknown, one: string, many?: string): string => (typeof value === "number" ? count(value, one, many) : "");

export function read(call: CallItem): Summary {
  const lines = metadata(call, "lines_shown");
  const shown =
    typeof lines === "number" ? lines : Array.isArray(lines) ? Number(lines[1]) - Number(lines[0]) + 1 : metadata(call, "total_lines");
  return { verb: tense(call, "Read", "Reading"), subject: path(call), note: amount(shown, "line") };
}

export function write(call: CallItem): Summary {
  const isNew = call.finished?.fact.changes[0]?.change === "created";
  return { verb: tense(call, isNew ? "Created" : "Wrote", "Writing"), ...changed(call.finished?.fact.changes ?? [], path(call)) };
}

export function edit(call: CallItem): Summary {
  return { verb: tense(call, "Edited", "Editing"), ...changed(call.finished?.fact.changes ?? [], path(call)) };
}

export function patch(call: CallItem): Summary {
  return { verb: tense(call, "Patched", "Patching"), ...changed(call.finished?.fact.changes ?? [], "") };
}

export function bash(call: CallItem): Summary {
  const code = metadata(call, "exit_code") ?? metadata(call, "exitCode");
  const exit = metadata(call, "timeout") === true ? "timed out" : typeof code === "number" ? `exit ${code}` : "";
  if (metadata(call, "by_hand"))
    return { verb: tense(call, "Run by a person:", "Not run:"), subject: firstLine(argument(call, "command", "cmd")), note: "" };
  const background = callArgs(call)["async"] === true;
  const past = background ? "Started" : "Ran";
  const verb = callStage(call) === "denied" ? "Would run" : call.finished ? past : "Run";
  return { verb, subject: firstLine(argument(call, "command", "cmd")), note: background ? "in the background" : joined(exit, took(call)) };
}

export function glob(call: CallItem): Summary {
  const found = metadata(call, "total_matches");
  return { verb: tense(call, "Listed", "Listing"), subject: argument(call, "pattern"), note: amount(found, "file") };
}

export function grep(call: CallItem): Summary {
  const where = joined(path(call), argument(call, "glob"));
  const found = amount(metadata(call, "total_matches"), "match", "matches");
  return { verb: tense(call, "Searched", "Searching"), subject: argument(call, "pattern"), note: joined(where && `in ${where}`, found) };
}

export function todos(call: CallItem): Summary {
  if (call.tool === "todoread" || call.tool === "todo_read") return { verb: "Looked at the todo list", subject: "", note: "" };
  const total = metadata(call, "count");
  const progress = typeof total === "number" ? `${String(metadata(call, "completed") ?? 0)} of ${total} done` : "";
  return { verb: tense(call, "Updated the todo list", "Updating the todo list"), subject: "", note: progress };
}

export function memory(call: CallItem): Summary {
  if (call.tool === "memory_write")
    return { verb: tense(call, "Remembered", "Remember"), subject: argument(call, "title"), note: argument(call, "scope") };
  if (call.tool === "memory_delete") return { verb: tense(call, "Forgot", "Forget"), subject: argument(call, "memory_id"), note: "" };
  const found = amount(metadata(call, "count"), "memory", "memories");
  return { verb: "Looked into memories", subject: argument(call, "query"), note: found };
}

const PLAN_WORDS: Record<string, [string, string]> = {
  plan_enter: ["Began to plan", "Begins to plan"],
  plan_exit: ["Put the plan up for review", "Puts the plan up for review"],
  plan_status: ["Looked at the plan's state", "Looks at the plan's state"],
};

export function plan(call: CallItem): Summary {
  const [past, present] = PLAN_WORDS[call.tool] ?? [call.tool, call.tool];
  return { verb: tense(call, past, present), subject: argument(call, "summary", "reason"), note: "" };
}

export function question(call: CallItem): Summary {
  const asked = call.question?.fact.questions ?? [];
  const subject = asked.length > 1 ? count(asked.length, "question") : firstLine(asked[0]?.question ?? argument(call, "question"));
  return { verb: call.answered ? "Asked" : "Asks", subject, note: "" };
}

export function generic(call: CallItem): Summary {
  const subject = call.approval?.fact.subject || argument(call, "path", "file_path", "query", "url", "name", "prompt");
  return { verb: call.tool || "tool", subject: firstLine(subject), note: took(call) };
}
