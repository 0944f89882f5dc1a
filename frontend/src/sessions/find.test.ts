import { describe, expect, it } from "vitest";
import type { Fact, WireEntry } from "../protocol";
import { hitsIn } from "./find";
import { grouped } from "./rows";
import { EMPTY_TRANSCRIPT, transcriptAfter } from "./transcript";

const entry = (seq: number, fact: Fact): WireEntry => ({ seq, at: "2026-03-01T12:00:00Z", by: null, run_id: null, fact, cut: [] });
const usage = { input: 1, output: 1, cache_read: 0, cache_write: 0, reasoning: 0, cost: null };

function ran(seq: number, call_id: string, tool: string, args: Record<string, unknown>, output: string): WireEntry[] {
  const ended = { title: "", output, error: null, metadata: {}, changes: [], attachments: [], seconds: 0, redactions: 0 };
  return [
    entry(seq, { type: "tool.started", call_id, tool, args }),
    entry(seq + 1, { type: "tool.finished", call_id, tool, ...ended } as Fact),
  ];
}

const rows = grouped(
  transcriptAfter(EMPTY_TRANSCRIPT, [
    entry(1, { type: "user.spoke", message_id: "message-abc", text: "Mend the Lexer" }),
    entry(2, {
      type: "agent.spoke",
      reply_id: "r1",
      finish: "stop",
      parts: [
        { type: "reasoning", text: "The lexer loops.", signature: "", extras: {} },
        { type: "text", text: "I look.", extras: {} },
      ],
      provider: "p",
      model: "m",
      usage,
      seconds: 1,
      read_to: null,
      stop_reason: "",
    } as Fact),
    ...ran(3, "c1", "bash", { command: "make" }, "lexer.py: 3 errors"),
    ...ran(5, "c2", "read", { file_path: "a.py" }, "nothing"),
    ...ran(7, "c3", "read", { file_path: "lexer.py" }, "def lex"),
  ]).items,
);

describe("finding words in a session", () => {
  it("finds them in messages, thoughts, outputs and arguments, whatever their case", () => {
    expect(hitsIn(rows, "LEXER").map(({ key }) => key)).toEqual(["message:message-abc", "reply:r1:0", "call:c1", "group:call:c2"]);
  });

  it("tells what must be unfolded for them to be seen", () => {
    expect(hitsIn(rows, "lexer").map(({ unfold }) => unfold)).toEqual([[], ["reply:r1:0:0"], ["call:c1"], ["group:call:c2", "call:c3"]]);
  });

  it("does not look into what only machines read, and finds nothing for nothing", () => {
    expect(hitsIn(rows, "message-abc")).toEqual([]);
    expect(hitsIn(rows, "  ")).toEqual([]);
  });
});
