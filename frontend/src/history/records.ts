/* A session as lists show it. */

import type { RunView } from "../protocol";
import type { IconName } from "../ui/icons";
import type { Tone } from "../ui/Pill.svelte";
import type { PersonRef, TeamRef } from "../accounts/records";

export type SessionStatus = RunView["state"];

export interface SessionRow {
  id: string;
  title: string;
  project: { id: string; name: string };
  team: TeamRef | string;
  created_by: PersonRef | null;
  status: SessionStatus;
  /** How many approvals, plans and questions wait for a person. */
  asks: number;
  opened: string;
  active: string;
  archived: boolean;
  provider: string;
  model: string;
  cost: number | null;
  /** Where a search found its words. */
  snippet?: string;
}

/** What a list says of a session: that it needs somebody, or, where it waits for nothing but its sub-agents, that it works. */
export function statusOfRow(row: Pick<SessionRow, "status" | "asks">): SessionStatus {
  if (row.asks) return "waiting";
  return row.status === "waiting" ? "running" : row.status;
}

/** How a status is said and drawn: never by colour alone. */
export const STATUSES: Record<SessionStatus, { words: string; tone: Tone; icon: IconName }> = {
  idle: { words: "Idle", tone: "neutral", icon: "circle" },
  queued: { words: "Queued", tone: "neutral", icon: "clock" },
  running: { words: "Working", tone: "accent", icon: "sparkle" },
  waiting: { words: "Needs you", tone: "warn", icon: "inbox" },
  done: { words: "Completed", tone: "ok", icon: "check" },
  stopped: { words: "Stopped", tone: "neutral", icon: "stop" },
  failed: { words: "Failed", tone: "danger", icon: "alert" },
  limit: { words: "Limit reached", tone: "warn", icon: "alert" },
};

/** What a list of sessions can be narrowed by; the names are those of the address and of the API. */
export const FILTERS = ["q", "project", "person", "status", "archived"] as const;
export type Filter = (typeof FILTERS)[number];
