/* Unified diffs read into lines with their numbers, and a small line diff of two texts. */

export interface DiffLine {
  kind: "added" | "removed" | "same" | "gap" | "note";
  before: number | null;
  after: number | null;
  text: string;
}

export interface DiffFile {
  path: string;
  lines: DiffLine[];
  added: number;
  removed: number;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/;

/** The files of a unified diff. What is no diff at all comes back as notes, so that nothing is hidden. */
export function parseDiff(diff: string, path = ""): DiffFile[] {
  const reader = new Reader(path);
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const line of lines) reader.read(line);
  return reader.files;
}

class Reader {
  files: DiffFile[] = [];
  #before = 0;
  #after = 0;
  #left = { before: 0, after: 0 };
  #old = "";
  /** The file whose name is still to come: git says "new file" and the like before it. */
  #unnamed: DiffFile | null = null;

  constructor(private readonly path: string) {}

  read(line: string): void {
    if (this.#left.before > 0 || this.#left.after > 0) return this.#inHunk(line);
    const hunk = HUNK.exec(line);
    if (hunk) return this.#openHunk(hunk);
    if (line.startsWith("--- ")) this.#old = named(line);
    else if (line.startsWith("+++ ")) this.#openFile(named(line) || this.#old);
    else if (line.startsWith("diff ")) this.#unnamed = null;
    else if (/^(rename (from|to)|new file|deleted file|Binary files|GIT binary)/.test(line)) this.#head(line);
    else if (!/^(index |old mode|new mode|similarity|\\ No newline)/.test(line)) this.#note(line);
  }

  #openFile(path: string): void {
    const begun = this.#unnamed;
    if (!begun) this.files.push({ path: this.path || path, lines: [], added: 0, removed: 0 });
    else Object.assign(begun, { path: this.path || path, lines: begun.lines.filter(({ text }) => !text.includes("file mode")) });
    this.#unnamed = null;
  }

  #head(line: string): void {
    if (!this.#unnamed) this.#openFile("");
    this.#unnamed = this.#file;
    this.#note(line);
  }

  #openHunk([, before, beforeCount, after, afterCount, words]: string[]): void {
    this.#before = Number(before);
    this.#after = Number(after);
    this.#left = { before: Number(beforeCount ?? 1), after: Number(afterCount ?? 1) };
    this.#file.lines.push({ kind: "gap", before: null, after: null, text: words?.trim() ?? "" });
  }

  #inHunk(line: string): void {
    const text = line.slice(1);
    if (line.startsWith("+")) this.#push("added", text);
    else if (line.startsWith("-")) this.#push("removed", text);
    else if (line.startsWith("\\")) this.#note(line.slice(2));
    else this.#push("same", text);
  }

  #push(kind: "added" | "removed" | "same", text: string): void {
    const [before, after] = [kind === "added" ? null : this.#before, kind === "removed" ? null : this.#after];
    if (before !== null) [this.#before, this.#left.before] = [this.#before + 1, this.#left.before - 1];
    if (after !== null) [this.#after, this.#left.after] = [this.#after + 1, this.#left.after - 1];
    const file = this.#file;
    if (kind === "added") file.added++;
    if (kind === "removed") file.removed++;
    file.lines.push({ kind, before, after, text });
  }

  #note(text: string): void {
    if (text.trim()) this.#file.lines.push({ kind: "note", before: null, after: null, text });
  }

  get #file(): DiffFile {
    if (!this.files.length) this.#openFile(this.path);
    return this.files.at(-1)!;
  }
}

function named(line: string): string {
  const path = line.slice(4).split("\t")[0]!.trim();
  return path === "/dev/null" ? "" : path.replace(/^[ab]\//, "");
}

const CONTEXT = 3;
const MOST = 4_000_000;

/** What changed from one text to another, with a little of what did not around it. */
export function lineDiff(before: string, after: string, path = ""): DiffFile {
  const lines = before === after ? [] : trimmed(allLines(split(before), split(after)));
  const count = (kind: DiffLine["kind"]): number => lines.filter((line) => line.kind === kind).length;
  return { path, lines, added: count("added"), removed: count("removed") };
}

const split = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

function allLines(a: string[], b: string[]): DiffLine[] {
  const common = lengths(a, b);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j])
      lines.push({ kind: "same", before: i + 1, after: j + 1, text: a[(i++, j++, i - 1)]! });
    else if (i < a.length && (j >= b.length || common(i + 1, j) >= common(i, j + 1)))
      lines.push({ kind: "removed", before: i + 1, after: null, text: a[i++]! });
    else lines.push({ kind: "added", before: null, after: j + 1, text: b[j++]! });
  }
  return lines;
}

/** How many lines a[i…] and b[j…] have in common, in order; texts too large for the table are taken for wholly different. */
function lengths(a: string[], b: string[]): (i: number, j: number) => number {
  const width = b.length + 1;
  if ((a.length + 1) * width > MOST) return () => 0;
  const table = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      table[i * width + j] =
        a[i] === b[j] ? table[(i + 1) * width + j + 1]! + 1 : Math.max(table[(i + 1) * width + j]!, table[i * width + j + 1]!);
  return (i, j) => table[i * width + j] ?? 0;
}

function trimmed(lines: DiffLine[]): DiffLine[] {
  const near = new Set<number>();
  lines.forEach((line, at) => {
    if (line.kind !== "same") for (let around = at - CONTEXT; around <= at + CONTEXT; around++) near.add(around);
  });
  return lines.flatMap((line, at) => {
    if (!near.has(at)) return [];
    return near.has(at - 1) ? [line] : [{ kind: "gap", before: null, after: null, text: "" } satisfies DiffLine, line];
  });
}
