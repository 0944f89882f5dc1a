/* The people one shares a team with, each once, by name. */

import { get, type Listing } from "../api";
import type { Member, MyTeam, PersonRef } from "./records";

export const membersOf = (teamId: string): Promise<Listing<Member>> => get(`teams/${teamId}/members/`, { limit: 200 });

export async function peopleOf(teams: MyTeam[]): Promise<PersonRef[]> {
  const listings = await Promise.all(teams.map((team) => membersOf(team.id)));
  const people = new Map(listings.flatMap(({ results }) => results).map(({ id, name }) => [id, { id, name }]));
  return [...people.values()].sort((a, b) => a.name.localeCompare(b.name));
}
