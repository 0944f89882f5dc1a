/* A memory as the API takes it. */

import type { Memory, MemoryScope, MemoryType } from "./records";

export interface MemoryBody {
  title: string;
  content: string;
  scope: MemoryScope;
  type: MemoryType;
  tags: string[];
  project?: string;
  team?: string;
}

export function memoryBody(memory: Memory): MemoryBody {
  const { title, content, scope, type, tags } = memory;
  return { title, content, scope, type, tags, ...belonging(scope, memory.project?.id ?? "", memory.team?.id ?? "") };
}

/** Names the project or the team where the scope calls for one. */
export function belonging(scope: MemoryScope, project: string, team: string): { project?: string; team?: string } {
  return scope === "project" ? { project } : scope === "team" ? { team } : {};
}

/** "Tests, ci  tests" → ["tests", "ci"]. */
export function tagsOf(text: string): string[] {
  return [
    ...new Set(
      text
        .toLowerCase()
        .split(/[\s,]+/)
        .map((tag) => tag.replace(/^#/, "")),
    ),
  ].filter(Boolean);
}
