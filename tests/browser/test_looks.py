"""The pages on a phone, in the dark, and for people who do not see them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visit, shot
from tests.browser.test_demo import REQUEST, start_session, waiting

PAGES = {
    "projects": "/projects", "new-session": "/sessions/new", "history": "/history", "memories": "/memories", "skills": "/skills",
    "inbox": "/inbox", "toolsets": "/toolsets", "comparisons": "/comparisons", "new-comparison": "/comparisons/new",
}  # fmt: skip
NAMELESS = """() => {
  const seen = (node) => node.checkVisibility({ visibilityProperty: true });
  const name = (node) =>
    node.getAttribute("aria-label") || node.title || node.innerText?.trim() || node.placeholder ||
    (node.getAttribute("aria-labelledby") || "").split(" ").map((id) => document.getElementById(id)?.innerText ?? "").join("") ||
    [...(node.labels ?? [])].map((label) => label.innerText).join("") || node.querySelector("img[alt],svg[aria-label]");
  const wanted = [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, [role=button], [role=tab]")];
  const nameless = wanted.filter((node) => seen(node) && !name(node)).map((node) => node.outerHTML.slice(0, 200));
  const images = [...document.images].filter((image) => !image.hasAttribute("alt")).map((image) => image.outerHTML.slice(0, 200));
  const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `id twice: ${id}`);
  const page = document.documentElement.lang && document.title && document.querySelector("main") ? [] : ["no lang, title or main"];
  return [...nameless, ...images, ...twice, ...page];
}"""
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
BACKGROUND = """() => {
  const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).map(Number);
  return (red + green + blue) / 3;
}"""


def settle(page: Page) -> None:
    page.wait_for_load_state("networkidle")


@pytest.mark.parametrize("name", PAGES)
def test_every_control_has_a_name_and_nothing_sticks_out_on_a_phone(name: str, visit: Visit) -> None:
    page = visit("alice", PAGES[name])
    settle(page)
    shot(page, name)
    assert page.evaluate(NAMELESS) == []
    page.set_viewport_size({"width": 360, "height": 740})
    page.reload()
    settle(page)
    shot(page, f"{name}-360")
    assert page.evaluate(OVERFLOW) <= 0
    assert page.evaluate(NAMELESS) == []


def test_a_session_fits_on_a_phone_and_is_named_for_those_who_hear_it(visit: Visit) -> None:
    page = visit("alice", viewport={"width": 360, "height": 740})
    page.goto("/sessions/new")
    page.get_by_label("What should the agent do?").fill(REQUEST)
    page.get_by_role("button", name="Start", exact=True).click()
    waiting(page, "Plan").get_by_role("button", name="Review").click()
    shot(page, "plan-360")
    assert page.evaluate(OVERFLOW) <= 0
    assert page.evaluate(NAMELESS) == []
    page.get_by_role("button", name="Transcript").click()
    shot(page, "session-360")
    assert page.evaluate(OVERFLOW) <= 0


def test_the_pages_are_dark_for_whoever_likes_it_so(visit: Visit) -> None:
    page = visit("alice", color_scheme="dark")
    start_session(page, REQUEST)
    waiting(page, "Plan")
    shot(page, "session-dark")
    assert page.evaluate(BACKGROUND) < 80
    for name, path in PAGES.items():
        page.goto(path)
        settle(page)
        shot(page, f"{name}-dark")
        assert page.evaluate(BACKGROUND) < 80


def test_the_sign_in_page_needs_no_script(visit: Visit) -> None:
    context = visit("alice").context
    assert context.browser is not None
    page = context.browser.new_page(java_script_enabled=False, base_url=page_address(context.pages[0]))
    page.goto("/sign-in/")
    shot(page, "sign-in")
    assert page.get_by_label("Password").is_visible()
    page.close()


def page_address(page: Page) -> str:
    return "/".join(page.url.split("/")[:3])
