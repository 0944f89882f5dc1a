/* The files that either side changed, beside each other. */

import type { FileChange } from "../protocol";
import type { SideName } from "./records";

/** A path and what each side did to it; null: it left the file as it was. */
export interface FilePair extends Record<SideName, FileChange | null> {
  path: string;
  /** Whether both made the same of it. */
  same: boolean;
}

/** Every path that either side changed, in order; those both changed come first, for there is most to compare. */
export function paired(left: readonly FileChange[], right: readonly FileChange[]): FilePair[] {
  const of = (files: readonly FileChange[]): Map<string, FileChange> => new Map(files.map((file) => [file.path, file]));
  const [mine, theirs] = [of(left), of(right)];
  const pairs = [...new Set([...mine.keys(), ...theirs.keys()])].sort().map((path): FilePair => {
    const pair = { path, left: mine.get(path) ?? null, right: theirs.get(path) ?? null };
    return { ...pair, same: made(pair.left) !== "" && made(pair.left) === made(pair.right) };
  });
  const both = (pair: FilePair): boolean => pair.left !== null && pair.right !== null;
  return [...pairs.filter(both), ...pairs.filter((pair) => !both(pair))];
}

const made = (file: FileChange | null): string => (file?.diff ? `${file.change}\n${file.diff}` : "");
