/* What the web tools give, for the eye: addresses that are safe to follow, results as a list, text without its fence. */

export interface Hit {
  title: string;
  url: string;
  snippet: string;
}

/** The address if it leads to the web and nowhere else, "" otherwise: no scripts, no files, no names and passwords in it. */
export function safeUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const plain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password;
  return plain ? url.href : "";
}

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, "") : url);

const TITLE = /^\d+\. \*\*(.*)\*\*$/;

/** Search results as the tools list them: a number and a title, then the address, then a few words. */
export function hitsOf(output: string): Hit[] {
  const hits: Hit[] = [];
  for (const line of unfenced(output).split("\n")) {
    const title = TITLE.exec(line)?.[1];
    const hit = hits.at(-1);
    const words = line.trim();
    if (title !== undefined) hits.push({ title, url: "", snippet: "" });
    else if (!hit || !words || words.startsWith("[")) continue;
    else if (!hit.url) hit.url = words.replace(/^URL:\s*/, "");
    else hit.snippet = `${hit.snippet} ${words}`.trim();
  }
  return hits;
}

/** A stranger's text without the fence that tells the model so, and without what was put in front of it. */
export function unfenced(output: string): string {
  const inner = /<web_content>[^\n]*\n([\s\S]*?)\n?<\/web_content>/.exec(output)?.[1];
  return (inner ?? output.replace(/^(Prompt|URL): [^\n]*\n+/gm, "")).trim();
}
