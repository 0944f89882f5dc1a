/* Skills put in order: by source, by name, and which of one name counts. */

import { SOURCES, type ProjectSkill, type Skill, type SkillFilter, type SkillSource } from "./records";

const NEAREST_FIRST: SkillSource[] = ["project", "team", "user", "builtin"];

export interface Shelf {
  source: SkillSource;
  skills: Skill[];
}

/** Those that fit, source by source, the nearest to the work first; a source with none is left out. */
export function shelves(skills: Skill[], wanted: Record<SkillFilter, string>): Shelf[] {
  const words = wanted.q.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ name, description }: Skill): boolean => words.every((word) => `${name} ${description}`.toLowerCase().includes(word));
  return NEAREST_FIRST.filter((source) => !wanted.source || source === wanted.source)
    .map((source) => ({ source, skills: skills.filter((skill) => skill.source === source && fits(skill)) }))
    .filter((shelf) => shelf.skills.length);
}

/** The skill of the same name that counts instead of this one. */
export const winnerOver = (skill: Skill, skills: Skill[]): Skill | undefined =>
  skill.overridden_by ? skills.find(({ name, source }) => name === skill.name && source === skill.overridden_by) : undefined;

/** The skills of the same name that this one makes count for nothing. */
export const beatenBy = (skill: Skill, skills: Skill[]): Skill[] =>
  skill.overridden_by ? [] : skills.filter(({ id, name, overridden_by }) => name === skill.name && id !== skill.id && overridden_by);

/** One name as a project has it: the skill that counts, and those behind it. */
export interface Name {
  counts: ProjectSkill;
  beaten: ProjectSkill[];
}

/** The API lists, of one name, the one that counts first. */
export function byName(skills: ProjectSkill[]): Name[] {
  const names = new Map<string, Name>();
  for (const skill of skills) {
    const known = names.get(skill.name);
    if (known) known.beaten.push(skill);
    else names.set(skill.name, { counts: skill, beaten: [] });
  }
  return [...names.values()];
}

/** "Team and Built in": the sources of some skills as words. */
export function sourcesInWords(skills: { source: SkillSource }[]): string {
  const words = skills.map(({ source }) => SOURCES[source].words);
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
