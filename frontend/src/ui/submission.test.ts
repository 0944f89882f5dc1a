import { expect, test } from "vitest";
import { ApiProblem } from "../api";
import { Submission } from "./submission.svelte";

const refused = new ApiProblem(400, { title: "Some of this is not right", detail: "name: taken", fields: { name: ["Taken."] } });

test("a field's errors stand at the field, and the whole says nothing more", async () => {
  const form = new Submission();
  expect(await form.run(() => Promise.reject(refused))).toBe(false);
  expect(form.errors("name")).toEqual(["Taken."]);
  expect(form.general("name")).toBe("");
});

test("errors of a field that is not shown are said for the whole", async () => {
  const form = new Submission();
  await form.run(() => Promise.reject(refused));
  expect(form.general("title")).toBe("Some of this is not right. name: taken");
});

test("the next try starts clean", async () => {
  const form = new Submission();
  await form.run(() => Promise.reject(new Error("no")));
  expect(form.general()).toBe("no");
  expect(await form.run(async () => undefined)).toBe(true);
  expect([form.general(), form.errors("name")]).toEqual(["", []]);
});

test("while one try is under way another does not start", async () => {
  const form = new Submission();
  let finish = (): void => undefined;
  const first = form.run(() => new Promise<void>((done) => (finish = done)));
  expect(await form.run(async () => expect.fail("ran twice"))).toBe(false);
  finish();
  expect(await first).toBe(true);
});
