import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import Interceptor from "./Interceptor.svelte";
import type { Project } from "./records";

let sent: unknown[] = [];
let answer: () => Response;

beforeEach(() => {
  sent = [];
  vi.stubGlobal("fetch", async (_: string, { body }: RequestInit) => {
    if (body) sent.push(JSON.parse(String(body)));
    return answer();
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
