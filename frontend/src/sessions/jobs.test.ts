import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ATOMIC } from "../../dev/atomic";
import { conversationAbout, entriesOf, show } from "../../dev/stage";
import type { JobView } from "../protocol";
import type { Conversation, Right } from "./conversation.svelte";
import JobsPanel from "./JobsPanel.svelte";
import { jobStatus, printed } from "./jobs";
import { liveAfter, liveWithout, NOTHING_LIVE } from "./live";
import Panels from "./Panels.svelte";
import RowView from "./RowView.svelte";
import { EMPTY_TRANSCRIPT } from "./transcript";
import type { View } from "./view.svelte";

let session: Conversation;
let asked: [string, string][];

beforeEach(() => {
  asked = [];
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"], now: new Date("2026-03-01T12:00:42Z") });
  vi.stubGlobal("fetch", (address: string, init: RequestInit = {}) => {
    asked.push([init.method ?? "GET", address]);
    return Promise.resolve(Response.json({ output: "building…\n" }));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function panel(...rights: Right[]): View {
  session = conversationAbout(ATOMIC, ["view", ...rights]);
  return show(session, JobsPanel, {}).page;
}
const line = (command: RegExp): HTMLElement => screen.getByRole("listitem", { name: command });
const output = (command: RegExp): Promise<unknown> =>
  fireEvent.click([...line(command).querySelectorAll("button")].find((button) => button.textContent?.trim() === "Output")!);

describe("the panel of background jobs", () => {
  it("lists them newest first, each with its command and how it stands", () => {
    panel();
    expect(screen.getAllByRole("listitem").map((item) => item.querySelector("pre")?.textContent)).toEqual([
      "cargo test --workspace --all-features -- --test-threads 2",
      "python train.py --epochs 30",
      "npm run build -- --mode production",
    ]);
    expect(line(/npm run build/).textContent).toMatch(/Exit 2.*42 s/s);
    expect(line(/cargo/).textContent).toMatch(/Done.*18 s.*exit 0/s);
  });

  it("counts the seconds of one that runs", async () => {
    panel();
    expect(line(/train/).textContent).toContain("42 s");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(line(/train/).textContent).toContain("44 s");
  });

  it("lets those who may prompt cancel one that runs, and nobody else", async () => {
    panel();
    expect(screen.queryByRole("button", { name: "Cancel" })).toBeNull();
    document.body.replaceChildren();
    panel("prompt");
    await fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(asked).toEqual([["POST", "/api/sessions/s1/jobs/job-2/cancel/"]]);
  });

  it("reads what a job printed when it is opened, and goes on with what comes", async () => {
    panel();
    session.state = { ...session.state, jobs: session.state.jobs.slice(1, 2).map((job) => ({ ...job, terminal: false })) };
    await waitFor(() => expect(screen.getAllByRole("listitem")).toHaveLength(1));
    await output(/train/);
    await waitFor(() => expect(line(/train/).textContent).toContain("building…"));
    session.live = liveAfter(session.live, [{ type: "job.grew", job_id: "job-2", at: 10, text: "built\n" }], EMPTY_TRANSCRIPT);
    await waitFor(() => expect(line(/train/).textContent).toContain("building…\nbuilt"));
  });

  it("leads to the call that started one", async () => {
    const page = panel();
    const jumped: string[] = [];
    page.jump = (key) => Boolean(jumped.push(key));
    await fireEvent.click(screen.getAllByRole("button", { name: "Show its call" })[0]!);
    expect(jumped).toEqual(["call:t21"]);
  });

  it("says so where there are none", () => {
    show(conversationAbout([]), JobsPanel, {});
    expect(screen.getByText("No background jobs")).toBeTruthy();
  });
});

describe("the panels", () => {
  it("have a tab for jobs only where there are some", () => {
    show(conversationAbout(ATOMIC), Panels, {});
    expect(screen.getByRole("tab", { name: /Jobs/ }).textContent).toBe("Jobs2/3");
    document.body.replaceChildren();
    show(conversationAbout([]), Panels, {});
    expect(screen.queryByRole("tab", { name: /Jobs/ })).toBeNull();
  });
});

describe("a job that has ended", () => {
  it.each<[Partial<JobView>, string]>([
    [{ state: "completed", exit_code: 0 }, "Done"],
    [{ state: "failed", exit_code: 2 }, "Exit 2"],
    [{ state: "failed", error: "timed out" }, "Failed"],
    [{ state: "failed", error: "aborted" }, "Canceled"],
    [{ state: "lost", error: "Its worker went away" }, "Lost"],
  ])("says how", (job, words) => expect(jobStatus({ state: "running", error: "", exit_code: null, ...job }).words).toBe(words));

  it("is told where it happened, and leads to the panel", async () => {
    session = conversationAbout(ATOMIC);
    const item = session.transcript.items.find((one) => one.kind === "marker" && one.fact.type === "job.finished")!;
    const { page, container } = show(session, RowView, { row: item });
    expect(container.textContent).toContain("npm run build -- --mode production");
    expect(container.textContent).toContain("exit 2 after 42 s");
    await fireEvent.click(screen.getByRole("button"));
    expect(page.panel).toBe("jobs");
  });
});

describe("what a job prints", () => {
  const at = (start: number, text: string) => ({ start, end: start + text.length, text });

  it.each([
    [null, undefined, false, null],
    [at(0, "read "), undefined, false, "read "],
    [at(0, "read "), at(3, "d and live"), false, "read and live"],
    [at(0, "read"), at(9, "live"), false, "read\n…\nlive"],
    [at(0, "plain"), at(0, "\u001b[1mraw"), true, "\u001b[1mraw"],
    [at(0, "plain"), at(4, "raw"), true, "plain"],
  ])("is what was read and what came since", (read, live, terminal, text) => expect(printed(read, live, terminal)).toBe(text));

  const grew = liveAfter(NOTHING_LIVE, [{ type: "job.grew", job_id: "j", at: 0, text: "a" }], EMPTY_TRANSCRIPT);

  it("outlives its run, and goes when the job has ended", () => {
    const ends = (fact: Parameters<typeof entriesOf>[0][number][1]) => liveWithout(grew, entriesOf([[null, fact]])).jobs;
    expect(ends({ type: "run.finished", run_id: "r", outcome: "done", detail: "" })).toEqual(grew.jobs);
    const finished = { state: "completed", error: "", exit_code: 0, seconds: 1, artifact: null } as const;
    expect(ends({ type: "job.finished", job_id: "j", ...finished })).toEqual({});
  });
});
