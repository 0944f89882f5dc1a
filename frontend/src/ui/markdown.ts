/* Markdown → blocks of safe HTML. Each block is rendered once for its source, so that a growing text repaints only at its tail. */

import DOMPurify from "dompurify";
import { Marked, type Token, type TokensList } from "marked";

export interface Block {
  /** Where the block's source starts in the whole, in UTF-16 units, and its source. */
  start: number;
  raw: string;
  /** A fenced block is shown by a component of its own; every other one is HTML. */
  code: { text: string; language: string } | null;
  html: string;
}

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const SAFE_LINK = /^(https?:|mailto:)/i;

const marked = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }) => escape(text),
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
    image: ({ href, text }) => link(href, escape(text || href)),
    link({ href, tokens }) {
      return link(href, this.parser.parseInline(tokens));
    },
  },
});

function link(href: string, words: string): string {
  if (!SAFE_LINK.test(href)) return words;
  return `<a href="${escape(href)}" target="_blank" rel="noopener noreferrer">${words}</a>`;
}

const ALLOWED = {
  ALLOWED_TAGS: [
    ..."h1 h2 h3 h4 h5 h6 p ul ol li blockquote pre code em strong del a br hr".split(" "),
    ..."table thead tbody tr th td".split(" "),
  ],
  ALLOWED_ATTR: ["href", "target", "rel", "start", "align"],
  ALLOWED_URI_REGEXP: SAFE_LINK,
  ADD_URI_SAFE_ATTR: ["target", "rel", "start", "align"],
};

const rendered = new Map<string, string>();
const KEPT = 2_000;

function html(token: Token, links: TokensList["links"]): string {
  // What `[words][1]` means is said elsewhere in the text, so the same source can mean another link in another text.
  const key = JSON.stringify([token.raw, links]);
  const known = rendered.get(key);
  if (known !== undefined) return known;
  const clean = DOMPurify.sanitize(marked.parser(Object.assign([token], { links })), ALLOWED);
  if (rendered.size >= KEPT) rendered.clear();
  rendered.set(key, clean);
  return clean;
}

/** The text's top-level blocks in order. */
export function blocks(text: string): Block[] {
  const tokens = marked.lexer(text);
  const found: Block[] = [];
  let start = 0;
  for (const token of tokens) {
    const code = token.type === "code" ? { text: String(token.text), language: String(token.lang ?? "") } : null;
    if (token.type !== "space" && token.type !== "def")
      found.push({ start, raw: token.raw, code, html: code ? "" : html(token, tokens.links) });
    start += token.raw.length;
  }
  return found;
}
