/* Walking a list with the keyboard: j and k, or the arrows once inside, move the focus from line to line, Home and End to the ends. */

const STEPS: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** For the list's element: `{@attach rove}`. Its lines carry `data-line`. While nothing has the focus, j enters the list from anywhere. */
export function rove(list: HTMLElement): () => void {
  const pressed = (event: KeyboardEvent): void => {
    const target = event.target instanceof Element ? event.target : document.body;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || target.closest("input, textarea, select")) return;
    if (!list.contains(target) && !(isNowhere(target) && /^[jk]$/.test(event.key))) return;
    const lines = [...list.querySelectorAll<HTMLElement>("[data-line]")];
    const next = nextLine(event.key, lines.indexOf(document.activeElement as HTMLElement), lines.length);
    if (next === undefined) return;
    event.preventDefault();
    lines[Math.max(0, Math.min(next, lines.length - 1))]?.focus();
  };
  addEventListener("keydown", pressed);
  return () => removeEventListener("keydown", pressed);
}

const isNowhere = (target: Element): boolean => target === document.body || target.id === "main";

function nextLine(key: string, at: number, count: number): number | undefined {
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const step = STEPS[key];
  return step && at + step;
}
