/* Keys that work on every page, and the sheet's list of all keys. Letters stay quiet while somebody types. */

export interface Shortcut {
  /** Keys in the order they are pressed, parted by a space: "g h". */
  keys: string;
  words: string;
  run: () => void;
}

const PATIENCE = 1200;

/** Tells which shortcut a key completes, remembering a started sequence for a little while. */
export class Sequence {
  #pressed = "";
  #at = 0;

  constructor(private readonly shortcuts: Shortcut[]) {}

  press(key: string, at: number): Shortcut | undefined {
    const started = at - this.#at < PATIENCE ? `${this.#pressed} ${key}`.trim() : key;
    const typed = this.#begins(started) ? started : key;
    const found = this.shortcuts.find((shortcut) => shortcut.keys === typed);
    this.#pressed = found || !this.#begins(typed) ? "" : typed;
    this.#at = at;
    return found;
  }

  #begins(typed: string): boolean {
    return this.shortcuts.some((shortcut) => `${shortcut.keys} `.startsWith(`${typed} `));
  }
}

/** Whether a key pressed here belongs to whatever has the focus and not to the page. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest("input, textarea, select, [contenteditable=''], [contenteditable='true'], dialog[open], [role='menu']") !== null;
}

/** Keys that the parts of the page answer to by themselves, for the sheet. */
export const OTHER_KEYS: Record<string, [string, string][]> = {
  "In a session": [
    ["Enter", "Send the message"],
    ["Shift Enter", "New line"],
    ["Esc", "Stop the agent"],
    ["↑", "Bring back the last message"],
    ["c", "Write"],
    ["a", "Go to what needs a decision"],
    ["y / s / p / n", "Allow once, for the session, for the project, deny"],
    ["Ctrl F", "Find in the session"],
    ["1 … 9", "Choose an answer"],
    ["e", "Jump to the latest"],
    ["t / r / d / s / b", "Todos, plan, changes, sub-agents, background jobs"],
  ],
  "In lists": [
    ["j / k or ↓ / ↑", "Next, previous"],
    ["Enter", "Open"],
    ["/", "Search"],
  ],
};
