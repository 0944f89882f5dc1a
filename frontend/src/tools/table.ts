/* The one table of tool kinds: how a call of each is summed up, drawn and opened. A tool that is not here is shown as generic. */

import type { Component } from "svelte";
import type { CallItem } from "../sessions/items";
import type { IconName } from "../ui/icons";
import EditBody from "./EditBody.svelte";
import GenericBody from "./GenericBody.svelte";
import ListBody from "./ListBody.svelte";
import MemoryBody from "./MemoryBody.svelte";
import PlanBody from "./PlanBody.svelte";
import QuestionBody from "./QuestionBody.svelte";
import ReadBody from "./ReadBody.svelte";
import * as summaries from "./summaries";
import TerminalBody from "./TerminalBody.svelte";
import TodoBody from "./TodoBody.svelte";
import type { Summary } from "./words";

export interface ToolKind {
  icon: IconName;
  summary: (call: CallItem) => Summary;
  body: Component<{ call: CallItem; live?: string }>;
  /** Whether the subject is code, path or pattern and is set in the monospaced face. */
  code: boolean;
  /** Whether it stands open while it runs. */
  opens: boolean;
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
const PLAN = kind("plan", summaries.plan, PlanBody, { code: false });
const QUESTION = kind("question", summaries.question, QuestionBody, { code: false });
const GENERIC = kind("tool", summaries.generic, GenericBody);

export const TOOLS: Readonly<Record<string, ToolKind>> = {
  read: READ,
  write: kind("pencil", summaries.write, EditBody),
  edit: EDIT,
  multiedit: EDIT,
  apply_patch: kind("pencil", summaries.patch, EditBody),
  bash: kind("terminal", summaries.bash, TerminalBody, { opens: true }),
  glob: kind("folder", summaries.glob, ListBody),
  grep: SEARCH,
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
};

export const toolKind = (tool: string): ToolKind => TOOLS[tool] ?? GENERIC;
