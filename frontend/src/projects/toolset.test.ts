import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import Interceptor from "./Interceptor.svelte";
import type { Project } from "./records";
import ToolsetField from "./ToolsetField.svelte";

const TOOLSETS = [
  { name: "oats", about: "Files by their text.", tools: [{ name: "read" }, { name: "edit" }, { name: "bash" }] },
  { name: "atomic", about: "Files by numbered lines.", tools: [{ name: "read" }] },
];
let sent: unknown[] = [];
let answer: () => Response;

beforeEach(() => {
  sent = [];
  answer = () => Response.json(TOOLSETS);
  vi.stubGlobal("fetch", async (_: string, { body }: RequestInit) => {
    if (body) sent.push(JSON.parse(String(body)));
    return answer();
  });
});
afterEach(() => vi.unstubAllGlobals());

describe("the choice of a toolset", () => {
  const names = (): string[] => screen.getAllByRole("radio").map((input) => (input as HTMLInputElement).value);

  it("offers each by its name, a line about it and how many tools it has", async () => {
    const { container } = render(ToolsetField, { toolset: "oats" });
    await waitFor(() => expect(names()).toEqual(["oats", "atomic"]));
    expect(container.textContent).toMatch(/oats.*Files by their text\..*3 tools.*atomic.*Files by numbered lines\..*1 tool/s);
    expect(screen.getByRole<HTMLInputElement>("radio", { name: /oats/ }).checked).toBe(true);
    await fireEvent.click(screen.getByRole("radio", { name: /atomic/ }));
    expect(screen.getByRole<HTMLInputElement>("radio", { name: /atomic/ }).checked).toBe(true);
  });

  it("keeps what was chosen where the list cannot be had, or does not name it", async () => {
    answer = () => Response.json({ title: "Down" }, { status: 503 });
    render(ToolsetField, { toolset: "oats" });
    expect(names()).toEqual(["oats"]);
    document.body.replaceChildren();
    answer = () => Response.json(TOOLSETS);
    render(ToolsetField, { toolset: "gone" });
    await waitFor(() => expect(names()).toEqual(["gone", "oats", "atomic"]));
  });

  it("says what the server has against it", () => {
    render(ToolsetField, { toolset: "oats", errors: ["There is no such toolset."] });
    expect(screen.getByRole("alert").textContent).toBe("There is no such toolset.");
  });
});

describe("the interceptor", () => {
  const project = { id: "p1", bash_interceptor: false } as Project;
  const box = (): HTMLInputElement => screen.getByRole("switch");

  it("is switched at once", async () => {
    const saved = vi.fn();
    answer = () => Response.json({ ...project, bash_interceptor: true });
    render(Interceptor, { project, mayManage: true, saved });
    await fireEvent.click(box());
    await waitFor(() => expect(saved).toHaveBeenCalledWith({ ...project, bash_interceptor: true }));
    expect(sent).toEqual([{ bash_interceptor: true }]);
  });

  it("goes back where the server refuses", async () => {
    answer = () => Response.json({ title: "No" }, { status: 403 });
    render(Interceptor, { project, mayManage: true, saved: () => undefined });
    await fireEvent.click(box());
    await waitFor(() => expect(box().disabled).toBe(false));
    expect(box().checked).toBe(false);
  });

  it("is only looked at by those who may not manage the project", () => {
    render(Interceptor, { project, mayManage: false, saved: () => undefined });
    expect(box().disabled).toBe(true);
  });
});
