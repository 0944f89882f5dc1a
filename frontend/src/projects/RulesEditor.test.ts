import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import RulesEditor from "./RulesEditor.svelte";

const KEPT = [
  { tool: "*", pattern: "*", action: "ask" },
  { tool: "bash", pattern: "git *", action: "allow" },
];
let put: unknown[] = [];

beforeEach(() => {
  put = [];
  vi.stubGlobal("fetch", async (_: string, { method, body }: RequestInit) => {
    if (method !== "PUT") return Response.json(KEPT);
    put.push(JSON.parse(String(body)));
    return Response.json(put.at(-1));
  });
});
afterEach(() => vi.unstubAllGlobals());

const button = (name: string): HTMLButtonElement => screen.getByRole("button", { name });
const shown = (): string[] => screen.getAllByLabelText(/^Tool of/).map((input) => (input as HTMLInputElement).value);

async function open(mayManage = true): Promise<void> {
  render(RulesEditor, { projectId: "p1", mayManage });
  await waitFor(() => expect(shown()).toEqual(["*", "bash"]));
}

test("the order can be changed, and is saved as a whole", async () => {
  await open();
  expect(button("Save rules").disabled).toBe(true);
  await fireEvent.click(button("Move rule 2 up"));
  expect(shown()).toEqual(["bash", "*"]);
  await fireEvent.click(button("Save rules"));
  await waitFor(() => expect(put).toEqual([[KEPT[1], KEPT[0]]]));
  await waitFor(() => expect(button("Save rules").disabled).toBe(true));
});

test("a new rule stands last, where it wins, ready to be typed", async () => {
  await open();
  await fireEvent.click(button("Add a rule"));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Tool of rule 3")));
});

test("what was changed can be thrown away", async () => {
  await open();
  await fireEvent.click(button("Remove rule 1"));
  await fireEvent.click(button("Discard"));
  expect(shown()).toEqual(["*", "bash"]);
});

test("who may not manage the project only reads", async () => {
  await open(false);
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.getAllByRole("textbox").every((input) => (input as HTMLInputElement).disabled)).toBe(true);
});
