/* A terminal's colours, taken from the page's own. */

import type { ITheme } from "@xterm/xterm";

/** Each colour of a terminal and what it is here; the bright ones look like the others. */
const COLOURS: Record<string, string> = {
  background: "--code-bg",
  foreground: "--text",
  cursor: "--text-muted",
  cursorAccent: "--code-bg",
  black: "--text",
  red: "--danger",
  green: "--ok",
  yellow: "--warn",
  blue: "--accent",
  magenta: "--magenta",
  cyan: "--cyan",
  white: "--text-muted",
  brightBlack: "--text-muted",
  brightRed: "--danger",
  brightGreen: "--ok",
  brightYellow: "--warn",
  brightBlue: "--accent",
  brightMagenta: "--magenta",
  brightCyan: "--cyan",
  brightWhite: "--text",
  selectionBackground: "--accent-soft",
  scrollbarSliderBackground: "--border",
  scrollbarSliderHoverBackground: "--border-strong",
  scrollbarSliderActiveBackground: "--border-strong",
};

/** The colours as they are now: a variable's own text would still say both, the light and the dark one. */
export function palette(within: HTMLElement): ITheme {
  const probe = document.createElement("i");
  probe.hidden = true;
  within.append(probe);
  const colour = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const theme = Object.fromEntries(Object.entries(COLOURS).map(([use, name]) => [use, colour(name)]));
  probe.remove();
  return theme;
}

/** Calls `changed` when the page turns light or dark, by the system's wish or by a person's. */
export function onScheme(changed: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = new MutationObserver(changed);
  system.addEventListener("change", changed);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => {
    system.removeEventListener("change", changed);
    chosen.disconnect();
  };
}
