/* What a language server said, read back from the lines the model was given. */

export interface Place {
  path: string;
  line: number;
  column: number;
  /** What stands behind the place on its line, such as the line of code. */
  words: string;
}

const PLACE = /^(?:[-*]\s+)?(.+?):(\d+):(\d+)(?:[:\s]\s*(.*))?$/;

/** Places of a text that is nothing but places, one a line; [] where it is anything else. */
export function placesIn(output: string): Place[] {
  const lines = output.split("\n").filter((line) => line.trim() && !line.startsWith("…"));
  const places = lines.flatMap((line) => {
    const [, path, at, column, words] = PLACE.exec(line.trim()) ?? [];
    return path ? [{ path, line: Number(at), column: Number(column), words: words ?? "" }] : [];
  });
  return places.length === lines.length ? places : [];
}

export interface CodeSymbol {
  name: string;
  kind: string;
  /** "12" or, where it lies in another file, "src/a.py:12:5". */
  where: string;
  depth: number;
}

const SYMBOL = /^(\s*)- (.+?) \(([^()]*)\)(?:\s+(\S+))?$/;

/** Lines such as "  - parse (kind=12, line=3)" as symbols with their depth; other lines are passed over. */
export function symbolsIn(output: string): CodeSymbol[] {
  return output.split("\n").flatMap((text) => {
    const [, indent, name, about, behind] = SYMBOL.exec(text) ?? [];
    if (name === undefined) return [];
    const fields = (about ?? "").split(",").map((field) => field.trim().replace(/^(kind|line)\s*=?\s*/, ""));
    return [{ name, kind: kindOf(fields[0] ?? ""), where: behind ?? fields[1] ?? "", depth: Math.floor((indent ?? "").length / 2) }];
  });
}

const KINDS =
  "file module namespace package class method property field constructor enum interface function variable constant string number boolean array object key null member struct event operator parameter".split(
    " ",
  );

const kindOf = (said: string): string => (/^\d+$/.test(said) ? (KINDS[Number(said) - 1] ?? said) : said.toLowerCase());

export type Severity = "error" | "warning" | "information" | "hint";

export interface Complaint {
  /** "" where it is clear which file is meant. */
  path: string;
  severity: Severity;
  line: number;
  column: number;
  message: string;
}

const COMPLAINT = /^\s*- (error|warning|information|hint) at (\d+):(\d+):\s*(.*)$/;
const KEPT = /^(.+?):(\d+):(\d+): (error|warning|information|hint): (.*)$/;

/** The complaints of an answer about one file. */
export function complaintsIn(output: string): Complaint[] {
  return output.split("\n").flatMap((text) => {
    const [, severity, line, column, message = ""] = COMPLAINT.exec(text) ?? [];
    return severity ? [{ path: "", severity: severity as Severity, line: Number(line), column: Number(column), message }] : [];
  });
}

/** What an edit broke, as its tool keeps it: "a.py:1:5: error: no such name". */
export function complaintsOf(kept: unknown): Complaint[] {
  return (Array.isArray(kept) ? kept : []).flatMap((text: unknown) => {
    const [, path = "", line, column, severity, message = ""] = KEPT.exec(String(text)) ?? [];
    return severity ? [{ path, severity: severity as Severity, line: Number(line), column: Number(column), message }] : [];
  });
}

/** "… and 3 more": what was left out of a long answer. */
export const restOf = (output: string): string => output.split("\n").find((line) => line.startsWith("…")) ?? "";
