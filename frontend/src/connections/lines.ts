/* A command and named values as people type them in a form, and back. */

/** `npx -y "my server"` → its words. Quotes keep words together; a quote that nobody closed reaches to the end. */
export function wordsOf(line: string): string[] {
  const words: string[] = [];
  for (const [, double, single, plain] of line.matchAll(/"([^"]*)"?|'([^']*)'?|(\S+)/g)) words.push(double ?? single ?? plain ?? "");
  return words;
}

/** The words as one line that `wordsOf` takes apart again. */
export const lineOf = (words: readonly string[]): string =>
  words.map((word) => (word === "" || /[\s"']/.test(word) ? (word.includes('"') ? `'${word}'` : `"${word}"`) : word)).join(" ");

/** `NAME=value` a line → the values by name; lines without a name are left out. */
export function pairsOf(text: string): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const line of text.split("\n")) {
    const at = line.indexOf("=");
    const name = line.slice(0, at).trim();
    if (at > 0 && name) pairs[name] = line.slice(at + 1).trim();
  }
  return pairs;
}

export const textOf = (pairs: Readonly<Record<string, string>>): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");
