/* A workflow's phases in words: as a step that is named, and as what is going on. */

const NAMED: Readonly<Record<string, [name: string, doing: string]>> = {
  discover: ["Discover", "Looking around"],
  plan: ["Plan", "Planning"],
  replan: ["Replan", "Planning again"],
  act: ["Act", "Working"],
  work: ["Work", "Working"],
  agent: ["Work", "Working"],
  planner: ["Plan", "Planning"],
  verify: ["Verify", "Verifying"],
  verifier: ["Verify", "Verifying"],
};

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");

/** "Verify": the phase as one of several steps. A workflow that this page does not know names its own. */
export const stepName = (phase: string): string => NAMED[phase]?.[0] ?? capital(phase);

/** "Verifying": what the agent is at. */
export const doing = (phase: string): string => NAMED[phase]?.[1] ?? capital(phase);

/** "cycle 2", and nothing in the first, which most runs never leave. */
export const cycleWords = (cycle: number): string => (cycle > 1 ? `cycle ${cycle}` : "");

const JUDGED = /^\s*[#*_]*\s*(?:NOT\s+)?VERIFIED[*_]*\s*:?[*_]*\s*/i;

/** A verdict's text without the word that it begins with, which its row says already. */
export const reasonOf = (text: string): string => text.replace(JUDGED, "").trim();

/** The workflow's steps; one that it does not name (it may be of an older version) stands at the end. */
export const stepsOf = (phases: readonly string[], now: string): string[] => (phases.includes(now) ? [...phases] : [...phases, now]);

/** A line of Markdown without its marks, for where it is only glanced at. */
export const plain = (line: string): string => line.replaceAll(/[`*]+|^[#>\s-]+/g, "");
