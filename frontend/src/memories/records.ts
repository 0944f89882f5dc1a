/* Memories as the API gives them, and what their scopes and types mean. */

import type { PersonRef, TeamRef } from "../accounts/records";
import type { MemoryWritten } from "../protocol";

export type MemoryScope = MemoryWritten["scope"];
export type MemoryType = MemoryWritten["memory_type"];

export interface Memory {
  id: string;
  title: string;
  content: string;
  scope: MemoryScope;
  type: MemoryType;
  tags: string[];
  team: TeamRef | null;
  project: { id: string; name: string } | null;
  owner: PersonRef | null;
  source: { session: string; seq: number | null } | null;
  created: string;
  updated: string;
  created_by: PersonRef | null;
  updated_by: PersonRef | null;
  used_count: number;
  last_used: string | null;
}

export const SCOPES: Record<MemoryScope, { words: string; about: string }> = {
  user: { words: "Personal", about: "Only you, and agents that act for you, see it." },
  project: { words: "Project", about: "Everybody in the project, and every agent that works in it." },
  team: { words: "Team", about: "Everybody in the team, and agents in all its projects." },
};

export const TYPES: Record<MemoryType, { words: string; about: string }> = {
  user: { words: "About a person", about: "How somebody likes to work." },
  feedback: { words: "Feedback", about: "What people corrected or praised." },
  project: { words: "About the project", about: "Facts, decisions and habits of the code." },
  reference: { words: "Reference", about: "Where to find things." },
};

export const MEMORY_FILTERS = ["q", "scope", "type", "project"] as const;
export type MemoryFilter = (typeof MEMORY_FILTERS)[number];
