import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import ForgeSettings from "./ForgeSettings.svelte";

const NONE = { kind: "", base_url: "", repository: "", secret: "" };
const CONNECTED = { kind: "gitea", base_url: "https://git.example.org", repository: "fruit/parser", secret: "FORGE_TOKEN" };
let asked: [string, string, unknown][];
let answers: Record<string, () => Response>;

beforeEach(() => {
  asked = [];
  answers = { "teams/t1/secrets/": () => Response.json([{ id: "x", name: "FORGE_TOKEN", hint: "", created: "" }]) };
  vi.stubGlobal("fetch", async (address: string, { method, body }: RequestInit) => {
    const path = address.replace("/api/", "");
    if (method !== "GET") asked.push([method!, path, body ? JSON.parse(String(body)) : null]);
    return (answers[`${method} ${path}`] ?? answers[path] ?? (() => Response.json({ title: "Missing" }, { status: 404 })))();
  });
});
afterEach(() => vi.unstubAllGlobals());

function open(forge: object, mayManage = true): void {
  answers["GET projects/p1/forge/"] = () => Response.json(forge);
  render(ForgeSettings, { project: "p1", team: "t1", mayManage });
}
const press = async (name: string): Promise<void> => void (await fireEvent.click(await screen.findByRole("button", { name })));
const type = (label: RegExp, value: string): Promise<unknown> => fireEvent.input(screen.getByLabelText(label), { target: { value } });

test("a project is connected to a repository, by the name of a secret", async () => {
  answers["PUT projects/p1/forge/"] = () => Response.json(CONNECTED);
  open(NONE);
  await press("Connect a forge");
  await fireEvent.change(screen.getByLabelText("Forge"), { target: { value: "gitea" } });
  await type(/^Address/, "https://git.example.org");
  await type(/^Repository/, "fruit/parser");
  await type(/^Secret/, "FORGE_TOKEN");
  await waitFor(() => expect(document.querySelector("datalist option")?.getAttribute("value")).toBe("FORGE_TOKEN"));
  await press("Connect");
  await waitFor(() => expect(screen.getByText("fruit/parser")).toBeTruthy());
  expect(asked).toEqual([["PUT", "projects/p1/forge/", CONNECTED]]);
  expect(screen.getByText(/Gitea or Forgejo at https:\/\/git.example.org/)).toBeTruthy();
});

test("what the server has against a field is said there, and nothing typed is lost", async () => {
  const refusal = { title: "This is no forge", detail: "", fields: { repository: ["It is owner/name."] } };
  answers["PUT projects/p1/forge/"] = () => Response.json(refusal, { status: 400 });
  open(NONE);
  await press("Connect a forge");
  await type(/^Repository/, "parser");
  await press("Connect");
  await waitFor(() => expect(screen.getByRole("alert").textContent).toBe("It is owner/name."));
  expect(screen.getByLabelText<HTMLInputElement>(/^Repository/).value).toBe("parser");
});

test("whether the forge answers is asked on demand, and why it does not", async () => {
  answers["POST projects/p1/forge/check/"] = () => Response.json({ ok: true, error: "", title: "fruit/parser: A parser" });
  open(CONNECTED);
  await press("Check");
  await waitFor(() => expect(screen.getByRole("status").textContent).toContain("fruit/parser: A parser"));
  answers["POST projects/p1/forge/check/"] = () => Response.json({ ok: false, error: "HTTP 401: the token is refused", title: "" });
  await press("Check");
  await waitFor(() => expect(screen.getByRole("status").textContent).toContain("the token is refused"));
});

test("it is disconnected only when that is said twice", async () => {
  answers["DELETE projects/p1/forge/"] = () => new Response(null, { status: 204 });
  open(CONNECTED);
  await press("Disconnect");
  await press("Keep");
  expect(asked).toEqual([]);
  await press("Disconnect");
  answers["GET projects/p1/forge/"] = () => Response.json(NONE);
  await press("Really disconnect");
  await waitFor(() => expect(screen.getByText("No forge yet")).toBeTruthy());
  expect(asked.map(([method]) => method)).toEqual(["DELETE"]);
});

test("who may not manage the project only reads", async () => {
  open(CONNECTED, false);
  await waitFor(() => expect(screen.getByText("fruit/parser")).toBeTruthy());
  expect(screen.queryByRole("button")).toBeNull();
});
