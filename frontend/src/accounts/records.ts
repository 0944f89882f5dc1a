/* People and teams as the API gives them. */

import type { Person, Snapshot } from "../protocol";

export type Role = "viewer" | "member" | "reviewer" | "admin";

export type Right = Snapshot["rights"][number];

export type PersonRef = Person;

export interface TeamRef {
  id: string;
  name: string;
  slug?: string;
}

export interface MyTeam extends TeamRef {
  role: Role;
  rights: Right[];
}

export interface Me extends PersonRef {
  username: string;
  email: string;
  teams: MyTeam[];
}

export interface Member extends PersonRef {
  username: string;
  email: string;
  role: Role;
}

export interface ApiToken {
  id: string;
  name: string;
  prefix: string;
  created: string;
  last_used: string | null;
  /** The secret itself: only in the answer that made it. */
  token?: string;
}

export interface ProviderKey {
  id: string;
  provider: string;
  base_url: string;
  model: string;
  hint: string;
}

export interface ProviderChoice {
  name: string;
  label: string;
  models: string[];
  default_model: string;
  ready: boolean;
  note: string;
}
