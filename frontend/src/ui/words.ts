/* Finding words where markup or line breaks stand between them: only letters count, neither spaces nor Markdown's marks. */

const SILENT = /[\s*_`~\\]/;

export interface Letters {
  text: string;
  /** Where each letter stands in what they were taken from, in UTF-16 units. */
  at: number[];
}

export function lettersOf(source: string): Letters {
  const at: number[] = [];
  for (let index = 0; index < source.length; index++) if (!SILENT.test(source.charAt(index))) at.push(index);
  return { text: at.map((index) => source.charAt(index)).join(""), at };
}

/** Every place of `words`, overlapping ones too. */
export function occurrences(text: string, words: string): number[] {
  const found: number[] = [];
  for (let at = words ? text.indexOf(words) : -1; at >= 0; at = text.indexOf(words, at + 1)) found.push(at);
  return found;
}

export const nearest = (places: readonly number[], to: number): number | undefined =>
  [...places].sort((a, b) => Math.abs(a - to) - Math.abs(b - to))[0];
