/* A page of the web as `read` gives it: a few lines about it, its text in a fence, and what the tool says of the rest. */

import { unfenced } from "../web";

export interface WebPage {
  fields: Record<string, string>;
  body: string;
  notes: string[];
}

const FENCED = /<web_content>[\s\S]*<\/web_content>([\s\S]*)$/;

export function pageOf(output: string): WebPage {
  const fields: Record<string, string> = {};
  const lines = output.split("\n");
  let at = 0;
  for (; at < lines.length; at++) {
    const [, name, value = ""] = /^([A-Z][\w-]*): (.*)$/.exec(lines[at] ?? "") ?? [];
    if (name) fields[name] = value;
    else break;
  }
  while (at && at < lines.length && /^(-{3,})?\s*$/.test(lines[at] ?? "")) at++;
  const rest = lines.slice(at).join("\n");
  const behind = FENCED.exec(rest)?.[1] ?? "";
  const notes = behind.split("\n").flatMap((line) => (line.trim() ? [line.trim().replace(/^\[(.*)\]$/, "$1")] : []));
  return { fields, body: unfenced(rest), notes };
}
