import { fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import AskHarness from "../../dev/AskHarness.svelte";
import type { AgentAsk, AgentReported } from "../protocol";
import { EMPTY_STATE } from "./apply";
import { Conversation, type Right } from "./conversation.svelte";
import { View } from "./view.svelte";

const plan: AgentAsk = {
  ask: "plan",
  call_id: "x1",
  seq: 7,
  at: "2026-03-01T12:00:00Z",
  approval: null,
  question: null,
  plan: { type: "plan.proposed", revision: 2, text: "# Two steps", summary: "", hash: "h2", plan_file: "", call_id: "x1" },
};
const command = "aws sso login";
const question: AgentAsk = {
  ...plan,
  ask: "question",
  plan: null,
  question: {
    type: "question.asked",
    question_id: "q1",
    call_id: "x1",
    default: "",
    questions: [
      {
        question: `Run this:\n\n\`\`\`bash\n${command}\n\`\`\``,
        header: "",
        options: [{ label: "I ran it", description: "" }],
        multi_select: false,
      },
    ],
  },
};

function agent(ask: AgentAsk): AgentReported {
  const origin = {
    parent: "s1",
    root: "s1",
    call_id: "c1",
    agent_id: "ab12",
    agent_type: "plan" as const,
    depth: 1,
    background: false,
    working_dir: "",
  };
  const figures = { detail: "", worktree: "" as const, asks: [ask], replies: 1, cost: 0 };
  return { type: "agent.reported", session_id: "child", title: "Think", origin, state: "waiting", ...figures };
}

let session: Conversation;
let page: View;
let posted: [string, unknown][];
let answer: () => Response;
const socket = { readyState: 1, send: () => expect.unreachable("it must not go to the root's session"), close: () => undefined };

function show(ask: AgentAsk, ...rights: Right[]): void {
  session.heard({ type: "welcome", me: { id: "alice", name: "Alice" }, rights, head: 0 });
  render(AskHarness, { session, page, asking: { agent: agent(ask), ask } });
}

beforeEach(async () => {
  posted = [];
  answer = () => Response.json({ head: 8 });
  vi.stubGlobal("fetch", (address: string, init?: RequestInit) => {
    if (init?.method !== "POST")
      return Promise.resolve(Response.json({ state: EMPTY_STATE, entries: [], people: [], rights: [], first: 0 }));
    posted.push([address, JSON.parse(String(init.body))]);
    return Promise.resolve(answer());
  });
  page = new View();
  session = new Conversation("s1", { connect: () => socket as unknown as WebSocket, random: () => 0, now: () => 0 });
  await session.open();
});

afterEach(() => {
  session.close();
  vi.unstubAllGlobals();
});

describe("what a sub-agent asks", () => {
  it("is decided in the sub-agent's own session, and is then out of the way", async () => {
    show(plan, "approve_plans");
    await fireEvent.click(screen.getByText("Approve revision 2"));
    const said = { command: "review_plan", revision: 2, hash: "h2", verdict: "approved", message: "" };
    await vi.waitFor(() => expect(posted).toEqual([["/api/sessions/child/commands/", said]]));
    await vi.waitFor(() => expect([...page.settled]).toEqual(["child:x1:7"]));
  });

  it("says who decided first, and stays", async () => {
    const problem = { kind: "conflict", title: "Decided", detail: "It was sent back.", by: { id: "bob", name: "Bob" } };
    answer = () => Response.json(problem, { status: 409 });
    show(plan, "approve_plans");
    await fireEvent.click(screen.getByText("Approve revision 2"));
    expect((await screen.findByRole("alert")).textContent).toBe("Bob decided first. It was sent back.");
    expect(page.settled.size).toBe(0);
  });

  it("can only be looked at by those who may not decide it", () => {
    show(plan, "view");
    expect(screen.queryByText("Approve revision 2")).toBeNull();
    expect(screen.getByText(/may approve plans/)).toBeTruthy();
  });

  it("shows a command handed to a person as code to copy, and takes the answer", async () => {
    show(question, "prompt");
    expect(screen.getByText(command).closest("pre")).toBeTruthy();
    expect(screen.getByLabelText("Copy code")).toBeTruthy();
    await fireEvent.click(screen.getByText("I ran it"));
    await fireEvent.click(screen.getByText("Answer"));
    const said = { command: "answer_question", question_id: "q1", answers: [{ labels: ["I ran it"], text: "" }] };
    await vi.waitFor(() => expect(posted).toEqual([["/api/sessions/child/commands/", said]]));
  });
});
