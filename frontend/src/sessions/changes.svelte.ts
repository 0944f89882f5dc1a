/* What a session changed: in the project since it began or, where it works in a worktree of its own, in that. */

import { get } from "../api";
import type { FileChange } from "../protocol";
import { wordsOf } from "../shell/toasts.svelte";
import { type DiffFile, parseDiff } from "../ui/diff";

export interface Changes {
  files: readonly FileChange[];
  added: number;
  removed: number;
  /** What else is to be said of them. */
  note?: string;
  /** Names what was looked at: only that is landed. */
  hash?: string;
  /** The title of the session above in whose worktree they land; "" for the project. */
  into?: string;
}

export class SessionChanges {
  found = $state.raw<Changes | null>(null);
  problem = $state("");

  constructor(private readonly session: string) {}

  async load(): Promise<void> {
    this.problem = "";
    try {
      this.found = await get<Changes>(`sessions/${this.session}/diff/`);
    } catch (error) {
      this.problem = wordsOf(error);
    }
  }
}

export const diffOf = (change: FileChange): DiffFile =>
  parseDiff(change.diff, change.path)[0] ?? { path: change.path, lines: [], added: change.added, removed: change.removed };
