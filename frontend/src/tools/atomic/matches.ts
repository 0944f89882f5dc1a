/* Which words of a line a search matched. Its pattern is somebody else's, so only one that cannot take long is tried. */

export interface Piece {
  text: string;
  hit: boolean;
}

const LONGEST = 600;

/** The pattern for the page, or null where it is no JavaScript, or might run away. */
export function matcher(pattern: string, caseless: boolean): RegExp | null {
  const [, flags = "", body = pattern] = /^\(\?([imsx]+)\)(.*)$/s.exec(pattern) ?? [];
  const unbounded = body.match(/(?<!\\)[*+]|\{\d*,\d*\}/g)?.length ?? 0;
  if (!body || unbounded > 2 || /\)[*+{?]|\\\d/.test(body)) return null;
  try {
    return new RegExp(body, `g${caseless || flags.includes("i") ? "i" : ""}`);
  } catch {
    return null;
  }
}

export function pieces(text: string, pattern: RegExp | null): Piece[] {
  if (!pattern || text.length > LONGEST) return [{ text, hit: false }];
  const parts: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    if (!match[0]) continue;
    if (match.index > at) parts.push({ text: text.slice(at, match.index), hit: false });
    parts.push({ text: match[0], hit: true });
    at = match.index + match[0].length;
  }
  return at < text.length || !parts.length ? [...parts, { text: text.slice(at), hit: false }] : parts;
}
