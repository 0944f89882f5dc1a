/* The one-line summaries of Alfredo's tools, where those of others do not fit. */

import type { CallItem } from "../../sessions/items";
import * as summaries from "../summaries";
import { argument, count, firstLine, joined, metadata, tense, type Summary } from "../words";

const path = (call: CallItem): string => argument(call, "path");

/** "first 500 matches" of a result that was cut. */
function amount(call: CallItem, name: string, one: string, many?: string): string {
  const found = metadata(call, name);
  if (typeof found !== "number") return "";
  return `${metadata(call, "truncated") === true ? "first " : ""}${count(found, one, many)}`;
}

export function list(call: CallItem): Summary {
  const below = metadata(call, "recursive") === true ? "with all below" : "";
  const note = joined(below, amount(call, "entries", "entry", "entries"));
  return { verb: tense(call, "Listed", "Listing"), subject: path(call), note };
}

export function search(call: CallItem): Summary {
  const [where, files] = [path(call), argument(call, "file_pattern")];
  const named = joined(where && where !== "." ? `in ${where}` : "", files && files !== "*" ? files : "");
  const note = joined(named, amount(call, "total_matches", "match", "matches"));
  return { verb: tense(call, "Searched", "Searching"), subject: firstLine(argument(call, "regex")), note };
}

export function definitions(call: CallItem): Summary {
  const files = amount(call, "total_files", "file");
  const note = joined(amount(call, "definitions", "name"), files);
  return { verb: tense(call, "Looked at what is defined in", "Looking at what is defined in"), subject: path(call), note };
}

export function todos(call: CallItem): Summary {
  if (call.tool === "read_todo_list") return { verb: "Looked at the todo list", subject: "", note: "" };
  return summaries.todos(call);
}

export function completion(call: CallItem): Summary {
  return { verb: tense(call, "Said that it is done", "Says that it is done"), subject: firstLine(argument(call, "result")), note: "" };
}
