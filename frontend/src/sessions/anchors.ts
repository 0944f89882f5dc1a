/* Where a comment belongs in a plan: the words it quotes and their offset, found again in texts that have changed since. */

import type { PlanCommented } from "../protocol";
import type { Block } from "../ui/markdown";
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
  const expected = unitsOf(text, comment.start);
  const start = occurrences(text, comment.quote).sort((a, b) => Math.abs(a - expected) - Math.abs(b - expected))[0];
  return start === undefined ? "outdated" : { start, end: start + comment.quote.length };
}

function occurrences(text: string, quote: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) found.push(at);
  return found;
}

function unitsOf(text: string, codePoints: number): number {
  let units = 0;
  for (const letter of text) {
    if (codePoints-- <= 0) break;
    units += letter.length;
  }
  return units;
}

/** Indices of the blocks that a place touches. */
export function touched(blocks: readonly Block[], place: Place): number[] {
  if (typeof place === "string") return [];
  return blocks.flatMap((block, at) => (block.start < place.end && place.start < block.start + block.raw.length ? [at] : []));
}

/** What was selected in the rendered plan, as words of its source. Words that markup cuts through stand for their whole block. */
export function anchorOf(selected: string, block: Block, text: string): Anchor {
  const words = selected.trim();
  const exact = words ? text.indexOf(words, block.start) : -1;
  if (exact >= 0) return { quote: words, start: points(text.slice(0, exact)) };
  return { quote: block.raw.trim(), start: points(text.slice(0, block.start + block.raw.indexOf(block.raw.trim()))) };
}
