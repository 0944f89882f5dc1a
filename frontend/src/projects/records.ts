/* Projects, their rules and their files as the API gives them. */

import type { FileChange } from "../protocol";
import type { Right, TeamRef } from "../accounts/records";

export interface Project {
  id: string;
  name: string;
  slug: string;
  description: string;
  team: TeamRef;
  rights: Right[];
  network: boolean;
  /** The level asked for; "" is the strongest that works here. */
  sandbox_level: string;
  sandbox: { level: string; note: string; warning: string };
  provider: string;
  model: string;
  toolset: string;
  /** How agents go about a run; "" is the toolset's own way. */
  workflow: string;
  /** How models say their calls. */
  protocol: string;
  /** minimal, standard, full or custom; "" is the installation's. */
  profile: string;
  /** Feature group → on or off, over the profile. */
  features: Record<string, boolean>;
  /** Whether commands that another tool does better are sent back to it. */
  bash_interceptor: boolean;
  created: string;
  session_count: number;
}

/** The sandboxes that can be asked for, as [name, words]. */
export const SANDBOXES: [string, string][] = [
  ["", "The strongest that works here"],
  ["bubblewrap", "bubblewrap"],
  ["landlock", "Landlock"],
];

export type RuleAction = "allow" | "ask" | "deny";

export interface Rule {
  tool: string;
  pattern: string;
  action: RuleAction;
}

export interface TreeEntry {
  name: string;
  path: string;
  kind: "file" | "folder" | "other";
  size: number;
  modified: string;
}

export interface Tree {
  path: string;
  entries: TreeEntry[];
}

export interface FileText {
  path: string;
  size: number;
  binary: boolean;
  text: string;
  truncated: boolean;
}

/** What changed in a workspace, file by file. */
export interface Diff {
  files: FileChange[];
  added: number;
  removed: number;
}

/** A feature group of a project's tools. `locked`: it is always on, or the operator switched it off for everybody. */
export interface ToolGroup {
  name: string;
  on: boolean;
  locked: boolean;
  tools: string[];
}

export interface ToolInfo {
  name: string;
  description: string;
  group: string;
  /** The toolset, "own" or "mcp:<server>". */
  origin: string;
  offered: "always" | "searched";
}

/** What a project's agents have. `profile` is what holds, `chosen_profile` what the project asked for ("" = nothing). */
export interface ProjectTools {
  profile: string;
  chosen_profile: string;
  groups: ToolGroup[];
  tools: ToolInfo[];
}
