/* Lets xterm style itself under a policy that forbids inline styles: its rules go into sheets of ours, its style attributes through the CSSOM. */

export interface Styled {
  /** To be given to xterm as its document. */
  document: Document;
  /** Runs `act` while the page's document makes style elements this way too: xterm takes one of them from there. */
  during: (act: () => void) => void;
}

export function styledBySheets(page: Document): Styled {
  const make = (tag: string): HTMLElement => Document.prototype.createElement.call(page, tag);
  const ours = (tag: string): HTMLElement => (tag === "style" ? rules(page, make("template")) : styled(make(tag)));
  return {
    document: new Proxy(page, { get: (_, name) => (name === "createElement" ? ours : bound(page, name)) }),
    during: (act) => {
      page.createElement = ours as Document["createElement"];
      try {
        act();
      } finally {
        Reflect.deleteProperty(page, "createElement");
      }
    },
  };
}

/** Methods of a document want the document itself. */
function bound(page: Document, name: string | symbol): unknown {
  const value: unknown = Reflect.get(page, name, page);
  return typeof value === "function" ? (value.bind(page) as unknown) : value;
}

/** An inert element whose text is the text of a sheet, for as long as it is not removed. */
function rules(page: Document, element: HTMLElement): HTMLElement {
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

function styled(element: HTMLElement): HTMLElement {
  const setAttribute = (name: string, value: string): void => {
    if (name === "style") element.style.cssText = value;
    else Element.prototype.setAttribute.call(element, name, value);
  };
  return Object.defineProperty(element, "setAttribute", { value: setAttribute });
}
