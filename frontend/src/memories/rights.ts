/* Who may change a memory: its owner, or whoever manages memories in the team it belongs to. */

import { me } from "../accounts/me.svelte";
import { places } from "../projects/places.svelte";
import type { Memory } from "./records";

export function mayEdit(memory: Memory): boolean {
  if (memory.scope === "user") return memory.owner?.id === me.id;
  const team = memory.team?.id ?? places.project(memory.project?.id ?? "")?.team.id;
  return team !== undefined && me.can("manage_memories", team);
}
