import { expect, test } from "vitest";
import { figureRows } from "./figures";
import type { Figures, Side } from "./records";

const NOTHING: Figures = {
  replies: 0,
  tool_calls: 0,
  failed_calls: 0,
  refused_replies: 0,
  input: 0,
  output: 0,
  cost: 0,
  unpriced: 0,
  seconds: 0,
  files: null,
  added: 0,
  removed: 0,
};

function side(figures: Partial<Figures> = {}, status: Side["status"] = "done"): Side {
  const way = { toolset: "oats", workflow: "react", protocol: "native" };
  return {
    ...way,
    session: "s",
    label: "OATS",
    title: "",
    status,
    asks: 0,
    phase: "",
    cycle: 0,
    worktree: "open",
    branch: "",
    figures: { ...NOTHING, ...figures },
  };
}

const row = (left: Side, right: Side, label: string) => figureRows(left, right).find((one) => one.label === label);

test("the smaller figure is the better one", () => {
  expect(row(side({ tool_calls: 3 }), side({ tool_calls: 5 }), "Tool calls")).toMatchObject({
    words: { left: "3", right: "5" },
    better: "left",
  });
  expect(row(side({ output: 1200 }), side({ output: 900 }), "Tokens out")).toMatchObject({
    words: { left: "1.2k", right: "900" },
    better: "right",
  });
  expect(row(side({ replies: 2 }), side({ replies: 2 }), "Replies")?.better).toBe("");
});

test("nothing is better before both have ended well", () => {
  for (const status of ["running", "failed", "stopped"] as const)
    expect(figureRows(side({}, status), side({ tool_calls: 9 })).every(({ better }) => better === "")).toBe(true);
});

test("a cost that nobody knows is not called cheaper", () => {
  const unknown = side({ replies: 2, unpriced: 2 });
  expect(row(unknown, side({ replies: 1, cost: 0.5 }), "Cost")).toEqual({
    label: "Cost",
    words: { left: "not known", right: "$0.50" },
    better: "",
  });
});

test("changes are told and never judged, also before anybody has compared them", () => {
  expect(row(side(), side({ files: 2, added: 4, removed: 1 }), "Changes")).toEqual({
    label: "Changes",
    words: { left: "not known", right: "2 files, +4 −1" },
    better: "",
  });
  expect(row(side({ files: 0 }), side(), "Changes")?.words.left).toBe("none");
});

test("unreadable replies are shown only where there were any", () => {
  expect(row(side(), side(), "Unreadable replies")).toBeUndefined();
  expect(row(side(), side({ refused_replies: 1 }), "Unreadable replies")?.better).toBe("left");
});
