/* What each role may do, in words. */

import type { Role } from "./records";

export const ROLES: Record<Role, { words: string; may: string }> = {
  viewer: { words: "Viewer", may: "Reads sessions, files and memories." },
  member: { words: "Member", may: "Also comments, starts and stops agents, and edits memories." },
  reviewer: { words: "Reviewer", may: "Also approves tool calls and plans." },
  admin: { words: "Admin", may: "Also manages members, projects, rules and keys." },
};
