/* Which tools a project's agents have, in words. */

import type { ToolInfo } from "./records";

export const PROFILES: [string, string][] = [
  ["", "The installation's choice"],
  ["minimal", "Minimal: files, search, commands, todos, questions"],
  ["standard", "Standard: also the web, plans, memories and sub-agents"],
  ["full", "Full: also code intelligence and MCP servers"],
  ["custom", "Custom: plans, memories and sub-agents; switch on what you need"],
];

export const GROUPS: Record<string, string> = {
  core_tools: "Files, search and commands",
  deferred_tools: "Tool search",
  web_tools: "Web",
  planning: "Plans",
  memory: "Memories",
  agents: "Sub-agents",
  lsp: "Code intelligence",
  mcp: "MCP servers",
};

export const groupWords = (name: string): string => GROUPS[name] ?? name.replaceAll("_", " ");

/** Where a tool comes from, "" for the toolset's own. */
export function originWords(tool: ToolInfo): string {
  if (tool.origin === "own") return "installed";
  return tool.origin.startsWith("mcp:") ? tool.origin.slice(4) : "";
}
