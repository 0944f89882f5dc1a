/* Who is signed in, and in which of their teams they are working now (remembered in this browser). */

import { get } from "../api";
import type { Me, MyTeam, Right } from "./records";

const TEAM_KEY = "countersign.team";

class SignedIn {
  person = $state<Me | null>(null);
  #chosen = $state(localStorage.getItem(TEAM_KEY) ?? "");

  get id(): string {
    return this.person?.id ?? "";
  }

  get teams(): MyTeam[] {
    return this.person?.teams ?? [];
  }

  get team(): MyTeam | undefined {
    return this.teams.find((team) => team.id === this.#chosen) ?? this.teams[0];
  }

  async load(): Promise<void> {
    this.person = await get<Me>("me/");
  }

  chooseTeam(id: string): void {
    this.#chosen = id;
    localStorage.setItem(TEAM_KEY, id);
  }

  /** Whether this person has the right in a team (the current one unless told). */
  can(right: Right, teamId: string = this.team?.id ?? ""): boolean {
    return this.teams.some((team) => team.id === teamId && team.rights.includes(right));
  }
}

export const me = new SignedIn();
