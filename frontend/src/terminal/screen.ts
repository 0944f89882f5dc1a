/* One terminal to look at: it is written to, fitted to its width, and never typed into. */

import { Terminal } from "@xterm/xterm";
import { onScheme, palette } from "./palette";
import { styledBySheets } from "./sheets";

export const COLUMNS = 120;
export const ROWS = 40;
const SCROLLBACK = 5_000;
const LETTER = { largest: 12, smallest: 8.5, wide: 0.602 };

export class Screen {
  readonly #terminal: Terminal;
  readonly #box: HTMLElement;
  readonly #stop: () => void;
  #shown = "";

  constructor(box: HTMLElement, columns = COLUMNS, rows = ROWS) {
    this.#box = box;
    const styled = styledBySheets(document);
    const terminal = new Terminal({
      cols: columns,
      rows,
      disableStdin: true,
      documentOverride: styled.document,
      fontFamily: getComputedStyle(box).fontFamily,
      fontSize: this.#letters(columns),
      minimumContrastRatio: 4.5,
      screenReaderMode: true,
      scrollback: SCROLLBACK,
      theme: palette(box),
    });
    this.#terminal = terminal;
    // Nothing is typed here, so every key but those that scroll is the page's.
    terminal.attachCustomKeyEventHandler(({ shiftKey, key }) => shiftKey && key.startsWith("Page"));
    styled.during(() => terminal.open(box));
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

  #letters(columns: number): number {
    const fits = (this.#box.parentElement ?? this.#box).clientWidth / (columns * LETTER.wide);
    return Math.max(LETTER.smallest, Math.min(LETTER.largest, Math.floor(fits * 4) / 4));
  }

  #fit(): void {
    const size = this.#letters(this.#terminal.cols);
    if (size !== this.#terminal.options.fontSize) this.#terminal.options.fontSize = size;
    this.#crop();
  }

  /** Rows below the last one with anything on it take no room. */
  #crop(): void {
    const { rows, buffer, element } = this.#terminal;
    const height = element?.querySelector<HTMLElement>(".xterm-screen")?.offsetHeight ?? 0;
    const used = buffer.active.baseY > 0 ? rows : usedRows(this.#terminal);
    if (height) this.#box.style.height = `${Math.ceil((height / rows) * Math.max(used, 2))}px`;
  }
}

function usedRows({ buffer: { active }, rows }: Terminal): number {
  for (let row = rows; row > 0; row--) if (active.getLine(row - 1)?.translateToString(true)) return row;
  return 0;
}
