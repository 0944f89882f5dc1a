/* Every revision of a session's plan, read again whenever another one is proposed. */

import { get } from "../api";
import type { Person } from "../protocol";

export interface Revision {
  revision: number;
  text: string;
  summary: string;
  hash: string;
  by: Person | null;
  at: string;
  comments: readonly { comment_id: string; by: Person | null }[];
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

  /** Who made the comment, as far as it was there when the revisions were read. */
  authorOf(comment: string): Person | null {
    const all = this.list.flatMap(({ comments }) => comments);
    return all.find(({ comment_id }) => comment_id === comment)?.by ?? null;
  }

  find(revision: number): Revision | undefined {
    return this.list.find((known) => known.revision === revision);
  }
}
