/* One reply cut into what a reader sees: stretches of words, and the calls between them. */

import type { Call, Part, Reasoning, Text } from "../protocol";

export type Words = Text | Reasoning;
export type Stretch<W> = { at: number; words: W[]; call?: undefined } | { call: Call };

/** Parts with neighbouring words put together; blank ones are left out. `at` is the first part's index. */
export function stretches(parts: readonly Part[]): Stretch<Words>[] {
  const found: Stretch<Words>[] = [];
  parts.forEach((part, at) => {
    const before = found.at(-1);
    if (part.type === "call") found.push({ call: part });
    else if (!part.text.trim()) return;
    else if (before && !before.call) before.words.push(part);
    else found.push({ at, words: [part] });
  });
  return found;
}
