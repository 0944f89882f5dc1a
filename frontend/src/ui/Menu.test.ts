import { fireEvent, render, screen } from "@testing-library/svelte";
import { createRawSnippet } from "svelte";
import { expect, test } from "vitest";
import Menu from "./Menu.svelte";

const html = (text: string) => createRawSnippet(() => ({ render: () => text }));

function open(): HTMLElement {
  render(Menu, {
    label: "Team",
    trigger: html("<b>Team</b>"),
    children: html('<div><button role="menuitem">One</button><button role="menuitem">Two</button></div>'),
  });
  return screen.getByRole("button", { name: "Team" });
}

test("it opens, and the arrows walk its items round and round", async () => {
  const button = open();
  await fireEvent.click(button);
  expect(button.getAttribute("aria-expanded")).toBe("true");
  await fireEvent.keyDown(button, { key: "ArrowDown" });
  expect(document.activeElement?.textContent).toBe("One");
  await fireEvent.keyDown(document.activeElement!, { key: "ArrowUp" });
  expect(document.activeElement?.textContent).toBe("Two");
  await fireEvent.keyDown(document.activeElement!, { key: "ArrowDown" });
  expect(document.activeElement?.textContent).toBe("One");
});

test("Esc closes it and gives the focus back", async () => {
  const button = open();
  await fireEvent.click(button);
  await fireEvent.keyDown(screen.getByRole("menu"), { key: "Escape" });
  expect(screen.queryByRole("menu")).toBeNull();
  expect(document.activeElement).toBe(button);
});

test("choosing an item closes it", async () => {
  await fireEvent.click(open());
  await fireEvent.click(screen.getByRole("menuitem", { name: "Two" }));
  expect(screen.queryByRole("menu")).toBeNull();
});
