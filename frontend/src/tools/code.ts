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
  const lines = output.split("\n").filter((line) => line.trim());
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
  severity: Severity;
  line: number;
  column: number;
  message: string;
}

const COMPLAINT = /^\s*- (error|warning|information|info|hint) at (\d+):(\d+):\s*(.*)$/i;

export function complaintsIn(output: string): Complaint[] {
  return output.split("\n").flatMap((text) => {
    const [, severity, line, column, message] = COMPLAINT.exec(text) ?? [];
    return severity ? [{ severity: severityOf(severity), line: Number(line), column: Number(column), message: message ?? "" }] : [];
  });
}

const severityOf = (said: unknown): Severity => {
  const word = String(said).toLowerCase();
  return word.startsWith("err") ? "error" : word.startsWith("warn") ? "warning" : word === "hint" ? "hint" : "information";
};

/** Complaints as a tool's metadata holds them: a list of objects, or the text the model read. */
export function complaintsOf(given: unknown): Complaint[] {
  if (typeof given === "string") return complaintsIn(given);
  if (!Array.isArray(given)) return [];
  return given.flatMap((one: unknown) => (typeof one === "string" ? complaintsIn(`- ${one.replace(/^\s*- /, "")}`) : complaint(one)));
}

function complaint(given: unknown): Complaint[] {
  if (typeof given !== "object" || given === null) return [];
  const { severity, line, column, message } = given as Record<string, unknown>;
  return [{ severity: severityOf(severity), line: Number(line ?? 0), column: Number(column ?? 0), message: String(message ?? "") }];
}
