import { fireEvent, screen, within } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as told from "../../dev/choices";
import { callOf, conversationAbout, entriesOf, show } from "../../dev/stage";
import type { Said } from "../../dev/say";
import { PHASED, VERIFIED } from "../../dev/workflows";
import type { Fact } from "../protocol";
import { choices } from "../toolsets/choices.svelte";
import { hitsIn } from "./find";
import { callStage, type Item } from "./items";
import PhaseSteps from "./PhaseSteps.svelte";
import { grouped, type Row } from "./rows";
import RowView from "./RowView.svelte";
import { announcement } from "./status";
import { EMPTY_TRANSCRIPT, transcriptAfter } from "./transcript";

const itemsOf = (log: readonly Said[]): readonly Item[] => transcriptAfter(EMPTY_TRANSCRIPT, entriesOf(log)).items;
const upto = (log: readonly Said[], type: Fact["type"], nth = 1): Said[] => {
  const places = log.flatMap(([, fact], at) => (fact.type === type ? [at] : []));
  return log.slice(0, (places[nth - 1] ?? 0) + 1);
};

/** What stands where, in a word each. */
function brief(row: Row): string {
  if (row.kind === "phase") return `${row.again ? "more in " : ""}${row.fact.phase} ${row.fact.cycle}`;
  if (row.kind === "call") return row.tool + (row.automatic ? " by the workflow" : "");
  if (row.kind === "verdict") return row.fact.verified ? "verified" : "not verified";
  return row.kind;
}

const rowsOf = (log: readonly Said[]): string[] => grouped(itemsOf(log)).map(brief);

beforeEach(() => {
  choices.toolsets = told.TOOLSETS;
  choices.workflows = told.WORKFLOWS;
  choices.protocols = told.PROTOCOLS;
});
afterEach(() => {
  choices.toolsets = choices.workflows = choices.protocols = [];
});

describe("the transcript of a run with phases", () => {
  it("tells each thing once: refused replies, verdicts and completions in place of what told them", () => {
    expect(rowsOf(VERIFIED)).toEqual([
      ...["marker", "user", "plan 1", "refused", "group", "agent"],
      ...["act 1", "replace_in_file", "agent", "more in act 1", "completion"],
      ...["verify 1", "execute_command", "agent", "not verified"],
      ...["plan 2", "agent", "act 2", "replace_in_file", "completion"],
      ...["verify 2", "execute_command", "verified", "marker"],
    ]);
  });

  it("begins a phase above the calls it carries out, and leaves out those that passed at once", () => {
    expect(rowsOf(PHASED)).toEqual([
      ...["marker", "user", "discover 1", "plan 1", "agent", "act 1", "edit_file"],
      ...["verify 1", "run by the workflow", "not verified"],
      ...["plan 2", "agent", "act 2", "edit_file", "verify 2", "run by the workflow", "verified"],
      ...["plan 3", "agent", "marker"],
    ]);
    expect(callStage(callOf(PHASED, "u1"))).toBe("done");
  });

  it.each([
    ["verified", VERIFIED],
    ["phased", PHASED],
  ])("is the same in one go and entry by entry, on a run that is %s", (_name, log) => {
    const entries = entriesOf(log);
    const whole = transcriptAfter(EMPTY_TRANSCRIPT, entries);
    expect(entries.reduce((done, entry) => transcriptAfter(done, [entry]), EMPTY_TRANSCRIPT)).toEqual(whole);
    for (const [call_id, at] of whole.calls) expect(whole.items[at]).toMatchObject({ kind: "call", call_id });
  });

  it("keeps the thoughts of a reply whose words became the verdict", () => {
    const items = itemsOf(upto(VERIFIED, "verdict.given"));
    const thoughts = items.at(-2);
    expect(thoughts?.kind === "agent" && thoughts.parts.map(({ text }) => text)).toEqual(["What of [,] alone?"]);
    expect(itemsOf(upto(VERIFIED, "verdict.given", 2)).at(-2)).toMatchObject({ kind: "call" });
  });

  it("begins the same phase anew in another run", () => {
    const again: Said[] = [
      [null, { type: "run.finished", run_id: "r0", outcome: "done", detail: "" }],
      ...VERIFIED.slice(1).filter(([, fact]) => fact.type === "phase.entered"),
    ];
    const phases = itemsOf([...upto(VERIFIED, "phase.entered"), ...again.slice(0, 2)]).filter((item) => item.kind === "phase");
    expect(phases.map(({ again }) => again)).toEqual([false, false]);
  });

  it("is searched as a whole, and what is folded is unfolded", () => {
    const rows = grouped(itemsOf(VERIFIED));
    const refused = rows.find((row) => row.kind === "refused")?.key;
    const verdict = rows.find((row) => row.kind === "verdict")?.key;
    expect(hitsIn(rows, "<path>parser.py")).toEqual([{ key: refused, unfold: [refused] }]);
    expect(hitsIn(rows, "skips every comma")).toEqual([{ key: verdict, unfold: [verdict] }]);
  });
});

describe("its rows", () => {
  /** The nth row of this kind, as the page draws it. */
  function drawn(log: readonly Said[], kind: Row["kind"], nth = 0): HTMLElement {
    const row = grouped(itemsOf(log)).filter((one) => one.kind === kind)[nth]!;
    return show(conversationAbout(log), RowView, { row }).container;
  }

  it("say where a phase begins, and what the agent was told, once that is unfolded", async () => {
    const row = drawn(PHASED, "phase");
    expect(within(row).getByRole("article", { name: "Phase: Looking around" })).toBeTruthy();
    expect(row.textContent).toContain("Python, 14 files");
    expect(row.textContent).not.toContain("parse_item");
    await fireEvent.click(within(row).getByRole("button", { name: "What the agent was told" }));
    expect(row.textContent).toContain("parse_item");
    expect(drawn(VERIFIED, "phase", 4).textContent).toMatch(/Planning.*cycle 2.*What was found missing/s);
  });

  it("say a verdict, whose it is, and why: at once where something is missing, folded where all is well", async () => {
    const missing = drawn(VERIFIED, "verdict");
    expect(
      within(missing)
        .getByRole("button", { name: /Not verified by the model/ })
        .getAttribute("aria-expanded"),
    ).toBe("true");
    expect(missing.querySelector("li code")?.textContent).toBe("parser.py:43");
    expect(missing.textContent).not.toContain("NOT VERIFIED");
    const well = drawn(PHASED, "verdict", 1);
    const line = within(well).getByRole("button", { name: /^Verified by the test command · cycle 2 python -m pytest -q passed\./ });
    expect(line.getAttribute("aria-expanded")).toBe("false");
  });

  it("show what the agent says of its work as Markdown, made safe, with the command to see it", () => {
    const log: Said[] = [
      [null, { type: "completion.attempted", call_id: "x", result: "It **works**.<img src=x onerror=alert(1)>", command: "make test" }],
    ];
    const row = drawn(log, "completion");
    expect(row.querySelector("strong")?.textContent).toBe("works");
    expect(row.querySelector("[onerror]")).toBeNull();
    expect(row.querySelector("pre")?.textContent).toBe("make test");
  });

  it("show what could not be read as plain text, and why it was asked for again", async () => {
    const row = drawn(VERIFIED, "refused");
    const line = within(row).getByRole("button", { name: /could not be read.*asked again.*<read_file> is opened twice/ });
    await fireEvent.click(line);
    expect(row.querySelector("pre")?.textContent).toContain("<path>parser.py</path>");
    expect(row.textContent).toContain("Reply again, with one whole call.");
  });

  it("mark calls that the workflow made", () => {
    expect(drawn(PHASED, "call", 1).textContent).toContain("by the workflow");
    expect(drawn(PHASED, "call", 0).textContent).not.toContain("by the workflow");
  });

  it("name what the session was given by titles", () => {
    expect(drawn(PHASED, "marker").textContent).toContain("the scripted demo · atloop · Phased workflow · JSON with file sections");
    const chosen = { toolset: "alfredo", provider: "acme", model: "m-1", workflow: "", protocol: "" };
    expect(drawn([["alice", { type: "session.configured", ...chosen }]], "marker").textContent).toMatch(/chose m-1 · Alfredo\s/);
  });
});

describe("the header's steps", () => {
  const steps = (log: readonly Said[]) => show(conversationAbout(log), PhaseSteps, {}).container;

  it("mark the one that stands, with its cycle", () => {
    const list = within(steps(upto(PHASED, "phase.entered", 7))).getByRole("list", { name: "Workflow: Phased" });
    expect(
      within(list)
        .getAllByRole("listitem")
        .map((item) => item.textContent?.trim()),
    ).toEqual(["Discover", "Plan", "Actcycle 2", "Verify"]);
    expect(list.querySelectorAll("[aria-current='step']").length).toBe(1);
    expect(list.querySelector("[aria-current='step']")?.textContent).toContain("Act");
  });

  it("leave the last verdict when the run is over, and nothing where there was none", () => {
    expect(steps(VERIFIED).textContent?.trim()).toBe("Verified");
    expect(screen.queryByRole("list", { name: /Workflow/ })).toBeNull();
    expect(steps(VERIFIED.slice(0, 2)).textContent?.trim()).toBe("");
  });

  it("are told to screen readers as they change", () => {
    const { state } = conversationAbout(upto(PHASED, "phase.entered", 7));
    expect(announcement(state)).toBe("The agent is working: Working, cycle 2");
    expect(announcement(conversationAbout(PHASED.slice(0, 4)).state)).toBe("The agent is working");
  });
});
