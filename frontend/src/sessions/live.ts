/* What is being said right now: notes laid over the transcript until the fact they foretell lands. Idempotent by position. */

import type { Fact, Note, WireEntry } from "../protocol";
import type { Transcript } from "./transcript";

/** A stretch of a growing text; positions count code points, as the server does. `start` > 0 when its beginning was missed. */
export interface Growth {
  start: number;
  end: number;
  text: string;
}

export interface LivePart extends Growth {
  kind: "text" | "reasoning" | "call";
  part: number;
  call_id: string;
  tool: string;
}

export interface Live {
  /** reply_id → its parts so far, in order. */
  replies: Readonly<Record<string, readonly LivePart[]>>;
  /** call_id → output so far. */
  outputs: Readonly<Record<string, Growth>>;
  /** job_id → output so far, of jobs that go on in the background. */
  jobs: Readonly<Record<string, Growth>>;
}

export const NOTHING_LIVE: Live = { replies: {}, outputs: {}, jobs: {} };

/** Live once these notes were heard; a note about something that has landed already changes nothing. */
export function liveAfter(live: Live, notes: readonly Note[], transcript: Transcript): Live {
  return notes.reduce((before, note) => heard(before, note, transcript), live);
}

function heard(live: Live, note: Note, transcript: Transcript): Live {
  if (note.type === "output.grew") {
    if (isFinished(transcript, note.call_id)) return live;
    return { ...live, outputs: { ...live.outputs, [note.call_id]: grown(live.outputs[note.call_id], note.at, note.text) } };
  }
  if (note.type === "job.grew")
    return { ...live, jobs: { ...live.jobs, [note.job_id]: grown(live.jobs[note.job_id], note.at, note.text) } };
  if (transcript.replies.has(note.reply_id)) return live;
  const parts = live.replies[note.reply_id] ?? [];
  return { ...live, replies: { ...live.replies, [note.reply_id]: withPart(parts, note) } };
}

function isFinished(transcript: Transcript, call_id: string): boolean {
  const item = transcript.items[transcript.calls.get(call_id) ?? -1];
  return item?.kind === "call" && item.finished !== null;
}

function withPart(parts: readonly LivePart[], note: Extract<Note, { reply_id: string }>): LivePart[] {
  const before = parts.find((known) => known.part === note.part);
  const named = note.type === "call.grew" ? { call_id: note.call_id, tool: note.tool } : { call_id: "", tool: "" };
  const kind = KINDS[note.type];
  const after: LivePart = { ...grown(before, note.at, note.text), kind, part: note.part, ...named };
  return [...parts.filter((known) => known !== before), after].sort((a, b) => a.part - b.part);
}

const KINDS = { "text.grew": "text", "reasoning.grew": "reasoning", "call.grew": "call" } as const;

/** `text` put where it belongs. Known text is never shortened; after a gap only what came later is kept. */
export function grown(before: Growth | undefined, at: number, text: string): Growth {
  const size = points(text);
  if (!before || at > before.end || at + size < before.start)
    return before && at < before.start ? before : { start: at, end: at + size, text };
  if (at === before.end) return { start: before.start, end: at + size, text: before.text + text };
  const head = at < before.start ? slice(text, 0, before.start - at) : "";
  const tail = at + size > before.end ? slice(text, before.end - at) : "";
  return { start: Math.min(at, before.start), end: Math.max(at + size, before.end), text: head + before.text + tail };
}

export function points(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) if (isPair(text, index)) count--;
  return count;
}

const isPair = (text: string, index: number): boolean => (text.codePointAt(index) ?? 0) > 0xffff;

const slice = (text: string, from: number, to?: number): string => [...text].slice(from, to).join("");

/** Live once these facts have landed: what they say in full is no longer shown as growing. */
export function liveWithout(live: Live, entries: readonly WireEntry[]): Live {
  return entries.reduce((before, { fact }) => settled(before, fact), live);
}

function settled(live: Live, fact: Fact): Live {
  switch (fact.type) {
    case "agent.spoke":
    case "provider.failed":
      return fact.reply_id in live.replies ? { ...live, replies: omit(live.replies, fact.reply_id) } : live;
    case "tool.finished":
      return fact.call_id in live.outputs ? { ...live, outputs: omit(live.outputs, fact.call_id) } : live;
    case "job.finished":
      return fact.job_id in live.jobs ? { ...live, jobs: omit(live.jobs, fact.job_id) } : live;
    case "run.finished":
    case "run.lost":
      return { ...NOTHING_LIVE, jobs: live.jobs };
    default:
      return live;
  }
}

function omit<T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> {
  const { [key]: _gone, ...rest } = record;
  return rest;
}
