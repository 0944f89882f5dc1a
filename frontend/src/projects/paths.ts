/* Paths inside a workspace: their addresses on the page, their crumbs, their order, and sizes in words. */

import type { TreeEntry } from "./records";

export function fileAddress(projectId: string, path: string): string {
  return `/projects/${projectId}/files/${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** Folders first, then by name; "file10" after "file9". */
export function inOrder(entries: TreeEntry[]): TreeEntry[] {
  const rank = (entry: TreeEntry): number => (entry.kind === "folder" ? 0 : 1);
  return [...entries].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, "en", { numeric: true }));
}

/** 512 → "512 B", 2048 → "2.0 KB", 5_400_000 → "5.1 MB". */
export function sizeInWords(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  return step === 0 ? `${bytes} B` : `${(bytes / 1024 ** step).toFixed(1)} ${units[step]}`;
}

/** How many lines a text has; a final newline does not begin another. */
export function lineCount(text: string): number {
  const breaks = text.split("\n").length;
  return text.endsWith("\n") ? breaks - 1 : breaks;
}
