/* What find and search print, read back into files with their matches and folders with their files. */

import { HEADER, type Row, rowOf } from "./numbered";

export interface FoundFile {
  path: string;
  tag: string;
  rows: Row[];
}

export interface Found {
  files: FoundFile[];
  notes: string[];
}

const VIRTUAL = /^(.+?)([:-])(\d+)\2 (.*)$/;

/** The files of a search, in order. Lines of archives, databases and the like name their source each. */
export function searchIn(output: string): Found {
  const found: Found = { files: [], notes: [] };
  for (const line of output.split("\n")) {
    const file = found.files.at(-1);
    const [, path = "", tag = ""] = HEADER.exec(line) ?? [];
    const row = rowOf(line);
    if (path) found.files.push({ path, tag, rows: [] });
    else if (row && file) file.rows.push(row);
    else if (!virtual(found, line) && line.trim() && !line.startsWith("# ")) found.notes.push(line.replace(/^\[(.*)\]$/, "$1"));
  }
  return found;
}

function virtual(found: Found, line: string): boolean {
  const [, path, sign, number, text = ""] = VIRTUAL.exec(line) ?? [];
  if (!path || line.startsWith("[")) return false;
  if (found.files.at(-1)?.path !== path) found.files.push({ path, tag: "", rows: [] });
  found.files.at(-1)?.rows.push({ number: Number(number), text, match: sign === ":" });
  return true;
}

export interface Folder {
  /** "" is the place that was searched. */
  path: string;
  files: string[];
}

export interface Listed {
  folders: Folder[];
  notes: string[];
}

/** The folders of a listing whose headings say how deep they are: "# src/", "## core/". */
export function foldersIn(output: string): Listed {
  const listed: Listed = { folders: [], notes: [] };
  const above: string[] = [];
  for (const line of output.split("\n").filter((text) => text.trim())) {
    const [, depth = "", name = ""] = /^(#+) (.+\/)$/.exec(line) ?? [];
    if (depth) {
      above.splice(depth.length - 1, Infinity, name);
      listed.folders.push({ path: above.join(""), files: [] });
    } else if (/^\[.*\]$/.test(line)) listed.notes.push(line.slice(1, -1));
    else place(listed, above.join("")).files.push(line);
  }
  return { ...listed, folders: listed.folders.filter(({ files }) => files.length) };
}

function place(listed: Listed, path: string): Folder {
  if (!listed.folders.length) listed.folders.push({ path, files: [] });
  return listed.folders.at(-1)!;
}
