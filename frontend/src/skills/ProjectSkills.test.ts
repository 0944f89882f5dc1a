import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { toasts } from "../shell/toasts.svelte";
import ProjectSkills from "./ProjectSkills.svelte";
import type { ProjectSkill } from "./records";

const skill = (name: string, source: ProjectSkill["source"], more: Partial<ProjectSkill> = {}): ProjectSkill => ({
  id: `${source}-${name}`,
  name,
  source,
  description: `About ${name}`,
  folder: "",
  on: true,
  complaint: "",
  overridden_by: "",
  ...more,
});

let kept: ProjectSkill[];
let asked: unknown[];
let refuse: boolean;

beforeEach(() => {
  asked = [];
  refuse = false;
  kept = [
    skill("release", "project", { id: "", folder: "skills/release" }),
    skill("release", "team", { overridden_by: "project" }),
    skill("review", "builtin", { on: false }),
  ];
  vi.stubGlobal("fetch", async (_: string, { method, body }: RequestInit) => {
    if (method !== "PUT") return Response.json(kept);
    const { name, on } = JSON.parse(String(body)) as { name: string; on: boolean };
    asked.push({ name, on });
    if (refuse) return Response.json({ title: "You may not manage this team's projects" }, { status: 403 });
    return Response.json(kept.map((one) => (one.name === name ? { ...one, on } : one)));
  });
});
afterEach(() => {
  toasts.list = [];
});

const box = (name: string): Promise<HTMLInputElement> => screen.findByRole("switch", { name });

test("each name has one switch, and says what it overrides", async () => {
  render(ProjectSkills, { project: "p1", mayManage: true });
  expect((await box("release")).checked).toBe(true);
  expect((await box("review")).checked).toBe(false);
  expect(screen.getAllByRole("switch")).toHaveLength(2);
  const line = (await box("release")).closest("li")!;
  expect(line.textContent).toContain("Overrides: team");
  expect(within(line).getByRole("link").getAttribute("href")).toBe("/projects/p1/files/skills/release/SKILL.md");
  expect(
    within((await box("review")).closest("li")!)
      .getByRole("link")
      .getAttribute("href"),
  ).toBe("/skills/builtin-review");
  expect(document.body.textContent).toContain("find 1 of 2");
});

test("a switch counts at once", async () => {
  render(ProjectSkills, { project: "p1", mayManage: true });
  await fireEvent.click(await box("release"));
  expect(asked).toEqual([{ name: "release", on: false }]);
  await waitFor(() => expect(document.body.textContent).toContain("find 0 of 2"));
});

test("a switch that is refused goes back, and the reason is told", async () => {
  refuse = true;
  render(ProjectSkills, { project: "p1", mayManage: true });
  await fireEvent.click(await box("release"));
  await waitFor(async () => expect((await box("release")).checked).toBe(true));
  expect(toasts.list.map(({ text }) => text).join()).toContain("You may not manage");
});

test("whoever may not manage the project only looks", async () => {
  render(ProjectSkills, { project: "p1", mayManage: false });
  expect((await box("release")).disabled).toBe(true);
});

test("what is wrong with a skill is told with it, also where another one counts", async () => {
  kept = [skill("release", "team"), skill("release", "builtin", { complaint: "It has no description.", overridden_by: "team" })];
  render(ProjectSkills, { project: "p1", mayManage: true });
  expect((await box("release")).closest("li")!.textContent).toContain("It has no description.");
});
