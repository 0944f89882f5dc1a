/* The change a call would make, before (or without) the tool's own word on it. */

import { callArgs, type CallItem } from "../sessions/items";
import { type DiffFile, lineDiff, parseDiff } from "../ui/diff";
import { blocksIn } from "./alfredo/blocks";

const text = (value: unknown): string => (typeof value === "string" ? value : "");

interface Edit {
  path?: unknown;
  old_string?: unknown;
  new_string?: unknown;
}

/** Files with their changes: what happened; else the approval's preview; else what the arguments say. */
export function fileDiffs(call: CallItem): DiffFile[] {
  const changes = call.finished?.fact.changes ?? [];
  if (changes.length) return changes.flatMap((change) => parseDiff(change.diff, change.path));
  const preview = call.approval?.fact.preview;
  if (preview) return parseDiff(preview);
  return fromArguments(callArgs(call));
}

function fromArguments(args: Record<string, unknown>): DiffFile[] {
  const path = text(args["file_path"] ?? args["path"]);
  if (typeof args["patch"] === "string") return parseDiff(args["patch"]);
  if (typeof args["diff"] === "string") return blocksIn(args["diff"]).map(({ search, replace }) => lineDiff(search, replace, path));
  const quoted = typeof args["content"] === "string" ? oldAndNew(args["content"]) : null;
  if (quoted) return [lineDiff(quoted.before, quoted.after, path)];
  if (typeof args["content"] === "string") return [lineDiff("", args["content"], path)];
  if ("old_text" in args) return [lineDiff(text(args["old_text"]), text(args["new_text"]), path)];
  const edits = Array.isArray(args["edits"]) ? (args["edits"] as Edit[]) : "old_string" in args ? [args as Edit] : [];
  return edits.map((edit) => lineDiff(text(edit.old_string), text(edit.new_string), text(edit.path) || path));
}

/** The two texts of an edit that stand between tags, in either order; null for a content that is none. */
function oldAndNew(content: string): { before: string; after: string } | null {
  const found =
    /^\s*<old>(?<before>[^]*?)<\/old>\s*<new>(?<after>[^]*)<\/new>\s*$/.exec(content) ??
    /^\s*<new>(?<after>[^]*?)<\/new>\s*<old>(?<before>[^]*)<\/old>\s*$/.exec(content);
  return found?.groups ? { before: found.groups["before"] ?? "", after: found.groups["after"] ?? "" } : null;
}
