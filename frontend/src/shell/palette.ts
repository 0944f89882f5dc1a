/* What the command palette offers, and in which order for what is typed. */

import type { MyTeam } from "../accounts/records";
import type { SessionRow } from "../history/records";
import type { Project } from "../projects/records";
import type { IconName } from "../ui/icons";
import { ranked } from "./fuzzy";
import { chooseTheme } from "./theme";

export interface PaletteItem {
  id: string;
  group: "Actions" | "Projects" | "Sessions";
  label: string;
  hint?: string;
  icon: IconName;
  to: string | (() => void);
}

const SHOWN = { Sessions: 6, Projects: 5, Actions: 8 };

const ACTIONS: PaletteItem[] = [
  action("New session", "plus", "/sessions/new", "n"),
  action("New comparison", "columns", "/comparisons/new"),
  action("New project", "folder", "/projects/new"),
  action("Needs you", "inbox", "/inbox", "g i"),
  action("History", "history", "/history", "g h"),
  action("Comparisons", "columns", "/comparisons"),
  action("Memories", "memory", "/memories", "g m"),
  action("Skills", "skill", "/skills", "g k"),
  action("All projects", "home", "/projects", "g p"),
  action("Toolsets side by side", "tool", "/toolsets"),
  action("Settings", "settings", "/settings", "g s"),
  action("API tokens", "key", "/settings/tokens"),
  action("Theme: light", "sun", () => chooseTheme("light")),
  action("Theme: dark", "moon", () => chooseTheme("dark")),
  action("Theme: as the system", "settings", () => chooseTheme("system")),
];

function action(label: string, icon: IconName, to: PaletteItem["to"], hint = ""): PaletteItem {
  return { id: `action ${label}`, group: "Actions", label, icon, to, hint };
}

export interface Known {
  team: MyTeam | undefined;
  projects: Project[];
  sessions: SessionRow[];
}

/** The items that fit what is typed, group by group, the group with the best fit first; last a search through the whole history. */
export function paletteItems(query: string, known: Known): PaletteItem[] {
  const typed = query.trim();
  const groups = [sessionItems(known.sessions), projectItems(known.projects), [...ACTIONS, ...teamItems(known.team)]];
  const fitting = groups.map((items) => ranked(typed, items, (item) => item.label).slice(0, SHOWN[items[0]?.group ?? "Actions"]));
  const best = typed
    ? ranked(
        typed,
        fitting.flatMap((items) => items.slice(0, 1)),
        (item) => item.label,
      )
    : [];
  const order = (items: PaletteItem[]): number => (items[0] ? best.indexOf(items[0]) : groups.length);
  const shown = fitting.sort((a, b) => order(a) - order(b)).flat();
  return typed ? [...shown, searchItem(typed)] : shown;
}

function sessionItems(sessions: SessionRow[]): PaletteItem[] {
  return sessions.map((row) => ({
    id: `session ${row.id}`,
    group: "Sessions",
    label: row.title || "Untitled session",
    hint: row.project.name,
    icon: "terminal",
    to: `/sessions/${row.id}`,
  }));
}

function projectItems(projects: Project[]): PaletteItem[] {
  return projects.map((project) => ({
    id: `project ${project.id}`,
    group: "Projects",
    label: project.name,
    hint: project.team.name,
    icon: "folder",
    to: `/projects/${project.id}`,
  }));
}

function teamItems(team: MyTeam | undefined): PaletteItem[] {
  if (!team) return [];
  return [
    action(`Members of ${team.name}`, "people", `/teams/${team.id}`),
    action(`Provider keys of ${team.name}`, "key", `/teams/${team.id}/keys`),
  ];
}

function searchItem(typed: string): PaletteItem {
  return {
    id: "search",
    group: "Sessions",
    label: `Search all sessions for “${typed}”`,
    icon: "search",
    to: `/history?q=${encodeURIComponent(typed)}`,
  };
}
