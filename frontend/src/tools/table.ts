/* The one table of tool kinds: how a call of each is summed up, drawn and opened. A tool that is not here is shown as generic. */

import type { Component } from "svelte";
import AgentStage from "../sessions/AgentStage.svelte";
import AgentWaits from "../sessions/AgentWaits.svelte";
import type { CallItem } from "../sessions/items";
import JobStage from "../sessions/JobStage.svelte";
import type { IconName } from "../ui/icons";
import AgentBody from "./AgentBody.svelte";
import * as alfredo from "./alfredo/summaries";
import AtomicEditBody from "./atomic/EditBody.svelte";
import * as atloop from "./atloop/summaries";
import { isAtomic } from "./atomic/facts";
import FindBody from "./atomic/FindBody.svelte";
import AtomicReadBody from "./atomic/ReadBody.svelte";
import SearchBody from "./atomic/SearchBody.svelte";
import * as atomic from "./atomic/summaries";
import AtomicWriteBody from "./atomic/WriteBody.svelte";
import EditBody from "./EditBody.svelte";
import GenericBody from "./GenericBody.svelte";
import ListBody from "./ListBody.svelte";
import LspBody from "./LspBody.svelte";
import MemoryBody from "./MemoryBody.svelte";
import QuestionBody from "./QuestionBody.svelte";
import * as reaching from "./reaching";
import ReadBody from "./ReadBody.svelte";
import RemoteBody from "./RemoteBody.svelte";
import SaidBody from "./SaidBody.svelte";
import { isSmall } from "./small/facts";
import * as small from "./small/summaries";
import * as summaries from "./summaries";
import TerminalBody from "./TerminalBody.svelte";
import TodoBody from "./TodoBody.svelte";
import ToolSearchBody from "./ToolSearchBody.svelte";
import WebHitsBody from "./WebHitsBody.svelte";
import WebPageBody from "./WebPageBody.svelte";
import type { Summary } from "./words";

export interface ToolKind {
  icon: IconName;
  summary: (call: CallItem) => Summary;
  body: Component<{ call: CallItem; live?: string }>;
  /** Whether the subject is code, path or pattern and is set in the monospaced face. */
  code: boolean;
  /** Whether it stands open while it runs. */
  opens: boolean;
  /** What says where it stands, in place of the usual pill. */
  stage?: Component<{ call: CallItem }>;
  /** What stands below its line whether it is unfolded or not. */
  below?: Component<{ call: CallItem }>;
}

const kind = (icon: IconName, summary: ToolKind["summary"], body: ToolKind["body"], more: Partial<ToolKind> = {}): ToolKind => ({
  icon,
  summary,
  body,
  code: true,
  opens: false,
  ...more,
});

const READ = kind("file", summaries.read, ReadBody);
const EDIT = kind("pencil", summaries.edit, EditBody);
const SEARCH = kind("search", summaries.grep, ListBody);
const TODO = kind("list", summaries.todos, TodoBody, { code: false });
const MEMORY = kind("memory", summaries.memory, MemoryBody, { code: false });
const PLAN = kind("plan", summaries.plan, SaidBody, { code: false });
const QUESTION = kind("question", summaries.question, QuestionBody, { code: false });
const AGENT = kind("agent", reaching.agent, AgentBody, { code: false, stage: AgentStage, below: AgentWaits });
const WEB_SEARCH = kind("globe", reaching.websearch, WebHitsBody, { code: false });
const REMOTE = kind("plug", reaching.remote, RemoteBody);
const GENERIC = kind("tool", summaries.generic, GenericBody);

export const TOOLS: Readonly<Record<string, ToolKind>> = {
  read: READ,
  write: kind("pencil", summaries.write, EditBody),
  edit: EDIT,
  multiedit: EDIT,
  apply_patch: kind("pencil", summaries.patch, EditBody),
  bash: kind("terminal", summaries.bash, TerminalBody, { opens: true, stage: JobStage }),
  glob: kind("folder", summaries.glob, ListBody),
  grep: SEARCH,
  find: kind("folder", summaries.glob, ListBody),
  ls: kind("folder", small.ls, ListBody),
  calculate: kind("tool", small.calculate, ListBody),
  get_current_time: kind("clock", small.time, ListBody),
  skill: kind("skill", small.skill, SaidBody),
  read_skill_file: kind("skill", small.skillFile, ReadBody),
  read_file: kind("file", small.read, ReadBody),
  write_file: kind("pencil", summaries.write, EditBody),
  append_file: kind("pencil", atloop.append, EditBody),
  edit_file: EDIT,
  multi_edit_file: kind("pencil", atloop.multiEdit, EditBody),
  run: kind("terminal", summaries.bash, TerminalBody, { opens: true }),
  search: kind("search", atloop.search, ListBody),
  todo_write: TODO,
  todo_read: kind("list", summaries.todos, SaidBody, { code: false }),
  write_to_file: kind("pencil", summaries.write, EditBody),
  replace_in_file: EDIT,
  list_files: kind("folder", alfredo.list, ListBody),
  search_files: kind("search", alfredo.search, ListBody),
  list_code_definition_names: kind("code", alfredo.definitions, ListBody),
  execute_command: kind("terminal", summaries.bash, TerminalBody, { opens: true }),
  ask_followup_question: QUESTION,
  attempt_completion: kind("check", alfredo.completion, SaidBody, { code: false }),
  write_todo_list: kind("list", alfredo.todos, SaidBody, { code: false }),
  read_todo_list: kind("list", alfredo.todos, SaidBody, { code: false }),
  todowrite: TODO,
  todoread: TODO,
  memory_read: MEMORY,
  memory_write: MEMORY,
  memory_delete: MEMORY,
  plan_enter: PLAN,
  plan_exit: PLAN,
  plan_status: PLAN,
  question: QUESTION,
  ask_user: QUESTION,
  agent: AGENT,
  agent_status: kind("agent", reaching.agentStatus, SaidBody),
  lsp: kind("code", reaching.lsp, LspBody),
  webfetch: kind("globe", reaching.webfetch, WebPageBody, { code: false }),
  websearch: WEB_SEARCH,
  playwright_search: WEB_SEARCH,
  tool_search: kind("tool", reaching.toolSearch, ToolSearchBody),
  generate_readme: kind("file", reaching.readme, EditBody),
};

/** Atomic's own, where another toolset has a tool of the same name or none. */
export const ATOMIC: Readonly<Record<string, ToolKind>> = {
  read: kind("file", atomic.read, AtomicReadBody),
  write: kind("pencil", atomic.write, AtomicWriteBody),
  edit: kind("pencil", atomic.edit, AtomicEditBody),
  find: kind("folder", atomic.find, FindBody),
  search: kind("search", atomic.search, SearchBody),
};

/** agent_loop's own, where its arguments are not those of others. */
const SMALL: Readonly<Record<string, ToolKind>> = { read: kind("file", small.read, ReadBody) };

/** How a call is shown. `toolset` is the one its session uses, for a call of which nothing else is known yet. */
export function toolKind(call: CallItem, toolset = ""): ToolKind {
  if (isSmall(call, toolset)) return SMALL[call.tool] ?? TOOLS[call.tool] ?? GENERIC;
  const own = ATOMIC[call.tool];
  if (own && isAtomic(call, toolset)) return own;
  return TOOLS[call.tool] ?? (call.tool.startsWith("mcp_") ? REMOTE : GENERIC);
}
