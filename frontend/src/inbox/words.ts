/* An open ask in a few words. */

import type { OpenAsk } from "../protocol";
import type { IconName } from "../ui/icons";

export interface AskWords {
  icon: IconName;
  kind: string;
  summary: string;
  /** What the link to its card says. */
  open: string;
}

export function askWords(ask: OpenAsk): AskWords {
  switch (ask.ask) {
    case "approval":
      return {
        icon: "shield",
        kind: "Approval",
        summary: ask.approval?.prompt || `Run ${ask.approval?.tool ?? "a tool"}`,
        open: "See it in the session",
      };
    case "question":
      return { icon: "question", kind: "Question", summary: questionWords(ask), open: "Answer" };
    case "plan":
      return { icon: "plan", kind: "Plan", summary: "A plan is ready for review", open: "Review the plan" };
  }
}

function questionWords({ question }: OpenAsk): string {
  const [first, ...more] = question?.questions ?? [];
  return first ? first.question + (more.length ? ` (and ${more.length} more)` : "") : "A question";
}
