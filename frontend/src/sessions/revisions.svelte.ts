/* Every revision of a session's plan, read again whenever another one is proposed. */

import { get } from "../api";

export interface Revision {
  revision: number;
  text: string;
  summary: string;
  hash: string;
  by: { id: string; name: string } | string | null;
  at: string;
}

export class Revisions {
  list = $state.raw<readonly Revision[]>([]);
  problem = $state.raw<unknown>(null);

  constructor(private readonly session: string) {}

  async load(): Promise<void> {
    this.problem = null;
    try {
      const { revisions } = await get<{ revisions: Revision[] }>(`sessions/${this.session}/plan/`);
      this.list = revisions.sort((a, b) => a.revision - b.revision);
    } catch (problem) {
      this.problem = problem;
    }
  }

  find(revision: number): Revision | undefined {
    return this.list.find((known) => known.revision === revision);
  }
}
