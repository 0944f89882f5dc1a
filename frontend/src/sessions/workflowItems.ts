/* What a workflow's facts make of the transcript's items: phases, verdicts, completions, and replies that could not be read. */

import type { CompletionAttempted, PhaseEntered, ReplyRefused, VerdictGiven } from "../protocol";
import type { AgentItem, Item, PhaseItem, Placed } from "./items";

type WorkflowFact = PhaseEntered | VerdictGiven | CompletionAttempted | ReplyRefused;

/** Change `items` by one fact of the workflow. */
export function followWorkflow(items: Item[], placed: Placed, fact: WorkflowFact): void {
  switch (fact.type) {
    case "phase.entered":
      items.push({ ...placed, kind: "phase", fact, again: stands(items, fact) });
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
