/* SEARCH/REPLACE blocks as the page shows them before they are applied. What is right about them the tool decides. */

export interface Block {
  search: string;
  replace: string;
}

const SEARCH = /^(?:-{7,}|<{7,}) SEARCH>?$/;
const REPLACE = /^(?:\+{7,}|>{7,}) REPLACE>?$/;
const DIVIDER = /^={7,}$/;

/** The blocks of a text, the last perhaps unfinished; one without a divider is none. */
export function blocksIn(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  let start = lines.findIndex((line) => SEARCH.test(line));
  while (start >= 0) {
    const end = after(lines, start, REPLACE);
    const divider = after(lines, start, DIVIDER);
    if (divider < end) blocks.push({ search: joined(lines, start, divider), replace: joined(lines, divider, end) });
    start = lines.findIndex((line, at) => at > start && SEARCH.test(line));
  }
  return blocks;
}

function after(lines: readonly string[], start: number, marker: RegExp): number {
  const found = lines.findIndex((line, at) => at > start && marker.test(line));
  return found < 0 ? lines.length : found;
}

/** The lines between two markers. */
const joined = (lines: readonly string[], from: number, to: number): string =>
  lines
    .slice(from + 1, to)
    .map((line) => `${line}\n`)
    .join("");
