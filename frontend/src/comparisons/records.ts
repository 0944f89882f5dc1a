/* Comparisons as the API gives them. */

import type { PersonRef, TeamRef } from "../accounts/records";
import type { SessionStatus } from "../history/records";
import type { WorktreeView } from "../protocol";
import type { ToolsetChoice } from "../toolsets/records";

export const SIDES = ["left", "right"] as const;
export type SideName = (typeof SIDES)[number];

/** What a side's work came to, its sub-agents' included. `files` is null until they have been compared once. */
export interface Figures {
  replies: number;
  tool_calls: number;
  failed_calls: number;
  refused_replies: number;
  input: number;
  output: number;
  cost: number;
  /** Replies whose price nobody knows. */
  unpriced: number;
  seconds: number;
  files: number | null;
  added: number;
  removed: number;
}

export interface Side {
  /** The session's id. */
  session: string;
  /** What sets it apart from the other side. */
  label: string;
  title: string;
  toolset: string;
  workflow: string;
  protocol: string;
  status: SessionStatus;
  asks: number;
  phase: string;
  cycle: number;
  worktree: WorktreeView["state"];
  branch: string;
  figures: Figures;
}

export interface Comparison extends Record<SideName, Side> {
  id: string;
  title: string;
  prompt: string;
  project: { id: string; name: string };
  team: TeamRef;
  created_by: PersonRef | null;
  provider: string;
  model: string;
  /** The commit both worktrees began with. */
  base: string;
  created: string;
  /** The side that was landed, both, none of them, or "" while that is open. */
  outcome: SideName | "both" | "none" | "";
}

/** How one side is to work; what is empty is the toolset's or the project's. */
export interface Way {
  toolset: string;
  workflow: string;
  protocol: string;
}

export const otherThan = (side: SideName): SideName => (side === "left" ? "right" : "left");

/** What a project has chosen for sessions that choose nothing. */
export interface Usual {
  toolset: string;
  workflow?: string;
  protocol?: string;
}

/** Whether the two would work in the very same way. */
export function alike(left: Way, right: Way, toolsets: readonly Pick<ToolsetChoice, "name" | "workflow">[], usual: Usual): boolean {
  const workflow = ({ workflow, toolset }: Way): string =>
    workflow || (toolset === usual.toolset && usual.workflow) || toolsets.find(({ name }) => name === toolset)?.workflow || "";
  const protocol = (way: Way): string => way.protocol || usual.protocol || "native";
  return left.toolset === right.toolset && workflow(left) === workflow(right) && protocol(left) === protocol(right);
}

/** How a comparison stands, in words for a list. */
export function standing({ outcome, left, right }: Comparison): { words: string; tone: "neutral" | "accent" | "ok" | "warn" } {
  if (outcome === "none") return { words: "Both dropped", tone: "neutral" };
  if (outcome === "both") return { words: "Both landed", tone: "ok" };
  if (outcome) return { words: `Kept ${outcome === "left" ? left.label : right.label}`, tone: "ok" };
  if (left.asks || right.asks) return { words: "Needs you", tone: "warn" };
  return isOver(left) && isOver(right) ? { words: "To decide", tone: "warn" } : { words: "Working", tone: "accent" };
}

export const isOver = ({ status }: Pick<Side, "status">): boolean =>
  status === "done" || status === "stopped" || status === "failed" || status === "limit";
