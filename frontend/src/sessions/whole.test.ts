import { afterEach, expect, it, vi } from "vitest";
import type { UserSpoke } from "../protocol";
import type { Dated } from "./items";
import { wholePart } from "./whole";

const part = (seq: number): Dated<UserSpoke> => ({
  fact: { type: "user.spoke", message_id: "m1", text: "Once" },
  seq,
  at: "",
  by: "alice",
  cut: ["text"],
});
const told = (): Promise<Response> => Promise.resolve(Response.json({ fact: { text: "Once upon a time" } }));

afterEach(() => vi.unstubAllGlobals());

it("waits for the same promise however often a page asks", async () => {
  vi.stubGlobal("fetch", told);
  const cut = part(1);
  const first = wholePart("s1", cut);
  expect(wholePart("s1", cut)).toBe(first);
  expect((await first)?.fact.text).toBe("Once upon a time");
});

it("asks again once it could not be had", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("", { status: 502 })));
  const cut = part(2);
  await expect(wholePart("s1", cut)).rejects.toThrow();
  vi.stubGlobal("fetch", told);
  expect((await wholePart("s1", cut))?.fact.text).toBe("Once upon a time");
});
