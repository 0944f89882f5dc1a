/* The one-line summaries of atloop's tools, where those of others do not fit. */

import type { CallItem } from "../../sessions/items";
import { argument, changed, count, firstLine, joined, metadata, tense, type Summary } from "../words";

export function append(call: CallItem): Summary {
  return { verb: tense(call, "Added to", "Adding to"), ...changed(call.finished?.fact.changes ?? [], argument(call, "path")) };
}

export function multiEdit(call: CallItem): Summary {
  return { verb: tense(call, "Edited", "Editing"), ...changed(call.finished?.fact.changes ?? [], "several files, all or none") };
}

export function search(call: CallItem): Summary {
  const [shown, mode, glob] = [metadata(call, "shown"), argument(call, "output_mode"), argument(call, "glob")];
  const found = typeof shown === "number" ? count(shown, !mode || mode === "content" ? "line" : "file") : "";
  const more = metadata(call, "truncated") === true ? `first ${found}` : found;
  return {
    verb: tense(call, "Searched", "Searching"),
    subject: firstLine(argument(call, "query")),
    note: joined(glob && `in ${glob}`, more),
  };
}
