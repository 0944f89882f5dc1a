/* Skills as the API gives them, and what their sources mean. */

import type { PersonRef, TeamRef } from "../accounts/records";

export type SkillSource = "builtin" | "user" | "team" | "project";

/** Whose an uploaded skill can be. */
export type UploadScope = Extract<SkillSource, "user" | "team">;

export interface Skill {
  id: string;
  name: string;
  description: string;
  source: SkillSource;
  team: TeamRef | null;
  owner: PersonRef | null;
  uploaded: string | null;
  uploaded_by: PersonRef | null;
  file_count: number;
  size: number;
  complaint: string;
  /** The source whose skill of this name counts instead; "" where this one counts. */
  overridden_by: SkillSource | "";
}

export interface SkillFile {
  path: string;
  size: number;
}

/** `text` is its SKILL.md without the head. */
export interface OpenedSkill extends Skill {
  text: string;
  files: SkillFile[];
}

/** As the agents of a project have it; `id` is "" for one that lies in the workspace, in `folder`. */
export interface ProjectSkill extends Pick<Skill, "id" | "name" | "description" | "source" | "complaint" | "overridden_by"> {
  folder: string;
  on: boolean;
}

export const SOURCES: Record<SkillSource, { words: string; about: string }> = {
  builtin: { words: "Built in", about: "Ships with Countersign." },
  user: { words: "Personal", about: "Only you see it, and only agents that act for you use it." },
  team: { words: "Team", about: "Everybody in the team, and agents in all its projects." },
  project: { words: "Project", about: "Lies in the project's own files." },
};

export const SKILL_FILTERS = ["q", "source"] as const;
export type SkillFilter = (typeof SKILL_FILTERS)[number];
