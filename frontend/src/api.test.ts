import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiProblem, csrfToken, del, get, post, signInAddress, withQuery } from "./api";

interface Asked {
  path: string;
  init: RequestInit & { headers: Record<string, string> };
}

let asked: Asked[] = [];

function answer(status: number, body?: unknown): void {
  vi.stubGlobal("fetch", async (path: string, init: Asked["init"]) => {
    asked.push({ path, init });
    return new Response(body === undefined ? null : JSON.stringify(body), { status });
  });
}

beforeEach(() => {
  asked = [];
  document.cookie = "csrftoken=abc%3D; path=/";
});
afterEach(() => vi.unstubAllGlobals());

const refused = async (request: Promise<unknown>): Promise<ApiProblem> =>
  request.then(
    () => expect.fail("it went through"),
    (problem: unknown) => problem as ApiProblem,
  );

describe("addresses", () => {
  test("empty fields stay out of the query", () => {
    expect(withQuery("sessions/", { q: "a b", status: "", person: null, page: 2, project: undefined })).toBe("/api/sessions/?q=a+b&page=2");
  });

  test("the next page's address is kept, on our own host", () => {
    expect(withQuery("http://elsewhere:1/api/sessions/?cursor=x")).toBe("/api/sessions/?cursor=x");
  });

  test("signing in leads back to where one was", () => {
    history.replaceState(null, "", "/history?q=x#top");
    expect(signInAddress()).toBe("/sign-in/?next=%2Fhistory%3Fq%3Dx%23top");
  });
});

describe("asking", () => {
  test("an answer is given as it came", async () => {
    answer(200, { results: [1] });
    expect(await get("projects/")).toEqual({ results: [1] });
  });

  test("only what changes something carries the anti-forgery token", async () => {
    answer(200, {});
    await get("me/");
    await post("projects/", { name: "x" });
    expect(csrfToken()).toBe("abc=");
    expect(asked.map(({ init }) => init.headers["X-CSRFToken"])).toEqual([undefined, "abc="]);
    expect(asked[1]!.init.body).toBe('{"name":"x"}');
  });

  test("an empty answer is nothing", async () => {
    answer(204);
    expect(await del("tokens/t/")).toBeUndefined();
  });
});

describe("what goes wrong", () => {
  test("a problem keeps its words, its fields and who was first", async () => {
    answer(409, {
      kind: "conflict",
      title: "Already decided",
      detail: "Look again.",
      by: { id: "u", name: "Bob" },
      fields: { name: ["taken"] },
    });
    const problem = await refused(post("x/"));
    expect(problem).toBeInstanceOf(ApiProblem);
    expect(problem).toMatchObject({ status: 409, kind: "conflict", by: { name: "Bob" }, fields: { name: ["taken"] } });
    expect(problem.sentence).toBe("Already decided. Look again.");
  });

  test("an answer that is no problem of ours still gets a sentence", async () => {
    vi.stubGlobal("fetch", async () => new Response("<h1>Bad gateway</h1>", { status: 502 }));
    expect(await refused(get("me/"))).toMatchObject({ kind: "error", status: 502, title: "The server made a mistake" });
  });

  test("no answer at all says so", async () => {
    vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("failed")));
    expect(await refused(get("me/"))).toMatchObject({ kind: "unavailable", status: 0 });
  });

  test("a request given up stays what it is", async () => {
    vi.stubGlobal("fetch", async () => Promise.reject(new DOMException("gone", "AbortError")));
    await expect(get("me/")).rejects.toMatchObject({ name: "AbortError" });
  });
});
