/* The people of a session: who is named in its log, who is here now, and who is looking. */

import { get } from "../api";
import type { Person, Snapshot } from "../protocol";

export class Crowd {
  known = $state.raw<Readonly<Record<string, Person>>>({});
  present = $state.raw<readonly Person[]>([]);
  me = $state.raw<Person | null>(null);

  constructor(private readonly session: string) {}

  meet(people: readonly Person[]): void {
    this.known = { ...this.known, ...Object.fromEntries(people.map((person) => [person.id, person])) };
  }

  /** Somebody did something whose name was never said: the snapshot names everybody in the log. */
  async meetNamed(ids: readonly (string | null)[]): Promise<void> {
    if (ids.every((id) => !id || this.known[id])) return;
    const { people } = await get<Snapshot>(`sessions/${this.session}/snapshot/`, { limit: 50 });
    this.meet(people);
  }

  nameOf(id: string | null): string {
    return id ? (this.known[id]?.name ?? "someone") : "the agent";
  }
}
