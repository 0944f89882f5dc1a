/* A search's snippet cut at the words that were searched for, so that they can be marked without trusting any HTML. */

export interface Piece {
  text: string;
  hit: boolean;
}

export function marked(snippet: string, query: string): Piece[] {
  const words = query.split(/\s+/).filter(Boolean).map(escaped);
  if (!words.length) return [{ text: snippet, hit: false }];
  return snippet
    .split(new RegExp(`(${words.join("|")})`, "gi"))
    .map((text, at) => ({ text, hit: at % 2 === 1 }))
    .filter(({ text }) => text);
}

function escaped(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
