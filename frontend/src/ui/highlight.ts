/* Marking words on the page without touching its elements, by the CSS Custom Highlight API where the browser has it. */

import { lettersOf, nearest, occurrences } from "./words";

export const canHighlight = typeof CSS !== "undefined" && "highlights" in CSS && typeof Highlight !== "undefined";

/** Mark these ranges with `::highlight(name)`; none takes the mark away. */
export function highlight(name: string, ranges: readonly Range[]): void {
  if (!canHighlight) return;
  if (ranges.length) CSS.highlights.set(name, new Highlight(...ranges));
  else CSS.highlights.delete(name);
}

function textNodes(root: Node): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (walker.nextNode()) found.push(walker.currentNode as Text);
  return found;
}

/** The quoted words below `root`; of several places the one nearest to letter `near`. Null where they are not shown. */
export function rangeOf(root: Node, quote: string, near: number): Range | null {
  const places: [Text, number][] = [];
  let shown = "";
  for (const node of textNodes(root)) {
    const letters = lettersOf(node.data);
    shown += letters.text;
    for (const at of letters.at) places.push([node, at]);
  }
  const { text: wanted } = lettersOf(quote);
  const start = nearest(occurrences(shown, wanted), near);
  const first = start === undefined ? undefined : places[start];
  const last = start === undefined ? undefined : places[start + wanted.length - 1];
  if (!first || !last) return null;
  const range = document.createRange();
  range.setStart(...first);
  range.setEnd(last[0], last[1] + 1);
  return range;
}

/** Every place of these words below `root`, whatever their case. */
export function rangesOf(root: Node, words: string): Range[] {
  return textNodes(root).flatMap((node) =>
    occurrences(node.data.toLowerCase(), words.toLowerCase()).flatMap((at) => {
      if (at + words.length > node.data.length) return [];
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + words.length);
      return [range];
    }),
  );
}
