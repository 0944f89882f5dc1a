/* The one-line summary of each of Atomic's tools. */

import type { CallItem } from "../../sessions/items";
import { argument, changed, count, joined, metadata, tense, type Summary } from "../words";
import { given } from "../written";
import { pathsGiven, tableIn, words } from "./facts";
import { numbered } from "./numbered";
import { pathsOf } from "./script";

const KINDS: Record<string, string> = {
  archive: "archive",
  conflict: "conflict",
  conflicts: "conflicts",
  document: "document",
  folder: "folder",
  image: "picture",
  notebook: "notebook",
  sqlite: "database",
};

export function read(call: CallItem): Summary {
  const kind = words(metadata(call, "kind"));
  const table = tableIn(call);
  const rows = kind === "text" && call.finished ? numbered(call.finished.fact.output).rows.length : 0;
  const amount = table ? count(table.rows.length, "row") : rows ? count(rows, "line") : "";
  return { verb: tense(call, "Read", "Reading"), subject: given(call, "path"), note: joined(KINDS[kind] ?? "", amount) };
}

export function edit(call: CallItem): Summary {
  const named = pathsOf(given(call, "input"));
  const subject = named.length > 1 ? count(named.length, "file") : (named[0] ?? "");
  if (metadata(call, "noop")) return { verb: "Left as it was:", subject, note: "" };
  const about = changed(call.finished?.fact.changes ?? [], subject);
  return { verb: tense(call, "Edited", "Editing"), ...about };
}

export function write(call: CallItem): Summary {
  const isNew = call.finished?.fact.changes[0]?.change === "created";
  const path = given(call, "path");
  const verb = path.startsWith("conflict://") ? ["Resolved", "Resolving"] : [isNew ? "Created" : "Wrote", "Writing"];
  const kind = KINDS[words(metadata(call, "kind"))] ?? "";
  const inside = kind === "archive" || kind === "database";
  const { subject, note } = changed(call.finished?.fact.changes ?? [], path);
  return { verb: tense(call, verb[0]!, verb[1]!), subject: kind ? path : subject, note: joined(kind, inside ? "" : note) };
}

export function find(call: CallItem): Summary {
  const found = metadata(call, "fileCount");
  const note = typeof found === "number" ? count(found, "file") : "";
  return {
    verb: tense(call, "Found", "Finding"),
    subject: pathsGiven(call).join(", "),
    note: joined(note, short(call, "timedOut", "in part")),
  };
}

export function search(call: CallItem): Summary {
  const [matches, files] = [metadata(call, "matchCount"), metadata(call, "fileCount")];
  const amount = typeof matches === "number" ? count(matches, "match", "matches") : "";
  const spread = typeof files === "number" && files > 1 ? `${amount} in ${count(files, "file")}` : amount;
  const where = pathsGiven(call).join(", ");
  return { verb: tense(call, "Searched", "Searching"), subject: argument(call, "pattern"), note: joined(where && `in ${where}`, spread) };
}

const short = (call: CallItem, name: string, said: string): string => (metadata(call, name) === true ? said : "");
