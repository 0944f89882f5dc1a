/* A list of which only what is in sight exists. It stays at the end while the reader is there, and holds still when rows come in above. */

import { elementScroll, observeElementOffset, observeElementRect, Virtualizer, type VirtualItem } from "@tanstack/virtual-core";

interface Keyed {
  key: string;
}

const NEAR_END = 60;
const GUESS = 56;

type Core = Virtualizer<HTMLElement, HTMLElement>;

export class Windowed<R extends Keyed> {
  #version = $state(0);
  /** Whether the reader was at the end when last he scrolled: a box that shrinks or grows must not take him away from there. */
  #following = true;
  readonly #core: Core;

  constructor(
    private readonly rows: () => readonly R[],
    private readonly box: () => HTMLElement | null,
  ) {
    this.#core = new Virtualizer(this.#options());
  }

  #options() {
    const rows = this.rows();
    return {
      count: rows.length,
      getItemKey: (index: number) => rows[index]?.key ?? index,
      getScrollElement: this.box,
      estimateSize: () => GUESS,
      observeElementRect: (core: Core, changed: Parameters<typeof observeElementRect>[1]) =>
        observeElementRect(core, (rect) => {
          changed(rect);
          if (this.#following) core.scrollToEnd();
        }),
      observeElementOffset: (core: Core, changed: Parameters<typeof observeElementOffset>[1]) =>
        observeElementOffset(core, (offset, scrolling) => {
          changed(offset, scrolling);
          this.#following = core.isAtEnd(NEAR_END);
        }),
      scrollToFn: elementScroll,
      onChange: () => void this.#version++,
      overscan: 8,
      paddingStart: 16,
      paddingEnd: 24,
      anchorTo: "end" as const,
      followOnAppend: true,
      scrollEndThreshold: NEAR_END,
    };
  }

  /** The rows in sight with their places; read it in a derived. */
  get items(): { row: R; place: VirtualItem }[] {
    void this.#version;
    const rows = this.rows();
    this.#core.setOptions(this.#options());
    return this.#core.getVirtualItems().flatMap((place) => {
      const row = rows[place.index];
      return row ? [{ row, place }] : [];
    });
  }

  get height(): number {
    void this.#version;
    return this.#core.getTotalSize();
  }

  get atEnd(): boolean {
    void this.#version;
    return this.#core.isAtEnd(NEAR_END);
  }

  mount(): () => void {
    return this.#core._didMount();
  }

  /** To be called whenever the rows have been drawn. */
  drawn(): void {
    this.#core._willUpdate();
  }

  readonly measure = (node: HTMLElement): void => this.#core.measureElement(node);

  toEnd(): void {
    this.#core.scrollToEnd();
  }

  show(index: number): void {
    this.#core.scrollToIndex(index, { align: "center" });
  }
}
