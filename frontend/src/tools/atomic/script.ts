/* Edit scripts read for the eye: which files, which operations on which lines, and the new lines. Nothing is checked here. */

export interface ScriptLine {
  kind: "verb" | "added" | "other";
  text: string;
}

export interface ScriptSection {
  path: string;
  tag: string;
  lines: ScriptLine[];
}

const HEADER = /^\[(.+?)(?:#([0-9A-Fa-f]{0,4}))?\]?\s*$/;
const VERB = /^\s*(?:replace|delete|insert)\b/;

/** The script's sections in order; what stands before the first header is a section without a path. */
export function sectionsOf(script: string): ScriptSection[] {
  const sections: ScriptSection[] = [];
  for (const text of script.replace(/\n$/, "").split("\n")) {
    const [, path, tag = ""] = HEADER.exec(text) ?? [];
    if (path !== undefined) sections.push({ path, tag: tag.toUpperCase(), lines: [] });
    else if (sections.length || text.trim()) last(sections).lines.push(lineOf(text));
  }
  return sections;
}

function last(sections: ScriptSection[]): ScriptSection {
  if (!sections.length) sections.push({ path: "", tag: "", lines: [] });
  return sections.at(-1)!;
}

function lineOf(text: string): ScriptLine {
  if (text.startsWith("+")) return { kind: "added", text: text.slice(1) };
  return VERB.test(text) ? { kind: "verb", text: text.trim() } : { kind: "other", text };
}

export const pathsOf = (script: string): string[] => [...new Set(sectionsOf(script).flatMap(({ path }) => (path ? [path] : [])))];
