/* Who may delete or replace a skill: its owner, or whoever manages the projects of its team. */

import { me } from "../accounts/me.svelte";
import type { Skill } from "./records";

export function mayChange(skill: Skill): boolean {
  if (skill.source === "user") return skill.owner?.id === me.id;
  return skill.team !== null && me.can("manage_projects", skill.team.id);
}
