/* Where a new project's files come from. */

export type SourceKind = "empty" | "archive" | "git" | "path";

export interface Source {
  kind: SourceKind;
  url: string;
  path: string;
  archive: File | null;
}

export const SOURCES: { kind: SourceKind; words: string; about: string }[] = [
  { kind: "empty", words: "Empty", about: "A new git repository with nothing in it." },
  { kind: "archive", words: "Archive", about: "Upload a .zip or .tar.gz file." },
  { kind: "git", words: "Git address", about: "Clone a repository over https." },
  { kind: "path", words: "Server folder", about: "A copy of a folder your operator allows." },
];

export const emptySource = (): Source => ({ kind: "empty", url: "", path: "", archive: null });

/** What the API wants of it; an archive itself travels beside it. */
export function sourceBody({ kind, url, path }: Source): Record<string, string> {
  return { kind, ...(kind === "git" ? { url } : {}), ...(kind === "path" ? { path } : {}) };
}
