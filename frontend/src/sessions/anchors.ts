/* Where a comment belongs in a plan: the words it quotes and their offset, found again in texts that have changed since. */

import type { PlanCommented } from "../protocol";
import type { Block } from "../ui/markdown";
import { lettersOf, nearest, occurrences } from "../ui/words";
import { points } from "./live";

export interface Anchor {
  quote: string;
  /** Offset of the quote in code points, as the server counts. */
  start: number;
}

export type Place = "whole" | "outdated" | { start: number; end: number };

/** Where the comment's words stand now, in UTF-16 units: where they were, else the nearest place they moved to. */
export function placeOf(comment: Pick<PlanCommented, "quote" | "start">, text: string): Place {
  if (!comment.quote) return "whole";
  const start = nearest(occurrences(text, comment.quote), unitsOf(text, comment.start));
  return start === undefined ? "outdated" : { start, end: start + comment.quote.length };
}

function unitsOf(text: string, codePoints: number): number {
  let units = 0;
  for (const letter of text) {
    if (codePoints-- <= 0) break;
    units += letter.length;
  }
  return units;
}

/** A quote for the eye: half of a pair of marks would only puzzle. */
export const quoted = (quote: string): string => quote.replace(/\*\*|~~|`/g, "");

/** Indices of the blocks that a place touches. */
export function touched(blocks: readonly Block[], place: Place): number[] {
  if (typeof place === "string") return [];
  return blocks.flatMap((block, at) => (block.start < place.end && place.start < block.start + block.raw.length ? [at] : []));
}

/**
 * What was selected in the rendered plan, as words of its source, with the marks inside them; `before` is what the block shows before
 * the selection. Words that cannot be found in the source stand for their whole block.
 */
export function anchorOf(selected: string, block: Block, text: string, before = ""): Anchor {
  const source = lettersOf(text.slice(block.start));
  const words = lettersOf(selected).text;
  const start = nearest(occurrences(source.text, words), lettersOf(before).text.length);
  const [first, last] = start === undefined ? [] : [source.at[start], source.at[start + words.length - 1]];
  if (first === undefined || last === undefined) return anchorAt(text, block.start, block.start + block.raw.length);
  return anchorAt(text, block.start + first, block.start + last + 1);
}

function anchorAt(text: string, start: number, end: number): Anchor {
  const quote = text.slice(start, end);
  return { quote: quote.trim(), start: points(text.slice(0, start + quote.indexOf(quote.trim()))) };
}
