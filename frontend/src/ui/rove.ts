/* Walking a list of links with the keyboard: arrows or j and k move the focus from line to line, Home and End to the ends. */

const STEPS: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** For `onkeydown` of the list's element; its lines carry `data-line`. */
export function rove(event: KeyboardEvent): void {
  const list = event.currentTarget as HTMLElement;
  const typing = (event.target as Element).closest("input, textarea, select");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const lines = [...list.querySelectorAll<HTMLElement>("[data-line]")];
  const at = lines.indexOf(document.activeElement as HTMLElement);
  const step = STEPS[event.key];
  const next = event.key === "Home" ? 0 : event.key === "End" ? lines.length - 1 : step ? at + step : undefined;
  if (next === undefined) return;
  event.preventDefault();
  lines[Math.max(0, Math.min(next, lines.length - 1))]?.focus();
}
