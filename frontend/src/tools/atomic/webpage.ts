/* A page of the web as `read` gives it: a few lines about it, then its text. */

import { unfenced } from "../web";

export interface WebPage {
  fields: Record<string, string>;
  body: string;
}

export function pageOf(output: string): WebPage {
  const fields: Record<string, string> = {};
  const lines = output.split("\n");
  let at = 0;
  for (; at < lines.length; at++) {
    const [, name, value = ""] = /^([A-Z][\w-]*): (.*)$/.exec(lines[at] ?? "") ?? [];
    if (name) fields[name] = value;
    else break;
  }
  while (at < lines.length && /^(-{3,})?\s*$/.test(lines[at] ?? "")) at++;
  return { fields, body: at ? unfenced(lines.slice(at).join("\n")) : unfenced(output) };
}
