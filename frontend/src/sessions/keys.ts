/* Single-letter keys of a session's page; they stay quiet while somebody types or a dialog is open. */

import { isTyping } from "../shell/shortcuts";

export function sessionKey(event: KeyboardEvent, keys: Record<string, () => unknown>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
  if (!act) return;
  event.preventDefault();
  act();
}

/** Whether Esc belongs to what has the focus: an open dialog, a menu, or a field other than the composer. */
export function hasOwnEscape(target: EventTarget | null): boolean {
  if (document.querySelector("dialog[open]")) return true;
  return target instanceof Element && target.closest("[role='menu'], [data-own-escape]") !== null;
}
