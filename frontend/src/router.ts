/* Which page an address means, and how to go to another without loading the page anew. Links are plain `<a href>`. */

import { createSubscriber } from "svelte/reactivity";

export const PROJECT_TABS = ["sessions", "files", "changes", "settings"] as const;
export const TEAM_TABS = ["members", "keys", "secrets", "mcp"] as const;
export const SETTINGS_TABS = ["profile", "tokens", "appearance"] as const;

export type ProjectTab = (typeof PROJECT_TABS)[number];
export type TeamTab = (typeof TEAM_TABS)[number];
export type SettingsTab = (typeof SETTINGS_TABS)[number];

export type Place =
  | { page: "home" }
  | { page: "projects" }
  | { page: "new-project" }
  | { page: "project"; id: string; tab: ProjectTab; path: string }
  | { page: "new-session" }
  | { page: "session"; id: string }
  | { page: "comparisons" }
  | { page: "new-comparison" }
  | { page: "comparison"; id: string }
  | { page: "history" }
  | { page: "memories" | "skills"; id: string }
  | { page: "inbox" }
  | { page: "toolsets" }
  | { page: "settings"; tab: SettingsTab }
  | { page: "team"; id: string; tab: TeamTab }
  | { page: "missing" };

/** The place an address path stands for; a path nobody knows is "missing". */
export function placeOf(path: string): Place {
  const [room = "", id = "", tab = "", ...rest] = path.split("/").filter(Boolean).map(decoded);
  switch (room) {
    case "":
      return { page: "home" };
    case "projects":
      return projectPlace(id, tab, rest);
    case "sessions":
      return !id || tab ? { page: "missing" } : id === "new" ? { page: "new-session" } : { page: "session", id };
    case "comparisons":
      if (tab) return { page: "missing" };
      return !id ? { page: "comparisons" } : id === "new" ? { page: "new-comparison" } : { page: "comparison", id };
    case "memories":
    case "skills":
      return tab ? { page: "missing" } : { page: room, id };
    case "history":
    case "inbox":
    case "toolsets":
      return id ? { page: "missing" } : { page: room };
    case "settings":
      return withTab(SETTINGS_TABS, id, tab, (tab) => ({ page: "settings", tab }));
    case "teams":
      return id ? withTab(TEAM_TABS, tab, rest[0], (tab) => ({ page: "team", id, tab })) : { page: "missing" };
    default:
      return { page: "missing" };
  }
}

function projectPlace(id: string, tab: string, rest: string[]): Place {
  if (!id) return { page: "projects" };
  if (id === "new") return tab ? { page: "missing" } : { page: "new-project" };
  const surplus = tab === "files" ? undefined : rest[0];
  return withTab(PROJECT_TABS, tab, surplus, (tab) => ({ page: "project", id, tab, path: rest.join("/") }));
}

/** The named tab, the first one where none is named, and "missing" for an unknown tab or anything that follows it. */
function withTab<T extends string>(tabs: readonly T[], name: string, surplus: string | undefined, place: (tab: T) => Place): Place {
  const tab = name ? tabs.find((known) => known === name) : tabs[0];
  return tab && !surplus ? place(tab) : { page: "missing" };
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}

const moved = createSubscriber((update) => {
  addEventListener("popstate", update);
  return () => removeEventListener("popstate", update);
});

/** Where the browser is; reading it in a component follows every move. */
export const here = {
  get path(): string {
    moved();
    return location.pathname;
  },
  get query(): URLSearchParams {
    moved();
    return new URLSearchParams(location.search);
  },
};

export function go(address: string, how: { replace?: boolean } = {}): void {
  history[how.replace ? "replaceState" : "pushState"](null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}

/** Same address with these query fields changed; an empty value takes its field out. Makes no new step in the browser's history. */
export function setQuery(fields: Record<string, string>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(fields)) value ? query.set(name, value) : query.delete(name);
  const text = query.toString();
  go(location.pathname + (text ? `?${text}` : ""), { replace: true });
}

const OURS = /^\/(projects|sessions|comparisons|history|memories|skills|inbox|settings|toolsets|teams)?(\/|$|\?|#)/;

/** Turns a plain click on a link to one of our pages into `go`; anything else is left to the browser. */
export function followLink(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest?.("a");
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute("download")) return;
  const address = link.pathname + link.search + link.hash;
  const elsewhere = link.origin !== location.origin || !OURS.test(address);
  const jump = link.hash && link.pathname === location.pathname && link.search === location.search;
  if (elsewhere || jump) return;
  event.preventDefault();
  go(address);
}
