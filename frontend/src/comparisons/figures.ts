/* The two sides' figures as rows of a table, the better one marked where that can be said. */

import { STATUSES } from "../history/records";
import { dollars, tokens } from "../sessions/figures";
import { count } from "../tools/words";
import { duration } from "../ui/clock.svelte";
import type { Figures, Side, SideName } from "./records";

export interface FigureRow {
  label: string;
  words: Record<SideName, string>;
  better: SideName | "";
}

/** Less of these is better. */
const LESS: [label: string, of: (figures: Figures) => number, words: (figures: Figures) => string][] = [
  ["Work", ({ seconds }) => seconds, ({ seconds }) => duration(seconds)],
  ["Replies", ({ replies }) => replies, ({ replies }) => String(replies)],
  ["Tool calls", ({ tool_calls }) => tool_calls, ({ tool_calls }) => String(tool_calls)],
  ["Failed calls", ({ failed_calls }) => failed_calls, ({ failed_calls }) => String(failed_calls)],
  ["Unreadable replies", ({ refused_replies }) => refused_replies, ({ refused_replies }) => String(refused_replies)],
  ["Tokens in", ({ input }) => input, ({ input }) => tokens(input)],
  ["Tokens out", ({ output }) => output, ({ output }) => tokens(output)],
  ["Cost", ({ cost }) => cost, costWords],
];

/** The table. Nothing is called better before both have ended well: whoever has done less by then may only be slower. */
export function figureRows(left: Side, right: Side): FigureRow[] {
  const fair = left.status === "done" && right.status === "done";
  const compared = LESS.map(([label, of, words]): FigureRow => {
    const known = label !== "Cost" || !(left.figures.unpriced + right.figures.unpriced);
    return { label, words: each(left, right, words), better: fair && known ? less(of(left.figures), of(right.figures)) : "" };
  }).filter(({ label }) => label !== "Unreadable replies" || left.figures.refused_replies + right.figures.refused_replies > 0);
  const state = { left: STATUSES[left.status].words, right: STATUSES[right.status].words };
  return [
    { label: "State", words: state, better: "" },
    ...compared,
    { label: "Changes", words: each(left, right, changeWords), better: "" },
  ];
}

const each = (left: Side, right: Side, words: (figures: Figures) => string): Record<SideName, string> => ({
  left: words(left.figures),
  right: words(right.figures),
});

const less = (left: number, right: number): SideName | "" => (left < right ? "left" : right < left ? "right" : "");

function costWords({ cost, unpriced, replies }: Figures): string {
  if (unpriced && unpriced === replies) return "not known";
  return dollars(cost) + (unpriced ? ` and ${count(unpriced, "reply", "replies")} without a price` : "");
}

function changeWords({ files, added, removed }: Figures): string {
  if (files === null) return "not known";
  return files ? `${count(files, "file")}, +${added} −${removed}` : "none";
}
