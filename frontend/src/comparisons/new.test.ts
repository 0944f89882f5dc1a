import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as told from "../../dev/choices";
import { places } from "../projects/places.svelte";
import type { Project } from "../projects/records";
import { go } from "../router";
import { choices } from "../toolsets/choices.svelte";
import NewComparison from "./NewComparison.svelte";

const TOLD: Record<string, unknown> = {
  "toolsets/brief/": told.TOOLSETS,
  "workflows/": told.WORKFLOWS,
  "protocols/": told.PROTOCOLS,
  "providers/?team=t1": [{ name: "scripted", title: "Scripted demo", ready: true, default_model: "demo", models: [] }],
};
const project = {
  id: "p1",
  name: "Shelf",
  rights: ["prompt"],
  team: { id: "t1", name: "Readers" },
  toolset: "atomic",
  provider: "scripted",
};

let up: boolean;
let posted: unknown[];

beforeEach(() => {
  up = true;
  posted = [];
  go("/comparisons/new");
  Object.assign(places, { projects: [project as unknown as Project], loaded: true, problem: null });
  vi.stubGlobal("fetch", async (address: string, { body }: RequestInit = {}) => {
    if (body) posted.push(JSON.parse(String(body)));
    const answer = body ? { id: "c1" } : TOLD[address.replace("/api/", "")];
    return up && answer ? Response.json(answer) : Response.json({ title: "Down" }, { status: 503 });
  });
});
afterEach(() => {
  choices.toolsets = choices.workflows = choices.protocols = [];
  Object.assign(places, { projects: [], loaded: false, problem: null });
  vi.unstubAllGlobals();
});

const side = (name: string): HTMLElement => screen.getByRole("group", { name });
const chosen = (name: string): string => within(side(name)).getByLabelText<HTMLSelectElement>("Toolset").value;

test("nothing is offered before it is known what there is to compare", async () => {
  render(NewComparison);
  expect(screen.getByRole("status", { name: "Loading" })).toBeTruthy();
  expect(screen.queryByRole("group", { name: "Left" })).toBeNull();
  await screen.findByRole("group", { name: "Left" });
  expect([chosen("Left"), chosen("Right")]).toEqual(["atomic", "oats"]);
  expect(screen.queryByRole("status", { name: "Loading" })).toBeNull();
});

test("where that cannot be had it is said, and tried again", async () => {
  up = false;
  render(NewComparison);
  const again = await screen.findByRole("button", { name: "Try again" });
  up = true;
  await fireEvent.click(again);
  expect(await screen.findByRole("group", { name: "Right" })).toBeTruthy();
});

test("both sides begin with what was chosen for them", async () => {
  render(NewComparison);
  await screen.findByRole("group", { name: "Right" });
  await fireEvent.input(screen.getByLabelText("What should both do?"), { target: { value: " Fix it " } });
  const toolset = within(side("Right")).getByLabelText("Toolset");
  await fireEvent.change(toolset, { target: { value: "atomic" } });
  expect(screen.getByText(/Both are the same/)).toBeTruthy();
  await fireEvent.change(toolset, { target: { value: "alfredo" } });
  await fireEvent.click(screen.getByRole("button", { name: "Compare" }));
  await waitFor(() => expect(posted).toHaveLength(1));
  const usual = { workflow: "", protocol: "" };
  expect(posted[0]).toMatchObject({ prompt: "Fix it", left: { toolset: "atomic", ...usual }, right: { toolset: "alfredo", ...usual } });
  await waitFor(() => expect(location.pathname).toBe("/comparisons/c1"));
});
