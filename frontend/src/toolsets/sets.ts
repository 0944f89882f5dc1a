/* Which toolsets are laid side by side, as the page's address says it. */

import type { Toolset } from "./records";

/** Those named, in the registry's order; every toolset that is no smaller set of another where none is named. */
export function chosenOf(known: readonly Toolset[], named: string): Toolset[] {
  const names = new Set(named.split(",").filter(Boolean));
  const found = known.filter(({ name }) => names.has(name));
  return found.length ? found : known.filter(({ part_of }) => !part_of);
}

/** What the address says of a choice: "" of the one that holds by itself. */
export function queryOf(known: readonly Toolset[], chosen: readonly string[]): string {
  const own = chosenOf(known, "").map(({ name }) => name);
  return own.length === chosen.length && own.every((name) => chosen.includes(name)) ? "" : chosen.join(",");
}
