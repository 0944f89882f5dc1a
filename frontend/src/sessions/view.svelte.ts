/* How one person looks at a session: what is unfolded, which panel is open, and where to go. None of it is shared or kept. */

import { SvelteMap, SvelteSet } from "svelte/reactivity";

export const PANELS = ["todos", "plan", "changes", "agents", "jobs"] as const;
export type Panel = (typeof PANELS)[number];

export class View {
  /** Row key → unfolded or not, kept while rows come and go with scrolling. */
  readonly unfolded = new SvelteMap<string, boolean>();
  /** Asks of sub-agents decided here, until their own sessions have told so. */
  readonly settled = new SvelteSet<string>();
  panel = $state<Panel>("todos");
  /** Whether the panels are shown as a sheet, where the page is too narrow for them to stand beside the transcript. */
  sheet = $state(false);
  reviewing = $state(false);
  stopping = $state(false);
  /** Whether the bar that searches the transcript is open. */
  finding = $state(false);
  /** The transcript's way of showing a row and what waits in it; false when it is not loaded. */
  jump: (key: string, ask?: string) => boolean = () => false;
  /** As `jump`, without taking the focus. */
  reveal: (key: string) => boolean = () => false;
  toEnd: () => void = () => undefined;
  /** Go to what waits first. */
  decide: () => void = () => undefined;
  compose: () => void = () => undefined;
  rename: () => void = () => undefined;

  isUnfolded(key: string, byItself = false): boolean {
    return this.unfolded.get(key) ?? byItself;
  }

  fold(key: string, open: boolean): void {
    this.unfolded.set(key, open);
  }

  show(panel: Panel): void {
    this.panel = panel;
    this.sheet = true;
  }
}
