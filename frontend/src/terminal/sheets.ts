/* Lets xterm style itself under a policy that forbids inline styles: its rules go into sheets of ours, its style attributes through the CSSOM. */

import type { Terminal } from "@xterm/xterm";

type Make = (tag: string) => HTMLElement;

/** Rows are made with the page's own document, and nothing of xterm's that is public can say otherwise. */
interface Inside {
  _core?: { _renderService?: { _renderer?: { value?: { _rowFactory?: { _document: { createElement: Make } } } } } };
}

/** `terminal.open(box)`, with no style element and no style attribute put on the page then or later. */
export function openInSheets(terminal: Terminal, box: HTMLElement): void {
  const page = box.ownerDocument;
  const make: Make = (tag) => Document.prototype.createElement.call(page, tag);
  page.createElement = ((tag: string) => (tag === "style" ? rules(page, make("template")) : make(tag))) as Document["createElement"];
  try {
    terminal.open(box);
  } finally {
    Reflect.deleteProperty(page, "createElement");
  }
  const rows = (terminal as Inside)._core?._renderService?._renderer?.value?._rowFactory;
  if (rows) rows._document = { createElement: (tag) => styled(make(tag)) };
}

/** An inert element whose text is the text of a sheet, for as long as it is not removed. */
export function rules(page: Document, element: HTMLElement): HTMLElement {
  const sheet = new CSSStyleSheet();
  page.adoptedStyleSheets = [...page.adoptedStyleSheets, sheet];
  return Object.defineProperties(element, {
    textContent: { set: (css: string) => sheet.replaceSync(css) },
    remove: {
      value: () => {
        page.adoptedStyleSheets = page.adoptedStyleSheets.filter((other) => other !== sheet);
        Element.prototype.remove.call(element);
      },
    },
  });
}

/** An element that takes its style attribute apart by itself, which a policy does not mind. */
export function styled(element: HTMLElement): HTMLElement {
  const setAttribute = (name: string, value: string): void => {
    if (name === "style") element.style.cssText = value;
    else Element.prototype.setAttribute.call(element, name, value);
  };
  return Object.defineProperty(element, "setAttribute", { value: setAttribute });
}
