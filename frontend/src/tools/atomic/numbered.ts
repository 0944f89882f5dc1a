/* Numbered lines as read and search print them, back into lines. */

export interface Row {
  number: number;
  text: string;
  /** Whether a search matched here. */
  match: boolean;
}

export interface Numbered {
  path: string;
  tag: string;
  rows: Row[];
  /** What was said besides: what was left out, how to go on. */
  notes: string[];
}

export const HEADER = /^\[(.+)#([0-9A-F]{4})\]$/;
const ROW = /^([* ]?)(\d+):(.*)$/;

export const rowOf = (line: string): Row | null => {
  const [, mark, number, text = ""] = ROW.exec(line) ?? [];
  return number === undefined ? null : { number: Number(number), text, match: mark === "*" };
};

/** The text of a file with its numbers. Lines that carry none are notes. */
export function numbered(output: string): Numbered {
  const lines = output.replace(/\n$/, "").split("\n");
  const [, path = "", tag = ""] = HEADER.exec(lines[0] ?? "") ?? [];
  const read: Numbered = { path, tag, rows: [], notes: [] };
  for (const line of path ? lines.slice(1) : lines) {
    const row = rowOf(line);
    if (row) read.rows.push(row);
    else if (line.trim()) read.notes.push(line.replace(/^\[(.*)\]$/, "$1"));
  }
  return read;
}

export type Side = "ours" | "base" | "theirs" | "";

const SIDES: Record<string, Side> = { "<<<<<<<": "ours", "|||||||": "base", "=======": "theirs", ">>>>>>>": "" };

/** Which side of a conflict each line belongs to; the markers themselves belong to none. */
export function sidesOf(rows: readonly Row[]): Side[] {
  let side: Side = "";
  return rows.map(({ text }) => {
    const marker = SIDES[text.slice(0, 7)];
    const opens = marker !== undefined && (side !== "" || marker === "ours") && /^.{7}( |$)/.test(text);
    if (opens) side = marker;
    return opens ? "" : side;
  });
}

export interface Cell {
  kind: string;
  name: string;
  rows: Row[];
}

const CELL = /^# %% \[(\w+)\] (cell:\d+)/;

/** A notebook's lines by the cells they are in. */
export function cellsOf(rows: readonly Row[]): Cell[] {
  const cells: Cell[] = [];
  for (const row of rows) {
    const [, kind, name = ""] = CELL.exec(row.text) ?? [];
    if (kind) cells.push({ kind, name, rows: [] });
    else cells.at(-1)?.rows.push(row);
  }
  return cells;
}
