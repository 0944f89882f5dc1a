/* A folder as `read` lists it, back into entries. */

export interface Entry {
  name: string;
  /** Below what was listed. "" where a line only says how many more there are. */
  path: string;
  folder: boolean;
  depth: number;
  size: string;
  age: string;
}

const ENTRY = /^( *)- (.+?)(?: {2,}(\S+))?(?: {2,}(\S+))?$/;

/** The entries of a listing; [] where it is no listing. `root` is the folder that was listed. */
export function entriesIn(output: string, root: string): Entry[] {
  const above: string[] = [];
  const base = root && root !== "." ? `${root.replace(/\/$/, "")}/` : "";
  return output.split("\n").flatMap((line) => {
    const [, indent, name, size = "", age = ""] = ENTRY.exec(line) ?? [];
    if (indent === undefined || name === undefined) return [];
    const depth = Math.max(0, Math.floor(indent.length / 2) - 1);
    above.splice(depth, Infinity, name);
    const path = name.startsWith("…") ? "" : `${base}${above.join("").replace(/\/$/, "")}`;
    return [{ name, path, folder: name.endsWith("/"), depth, size, age }];
  });
}

const MEMBER = /^(.+?)(?: {2}(\d[\d.]*[KMGT]?B))?$/;

/** The members of an archive as `read` lists them; [] where it is the text of one. */
export function membersIn(output: string): Entry[] {
  const lines = output.split("\n").filter((line) => line && !/^\[.*\]$/.test(line));
  const entries = lines.map((line): Entry => {
    const [, name = "", size = ""] = MEMBER.exec(line) ?? [];
    return { name, path: name, folder: name.endsWith("/"), depth: 0, size, age: "" };
  });
  return entries.every(({ folder, size }) => folder || size) ? entries : [];
}
