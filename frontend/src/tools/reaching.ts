/* The one-line summaries of tools that reach beyond the workspace's files: sub-agents, language servers, the web, MCP, other tools. */

import type { CallItem } from "../sessions/items";
import { argument, count, firstLine, joined, metadata, tense, took, type Summary } from "./words";
import { hostOf } from "./web";

const number = (call: CallItem, name: string): number | null => {
  const value = metadata(call, name);
  return typeof value === "number" ? value : null;
};

/** What an agent of each type is there for; the icon says that it is one. */
const TYPES: Record<string, string> = { explore: "Explore", plan: "Plan", verify: "Verify" };

export function agent(call: CallItem): Summary {
  const type = call.agent?.fact.agent_type ?? (argument(call, "agent_type") || "general");
  const subject = call.agent?.fact.title || firstLine(argument(call, "prompt"));
  const apart = argument(call, "isolation") === "worktree" ? "own worktree" : "";
  return { verb: TYPES[type] ?? "Agent", subject, note: joined(call.agent?.fact.background ? "in the background" : "", apart) };
}

export function agentStatus(call: CallItem): Summary {
  const state = metadata(call, "status");
  return { verb: "Looked at agent", subject: argument(call, "agent_id"), note: typeof state === "string" ? state : "" };
}

const QUESTIONS: Record<string, string> = {
  definition: "Looked up the definition at",
  references: "Looked up the uses of",
  hover: "Looked up what is at",
  diagnostics: "Looked for mistakes in",
  document_symbols: "Listed the names in",
  workspace_symbols: "Looked for the name",
};

const FOUND: Record<string, string> = { definition: "place", references: "place", diagnostics: "diagnostic" };

export function lsp(call: CallItem): Summary {
  const operation = argument(call, "operation");
  const path = argument(call, "file_path");
  const placed = ["definition", "references", "hover"].includes(operation);
  const place = placed ? [path, argument(call, "line"), argument(call, "column")].filter(Boolean).join(":") : path;
  const subject = operation === "workspace_symbols" ? argument(call, "query") : place;
  const found = number(call, "count");
  const note = joined(found === null || operation === "hover" ? "" : count(found, FOUND[operation] ?? "name"), took(call));
  return { verb: QUESTIONS[operation] ?? "Asked the language server", subject, note };
}

export function webfetch(call: CallItem): Summary {
  const url = metadata(call, "url");
  const title = metadata(call, "title");
  const there = typeof url === "string" && url ? url : argument(call, "url");
  const subject = typeof title === "string" && title ? title : there;
  return { verb: tense(call, "Read", "Reading"), subject, note: joined(subject === there ? "" : hostOf(there), took(call)) };
}

export function websearch(call: CallItem): Summary {
  const found = number(call, "num_results");
  const note = joined(found === null ? "" : count(found, "result"), took(call));
  return { verb: tense(call, "Searched the web for", "Searching the web for"), subject: argument(call, "query"), note };
}

export function toolSearch(call: CallItem): Summary {
  const names = metadata(call, "matched_tool_names");
  const found = Array.isArray(names) ? names.map(String) : [];
  const note = call.finished ? (found.length > 4 ? count(found.length, "tool") : found.join(", ") || "nothing") : "";
  return { verb: tense(call, "Looked for tools", "Looking for tools"), subject: argument(call, "query"), note };
}

export function readme(call: CallItem): Summary {
  const files = call.finished?.fact.changes.length ?? 0;
  const verb = tense(call, "Described the code in", "Describes the code in");
  return { verb, subject: argument(call, "path") || ".", note: files ? count(files, "README", "READMEs") : "" };
}

/** "mcp__tracker__list_issues" → its server and its tool. */
export function remote(call: CallItem): Summary {
  const [, server = "", tool = ""] = /^mcp__(.+?)__(.+)$/.exec(call.tool) ?? [];
  const given = argument(call, "tool_name", "server", "task", "query", "name", "session_id");
  if (!server) return { verb: call.tool.replace(/^mcp_/, "MCP: ").replaceAll("_", " "), subject: firstLine(given), note: took(call) };
  return { verb: server, subject: tool, note: took(call) };
}
