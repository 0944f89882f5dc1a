/* The one-line summaries of agent_loop's tools, and of skills. */

import type { CallItem } from "../../sessions/items";
import { argument, count, joined, metadata, tense, took, type Summary } from "../words";

/** The path as it was given, from the folder it was given in. */
const path = (call: CallItem): string => [argument(call, "cwd"), argument(call, "path")].filter(Boolean).join("/");

const lines = (call: CallItem): string => {
  const [first, last, total] = ["start_line", "end_line", "total_lines"].map((name) => metadata(call, name));
  if (typeof first !== "number" || typeof last !== "number" || typeof total !== "number") return "";
  return first === 1 && last === total ? count(total, "line") : `lines ${first}–${last} of ${total}`;
};

export function read(call: CallItem): Summary {
  return { verb: tense(call, "Read", "Reading"), subject: path(call), note: lines(call) };
}

export function ls(call: CallItem): Summary {
  const entries = metadata(call, "entries");
  const note = typeof entries === "number" ? count(entries, "entry", "entries") : "";
  return { verb: tense(call, "Listed", "Listing"), subject: path(call) || ".", note };
}

export function calculate(call: CallItem): Summary {
  const result = call.finished?.fact.error === null ? `= ${call.finished.fact.output}` : "";
  const note = result.length > 40 ? `${result.slice(0, 39)}…` : result;
  return { verb: tense(call, "Calculated", "Calculate"), subject: argument(call, "expression"), note };
}

export function time(call: CallItem): Summary {
  return { verb: tense(call, "Looked at the clock", "Looks at the clock"), subject: "", note: call.finished?.fact.output ?? "" };
}

export function skill(call: CallItem): Summary {
  const source = metadata(call, "source");
  const note = joined(typeof source === "string" ? source : "", took(call));
  return { verb: tense(call, "Read the skill", "Reading the skill"), subject: argument(call, "name"), note };
}

export function skillFile(call: CallItem): Summary {
  const subject = [argument(call, "skill_name"), argument(call, "path")].filter(Boolean).join("/");
  return { verb: tense(call, "Read of a skill", "Reading of a skill"), subject, note: lines(call) };
}
