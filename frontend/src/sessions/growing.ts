/* What can be read of a call's arguments while they are being written. */

interface Cut {
  end: number;
  /** What closes everything that is open there. */
  closing: string;
}

let last = { text: "", value: {} as Record<string, unknown> };

/** The object as far as it is written, its last text perhaps half a text; {} where there is none. */
export function objectSoFar(text: string): Record<string, unknown> {
  if (text !== last.text) last = { text, value: read(text) };
  return last.value;
}

function read(text: string): Record<string, unknown> {
  for (const { end, closing } of cuts(text)) {
    const value = parsed(text.slice(0, end) + closing);
    if (value !== undefined) return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  }
  return {};
}

/** Where it may end: at its end, where that is in the middle of a text or behind a value; else before what was begun last. */
function cuts(text: string): Cut[] {
  let closing = "";
  let inText = false;
  let before: Cut = { end: 0, closing };
  let at = 0;
  for (; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === '"') inText = !inText;
    else if (inText) {
      const length = sign !== "\\" ? 1 : text[at + 1] === "u" ? 6 : 2;
      if (at + length > text.length) break;
      at += length - 1;
    } else if (sign === "{" || sign === "[") {
      closing = (sign === "{" ? "}" : "]") + closing;
      before = { end: at + 1, closing };
    } else if (sign === "}" || sign === "]") closing = closing.slice(1);
    else if (sign === ",") before = { end: at, closing };
  }
  return [{ end: at, closing: (inText ? '"' : "") + closing }, before];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
