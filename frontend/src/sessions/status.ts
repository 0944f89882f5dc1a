/* The state of a run in words, a shape and a tone. */

import type { PhaseView, SessionState } from "../protocol";
import { count } from "../tools/words";
import { asksOf, isAtWork } from "./agents";
import { cycleWords, doing } from "./phases";
import type { Stream } from "../socket";
import type { IconName } from "../ui/icons";
import type { Tone } from "../ui/Pill.svelte";

export interface Status {
  words: string;
  tone: Tone;
  icon: IconName | null;
}

export function statusOf(state: SessionState): Status {
  const { run } = state;
  const decisions = state.asks.length + asksOf(state.agents, NOBODY).length;
  const busy = state.agents.filter(isAtWork).length;
  switch (run.state) {
    case "idle":
      return { words: "Idle", tone: "neutral", icon: "circle" };
    case "queued":
      return { words: "Queued", tone: "neutral", icon: "clock" };
    case "running":
      return run.stop_asked ? { words: "Stopping", tone: "neutral", icon: null } : { words: "Working", tone: "accent", icon: null };
    case "waiting":
      if (!decisions && state.pending.length) return working(state.pending.length);
      return { words: decisions > 1 ? `Needs ${decisions} decisions` : "Needs a decision", tone: "warn", icon: "shield" };
    case "done":
      if (busy) return working(busy);
      return { words: "Completed", tone: "ok", icon: "check" };
    case "stopped":
      return { words: "Stopped", tone: "neutral", icon: "stop" };
    case "failed":
      return { words: "Failed", tone: "danger", icon: "alert" };
    case "limit":
      return { words: "Limit reached", tone: "warn", icon: "alert" };
    default:
      return run.state satisfies never;
  }
}

const NOBODY: ReadonlySet<string> = new Set();

const working = (agents: number): Status => ({ words: `Working: ${count(agents, "agent")}`, tone: "accent", icon: null });

/** Whether a run is under way, so that there is something to stop. */
export const isOpen = ({ run }: SessionState): boolean => run.state === "queued" || run.state === "running" || run.state === "waiting";

/** What a screen reader is told when it changes; boundaries only, never words that grow. */
export function announcement(state: SessionState): string {
  const ask = state.asks[0];
  if (ask?.ask === "approval") return `Permission required: ${ask.approval?.prompt ?? ""}`;
  if (ask?.ask === "question") return "The agent asks a question";
  if (ask?.ask === "plan") return "A plan is up for review";
  const below = asksOf(state.agents, NOBODY)[0];
  if (below) return `The sub-agent ${below.agent.title} needs a decision`;
  return { Working: atWork(state.phase), Completed: "The agent has finished" }[statusOf(state).words] ?? statusOf(state).words;
}

function atWork({ phase, cycle }: PhaseView): string {
  const where = [phase && doing(phase), phase && cycleWords(cycle)].filter(Boolean).join(", ");
  return where ? `The agent is working: ${where}` : "The agent is working";
}

/** How the page hears of new things, said honestly; "" where all is well. */
export function streamWords(stream: Stream): string {
  switch (stream.state) {
    case "connecting":
      return "Connecting…";
    case "catching up":
      return `Catching up ${stream.done} of ${stream.of}`;
    case "live":
      return "";
    case "offline":
      return "Offline";
    case "gone":
      return stream.reason === "signed_out" ? "Signed out" : "Closed to you";
    default:
      return stream satisfies never;
  }
}
