import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { me } from "../accounts/me.svelte";
import type { Me } from "../accounts/records";
import { go } from "../router";
import type { OpenedSkill, Skill } from "./records";
import SkillsPage from "./SkillsPage.svelte";

const ALICE = { id: "alice", name: "Alice Ames" };
const TEAM = { id: "t1", name: "Reading room" };

const skill = (name: string, source: Skill["source"], more: Partial<Skill> = {}): Skill => ({
  id: `${source}-${name}`,
  name,
  description: `About ${name}`,
  source,
  team: source === "team" ? TEAM : null,
  owner: source === "user" ? ALICE : null,
  uploaded: source === "builtin" ? null : "2026-01-01T10:00:00Z",
  uploaded_by: source === "builtin" ? null : ALICE,
  file_count: 2,
  size: 2048,
  complaint: "",
  overridden_by: "",
  ...more,
});

let listed: Skill[];
let asked: string[];

// What the browsers have and jsdom does not.
HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
  this.open = true;
};
HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
  this.open = false;
};

beforeEach(() => {
  asked = [];
  listed = [skill("release", "team"), skill("release", "user", { overridden_by: "team" }), skill("review", "builtin")];
  me.person = { ...ALICE, username: "alice", email: "", teams: [{ ...TEAM, role: "admin", rights: ["view", "manage_projects"] }] } as Me;
  vi.stubGlobal("fetch", async (address: string, { method }: RequestInit) => {
    asked.push(`${method} ${address}`);
    const [path = ""] = address.replace("/api/skills/", "").split("?");
    if (method === "DELETE") return new Response(null, { status: 204 });
    if (address.endsWith(".bin")) return Response.json({ path: "a.bin", size: 3, binary: true, text: "", truncated: false });
    if (path.endsWith("/file/")) return Response.json({ path: "a.txt", size: 3, binary: false, text: "<b>one</b>", truncated: false });
    const one = listed.find(({ id }) => path === `${id}/`);
    const opened: Partial<OpenedSkill> = {
      text: "# How\n<script>alert(1)</script>",
      files: [
        { path: "SKILL.md", size: 2045 },
        { path: "a.txt", size: 3 },
      ],
    };
    return Response.json(path ? { ...one, ...opened } : listed);
  });
});
afterEach(() => {
  me.person = null;
});

function open(address: string): void {
  go(address);
  render(SkillsPage, { id: address.split("?")[0]!.split("/")[2] ?? "" });
}

const text = (): string => document.body.textContent ?? "";

test("skills stand by their sources, those of the team first", async () => {
  open("/skills");
  await waitFor(() =>
    expect(screen.getAllByRole("heading", { level: 2 }).map((one) => one.textContent)).toEqual(["Team 1", "Personal 1", "Built in 1"]),
  );
  expect(asked).toContain("GET /api/skills/?team=t1");
  expect(screen.getByRole("link", { name: /About release.*overridden: team/s }).getAttribute("href")).toBe("/skills/user-release");
});

test("a skill is read as Markdown, and no markup of its own comes through", async () => {
  open("/skills/team-release");
  await waitFor(() => expect(screen.getByRole("heading", { level: 1, name: "How" })).toBeTruthy());
  expect(document.querySelector("article script")).toBeNull();
  expect(text()).toContain("by Alice Ames");
  expect(text()).toContain("It counts instead of another of its name: personal.");
});

test("one that is overridden leads to the one that counts", async () => {
  open("/skills/user-release?source=user");
  const link = await screen.findByRole("link", { name: "another of its name" });
  expect(link.getAttribute("href")).toBe("/skills/team-release?source=user");
});

test("a file of it is shown as it is", async () => {
  open("/skills/team-release?file=a.txt");
  await waitFor(() => expect(text()).toContain("<b>one</b>"));
  expect(screen.queryByRole("heading", { level: 1, name: "How" })).toBeNull();
  expect(screen.getByRole("link", { name: /^a\.txt/ }).getAttribute("aria-current")).toBe("true");
});

test("a file of it can be taken away, one that is no text too", async () => {
  open("/skills/team-release?file=assets/a%26b.bin");
  await waitFor(() => expect(text()).toContain("3 B of binary data"));
  const link = screen.getByRole<HTMLAnchorElement>("link", { name: "Download" });
  expect(link.getAttribute("href")).toBe("/api/skills/team-release/file/?path=assets%2Fa%26b.bin&download=1");
  expect(link.hasAttribute("download")).toBe(true);
});

test("what ships with the product cannot be deleted, one's own can, behind a question", async () => {
  open("/skills/builtin-review");
  await screen.findByText("Countersign");
  expect(screen.queryByRole("button", { name: "Delete" })).toBeNull();
  document.body.replaceChildren();
  open("/skills/user-release");
  await fireEvent.click(await screen.findByRole("button", { name: "Delete" }));
  expect(asked.some((one) => one.startsWith("DELETE"))).toBe(false);
  await fireEvent.click((await screen.findAllByRole("button", { name: "Delete", hidden: true })).at(-1)!);
  await waitFor(() => expect(asked).toContain("DELETE /api/skills/user-release/"));
  await waitFor(() => expect(location.pathname).toBe("/skills"));
});

test("files that are held over the page can be dropped there and are offered for upload", async () => {
  open("/skills");
  const place = (await screen.findByRole("heading", { level: 1 })).closest(".place")!;
  const dataTransfer = { types: ["Files"], items: [], files: [new File(["x"], "SKILL.md")] };
  await fireEvent.dragEnter(place, { dataTransfer });
  expect(text()).toContain("Drop a skill's folder");
  await fireEvent.drop(place, { dataTransfer });
  await waitFor(() => expect(screen.getByText("SKILL.md")).toBeTruthy());
  expect(text()).not.toContain("Drop a skill's folder");
});
