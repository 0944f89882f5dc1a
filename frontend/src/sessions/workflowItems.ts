/* What a workflow's facts make of the transcript's items: phases, verdicts, completions, and replies that could not be read. */

import type { CompletionAttempted, PhaseEntered, ReplyRefused, VerdictGiven } from "../protocol";
import { type AgentItem, callStage, type Item, type PhaseItem, type Placed } from "./items";

type WorkflowFact = PhaseEntered | VerdictGiven | CompletionAttempted | ReplyRefused;

/** Change the transcript's items, and where its calls stand among them, by one fact of the workflow. */
export function followWorkflow({ items, calls }: { items: Item[]; calls: Map<string, number> }, placed: Placed, fact: WorkflowFact): void {
  switch (fact.type) {
    case "phase.entered":
      enter(items, calls, { ...placed, kind: "phase", fact, again: stands(items, fact) });
      break;
    case "completion.attempted":
      items.push({ ...placed, kind: "completion", fact });
      break;
    case "verdict.given":
      takeBack(items, (reply) => spokenBy(reply).trim() === fact.text.trim());
      items.push({ ...placed, kind: "verdict", fact });
      break;
    case "reply.refused":
      items.push({ ...placed, kind: "refused", fact, text: takeBack(items, (reply) => reply.reply_id === fact.reply_id) });
  }
}

/** A phase begins above the calls that it is to carry out: the model said them in the phase before. */
function enter(items: Item[], calls: Map<string, number>, phase: PhaseItem): void {
  const at = items.findLastIndex((item) => item.kind !== "call" || callStage(item) !== "written") + 1;
  items.splice(at, 0, phase);
  items.slice(at).forEach((item, after) => item.kind === "call" && calls.set(item.call_id, at + after));
}

/** Whether this very phase stands already, so that something more is said in it. */
function stands(items: readonly Item[], { phase, cycle }: PhaseEntered): boolean {
  const begun = items.findLast((item): item is PhaseItem => item.kind === "phase");
  const ended = items.findLastIndex((item) => item.kind === "marker" && item.fact.type === "run.finished");
  return begun !== undefined && items.indexOf(begun) > ended && begun.fact.phase === phase && begun.fact.cycle === cycle;
}

/** Takes the words of the last reply out again where another item tells them, and gives them; its thoughts stay. */
function takeBack(items: Item[], isIt: (reply: AgentItem) => boolean): string {
  const reply = items.at(-1);
  if (reply?.kind !== "agent" || !isIt(reply)) return "";
  const thoughts = reply.parts.filter((part) => part.type === "reasoning");
  items.splice(-1, 1, ...(thoughts.length ? [{ ...reply, parts: thoughts }] : []));
  return spokenBy(reply);
}

const spokenBy = (reply: AgentItem): string => reply.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
