/* What is done with tools, whatever they are called: the rows in which toolsets are laid side by side. */

import type { Tool, Toolset } from "./records";

/** A thing to do, in the order of the page, and the names of the tools that do it. */
const DEEDS: readonly [deed: string, tools: readonly string[]][] = [
  ["Read files", ["read", "read_file"]],
  ["Write files", ["write", "write_file", "write_to_file", "append_file", "generate_readme"]],
  ["Edit files", ["edit", "multiedit", "apply_patch", "edit_file", "multi_edit_file", "replace_in_file"]],
  ["Find files", ["glob", "find", "ls", "list_files"]],
  ["Search in files", ["grep", "search", "search_files"]],
  ["Understand code", ["lsp", "list_code_definition_names"]],
  ["Run commands", ["bash", "run", "execute_command"]],
  ["Ask people", ["question", "ask_user", "ask_followup_question"]],
  ["Say it is done", ["attempt_completion"]],
  ["Keep a todo list", ["todowrite", "todoread", "todo_write", "todo_read", "write_todo_list", "read_todo_list"]],
  ["Plan for review", ["plan_enter", "plan_exit", "plan_status"]],
  ["Remember", ["memory_read", "memory_write", "memory_delete"]],
  ["Hand on work", ["agent", "agent_status"]],
  ["Use skills", ["skill", "read_skill_file"]],
  ["Reckon", ["calculate", "get_current_time"]],
  ["Reach the web", ["webfetch", "websearch", "playwright_search"]],
  ["Find more tools", ["tool_search"]],
  ["Use MCP servers", []],
  ["Other", []],
];

const NAMED = new Map(DEEDS.flatMap(([deed, tools]) => tools.map((tool) => [tool, deed] as const)));

/** Where a tool belongs that is not named above, such as one of the team's own: its feature group says it. */
const GROUPED: Readonly<Record<string, string>> = {
  planning: "Plan for review",
  memory: "Remember",
  agents: "Hand on work",
  web_tools: "Reach the web",
  lsp: "Understand code",
  deferred_tools: "Find more tools",
  mcp: "Use MCP servers",
};

export const deedOf = (tool: Tool): string => NAMED.get(tool.name) ?? GROUPED[tool.group] ?? "Other";

/** One thing to do, with the tools that do it in each toolset. `alike`: all of them have the very same. */
export interface DeedRow {
  deed: string;
  cells: { toolset: Toolset; tools: Tool[] }[];
  alike: boolean;
}

/** The rows of these toolsets side by side; what none of them does is left out. */
export function deedRows(toolsets: readonly Toolset[]): DeedRow[] {
  return DEEDS.flatMap(([deed]) => {
    const cells = toolsets.map((toolset) => ({ toolset, tools: toolset.tools.filter((tool) => deedOf(tool) === deed) }));
    if (!cells.some(({ tools }) => tools.length)) return [];
    const said = new Set(cells.map(({ tools }) => JSON.stringify(tools.map(({ name, description }) => [name, description]).sort())));
    return [{ deed, cells, alike: cells.length > 1 && said.size === 1 }];
  });
}
