import { afterEach, expect, test, vi } from "vitest";
import { Pages } from "./pages.svelte";

interface Row {
  id: string;
}

afterEach(() => vi.unstubAllGlobals());

const row = (id: string): Row => ({ id });
const ids = (pages: Pages<Row>): string => pages.rows.map(({ id }) => id).join("");

/** Answers each path in its own way; "refuse" answers with a problem. */
function server(answers: Record<string, unknown>): void {
  vi.stubGlobal("fetch", async (path: string, { signal }: RequestInit) => {
    const found = answers[path];
    if (found instanceof Promise) await found;
    if (signal?.aborted) throw new DOMException("given up", "AbortError");
    if (found === "refuse") return Response.json({ kind: "error", title: "No" }, { status: 500 });
    return Response.json(found instanceof Promise ? await found : found);
  });
}

test("more rows are added to those that are there", async () => {
  server({ "/api/x/": { next: "http://h/api/x/?cursor=2", results: [row("a")] }, "/api/x/?cursor=2": { next: null, results: [row("b")] } });
  const pages = new Pages<Row>("x/");
  await pages.load();
  await pages.more();
  expect([ids(pages), pages.next, pages.state]).toEqual(["ab", null, "ready"]);
});

test("rows stay on view when the next page fails", async () => {
  server({ "/api/x/": { next: "/api/x/?cursor=2", results: [row("a")] }, "/api/x/?cursor=2": "refuse" });
  const pages = new Pages<Row>("x/");
  await pages.load();
  await pages.more();
  expect([ids(pages), pages.state]).toEqual(["a", "failed"]);
});

test("an answer that comes too late is not shown", async () => {
  let slow = (_: unknown): void => undefined;
  const late = new Promise((done) => (slow = done));
  server({ "/api/x/?q=old": late, "/api/x/?q=new": { next: null, results: [row("n")] } });
  const pages = new Pages<Row>("x/");
  const first = pages.load({ q: "old" });
  await pages.load({ q: "new" });
  slow({ next: null, results: [row("o")] });
  await first;
  expect(ids(pages)).toBe("n");
});

test("refreshing leaves a list alone that somebody has read further in", async () => {
  server({ "/api/x/": { next: "/api/x/?cursor=2", results: [row("a")] }, "/api/x/?cursor=2": { next: null, results: [row("b")] } });
  const pages = new Pages<Row>("x/");
  await pages.load();
  await pages.more();
  await pages.refresh();
  expect(ids(pages)).toBe("ab");
});
