/* The plan as a fold of what was said about it; part of `stateAfter`. */

import type { Fact, PlanView } from "../protocol";

export const planAskGone = (plan: PlanView): PlanView => ({ ...plan, stage: "planning", call_id: "" });

export function planAfter(plan: PlanView, fact: Fact): PlanView {
  if (fact.type === "plan.entered") return { ...plan, stage: "planning", reason: fact.reason, plan_file: fact.plan_file };
  if (fact.type === "plan.proposed") {
    const { revision, text, summary, hash, plan_file } = fact;
    return { ...plan, stage: "proposed", revision, text, summary, hash, plan_file, call_id: fact.call_id || plan.call_id };
  }
  if (fact.type === "plan.reviewed" && fact.verdict === "approved" && fact.hash === plan.hash)
    return { ...plan, stage: "approved", call_id: "" };
  if (fact.type === "plan.reviewed" && fact.verdict === "changes") return { ...plan, stage: "planning", call_id: "" };
  if (fact.type === "plan.left") return { ...plan, stage: "left", call_id: "" };
  return plan;
}
