/* The kinds of forges that a project can be connected to. */

import type { Forge } from "./records";

export const FORGES: Record<Forge["kind"], string> = { "": "", github: "GitHub", gitea: "Gitea or Forgejo" };
