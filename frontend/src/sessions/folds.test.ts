import { describe, expect, it } from "vitest";
import type { Note, SessionState, WireEntry } from "../protocol";
import { EMPTY_STATE, stateAfter } from "./apply";
import { callStage } from "./items";
import { grown, liveAfter, liveWithout, NOTHING_LIVE, points } from "./live";
import { grouped, liveItems, queued } from "./rows";
import { EMPTY_TRANSCRIPT, transcriptAfter } from "./transcript";

interface Case {
  entries: WireEntry[];
  state: SessionState;
}
const cases = import.meta.glob<Case>("../../../tests/cases/folds/*.json", { eager: true, import: "default" });
const log = (name: string): WireEntry[] => cases[`../../../tests/cases/folds/${name}.json`]?.entries ?? [];
const transcriptOf = (entries: WireEntry[]) => transcriptAfter(EMPTY_TRANSCRIPT, entries);

describe("the state", () => {
  it.each(Object.entries(cases))("is what the server folds, on %s", (_name, { entries, state }) => {
    expect(entries.reduce(stateAfter, EMPTY_STATE)).toEqual(state);
  });
});

describe("the transcript", () => {
  it("merges everything about a call into one item", () => {
    const call = transcriptOf(log("approval")).items.find((item) => item.kind === "call");
    expect(call).toMatchObject({ call_id: "c1", tool: "bash", started: { seq: 11 }, finished: { fact: { output: "ok" } } });
    expect(call?.kind === "call" && call.decided?.fact.verdict).toBe("allow");
  });

  it("is the same in one go, entry by entry, and whatever the cut", () => {
    for (const { entries } of Object.values(cases)) {
      const whole = transcriptOf(entries);
      expect(entries.reduce((done, entry) => transcriptAfter(done, [entry]), EMPTY_TRANSCRIPT)).toEqual(whole);
    }
  });

  it("leaves items that did not change as they were", () => {
    const entries = log("approval");
    const before = transcriptOf(entries.slice(0, 11));
    const after = transcriptAfter(before, entries.slice(11, 12));
    expect(after.items.filter((item, index) => item !== before.items[index])).toMatchObject([{ kind: "call" }]);
    expect(before.items.some((item) => item.kind === "call" && item.finished)).toBe(false);
  });

  it("shows a call whose beginning is not loaded", () => {
    const call = transcriptOf(log("approval").slice(11, 12)).items[0];
    expect(call?.kind === "call" && callStage(call)).toBe("done");
  });

  it("stops the countdown of a failed request once something came after it", () => {
    const [first, second] = transcriptOf(log("failures").slice(0, 5)).items.filter((item) => item.kind === "failure");
    expect([first?.over, second?.over]).toEqual([true, false]);
  });

  it("gives every item a key of its own", () => {
    for (const { entries } of Object.values(cases)) {
      const keys = transcriptOf(entries).items.map((item) => item.key);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });
});

describe("what is live", () => {
  const text = (at: number, words: string): Note => ({ type: "text.grew", reply_id: "r9", part: 0, at, text: words });
  const heard = (...notes: Note[]) => liveAfter(NOTHING_LIVE, notes, EMPTY_TRANSCRIPT).replies["r9"]?.[0];

  it("does not mind hearing a note twice, or late", () => {
    expect(heard(text(0, "Hello "), text(6, "world"), text(6, "world"), text(0, "Hello "))?.text).toBe("Hello world");
  });

  it("counts characters as the server does, emoji included", () => {
    expect(points("a🤔b")).toBe(3);
    expect(heard(text(0, "a🤔"), text(2, "b"), text(1, "🤔b!"))?.text).toBe("a🤔b!");
  });

  it("keeps only what follows a gap and says that the beginning is missing", () => {
    expect(heard(text(0, "lost"), text(10, "found"))).toMatchObject({ start: 10, text: "found" });
  });

  it("fills in a beginning that arrives late", () => {
    expect(grown({ start: 3, end: 5, text: "lo" }, 0, "hel")).toEqual({ start: 0, end: 5, text: "hello" });
  });

  it("gives way to the fact it foretold, and is not brought back by a late note", () => {
    const entries = log("approval").slice(0, 5);
    const note: Note = { type: "text.grew", reply_id: "r1", part: 1, at: 0, text: "I bu" };
    const live = liveAfter(NOTHING_LIVE, [note], EMPTY_TRANSCRIPT);
    expect(liveItems(live)).toMatchObject([{ kind: "agent", key: "reply:r1:1", reply: null }]);
    expect(liveWithout(live, entries).replies).toEqual({});
    expect(liveAfter(NOTHING_LIVE, [note], transcriptOf(entries)).replies).toEqual({});
  });
});

describe("the rows", () => {
  it("put neighbouring calls that only look into one group", () => {
    const looked = (seq: number): WireEntry => ({
      seq,
      at: "2026-03-01T12:00:00Z",
      by: null,
      run_id: null,
      cut: [],
      fact: {
        type: "tool.finished",
        call_id: `c${seq}`,
        tool: "read",
        title: "Read",
        output: "",
        error: seq === 4 ? "not found" : null,
        metadata: {},
        changes: [],
        attachments: [],
        seconds: 0,
        redactions: 0,
      },
    });
    const rows = grouped(transcriptOf([1, 2, 3, 4].map(looked)).items);
    expect(rows.map((row) => row.kind)).toEqual(["group", "call"]);
  });

  it("know the messages that the agent has not read yet", () => {
    const entries = log("approval").slice(0, 5);
    const said = { ...entries[1]!, seq: 6, fact: { type: "user.spoke" as const, message_id: "message-2", text: "And test" } };
    expect(queued(transcriptOf(entries))).toEqual([]);
    expect(queued(transcriptOf([...entries, said])).map((item) => item.fact.text)).toEqual(["And test"]);
  });
});
