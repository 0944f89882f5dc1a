import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { followLink, go, here, placeOf, setQuery } from "./router";

describe("the place an address means", () => {
  test.each([
    ["/", { page: "home" }],
    ["/projects", { page: "projects" }],
    ["/projects/", { page: "projects" }],
    ["/projects/new", { page: "new-project" }],
    ["/projects/p1", { page: "project", id: "p1", tab: "sessions", path: "" }],
    ["/projects/p1/files/src/a%20b.py", { page: "project", id: "p1", tab: "files", path: "src/a b.py" }],
    ["/projects/p1/settings", { page: "project", id: "p1", tab: "settings", path: "" }],
    ["/sessions/new", { page: "new-session" }],
    ["/sessions/s1", { page: "session", id: "s1" }],
    ["/comparisons", { page: "comparisons" }],
    ["/comparisons/new", { page: "new-comparison" }],
    ["/comparisons/c1", { page: "comparison", id: "c1" }],
    ["/memories", { page: "memories", id: "" }],
    ["/memories/m1", { page: "memories", id: "m1" }],
    ["/skills", { page: "skills", id: "" }],
    ["/skills/builtin-tool-usage", { page: "skills", id: "builtin-tool-usage" }],
    ["/settings", { page: "settings", tab: "profile" }],
    ["/settings/tokens", { page: "settings", tab: "tokens" }],
    ["/teams/t1", { page: "team", id: "t1", tab: "members" }],
    ["/teams/t1/keys", { page: "team", id: "t1", tab: "keys" }],
    ["/history", { page: "history" }],
    ["/inbox", { page: "inbox" }],
    ["/toolsets", { page: "toolsets" }],
  ])("%s", (path, place) => {
    expect(placeOf(path)).toEqual(place);
  });

  test.each([
    "/nowhere",
    "/sessions",
    "/sessions/s1/more",
    "/projects/p1/nothing",
    "/projects/p1/settings/more",
    "/teams",
    "/history/x",
    "/comparisons/c1/x",
    "/skills/s1/x",
  ])("%s is no page of ours", (path) => {
    expect(placeOf(path)).toEqual({ page: "missing" });
  });

  test("a broken escape is taken as it stands", () => {
    expect(placeOf("/sessions/%zz")).toEqual({ page: "session", id: "%zz" });
  });
});

describe("moving", () => {
  beforeEach(() => go("/history"));

  test("going somewhere changes the address and can be taken back", () => {
    const steps = history.length;
    go("/inbox");
    expect(here.path).toBe("/inbox");
    expect(history.length).toBe(steps + 1);
  });

  test("a query field is set beside the others, and an empty one goes away", () => {
    setQuery({ q: "tax table", status: "done" });
    setQuery({ status: "" });
    expect(here.query.get("q")).toBe("tax table");
    expect(location.search).toBe("?q=tax+table");
  });

  test("the address has no question mark once no field is left", () => {
    setQuery({ q: "x" });
    setQuery({ q: "" });
    expect(location.href.endsWith("/history")).toBe(true);
  });
});

describe("following links", () => {
  beforeEach(() => {
    go("/history");
    document.addEventListener("click", followLink);
    document.addEventListener("click", stay);
  });
  afterEach(() => {
    document.removeEventListener("click", followLink);
    document.removeEventListener("click", stay);
    document.body.replaceChildren();
  });

  const stay = (event: Event): void => event.preventDefault();

  function click(html: string, how: MouseEventInit = {}): void {
    document.body.innerHTML = html;
    document.querySelector("a")!.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...how }));
  }

  test("a link to a page of ours is gone to without loading", () => {
    click('<a href="/sessions/s1#ask-c1"><b>a session</b></a>');
    expect(location.pathname + location.hash).toBe("/sessions/s1#ask-c1");
  });

  test.each([
    ["with a key held", '<a href="/inbox">x</a>', { ctrlKey: true }],
    ["into another tab", '<a href="/inbox" target="_blank">x</a>', {}],
    ["to the server's own pages", '<a href="/password/">x</a>', {}],
    ["to the interface", '<a href="/api/schema/">x</a>', {}],
    ["to another host", '<a href="https://example.org/inbox">x</a>', {}],
    ["within the page", '<a href="#main">x</a>', {}],
  ])("a click %s is the browser's", (_, html, how) => {
    click(html, how);
    expect(location.pathname).toBe("/history");
  });
});
