/* Which calls are agent_loop's, where other toolsets have tools of the same name and much the same arguments. */

import { callArgs, type CallItem } from "../../sessions/items";
import { metadata } from "../words";

const ITS_OWN = new Set(["cwd", "max_lines", "max_bytes", "old_text", "new_text"]);
/** What only its results tell, by tool. */
const MARKS: Readonly<Record<string, string>> = { read: "start_line", write: "status", edit: "status" };

/** By what it was given, by what came of it, or else by what its session uses. */
export function isSmall(call: CallItem, toolset: string): boolean {
  const mark = MARKS[call.tool];
  if (!mark) return false;
  if (Object.keys(callArgs(call)).some((name) => ITS_OWN.has(name))) return true;
  if (call.finished?.fact.error === null) return metadata(call, mark) !== undefined;
  return toolset.startsWith("agent_loop");
}
