/* The projects one may see and their latest sessions: what the navigation, the palette and the pickers offer. */

import { get, type Listing } from "../api";
import type { SessionRow } from "../history/records";
import type { Project } from "./records";

const LAST_KEY = "countersign.project";
const PAGES = 10;

class Places {
  projects = $state<Project[]>([]);
  sessions = $state<SessionRow[]>([]);
  loaded = $state(false);
  problem = $state<unknown>(null);

  async load(): Promise<void> {
    try {
      [this.projects] = await Promise.all([allProjects(), this.refresh()]);
      this.problem = null;
      this.loaded = true;
    } catch (error) {
      this.problem = error;
    }
  }

  /** Looks at the latest sessions again. A miss is no matter: the next look comes soon. */
  async refresh(): Promise<void> {
    const latest = await get<Listing<SessionRow>>("sessions/", { archived: "0" }).catch(() => null);
    if (latest) this.sessions = latest.results;
  }

  of(teamId: string): Project[] {
    return this.projects.filter((project) => project.team.id === teamId);
  }

  project(id: string): Project | undefined {
    return this.projects.find((project) => project.id === id);
  }

  sessionsOf(projectId: string, limit: number): SessionRow[] {
    return this.sessions.filter((row) => row.project.id === projectId).slice(0, limit);
  }

  asksIn(projectId: string): number {
    return this.sessions.reduce((sum, row) => sum + (row.project.id === projectId ? row.asks : 0), 0);
  }

  /** The project last opened in this browser, if one may still see it. */
  get last(): Project | undefined {
    return this.project(localStorage.getItem(LAST_KEY) ?? "");
  }

  remember(projectId: string): void {
    localStorage.setItem(LAST_KEY, projectId);
  }
}

async function allProjects(): Promise<Project[]> {
  const found: Project[] = [];
  let next: string | null = "projects/";
  for (let page = 0; next && page < PAGES; page++) {
    const listing: Listing<Project> = await get(next);
    found.push(...listing.results);
    next = listing.next;
  }
  return found.sort((a, b) => a.name.localeCompare(b.name));
}

export const places = new Places();
