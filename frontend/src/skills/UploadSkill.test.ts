import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { me } from "../accounts/me.svelte";
import type { Me } from "../accounts/records";
import type { Picked } from "./picked";
import UploadSkill from "./UploadSkill.svelte";

const SKILL: Picked[] = [
  { path: "release/SKILL.md", file: new File(["x"], "SKILL.md") },
  { path: "release/a.txt", file: new File(["y"], "a.txt") },
];
let sent: FormData[];
let answer: { status: number; body: object };

/** As far as an upload needs one. */
class Request {
  status = 0;
  responseText = "";
  upload: { onprogress?: (event: object) => void } = {};
  onload?: () => void;
  open(): void {}
  setRequestHeader(): void {}
  send(form: FormData): void {
    sent.push(form);
    this.status = answer.status;
    this.responseText = JSON.stringify(answer.body);
    this.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 2 });
    queueMicrotask(() => this.onload?.());
  }
}

HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
  this.open = true;
};
HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
  this.open = false;
};

beforeEach(() => {
  sent = [];
  answer = { status: 201, body: { id: "s1", name: "release" } };
  vi.stubGlobal("XMLHttpRequest", Request);
});
afterEach(() => {
  me.person = null;
});

function open(picked: Picked[], rights: string[]): { uploaded: ReturnType<typeof vi.fn> } {
  me.person = {
    id: "a",
    name: "Alice",
    username: "alice",
    email: "",
    teams: [{ id: "t1", name: "Reading room", role: "admin", rights }],
  } as Me;
  const uploaded = vi.fn();
  render(UploadSkill, { open: true, picked, scope: "user", known: [], uploaded });
  return { uploaded };
}

const button = (): HTMLButtonElement => screen.getByRole("button", { name: "Upload", hidden: true });
const press = (): Promise<unknown> => fireEvent.submit(document.querySelector("#skill-form")!);

test("a folder is sent with its paths, for the team where that is chosen", async () => {
  const { uploaded } = open(SKILL, ["manage_projects"]);
  await fireEvent.change(screen.getByLabelText("Who uses it"), { target: { value: "team" } });
  await press();
  await waitFor(() => expect(uploaded).toHaveBeenCalledWith({ id: "s1", name: "release" }));
  const [form] = sent;
  expect([form!.get("scope"), form!.get("team"), form!.getAll("paths")]).toEqual(["team", "t1", ["release/SKILL.md", "release/a.txt"]]);
  expect(form!.getAll("files")).toHaveLength(2);
});

test("whoever does not manage the team's projects uploads for themselves alone", async () => {
  open([{ path: "release.zip", file: new File(["x"], "release.zip") }], ["view"]);
  expect(screen.queryByLabelText("Who uses it")).toBeNull();
  await press();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect([sent[0]!.get("scope"), sent[0]!.get("team"), (sent[0]!.get("archive") as File).name]).toEqual(["user", "", "release.zip"]);
});

test("what is refused stays chosen, and the reason stands there", async () => {
  answer = { status: 400, body: { kind: "invalid", title: "SKILL.md is not complete", detail: "Its SKILL.md has no name." } };
  const { uploaded } = open(SKILL, []);
  await press();
  await waitFor(() => expect(document.body.textContent).toContain("SKILL.md is not complete. Its SKILL.md has no name."));
  expect(uploaded).not.toHaveBeenCalled();
  expect(document.body.textContent).toContain("release (2 files)");
});

test("nothing, and what is no skill, cannot be sent", () => {
  open([], []);
  expect(button().disabled).toBe(true);
  document.body.replaceChildren();
  open([{ path: "README.md", file: new File(["x"], "README.md") }], []);
  expect(button().disabled).toBe(true);
  expect(document.body.textContent).toContain("There is no SKILL.md");
});
