/* Where the run's workflow stands: the part of the state's twin (./apply.ts) that follows phases and verdicts. */

import type { PhaseEntered, PhaseView, VerdictGiven } from "../protocol";

export const NO_PHASE: PhaseView = { phase: "", cycle: 0, detail: "", since: null, verified: null };

export function phaseAfter(phase: PhaseView, fact: PhaseEntered | VerdictGiven, at: string): PhaseView {
  if (fact.type === "verdict.given") return { ...phase, verified: fact.verified };
  return { phase: fact.phase, cycle: fact.cycle, detail: fact.detail, since: at, verified: phase.verified };
}

/** At the run's end, and under another workflow, only its last verdict stays. */
export function phaseLeft(phase: PhaseView): PhaseView {
  return { ...NO_PHASE, verified: phase.verified };
}
