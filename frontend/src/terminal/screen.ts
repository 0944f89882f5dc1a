/* One terminal to look at: it is written to, fitted to its width, and never typed into. */

import { Terminal } from "@xterm/xterm";
import { onScheme, palette } from "./palette";
import { openInSheets } from "./sheets";

export const COLUMNS = 120;
export const ROWS = 40;
const SCROLLBACK = 5_000;
const SCROLLBAR = 14;
const LETTER = { largest: 12, smallest: 8.5, wide: 0.602 };
/** Columns that are always shown; the empty ones behind them only where something was drawn there. */
const NARROWEST = 40;

export class Screen {
  readonly #terminal: Terminal;
  readonly #box: HTMLElement;
  readonly #stop: () => void;
  #shown = "";
  #columns = NARROWEST;

  constructor(box: HTMLElement, columns = COLUMNS, rows = ROWS) {
    this.#box = box;
    box.style.height = `${2 * LETTER.largest}px`; // until something is drawn: the empty rows would push the page away for a moment
    const terminal = new Terminal({
      cols: columns,
      rows,
      disableStdin: true,
      fontFamily: getComputedStyle(box).fontFamily,
      fontSize: this.#letters(),
      minimumContrastRatio: 4.5,
      screenReaderMode: true,
      scrollback: SCROLLBACK,
      theme: palette(box),
    });
    this.#terminal = terminal;
    // Nothing is typed here, so every key but those that scroll is the page's.
    terminal.attachCustomKeyEventHandler(({ shiftKey, key }) => shiftKey && key.startsWith("Page"));
    openInSheets(terminal, box);
    terminal.textarea?.setAttribute("aria-label", "Terminal, to read");
    const fitted = new ResizeObserver(() => this.#fit());
    fitted.observe(box.parentElement ?? box);
    const unwatch = onScheme(() => (terminal.options.theme = palette(box)));
    this.#stop = () => {
      fitted.disconnect();
      unwatch();
      terminal.dispose();
    };
  }

  /** Show this text, raw as it came: what is new of it is written, and where it is another text, all of it. */
  show(text: string): void {
    const grows = text.startsWith(this.#shown);
    if (!grows) this.#terminal.reset();
    const news = grows ? text.slice(this.#shown.length) : text;
    this.#shown = text;
    this.#terminal.write(news, () => this.#crop());
  }

  /** What can be read now, without colours. */
  get text(): string {
    const { active } = this.#terminal.buffer;
    const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? "");
    return lines.join("\n").trimEnd();
  }

  end(): void {
    this.#stop();
  }

  /** The size of letters in which what was drawn fits the page, within what can be read. */
  #letters(): number {
    const fits = (this.#box.parentElement ?? this.#box).clientWidth / (this.#columns * LETTER.wide);
    return Math.max(LETTER.smallest, Math.min(LETTER.largest, Math.floor(fits * 4) / 4));
  }

  #fit(): void {
    const size = this.#letters();
    if (size !== this.#terminal.options.fontSize) this.#terminal.options.fontSize = size;
    this.#crop();
  }

  /** Rows and columns behind the last ones with anything on them take no room. */
  #crop(): void {
    const { rows, cols, buffer, element } = this.#terminal;
    const { height, width } = element?.querySelector(".xterm-screen")?.getBoundingClientRect() ?? { height: 0, width: 0 };
    const used = extent(this.#terminal);
    const down = buffer.active.baseY > 0 ? rows : Math.max(used.rows, 2);
    if (!height) return;
    this.#box.style.height = `${Math.ceil((height / rows) * down)}px`;
    this.#box.style.width = `${Math.ceil((width / cols) * this.#columns) + SCROLLBAR}px`;
    if (used.columns <= this.#columns) return;
    this.#columns = Math.min(cols, used.columns);
    this.#fit();
  }
}

/** How far down and to the right of what can be seen anything is drawn; a full-screen program has all of it. */
function extent({ buffer: { active }, rows, cols }: Terminal): { rows: number; columns: number } {
  if (active.type === "alternate") return { rows, columns: cols };
  const lines = Array.from(
    { length: rows },
    (_, row) =>
      active
        .getLine(active.baseY + row)
        ?.translateToString(true)
        .trimEnd().length ?? 0,
  );
  return { rows: lines.findLastIndex(Boolean) + 1, columns: Math.max(...lines) };
}
