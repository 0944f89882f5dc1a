/* How well a few typed letters fit a name: every letter must occur in order; starts of words and runs of letters count more. */

/** 0 when it does not fit; the higher, the better. An empty query fits everything equally. */
export function score(query: string, name: string): number {
  const wanted = query.toLowerCase().replaceAll(/\s+/g, "");
  if (!wanted) return 1;
  const best = Math.max(...[...starts(wanted[0]!, name.toLowerCase())].map((at) => scoreFrom(wanted, name, at)), 0);
  return best && best / (1 + name.length / 200);
}

function* starts(letter: string, name: string): Generator<number> {
  for (let at = name.indexOf(letter); at >= 0; at = name.indexOf(letter, at + 1)) yield at;
}

function scoreFrom(wanted: string, name: string, start: number): number {
  const lower = name.toLowerCase();
  let total = 0;
  let at = start;
  let last = -2;
  for (const letter of wanted) {
    at = lower.indexOf(letter, last < 0 ? start : last + 1);
    if (at < 0) return 0;
    total += 1 + (at === last + 1 ? 6 : 0) + (startsWord(name, at) ? 5 : 0);
    last = at;
  }
  return total - Math.min(start, 10) / 20;
}

function startsWord(name: string, at: number): boolean {
  return at === 0 || /[\s/_.:-]/.test(name[at - 1]!) || (/[a-z]/.test(name[at - 1]!) && /[A-Z]/.test(name[at]!));
}

const LEAST = 0.5;

/** The things that fit, best first; equals keep their order. What fits far worse than the best is left out. */
export function ranked<T>(query: string, things: T[], nameOf: (thing: T) => string): T[] {
  const scored = things.map((thing, order) => ({ thing, order, fit: score(query, nameOf(thing)) }));
  const best = Math.max(0, ...scored.map(({ fit }) => fit));
  return scored
    .filter(({ fit }) => fit > 0 && fit >= best * LEAST)
    .sort((a, b) => b.fit - a.fit || a.order - b.order)
    .map(({ thing }) => thing);
}
